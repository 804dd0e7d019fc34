"""A ratio between two selections: "17% higher than in v6.0", "2.57x GB300 NVL72", "outperforms B200".

Every fitting subject row is set against every fitting baseline row. Pairs of one submitter and of equally large
systems come first where the claim leaves those open. All of them agree: that is the verdict; else the claim is
ambiguous, unless its words ask for the best of each side or for the largest ratio ("up to"). A pair beyond the first
ones that alone would make the claim true makes it ambiguous, not false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mlperf_claimcheck.checks.quantity import (
    Quantity,
    accepted_units,
    amount_words,
    claimed_of,
    derived_caveat,
    holds,
    mark_caveats,
    meets,
    quantities,
    quantity_of,
    underivable,
    unit_fits,
    unit_problem,
    without_withdrawn,
    wrong_unit,
)
from mlperf_claimcheck.checks.selection import (
    benchmark_of,
    data_types,
    describe,
    diagnose_empty,
    evidence_of,
    round_words,
    row_caveats,
    row_words,
    select,
    selection_problem,
    suites_of,
    who,
    with_round_of_ids,
)
from mlperf_claimcheck.claims.assertion import Amount, ChangeAssertion, ChangeForm, Per, Selection, ValueAssertion
from mlperf_claimcheck.metrics.comparison import Comparison
from mlperf_claimcheck.metrics.interval import HUNDRED, ONE, Interval
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.metrics.units import written
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Evidence, Outcome, Reading, Reason, Severity, Verdict
from mlperf_claimcheck.vocabulary.compatibility import comparable

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_SHOWN = 8
_MOST_PAIRS = 20_000
"""More fitting pairs than this say that the claim leaves open what it compares."""
_GRAVE = frozenset(
    {"division-differs", "availability-differs", "variant-differs", "scenario-differs", "power-run-differs"}
)
_SPEED_FORMS = frozenset({ChangeForm.RATIO, ChangeForm.GAIN, ChangeForm.DIRECTION})
"""Forms that speak of performance: for latencies they are old ÷ new."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """One subject row against one baseline row."""

    subject: Quantity
    baseline: Quantity
    ratio: Interval
    """Subject ÷ baseline, or the other way round for a speed-up of a latency."""
    inverted: bool
    figure: Interval
    """The ratio in the claim's own form: `x` or percent."""
    comparison: Comparison

    @property
    def holds(self) -> bool:
        """Whether the claim is true of this pair."""
        return self.comparison.holds

    @property
    def formula(self) -> str:
        """The division written out."""
        first, second = (self.baseline, self.subject) if self.inverted else (self.subject, self.baseline)
        return f"{_operand(first)} ÷ {_operand(second)}"


def _operand(quantity: Quantity) -> str:
    return f"({quantity.formula})" if quantity.derived else quantity.formula


def check_change(assertion: ChangeAssertion, context: CheckContext) -> Verdict:
    """Judge a change."""
    assertion = replace(
        assertion,
        subject=with_round_of_ids(assertion.subject),
        baseline=with_round_of_ids(assertion.baseline),
    )
    verdict = _readings(assertion, context)
    if assertion.higher_wording and verdict.outcome is not Outcome.UNVERIFIABLE:
        verdict = verdict.with_caveats(Caveat("x-higher-wording", "“x higher” was read as the ratio new ÷ old."))
    if assertion.amount is None:
        return verdict
    return replace(verdict, claimed=claimed_of(assertion.amount, _unit(assertion)))


def _unit(assertion: ChangeAssertion) -> str:
    return "x" if assertion.form in (ChangeForm.RATIO, ChangeForm.DIRECTION) else "%"


