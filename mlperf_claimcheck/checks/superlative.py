"""Checks records and places: highest, fastest, lowest latency, top N, only, first.

The rule's source is `superlatives` in the project's semantics. The ranking is computed over the widest scope that the
words allow; a result that stands above passes only if the claim's own scope words leave it out, and then it is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mlperf_claimcheck.checks.combine import capped, failed, merge_readings, passed, sentence, unverifiable
from mlperf_claimcheck.checks.exclusive import check_first, check_only
from mlperf_claimcheck.checks.figures import compare_figure, unit_fits
from mlperf_claimcheck.checks.history import earlier_rounds
from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.names import hardware_name, is_joint, is_withdrawn, namer, round_name, unit_is_published
from mlperf_claimcheck.checks.ranking import (
    Figure,
    Ranking,
    RowKey,
    benchmark_of,
    gap,
    key_of,
    listing,
    name_figure,
    number,
    rank_rows,
    status_of,
    within_source_precision,
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
from mlperf_claimcheck.checks.selection import diagnose_empty, evidence_of, row_caveats, select, suites_of
from mlperf_claimcheck.claims.assertion import Per, Selection, SuperlativeAssertion, SuperlativeKind
from mlperf_claimcheck.metrics.units import is_time, lower_is_better
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import (
    Caveat,
    Computed,
    Evidence,
    Outcome,
    Reading,
    Reason,
    Severity,
    Verdict,
)
from mlperf_claimcheck.verdicts.text import clean

NARROW = 0.01
"""Margins below this fraction are reported (semantics: superlatives, ties and margins)."""


def check_superlative(assertion: SuperlativeAssertion, context: CheckContext) -> Verdict:
    """Decides a claim of a record, of a place in a ranking, of being the only or the first one."""
    if assertion.kind is SuperlativeKind.ONLY:
        return check_only(assertion, context)
    if assertion.kind is SuperlativeKind.FIRST:
        return check_first(assertion, context)
    return _check_top(assertion, context)


def _check_top(assertion: SuperlativeAssertion, context: CheckContext) -> Verdict:
    """A place in a ranking, in every reading that the claim leaves open."""
    subject, scope = assertion.subject, assertion.scope
    rounds = scope.rounds or subject.rounds
    models = scope.models or subject.models
    if not rounds:
        return unverifiable("round-not-stated", "The claim states no round, and a ranking needs one")
    if not models:
        return unverifiable("model-not-stated", "The claim names no benchmark, and results of several cannot be ranked")
    if not has_identity(subject) and assertion.amount is None:
        return unverifiable("subject-not-stated", "The claim does not say whose or which result stands there")
    base = Selection(
        rounds=rounds,
        suite=scope.suite or subject.suite,
        division=scope.division or subject.division or "closed",
        models=models,
        scenarios=scope.scenarios or subject.scenarios,
    )
    rows = select(base, context)
    if not rows:
        return diagnose_empty(base, context)
    mine = rows
    if has_identity(subject):
        mine = select(subject_selection(subject, base), context)
        if not mine:
            return diagnose_empty(subject_selection(subject, base), context)
    wide = build_scope(scope, base, context)
    within = [row for row in mine if wide.inside(key_of(row))]
    cells = _cells(within or mine, base)
    if assertion.unit is not None:
        fitting = [cell for cell in cells if any(unit_fits(assertion.unit, r, context) for r in cell.rows_of(mine))]
        if not fitting:
            return _wrong_unit(assertion, mine, context)
        cells = fitting
    elif assertion.lowest:
        # "Lowest" without a unit can mean a latency that is not published: only time results answer it.
        fitting = [cell for cell in cells if all(lower_is_better(r.unit) for r in cell.rows_of(mine))]
        if not fitting:
            units = ", ".join(sorted({r.unit for r in mine}))
            return unverifiable(
                "quantity-not-published", f"The published results give {units} here, not a latency, so no lowest one"
            )
        cells = fitting
    unstated = _unstated(cells)
    readings = [(cell.name(unstated), _in_metric(assertion, cell.base(base), context)) for cell in cells]
    return merge_readings(readings, " and the ".join(unstated) or "scenario")


@dataclass(frozen=True, slots=True)
class _Cell:
    """One table in which results can be ranked: one benchmark, scenario and suite."""

    benchmark: str
    scenario: str
    suite: str

    def holds(self, row: ResultRow) -> bool:
        return (
            benchmark_of(row.model) == self.benchmark and row.scenario == self.scenario and self.suite in suites_of(row)
        )

    def rows_of(self, rows: Iterable[ResultRow]) -> list[ResultRow]:
        return [row for row in rows if self.holds(row)]

    def base(self, base: Selection) -> Selection:
        models = tuple(m for m in base.models if benchmark_of(m) == self.benchmark)
        return replace(base, models=models, scenarios=(self.scenario,), suite=self.suite)

    def name(self, unstated: Sequence[str]) -> str:
        parts = {"benchmark": self.benchmark, "scenario": self.scenario, "suite": self.suite}
        return " ".join(parts[slot] for slot in unstated) or self.scenario


def _cells(rows: Iterable[ResultRow], base: Selection) -> list[_Cell]:
    """The tables in which the subject has results, in the order of the claim's scenarios, datacenter first."""
    order = {name: place for place, name in enumerate(base.scenarios)}
    cells = {
        _Cell(benchmark_of(row.model), row.scenario, suite)
        for row in rows
        for suite in suites_of(row)
        if base.suite is None or suite == base.suite
    }
    return sorted(cells, key=lambda c: (c.suite, order.get(c.scenario, 0), c.benchmark, c.scenario))


