"""A figure of some published row: "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mlperf_claimcheck.checks.quantity import (
    Quantity,
    amount_words,
    claimed_of,
    derived_caveat,
    holds,
    mark_caveats,
    quantities,
    underivable,
    unit_fits,
    unit_problem,
    without_withdrawn,
    wrong_unit,
)
from mlperf_claimcheck.checks.selection import (
    diagnose_empty,
    evidence_of,
    round_words,
    row_caveats,
    row_words,
    select,
    selection_problem,
    stated_slots,
    who,
)
from mlperf_claimcheck.claims.assertion import Per, Selection, ValueAssertion
from mlperf_claimcheck.metrics.comparison import Comparison
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.metrics.units import is_power
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Outcome, Reason, Severity, Verdict

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_HINT_SLOTS = ("scenarios", "result_ids", "hardware", "accelerators", "nodes", "availability", "division", "suite")
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class _Matches:
    """Figures of a selection, and those that the claim is true of."""

    all: list[Quantity]
    matching: list[tuple[Quantity, Comparison]]


def check_value(assertion: ValueAssertion, context: CheckContext) -> Verdict:
    """Judge a value claim. Some row of the selection has to have the figure."""
    verdict = _judge(assertion, context)
    unit = verdict.computed.unit if verdict.computed is not None else _unit_words(assertion)
    return replace(verdict, claimed=claimed_of(assertion.amount, unit))


def _unit_words(assertion: ValueAssertion) -> str:
    divisor = {Per.ACCELERATOR: "/accelerator", Per.NODE: "/node", Per.WATT: "/W"}.get(assertion.per, "")
    return f"{assertion.unit or ''}{divisor}"


def _judge(assertion: ValueAssertion, context: CheckContext) -> Verdict:
    selection = assertion.selection
    problem = unit_problem(assertion.unit, context)
    if problem is not None:
        return problem
    if not selection.rounds:
        return _any_round(assertion, context)
    rows: Sequence[ResultRow] = select(selection, context)
    cannot = selection_problem(selection, context)
    if cannot is not None:
        return cannot
    if not rows:
        diagnosis = diagnose_empty(selection, context)
        if diagnosis.outcome is Outcome.FAIL:
            return _owner(assertion, context) or _with_hints(diagnosis, assertion, context)
        return diagnosis
    standing = without_withdrawn(rows, context)
    fitting = [row for row in standing if is_power(assertion.unit) or unit_fits(assertion.unit, row, context)]
    if standing and not fitting:
        return wrong_unit(standing, assertion.unit or "", context)
    found = _match(assertion, fitting, context)
    if not found.matching:
        gone = [row for row in rows if row not in standing]
        if gone and _match(assertion, gone, context).matching:
            message = (
                f"The figure is that of a result that was withdrawn after publication ({row_words(gone[0], context)})."
            )
            verdict = Verdict(Outcome.FAIL, Reason("result-withdrawn", message), evidence=(evidence_of(gone[0]),))
            return verdict.with_caveats(*row_caveats(gone, selection, context))
    if not found.all:
        if is_power(assertion.unit):
            message = f"No fitting result has measured power in {assertion.unit} ({row_words(rows[0], context)})."
            return Verdict(Outcome.UNVERIFIABLE, Reason("power-not-measured", message))
        return underivable(fitting or rows, assertion.per, context)
    if found.matching and len(found.matching) < len(found.all) and _cap(assertion, fitting, context):
        below = row_words(found.matching[0][0].row, context)
        above = next(q for q in found.all if all(q is not m for m, _ in found.matching))
        message = (
            f"Several results fit the claim, some within the bound ({below}), some not "
            f"({row_words(above.row, context)}). Name the number of accelerators or the submitter."
        )
        return Verdict(
            Outcome.UNVERIFIABLE, Reason("ambiguous", message), evidence=tuple(evidence_of(row) for row in fitting[:6])
        )
    if found.matching:
        return _passed(assertion, found, context)
    return _failed(assertion, found, context)


def _cap(assertion: ValueAssertion, rows: Sequence[ResultRow], context: CheckContext) -> bool:
    """Whether the bound says how poor a result is: a smaller system would always prove it, so one row is not enough."""
    lower = bool(rows) and context.vocabulary.lower_is_better(rows[0].unit)
    poor = (Relation.OVER, Relation.AT_LEAST) if lower else (Relation.UNDER, Relation.AT_MOST)
    return assertion.amount.relation in poor


def _match(assertion: ValueAssertion, rows: Sequence[ResultRow], context: CheckContext) -> _Matches:
    """The figures of rows; with "up to" the largest alone can make the claim true."""
    found = quantities(rows, assertion.per, assertion.unit, context)
    amount = assertion.amount
    tried = found
    if found and (amount.relation is Relation.UP_TO or amount.up_to):
        top = max(q.interval.value for q in found)
        tried = [q for q in found if q.interval.value == top]
    judged = [(q, holds(amount, q, context)) for q in tried]
    # A row that rounds to the number proves it better than one that is cut off to it.
    exact = [(q, c) for q, c in judged if c.holds and not set(c.marks) & {"truncated", "finer-than-source"}]
    matching = exact or [(q, c) for q, c in judged if c.holds]
    # An available system proves it better than one that is not on sale.
    matching.sort(key=lambda m: m[0].row.availability != "available")
    return _Matches(found, matching)


def _any_round(assertion: ValueAssertion, context: CheckContext) -> Verdict:
    """No round stated: the value has to stand in exactly one of the rounds held."""
    unstated = diagnose_empty(assertion.selection, context)
    if assertion.amount.relation is not Relation.EQUAL or not assertion.selection.models:
        return unstated
    proven: list[tuple[str, Verdict]] = []
    for round_id in context.results.rounds:
        stated = replace(assertion, selection=replace(assertion.selection, rounds=(round_id,)))
        if select(stated.selection, context):
            verdict = _judge(stated, context)
            if verdict.outcome is Outcome.PASS:
                proven.append((round_id, verdict))
    if len(proven) == 1:
        name = round_words(proven[0][0])
        text = f"The claim states no round; of the rounds held only {name} has the figure."
        return proven[0][1].with_caveats(Caveat("round-inferred", text, Severity.WARNING))
    if proven:
        names = " and ".join(round_words(r) for r, _ in proven)
        message = f"The claim does not say which round it is about, and the figure stands in {names}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("round-not-stated", message))
    return unstated


def _passed(assertion: ValueAssertion, found: _Matches, context: CheckContext) -> Verdict:
    selection, amount = assertion.selection, assertion.amount
    best, comparison = found.matching[0]
    rows = [q.row for q, _ in found.matching]
    if not selection.models:
        models = sorted({context.vocabulary.model_display(row.model) for row in rows})
        if len(models) > 1 or amount.relation is not Relation.EQUAL:
            message = (
                f"The claim does not say which benchmark it is about; it would be true of {', '.join(models[:6])}."
            )
            return Verdict(Outcome.UNVERIFIABLE, Reason("model-not-stated", message))
    message = f"{amount_words(amount, best.unit)}: {best.words(context)}."
    verdict = Verdict(
        Outcome.PASS,
        Reason("value-matches", message),
        computed=Computed(best.value, best.unit, best.formula),
        evidence=tuple(q.evidence() for q, _ in found.matching[:_SHOWN]),
    )
    caveats = mark_caveats(comparison, best.interval.value, amount)
    if best.derived:
        caveats.append(derived_caveat(best.formula))
    if assertion.per is Per.WATT or is_power(assertion.unit):
        caveats.append(Caveat("power-measured", "The power is that measured in the same submission."))
    # What limits a row limits the claim only if no better row proves it too.
    proof = [row for row in rows if row.availability == best.row.availability]
    caveats += row_caveats(proof[:_SHOWN], selection, context)
    if len(found.matching) > 1:
        caveats.append(_several(rows, context))
    caveats += _variant(assertion, found, context)
    return verdict.with_caveats(*caveats)


def _several(rows: Sequence[ResultRow], context: CheckContext) -> Caveat:
    names = list(dict.fromkeys(f"{who(r, context)} {r.model} {r.scenario} ({r.accelerators}x)" for r in rows))
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return Caveat("several-rows-match", f"{len(rows)} published rows prove the claim: {'; '.join(names[:6])}{more}.")


def _variant(assertion: ValueAssertion, found: _Matches, context: CheckContext) -> list[Caveat]:
    """Accuracy variants of one run that differ: which one proves the claim."""
    proving = {q.row.model for q, _ in found.matching}
    systems = {(q.row.submitter, q.row.platform, q.row.scenario, q.row.round) for q, _ in found.matching}
    others = [
        q
        for q in found.all
        if q.row.model not in proving and (q.row.submitter, q.row.platform, q.row.scenario, q.row.round) in systems
    ]
    if not others or len(assertion.selection.models) < 2:
        return []
    other = others[0]
    text = f"Only {', '.join(sorted(proving))} proves it; {other.row.model} has {other.words(context)}."
    return [Caveat("variant-differs", text)]


def _failed(assertion: ValueAssertion, found: _Matches, context: CheckContext) -> Verdict:
    owner = _owner(assertion, context)
    if owner is not None:
        return owner
    number = assertion.amount.number.value
    if assertion.amount.relation is Relation.UP_TO or assertion.amount.up_to:
        order = sorted(found.all, key=lambda q: -q.interval.value)
    else:
        order = sorted(found.all, key=lambda q: abs(q.interval.value - number))
    nearest = order[0]
    claimed = amount_words(assertion.amount, nearest.unit)
    others = f" ({len(found.all)} fitting rows)" if len(found.all) > 1 else ""
    message = f"The claim says {claimed}; the nearest published figure is {nearest.words(context)}{others}."
    verdict = Verdict(
        Outcome.FAIL,
        Reason("value-differs", message),
        computed=Computed(nearest.value, nearest.unit, nearest.formula),
        evidence=tuple(q.evidence("nearest") for q in order[:6]),
    )
    if nearest.derived:
        verdict = verdict.with_caveats(derived_caveat(nearest.formula))
    verdict = verdict.with_caveats(*row_caveats(nearest.row, assertion.selection, context))
    return _with_hints(verdict, assertion, context)


def _elsewhere(assertion: ValueAssertion, selection: Selection, context: CheckContext) -> list[Quantity]:
    rows = [r for r in select(selection, context) if unit_fits(assertion.unit, r, context)]
    return [q for q, _ in _match(assertion, without_withdrawn(rows, context), context).matching]


def _owner(assertion: ValueAssertion, context: CheckContext) -> Verdict | None:
    """The value standing in another submitter's row, whose it is."""
    selection = assertion.selection
    if not selection.submitters or not _telling(assertion):
        return None
    others = _elsewhere(assertion, replace(selection, submitters=()), context)
    if not others:
        return None
    own = " or ".join(context.vocabulary.submitter_display(s) for s in selection.submitters)
    best = others[0]
    mine = quantities(select(selection, context), assertion.per, assertion.unit, context)
    number = assertion.amount.number.value
    mine.sort(key=lambda q: abs(q.interval.value - number))
    has = f"; {own} has {mine[0].words(context)}" if mine else f"; {own} has no such result"
    message = f"The figure is that of {who(best.row, context)}, not of {own}: {best.words(context)}{has}."
    verdict = Verdict(
        Outcome.FAIL,
        Reason("belongs-to-other", message),
        computed=Computed(best.value, best.unit, best.formula),
        evidence=(*(q.evidence("nearest") for q in others[:6]), *(q.evidence() for q in mine[:3])),
    )
    caveats = [derived_caveat(best.formula)] if best.derived else []
    return verdict.with_caveats(*caveats, *row_caveats(best.row, context))


