"""Figures and places of MLPerf Endpoints: always those of submitted points, never between two of them.

Sources: MLPerf Endpoints rules, metrics and Pareto curve (a step function, no interpolation; the reported percentile is
P95 in v0.7 and P90 from v1.0); verdict rules, superlatives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from mlperf_claimcheck.checks.combine import failed, merge_readings, passed, unverifiable
from mlperf_claimcheck.checks.quantity import (
    amount_words,
    claimed_of,
    derived_caveat,
    mark_caveats,
    meets,
    unit_words,
)
from mlperf_claimcheck.checks.selection import diagnose_empty, evidence_of, select, selection_problem, who
from mlperf_claimcheck.claims.assertion import (
    Assertion,
    Concurrencies,
    EndpointAssertion,
    EndpointMetric,
    Per,
    Selection,
)
from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.metrics.units import factor, written
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Evidence, Outcome, Reason, Severity, Verdict
from mlperf_claimcheck.verdicts.text import clean

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext
    from mlperf_claimcheck.results.endpoints import EndpointCurve, EndpointPoint

_REPORTED = {"endpoints-v0.7": "95"}
"""Round -> the percentile of latencies that its rules have reported; P90 from v1.0."""
_LATENCIES = frozenset({EndpointMetric.TTFT, EndpointMetric.TPOT})
_NAMES = {
    EndpointMetric.SYSTEM_TPS: "system throughput",
    EndpointMetric.USER_TPS: "throughput per user",
    EndpointMetric.TTFT: "TTFT",
    EndpointMetric.TPOT: "TPOT",
}


@dataclass(frozen=True, slots=True)
class _Point:
    """A point of a curve that a claim selects."""

    row: ResultRow
    point: EndpointPoint
    curve: EndpointCurve


@dataclass(frozen=True, slots=True)
class _Figure:
    """What a claim asks of a point."""

    at: _Point
    interval: Interval
    unit: str
    formula: str
    derived: bool

    def evidence(self, role: str = "subject") -> Evidence:
        """The point's row with the figure that was compared."""
        plain = self.unit == self.at.row.unit
        number = float(self.interval.value)
        return evidence_of(self.at.row, role, None if plain else number, None if plain else self.unit)


def check_endpoint(assertion: EndpointAssertion, context: CheckContext) -> Verdict:
    """Judges a figure at a concurrency, or a place among the curves held."""
    verdict = _by_percentile(assertion, context)
    if assertion.amount is not None:
        verdict = replace(verdict, claimed=claimed_of(assertion.amount, _unit(assertion)))
    return verdict


def apart(parts: Sequence[tuple[Assertion, Verdict]]) -> Verdict | None:
    """Why passed parts do not make a claim true: figures told of one result without a concurrency share no point.

    None where they share one, or where nothing of the kind is claimed.
    """
    shared: dict[Selection, set[str]] = {}
    told: dict[Selection, list[str]] = {}
    for part, verdict in parts:
        if not isinstance(part, EndpointAssertion) or part.scope is not None or part.concurrency is not None:
            continue
        if part.concurrencies is not Concurrencies.ANY:
            continue
        places = {row.location for row in verdict.evidence if row.role == "subject"}
        key = part.selection
        shared[key] = shared[key] & places if key in shared else places
        told.setdefault(key, []).append(verdict.reason.message)
    for key, places in shared.items():
        if not places:
            message = (
                f"No single point has all these figures, and the claim names no concurrency: {' '.join(told[key])}"
            )
            return unverifiable("ambiguous", message)
    return None


def _unit(assertion: EndpointAssertion) -> str:
    if assertion.metric in _LATENCIES:
        return assertion.unit or "ms"
    if assertion.metric is EndpointMetric.USER_TPS:
        return "tokens/s/user"
    divisor = {Per.ACCELERATOR: "/accelerator", Per.NODE: "/node", Per.WATT: "/W"}.get(assertion.per, "")
    return f"tokens/s{divisor}"