def _unstated(cells: Sequence[_Cell]) -> list[str]:
    """What the claim leaves open, by what the cells differ in."""
    return [slot for slot in ("benchmark", "scenario", "suite") if len({getattr(c, slot) for c in cells}) > 1]


def _wrong_unit(assertion: SuperlativeAssertion, mine: Sequence[ResultRow], context: CheckContext) -> Verdict:
    """The claimed unit is not what the benchmark is published in."""
    units = ", ".join(sorted({row.unit for row in mine}))
    if is_time(assertion.unit) or not unit_is_published(assertion.unit, context):
        return unverifiable(
            "quantity-not-published",
            f"The claim speaks of {assertion.unit}, but the published results give {units} here",
        )
    message = f"The claim ranks {assertion.unit}, but the published results give {units} here"
    return failed("wrong-unit", message, [evidence_of(row) for row in mine[:3]])


# --- metric ---------------------------------------------------------------------------------------------------------


def _in_metric(assertion: SuperlativeAssertion, base: Selection, context: CheckContext) -> Verdict:
    """The verdict by the metric that the claim states, or by the system total with what the other metric gives.

    A claim that states no metric takes the published figure, the system total. Where only the per-accelerator ranking
    bears the claim out, the claim is ambiguous; a figure in the claim decides which of the two it means.
    """
    if assertion.per is not None:
        return _with_amount(assertion, _rank(assertion, base, assertion.per, context), context)
    total = _rank(assertion, base, Per.SYSTEM, context)
    each = _rank(assertion, base, Per.ACCELERATOR, context)
    if each.best is None or total.best is None or is_time(total.best.row.unit):
        return _with_amount(assertion, total, context)
    by_total, by_each = _with_amount(assertion, total, context), _with_amount(assertion, each, context)
    if assertion.amount is not None:
        fits_total = compare_figure(assertion.amount, total.best, context).holds
        fits_each = compare_figure(assertion.amount, each.best, context).holds
        if fits_each and not fits_total:
            return by_each.with_caveats(
                Caveat("metric-assumed", "The claim does not state the metric; its figure is the one per accelerator.")
            )
    told = f"per accelerator: {by_each.outcome}, {by_each.reason.message}"
    if by_total.outcome is by_each.outcome:
        same = Caveat(
            "metric-assumed",
            "The claim states no metric; system totals were taken, and the verdict per accelerator is the same.",
        )
        return by_total.with_caveats(same)
    if by_total.outcome is Outcome.PASS:
        other = Caveat(
            "metric-assumed",
            f"The claim states no metric; system totals were taken. By the other it would not hold ({told})",
            Severity.WARNING,
        )
        return by_total.with_caveats(other)
    if by_each.outcome is Outcome.PASS:
        readings = tuple(
            Reading(name, verdict.outcome, verdict.reason.message)
            for name, verdict in (("system total", by_total), ("per accelerator", by_each))
        )
        message = (
            "The claim does not say whether it ranks system totals or figures per accelerator, and the verdicts differ "
            f"({by_total.outcome} and {by_each.outcome}); state which is meant."
        )
        return Verdict(
            Outcome.UNVERIFIABLE,
            Reason("ambiguous", message),
            evidence=capped([*by_total.evidence, *by_each.evidence]),
            readings=readings,
        )
    return by_total.with_caveats(
        Caveat("metric-assumed", "The claim does not state the metric; system totals were taken.")
    )


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The verdict of a ranking, and the figure that it gives the claim's subject."""

    verdict: Verdict
    best: Figure | None = None


