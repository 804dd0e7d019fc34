"""Changes: the ratio between two selections of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.selection import (
    diagnose_empty,
    evidence_of,
    row_caveats,
    select,
    selection_problem,
)
from mlperf_claimcheck.checks.value import check_value
from mlperf_claimcheck.claims.assertion import ChangeAssertion, ChangeForm, Per, ValueAssertion
from mlperf_claimcheck.metrics.compare import Interval, compare, published, shown
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import (
    Caveat,
    Claimed,
    Computed,
    Outcome,
    Reading,
    Reason,
    Severity,
    Verdict,
)
from mlperf_claimcheck.vocabulary.compatibility import comparable

DERIVED = "The figure is derived from published ones: result not verified by MLCommons Association."
_SUFFIX = {Per.SYSTEM: "", Per.ACCELERATOR: "/accelerator", Per.NODE: "/node", Per.WATT: "/W"}


@dataclass(frozen=True, slots=True)
class Figure:
    """What one row gives in the claim's own measure."""

    row: ResultRow
    interval: Interval
    unit: str
    formula: str


class NoFigureError(ValueError):
    """A row that has no figure of this measure; `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def figure_of(row: ResultRow, per: Per) -> Figure:
    """The row's figure, divided as the claim asks, with the arithmetic written out. Raises NoFigureError."""
    value = published(row.value)
    base = f"{shown(row.value)} {row.unit}"
    unit = f"{row.unit}{_SUFFIX[per]}"
    if per is Per.SYSTEM:
        return Figure(row, value, unit, base)
    if per is Per.WATT:
        if row.power is None or row.power_unit != "W":
            raise NoFigureError("power-not-measured", f"{row.submitter}'s result has no measured power.")
        return Figure(row, value.divided(published(row.power)), unit, f"{base} ÷ {shown(row.power)} W measured")
    if per is Per.ACCELERATOR and row.heterogeneous:
        raise NoFigureError("mixed-accelerators", f"{row.submitter}'s system mixes kinds of accelerator.")
    count = row.accelerators if per is Per.ACCELERATOR else row.nodes
    noun = "accelerator" if per is Per.ACCELERATOR else "node"
    if not count:
        raise NoFigureError("no-accelerators", f"{row.submitter}'s row gives no number of {noun}s to divide by.")
    return Figure(row, value.scaled(1 / count), unit, f"{base} ÷ {count} {noun}{'s' if count != 1 else ''}")


@dataclass(frozen=True, slots=True)
class Pair:
    """One subject row against one baseline row."""

    subject: Figure
    baseline: Figure
    ratio: Interval
    holds: bool
    codes: tuple[str, ...] = ()

    def words(self) -> str:
        """The pair in a sentence."""
        return (
            f"{self.subject.row.submitter} {self.subject.formula} against {self.baseline.row.submitter} "
            f"{self.baseline.formula}: {self.ratio.value:.3f}x"
        )


