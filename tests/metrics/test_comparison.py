"""Printed numbers against published values."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlperf_claimcheck.metrics.comparison import compare
from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation
from mlperf_claimcheck.metrics.units import factor, written


def printed(text: str, quantum: str = "1") -> PrintedNumber:
    return PrintedNumber(Decimal(text), Decimal(quantum), text)


def told(
    value: float, text: str, quantum: str = "1", relation: Relation = Relation.EQUAL
) -> tuple[bool, tuple[str, ...]]:
    found = compare(Interval.published(value), printed(text, quantum), relation, tolerance=0.05)
    return found.holds, found.marks


@pytest.mark.parametrize(
    ("value", "text", "quantum", "expected"),
    [
        (16634.861, "16635", "1", (True, ())),
        (16634.861, "16653", "1", (False, ())),
        (99996.8, "99997", "1", (True, ())),
        (0.0585234, "0.059", "0.001", (True, ())),
        (53462.7, "53400", "100", (True, ("truncated",))),
        (5103.99, "5103", "1", (True, ("truncated",))),
        (1016380, "1016375", "1", (True, ("finer-than-source",))),
        (1016380, "1016374", "1", (False, ())),
        (2.5, "2", "1", (True, ())),
        (3.5, "4", "1", (True, ())),
        (1900000, "1000000", "1000000", (False, ())),
        (2.5749, "2.58", "0.01", (False, ())),
    ],
)
def test_a_value_equals_what_it_rounds_to(value: float, text: str, quantum: str, expected: object) -> None:
    assert told(value, text, quantum) == expected


@pytest.mark.parametrize(
    ("value", "text", "relation", "expected"),
    [
        (1000000, "1000000", Relation.OVER, (False, ())),
        (1900000, "1000000", Relation.OVER, (True, ("loose-bound",))),
        (1000000, "1000000", Relation.AT_LEAST, (True, ())),
        (99.9, "100", Relation.UNDER, (True, ())),
        (100, "100", Relation.UNDER, (False, ())),
        (96, "100", Relation.NEARLY, (True, ())),
        (94, "100", Relation.NEARLY, (False, ())),
        (101, "100", Relation.NEARLY, (False, ())),
        (104, "100", Relation.ABOUT, (True, ())),
        (106, "100", Relation.ABOUT, (False, ())),
    ],
)
def test_relations(value: float, text: str, relation: Relation, expected: object) -> None:
    assert told(value, text, relation=relation) == expected


@given(st.floats(min_value=0.001, max_value=1e8, allow_nan=False), st.integers(min_value=1, max_value=6))
def test_every_value_equals_its_own_rounding(value: float, digits: int) -> None:
    number = Decimal(repr(value))
    quantum = Decimal(1).scaleb(number.adjusted() - digits + 1)
    rounded = (number / quantum).to_integral_value() * quantum
    found = compare(Interval.published(value), PrintedNumber(rounded, quantum, ""), Relation.EQUAL, tolerance=0.05)
    assert found.holds
    assert found.marks == ()


@given(st.integers(min_value=100000, max_value=999999), st.integers(min_value=2, max_value=10**6))
def test_a_number_two_units_off_never_passes(value: int, off: int) -> None:
    for claimed in (value + off, value - off):
        number = PrintedNumber(Decimal(claimed), Decimal(1), str(claimed))
        assert not compare(Interval.published(float(value)), number, Relation.EQUAL, tolerance=0.05).holds


@given(st.integers(min_value=1, max_value=10**9), st.integers(min_value=1, max_value=10**5))
def test_a_quotient_lies_in_its_own_interval(value: int, count: int) -> None:
    found = Interval.published(float(value)) / Interval.exact(count)
    assert found.low <= found.value <= found.high


def test_units_of_one_kind_convert_and_others_do_not() -> None:
    assert factor("s", "ms") == 1000
    assert factor("tokens/s", "ms") is None
    assert written(1197710.0) == "1,197,710"
    assert written(Decimal("16634.8611111")) == "16,634.86"
    assert written(0.0585234) == "0.0585234"