def _with_amount(assertion: SuperlativeAssertion, ranked: _Ranked, context: CheckContext) -> Verdict:
    """The verdict of a ranking together with the figure that the claim gives for the record."""
    verdict, best = ranked.verdict, ranked.best
    if best is None:
        return verdict
    verdict = replace(verdict, computed=verdict.computed or Computed(best.value, best.unit, best.formula))
    if assertion.amount is None:
        return verdict
    compared = compare_figure(assertion.amount, best, context)
    verdict = replace(verdict, claimed=compared.claimed)
    if compared.holds:
        return verdict.with_caveats(*compared.caveats)
    if verdict.outcome is Outcome.UNVERIFIABLE:
        return verdict
    message = f"The claim says {compared.words}, but the figure of that result is {number(best.value)} {best.unit}"
    if verdict.outcome is Outcome.FAIL:
        return replace(verdict, reason=Reason(verdict.reason.code, f"{verdict.reason.message} {sentence(message)}"))
    return replace(verdict, outcome=Outcome.FAIL, reason=Reason("value-differs", sentence(message)))


# --- ranking --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where the subject stands, over the widest scope and inside the claim's own."""

    assertion: SuperlativeAssertion
    context: CheckContext
    base: Selection
    per: Per
    scope: Scope
    ranking: Ranking
    best: Figure
    """The subject's best figure inside the scope."""
    own: frozenset[RowKey]
    """The subject's own results: they do not dethrone it."""
    above: tuple[Figure, ...]
    """Everything that stands strictly above, best first, without the subject's own."""
    house: frozenset[RowKey]
    """Every row of the subject's submitters: none of them is the next rival."""
    field: Selection
    """What was ranked: `base`, with the earlier rounds that a historical claim reaches back to."""

    @property
    def above_inside(self) -> list[Figure]:
        """Those above that the claim's own scope words do not leave out."""
        return [f for f in self.above if self.scope.inside(f.key)]

    @property
    def excluded(self) -> list[Figure]:
        """Those above that the scope words leave out.

        First those that only a group of organizations leaves out: such a scope is the claim's own choice, and they are
        the nearest rivals. Then those of other hardware or status. Where the claim names a product and no submitter,
        others' results of that product are among them: they are its own, and yet the scope passes over them.
        """
        own = self.own if self.assertion.subject.submitters else frozenset()
        outside = self.ranking.above(self.best, lambda f: f.key not in own and not self.scope.inside(f.key))
        return sorted(outside, key=lambda f: not self.scope.by_peers_only(f.key))

    def holds(self, above: Sequence[Figure]) -> bool:
        """Whether the claimed place fits the number of results above."""
        place = len(above) + 1
        return place == self.assertion.rank if self.assertion.exact_rank else place <= self.assertion.rank

    def name(self, figure: Figure) -> str:
        name = name_figure(figure, namer(self.context))
        if figure.row.round not in self.base.rounds:
            name += f" in {round_name(figure.row.round, self.context)}"
        return name


