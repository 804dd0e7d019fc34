"""Claims made from published rows: what is true of a row passes, what is true of none does not, whatever the order.

The truth is computed here, with exact fractions and plain loops over the table, not with the code under test.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

from asserting import bundled_context, printed
from hypothesis import given, settings
from hypothesis import strategies as st

from mlperf_claimcheck.checks.dispatch import check
from mlperf_claimcheck.claims.assertion import Amount, ChangeAssertion, ChangeForm, Per, Selection, ValueAssertion
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Outcome

SIX_DIGITS = Fraction(1, 2 * 10**5)
"""Half a unit of the sixth digit is at most this part of a figure."""


@cache
def rows() -> tuple[ResultRow, ...]:
    return tuple(r for r in bundled_context().results.rows if r.value > 0)


@cache
def kinds() -> dict[tuple[str, str, str], list[ResultRow]]:
    found: dict[tuple[str, str, str], list[ResultRow]] = {}
    for row in rows():
        found.setdefault((row.round, row.model, row.scenario), []).append(row)
    return found


@cache
def benchmarks() -> dict[tuple[str, str], list[ResultRow]]:
    found: dict[tuple[str, str], list[ResultRow]] = {}
    for row in rows():
        if row.division == "closed" and not row.heterogeneous and row.accelerators:
            found.setdefault((row.model, row.scenario), []).append(row)
    return {k: v for k, v in found.items() if len(v) > 1}


def parties(row: ResultRow) -> tuple[str, ...]:
    return bundled_context().vocabulary.parties(row.submitter)


def stated(row: ResultRow, *, whose: bool = True, counted: bool = True) -> Selection:
    return Selection(
        rounds=(row.round,),
        division=row.division,
        availability=row.availability,
        submitters=parties(row)[:1] if whose else (),
        models=(row.model,),
        scenarios=(row.scenario,),
        accelerators=row.accelerators if counted else None,
    )


def selected(selection: Selection) -> list[ResultRow]:
    found = []
    for round_id in selection.rounds:
        for model in selection.models:
            for scenario in selection.scenarios:
                found += kinds().get((round_id, model, scenario), [])
    return [
        r
        for r in found
        if r.division == selection.division
        and r.availability == selection.availability
        and (not selection.submitters or set(selection.submitters) & set(parties(r)))
        and (selection.accelerators is None or selection.accelerators in (r.accelerators, r.accelerators_published))
    ]


def figure(row: ResultRow, per: Per) -> Fraction | None:
    value = Fraction(repr(row.value))
    if per is Per.SYSTEM:
        return value
    return value / row.accelerators if row.accelerators and not row.heterogeneous else None


def rounded(value: Fraction, digits: int) -> PrintedNumber:
    place = len(str(int(value))) - 1 if value >= 1 else -1
    while value < 1 and value * 10**-place < 1:
        place -= 1
    quantum = Fraction(10) ** (place - digits + 1)
    return number(int(value / quantum + Fraction(1, 2)) * quantum, quantum)


def number(value: Fraction, quantum: Fraction) -> PrintedNumber:
    from decimal import Decimal

    def exact(x: Fraction) -> Decimal:
        return Decimal(x.numerator) / Decimal(x.denominator)

    return PrintedNumber(exact(value), exact(quantum), str(exact(value)))


def equals(value: Fraction, claimed: PrintedNumber, doubt: Fraction) -> bool | None:
    """Whether a figure is the claimed number; None where the source's own digits leave it open."""
    n, q = Fraction(str(claimed.value)), Fraction(str(claimed.quantum))
    if abs(value - n) <= q / 2 or (0 <= value - n < q and value - n <= n / 5):
        return True
    if abs(value - n) <= q / 2 + doubt or abs(value - n - q) <= doubt:
        return None
    return False


PLACE = st.integers(min_value=0, max_value=10**6)
DIVISORS = st.sampled_from([Per.SYSTEM, Per.ACCELERATOR])