def _by_percentile(assertion: EndpointAssertion, context: CheckContext) -> Verdict:
    """A latency without its percentile is decided where every percentile that the points have agrees."""
    problem = selection_problem(assertion.selection, context)
    if problem is not None:
        return problem
    if assertion.metric not in _LATENCIES or assertion.percentile is not None:
        return _judge(assertion, context)
    reported = _REPORTED.get(assertion.selection.rounds[0], "90")
    shared: set[str] = {reported}
    for at in _points(assertion.scope or assertion.selection, context):
        shared |= set(_latencies(at.point, assertion.metric))
    readings = [
        (f"P{rank}", _judge(replace(assertion, percentile=rank), context))
        for rank in sorted(shared, key=lambda rank: (rank != reported, float(rank)))
    ]
    decided = [(name, verdict) for name, verdict in readings if verdict.outcome is not Outcome.UNVERIFIABLE]
    return merge_readings(decided or readings[:1], "percentile")


def _judge(assertion: EndpointAssertion, context: CheckContext) -> Verdict:
    if assertion.scope is not None:
        place = _place(assertion, context)
        if assertion.amount is None:
            return place
        value = _value(replace(assertion, scope=None), context)
        worst = max((place, value), key=lambda v: v.outcome.badness)
        return worst.with_caveats(*place.caveats, *value.caveats)
    return _value(assertion, context)


# --- points and figures -----------------------------------------------------------------------------------------------


def _points(selection: Selection, context: CheckContext) -> list[_Point]:
    """The points that a selection names."""
    places: dict[tuple[str, str], tuple[EndpointCurve, EndpointPoint]] = {}
    for round_id, repository in context.results.endpoints.items():
        for curve in repository.curves:
            if curve.round == round_id:
                places.update({(round_id, point.location): (curve, point) for point in curve.points})
    found = []
    for row in select(selection, context):
        place = places.get((row.round, row.location))
        if place is not None:
            found.append(_Point(row, place[1], place[0]))
    return found


def _curves(points: Iterable[_Point]) -> dict[tuple[str, str], list[_Point]]:
    """Points by curve, each by rising concurrency."""
    found: dict[tuple[str, str], list[_Point]] = {}
    for at in sorted(points, key=lambda at: at.point.concurrency):
        found.setdefault((at.curve.round, at.curve.location), []).append(at)
    return found


def _named(points: Sequence[_Point], assertion: EndpointAssertion) -> list[_Point]:
    """The points at the concurrency that a claim names; "highest" is that of each curve."""
    if assertion.concurrency is not None:
        return [at for at in points if at.point.concurrency == assertion.concurrency]
    if assertion.concurrencies is Concurrencies.HIGHEST:
        return [curve[-1] for curve in _curves(points).values()]
    if assertion.concurrencies is Concurrencies.LOWEST:
        return [curve[0] for curve in _curves(points).values()]
    return list(points)


def _latencies(point: EndpointPoint, metric: EndpointMetric) -> Mapping[str, float]:
    return point.ttft_ms if metric is EndpointMetric.TTFT else point.tpot_ms


def _figure(at: _Point, assertion: EndpointAssertion) -> _Figure | None:
    """The figure of a point, or None where its files do not give it or it cannot be divided."""
    unit, point = _unit(assertion), at.point
    if assertion.metric in _LATENCIES:
        value = _latencies(point, assertion.metric).get(assertion.percentile or "")
        scale = factor("ms", unit)
        if value is None or scale is None:
            return None
        interval = Interval.exact(Decimal(repr(value)))
        formula = f"{_NAMES[assertion.metric]} P{assertion.percentile} = {written(value)} ms"
        return _Figure(at, interval.scaled(scale), unit, formula, False)
    if assertion.metric is EndpointMetric.USER_TPS:
        if point.tps_per_user is None:
            return None
        interval = Interval.exact(Decimal(repr(point.tps_per_user)))
        return _Figure(at, interval, unit, f"{written(point.tps_per_user)} tokens/s/user", False)
    if point.system_tps is None:
        return None
    interval = Interval.exact(Decimal(repr(point.system_tps)))
    if assertion.per is Per.SYSTEM:
        return _Figure(at, interval, unit, point.system_tps_formula, False)
    count = {Per.ACCELERATOR: point.accelerators, Per.NODE: point.nodes}.get(assertion.per)
    if not count or (assertion.per is Per.ACCELERATOR and point.tps_per_accelerator is None):
        return None
    divided = interval / Interval.exact(count)
    noun = f"{assertion.per}s" if count > 1 else str(assertion.per)
    formula = f"{written(point.system_tps)} tokens/s ÷ {count} {noun} = {written(divided.value)} {unit}"
    return _Figure(at, divided, unit, formula, True)


