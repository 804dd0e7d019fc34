"""The sum over several systems' figures. A sum is no published result."""

from __future__ import annotations

from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING

from mlperf_claimcheck.checks.quantity import (
    Quantity,
    amount_words,
    claimed_of,
    derived_caveat,
    mark_caveats,
    meets,
    quantities,
    unit_fits,
    unit_problem,
    without_withdrawn,
    wrong_unit,
)
from mlperf_claimcheck.checks.selection import diagnose_empty, row_caveats, select, selection_problem, who
from mlperf_claimcheck.claims.assertion import Per, SumAssertion
from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.units import written
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Outcome, Reading, Reason, Verdict

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_COMBINATIONS = 4096
_SHOWN = 8


def check_sum(assertion: SumAssertion, context: CheckContext) -> Verdict:
    """Judge a sum: every way to take one fitting row for each part has to agree."""
    amount = assertion.amount
    problem = unit_problem(assertion.unit, context)
    if problem is not None or not assertion.parts:
        message = "The claim has no figures to add up."
        return problem or Verdict(Outcome.UNVERIFIABLE, Reason("not-an-assertion", message))
    sides: list[list[Quantity]] = []
    for part in assertion.parts:
        stop = selection_problem(part, context)
        if stop is not None:
            return stop
        rows = without_withdrawn(select(part, context), context)
        if not rows:
            return diagnose_empty(part, context)
        fitting = [row for row in rows if unit_fits(assertion.unit, row, context)]
        if not fitting:
            return wrong_unit(rows, assertion.unit or "", context)
        # The same figure under two accuracy variants is one summand.
        found = {
            (q.row.submitter, q.row.platform, q.value): q
            for q in quantities(fitting, Per.SYSTEM, assertion.unit, context)
        }
        sides.append(list(found.values()))
    units = {q.unit for side in sides for q in side}
    unit = next(iter(units))
    claimed = claimed_of(amount, unit)
    if len(units) > 1 or prod(map(len, sides)) > _COMBINATIONS:
        message = "Too many different results fit the parts of the sum; name submitter, system and scenario of each."
        return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), claimed=claimed)
    judged = []
    for chosen in islice(product(*sides), _COMBINATIONS):
        if len({(q.row.round, q.row.index, q.row.location) for q in chosen}) < len(chosen):
            continue
        total = Interval.exact(0)
        for q in chosen:
            total = total + q.interval
        judged.append((meets(amount, total, context), total, chosen))
    if not judged:
        message = "The parts of the sum are one and the same result."
        return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), claimed=claimed)
    good = [j for j in judged if j[0].holds]
    if good and len(good) < len(judged):
        readings = tuple(
            Reading(
                " + ".join(who(q.row, context) for q in chosen),
                Outcome.PASS if comparison.holds else Outcome.FAIL,
                f"{' + '.join(q.formula for q in chosen)} = {written(total.value)}",
            )
            for comparison, total, chosen in [*good, *(j for j in judged if not j[0].holds)][:_SHOWN]
        )
        message = f"{len(judged)} sums fit the claim and {len(good)} agree with it; name each summand's submitter."
        return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), claimed=claimed, readings=readings)
    number = amount.number.value
    comparison, total, chosen = good[0] if good else min(judged, key=lambda j: abs(j[1].value - number))
    formula = " + ".join(q.formula for q in chosen)
    said = "; claimed" if good else ", not"
    message = f"{formula} = {written(total.value)} {unit}{said} {amount_words(amount)}."
    verdict = Verdict(
        Outcome.PASS if good else Outcome.FAIL,
        Reason("sum-matches" if good else "sum-differs", message),
        claimed=claimed,
        computed=Computed(float(total.value), unit, formula),
        evidence=tuple(q.evidence() for q in chosen[:12]),
    )
    caveats: list[Caveat] = [*mark_caveats(comparison, total.value, amount), derived_caveat(formula)]
    for part, q in zip(assertion.parts, chosen, strict=True):
        caveats += row_caveats(q.row, part, context)
    return verdict.with_caveats(*caveats)
