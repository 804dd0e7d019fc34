"""Hostile input gives an answer or a documented error: no traceback, no second of waiting, no heap of memory."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from .entries import ENTRIES
from .watch import watched

EXAMPLES = 25
"""Inputs an entry point in the ordinary tests; `make fuzz` tries as many as one likes."""


@pytest.mark.parametrize("name", ENTRIES)
def test_hostile_input_gives_an_answer(name: str) -> None:
    entry = ENTRIES[name]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(entry.inputs.strategy())
    def run(case: object) -> None:
        watched(entry.run, case)

    run()
