"""Compares the numbers of a claim with the figures and counts that the rows give."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.quantity import accepted_units, amount_words, claimed_of
from mlperf_claimcheck.checks.ranking import Figure
from mlperf_claimcheck.claims.assertion import Amount
from mlperf_claimcheck.metrics.comparison import Comparison, compare
from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Claimed


@dataclass(frozen=True, slots=True)
class Compared:
    """Whether a figure stands in the relation that a claim gives."""

    holds: bool
    claimed: Claimed
    words: str
    caveats: tuple[Caveat, ...] = ()


def compare_count(amount: Amount, count: int, context: CheckContext) -> bool:
    """Whether a count stands in the relation that a claim gives. "Up to 30" means 30 are reached."""
    # A count printed without its last digits ("1.4k results") is equal when it rounds to them; any other is exact.
    if amount.relation in (Relation.EQUAL, Relation.UP_TO) and amount.tolerance is None:
        half = amount.number.quantum / 2 if amount.number.quantum > 1 else Decimal(0)
        return abs(amount.number.value - count) <= half
    return _stands(float(count), 0.0, amount, context).holds


def compare_figure(amount: Amount, figure: Figure, context: CheckContext) -> Compared:
    """Whether a row's figure stands in the relation that a claim gives (semantics: numbers).

    The published figure is an interval of its own, half a unit of its last significant digit either way.
    """
    comparison = _stands(figure.value, figure.error, amount, context)
    claimed = claimed_of(amount, figure.unit)
    texts = {
        "truncated": f"{figure.value:,.8g} {figure.unit} is cut off, not rounded, to {amount.number.text}.",
        "finer-than-source": f"{amount.number.text} is printed finer than the published digits can tell.",
        "loose-bound": f"The figure, {figure.value:,.8g} {figure.unit}, is far from the bound that the claim gives.",
    }
    caveats = tuple(Caveat(mark, texts[mark]) for mark in comparison.marks)
    return Compared(comparison.holds, claimed, f"{amount_words(amount)} {figure.unit}", caveats)


def _stands(value: float, error: float, amount: Amount, context: CheckContext) -> Comparison:
    """Whether a value stands in the relation of an amount, and the caveat codes to add."""
    return compare(
        Interval.around(Decimal(repr(value)), Decimal(repr(error))),
        amount.number,
        amount.relation,
        tolerance=context.tolerance,
        upper=amount.upper,
        explicit_tolerance=amount.tolerance,
    )


def unit_fits(unit: str, row: ResultRow, context: CheckContext) -> bool:
    """Whether a row's figure may be called by `unit`: its label, or its true unit where that label is wrong."""
    return unit in accepted_units(row, context)