def _readings(assertion: ChangeAssertion, context: CheckContext) -> Verdict:
    """Whole systems are compared if the claim names no divisor; if only the accelerators' figures agree: ambiguous."""
    verdict = _judge(assertion, context)
    if assertion.per is not None or verdict.reason.code not in ("ratio-differs", "direction-holds", "direction-wrong"):
        return verdict
    each = _judge(replace(assertion, per=Per.ACCELERATOR), context)
    direction = assertion.form is ChangeForm.DIRECTION
    if each.outcome is Outcome.UNVERIFIABLE or each.outcome is verdict.outcome:
        return verdict
    if each.outcome is Outcome.FAIL and not direction:
        return verdict
    message = (
        f"The claim does not say whether it compares whole systems or single accelerators, and the two differ. Whole "
        f"systems: {verdict.reason.message} Per accelerator: {each.reason.message}"
    )
    readings = (
        Reading("whole systems", verdict.outcome, verdict.reason.message),
        Reading("per accelerator", each.outcome, each.reason.message),
    )
    evidence = tuple(dict.fromkeys((*verdict.evidence, *each.evidence)))
    reason = Reason("ambiguous", message)
    return replace(verdict, outcome=Outcome.UNVERIFIABLE, reason=reason, readings=readings, evidence=evidence)


def _judge(assertion: ChangeAssertion, context: CheckContext) -> Verdict:
    per, unit = assertion.per or Per.SYSTEM, assertion.unit
    problem = (
        unit_problem(unit, context)
        or selection_problem(assertion.subject, context)
        or selection_problem(assertion.baseline, context)
    )
    if problem is not None:
        return _own_arithmetic(assertion, problem, context)
    if not assertion.subject.models:
        message = "The claim does not say which benchmark it is about, so that its ratio cannot be computed."
        return Verdict(Outcome.UNVERIFIABLE, Reason("model-not-stated", message))
    baseline = _baseline(assertion, context)
    sides: list[list[Quantity]] = []
    for selection, amount in ((assertion.subject, assertion.subject_amount), (baseline, assertion.baseline_amount)):
        found = _side(selection, amount, per, unit, context, divided=assertion.divided_amounts)
        if isinstance(found, Verdict):
            return found
        sides.append(found)
    subjects, baselines = map(_distinct, sides)
    if len(subjects) * len(baselines) > _MOST_PAIRS:
        message = (
            f"{len(subjects)} results fit {describe(assertion.subject, context)} and {len(baselines)} fit "
            f"{describe(baseline, context)}; name the submitter and the system of both sides."
        )
        return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message))
    barred, told = _compatibility(subjects, baselines, context)
    if barred is not None:
        return barred
    pairs = [
        _pair(assertion, new, old, context)
        for new, old in _partners(assertion, subjects, baselines, context)
        if old.interval.value and new.interval.value
    ]
    if not pairs:
        message = (
            f"No result of {describe(assertion.subject, context)} has a counterpart of the same benchmark and scenario "
            f"in {describe(baseline, context)}."
        )
        return Verdict(Outcome.UNVERIFIABLE, Reason("no-derived-figure", message))
    if assertion.form is ChangeForm.DIRECTION and pairs[0].inverted and not pairs[0].subject.row.is_time_to_train:
        message = "For a latency, higher and lower may mean the figure or the performance; state a ratio."
        return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), evidence=_evidence(pairs[:_SHOWN]))
    if assertion.best:
        verdict = _best(assertion, pairs, context)
    else:
        first, rest = _first(assertion, pairs)
        if assertion.amount is not None and (assertion.amount.relation is Relation.UP_TO or assertion.amount.up_to):
            verdict = _largest(assertion, first, context)
            if verdict.outcome is not Outcome.PASS and rest:
                wider = _largest(assertion, pairs, context)
                verdict = wider if wider.outcome is Outcome.PASS else verdict
        else:
            verdict = _all(assertion, first, rest, context)
    return verdict.with_caveats(*told)