def _rank(assertion: SuperlativeAssertion, base: Selection, per: Per, context: CheckContext) -> _Ranked:
    """Ranks one table by one metric."""
    subject = subject_selection(assertion.subject, base)
    ranked_base = base
    history: list[Caveat] = []
    if assertion.historical:
        earlier, history = earlier_rounds(base, context)
        ranked_base = replace(base, rounds=(*earlier, *base.rounds))
    scope = build_scope(assertion.scope, ranked_base, context)
    withdrawn = [row for row in scope.rows if is_withdrawn(row, context)]
    gone = keys_of(withdrawn)
    ranking = rank_rows([r for r in scope.rows if key_of(r) not in gone], per, lowest=assertion.lowest)
    if has_identity(assertion.subject):
        mine = keys_of(select(subject, context))
    else:
        mine = frozenset(f.key for f in ranking.figures if f.row.round in base.rounds)
    if mine and mine <= gone:
        message = "The result that the claim rests on was withdrawn after publication"
        return _Ranked(failed("result-withdrawn", message, [evidence_of(r) for r in withdrawn if key_of(r) in mine]))
    best = ranking.best(lambda f: f.key in mine and scope.inside(f.key))
    if best is None:
        return _Ranked(_no_subject(scope, ranking, mine, subject, per, context))
    own = (
        mine | keys_of(select(own_selection(assertion.subject, base), context))
        if has_identity(assertion.subject)
        else mine
    )
    house = own
    if assertion.subject.submitters:
        house |= keys_of(select(replace(ranked_base, submitters=assertion.subject.submitters), context))
    above = tuple(ranking.above(best, lambda f: f.key not in own))
    standing = _Standing(assertion, context, base, per, scope, ranking, best, own, above, house, ranked_base)
    verdict = _judge(standing)
    return _Ranked(verdict.with_caveats(*history), best)


def _no_subject(
    scope: Scope, ranking: Ranking, mine: frozenset[RowKey], subject: Selection, per: Per, context: CheckContext
) -> Verdict:
    """The subject has no figure in the ranking: no result, one outside the scope, or one that cannot be divided."""
    rows = [row for row in scope.rows if key_of(row) in mine]
    if not rows:
        return diagnose_empty(subject, context)
    shown = [evidence_of(row) for row in rows[:3]]
    if not any(scope.inside(key_of(row)) for row in rows):
        why = scope.why_outside(key_of(rows[0]))
        message = f"The subject's results are {why}, so it cannot lead there"
        only_peers = all(w.is_peer for w in scope.words if any(key_of(r) not in w.keys for r in rows))
        if only_peers:
            # Membership of a peer group is not in the results: they cannot contradict it.
            return replace(unverifiable("subject-outside-scope", message), evidence=tuple(shown))
        return failed("subject-outside-scope", message, shown)
    message = f"The subject's results have no figure per {per.value} (none, several kinds, or no count of them)"
    return replace(unverifiable("no-derived-figure", message), evidence=tuple(shown))


def _judge(s: _Standing) -> Verdict:
    """The verdict of a standing."""
    inside = s.above_inside
    # A lower bound on the place ("highest", "top 3") that holds over everything holds in any part of it. An exact place
    # ("second among cloud providers") is a place in the scope itself.
    exact = s.assertion.exact_rank and s.assertion.rank > 1
    if not exact and s.holds(s.above):
        return _finish(s, passed("top-of-all", _place_message(s, widest=True)), widest=True)
    if s.holds(inside) and not (exact and s.scope.unknown_groups):
        if len(inside) == len(s.above):
            return _finish(s, passed("top-of-all", _place_message(s, widest=True)), widest=True)
        return _finish(s, passed("top-in-scope", _place_message(s, widest=False)), widest=False)
    if s.scope.unknown_groups:
        return _unknown_group(s, inside)
    product = _among_siblings(s, inside)
    if product is not None:
        return product
    submitters = len({f.row.submitter for f in inside}) + 1
    fits = submitters == s.assertion.rank if s.assertion.exact_rank else submitters <= s.assertion.rank
    if s.assertion.rank > 1 and fits:
        return _ambiguous_place(s, inside, submitters)
    return _finish(s, failed("not-top", _not_top_message(s, inside)), widest=False)


