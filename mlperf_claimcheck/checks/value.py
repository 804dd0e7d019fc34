"""A figure of some published row: "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mlperf_claimcheck.checks.quantity import (
    Figures,
    Quantity,
    amount_words,
    claimed_of,
    derived_caveat,
    figures_of,
    figures_of_round,
    found_words,
    holds,
    mark_caveats,
    place_words,
    quantity_of,
    reach_of,
    relation_words,
    underivable,
    unit_fits,
    unit_problem,
    unit_words,
    without_withdrawn,
    wrong_unit,
)
from mlperf_claimcheck.checks.selection import (
    benchmark_of,
    diagnose_empty,
    evidence_of,
    misfits,
    round_words,
    row_caveats,
    row_words,
    select,
    selection_problem,
    who,
    with_round_of_ids,
    withdrawn_officially,
)
from mlperf_claimcheck.claims.assertion import Per, ValueAssertion
from mlperf_claimcheck.metrics.comparison import Comparison
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.metrics.units import is_power, written
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Evidence, Outcome, Reason, Severity, Verdict

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_SHOWN = 8
_NEAREST = 6
_TRIED = 400
"""Figures elsewhere that are looked into before a hint is given up."""
_HINTS = (
    "result_ids",
    "scenarios",
    "accelerators",
    "nodes",
    "availability",
    "hardware",
    "machines",
    "division",
    "suite",
    "models",
    "data_type",
    "rounds",
    "submitters",
)
"""Which single difference of a row that has the figure is told first."""
_EXCESSIVE = frozenset({Relation.OVER, Relation.AT_LEAST})
_WITHIN = frozenset({Relation.UNDER, Relation.AT_MOST})


@dataclass(frozen=True, slots=True)
class _Match:
    """A figure that the claim is true of."""

    quantity: Quantity
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class _Matches:
    """The figures that the claim is true of, the best proof first; `count` says how many rows there are in all."""

    shown: tuple[_Match, ...] = ()
    count: int = 0
    withdrawn: tuple[ResultRow, ...] = ()
    """Rows that would prove the claim and were withdrawn by MLCommons."""


def check_value(assertion: ValueAssertion, context: CheckContext) -> Verdict:
    """Judge a value claim. Some row of the selection has to have the figure."""
    selection = with_round_of_ids(assertion.selection)
    if selection is not assertion.selection:
        assertion = replace(assertion, selection=selection)
    verdict = _judge(assertion, context)
    unit = verdict.computed.unit if verdict.computed is not None else _claimed_unit(assertion)
    return verdict.changed(claimed=claimed_of(assertion.amount, unit))


def _claimed_unit(assertion: ValueAssertion) -> str:
    divisor = {Per.ACCELERATOR: "/accelerator", Per.NODE: "/node", Per.WATT: "/W"}.get(assertion.per, "")
    return f"{assertion.unit or ''}{divisor}"


def _judge(assertion: ValueAssertion, context: CheckContext) -> Verdict:
    selection = assertion.selection
    problem = unit_problem(assertion.unit, context)
    if problem is not None:
        return problem
    if not selection.rounds:
        if assertion.every:
            message = "The claim speaks of every result and states no round."
            return Verdict(Outcome.UNVERIFIABLE, Reason("round-not-stated", message))
        return _any_round(assertion, context)
    cannot = selection_problem(selection, context)
    if cannot is not None:
        return cannot
    if assertion.every:
        return _every(assertion, context)
    figures = figures_of(selection, assertion.per, assertion.unit, context)
    if not len(figures):
        diagnosis = diagnose_empty(selection, context)
        if diagnosis.outcome is Outcome.FAIL:
            return _elsewhere(assertion, diagnosis, None, context)
        return diagnosis
    found = _match(assertion, figures, context)
    if found.shown:
        return _beyond_cap(assertion, figures, context) or _passed(assertion, found, context)
    if found.withdrawn:
        return _withdrawn(assertion, found, context)
    if not figures.rows:
        if figures.unfit and not figures.bare:
            return _wrong_unit(assertion, figures.unfit, context)
        if is_power(assertion.unit):
            words = row_words(figures.bare[0], context)
            message = f"No fitting result has measured power in {assertion.unit} ({words})."
            evidence = tuple(evidence_of(row) for row in figures.bare[:_NEAREST])
            return Verdict(Outcome.UNVERIFIABLE, Reason("power-not-measured", message), evidence=evidence)
        return underivable(figures.bare, assertion.per, context)
    mistaken = _same_number(assertion, figures.unfit, context)
    if mistaken:
        return _wrong_unit(assertion, mistaken, context)
    return _failed(assertion, figures, context)


# --- which figures prove the claim ------------------------------------------------------------------------------------


def _every(assertion: ValueAssertion, context: CheckContext) -> Verdict:
    """All rows of the selection have to meet the amount; one that cannot be compared leaves the claim open."""
    rows = without_withdrawn(select(assertion.selection, context), context)
    if not rows:
        return diagnose_empty(assertion.selection, context)
    judged = []
    for row in rows:
        quantity = quantity_of(row, assertion.per, assertion.unit, context)
        if quantity is not None and unit_fits(assertion.unit, row, context):
            judged.append((quantity, holds(assertion.amount, quantity, context)))
    poor = [quantity for quantity, comparison in judged if not comparison.holds]
    said = (
        f"{amount_words(assertion.amount)} {unit_words(assertion.unit)}"
        if assertion.unit
        else amount_words(assertion.amount)
    )
    if poor:
        told = "; ".join(q.words(context) for q in poor[:3])
        message = f"{len(poor)} of {len(rows)} results are not {said}: {told}."
        worst = poor[0]
        verdict = Verdict(
            Outcome.FAIL,
            Reason("value-differs", message),
            computed=Computed(worst.value, worst.unit, worst.formula),
            evidence=tuple(q.evidence("above") for q in poor[:_SHOWN]),
        )
        return verdict.with_caveats(*row_caveats([q.row for q in poor[:_SHOWN]], assertion.selection, context))
    if len(judged) < len(rows):
        message = f"{len(rows) - len(judged)} of {len(rows)} results have no figure that could be compared with {said}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("no-derived-figure", message))
    lowest = min((quantity for quantity, _ in judged), key=lambda q: q.value)
    message = f"All {len(rows)} results are {said}; the lowest is {lowest.words(context)}."
    verdict = Verdict(
        Outcome.PASS,
        Reason("value-matches", message),
        computed=Computed(lowest.value, lowest.unit, lowest.formula),
        evidence=tuple(quantity.evidence() for quantity, _ in judged[:_SHOWN]),
    )
    return verdict.with_caveats(*row_caveats([quantity.row for quantity, _ in judged], assertion.selection, context))


def _match(assertion: ValueAssertion, figures: Figures, context: CheckContext) -> _Matches:
    """The figures that make the claim true; with "up to" the largest alone can."""
    amount = assertion.amount
    low, high = reach_of(amount, context)
    places: Iterable[int] = figures.window(low, high)
    if amount.relation is Relation.UP_TO or amount.up_to:
        places = _largest(figures, context)
    elif amount.relation in _EXCESSIVE:
        places = reversed(figures.window(low, high))
    elif amount.relation not in _WITHIN:
        number = float(amount.number.value)
        places = sorted(figures.window(low, high), key=lambda i: (abs(figures.values[i] - number), i))
    good: list[_Match] = []
    gone: list[ResultRow] = []
    count = 0
    for place in places:
        row = figures.rows[place]
        # The rest need only be counted once the best ones are there.
        if len(good) >= 4 * _SHOWN:
            count += 1
            continue
        quantity = quantity_of(row, assertion.per, assertion.unit, context)
        if quantity is None:
            continue
        comparison = holds(amount, quantity, context)
        if not comparison.holds:
            continue
        if withdrawn_officially(row, context):
            gone.append(row)
            continue
        count += 1
        good.append(_Match(quantity, comparison))
    # A row that rounds to the number proves it better than one that is cut off to it, and an available system better
    # than one that is not on sale.
    exact = [m for m in good if not _doubtful(m.comparison)]
    if exact and len(exact) < len(good):
        count -= len(good) - len(exact)
        good = exact
    good.sort(key=lambda m: m.quantity.row.availability != "available")
    return _Matches(tuple(good), count, tuple(gone))


def _beyond_cap(assertion: ValueAssertion, figures: Figures, context: CheckContext) -> Verdict | None:
    """A bound that says how poor a result is: a smaller system would always prove it, so one row is not enough."""
    if is_power(assertion.unit):
        return None
    lower = context.vocabulary.lower_is_better(figures.rows[0].unit)
    if assertion.amount.relation not in (_EXCESSIVE if lower else _WITHIN):
        return None
    low, high = reach_of(assertion.amount, context)
    inside = figures.window(low, high)
    beyond = 0 if lower else len(figures.rows) - 1
    worst = quantity_of(figures.rows[beyond], assertion.per, assertion.unit, context)
    if worst is None or holds(assertion.amount, worst, context).holds:
        return None
    within = figures.rows[inside[0] if not lower else inside[-1]]
    message = (
        f"Several results fit the claim, some within the bound ({row_words(within, context)}), some not "
        f"({row_words(worst.row, context)}). Name the number of accelerators or the submitter."
    )
    evidence = (evidence_of(within), worst.evidence())
    return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), evidence=evidence)


def _doubtful(comparison: Comparison) -> bool:
    return "truncated" in comparison.marks or "finer-than-source" in comparison.marks


def _largest(figures: Figures, context: CheckContext) -> list[int]:
    """Places of the largest figure that was not withdrawn."""
    top: float | None = None
    found = []
    for place in range(len(figures.values) - 1, -1, -1):
        value = figures.values[place]
        if top is not None and value < top * (1 - 1e-12):
            break
        if not withdrawn_officially(figures.rows[place], context):
            top = value if top is None else top
        found.append(place)
    return found


def _telling(assertion: ValueAssertion) -> bool:
    """Whether the number has digits enough to tell one result from another."""
    amount = assertion.amount
    exact = amount.relation in (Relation.EQUAL, Relation.UP_TO) and amount.tolerance is None
    return exact and abs(amount.number.value) >= 100 * amount.number.quantum


# --- verdicts ---------------------------------------------------------------------------------------------------------


def _any_round(assertion: ValueAssertion, context: CheckContext) -> Verdict:
    """No round stated: the value has to stand in exactly one of the rounds held."""
    unstated = diagnose_empty(assertion.selection, context)
    if not assertion.selection.models or not _telling(assertion):
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
    best, comparison = found.shown[0].quantity, found.shown[0].comparison
    rows = [m.quantity.row for m in found.shown]
    if not selection.models:
        models = sorted({context.vocabulary.model_display(row.model) for row in rows})
        if len({benchmark_of(row.model) for row in rows}) > 1 or not _telling(assertion):
            message = f"The claim does not say which benchmark it is about; it is true of {', '.join(models[:6])}."
            return Verdict(Outcome.UNVERIFIABLE, Reason("model-not-stated", message))
    largest = ""
    if amount.relation is Relation.UP_TO or amount.up_to:
        largest = ", the largest of the fitting figures"
    elif amount.relation in _EXCESSIVE and found.count > 1:
        largest = f", the largest of {found.count} that prove it"
    message = (
        f"{found_words(best, context)}{largest}, {relation_words(amount, comparison)} "
        f"({place_words(best.row, context)})."
    )
    verdict = Verdict(
        Outcome.PASS,
        Reason("value-matches", message),
        computed=Computed(best.value, best.unit, best.formula),
        evidence=tuple(m.quantity.evidence() for m in found.shown[:_SHOWN]),
    )
    caveats = mark_caveats(comparison, best.interval.value, amount)
    if best.derived:
        caveats.append(derived_caveat(best.formula))
    if assertion.per is Per.WATT or is_power(assertion.unit):
        caveats.append(Caveat("power-measured", "The power is that measured in the same submission."))
    # What limits a row limits the claim only if no better row proves it too.
    proof = [row for row in rows if row.availability == best.row.availability]
    caveats += row_caveats(proof[:_SHOWN], selection, context)
    if found.count > 1:
        caveats.append(_several(rows, found.count, context))
    caveats += _variant(assertion, found, context)
    return verdict.with_caveats(*caveats)


def _several(rows: Sequence[ResultRow], count: int, context: CheckContext) -> Caveat:
    names = list(
        dict.fromkeys(f"{who(r, context)} {r.model} {r.scenario} ({r.accelerators or 'no'} accelerators)" for r in rows)
    )
    more = " …" if len(names) > _SHOWN or count > len(rows) else ""
    return Caveat("several-rows-match", f"{count} published rows prove the claim: {'; '.join(names[:_SHOWN])}{more}.")


def _variant(assertion: ValueAssertion, found: _Matches, context: CheckContext) -> list[Caveat]:
    """Accuracy variants of one run that differ: which one proves the claim."""
    if len(assertion.selection.models) < 2:
        return []
    proving = {m.quantity.row.model for m in found.shown}
    for match in found.shown[:_SHOWN]:
        row = match.quantity.row
        for other in select(replace(assertion.selection, scenarios=(row.scenario,)), context):
            same_run = (other.round, other.submitter, other.platform) == (row.round, row.submitter, row.platform)
            if same_run and other.model not in proving and benchmark_of(other.model) == benchmark_of(row.model):
                text = (
                    f"Only {', '.join(sorted(proving))} proves it; {other.model} of the same system has "
                    f"{written(other.value)} {other.unit}."
                )
                return [Caveat("variant-differs", text, Severity.WARNING)]
    return []


def _withdrawn(assertion: ValueAssertion, found: _Matches, context: CheckContext) -> Verdict:
    row = found.withdrawn[0]
    message = f"The figure is that of a result that was withdrawn after publication ({row_words(row, context)})."
    evidence = tuple(evidence_of(r) for r in found.withdrawn[:_SHOWN])
    verdict = Verdict(Outcome.FAIL, Reason("result-withdrawn", message), evidence=evidence)
    return verdict.with_caveats(*row_caveats(found.withdrawn[:_SHOWN], assertion.selection, context))


def _same_number(assertion: ValueAssertion, rows: Sequence[ResultRow], context: CheckContext) -> list[ResultRow]:
    """Rows that have the claimed number in another unit."""
    if not _telling(assertion) or is_power(assertion.unit):
        return []
    found = []
    for row in rows[:_TRIED]:
        quantity = quantity_of(row, assertion.per, None, context)
        if quantity is not None and holds(assertion.amount, quantity, context).holds:
            found.append(row)
    return found


def _wrong_unit(assertion: ValueAssertion, rows: Sequence[ResultRow], context: CheckContext) -> Verdict:
    verdict = wrong_unit(rows, assertion.unit or "", context)
    if verdict.outcome is not Outcome.FAIL:
        return verdict
    same = _same_number(assertion, rows, context)
    if not same:
        return verdict
    quantity = quantity_of(same[0], assertion.per, None, context)
    assert quantity is not None
    words = f"{found_words(quantity, context)} ({place_words(same[0], context)})."
    return replace(
        verdict,
        reason=Reason("wrong-unit", f"{verdict.reason.message} {words}"),
        computed=Computed(quantity.value, quantity.unit, quantity.formula),
        evidence=(quantity.evidence("nearest"), *(e for e in verdict.evidence if e != quantity.evidence())),
    )


def _failed(assertion: ValueAssertion, figures: Figures, context: CheckContext) -> Verdict:
    amount = assertion.amount
    if amount.relation is Relation.UP_TO or amount.up_to or amount.relation in _EXCESSIVE:
        places: Iterable[int] = range(len(figures.rows) - 1, -1, -1)
        which = "largest fitting"
    elif amount.relation in _WITHIN:
        places, which = range(len(figures.rows)), "smallest fitting"
    else:
        places, which = figures.around(float(amount.number.value)), "nearest"
    order: list[Quantity] = []
    for place in places:
        row = figures.rows[place]
        quantity = quantity_of(row, assertion.per, assertion.unit, context)
        if quantity is not None and not withdrawn_officially(row, context):
            order.append(quantity)
        if len(order) >= _NEAREST:
            break
    if not order:
        message = f"The only fitting result was withdrawn after publication ({row_words(figures.rows[0], context)})."
        evidence = (evidence_of(figures.rows[0], role="nearest"),)
        return Verdict(Outcome.FAIL, Reason("result-withdrawn", message), evidence=evidence)
    nearest = order[0]
    claimed = amount_words(amount, unit_words(nearest.unit))
    others = f", the {which} of {len(figures.rows)} figures" if len(figures.rows) > 1 else ""
    message = (
        f"The claim says {claimed}; {found_words(nearest, context)}{others} ({place_words(nearest.row, context)})."
    )
    verdict = Verdict(
        Outcome.FAIL,
        Reason("value-differs", message),
        computed=Computed(nearest.value, nearest.unit, nearest.formula),
        evidence=tuple(q.evidence("nearest") for q in order),
    )
    if nearest.derived:
        verdict = verdict.with_caveats(derived_caveat(nearest.formula))
    verdict = verdict.with_caveats(*row_caveats(nearest.row, assertion.selection, context))
    return _elsewhere(assertion, verdict, figures, context)


# --- where the number does stand --------------------------------------------------------------------------------------


def _elsewhere(assertion: ValueAssertion, verdict: Verdict, figures: Figures | None, context: CheckContext) -> Verdict:
    """The failed verdict with where the number does stand; `belongs-to-other` if only the submitter is another."""
    if not _telling(assertion):
        return verdict
    if figures is not None:
        hint = _other_divisor(assertion, figures, context)
        if hint is not None:
            return _hinted(verdict, *hint)
    standing = _rows_with(assertion, context)
    owners = [q for q, wrong in standing if wrong == {"submitters"}]
    if owners:
        return _belongs_to_other(assertion, owners, verdict, context)
    for slot in _HINTS:
        found = [q for q, wrong in standing if wrong == {slot}]
        if found:
            best = found[0]
            id_words = f", result {best.row.result_id}" if best.row.result_id else ""
            words = f"{found_words(best, context)} ({place_words(best.row, context)}{id_words})"
            return _hinted(verdict, f"The number does stand elsewhere: {words}.", found[:2])
    return verdict


def _hinted(verdict: Verdict, hint: str, found: Sequence[Quantity]) -> Verdict:
    evidence = dict.fromkeys((*verdict.evidence, *(q.evidence("nearest") for q in found)))
    reason = Reason(verdict.reason.code, f"{verdict.reason.message} {hint}")
    return replace(verdict, reason=reason, evidence=tuple(evidence))


def _other_divisor(
    assertion: ValueAssertion, figures: Figures, context: CheckContext
) -> tuple[str, list[Quantity]] | None:
    """The number is right by another divisor: a system's figure given for one accelerator, or the other way round."""
    if is_power(assertion.unit) or assertion.per is Per.WATT:
        return None
    said = {Per.SYSTEM: "of a whole system", Per.ACCELERATOR: "per accelerator", Per.NODE: "per node"}
    for per in (Per.SYSTEM, Per.ACCELERATOR, Per.NODE):
        if per is assertion.per:
            continue
        other = figures_of(assertion.selection, per, assertion.unit, context)
        found = _match(replace(assertion, per=per), other, context)
        if found.shown:
            best = found.shown[0].quantity
            text = f"The number is the figure {said[per]}, not {said[assertion.per]}: {found_words(best, context)}."
            return text, [best]
    return None