def _own_arithmetic(assertion: ChangeAssertion, problem: Verdict, context: CheckContext) -> Verdict:
    """Without the results, the figures that the claim gives for both sides can still be set against its own ratio."""
    amount, new, old = assertion.amount, assertion.subject_amount, assertion.baseline_amount
    if amount is None or new is None or old is None or problem.reason.code != "round-not-held":
        return problem
    exact = (Relation.EQUAL, Relation.UP_TO)
    if new.relation not in exact or old.relation not in exact or not old.number.value or not new.number.value:
        return problem
    sides = [Interval.around(a.number.value, a.number.quantum / 2) for a in (new, old)]
    inverted = assertion.form in _SPEED_FORMS and context.vocabulary.lower_is_better(assertion.unit or "")
    figure = _in_form(sides[1] / sides[0] if inverted else sides[0] / sides[1], assertion.form)
    first, second = (old, new) if inverted else (new, old)
    found = f"{written(first.number.value)} ÷ {written(second.number.value)} gives {written(figure.value, 4)}"
    found += _unit(assertion)
    if meets(amount, figure, context).holds:
        message = f"The claim's own figures fit together: {found}. {problem.reason.message}"
        return replace(problem, reason=Reason("arithmetic-consistent", message))
    message = f"The claim's own figures do not fit together: {found}, not {amount_words(amount)}."
    return Verdict(Outcome.FAIL, Reason("arithmetic-wrong", message))


def _distinct(found: Sequence[Quantity]) -> list[Quantity]:
    """The same run under two accuracy variants stays twice; a row that stands twice in a table does not."""
    return list({(q.row.round, q.row.index, q.row.location, q.row.model): q for q in found}.values())


def _baseline(assertion: ChangeAssertion, context: CheckContext) -> Selection:
    """The baseline without what it merely inherits from the subject and no row has."""
    baseline = assertion.baseline
    if "result_ids" not in assertion.baseline_stated and baseline.result_ids == assertion.subject.result_ids:
        baseline = replace(baseline, result_ids=())
    steps: list[dict[str, object]] = []
    if "machines" not in assertion.baseline_stated:
        steps.append({"machines": ()})
    if "features" not in assertion.baseline_stated:
        steps.append({"features": ()})
    for slot, empty in (("accelerators", None), ("nodes", None), ("availability", None)):
        if slot not in assertion.baseline_stated:
            steps.append({slot: empty})
    if "submitters" not in assertion.baseline_stated:
        # "MI355X against B200" of a vendor that has no B200 results: anybody's, and all of them have to agree.
        steps.append({"submitters": ()})
    for step in steps:
        if select(baseline, context):
            break
        if "accelerators" in step:
            step = {**step, "whole_rack": False}
        baseline = replace(baseline, **step)  # type: ignore[arg-type]
    return baseline if select(baseline, context) else replace(assertion.baseline, result_ids=baseline.result_ids)


def _side(
    selection: Selection,
    amount: Amount | None,
    per: Per,
    unit: str | None,
    context: CheckContext,
    *,
    divided: bool,
) -> list[Quantity] | Verdict:
    """The figures of one side; those that have the figure given for it, if one is given."""
    from mlperf_claimcheck.checks.value import check_value

    rows = without_withdrawn(select(selection, context), context)
    if not rows:
        return diagnose_empty(selection, context)
    fitting = [row for row in rows if unit_fits(unit, row, context)]
    if not fitting:
        return wrong_unit(rows, unit or "", context)
    found = quantities(fitting, per, unit, context)
    if not found:
        return underivable(fitting, per, context)
    if amount is None:
        return found
    matching = [q for q in found if holds(amount, q, context).holds]
    if not matching and per is not Per.SYSTEM and not divided:
        # "441,740 against 301,000 tokens/s, 1.2x per GPU": the figures of whole systems beside a ratio of their parts.
        whole = [quantity_of(q.row, Per.SYSTEM, unit, context) for q in found]
        both = zip(found, whole, strict=True)
        matching = [q for q, total in both if total is not None and holds(amount, total, context).holds]
    if not matching:
        verdict = check_value(ValueAssertion(selection, amount, unit, per, True), context)
        if verdict.outcome is Outcome.PASS:
            message = f"The figure {amount_words(amount)} of the claim was not found among the rows compared."
            return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), evidence=verdict.evidence)
        return verdict
    return matching