def _left_out(context: CheckContext, rounds: Iterable[str], curves: Iterable[EndpointCurve] | None = None) -> str:
    """The first file that could not be read and may hold what decides; empty if none."""
    places = None if curves is None else [curve.location for curve in curves]
    for round_id in rounds:
        repository = context.results.endpoints.get(round_id)
        for problem in repository.problems if repository is not None else ():
            if places is None or any(place in problem for place in places):
                return clean(problem)
    return ""


def _where(at: _Point, context: CheckContext) -> str:
    model = context.vocabulary.model_display(at.row.model)
    return f"{who(at.row, context)}, {clean(at.row.system)}, {model}, concurrency {at.point.concurrency:,}"


# --- a figure ---------------------------------------------------------------------------------------------------------


def _value(assertion: EndpointAssertion, context: CheckContext) -> Verdict:
    amount = assertion.amount
    if amount is None:
        return unverifiable("not-understood", "The claim gives no figure")
    points = _points(assertion.selection, context)
    if not points:
        return _none(assertion.selection, context)
    curves = {at.curve.location: at.curve for at in points}
    named = _named(points, assertion)
    lost = _left_out(context, assertion.selection.rounds, curves.values())
    if not named:
        return _no_point(assertion, points, lost, context)
    if lost and (assertion.concurrency is None):
        return unverifiable("no-derived-figure", f"A point of the curve could not be read: {lost}")
    figures = [_figure(at, assertion) for at in named]
    known = [figure for figure in figures if figure is not None]
    if not known or (len(known) < len(figures)):
        missing = next(at for at, figure in zip(named, figures, strict=True) if figure is None)
        return unverifiable("no-derived-figure", f"{_lacks(assertion)} ({_where(missing, context)})")
    if (amount.relation is Relation.UP_TO or amount.up_to) and assertion.concurrencies is not Concurrencies.EVERY:
        known = [max(known, key=lambda figure: figure.interval.value)]
        named = [known[0].at]
    basis = _other_basis(named, context)
    if basis is not None:
        return _by_whole_run(basis, known, assertion, context)
    every = assertion.concurrencies is Concurrencies.EVERY
    if every and len(curves) > 1:
        return unverifiable("ambiguous", f"The claim fits {len(curves)} curves; name the submitter and the system")
    good = [figure for figure in known if meets(amount, figure.interval, context, derived=figure.derived).holds]
    words = f"{amount_words(amount)} {unit_words(known[0].unit)}"
    if every:
        return _at_every(assertion, known, good, words, context)
    if not good:
        nearest = sorted(known, key=lambda f: abs(f.interval.value - amount.number.value))[:6]
        message = (
            f"Claimed is {words}; {_where(nearest[0].at, context)} has "
            f"{written(nearest[0].interval.value)} {unit_words(nearest[0].unit)}"
        )
        verdict = failed("value-differs", message, [f.evidence("nearest") for f in nearest])
        return _finish(verdict, nearest[0], assertion, context)
    # A bound that some of several points meet says nothing of the one that is meant.
    if len(good) < len(known) and (amount.relation not in (Relation.EQUAL, Relation.ABOUT) or len(curves) > 1):
        rest = next(figure for figure in known if figure not in good)
        if amount.relation is not Relation.EQUAL or not _telling(assertion):
            message = (
                f"Several points fit the claim; at {_where(good[0].at, context)} it holds, at "
                f"{_where(rest.at, context)} it does not. Name the concurrency and the system"
            )
            return unverifiable("ambiguous", message)
    verdict = passed("value-matches", f"{_where(good[0].at, context)}: {good[0].formula}", [f.evidence() for f in good])
    comparison = meets(amount, good[0].interval, context, derived=good[0].derived)
    verdict = verdict.with_caveats(*mark_caveats(comparison, good[0].interval.value, amount))
    if assertion.concurrency is None and assertion.concurrencies is Concurrencies.ANY:
        text = f"The claim names no concurrency; the figure is that of concurrency {good[0].at.point.concurrency:,}."
        verdict = verdict.with_caveats(Caveat("concurrency-not-stated", text, Severity.WARNING))
    return _finish(verdict, good[0], assertion, context)


