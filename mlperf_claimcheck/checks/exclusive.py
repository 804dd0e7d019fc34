"""Checks "the only" and "the first": who else has such a result, in the same round or in earlier ones.

The rule's source is `superlatives` in the project's semantics: scope words count as they do for records, and "first"
reaches back only over the rounds that are held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlperf_claimcheck.checks.combine import capped, failed, passed, unverifiable
from mlperf_claimcheck.checks.figures import compare_figure, unit_fits
from mlperf_claimcheck.checks.history import earlier_rounds
from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.names import is_joint, is_withdrawn, namer, round_name
from mlperf_claimcheck.checks.ranking import (
    Figure,
    RowKey,
    distinct_runs,
    figure_of,
    key_of,
    listing,
    name_figure,
    status_of,
)
from mlperf_claimcheck.checks.scope import (
    Scope,
    build_scope,
    describe_ranking,
    has_identity,
    keys_of,
    membership_caveats,
    own_selection,
    subject_selection,
)
from mlperf_claimcheck.checks.selection import diagnose_empty, evidence_of, row_caveats, select
from mlperf_claimcheck.claims.assertion import Per, Selection, SuperlativeAssertion
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Evidence, Outcome, Reading, Reason, Severity, Verdict


@dataclass(frozen=True, slots=True)
class _Field:
    """The results that fulfil what the claim is about, and which of them are the subject's."""

    base: Selection
    scope: Scope
    figures: tuple[Figure, ...]
    """Results with the property claimed (such hardware, above the threshold), each run once."""
    mine: frozenset[RowKey]

    def inside(self) -> list[Figure]:
        return [f for f in self.figures if self.scope.inside(f.key)]


def check_only(assertion: SuperlativeAssertion, context: CheckContext) -> Verdict:
    """Exactly the subject has such a result in the scope."""
    per = assertion.per or Per.SYSTEM
    verdict = _only(assertion, context, per)
    if assertion.per is None and assertion.threshold is not None and verdict.outcome is Outcome.FAIL:
        each = _only(assertion, context, Per.ACCELERATOR)
        if each.outcome is Outcome.PASS:
            return _two_metrics(verdict, each)
    return verdict


def check_first(assertion: SuperlativeAssertion, context: CheckContext) -> Verdict:
    """No earlier held round has such a result."""
    per = assertion.per or Per.SYSTEM
    verdict = _first(assertion, context, per)
    if assertion.per is None and assertion.threshold is not None and verdict.outcome is Outcome.FAIL:
        each = _first(assertion, context, Per.ACCELERATOR)
        if each.outcome is Outcome.PASS:
            return _two_metrics(verdict, each)
    return verdict


def _two_metrics(by_total: Verdict, by_each: Verdict) -> Verdict:
    readings = tuple(
        Reading(name, v.outcome, v.reason.message)
        for name, v in (("system total", by_total), ("per accelerator", by_each))
    )
    message = (
        "The claim does not say whether its figure is a system total or per accelerator, and the verdicts differ "
        f"({by_total.outcome} and {by_each.outcome}); state which is meant."
    )
    evidence = capped([*by_total.evidence, *by_each.evidence])
    return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), evidence=evidence, readings=readings)


def _base(assertion: SuperlativeAssertion, rounds: tuple[str, ...], *, with_hardware: bool) -> Selection:
    """What the claim is about: round, benchmark, scenario, and the kind of system it says there is only one of.

    Beside a threshold, hardware is a scope word like any other; without one it is what the claim counts.
    """
    subject, scope = assertion.subject, assertion.scope
    base = Selection(
        rounds=rounds,
        suite=scope.suite or subject.suite,
        division=scope.division or subject.division or "closed",
        models=scope.models or subject.models,
        scenarios=scope.scenarios or subject.scenarios,
    )
    if not with_hardware:
        return base
    return replace(
        base,
        hardware=scope.hardware,
        accelerators=scope.accelerators,
        nodes=scope.nodes,
        whole_rack=scope.whole_rack,
        data_type=scope.data_type,
    )