def _partners(
    assertion: ChangeAssertion, subjects: Sequence[Quantity], baselines: Sequence[Quantity], context: CheckContext
) -> list[tuple[Quantity, Quantity]]:
    """Pairs of the same benchmark, scenario, suite and unit; accuracy variants with their own kind if there is one."""
    one, other = assertion.subject.scenarios, assertion.baseline.scenarios
    across = len(one) == 1 and len(other) == 1 and one != other

    def fits(new: ResultRow, old: ResultRow) -> bool:
        return (
            benchmark_of(new.model) == benchmark_of(old.model)
            and (across or new.scenario == old.scenario)
            and (new.round, new.index, new.location) != (old.round, old.index, old.location)
            and not suites_of(new).isdisjoint(suites_of(old))
            and not set(accepted_units(new, context)).isdisjoint(accepted_units(old, context))
        )

    pairs = [(new, old) for new in subjects for old in baselines if fits(new.row, old.row)]
    own = [(new, old) for new, old in pairs if new.row.model == old.row.model]
    return own or pairs


def _in_form(ratio: Interval, form: ChangeForm) -> Interval:
    """A ratio as the claim gives it: as it is, or as a percentage."""
    match form:
        case ChangeForm.GAIN:
            return (ratio - ONE) * HUNDRED
        case ChangeForm.REDUCTION:
            return (ONE - ratio) * HUNDRED
        case ChangeForm.SHARE:
            return ratio * HUNDRED
        case ChangeForm.DIFFERENCE:
            return abs(ratio - ONE) * HUNDRED
        case _:
            return ratio


def _pair(assertion: ChangeAssertion, new: Quantity, old: Quantity, context: CheckContext) -> _Pair:
    inverted = assertion.form in _SPEED_FORMS and context.vocabulary.lower_is_better(new.row.unit)
    ratio = old.interval / new.interval if inverted else new.interval / old.interval
    form, amount = assertion.form, assertion.amount
    figure = _in_form(ratio, form)
    if form is ChangeForm.DIRECTION or amount is None:
        # Figures that the published digits cannot tell apart are neither higher nor lower.
        comparison = Comparison(ratio.low > 1 if assertion.higher else ratio.high < 1)
    else:
        comparison = meets(amount, figure, context)
    return _Pair(new, old, ratio, inverted, figure, comparison)


def _compatibility(
    subjects: Sequence[Quantity], baselines: Sequence[Quantity], context: CheckContext
) -> tuple[Verdict | None, list[Caveat]]:
    """Whether MLCommons lets the rounds of the two sides be compared for the benchmark."""
    told: dict[str, Caveat] = {}
    asked: set[tuple[str, ...]] = set()
    for new in subjects:
        for old in baselines:
            a, b = new.row, old.row
            common = suites_of(a) & suites_of(b)
            suite = "datacenter" if "datacenter" in common else min(common, default="edge")
            key = (a.model, suite, a.round, b.round, a.scenario)
            if a.round == b.round or benchmark_of(a.model) != benchmark_of(b.model) or key in asked:
                continue
            asked.add(key)
            found = comparable(a.model, suite, a.round, b.round, scenario=a.scenario, vocabulary=context.vocabulary)
            if found.status == "incomparable":
                evidence = (evidence_of(a), evidence_of(b, role="baseline"))
                return Verdict(Outcome.FAIL, Reason("incomparable-rounds", found.message), evidence=evidence), []
            notes = " ".join(found.notes)
            if found.status == "unknown":
                text = f"Whether the rounds may be compared is not known: {found.message} {notes}".strip()
                told[text] = Caveat("comparability-unknown", text, Severity.WARNING)
            elif notes:
                told[notes] = Caveat("estimate-compatibility", notes)
    return None, list(told.values())