def _telling(assertion: EndpointAssertion) -> bool:
    """Whether the number has digits enough to tell one point from another."""
    amount = assertion.amount
    return amount is not None and abs(amount.number.value) >= 100 * amount.number.quantum


def _lacks(assertion: EndpointAssertion) -> str:
    if assertion.metric in _LATENCIES:
        return f"The results do not give {_NAMES[assertion.metric]} P{assertion.percentile}"
    if assertion.per is not Per.SYSTEM:
        return f"A figure per {assertion.per} cannot be had from the results"
    return f"The results do not give {_NAMES[assertion.metric]}"


def _none(selection: Selection, context: CheckContext) -> Verdict:
    """Why no curve is selected; a file that could not be read may be the one."""
    if not any(r in context.results.endpoints for r in selection.rounds):
        return unverifiable("round-not-held", "The curves of the round are not held")
    lost = _left_out(context, selection.rounds)
    verdict = diagnose_empty(selection, context)
    if verdict.outcome is Outcome.FAIL and lost:
        return unverifiable("name-not-in-round", f"No curve fits, but one could not be read: {lost}")
    return verdict


def _no_point(assertion: EndpointAssertion, points: Sequence[_Point], lost: str, context: CheckContext) -> Verdict:
    if lost:
        return unverifiable("no-derived-figure", f"A point of the curve could not be read: {lost}")
    there = sorted({at.point.concurrency for at in points})
    message = (
        f"No point was submitted at concurrency {assertion.concurrency:,}, and a curve is not interpolated; "
        f"submitted are {', '.join(f'{c:,}' for c in there[:12])}{' …' if len(there) > 12 else ''}"
    )
    return failed("no-such-result", message, [evidence_of(at.row, "nearest") for at in points[:6]])


def _other_basis(points: Sequence[_Point], context: CheckContext) -> Verdict | None:
    """The official figures of a steady-state window are not in the files, only those of the whole run."""
    at = next((at for at in points if at.point.whole_run_only), None)
    if at is None:
        return None
    message = (
        f"The official figures of {_where(at, context)} are those of its steady-state window; the files hold those of "
        "the whole run"
    )
    return unverifiable("basis-differs", message)


def _by_whole_run(
    verdict: Verdict, known: Sequence[_Figure], assertion: EndpointAssertion, context: CheckContext
) -> Verdict:
    """The open verdict with how far the figures of the whole run are from the claimed one."""
    amount = assertion.amount
    if amount is None or not amount.number.value:
        return verdict
    near = min(known, key=lambda figure: abs(figure.interval.value - amount.number.value))
    off = abs(near.interval.value / amount.number.value - 1) * 100
    same = (
        "the claimed figure" if meets(amount, near.interval, context, derived=near.derived).holds else "another figure"
    )
    message = (
        f"{verdict.reason.message} The whole run at concurrency {near.at.point.concurrency:,} has "
        f"{written(near.interval.value)} {unit_words(near.unit)}, {same}, {written(off, 2)}% off."
    )
    found = replace(verdict, reason=Reason(verdict.reason.code, message), evidence=(near.evidence("nearest"),))
    return replace(found, computed=Computed(float(near.interval.value), near.unit, near.formula))


