"""Sizes of units of one kind, which way is better, and numbers as sentences write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mlperf_claimcheck.metrics.units import factor, is_power, is_time, lower_is_better, written


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("tokens/s", "tokens/s", "1"),
        ("ms", "s", "0.001"),
        ("s", "ms", "1000"),
        ("us", "ms", "0.001"),
        ("min", "s", "60"),
        ("h", "min", "60"),
        ("kW", "W", "1000"),
        ("MW", "kW", "1000"),
        ("J", "mJ", "1000"),
        ("kWh", "J", "3600000"),
    ],
)
def test_a_figure_keeps_its_size_in_another_unit(source: str, target: str, expected: str) -> None:
    assert factor(source, target) == Decimal(expected)


@pytest.mark.parametrize(
    ("source", "target"), [("ms", "W"), ("W", "J"), ("tokens/s", "samples/s"), ("s", "x"), ("x", "s")]
)
def test_units_of_different_kinds_have_no_factor(source: str, target: str) -> None:
    assert factor(source, target) is None


@pytest.mark.parametrize("unit", ["us", "ms", "s", "min", "h"])
def test_times(unit: str) -> None:
    assert is_time(unit)
    assert not is_power(unit)
    assert lower_is_better(unit)


@pytest.mark.parametrize("unit", ["W", "kW", "MW", "mJ", "J", "kWh"])
def test_power_and_energy(unit: str) -> None:
    assert is_power(unit)
    assert not is_time(unit)
    assert lower_is_better(unit)


@pytest.mark.parametrize("unit", ["tokens/s", "samples/s", "", None])
def test_of_throughput_more_is_better(unit: str | None) -> None:
    assert not lower_is_better(unit)
    assert not is_time(unit)
    assert not is_power(unit)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, "0"),
        (0.0, "0"),
        (Decimal(0), "0"),
        (1197710, "1,197,710"),
        (1197710.0, "1,197,710"),
        (16634.861111, "16,634.86"),
        (999.123456, "999.123"),
        (1000.123456, "1,000.12"),
        (1234567.891, "1,234,567.89"),
        (12.5, "12.5"),
        (100, "100"),
        (0.0001234567, "0.000123457"),
        (-16634.861111, "-16,634.86"),
        (Decimal("2.50"), "2.5"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (Decimal("-Infinity"), "-Infinity"),
    ],
)
def test_numbers_in_sentences(value: float, expected: str) -> None:
    assert written(value) == expected


@pytest.mark.parametrize(
    ("digits", "expected"), [(1, "3"), (3, "3.14"), (4, "3.142"), (6, "3.14159"), (8, "3.1415927")]
)
def test_as_many_digits_as_asked_for(digits: int, expected: str) -> None:
    assert written(Decimal("3.14159267"), digits) == expected