def _first(assertion: ChangeAssertion, pairs: list[_Pair]) -> tuple[list[_Pair], list[_Pair]]:
    """The pairs that a claim most likely means, and the others.

    A submitter who is not named is the same on both sides, unless the claim sets one kind of hardware against another.
    Systems whose size is not given are equally large, if there are such.
    """
    first = pairs
    subject, baseline = assertion.subject, assertion.baseline
    if not subject.submitters and not baseline.submitters and set(subject.hardware) == set(baseline.hardware):
        first = [p for p in first if p.subject.row.submitter == p.baseline.row.submitter] or first
    if not assertion.baseline_stated & {"accelerators", "nodes", "result_ids"}:
        first = [p for p in first if p.subject.row.accelerators == p.baseline.row.accelerators] or first
    chosen = {id(p) for p in first}
    return first, [p for p in pairs if id(p) not in chosen]


def _all(assertion: ChangeAssertion, pairs: list[_Pair], others: list[_Pair], context: CheckContext) -> Verdict:
    good = [p for p in pairs if p.holds]
    if good and len(good) < len(pairs):
        return _ambiguous(assertion, pairs, context)
    if not good and any(p.holds for p in others):
        return _ambiguous(assertion, [*pairs, *others], context)
    if good:
        shown = min(good, key=lambda p: (len(p.comparison.marks), p.subject.row.availability != "available"))
    else:
        shown = _nearest(assertion, pairs)
    verdict = _decided(assertion, shown, context)
    if len(pairs) > 1:
        low, high = min(p.ratio.value for p in pairs), max(p.ratio.value for p in pairs)
        text = f"{len(pairs)} pairs of results fit; all give this verdict (ratios {_times(low)} to {_times(high)})."
        verdict = verdict.with_caveats(Caveat("several-rows-match", text))
    beyond = [p for p in others if not p.holds] if good else []
    if beyond:
        low, high = min(p.ratio.value for p in beyond), max(p.ratio.value for p in beyond)
        text = (
            f"Pairs of other submitters or of systems of different size give other ratios, {_times(low)} to "
            f"{_times(high)}."
        )
        verdict = verdict.with_caveats(Caveat("best-of-baselines", text, Severity.WARNING))
    return verdict


def _nearest(assertion: ChangeAssertion, pairs: Sequence[_Pair]) -> _Pair:
    amount = assertion.amount
    if amount is None:
        return pairs[0]
    number = amount.number.value
    return min(pairs, key=lambda p: abs(p.figure.value - number))


def _largest(assertion: ChangeAssertion, pairs: list[_Pair], context: CheckContext) -> Verdict:
    top = max(pairs, key=lambda p: p.figure.value)
    verdict = _decided(assertion, top, context)
    others = [p for p in pairs if p.figure.value < top.figure.value]
    if others:
        least = min(others, key=lambda p: p.figure.value)
        text = f"The largest of {len(pairs)} ratios was taken; the smallest is {_words(least, context)}."
        verdict = verdict.with_caveats(Caveat("best-of-baselines", text, Severity.WARNING))
    plain = [p for p in pairs if p.subject.row.availability == p.baseline.row.availability == "available"]
    return _without_preview(verdict, top, max(plain, key=lambda p: p.figure.value) if plain else None, context)


def _without_preview(verdict: Verdict, chosen: _Pair, plain: _Pair | None, context: CheckContext) -> Verdict:
    """The verdict with what is left of it without systems that are not yet available."""
    if all(q.row.availability == "available" for q in (chosen.subject, chosen.baseline)):
        return verdict
    if plain is None:
        without = "there is no pair of available systems"
    else:
        holds_too = "the claim holds there too" if plain.holds else "the claim does not hold there"
        without = f"available systems only give {plain.ratio.value:.2f}x ({_words(plain, context)}), and {holds_too}"
        if plain.holds is not chosen.holds:
            without += ": the verdict changes"
    text = f"The ratio rests on a result that is not of an available system; {without}."
    return verdict.with_caveats(Caveat("rests-on-preview", text, Severity.WARNING))


