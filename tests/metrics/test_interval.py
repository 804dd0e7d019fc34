"""What a published figure may stand for, and what is calculated from several of them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlperf_claimcheck.metrics.interval import HUNDRED, ONE, Interval


def interval(value: str, low: str, high: str) -> Interval:
    return Interval(Decimal(value), Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    ("value", "half"),
    [
        (1016380, "5"),
        (101638, "0.5"),
        (1197710.0, "5"),
        (16634.861, "0.0005"),
        (2.5, "0.000005"),
        (100000, "0.5"),
        (1000000, "5"),
        (0.0585234, "0.00000005"),
        (0.05, "0.00000005"),
        (1234567.5, "0.05"),
        (1, "0.000005"),
    ],
)
def test_a_published_figure_has_six_significant_digits_or_more(value: float, half: str) -> None:
    found = Interval.published(value)
    assert found.value == Decimal(repr(float(value)))
    assert found.high - found.value == Decimal(half)
    assert found.value - found.low == Decimal(half)


@pytest.mark.parametrize("value", [0, 0.0, float("inf")])
def test_zero_and_what_is_no_number_have_no_digits(value: float) -> None:
    found = Interval.published(value)
    assert found.low == found.value == found.high


def test_exact_and_around() -> None:
    assert Interval.exact(72) == interval("72", "72", "72")
    assert Interval.around(Decimal(10), Decimal("0.5")) == interval("10", "9.5", "10.5")
    assert (ONE.value, HUNDRED.value) == (1, 100)


A, B = interval("10", "9", "12"), interval("4", "3", "5")
NEGATIVE = interval("-4", "-5", "-3")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (A + B, interval("14", "12", "17")),
        (A - B, interval("6", "4", "9")),
        (A * B, interval("40", "27", "60")),
        (A * NEGATIVE, interval("-40", "-60", "-27")),
        (A / B, interval("2.5", "1.8", "4")),
        (B.scaled(3), interval("12", "9", "15")),
        (A.scaled(Decimal("0.5")), interval("5", "4.5", "6")),
        (abs(A), A),
        (abs(NEGATIVE), B),
        (abs(interval("-1", "-5", "3")), interval("1", "0", "5")),
        (abs(interval("1", "0", "3")), interval("1", "0", "3")),
        (abs(interval("-1", "-3", "0")), interval("1", "0", "3")),
    ],
)
def test_calculations_keep_the_range(found: Interval, expected: Interval) -> None:
    assert found == expected


def test_a_division_by_zero_says_so() -> None:
    for divisor in (interval("0", "0", "0"), interval("1", "0", "2"), interval("0", "1", "2")):
        with pytest.raises(ZeroDivisionError, match=r"division|zero|Division|Undefined"):
            A / divisor
    with pytest.raises(ZeroDivisionError):
        Interval.exact(0) / Interval.exact(0)


@given(st.floats(min_value=1e-3, max_value=1e9), st.floats(min_value=1e-3, max_value=1e9))
def test_the_value_is_always_inside(a: float, b: float) -> None:
    x, y = Interval.published(a), Interval.published(b)
    for found in (x + y, x - y, x * y, x / y, abs(x - y), x.scaled(7)):
        assert found.low <= found.value <= found.high
