"""What is special about verdicts on MLPerf Training: how the scores came about, and results that gave none.

Sources: MLPerf Training rules, Benchmark Results, Score scaling and Results Resubmission.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from mlperf_claimcheck.checks.combine import unverifiable
from mlperf_claimcheck.checks.quantity import meets
from mlperf_claimcheck.claims.assertion import (
    ArithmeticAssertion,
    Assertion,
    CompoundAssertion,
    CoverageAssertion,
    Per,
    Selection,
    SuperlativeAssertion,
    SuperlativeKind,
    ValueAssertion,
)
from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.metrics.units import factor
from mlperf_claimcheck.verdicts.model import Caveat, Outcome, Reason, Severity, Verdict
from mlperf_claimcheck.verdicts.text import clean

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext
    from mlperf_claimcheck.results.training import Unscored

_RUN_FOR = re.compile(r"_v(\d+\.\d+)$")
_SHOWN = 4


def with_scores(assertion: Assertion, verdict: Verdict, context: CheckContext) -> Verdict:
    """A verdict with how its times to train were computed; unverifiable if a result without score may decide it."""
    if isinstance(assertion, CompoundAssertion | ArithmeticAssertion):
        return verdict  # Its parts have been here.
    selections = list(_selections(assertion))
    if not any(r in context.results.training for s in selections for r in s.rounds):
        return verdict
    lost = next(iter(_deciding(assertion, selections, verdict, context)), None)
    if lost is not None:
        return unverifiable("result-not-scored", f"A result that may decide the claim gives no score: {lost.message}")
    if verdict.outcome is Outcome.FAIL and isinstance(assertion, ValueAssertion):
        verdict = _explained(assertion, verdict, context)
    return verdict.with_caveats(*_caveats(assertion, verdict, context))


def _explained(value: ValueAssertion, verdict: Verdict, context: CheckContext) -> Verdict:
    """A failed figure with what it is, where it is the mean without the factor, or the time of one run."""
    scale = factor("min", value.unit or "min")
    if value.per is not Per.SYSTEM or scale is None or value.amount.relation is not Relation.EQUAL:
        return verdict

    def is_claimed(minutes: float) -> bool:
        return meets(value.amount, Interval.exact(Decimal(repr(minutes))).scaled(scale), context).holds

    for row in verdict.evidence:
        held = context.results.training.get(row.round)
        score = held.scores.get(row.location) if held is not None else None
        if score is None:
            continue
        told = ""
        if score.factor_file is not None and is_claimed(score.mean):
            told = f"The figure is the mean without the factor {score.factor:g} of {clean(score.factor_file)}."
        else:
            run = next((run for run in score.runs if run.minutes is not None and is_claimed(run.minutes)), None)
            if run is not None:
                place = f"{clean(run.file)}, line {run.stop_line}"
                told = f"The figure is the time of one run ({place}); the result is a mean of several."
        if told:
            return replace(verdict, reason=Reason(verdict.reason.code, f"{verdict.reason.message} {told}"))
    return verdict


def _selections(assertion: Assertion) -> Iterator[Selection]:
    for name in ("selection", "subject", "scope", "baseline", "small", "large"):
        found = getattr(assertion, name, None)
        if isinstance(found, Selection):
            yield found


def _deciding(
    assertion: Assertion, selections: list[Selection], verdict: Verdict, context: CheckContext
) -> Iterator[Unscored]:
    """The results without score that may turn the verdict."""
    if verdict.outcome is Outcome.PASS:
        if isinstance(assertion, CoverageAssertion) and not assertion.negated:
            return
        if isinstance(assertion, ValueAssertion) and not assertion.every and not _needs_all(assertion):
            return
    for selection in selections:
        for round_id in selection.rounds:
            held = context.results.training.get(round_id)
            for result in held.unscored if held is not None else ():
                if selection.models and result.benchmark not in selection.models:
                    continue
                whose = set(context.vocabulary.parties(result.submitter))
                mine = not selection.submitters or not whose.isdisjoint(selection.submitters)
                if _is_ranking(assertion):
                    # A better result that is known stays above, whatever the lost one of somebody else has.
                    mine = verdict.outcome is not Outcome.FAIL or (selection.submitters != () and mine)
                if mine:
                    yield result


def _is_ranking(assertion: Assertion) -> bool:
    return isinstance(assertion, SuperlativeAssertion) and assertion.kind is SuperlativeKind.TOP


def _needs_all(value: ValueAssertion) -> bool:
    """Whether the largest of all results is meant, or a bound that the slowest has to keep."""
    amount = value.amount
    return amount.up_to or amount.relation in (Relation.UP_TO, Relation.OVER, Relation.AT_LEAST)


def _caveats(assertion: Assertion, verdict: Verdict, context: CheckContext) -> Iterator[Caveat]:
    if verdict.outcome is Outcome.UNVERIFIABLE:
        return
    told = 0
    for row in verdict.evidence:
        held = context.results.training.get(row.round)
        score = held.scores.get(row.location) if held is not None else None
        if held is None or score is None or told == _SHOWN:
            continue
        told += 1
        yield Caveat("training-score", f"{clean(row.location)}: {score.formula}.")
        earlier = _RUN_FOR.search(row.platform)
        if earlier is not None and row.round != f"training-v{earlier[1]}":
            text = f"The system {clean(row.platform)} was run for Training v{earlier[1]} and submitted again."
            yield Caveat("resubmitted-result", text, Severity.WARNING)
    if isinstance(assertion, SuperlativeAssertion) and verdict.outcome is Outcome.PASS:
        rounds = [r for s in _selections(assertion) for r in s.rounds if r in context.results.training]
        rows = [row for r in dict.fromkeys(rounds) for row in context.results.by_round(r)]
        submitters = len({row.submitter for row in rows})
        text = f"{len(rows)} results of {submitters} submitters were given; whether they are all is not known."
        yield Caveat("results-given", text, Severity.WARNING)