def _qualifying(
    assertion: SuperlativeAssertion, rows: Sequence[ResultRow], per: Per, context: CheckContext
) -> list[Figure]:
    """The results with the property claimed, best first."""
    figures = []
    for row in distinct_runs(rows):
        if is_withdrawn(row, context):
            continue
        figure = figure_of(row, per if assertion.threshold is not None else Per.SYSTEM)
        if figure is None or (assertion.unit is not None and not unit_fits(assertion.unit, row, context)):
            continue
        if assertion.threshold is None or compare_figure(assertion.threshold, figure, context).holds:
            figures.append(figure)
    return sorted(figures, key=lambda f: (-f.value, f.row.submitter, f.row.index))


def _residual_scope(scope: Selection, *, with_hardware: bool) -> Selection:
    """The scope words that are not part of what the claim is about."""
    if not with_hardware:
        return scope
    return Selection(
        groups=scope.groups,
        availability=scope.availability,
        submitters=scope.submitters,
        result_ids=scope.result_ids,
    )


def _only(assertion: SuperlativeAssertion, context: CheckContext, per: Per) -> Verdict:
    subject = assertion.subject
    rounds = assertion.scope.rounds or subject.rounds
    if not rounds:
        return unverifiable(
            "round-not-stated", "The claim states no round, so it cannot be said who else has such a result"
        )
    plain = assertion.threshold is None
    base = _base(assertion, rounds, with_hardware=plain)
    if plain and not (base.hardware or base.models or base.accelerators or base.nodes or base.scenarios):
        return unverifiable("not-understood", "The claim does not say what there is only one of")
    if assertion.threshold is not None and not base.models:
        return unverifiable(
            "model-not-stated", "The claim names no benchmark, and figures of different ones do not compare"
        )
    scope = build_scope(_residual_scope(assertion.scope, with_hardware=plain), base, context)
    if not scope.rows:
        return diagnose_empty(base, context)
    figures = _qualifying(assertion, scope.rows, per, context)
    mine: frozenset[RowKey]
    if has_identity(subject):
        rows = select(subject_selection(subject, base), context)
        if not rows:
            return diagnose_empty(subject_selection(subject, base), context)
        mine = keys_of(rows) | keys_of(select(own_selection(subject, base), context))
        strict = keys_of(rows)
    else:
        inside_now = [f for f in figures if scope.inside(f.key)]
        mine = strict = frozenset(f.key for f in inside_now[:1])
    field = _Field(base, scope, tuple(figures), mine)
    own = [f for f in field.inside() if f.key in strict]
    if not own:
        return _no_own(assertion, field, strict, context)
    others = [f for f in figures if f.key not in mine]
    others_inside = [f for f in others if scope.inside(f.key)]
    what = _what(assertion, base, context)
    who = _who(own, context)
    if others_inside and scope.unknown_groups:
        groups = ", ".join(f"'{g}'" for g in scope.unknown_groups)
        message = (
            f"Who counts as {groups} is not known: list its members under `groups` in the claim file "
            f"({listing([_name(f, context) for f in others_inside])} have such results too)"
        )
        return replace(unverifiable("group-unknown", message), evidence=_rows(own, others_inside, "above"))
    if others_inside:
        count = "1 other result has" if len(others_inside) == 1 else f"{len(others_inside)} other results have"
        message = f"{count} it too ({what}): {listing([_name(f, context) for f in others_inside])}"
        verdict = failed("not-only", message)
    elif others:
        message = f"{who} is the only one with {what} within '{scope.description}'"
        verdict = passed("only-in-scope", message)
    else:
        verdict = passed("only-one", f"{who} is the only one with {what}")
    verdict = replace(
        verdict,
        evidence=_rows(own, others_inside, "above", [f for f in others if f not in others_inside]),
        computed=Computed(
            float(len(own) + len(others_inside)),
            "results",
            f"{len(own)} of the subject, {len(others_inside)} of others",
        ),
    )
    return verdict.with_caveats(*_exclusive_caveats(assertion, field, own, others, context))