def _ordinal(place: int) -> str:
    words = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
    if place in words:
        return words[place]
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def _adjective(s: _Standing) -> str:
    return "lowest" if s.ranking.ascending else "highest"


def _place_message(s: _Standing, *, widest: bool) -> str:
    among = describe_ranking(s.field, s.context)
    figures = s.ranking.figures if widest else [f for f in s.ranking.figures if s.scope.inside(f.key)]
    place = len(s.above if widest else s.above_inside) + 1
    where = f"all {len(figures)} results of {among}"
    if not widest:
        where = f"the {len(figures)} results of {among} within '{s.scope.description}'"
    if place == 1:
        return f"{s.name(s.best)} is the {_adjective(s)} of {where}"
    return f"{s.name(s.best)} stands {_ordinal(place)} among {where}"


def _not_top_message(s: _Standing, inside: Sequence[Figure]) -> str:
    among = describe_ranking(s.field, s.context)
    within = f" within '{s.scope.description}'" if s.scope.words else ""
    place = len(inside) + 1
    if not inside:
        return f"{s.name(s.best)} stands first, not {_ordinal(s.assertion.rank)}, among the results of {among}{within}"
    names = listing([s.name(f) for f in inside], 3)
    verb = "stands" if len(inside) == 1 else "stand"
    return f"{names} {verb} above {s.name(s.best)}, which is {_ordinal(place)} among the results of {among}{within}"


def _unknown_group(s: _Standing, inside: Sequence[Figure]) -> Verdict:
    groups = ", ".join(f"'{g}'" for g in s.scope.unknown_groups)
    names = listing([s.name(f) for f in inside])
    message = f"Who counts as {groups} is not known: list its members under `groups` in the claim file"
    if names:
        message += f" ({names} stand above {s.name(s.best)})"
    return replace(unverifiable("group-unknown", message), evidence=_evidence(s, inside, "above"))


def _ambiguous_place(s: _Standing, inside: Sequence[Figure], submitters: int) -> Verdict:
    by_results = Reading(f"place among results: {len(inside) + 1}", Outcome.FAIL, _not_top_message(s, inside))
    by_names = Reading(
        f"place among submitters: {submitters}", Outcome.PASS, "Several results above are of the same submitter."
    )
    message = (
        f"{s.name(s.best)} is {_ordinal(len(inside) + 1)} among results and {_ordinal(submitters)} among submitters; "
        "state which of them is counted."
    )
    return Verdict(
        Outcome.UNVERIFIABLE,
        Reason("ambiguous", message),
        evidence=_evidence(s, inside, "above"),
        readings=(by_results, by_names),
    )


def _among_siblings(s: _Standing, inside: Sequence[Figure]) -> Verdict | None:
    """A pass where only the other products that the claim lists beside this one stand above.

    "HGX B200 and HGX B300 lead all HGX submissions": each of the two is read as the first of its own class.
    """
    if not s.assertion.siblings or not s.assertion.subject.hardware:
        return None
    own_product = keys_of(select(replace(s.base, hardware=s.assertion.subject.hardware), s.context))
    listed = keys_of(select(replace(s.base, hardware=s.assertion.siblings), s.context)) - own_product
    rest = [f for f in inside if f.key not in listed]
    if not s.holds(rest):
        return None
    others = [f for f in inside if f.key in listed]
    product = " or ".join(hardware_name(h, s.context) for h in s.assertion.subject.hardware)
    message = f"{s.name(s.best)} is the {_adjective(s)} {product} result"
    if s.scope.words:
        message += f" within '{s.scope.description}'"
    message += "; above it stand only results of the other products that the claim names beside it"
    verdict = _finish(s, passed("top-in-scope", message), widest=False)
    assumed = Caveat(
        "scope-class-assumed",
        f"The claim names several products; each was ranked in its own class. Over all of them, {product} is behind "
        + listing([s.name(f) for f in others]),
        Severity.WARNING,
    )
    return verdict.with_caveats(assumed)


# --- evidence and caveats -------------------------------------------------------------------------------------------


