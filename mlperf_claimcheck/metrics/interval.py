"""Published values as intervals: a printed figure stands for every value that rounds to it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation

SIGNIFICANT_DIGITS = 6
"""MLCommons' summaries carry six significant digits."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and the range that it may stand for."""

    value: Decimal
    low: Decimal
    high: Decimal

    @classmethod
    def exact(cls, value: Decimal | int) -> Interval:
        """A value without doubt, such as a count."""
        number = Decimal(value)
        return cls(number, number, number)

    @classmethod
    def around(cls, value: Decimal, half: Decimal) -> Interval:
        """A value with half a unit of its last digit on each side."""
        return cls(value, value - half, value + half)

    @classmethod
    def published(cls, value: float) -> Interval:
        """A figure of a summary: six significant digits, or as many as it has if it has more.

        `1016380` stands for 1016380 ± 5.
        """
        number = Decimal(repr(float(value)))
        if not number.is_finite() or number == 0:
            return cls.exact(number)
        shown = len(number.normalize().as_tuple().digits)
        place = number.adjusted() - max(shown, SIGNIFICANT_DIGITS) + 1
        return cls.around(number, Decimal(5).scaleb(place - 1))

    def __truediv__(self, other: Interval) -> Interval:
        """The quotient of two intervals of positive numbers. Raises ZeroDivisionError."""
        try:
            corners = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
            return Interval(self.value / other.value, min(corners), max(corners))
        except (DivisionByZero, InvalidOperation) as error:
            raise ZeroDivisionError(str(error)) from error

    def __mul__(self, other: Interval) -> Interval:
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(self.value * other.value, min(corners), max(corners))

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.value + other.value, self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.value - other.value, self.low - other.high, self.high - other.low)

    def __abs__(self) -> Interval:
        low, high = sorted((abs(self.low), abs(self.high)))
        return Interval(abs(self.value), Decimal(0) if self.low <= 0 <= self.high else low, high)

    def scaled(self, factor: Decimal | int) -> Interval:
        """The interval times an exact positive factor."""
        return self * Interval.exact(factor)


ONE = Interval.exact(1)
HUNDRED = Interval.exact(100)