def _first(assertion: SuperlativeAssertion, context: CheckContext, per: Per) -> Verdict:
    subject = assertion.subject
    rounds = assertion.scope.rounds or subject.rounds
    if not rounds:
        return unverifiable("round-not-stated", "The claim states no round, so there are no earlier ones to search")
    plain = assertion.threshold is None
    base = _base(assertion, rounds, with_hardware=plain)
    if plain and not base.hardware:
        base = replace(base, hardware=subject.hardware)
    if plain and not (base.hardware or base.models):
        return unverifiable("not-understood", "The claim does not say what it is the first of")
    if assertion.threshold is not None and not base.models:
        return unverifiable(
            "model-not-stated", "The claim names no benchmark, and figures of different ones do not compare"
        )
    earlier, history = earlier_rounds(base, context)
    if not earlier:
        message = f"No round before {', '.join(round_name(r, context) for r in rounds)} is held to be searched"
        return unverifiable("round-not-held", message, history)
    wide = replace(base, rounds=(*earlier, *rounds))
    scope = build_scope(_residual_scope(assertion.scope, with_hardware=plain), wide, context)
    figures = _qualifying(assertion, scope.rows, per, context)
    if has_identity(subject):
        rows = select(subject_selection(subject, base), context)
        if not rows:
            return diagnose_empty(subject_selection(subject, base), context)
        strict = keys_of(rows)
        mine = strict | keys_of(select(own_selection(subject, base), context))
    else:
        strict = mine = frozenset(f.key for f in figures if f.row.round in rounds)
    field = _Field(base, scope, tuple(figures), mine)
    own = [f for f in field.inside() if f.key in strict]
    if not own:
        return _no_own(assertion, field, strict, context)
    before = [f for f in figures if f.row.round in earlier]
    before_inside = [f for f in before if scope.inside(f.key)]
    beside = [f for f in figures if f.row.round in rounds and f.key not in mine and scope.inside(f.key)]
    what, who = _what(assertion, replace(base, rounds=()), context), _who(own, context)
    if before_inside and scope.unknown_groups:
        groups = ", ".join(f"'{g}'" for g in scope.unknown_groups)
        message = f"Who counts as {groups} is not known: list its members under `groups` in the claim file"
        verdict = replace(unverifiable("group-unknown", message), evidence=_rows(own, before_inside, "above"))
    elif before_inside:
        message = f"An earlier round has {what}: {listing([_dated(f, context) for f in before_inside])}"
        verdict = failed("not-first", message, _rows(own, before_inside, "above"))
    elif beside:
        message = (
            f"{who} and others have {what} in the same round, whose results were published together: "
            f"{listing([_name(f, context) for f in beside])}"
        )
        verdict = replace(unverifiable("same-round", message), evidence=_rows(own, beside, "above"))
    else:
        within = f" within '{scope.description}'" if before else ""
        message = f"No earlier held round has {what}{within}; {who} has it"
        verdict = passed("first-in-scope" if before else "first-held", message, _rows(own, before, "excluded"))
    outside = [f for f in before if f not in before_inside]
    return verdict.with_caveats(*history, *_exclusive_caveats(assertion, field, own, outside, context))


def _no_own(
    assertion: SuperlativeAssertion, field: _Field, strict: frozenset[RowKey], context: CheckContext
) -> Verdict:
    """The subject has results, but none with the property or none inside the scope."""
    rows = [row for row in field.scope.rows if key_of(row) in strict]
    if not rows:
        subject = subject_selection(assertion.subject, field.base)
        if field.base.hardware and not subject.hardware:
            subject = replace(subject, hardware=field.base.hardware)
        return diagnose_empty(subject, context)
    shown: list[Evidence] = [evidence_of(row) for row in rows[:3]]
    mine = [f for f in field.figures if f.key in strict]
    if mine:
        why = field.scope.why_outside(mine[0].key)
        message = f"The subject's results are {why}"
        if all(w.is_peer for w in field.scope.words if any(f.key not in w.keys for f in mine)):
            return replace(unverifiable("subject-outside-scope", message), evidence=tuple(shown))
        return failed("subject-outside-scope", message, shown)
    best = max((row.value for row in rows), default=None)
    what = _what(assertion, field.base, context)
    message = f"The subject does not have {what}"
    if best is not None and rows:
        top = next(row for row in rows if row.value == best)
        largest = Figure(top, top.value, top.unit, "", 0.0)
        message += f"; its largest is {_name(largest, context)}"
    return failed("threshold-not-reached", message, shown)