def _row(figure: Figure, role: str) -> Evidence:
    row = evidence_of(figure.row, role=role)
    if figure.unit != figure.row.unit:
        row = replace(row, derived=figure.value, derived_unit=figure.unit)
    return row


def _evidence(s: _Standing, above: Sequence[Figure], role: str) -> tuple[Evidence, ...]:
    return capped([_row(s.best, "subject"), *(_row(f, role) for f in above)])


def _finish(s: _Standing, verdict: Verdict, *, widest: bool) -> Verdict:
    """The verdict with its evidence, its computed figure and its caveats."""
    inside, excluded = s.above_inside, s.excluded
    field = list(s.ranking.figures) if widest else [f for f in s.ranking.figures if s.scope.inside(f.key)]
    runner_up = next((f for f in field if f.key not in s.house and not s.ranking.better(f, s.best)), None)
    rows = [
        _row(s.best, "subject"),
        *(_row(f, "above") for f in inside[:6]),
        *(_row(f, "excluded") for f in excluded[:6]),
    ]
    if runner_up is not None:
        rows.append(_row(runner_up, "next"))
    verdict = replace(
        verdict,
        evidence=capped(rows),
        computed=Computed(
            s.best.value, s.best.unit, f"{s.best.formula}; place {len(s.above) + 1} of {len(s.ranking.figures)}"
        ),
    )
    caveats: list[Caveat] = []
    if s.per is not Per.SYSTEM:
        caveats.append(
            Caveat(
                "derived-metric",
                f"Figures per {s.per.value} are derived ({s.best.formula}); not verified by MLCommons Association.",
            )
        )
    if verdict.outcome is Outcome.PASS:
        if excluded and not widest:
            caveats.append(_self_defined(s, excluded))
        if runner_up is not None:
            caveats += _margin(s, runner_up)
    elif inside and (gap(s.best, inside[0]) < NARROW or within_source_precision(s.best, inside[0])):
        caveats.append(Caveat("narrow-margin", f"{s.name(inside[0])} is only {_percent(s.best, inside[0])} above."))
    caveats += _preview(s, verdict.outcome, widest=widest)
    caveats += _open_division(s)
    caveats += _joint(s)
    if not widest or s.assertion.rank > 1:
        caveats += membership_caveats(s.scope, s.ranking.figures, s.context)
    if s.scope.unknown_groups:
        groups = ", ".join(f"'{g}'" for g in s.scope.unknown_groups)
        caveats.append(
            Caveat("group-unknown", f"Who counts as {groups} is not known; the verdict does not depend on it.")
        )
    if s.ranking.skipped:
        names = sorted({f"{namer(s.context)(r.submitter)} ({r.system or r.platform})" for r in s.ranking.skipped})
        caveats.append(
            Caveat(
                "not-ranked",
                f"Not ranked, without a figure per {s.per.value} (no accelerators, several kinds or no count): "
                f"{len(s.ranking.skipped)}, {listing([clean(n) for n in names], 2)}.",
            )
        )
    return verdict.with_caveats(*row_caveats(s.best.row, s.context), *caveats)


def _percent(one: Figure, other: Figure) -> str:
    share = gap(one, other) * 100
    return f"{share:.2g}%" if share < 10 else f"{share:.0f}%"


def _self_defined(s: _Standing, excluded: Sequence[Figure]) -> Caveat:
    """Names each result that the claim's own scope leaves out, by which word, and what it would take to beat them."""
    reasons: dict[str, list[Figure]] = {}
    for figure in excluded:
        reasons.setdefault(s.scope.why_outside(figure.key), []).append(figure)
    told = []
    room = 8
    for why, figures in reasons.items():
        shown = max(1, min(len(figures), 6, room))
        room -= shown
        told.append(f"{why}: {listing([s.name(f) for f in figures], shown)}")
    top = s.ranking.above(s.best, lambda f: f.key not in s.own)[0]
    direction = "below" if s.ranking.ascending else "above"
    count = "1 result that stands" if len(excluded) == 1 else f"{len(excluded)} results that stand"
    return Caveat(
        "self-defined-scope",
        f"The claim's own scope leaves out {count} above ({'. '.join(told)}). To lead without that scope it would have "
        f"to be {direction} {number(top.value)} {top.unit}.",
        Severity.WARNING,
    )