@settings(max_examples=300, deadline=None)
@given(PLACE, DIVISORS, st.integers(1, 8), st.booleans(), st.booleans())
def test_a_claim_made_from_a_row_passes(place: int, per: Per, digits: int, whose: bool, counted: bool) -> None:
    row = rows()[place % len(rows())]
    value = figure(row, per)
    if value is None:
        return
    assertion = ValueAssertion(stated(row, whose=whose, counted=counted), Amount(rounded(value, digits)), row.unit, per)
    verdict = check(assertion, bundled_context())
    assert verdict.outcome is Outcome.PASS, verdict.reason.message
    assert verdict.evidence


@settings(max_examples=400, deadline=None)
@given(PLACE, DIVISORS, st.integers(2, 6), st.integers(-40, 40), st.booleans(), st.booleans())
def test_a_number_that_no_row_has_fails(
    place: int, per: Per, digits: int, units: int, whose: bool, counted: bool
) -> None:
    row = rows()[place % len(rows())]
    value = figure(row, per)
    if value is None:
        return
    near = rounded(value, digits)
    moved = number(Fraction(str(near.value + units * near.quantum)), Fraction(str(near.quantum)))
    if moved.value <= 0:
        return
    selection = stated(row, whose=whose, counted=counted)
    found = [f for f in (figure(r, per) for r in selected(selection) if r.unit == row.unit) if f is not None]
    truths = [equals(f, moved, f * SIX_DIGITS) for f in found]
    verdict = check(ValueAssertion(selection, Amount(moved), row.unit, per), bundled_context())
    if True in truths:
        assert verdict.outcome is Outcome.PASS, verdict.reason.message
    elif None not in truths:
        assert verdict.outcome is Outcome.FAIL, verdict.reason.message


@settings(max_examples=300, deadline=None)
@given(PLACE, PLACE, DIVISORS, st.sampled_from(["scenarios", "submitters", "rounds", "accelerators"]))
def test_another_scenario_submitter_round_or_size_without_the_value_never_passes(
    place: int, other: int, per: Per, slot: str
) -> None:
    row, elsewhere = rows()[place % len(rows())], rows()[other % len(rows())]
    value = figure(row, per)
    if value is None:
        return
    changed = {
        "scenarios": (elsewhere.scenario,),
        "submitters": parties(elsewhere)[:1],
        "rounds": (elsewhere.round,),
        "accelerators": elsewhere.accelerators,
    }
    selection = replace(stated(row), **{slot: changed[slot]})
    claimed = rounded(value, 5)
    found = [f for f in (figure(r, per) for r in selected(selection)) if f is not None]
    verdict = check(ValueAssertion(selection, Amount(claimed), row.unit, per), bundled_context())
    if all(equals(f, claimed, f * SIX_DIGITS) is False for f in found):
        assert verdict.outcome is not Outcome.PASS, verdict.reason.message


@settings(max_examples=200, deadline=None)
@given(PLACE, st.sampled_from([Relation.OVER, Relation.AT_LEAST, Relation.UNDER, Relation.AT_MOST]), st.integers(1, 4))
def test_bounds_are_strict_and_inclusive_as_their_words(place: int, relation: Relation, digits: int) -> None:
    row = rows()[place % len(rows())]
    claimed = rounded(figure(row, Per.SYSTEM) or Fraction(1), digits)
    n = Fraction(str(claimed.value))
    selection = stated(row)
    found = [Fraction(repr(r.value)) for r in selected(selection) if r.unit == row.unit]
    truth = {
        Relation.OVER: [f > n for f in found],
        Relation.AT_LEAST: [f >= n for f in found],
        Relation.UNDER: [f < n for f in found],
        Relation.AT_MOST: [f <= n for f in found],
    }[relation]
    verdict = check(ValueAssertion(selection, Amount(claimed, relation), row.unit), bundled_context())
    if all(truth):
        assert verdict.outcome is Outcome.PASS, verdict.reason.message
    elif not any(truth):
        assert verdict.outcome is Outcome.FAIL, verdict.reason.message
    else:
        assert verdict.outcome in (Outcome.PASS, Outcome.UNVERIFIABLE)