def check_change(assertion: ChangeAssertion, context: CheckContext) -> Verdict:
    """Decide a change (semantics: comparisons)."""
    per = assertion.per or Per.SYSTEM
    claimed = _claimed(assertion)
    sides: list[tuple[ResultRow, ...]] = []
    baseline_selection = assertion.baseline
    for selection, inherited in ((assertion.subject, False), (assertion.baseline, True)):
        problem = selection_problem(selection, context)
        if problem is not None and (not inherited or problem.reason.code != "name-not-in-round"):
            return replace(problem, claimed=claimed)
        rows = select(selection, context)
        if not rows and inherited:
            relaxed = frozenset({"accelerators", "nodes", "whole_rack", "availability"} - assertion.baseline_stated)
            rows = select(selection, context, drop=relaxed)
            if not rows and "submitters" not in assertion.baseline_stated and "hardware" in assertion.baseline_stated:
                rows = select(selection, context, drop=relaxed | {"submitters"})
                baseline_selection = replace(selection, submitters=())
        if not rows:
            return replace(problem or diagnose_empty(selection, context), claimed=claimed)
        sides.append(rows)
    subjects, faults_a = _figures(sides[0], per)
    baselines, faults_b = _figures(sides[1], per)
    if not subjects or not baselines:
        fault = (faults_a + faults_b)[0]
        return Verdict(Outcome.UNVERIFIABLE, Reason(fault.code, str(fault)), claimed=claimed)
    incompatible, compat_caveats = _compatibility(subjects[0].row, baselines[0].row, context)
    if incompatible is not None:
        return replace(
            incompatible,
            claimed=claimed,
            evidence=(evidence_of(subjects[0].row), evidence_of(baselines[0].row, role="baseline")),
        )
    if assertion.best:
        verdict = _best(assertion, subjects, baselines, context, claimed)
    else:
        verdict = _pairs(assertion, subjects, baselines, context, claimed)
    verdict = verdict.with_caveats(*compat_caveats)
    if assertion.higher_wording:
        verdict = verdict.with_caveats(Caveat("x-higher-wording", "“x higher” was read as a ratio, as vendors use it."))
    for amount, selection in (
        (assertion.subject_amount, assertion.subject),
        (assertion.baseline_amount, baseline_selection),
    ):
        if amount is None:
            continue
        side = check_value(ValueAssertion(selection, amount, assertion.unit, per, True), context)
        if side.outcome is not Outcome.PASS and side.outcome.badness >= verdict.outcome.badness:
            verdict = replace(side, claimed=claimed, caveats=verdict.caveats)
    return verdict


def _claimed(assertion: ChangeAssertion) -> Claimed | None:
    amount = assertion.amount
    if amount is None:
        return None
    unit = "x" if assertion.form is ChangeForm.RATIO else "%"
    return Claimed(amount.relation.value, float(amount.number.value), unit, float(amount.number.quantum))


def _figures(rows: Sequence[ResultRow], per: Per) -> tuple[list[Figure], list[NoFigureError]]:
    figures, faults = [], []
    for row in rows:
        try:
            figures.append(figure_of(row, per))
        except NoFigureError as error:
            faults.append(error)
    return figures, faults


def _compatibility(a: ResultRow, b: ResultRow, context: CheckContext) -> tuple[Verdict | None, list[Caveat]]:
    if a.round == b.round:
        return None, []
    suite = a.suite.split(",")[0]
    found = comparable(a.model, suite, a.round, b.round, scenario=a.scenario, vocabulary=context.vocabulary)
    if found.status == "incomparable":
        return Verdict(
            Outcome.FAIL,
            Reason(
                "incomparable-rounds", f"{b.round} and {a.round} may not be compared for {a.model}: {found.message}"
            ),
        ), []
    caveats = [Caveat("round-differs", f"The sides are of different rounds: {a.round} and {b.round}.")]
    if found.status == "unknown":
        caveats.append(
            Caveat(
                "comparability-unknown",
                f"Whether {b.round} and {a.round} may be compared for {a.model} is not known: {found.message}",
                Severity.WARNING,
            )
        )
    return None, caveats


def _holds(assertion: ChangeAssertion, ratio: Interval, context: CheckContext) -> tuple[bool, tuple[str, ...]]:
    amount = assertion.amount
    form = assertion.form
    if form is ChangeForm.DIRECTION or amount is None:
        return (ratio.low > 1 if assertion.higher else ratio.high < 1), ()
    relation = Relation.EQUAL if amount.relation is Relation.UP_TO else amount.relation
    if form is ChangeForm.RATIO:
        value = ratio
    elif form is ChangeForm.SHARE:
        value = ratio.scaled(100)
    elif form is ChangeForm.GAIN:
        value = ratio.shifted(-1).scaled(100)
    elif form is ChangeForm.REDUCTION:
        value = ratio.mirrored().scaled(100)
    else:
        gap = abs(ratio.value - 1) * 100
        value = Interval(gap, gap, gap)
        if relation is Relation.EQUAL and gap <= float(amount.number.value):
            return True, ()
    tolerance = amount.tolerance if amount.tolerance is not None else context.tolerance
    found = compare(value, relation, amount.number, amount.upper, tolerance)
    return found.holds, found.codes


