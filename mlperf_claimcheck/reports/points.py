"""The figures of a verdict that can stand on one axis, for charts and bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mlperf_claimcheck.reports.words import round_name
from mlperf_claimcheck.verdicts.model import Evidence, Verdict
from mlperf_claimcheck.verdicts.text import printable, shorten

MAX_POINTS = 14

ROLE_WORDS = {
    "subject": "the claim's result",
    "baseline": "baseline",
    "above": "stands above",
    "excluded": "above, outside the claim's scope",
    "nearest": "nearest published figure",
    "member": "counted",
    "next": "next in the ranking",
    "other": "comparable result",
}
"""What a row is to the claim, in words."""


@dataclass(frozen=True, slots=True)
class Point:
    """One figure."""

    label: str
    value: float
    role: str
    """A role of `Evidence`, or `claimed`."""
    preview: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """Figures in one unit, the largest first."""

    unit: str
    points: tuple[Point, ...]
    claimed: float | None
    """The claimed figure, where it is in the same unit."""
    left_out: int = 0
    """How many more comparable results there are."""


Peers = Callable[[Evidence], Sequence[Evidence]]


def comparable(verdict: Verdict, peers: Peers | None = None) -> Points | None:
    """The figures of a verdict that are in one unit, or None where there is nothing to compare.

    `peers` gives all results that a row may be compared with; the best of them are shown beside the evidence.
    """
    evidence = [e for e in verdict.evidence if math.isfinite(e.value)]
    if not evidence:
        return None
    claimed = verdict.claimed
    unit, derived = _axis(evidence, claimed.unit if claimed is not None else "")

    def figures(rows: Iterable[Evidence]) -> list[tuple[Evidence, float]]:
        values = [
            (e, e.derived if derived else e.value) for e in rows if (e.derived_unit if derived else e.unit) == unit
        ]
        return [(e, v) for e, v in values if v is not None and math.isfinite(v) and v >= 0]

    own = figures(evidence)
    tasks = {(e.round, e.model, e.scenario, e.division) for e, _ in own}
    others: list[tuple[Evidence, float]] = []
    if peers is not None and len(tasks) == 1:
        known = {_identity(e) for e in evidence}
        others = figures(e for e in peers(own[0][0]) if _identity(e) not in known)
        # The best ones first: latencies are better when they are low.
        others.sort(key=lambda pair: pair[1], reverse=unit.partition("/")[0] not in ("ms", "s", "minutes"))
    mark = None
    if claimed is not None and claimed.value is not None and claimed.unit == unit and 0 <= claimed.value < math.inf:
        mark = claimed.value
    if len(own) + len(others) + (mark is not None) < 2:
        return None
    shown = (own + others)[:MAX_POINTS]
    rounds = {e.round for e, _ in shown}
    points = tuple(
        Point(
            _label(e, len(rounds) > 1, len(tasks) > len(rounds)),
            v,
            printable(e.role),
            e.availability.lower() == "preview",
        )
        for e, v in sorted(shown, key=lambda pair: -pair[1])
    )
    return Points(printable(unit), points, mark, len(own) + len(others) - len(shown))


def _identity(row: Evidence) -> tuple[str, ...]:
    return row.round, row.submitter, row.platform, row.location, row.model, row.scenario


def _axis(rows: list[Evidence], claimed: str) -> tuple[str, bool]:
    """The unit to draw, and whether the derived figures are in it."""
    if claimed and any(e.derived is not None and e.derived_unit == claimed for e in rows):
        return claimed, True
    if claimed and any(e.unit == claimed for e in rows):
        return claimed, False
    derived = [e.derived_unit for e in rows if e.derived is not None and e.derived_unit]
    if derived and len(derived) == len(rows):
        return max(derived, key=derived.count), True
    units = [e.unit for e in rows]
    return max(units, key=units.count), False


def _label(row: Evidence, with_round: bool, with_task: bool) -> str:
    name = shorten(printable(row.submitter), 30)
    product = shorten(printable(row.accelerator or row.system), 36)
    text = f"{name}, {row.accelerators} × {product}" if row.accelerators else f"{name}, {product}"
    if with_task:
        text += f", {printable(row.model)} {printable(row.scenario)}"
    if with_round:
        text += f", {round_name(printable(row.round))}"
    if row.availability.lower() not in ("available", ""):
        text += f" ({printable(row.availability)})"
    return text