def _name(figure: Figure, context: CheckContext) -> str:
    return name_figure(figure, namer(context))


def _dated(figure: Figure, context: CheckContext) -> str:
    return f"{_name(figure, context)} in {round_name(figure.row.round, context)}"


def _who(own: Sequence[Figure], context: CheckContext) -> str:
    """The subject by its best result."""
    return _name(own[0], context)


def _what(assertion: SuperlativeAssertion, base: Selection, context: CheckContext) -> str:
    """The property claimed, in words."""
    about = describe_ranking(base, context)
    if assertion.threshold is None:
        return f"a result of {about}"
    from mlperf_claimcheck.checks.quantity import amount_words

    return f"a result {amount_words(assertion.threshold)} of {about}"


def _rows(
    own: Sequence[Figure], others: Sequence[Figure], role: str, outside: Sequence[Figure] = ()
) -> tuple[Evidence, ...]:
    def row(figure: Figure, kind: str) -> Evidence:
        evidence = evidence_of(figure.row, role=kind)
        if figure.unit != figure.row.unit:
            evidence = replace(evidence, derived=figure.value, derived_unit=figure.unit)
        return evidence

    return capped(
        [
            *(row(f, "subject") for f in own[:4]),
            *(row(f, role) for f in others[:6]),
            *(row(f, "excluded") for f in outside[:6]),
        ]
    )


def _exclusive_caveats(
    assertion: SuperlativeAssertion,
    field: _Field,
    own: Sequence[Figure],
    others: Sequence[Figure],
    context: CheckContext,
) -> list[Caveat]:
    """Scope, status, open division and joint entries, as far as they matter."""
    caveats = list(row_caveats(own[0].row, context))
    left_out = [f for f in others if not field.scope.inside(f.key)]
    if left_out:
        told = listing([f"{_dated(f, context)}, {field.scope.why_outside(f.key)}" for f in left_out])
        count = "1 such result" if len(left_out) == 1 else f"{len(left_out)} such results"
        text = f"The claim's own scope leaves out {count}: {told}. Without that scope the claim would not hold."
        caveats.append(Caveat("self-defined-scope", text, Severity.WARNING))
    if all(f.row.availability != "available" for f in own):
        text = f"The claim rests on a {status_of(own[0].row)} result."
        caveats.append(Caveat("rests-on-preview", text, Severity.WARNING))
    inside = [f for f in others if field.scope.inside(f.key)]
    early = [f for f in inside if f.row.availability != "available"]
    if early and len(early) == len(inside):
        caveats.append(
            Caveat("rests-on-preview", "Without Preview and RDI results the claim would hold.", Severity.WARNING)
        )
    if field.base.division == "closed":
        rows = select(replace(field.base, division="open"), context)
        mine = keys_of(select(subject_selection(assertion.subject, replace(field.base, division="open")), context))
        higher = [f for f in _qualifying(assertion, rows, assertion.per or Per.SYSTEM, context) if f.key not in mine]
        if higher:
            names = listing([_name(f, context) for f in higher], 3)
            caveats.append(
                Caveat(
                    "open-division", f"In the open division others have such results too: {names}.", Severity.WARNING
                )
            )
    if assertion.subject.submitters and all(is_joint(f.row, context) for f in own):
        caveats.append(
            Caveat("joint-entry", f"The subject has it only in the joint entry {namer(context)(own[0].row.submitter)}.")
        )
    if field.scope.words:
        caveats += membership_caveats(field.scope, field.figures, context)
    if field.scope.unknown_groups:
        groups = ", ".join(f"'{g}'" for g in field.scope.unknown_groups)
        caveats.append(Caveat("group-unknown", f"Who counts as {groups} is not known."))
    return caveats