def _ratio(assertion: ChangeAssertion, new: Figure, old: Figure, context: CheckContext) -> Interval:
    if context.vocabulary.lower_is_better(new.row.unit) and assertion.form in (
        ChangeForm.RATIO,
        ChangeForm.DIRECTION,
        ChangeForm.GAIN,
    ):
        return old.interval.divided(new.interval)
    return new.interval.divided(old.interval)


def _pair(assertion: ChangeAssertion, new: Figure, old: Figure, context: CheckContext) -> Pair:
    ratio = _ratio(assertion, new, old, context)
    holds, codes = _holds(assertion, ratio, context)
    return Pair(new, old, ratio, holds, codes)


def _matches(new: ResultRow, old: ResultRow) -> bool:
    """Pairs that a ratio can be of: same benchmark and scenario, suites that overlap, the same unit."""
    return (
        new.model == old.model
        and new.scenario == old.scenario
        and new.unit == old.unit
        and bool(set(new.suite.split(",")) & set(old.suite.split(",")))
        and (new.round, new.index) != (old.round, old.index)
    )


def _pairs(
    assertion: ChangeAssertion,
    subjects: list[Figure],
    baselines: list[Figure],
    context: CheckContext,
    claimed: Claimed | None,
) -> Verdict:
    pairs = [_pair(assertion, a, b, context) for a in subjects for b in baselines if _matches(a.row, b.row)]
    if not pairs:
        return Verdict(
            Outcome.FAIL,
            Reason(
                "no-such-result",
                "No two results of the same benchmark and scenario stand on the two sides of the claim.",
            ),
            claimed=claimed,
        )
    if not assertion.subject.submitters and not assertion.baseline.submitters:
        own = [p for p in pairs if p.subject.row.submitter == p.baseline.row.submitter]
        pairs = own if own and len({p.subject.row.submitter for p in own}) == 1 and len(subjects) == 1 else pairs
    good = [p for p in pairs if p.holds]
    amount = assertion.amount
    if amount is not None and (amount.relation is Relation.UP_TO or amount.up_to):
        largest = max(pairs, key=lambda p: p.ratio.value)
        verdict = _verdict(assertion, largest, context, claimed)
        if len(pairs) > 1:
            least = min(pairs, key=lambda p: p.ratio.value)
            verdict = verdict.with_caveats(
                Caveat(
                    "best-of-baselines",
                    f"The largest of {len(pairs)} ratios; the smallest is {least.ratio.value:.3f}x ({least.words()}).",
                    Severity.WARNING,
                )
            )
        return verdict
    if len(good) == len(pairs) or not good:
        shown = good[0] if good else min(pairs, key=lambda p: abs(p.ratio.value - _target(assertion)))
        verdict = _verdict(assertion, shown, context, claimed)
        if len(pairs) > 1:
            verdict = verdict.with_caveats(
                Caveat(
                    "several-rows-match", f"{len(pairs)} pairs of results fit the claim's words; all give this verdict."
                )
            )
        return verdict
    readings = tuple(
        Reading(p.words(), Outcome.PASS if p.holds else Outcome.FAIL, f"{p.ratio.value:.4f}") for p in pairs[:12]
    )
    listed = "; ".join(p.words() for p in sorted(pairs, key=lambda p: -p.ratio.value)[:6])
    return Verdict(
        Outcome.UNVERIFIABLE,
        Reason(
            "ambiguous",
            f"Several results fit each side, and {len(good)} of {len(pairs)} pairs agree with the claim: "
            f"{listed}. Name the submitter and the number of accelerators of both sides.",
        ),
        claimed=claimed,
        readings=readings,
        evidence=tuple(
            dict.fromkeys(
                e for p in pairs[:6] for e in (evidence_of(p.subject.row), evidence_of(p.baseline.row, role="baseline"))
            )
        )[:12],
        caveats=(Caveat("best-of-baselines", "Against another baseline the claim does not hold.", Severity.WARNING),),
    )


def _target(assertion: ChangeAssertion) -> float:
    if assertion.amount is None:
        return 1.0
    value = float(assertion.amount.number.value)
    return {
        ChangeForm.RATIO: value,
        ChangeForm.SHARE: value / 100,
        ChangeForm.GAIN: 1 + value / 100,
        ChangeForm.REDUCTION: 1 - value / 100,
    }.get(assertion.form, 1.0)


