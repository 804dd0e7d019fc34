"""The earlier rounds that a claim reaches back to ("record", "ever", "first")."""

from __future__ import annotations

from dataclasses import replace

from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.names import (
    compatibility,
    had_benchmark,
    held_rounds,
    known_rounds,
    round_name,
    round_order,
)
from mlperf_claimcheck.checks.selection import select
from mlperf_claimcheck.claims.assertion import Selection
from mlperf_claimcheck.verdicts.model import Caveat, Severity


def earlier_rounds(base: Selection, context: CheckContext) -> tuple[tuple[str, ...], list[Caveat]]:
    """The held rounds before those of `base` whose results may be compared, and what limits the search.

    "First", "ever" and "record" are judged over the rounds held, and only where the benchmark is comparable (semantics:
    superlatives, comparisons).
    """
    first = min((round_order(r) for r in base.rounds), default=None)
    if first is None:
        return (), []
    suite = first[0]
    held = [r for r in held_rounds(context) if round_order(r)[0] == suite and round_order(r) < first]
    missing = [
        r
        for r in known_rounds(suite, context)
        if round_order(r) < first and r not in held and had_benchmark(r, base.models, context)
    ]
    usable: list[str] = []
    caveats: list[Caveat] = []
    for earlier in held:
        if not select(replace(base, rounds=(earlier,), hardware=()), context):
            # Nothing of that benchmark to compare: it was searched all the same.
            usable.append(earlier)
            continue
        answers = {compatibility(earlier, current, base, context) for current in base.rounds}
        if "incomparable" in answers and base.models:
            text = f"Results of {round_name(earlier, context)} are not comparable for this benchmark and were left out."
            caveats.append(Caveat("incomparable-rounds", text))
            continue
        if "unknown" in answers and base.models:
            text = (
                f"Whether {round_name(earlier, context)} is comparable with "
                f"{', '.join(round_name(r, context) for r in base.rounds)} is not settled by MLCommons' table."
            )
            caveats.append(Caveat("comparability-unknown", text))
        usable.append(earlier)
    names = ", ".join(round_name(r, context) for r in usable) or "none"
    text = f"Earlier rounds searched: {names}."
    if missing:
        text += f" Not held, so not searched: {', '.join(round_name(r, context) for r in missing)}."
    severity = Severity.WARNING if missing else Severity.NOTICE
    return tuple(usable), [Caveat("rounds-held", text, severity), *caveats]
