"""`Verdict.changed` is `dataclasses.replace`, only quicker."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from mlperf_claimcheck.verdicts.model import Caveat, Outcome, Reason, Verdict

VERDICT = Verdict(Outcome.PASS, Reason("value-matches", "It matches."), id="a", line=3, note="n")


def test_changed_is_replace() -> None:
    for changes in ({}, {"id": "b"}, {"line": None, "caveats": (Caveat("x", "y"),), "outcome": Outcome.FAIL}):
        got, want = VERDICT.changed(**changes), replace(VERDICT, **changes)
        assert got == want
        assert hash(got) == hash(want)
    assert VERDICT.id == "a"
    with pytest.raises(FrozenInstanceError):
        VERDICT.changed(id="b").id = "c"  # type: ignore[misc]


def test_a_name_that_is_no_field_is_refused() -> None:
    with pytest.raises(TypeError, match="colour"):
        VERDICT.changed(colour="red")
