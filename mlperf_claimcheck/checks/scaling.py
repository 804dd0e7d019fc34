"""Scaling efficiency: (large value ÷ small value) ÷ (large count ÷ small count)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlperf_claimcheck.checks.quantity import (
    accepted_units,
    amount_words,
    claimed_of,
    derived_caveat,
    mark_caveats,
    meets,
    without_withdrawn,
)
from mlperf_claimcheck.checks.selection import (
    diagnose_empty,
    evidence_of,
    row_caveats,
    row_words,
    select,
    selection_problem,
)
from mlperf_claimcheck.claims.assertion import Per, ScalingAssertion
from mlperf_claimcheck.metrics.interval import HUNDRED, Interval
from mlperf_claimcheck.metrics.units import written
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Outcome, Reading, Reason, Verdict

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_SHOWN = 8


def _one_family(small: ResultRow, large: ResultRow, assertion: ScalingAssertion) -> bool:
    """Growth is that of one submitter's hardware: an unnamed submitter or system must not differ between the sizes."""
    if small.submitter != large.submitter:
        return False
    named = assertion.small.hardware or assertion.small.result_ids
    return bool(named) or small.accelerator == large.accelerator


def check_scaling(assertion: ScalingAssertion, context: CheckContext) -> Verdict:
    """Judge a scaling efficiency by used accelerators (or nodes). With the unit `x` the factor itself is claimed."""
    amount, unit = assertion.amount, assertion.unit
    claimed = claimed_of(amount, unit)
    sides: list[list[ResultRow]] = []
    for selection in (assertion.small, assertion.large):
        problem = selection_problem(selection, context)
        if problem is not None:
            return problem
        rows = without_withdrawn(select(selection, context), context)
        if not rows:
            return diagnose_empty(selection, context)
        sides.append(rows)
    noun = "nodes" if assertion.by is Per.NODE else "accelerators"
    found = []
    for small in sides[0]:
        for large in sides[1]:
            counts = (getattr(small, noun), getattr(large, noun))
            if (small.model, small.scenario, small.round) != (large.model, large.scenario, large.round):
                continue
            if not _one_family(small, large, assertion):
                continue
            if not all(counts) or set(accepted_units(small, context)).isdisjoint(accepted_units(large, context)):
                continue
            # Of times to train, less is better: the growth is old ÷ new.
            over, under = (small, large) if large.is_time_to_train else (large, small)
            ratio = Interval.published(over.value) / Interval.published(under.value)
            formula = f"{written(over.value)} {over.unit} ÷ {written(under.value)} {under.unit}"
            if unit == "%":
                ratio = ratio / (Interval.exact(counts[1]) / Interval.exact(counts[0])) * HUNDRED
                formula = f"({formula}) ÷ ({counts[1]} ÷ {counts[0]} {noun})"
            found.append((meets(amount, ratio, context), ratio, formula, small, large))
    if not found:
        message = f"No two results of the two sizes share benchmark, scenario and round and state their {noun}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("no-derived-figure", message), claimed=claimed)
    good = [f for f in found if f[0].holds]
    if good and len(good) < len(found):
        readings = tuple(
            Reading(
                f"{row_words(f[3], context)} to {row_words(f[4], context)}",
                Outcome.PASS if f[0].holds else Outcome.FAIL,
                f"{f[2]} = {written(f[1].value, 4)}{unit}",
            )
            for f in found[:_SHOWN]
        )
        listed = "; ".join(f"{r.description}: {r.detail}" for r in readings[:3])
        message = f"Several pairs of results fit and {len(good)} of {len(found)} agree with the claim: {listed}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), claimed=claimed, readings=readings)
    comparison, ratio, formula, small, large = (good or found)[0]
    code = "scaling-matches" if good else "scaling-differs"
    said = "; claimed" if good else ", not"
    message = f"{formula} = {written(ratio.value, 4)}{unit}{said} {amount_words(amount).rstrip('x×%')}{unit}."
    caveats = [*mark_caveats(comparison, ratio.value, amount), derived_caveat(formula)]
    if len(found) > 1:
        caveats.append(Caveat("several-rows-match", f"{len(found)} pairs of results fit; all give this verdict."))
    verdict = Verdict(
        Outcome.PASS if good else Outcome.FAIL,
        Reason(code, message),
        claimed=claimed,
        computed=Computed(float(ratio.value), unit, formula),
        evidence=(evidence_of(large), evidence_of(small, role="baseline")),
    )
    return verdict.with_caveats(
        *caveats, *row_caveats(large, assertion.large, context), *row_caveats(small, assertion.small, context)
    )
