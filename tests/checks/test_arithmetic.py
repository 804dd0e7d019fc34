"""Calculations that a claim writes out, and compounds of several parts."""

from __future__ import annotations

import pytest
from asserting import bundled_context, chosen, printed, told, value
from hypothesis import given
from hypothesis import strategies as st

from mlperf_claimcheck.checks.dispatch import check
from mlperf_claimcheck.claims.assertion import (
    ArithmeticAssertion,
    CompoundAssertion,
    Per,
    Term,
    Undecidable,
)
from mlperf_claimcheck.metrics.number import Relation


def divided(total: str, count: str, each: str, relation: Relation = Relation.EQUAL) -> ArithmeticAssertion:
    return ArithmeticAssertion(
        Term(printed(total), "tokens/s", relation),
        "÷",
        Term(printed(count), "accelerators"),
        Term(printed(each), "tokens/s/accelerator", relation),
    )


CONSISTENT, WRONG = ("unverifiable", "arithmetic-consistent"), ("fail", "arithmetic-wrong")


@pytest.mark.parametrize(
    ("assertion", "expected"),
    [
        (divided("441,740", "68", "6,496"), CONSISTENT),
        (divided("441,740", "72", "6,496"), WRONG),
        (divided("1.16M", "72", "16,118"), CONSISTENT),
        (divided("1.16M", "72", "17,000"), WRONG),
        (divided("441,740", "0", "6,496"), WRONG),
        (
            ArithmeticAssertion(
                Term(printed("17"), "nodes"),
                "×",
                Term(printed("4"), "accelerators per node"),
                Term(printed("68"), "accelerators"),
            ),
            CONSISTENT,
        ),
    ],
)
def test_the_claims_own_figures(assertion: ArithmeticAssertion, expected: tuple[str, str]) -> None:
    assert told(check(assertion, bundled_context())) == expected


@given(st.integers(min_value=1000, max_value=10**7), st.integers(min_value=1, max_value=600))
def test_a_correctly_rounded_quotient_is_never_wrong(total: int, count: int) -> None:
    each = str(round(total / count))
    assert told(check(divided(str(total), str(count), each), bundled_context())) == CONSISTENT


def test_the_whole_takes_the_worst_part() -> None:
    context = bundled_context()
    good = value(chosen("6.1", "oss", "Offline", submitters="CoreWeave", hardware="GB300 NVL72"), "1,197,710")
    bad = value(chosen("6.1", "oss", "Offline", submitters="CoreWeave", hardware="GB300 NVL72"), "1,297,710")
    open_ = value(chosen("7.0", "oss", "Offline", submitters="CoreWeave"), "1,197,710")
    assert told(check(CompoundAssertion((good, good)), context)) == ("pass", "all-parts-hold")
    assert told(check(CompoundAssertion((good, open_)), context)) == ("unverifiable", "part-unverifiable")
    failing = check(CompoundAssertion((good, open_, bad)), context)
    assert told(failing) == ("fail", "part-fails")
    assert len(failing.parts) == 3


def test_arithmetic_decides_only_against_a_claim() -> None:
    context = bundled_context()
    open_ = value(chosen("7.0", "oss", "Offline", accelerators=68), "441,740")
    each = value(chosen("7.0", "oss", "Offline", accelerators=68), "6,496", per=Per.ACCELERATOR)
    right, wrong = divided("441,740", "68", "6,496"), divided("441,740", "72", "6,496")
    assert told(check(CompoundAssertion((open_, each), (right,)), context)) == CONSISTENT
    assert told(check(CompoundAssertion((open_, each), (wrong,)), context)) == WRONG


def test_what_was_not_understood_stays_unverifiable() -> None:
    verdict = check(
        Undecidable("not-understood", "A word was not understood.", ("blip",), ("clip",)), bundled_context()
    )
    assert told(verdict) == ("unverifiable", "not-understood")
    assert "blip" in verdict.reason.message
    assert "clip" in verdict.reason.message