def _best(assertion: ChangeAssertion, pairs: list[_Pair], context: CheckContext) -> Verdict:
    """The best subject row against the best baseline row."""
    chosen = _best_pair(assertion, pairs, context)
    verdict = _decided(assertion, chosen, context)
    if len(pairs) > 1:
        text = "The best result of each side was compared, as the claim's words ask."
        verdict = verdict.with_caveats(Caveat("best-selected", text))
    plain = [p for p in pairs if p.subject.row.availability == p.baseline.row.availability == "available"]
    return _without_preview(verdict, chosen, _best_pair(assertion, plain, context) if plain else None, context)


def _best_pair(assertion: ChangeAssertion, pairs: Sequence[_Pair], context: CheckContext) -> _Pair:
    lower = context.vocabulary.lower_is_better(pairs[0].subject.row.unit)
    sign = -1 if lower else 1
    subject = max((p.subject for p in pairs), key=lambda q: sign * q.interval.value)
    baseline = max((p.baseline for p in pairs), key=lambda q: sign * q.interval.value)
    found = next((p for p in pairs if p.subject is subject and p.baseline is baseline), None)
    return found or _pair(assertion, subject, baseline, context)


def _ambiguous(assertion: ChangeAssertion, pairs: list[_Pair], context: CheckContext) -> Verdict:
    order = sorted(pairs, key=lambda p: (not p.holds, -p.ratio.value))
    good = [p for p in order if p.holds]
    bad = [p for p in order if not p.holds]
    shown = [*good[: _SHOWN // 2], *bad[: _SHOWN - min(len(good), _SHOWN // 2)]]
    readings = tuple(
        Reading(
            f"{row_words(p.subject.row, context)} against {row_words(p.baseline.row, context)}",
            Outcome.PASS if p.holds else Outcome.FAIL,
            f"{p.formula} = {_times(p.ratio.value)}",
        )
        for p in shown
    )
    listed = "; ".join(_words(p, context) for p in (good[0], *bad[:2]))
    add = _missing(pairs)
    message = (
        f"Several results fit the claim and {len(good)} of {len(pairs)} pairs agree with it: {listed}. "
        f"State {add} of both sides to decide it."
    )
    verdict = Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), evidence=_evidence(shown), readings=readings)
    lower = context.vocabulary.lower_is_better(pairs[0].baseline.row.unit)
    best = max(pairs, key=lambda p: (-1 if lower else 1) * p.baseline.interval.value)
    text = f"Against the best of the possible baselines: {_words(best, context)}."
    return verdict.with_caveats(Caveat("best-of-baselines", text, Severity.WARNING))


def _missing(pairs: Sequence[_Pair]) -> str:
    rows = [[q.row for q in side] for side in ((p.subject for p in pairs), (p.baseline for p in pairs))]
    slots = (
        ("submitter", "the submitter"),
        ("accelerators", "the number of accelerators"),
        ("scenario", "the scenario"),
        ("availability", "the availability"),
        ("accelerator", "the accelerator"),
    )
    found = [text for field, text in slots if any(len({getattr(r, field) for r in side}) > 1 for side in rows)]
    return " and ".join(found[:3]) or "the result IDs"


def _times(value: object) -> str:
    return f"{float(str(value)):.4g}x"


def _words(pair: _Pair, context: CheckContext) -> str:
    one, other = pair.subject.row, pair.baseline.row
    return (
        f"{who(one, context)} ({one.accelerators}x, {pair.subject.formula}) against {who(other, context)} "
        f"({other.accelerators}x, {pair.baseline.formula}): {_times(pair.ratio.value)}"
    )