def _telling(assertion: ValueAssertion) -> bool:
    """Whether the number has digits enough to tell one result from another."""
    number = assertion.amount.number
    return assertion.amount.relation is Relation.EQUAL and abs(number.value) >= 100 * number.quantum


def _with_hints(verdict: Verdict, assertion: ValueAssertion, context: CheckContext) -> Verdict:
    """Where the value does stand, if one restriction less finds it."""
    if not _telling(assertion):
        return verdict
    selection = assertion.selection
    tries: list[Selection] = []
    for slot in _HINT_SLOTS:
        if slot in stated_slots(selection):
            if slot == "division":
                tries += [
                    replace(selection, division=d) for d in ("open", "closed") if d != (selection.division or "closed")
                ]
            else:
                empty: Any = () if isinstance(getattr(selection, slot), tuple) else None
                tries.append(replace(selection, **{slot: empty}))
    tries.append(replace(selection, rounds=tuple(r for r in context.results.rounds if r not in selection.rounds)))
    for other in tries:
        found = _elsewhere(assertion, other, context)
        if found:
            hint = f" The figure does stand elsewhere: {found[0].words(context)}"
            hint += f", result {found[0].row.result_id}." if found[0].row.result_id else "."
            return replace(
                verdict,
                reason=Reason(verdict.reason.code, verdict.reason.message + hint),
                evidence=(*verdict.evidence, *(q.evidence("nearest") for q in found[:2])),
            )
    return verdict