@cache
def shuffled() -> object:
    from mlperf_claimcheck.results.table import ResultsTable

    context = bundled_context()
    table = context.results
    rng = random.Random(7)
    by_round = {r: rng.sample(table.by_round(r), len(table.by_round(r))) for r in table.rounds}
    return replace(context, results=ResultsTable(by_round, table.sources))


@settings(max_examples=150, deadline=None)
@given(PLACE, DIVISORS, st.integers(2, 6), st.integers(-3, 3), st.booleans())
def test_the_order_of_rows_changes_nothing(place: int, per: Per, digits: int, units: int, whose: bool) -> None:
    row = rows()[place % len(rows())]
    value = figure(row, per)
    if value is None:
        return
    near = rounded(value, digits)
    claimed = replace(near, value=near.value + units * near.quantum)
    selection = stated(row, whose=whose, counted=False)
    for assertion in (
        ValueAssertion(selection, Amount(claimed), row.unit, per),
        ValueAssertion(selection, Amount(claimed, Relation.OVER), row.unit, per),
        ValueAssertion(selection, Amount(claimed, Relation.UP_TO), row.unit, per),
    ):
        one, other = check(assertion, bundled_context()), check(assertion, shuffled())  # type: ignore[arg-type]
        assert (one.outcome, one.reason.code) == (other.outcome, other.reason.code)
        if one.computed is not None and other.computed is not None:
            assert one.computed.value == other.computed.value


@settings(max_examples=400, deadline=None)
@given(PLACE, PLACE, PLACE, DIVISORS, st.integers(2, 4), st.integers(-5, 5), st.booleans())
def test_a_ratio_of_two_rows(kind: int, one: int, other: int, per: Per, digits: int, units: int, whose: bool) -> None:
    groups = list(benchmarks().values())
    group = groups[kind % len(groups)]
    new, old = group[one % len(group)], group[other % len(group)]
    if set(new.suite.split(",")).isdisjoint(old.suite.split(",")) or new.unit != old.unit:
        return
    lower = bundled_context().vocabulary.lower_is_better(new.unit)
    subject, baseline = stated(new, whose=whose), stated(old, whose=whose)

    def ratio(a: ResultRow, b: ResultRow) -> Fraction:
        x, y = figure(a, per), figure(b, per)
        assert x is not None
        assert y is not None
        return y / x if lower else x / y

    near = rounded(ratio(new, old), digits)
    claimed = replace(near, value=near.value + units * near.quantum)
    if claimed.value <= 0:
        return
    fitting = [
        (a, b)
        for a in selected(subject)
        for b in selected(baseline)
        if (a.round, a.index) != (b.round, b.index)
        and a.unit == b.unit
        and not set(a.suite.split(",")).isdisjoint(b.suite.split(","))
        and figure(a, per) is not None
        and figure(b, per) is not None
    ]
    truths = [equals(ratio(a, b), claimed, 2 * ratio(a, b) * SIX_DIGITS) for a, b in fitting]
    slots = frozenset({"rounds", "submitters", "accelerators", "availability", "division"})
    assertion = ChangeAssertion(subject, baseline, ChangeForm.RATIO, Amount(claimed), per, baseline_stated=slots)
    verdict = check(assertion, bundled_context())
    if verdict.reason.code in ("incomparable-rounds", "name-not-in-round"):
        assert verdict.outcome is not Outcome.PASS
    elif truths and all(t is True for t in truths):
        assert verdict.outcome is Outcome.PASS, verdict.reason.message
    elif all(t is False for t in truths):
        assert verdict.outcome is not Outcome.PASS, verdict.reason.message
        assert not truths or verdict.outcome is Outcome.FAIL
    elif None not in truths and whose:
        assert verdict.outcome is Outcome.UNVERIFIABLE, verdict.reason.message


def test_precision_is_read_from_the_digits() -> None:
    assert (printed("53.4k").value, printed("53.4k").quantum) == (53400, 100)