def _evidence(pairs: Sequence[_Pair]) -> tuple[Evidence, ...]:
    rows = [row for p in pairs for row in (p.subject.evidence(), p.baseline.evidence("baseline"))]
    return tuple(dict.fromkeys(rows))[:12]


def _decided(assertion: ChangeAssertion, pair: _Pair, context: CheckContext) -> Verdict:
    unit, amount = _unit(assertion), assertion.amount
    value = pair.figure.value
    if amount is None or assertion.form is ChangeForm.DIRECTION:
        code = "direction-holds" if pair.holds else "direction-wrong"
        said = ""
    else:
        code = "ratio-matches" if pair.holds else "ratio-differs"
        claimed = f"{amount_words(amount).rstrip('x×%')}{unit}"
        said = f"; claimed {claimed}" if pair.holds else f", not {claimed}"
    steps = {
        ChangeForm.GAIN: f"{pair.formula} − 1",
        ChangeForm.REDUCTION: f"1 − {pair.formula}",
        ChangeForm.DIFFERENCE: f"|{pair.formula} − 1|",
    }
    formula = steps.get(assertion.form, pair.formula)
    result = _times(value) if unit == "x" else f"{written(value, 4)}%"
    message = (
        f"{formula} = {result}{said} ({row_words(pair.subject.row, context)} against "
        f"{row_words(pair.baseline.row, context)})."
    )
    outcome = Outcome.PASS if pair.holds else Outcome.FAIL
    verdict = Verdict(
        outcome,
        Reason(code, message),
        computed=Computed(float(value), unit, formula),
        evidence=_evidence([pair]),
    )
    marks = mark_caveats(pair.comparison, value, amount) if amount is not None else []
    return verdict.with_caveats(
        *marks,
        derived_caveat(formula),
        *_differences(assertion, pair, context),
        *row_caveats(pair.subject.row, assertion.subject, context),
        *row_caveats(pair.baseline.row, context),
    )


def _differences(assertion: ChangeAssertion, pair: _Pair, context: CheckContext) -> list[Caveat]:
    """What the messaging rules want disclosed where the two sides differ in it."""
    one, other = pair.subject.row, pair.baseline.row
    found: list[Caveat] = []

    def add(code: str, what: str, first: str, second: str, more: str = "") -> None:
        if first != second:
            severity = Severity.WARNING if code in _GRAVE else Severity.NOTICE
            found.append(Caveat(code, f"The sides differ in {what}: {first} against {second}{more}.", severity))

    add("round-differs", "the round", round_words(one.round), round_words(other.round))
    add(
        "scenario-differs", "the scenario, which the rules for comparisons want to be one", one.scenario, other.scenario
    )
    add("division-differs", "the division", one.division, other.division)
    add("availability-differs", "availability", one.availability, other.availability)
    add("submitter-differs", "the submitter", who(one, context), who(other, context))
    add("variant-differs", "the accuracy variant", one.model, other.model)
    add("power-run-differs", "measured power", *("with" if r.power is not None else "without" for r in (one, other)))
    types = [data_types(r) for r in (one, other)]
    if all(types) and types[0].isdisjoint(types[1]):
        add("data-type-differs", "the data type", *(", ".join(sorted(kinds)) for kinds in types))
    if one.accelerators != other.accelerators:
        each = ""
        if assertion.per in (None, Per.SYSTEM):
            a, b = (quantity_of(r, Per.ACCELERATOR, None, context) for r in (one, other))
            if a is not None and b is not None and a.interval.value and b.interval.value:
                ratio = (b.interval / a.interval) if pair.inverted else (a.interval / b.interval)
                each = f"; by accelerator the ratio is {_times(ratio.value)}"
        text = ("the number of accelerators", str(one.accelerators), str(other.accelerators), each)
        add("chip-count-differs", *text)
    return found
