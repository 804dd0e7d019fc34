"""Comparing a published (or derived) value with a printed number."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from mlperf_claimcheck.metrics.number import PrintedNumber, Relation

LOOSE = 0.2
"""A bound that the value beats by more than this fraction is true but says little."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value together with the ends of what it can stand for."""

    value: float
    low: float
    high: float

    def divided(self, other: Interval) -> Interval:
        """The quotient, with the uncertainty of both sides."""
        return Interval(self.value / other.value, self.low / other.high, self.high / other.low)

    def scaled(self, factor: float) -> Interval:
        """The interval times a positive number."""
        return Interval(self.value * factor, self.low * factor, self.high * factor)

    def shifted(self, by: float) -> Interval:
        """The interval moved."""
        return Interval(self.value + by, self.low + by, self.high + by)

    def mirrored(self) -> Interval:
        """One minus the interval."""
        return Interval(1 - self.value, 1 - self.high, 1 - self.low)


def published(value: float) -> Interval:
    """A published figure: six significant digits mean half a unit of the sixth either way; longer ones are exact."""
    if value == 0:
        return Interval(0.0, 0.0, 0.0)
    text = f"{value:.6g}"
    if float(text) != value:
        return Interval(value, value, value)
    exponent = Decimal(text).adjusted()
    half = float(Decimal(5).scaleb(exponent - 6))
    return Interval(value, value - half, value + half)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a value stands in the claimed relation, and with what reservations (caveat codes)."""

    holds: bool
    codes: tuple[str, ...] = ()


def equals(value: Interval, number: PrintedNumber) -> Comparison:
    """Whether the value rounds (half up or half even) to the printed number; truncation passes with a caveat."""
    claimed, quantum = number.value, number.quantum
    exact = Decimal(repr(value.value))
    half = quantum / 2
    if abs(exact - claimed) <= half:
        return Comparison(True)
    low, high = Decimal(repr(value.low)), Decimal(repr(value.high))
    # A claim printed finer than the source is right if the source's own interval reaches it.
    if quantum <= (high - low) and low - half <= claimed <= high + half:
        return Comparison(True, ("finer-than-source",))
    truncated = (exact / quantum).to_integral_value(rounding=ROUND_FLOOR) * quantum
    if truncated == claimed and exact > claimed:
        return Comparison(True, ("truncated",))
    return Comparison(False)


def compare(
    value: Interval, relation: Relation, number: PrintedNumber, upper: PrintedNumber | None = None,
    tolerance: float = 0.05,
) -> Comparison:  # fmt: skip
    """Whether a value stands in a relation to a printed number (semantics: numbers, relations)."""
    claimed = float(number.value)
    match relation:
        case Relation.EQUAL | Relation.UP_TO:
            return equals(value, number)
        case Relation.OVER:
            return _loose(value.value > claimed and value.low >= claimed, value.value, claimed)
        case Relation.AT_LEAST:
            return _loose(value.value >= claimed, value.value, claimed)
        case Relation.UNDER:
            return _loose(value.value < claimed, value.value, claimed)
        case Relation.AT_MOST:
            return _loose(value.value <= claimed, value.value, claimed)
        case Relation.NEARLY:
            return Comparison(claimed * (1 - tolerance) <= value.value < claimed)
        case Relation.ABOUT:
            reach = max(abs(claimed) * tolerance, float(number.quantum) / 2)
            return Comparison(abs(value.value - claimed) <= reach)
        case Relation.BETWEEN:
            return Comparison(upper is not None and claimed <= value.value <= float(upper.value))
    return Comparison(False)


def _loose(holds: bool, value: float, claimed: float) -> Comparison:
    far = holds and claimed != 0 and abs(value / claimed - 1) > LOOSE
    return Comparison(holds, ("loose-bound",) if far else ())


def shown(value: float, *, significant: int = 6) -> str:
    """A figure as a report prints it: thousands separated, as many digits as the published tables carry."""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 10**significant:
        return f"{value:,.0f}"
    digits = max(0, significant - 1 - Decimal(repr(size)).adjusted())
    text = f"{value:,.{min(digits, 9)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