def _at_every(
    assertion: EndpointAssertion, known: Sequence[_Figure], good: Sequence[_Figure], words: str, context: CheckContext
) -> Verdict:
    bad = [figure for figure in known if figure not in good]
    if bad:
        message = (
            f"Claimed is {words} at every concurrency; {_where(bad[0].at, context)} has "
            f"{written(bad[0].interval.value)} {unit_words(bad[0].unit)}"
        )
        return _finish(
            failed("value-differs", message, [f.evidence("nearest") for f in bad]), bad[0], assertion, context
        )
    message = f"All {len(good)} points of {_where(good[0].at, context).rpartition(',')[0]} have {words}"
    return _finish(passed("value-matches", message, [f.evidence() for f in good]), good[0], assertion, context)


def _finish(verdict: Verdict, figure: _Figure, assertion: EndpointAssertion, context: CheckContext) -> Verdict:
    """Computed value, and what a reader has to know of the point."""
    verdict = replace(verdict, computed=Computed(float(figure.interval.value), figure.unit, figure.formula))
    caveats = [derived_caveat(figure.formula)] if figure.derived else []
    caveats += _caveats([figure.at], assertion.selection, context)
    return verdict.with_caveats(*caveats)


def _caveats(points: Iterable[_Point], selection: Selection, context: CheckContext) -> list[Caveat]:
    found = []
    for at in points:
        name = _where(at, context)
        if at.point.availability == "preview":
            by = f"; it has to be available by {clean(at.point.available_by)}" if at.point.available_by else ""
            text = f"The result of {name} is Preview{by}: copy has to say MLPerf Endpoints Preview."
            found.append(Caveat("preview-result", text, Severity.WARNING))
        elif at.point.availability == "rdi":
            found.append(Caveat("rdi-result", f"The result of {name} is of an RDI system.", Severity.WARNING))
        if at.curve.round != "endpoints-v0.7":
            text = f"The files of {name} do not say whether peer review has ended; until then results may change."
            found.append(Caveat("peer-review-pending", text, Severity.WARNING))
        found += [Caveat("endpoint-caution", f"{name}: {clean(text)}.", Severity.WARNING) for text in at.point.cautions]
        if not selection.submitters:
            text = f"The claim names no submitter; the result is that of {who(at.row, context)}."
            found.append(Caveat("submitter-not-named", text))
    return found


# --- a place ----------------------------------------------------------------------------------------------------------


def _place(assertion: EndpointAssertion, context: CheckContext) -> Verdict:
    """A place among the curves of the same model. Points at another concurrency are ranked as the claim's words say."""
    scope = assertion.scope or assertion.selection
    mine = _points(assertion.selection, context)
    if not mine:
        return _none(assertion.selection, context)
    models = assertion.selection.models or scope.models
    if not models:
        if len({at.row.model for at in mine}) > 1:
            return unverifiable("model-not-stated", "The claim names no model, and the curves are of several")
        models = (mine[0].row.model,)
    own = {at.curve.location for at in mine}
    others = [at for at in _points(replace(scope, models=models), context) if at.curve.location not in own]
    lost = _left_out(context, assertion.selection.rounds)
    if lost:
        return unverifiable("no-derived-figure", f"A result that may rank could not be read: {lost}")
    basis = _other_basis([*mine, *others], context)
    if basis is not None:
        return basis
    if not others:
        return unverifiable(
            "subject-outside-scope", "Nothing else of the round is held for this model, so there is no place to take"
        )
    if assertion.concurrency is not None or assertion.concurrencies is Concurrencies.EVERY:
        return _at_same(assertion, mine, others, context)
    readings = [
        ("each curve's own points", _rank(assertion, _named(mine, assertion), _named(others, assertion), context))
    ]
    if assertion.concurrencies is not Concurrencies.ANY:
        # "At the highest concurrency" may be the claimed system's own, or a place among all points there are.
        best = _named(mine, assertion)
        same = [at for at in others if at.point.concurrency in {b.point.concurrency for b in best}]
        if same:
            readings.append(("points at the same concurrency", _rank(assertion, best, same, context)))
        ends = {b.point.concurrency for b in best}
        extreme = max if assertion.concurrencies is Concurrencies.HIGHEST else min
        if extreme(at.point.concurrency for at in [*mine, *others]) not in ends:
            message = (
                "The highest concurrency of the round is another system's"
                if extreme is max
                else ("The lowest concurrency of the round is another system's")
            )
            readings.append(("the round's own extreme", failed("not-top", message)))
    return merge_readings(readings, "concurrency that the others are compared at")


