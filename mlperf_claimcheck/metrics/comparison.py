"""Whether a published value stands in the relation that a claim prints.

Rules: a value equals a printed number when it rounds to it (half up or half even); one that only truncates to it passes
with a mark; a number printed finer than the source passes within the source's own interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation

LOOSE = Decimal("0.2")
"""A bound that is further off than this fraction says little."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether the relation holds, and the codes of what to add (`truncated`, `finer-than-source`, `loose-bound`)."""

    holds: bool
    marks: tuple[str, ...] = ()


_NO = Comparison(False)


def compare(
    value: Interval,
    number: PrintedNumber,
    relation: Relation,
    *,
    tolerance: float,
    upper: PrintedNumber | None = None,
    explicit_tolerance: float | None = None,
    derived: bool = False,
) -> Comparison:
    """Compare a value with a printed number.

    `tolerance` is how far "about" and "nearly" reach as a fraction, `explicit_tolerance` the claim's own ("± 2%").
    `derived`: the value was calculated, so that its interval decides in case of doubt.
    """
    v, n = value.value, number.value
    if not v.is_finite():
        return _NO
    reach = Decimal(str(tolerance if explicit_tolerance is None else explicit_tolerance)) * abs(n)
    match relation:
        case Relation.OVER | Relation.AT_LEAST:
            above = v > n if relation is Relation.OVER else v >= n
            return _bound(above, v - n, n, doubtful=value.low < n and v != n)
        case Relation.UNDER | Relation.AT_MOST:
            below = v < n if relation is Relation.UNDER else v <= n
            return _bound(below, n - v, n, doubtful=value.high > n and v != n)
        case Relation.NEARLY:
            return Comparison(n - reach <= v < n)
        case Relation.ABOUT:
            return Comparison(abs(v - n) <= reach)
        case Relation.BETWEEN:
            return Comparison(upper is not None and min(n, upper.value) <= v <= max(n, upper.value))
        case _:
            if explicit_tolerance is not None:
                return Comparison(abs(v - n) <= reach)
            return _equal(value, number, derived=derived)


def _bound(holds: bool, distance: Decimal, number: Decimal, *, doubtful: bool) -> Comparison:
    if not holds:
        return _NO
    marks = []
    if doubtful:
        marks.append("finer-than-source")
    if number and distance > LOOSE * abs(number):
        marks.append("loose-bound")
    return Comparison(True, tuple(marks))


def rounds_to(value: Decimal, number: PrintedNumber) -> bool:
    """Whether a value rounds (half up or half even) to a printed number."""
    n, q = number.value, number.quantum
    if q <= 0:
        return value == n
    if n % q == 0:
        scaled = value / q
        return any(scaled.to_integral_value(mode) * q == n for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN))
    return abs(value - n) <= q / 2


def truncates_to(value: Decimal, number: PrintedNumber) -> bool:
    """Whether a value's further digits were cut off to get the number.

    A number with so few digits that cutting them changes it by more than a fifth (1.9 million, "1 million") is not a
    figure for the value any more.
    """
    n, q = number.value, number.quantum
    if q <= 0 or value * n < 0:
        return False
    rest = abs(value) - abs(n)
    return 0 <= rest < q and rest <= LOOSE * abs(n)


def _equal(value: Interval, number: PrintedNumber, *, derived: bool) -> Comparison:
    n, half = number.value, number.quantum / 2
    if rounds_to(value.value, number):
        return Comparison(True)
    if value.low <= n <= value.high:
        return Comparison(True, ("finer-than-source",))
    if truncates_to(value.value, number):
        return Comparison(True, ("truncated",))
    # A derived figure on the border: the source's own rounding decides, so that it may be either.
    if derived and value.low < n + half and value.high > n - half:
        return Comparison(True, ("finer-than-source",))
    return _NO