def _best(
    assertion: ChangeAssertion,
    subjects: list[Figure],
    baselines: list[Figure],
    context: CheckContext,
    claimed: Claimed | None,
) -> Verdict:
    lower = context.vocabulary.lower_is_better(subjects[0].row.unit)
    pick = min if lower else max

    def top(figures: list[Figure]) -> Figure:
        return pick(figures, key=lambda f: f.interval.value)

    pair = _pair(assertion, top(subjects), top(baselines), context)
    verdict = _verdict(assertion, pair, context, claimed)
    rows = (pair.subject.row, pair.baseline.row)
    if any(r.availability != "available" for r in rows):
        a = [f for f in subjects if f.row.availability == "available"]
        b = [f for f in baselines if f.row.availability == "available"]
        if a and b:
            plain = _pair(assertion, top(a), top(b), context)
            verdict = verdict.with_caveats(
                Caveat(
                    "rests-on-preview",
                    f"The ratio rests on a result that is not of an available system; available systems alone give "
                    f"{plain.ratio.value:.2f}x ({plain.words()}).",
                    Severity.WARNING,
                )
            )
    return verdict


def _verdict(assertion: ChangeAssertion, pair: Pair, context: CheckContext, claimed: Claimed | None) -> Verdict:
    new, old = pair.subject, pair.baseline
    formula = f"({new.formula}) ÷ ({old.formula})"
    value = pair.ratio.value
    message = f"{new.row.submitter}'s {new.formula} against {old.row.submitter}'s {old.formula} is {value:.4g}x"
    if assertion.form in (ChangeForm.GAIN, ChangeForm.REDUCTION, ChangeForm.DIFFERENCE):
        message += f" ({(value - 1) * 100:+.1f}%)"
    elif assertion.form is ChangeForm.SHARE:
        message += f" ({value * 100:.1f}%)"
    direction = assertion.form is ChangeForm.DIRECTION
    if pair.holds:
        code = "direction-holds" if direction else "ratio-matches"
        message += ", as claimed."
    else:
        code = "direction-wrong" if direction else "ratio-differs"
        message += f", not the claimed {assertion.amount.number.text}." if assertion.amount else ", not as claimed."
    caveats = [Caveat("derived-metric", f"{DERIVED} Basis: {formula}.")]
    caveats.extend(c for c in row_caveats(new.row, assertion.subject, context))
    caveats.extend(
        c
        for c in row_caveats(old.row, assertion.baseline, context)
        if c.code not in ("submitter-not-named", "scenario-not-named", "model-not-named")
    )
    caveats.extend(_differences(new.row, old.row, context))
    for c in pair.codes:
        if c in ("loose-bound", "truncated"):
            text = {
                "loose-bound": "The bound is true but far from the ratio.",
                "truncated": "The ratio only truncates to the claimed one.",
            }[c]
            caveats.append(Caveat(c, text))
    return Verdict(
        Outcome.PASS if pair.holds else Outcome.FAIL,
        Reason(code, message),
        claimed=claimed,
        computed=Computed(value, "x", formula),
        evidence=(
            evidence_of(new.row, derived=new.interval.value, derived_unit=new.unit),
            evidence_of(old.row, role="baseline", derived=old.interval.value, derived_unit=old.unit),
        ),
        caveats=tuple(dict.fromkeys(caveats)),
    )


def _differences(new: ResultRow, old: ResultRow, context: CheckContext) -> list[Caveat]:
    """What the messaging rules require a comparison to disclose, with both values."""
    found: list[Caveat] = []
    for code, name, a, b in (
        ("chip-count-differs", "accelerators", new.accelerators, old.accelerators),
        ("submitter-differs", "submitter", new.submitter, old.submitter),
        ("division-differs", "division", new.division, old.division),
        ("availability-differs", "availability", new.availability, old.availability),
        ("variant-differs", "accuracy variant", new.model, old.model),
    ):
        if a != b:
            found.append(Caveat(code, f"The sides differ in {name}: {a} against {b}.", Severity.WARNING))
    return found