def _margin(s: _Standing, runner_up: Figure) -> list[Caveat]:
    """Ties, and margins below 1% or below what the published digits can tell apart."""
    if runner_up.value == s.best.value:
        return [Caveat("narrow-margin", f"A tie: {s.name(runner_up)} has the same figure.", Severity.WARNING)]
    tight = within_source_precision(s.best, runner_up)
    if gap(s.best, runner_up) >= NARROW and not tight:
        return []
    text = f"The margin over the next result, {s.name(runner_up)}, is {_percent(s.best, runner_up)}"
    if tight:
        text += ", less than the published digits can tell apart"
    return [Caveat("narrow-margin", text + ".", Severity.WARNING if tight else Severity.NOTICE)]


def _preview(s: _Standing, outcome: Outcome, *, widest: bool) -> list[Caveat]:
    """Whether the verdict changes without Preview and RDI results."""

    def ready(figure: Figure) -> bool:
        return figure.row.availability == "available"

    inside = s.above_inside
    if outcome is Outcome.PASS and not ready(s.best):
        status = status_of(s.best.row)
        field = s.ranking.figures if widest else [f for f in s.ranking.figures if s.scope.inside(f.key)]
        own = next((f for f in field if f.key in s.own and ready(f)), None)
        rivals = [f for f in field if ready(f) and f.key not in s.own]
        if own is not None and s.holds([f for f in rivals if s.ranking.better(f, own)]):
            text = f"The result is {status}; among available systems the claim holds too, with {s.name(own)}."
            return [Caveat("rests-on-preview", text)]
        text = f"The claim rests on a {status} result"
        if rivals:
            text += f"; among available systems {s.name(rivals[0])} leads"
        return [Caveat("rests-on-preview", text + ".", Severity.WARNING)]
    if outcome is Outcome.FAIL:
        early = [f for f in inside if not ready(f)]
        if early and s.holds([f for f in inside if ready(f)]):
            text = f"Without Preview and RDI results ({listing([s.name(f) for f in early])}) the claim would hold."
            return [Caveat("rests-on-preview", text, Severity.WARNING)]
        if early:
            left = len(inside) - len(early)
            text = f"Without Preview and RDI results {left} result{'s' if left != 1 else ''} would still stand above."
            return [Caveat("rests-on-preview", text)]
    elif not widest:
        early = [f for f in s.excluded if not ready(f)]
        if early:
            left = len(s.excluded) - len(early)
            rest = f"{left} would still stand above" if left else "none would stand above"
            text = f"{len(early)} of the results left out are Preview or RDI; without them {rest}."
            return [Caveat("rests-on-preview", text)]
    return []


def _open_division(s: _Standing) -> list[Caveat]:
    """Open results that are higher; the divisions never mix, but a reader should know."""
    if s.base.division != "closed":
        return []
    rows = select(replace(s.base, division="open"), s.context)
    ranking = rank_rows([r for r in rows if r.unit == s.best.row.unit], s.per, lowest=s.ranking.ascending)
    higher = ranking.above(s.best)
    if not higher:
        return []
    names = listing([s.name(f) for f in higher], 3)
    return [Caveat("open-division", f"The ranking is of the closed division; higher in the open division: {names}.")]


def _joint(s: _Standing) -> list[Caveat]:
    """Whether the subject's place rests on an entry that it shares with another submitter."""
    if not is_joint(s.best.row, s.context) or not s.assertion.subject.submitters:
        return []
    alone = s.ranking.best(lambda f: f.key in s.own and s.scope.inside(f.key) and not is_joint(f.row, s.context))
    text = f"The result is the joint entry {namer(s.context)(s.best.row.submitter)}"
    if alone is None:
        text += "; the submitter has no result of its own in this ranking"
    else:
        rivals = s.ranking.above(alone, lambda f: f.key not in s.own and s.scope.inside(f.key))
        text += f"; its own best result, {s.name(alone)}, is {_ordinal(len(rivals) + 1)}"
    return [Caveat("joint-entry", text + ".")]