def _rows_with(assertion: ValueAssertion, context: CheckContext) -> list[tuple[Quantity, frozenset[str]]]:
    """All rows held that have the number, with the slots of the claim that they do not satisfy."""
    found: list[tuple[Quantity, frozenset[str]]] = []
    low, high = reach_of(assertion.amount, context)
    number = float(assertion.amount.number.value)
    own = assertion.selection.rounds
    for round_id in (*own, *(r for r in context.results.rounds if r not in own)):
        figures = figures_of_round(round_id, assertion.per, context)
        window = figures.window(low, high)
        places = sorted(window, key=lambda i: abs(figures.values[i] - number)) if len(window) > _TRIED else window
        for place in places[:_TRIED]:
            row = figures.rows[place]
            wrong = misfits(row, assertion.selection, context)
            if len(wrong) > 1 or not unit_fits(assertion.unit, row, context) or withdrawn_officially(row, context):
                continue
            quantity = quantity_of(row, assertion.per, assertion.unit, context)
            if quantity is not None and holds(assertion.amount, quantity, context).holds:
                found.append((quantity, wrong))
    return found


def _belongs_to_other(
    assertion: ValueAssertion, owners: list[Quantity], failed: Verdict, context: CheckContext
) -> Verdict:
    selection = assertion.selection
    own = " or ".join(context.vocabulary.submitter_display(s) for s in selection.submitters)
    owners.sort(key=lambda q: q.row.availability != "available")
    best = owners[0]
    mine: tuple[Evidence, ...] = ()
    if failed.computed is not None and failed.computed.value is not None:
        mine = tuple(replace(e, role="subject") for e in failed.evidence[:3])
        has = f"; {own} has {written(failed.computed.value)} {unit_words(failed.computed.unit)}"
    else:
        has = f"; {own} has no such result"
    names = list(dict.fromkeys(who(q.row, context) for q in owners))
    whose = " and ".join(names[:3]) + (" and others" if len(names) > 3 else "")
    message = (
        f"The figure is that of {whose}, not of {own}: {found_words(best, context)} "
        f"({place_words(best.row, context)}){has}."
    )
    verdict = Verdict(
        Outcome.FAIL,
        Reason("belongs-to-other", message),
        computed=Computed(best.value, best.unit, best.formula),
        evidence=(*(q.evidence("nearest") for q in owners[:_NEAREST]), *mine),
    )
    caveats = [derived_caveat(best.formula)] if best.derived else []
    return verdict.with_caveats(*caveats, *row_caveats(best.row, context))
