"""Relations at their edges: what holds exactly there, and what is said beside it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mlperf_claimcheck.metrics.comparison import compare, rounds_to, truncates_to
from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation


def printed(text: str, quantum: str = "1") -> PrintedNumber:
    return PrintedNumber(Decimal(text), Decimal(quantum), text)


def around(value: str, half: str) -> Interval:
    return Interval.around(Decimal(value), Decimal(half))


FINER, LOOSE, CUT = "finer-than-source", "loose-bound", "truncated"


@pytest.mark.parametrize(
    ("value", "half", "number", "relation", "holds", "marks"),
    [
        # A bound inside of the interval of the source holds, and it is said that the source does not tell.
        ("101", "2", "100", Relation.OVER, True, (FINER,)),
        ("101", "1", "100", Relation.OVER, True, ()),
        ("101", "2", "100", Relation.AT_LEAST, True, (FINER,)),
        ("100", "2", "100", Relation.AT_LEAST, True, ()),
        ("100", "2", "100", Relation.OVER, False, ()),
        ("99", "2", "100", Relation.OVER, False, ()),
        ("99", "2", "100", Relation.UNDER, True, (FINER,)),
        ("99", "1", "100", Relation.UNDER, True, ()),
        ("99", "2", "100", Relation.AT_MOST, True, (FINER,)),
        ("100", "2", "100", Relation.AT_MOST, True, ()),
        ("101", "2", "100", Relation.AT_MOST, False, ()),
        # More than a fifth away says little; a fifth does not.
        ("120", "0", "100", Relation.OVER, True, ()),
        ("120.1", "0", "100", Relation.OVER, True, (LOOSE,)),
        ("80", "0", "100", Relation.UNDER, True, ()),
        ("79.9", "0", "100", Relation.AT_MOST, True, (LOOSE,)),
        ("-79", "0", "-100", Relation.OVER, True, (LOOSE,)),
        ("5", "0", "0", Relation.OVER, True, ()),
        ("500", "450", "100", Relation.OVER, True, (FINER, LOOSE)),
        # "nearly": below, and within the reach; "about": on both sides.
        ("95", "0", "100", Relation.NEARLY, True, ()),
        ("94.9", "0", "100", Relation.NEARLY, False, ()),
        ("100", "0", "100", Relation.NEARLY, False, ()),
        ("95", "0", "100", Relation.ABOUT, True, ()),
        ("105", "0", "100", Relation.ABOUT, True, ()),
        ("94.9", "0", "100", Relation.ABOUT, False, ()),
        ("105.1", "0", "100", Relation.ABOUT, False, ()),
        ("-105", "0", "-100", Relation.ABOUT, True, ()),
    ],
)
def test_at_the_edges(
    value: str, half: str, number: str, relation: Relation, holds: bool, marks: tuple[str, ...]
) -> None:
    found = compare(around(value, half), printed(number), relation, tolerance=0.05)
    assert (found.holds, found.marks) == (holds, marks)


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_stands_in_no_relation(value: str, relation: Relation) -> None:
    odd = Decimal(value)
    found = compare(Interval(odd, odd, odd), printed("1"), relation, tolerance=0.05, upper=printed("2"))
    assert not found.holds
    assert found.marks == ()


@pytest.mark.parametrize(
    ("value", "upper", "holds"),
    [
        ("1", "2", True),
        ("2", "2", True),
        ("0.9", "2", False),
        ("2.1", "2", False),
        ("1", None, False),
        ("0.5", "0", True),
        ("0", "0", True),
        ("1.1", "0", False),
    ],
)
def test_between_has_both_ends_in_either_order(value: str, upper: str | None, holds: bool) -> None:
    end = None if upper is None else printed(upper)
    assert compare(around(value, "0"), printed("1"), Relation.BETWEEN, tolerance=0, upper=end).holds is holds


def test_the_tolerance_of_the_claim_counts_before_the_usual_one() -> None:
    for relation in (Relation.ABOUT, Relation.EQUAL, Relation.UP_TO):
        for value, holds in (("102", True), ("98", True), ("102.1", False), ("97.9", False)):
            found = compare(around(value, "0"), printed("100"), relation, tolerance=0.05, explicit_tolerance=0.02)
            assert found.holds is holds, (relation, value)


@pytest.mark.parametrize(
    ("value", "number", "quantum", "expected"),
    [
        ("2.5", "2", "1", True),  # half even
        ("2.5", "3", "1", True),  # half up
        ("3.5", "3", "1", False),
        ("1.4999", "1", "1", True),
        ("1.5001", "1", "1", False),
        ("16650", "16600", "100", True),
        ("16650", "16700", "100", True),
        ("16651", "16600", "100", False),
        # A number that is no multiple of its own precision ("half a million") has half of it on each side.
        ("105", "125", "50", True),
        ("100", "125", "50", True),
        ("150", "125", "50", True),
        ("99", "125", "50", False),
        ("151", "125", "50", False),
        ("5", "5", "0", True),
        ("5.1", "5", "0", False),
        ("5.1", "5", "-1", False),
    ],
)
def test_rounding(value: str, number: str, quantum: str, expected: bool) -> None:
    assert rounds_to(Decimal(value), printed(number, quantum)) is expected


@pytest.mark.parametrize(
    ("value", "number", "quantum", "expected"),
    [
        ("5103.99", "5103", "1", True),
        ("5103", "5103", "1", True),
        ("5104", "5103", "1", False),
        ("5102.9", "5103", "1", False),
        ("-5103.9", "-5103", "1", True),
        ("-5103.9", "5103", "1", False),
        ("1.2", "1", "1", True),
        ("1.21", "1", "1", False),
        ("5", "5", "0", False),
        ("0.5", "0", "1", False),
    ],
)
def test_cutting_digits_off(value: str, number: str, quantum: str, expected: bool) -> None:
    assert truncates_to(Decimal(value), printed(number, quantum)) is expected


@pytest.mark.parametrize(
    ("value", "half", "number", "derived", "expected"),
    [
        ("99.4", "0.2", "100", True, (True, (FINER,))),
        ("99.4", "0.2", "100", False, (False, ())),
        ("99.3", "0.2", "100", True, (False, ())),
        ("100.6", "0.2", "100", True, (True, (CUT,))),
        ("101.1", "0.7", "100", True, (True, (FINER,))),
        ("101.1", "0.6", "100", True, (False, ())),
        ("99", "1", "100", False, (True, (FINER,))),
        ("101", "1", "100", False, (True, (FINER,))),
        ("100.5", "0", "100", False, (True, ())),
    ],
)
def test_on_the_border_the_rounding_of_the_source_decides_for_calculated_values(
    value: str, half: str, number: str, derived: bool, expected: tuple[bool, tuple[str, ...]]
) -> None:
    found = compare(around(value, half), printed(number), Relation.EQUAL, tolerance=0.05, derived=derived)
    assert (found.holds, found.marks) == expected