def _at_same(
    assertion: EndpointAssertion, mine: Sequence[_Point], others: Sequence[_Point], context: CheckContext
) -> Verdict:
    """At one or every concurrency of the claimed system: only points of the same concurrency compare."""
    wanted = _named(mine, assertion)
    if not wanted:
        return _no_point(assertion, mine, "", context)
    verdict: Verdict | None = None
    alone = []
    for concurrency in sorted({at.point.concurrency for at in wanted}):
        here = [at for at in wanted if at.point.concurrency == concurrency]
        rivals = [at for at in others if at.point.concurrency == concurrency]
        if not rivals:
            alone.append(concurrency)
            continue
        found = _rank(assertion, here, rivals, context)
        if found.outcome is not Outcome.PASS:
            return found
        verdict = found if verdict is None else verdict.with_caveats(*found.caveats)
    if verdict is None or alone:
        named = ", ".join(f"{c:,}" for c in alone[:8])
        return unverifiable("subject-outside-scope", f"Nobody else has a point at concurrency {named} to compare with")
    return verdict


def _rank(
    assertion: EndpointAssertion, mine: Sequence[_Point], others: Sequence[_Point], context: CheckContext
) -> Verdict:
    """The place of the best of `mine`; every curve counts once, with its best point."""
    figures = {id(at): _figure(at, assertion) for at in [*mine, *others]}
    for at in [*mine, *others]:
        if figures[id(at)] is None:
            return unverifiable("no-derived-figure", f"{_lacks(assertion)} ({_where(at, context)})")

    def best(points: Sequence[_Point]) -> _Figure:
        known = [f for at in points if (f := figures[id(at)]) is not None]
        return (min if assertion.lowest else max)(known, key=lambda f: f.interval.value)

    subject = best(mine)
    rivals = sorted(
        (best(points) for points in _curves(others).values()),
        key=lambda f: f.interval.value,
        reverse=not assertion.lowest,
    )
    value = subject.interval.value
    above = [f for f in rivals if (f.interval.value < value if assertion.lowest else f.interval.value > value)]
    level = [f for f in rivals if f.interval.value == value]
    place = len(above) + 1
    word = "lowest" if assertion.lowest else "highest"
    what = _NAMES[assertion.metric] + (f" P{assertion.percentile}" if assertion.percentile else "")
    what += f" per {assertion.per}" if assertion.per is not Per.SYSTEM else ""
    shown = [subject.evidence()] + [f.evidence("above") for f in above]
    told = f"{_where(subject.at, context)} has {written(value)} {unit_words(subject.unit)}"
    if level and place <= assertion.rank:
        return unverifiable("ambiguous", f"{told}, and so has {_where(level[0].at, context)}: they share the place")
    holds = place == assertion.rank if assertion.exact_rank else place <= assertion.rank
    if holds:
        message = f"{told}: place {place} by the {word} {what} of {len(rivals) + 1} curves"
        verdict = passed("top-of-all", message, shown)
    elif above and {f.at.row.division for f in above}.isdisjoint({subject.at.row.division}):
        message = f"{told}; only curves of another division stand above, the best of {_where(above[0].at, context)}"
        return unverifiable("ambiguous", message)
    else:
        lead = above[0] if above else subject
        message = (
            f"{told} and place {place}; {_where(lead.at, context)} has {written(lead.interval.value)} "
            f"{unit_words(lead.unit)}"
        )
        verdict = failed("not-top", message, shown)
    text = f"{len(rivals) + 1} curves given were ranked; whether they are all of the round is not known."
    return _finish(verdict, subject, assertion, context).with_caveats(Caveat("curves-given", text, Severity.WARNING))
