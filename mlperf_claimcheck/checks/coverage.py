"""Checks which benchmarks, platforms and scenarios a submitter has results for, and which not.

The rule's source is `counts and coverage` in the project's semantics: a list is compound, each item is judged, and a
missing one is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from mlperf_claimcheck.checks.combine import EVIDENCE_CAP, capped, failed, merge_readings, passed, unverifiable
from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.names import (
    accelerator_kind,
    hardware_name,
    is_joint,
    is_known_group,
    model_name,
    namer,
    round_name,
    submitter_known,
    submitter_name,
)
from mlperf_claimcheck.checks.ranking import RowKey, benchmark_of, key_of, listing
from mlperf_claimcheck.checks.scope import describe_ranking, describe_selection, keys_of, rows_of
from mlperf_claimcheck.checks.selection import diagnose_empty, evidence_of, suites_of
from mlperf_claimcheck.claims.assertion import CoverageAssertion, Selection
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Outcome, Severity, Verdict
from mlperf_claimcheck.verdicts.text import clean


@dataclass(frozen=True, slots=True)
class _Item:
    """One thing, or one combination of things, that results must exist for."""

    hardware: str | None = None
    models: tuple[str, ...] = ()
    scenario: str | None = None

    def within(self, subject: Selection) -> Selection:
        """The subject's rows for this item."""
        changes: dict[str, object] = {}
        if self.hardware is not None:
            changes["hardware"] = (self.hardware,)
        if self.models:
            changes["models"] = self.models
        if self.scenario is not None:
            changes["scenarios"] = (self.scenario,)
        return replace(subject, **changes)  # type: ignore[arg-type]

    def words(self, context: CheckContext) -> str:
        """The item in words: `NVIDIA HGX B300, DeepSeek-R1`."""
        parts = []
        if self.hardware is not None:
            parts.append(hardware_name(self.hardware, context))
        if self.models:
            parts.append(model_name(self.models, context))
        if self.scenario is not None:
            parts.append(self.scenario)
        return ", ".join(parts)


def check_coverage(assertion: CoverageAssertion, context: CheckContext) -> Verdict:
    """Decides whether results exist, or do not exist, for all items listed."""
    subject = assertion.subject
    unknown = [g for g in subject.groups if not is_known_group(g, context)]
    if unknown:
        groups = ", ".join(f"'{clean(g)}'" for g in unknown)
        return unverifiable("group-unknown", f"Who counts as {groups} is not known: list its members under `groups`")
    if not subject.rounds:
        return unverifiable("round-not-stated", "The claim states no round")
    if assertion.negated:
        return _check_absent(assertion, context)
    rows = rows_of(subject, context)
    if not rows:
        return diagnose_empty(subject, context)
    items = _items(assertion)
    nothing = not items and not assertion.all_models
    if nothing and assertion.hardware_count is None and assertion.model_count is None:
        return unverifiable("not-understood", "The claim names nothing that results should exist for")
    verdicts: list[Verdict] = []
    if items:
        verdicts.append(_present(assertion, items, context))
    if assertion.all_models:
        verdicts.append(_all_models(assertion, rows, context))
    if assertion.hardware_count is not None or assertion.model_count is not None:
        verdicts.append(_counts(assertion, rows, context))
    if assertion.only and items:
        verdicts.append(_nothing_else(assertion, rows, context))
    verdict = max(verdicts, key=lambda v: v.outcome.badness)
    if verdict.outcome is Outcome.PASS:
        evidence = capped([row for v in verdicts for row in v.evidence])
        message = " ".join(v.reason.message for v in verdicts)
        verdict = replace(verdict, reason=replace(verdict.reason, message=message), evidence=evidence)
        for other in verdicts:
            verdict = verdict.with_caveats(*other.caveats)
    return verdict


def _items(assertion: CoverageAssertion) -> list[_Item]:
    """Every combination of the lists, or each entry of each list once."""
    hardware, models, scenarios = assertion.hardware, assertion.models, assertion.scenarios
    if assertion.product:
        if not (hardware or models or scenarios):
            return []
        return [_Item(h, m, s) for h, m, s in product(hardware or (None,), models or ((),), scenarios or (None,))]
    return [
        *(_Item(hardware=h) for h in hardware),
        *(_Item(models=m) for m in models),
        *(_Item(scenario=s) for s in scenarios),
    ]


def _present(assertion: CoverageAssertion, items: Sequence[_Item], context: CheckContext) -> Verdict:
    """Each item has a row of the subject."""
    subject = assertion.subject
    found: list[tuple[_Item, list[ResultRow]]] = []
    missing: list[_Item] = []
    for item in items:
        rows = list(rows_of(item.within(subject), context))
        if rows:
            found.append((item, rows))
        else:
            missing.append(item)
    evidence = [evidence_of(rows[0], role="member") for _, rows in found]
    whose = describe_selection(subject, context)
    who = "".join(f"{submitter_name(s, context)}, " for s in subject.submitters)
    if not missing:
        noun = "item" if len(items) == 1 else "items"
        names = listing([item.words(context) for item in items], 12)
        verdict = passed(
            "coverage-complete", f"Results of {whose} exist for all {len(items)} {noun}: {names}", evidence
        )
        verdict = replace(verdict, computed=Computed(float(len(items)), "items", f"{len(items)} of {len(items)}"))
        return verdict.with_caveats(*_row_marks(found, subject, context))
    names = listing([f"no row for {who}{item.words(context)}" for item in missing])
    absent = [item for item in missing if not _known_in_round(item, subject, context)]
    if len(absent) == len(missing):
        # Nobody in the round has such a name: the results cannot say that this submitter lacks it.
        diagnosis = diagnose_empty(absent[0].within(subject), context)
        if diagnosis.outcome is Outcome.UNVERIFIABLE:
            return replace(diagnosis, evidence=capped(evidence))
    count = f"{len(found)} of {len(items)} items have results" if len(items) > 1 else "There is no such result"
    message = f"{count}: {names} ({describe_ranking(subject, context)})"
    verdict = failed("coverage-missing", message, evidence)
    return replace(verdict, computed=Computed(float(len(found)), "items", f"{len(found)} of {len(items)}"))


def _known_in_round(item: _Item, subject: Selection, context: CheckContext) -> bool:
    """Whether each name of an item occurs in the round at all, with anybody."""
    wide = Selection(rounds=subject.rounds)
    return all(
        bool(rows_of(part.within(wide), context))
        for part in (_Item(hardware=item.hardware), _Item(models=item.models), _Item(scenario=item.scenario))
        if part != _Item()
    )


def _row_marks(
    found: Sequence[tuple[_Item, list[ResultRow]]], subject: Selection, context: CheckContext
) -> list[Caveat]:
    """Items that rest on nothing but Preview, RDI, open or joint rows."""
    caveats: list[Caveat] = []

    def tell(code: str, text: str, severity: Severity, items: list[_Item]) -> None:
        if items:
            caveats.append(Caveat(code, f"{text}: {listing([i.words(context) for i in items])}.", severity))

    for status, code in (("preview", "preview-result"), ("rdi", "rdi-result")):
        early = [item for item, rows in found if all(r.availability == status for r in rows)]
        label = "RDI" if status == "rdi" else "Preview"
        tell(code, f"Only {label} results exist for", Severity.WARNING, early)
    if subject.division is None:
        opened = [item for item, rows in found if all(r.division == "open" for r in rows)]
        tell("open-division", "Only open division results exist for", Severity.WARNING, opened)
    if subject.submitters:
        joint = [item for item, rows in found if all(is_joint(r, context) for r in rows)]
        tell("joint-entry", "Only joint entries with another submitter exist for", Severity.NOTICE, joint)
    else:
        owners = sorted({r.submitter for _, rows in found for r in rows})
        names = listing([namer(context)(o) for o in owners], 8)
        caveats.append(Caveat("submitter-not-named", f"The claim names no submitter; the results are of {names}."))
    return caveats


# --- absence --------------------------------------------------------------------------------------------------------


def _check_absent(assertion: CoverageAssertion, context: CheckContext) -> Verdict:
    """No row exists for any item."""
    items = _items(assertion)
    if not items:
        items = [_Item()]
    stated = _as_stated(assertion.subject)
    narrow = _absent(assertion.subject, items, context)
    if narrow.outcome is not Outcome.PASS:
        return _by_combination(assertion, narrow, context)
    if stated == assertion.subject:
        return narrow
    # "Did not submit" with restrictions that only the file's defaults bring: a row outside them speaks against it.
    wide = _absent(stated, items, context)
    if wide.outcome is Outcome.PASS:
        return wide
    limits = [getattr(assertion.subject, s) for s in ("division", "availability", "suite")]
    label = f"within the defaults ({', '.join(x for x in limits if x)})"
    return merge_readings(
        [(label, narrow), ("over the whole round", wide)], "division, suite and availability it ranges over"
    )


def _as_stated(subject: Selection) -> Selection:
    """The subject without the division, suite and availability that come from defaults."""
    changes: dict[str, object] = {
        slot: None for slot in ("division", "availability", "suite") if slot not in subject.stated
    }
    return replace(subject, **changes)  # type: ignore[arg-type]


def _by_combination(assertion: CoverageAssertion, verdict: Verdict, context: CheckContext) -> Verdict:
    """Several lists that are not marked as a product: "no DeepSeek-R1 on GB200" may mean the combination."""
    lists = sum(bool(x) for x in (assertion.hardware, assertion.models, assertion.scenarios))
    if assertion.product or lists < 2 or verdict.outcome is not Outcome.FAIL:
        return verdict
    combined = _absent(assertion.subject, _items(replace(assertion, product=True)), context)
    if combined.outcome is not Outcome.PASS:
        return verdict
    return merge_readings(
        [("each item for itself", verdict), ("their combinations", combined)], "items or combinations that are denied"
    )


def _absent(subject: Selection, items: Sequence[_Item], context: CheckContext) -> Verdict:
    everything = Selection(rounds=subject.rounds)
    if not rows_of(everything, context):
        return diagnose_empty(everything, context)
    found: dict[RowKey, ResultRow] = {}
    hit: list[_Item] = []
    for item in items:
        rows = rows_of(item.within(subject), context)
        if rows:
            hit.append(item)
            found.update((key_of(row), row) for row in rows)
    whose = describe_selection(subject, context)
    if hit:
        rows_found = list(found.values())
        noun = "result" if len(rows_found) == 1 else "results"
        names = listing([item.words(context) for item in hit if item != _Item()]) or whose
        message = f"{len(rows_found)} {noun} of {whose} exist{'s' if len(rows_found) == 1 else ''}: {names}"
        verdict = failed("result-exists", message, [evidence_of(row) for row in rows_found[:EVIDENCE_CAP]])
        if subject.submitters and all(is_joint(row, context) for row in rows_found):
            joint = listing(sorted({namer(context)(row.submitter) for row in rows_found}))
            verdict = verdict.with_caveats(Caveat("joint-entry", f"All of them are joint entries: {joint}."))
        return verdict
    names = listing([item.words(context) for item in items if item != _Item()], 12)
    message = f"No result of {whose} exists" + (f" for {names}" if names else "")
    rounds = ", ".join(round_name(r, context) for r in subject.rounds)
    caveats: list[Caveat] = []
    if subject.submitters:
        absent = [
            s for s in subject.submitters if not rows_of(Selection(rounds=subject.rounds, submitters=(s,)), context)
        ]
        unknown = [s for s in absent if not submitter_known(s, context)]
        if unknown:
            return unverifiable("unknown-submitter", f"{clean(', '.join(unknown))} is not a known submitter")
        if len(absent) == len(subject.submitters):
            who = " and ".join(submitter_name(s, context) for s in absent)
            message += f"; {who} has no result at all in {rounds}"
            caveats.append(Caveat("submitter-absent", f"{who} has no result at all in {rounds}.", Severity.WARNING))
    for item in items:
        if item != _Item() and not _known_in_round(item, subject, context):
            text = f"Nobody has a result for {item.words(context)} in {rounds}."
            caveats.append(Caveat("not-in-round", text, Severity.WARNING))
    shown = [evidence_of(row, role="member") for row in _other_rows(subject, context)]
    return passed("no-result-exists", message, shown, caveats)


def _other_rows(subject: Selection, context: CheckContext) -> list[ResultRow]:
    """One row for each benchmark that the subject does have, so that a reader can redo the search."""
    plain = Selection(
        rounds=subject.rounds, submitters=subject.submitters, division=subject.division, suite=subject.suite
    )
    if not subject.submitters:
        return []
    first: dict[str, ResultRow] = {}
    for row in rows_of(plain, context):
        first.setdefault(benchmark_of(row.model), row)
    return list(first.values())


# --- all, counts, only ----------------------------------------------------------------------------------------------


def _all_models(assertion: CoverageAssertion, rows: Sequence[ResultRow], context: CheckContext) -> Verdict:
    """The subject has a result on every benchmark that the round publishes in the suite."""
    subject = assertion.subject
    suites = [subject.suite] if subject.suite else sorted({suite for row in rows for suite in suites_of(row)})
    readings = []
    if len(suites) > 1:
        readings = [(suite, _every_benchmark(assertion, suite, context)) for suite in suites]
        readings.append(("both suites", _every_benchmark(assertion, None, context)))
        return merge_readings(readings, "suite")
    return _every_benchmark(assertion, suites[0], context)


def _every_benchmark(assertion: CoverageAssertion, suite: str | None, context: CheckContext) -> Verdict:
    subject = replace(assertion.subject, suite=suite)
    published = rows_of(Selection(rounds=subject.rounds, suite=suite, division=subject.division or "closed"), context)
    groups: dict[str, list[str]] = {}
    for row in published:
        names = groups.setdefault(benchmark_of(row.model), [])
        if row.model not in names:
            names.append(row.model)
    have: dict[str, ResultRow] = {}
    wanted = assertion.hardware or (None,)
    missing: list[str] = []
    for benchmark in sorted(groups):
        for hardware in wanted:
            item = _Item(hardware=hardware, models=tuple(groups[benchmark]))
            rows = rows_of(item.within(subject), context)
            if rows:
                have.setdefault(benchmark, rows[0])
            else:
                missing.append(item.words(context))
    where = f"{'/'.join(round_name(r, context) for r in subject.rounds)} {suite or 'datacenter and edge'}".strip()
    evidence = [evidence_of(row, role="member") for row in have.values()]
    formula = f"{len(have)} of {len(groups)} benchmarks"
    whose = describe_selection(replace(subject, suite=None), context)
    if missing:
        message = f"{whose} has results on {formula} of {where}; no row for {listing(missing, 12)}"
        verdict = failed("coverage-missing", message, evidence)
    else:
        message = f"{whose} has results on all {len(groups)} benchmarks of {where}: {listing(sorted(groups), 20)}"
        verdict = passed("coverage-complete", message, evidence)
    return replace(verdict, computed=Computed(float(len(have)), "benchmarks", formula))


def _counts(assertion: CoverageAssertion, rows: Sequence[ResultRow], context: CheckContext) -> Verdict:
    """ "On four platforms and four models": the lists have that many items, or the subject has that many."""
    problems: list[str] = []
    told: list[str] = []
    caveats: list[Caveat] = []
    for noun, wanted, listed, rules in (
        ("platforms", assertion.hardware_count, len(assertion.hardware), _platform_rules(rows, context)),
        ("models", assertion.model_count, len(assertion.models), _model_rules(rows)),
    ):
        if wanted is None:
            continue
        if listed:
            if listed != wanted:
                problems.append(f"the claim says {wanted} {noun} but lists {listed}")
            else:
                told.append(f"{wanted} {noun} are listed")
            extra = [f"{rule}: {len(members)}" for rule, members in rules if len(members) > wanted]
            if extra and not assertion.only:
                caveats.append(
                    Caveat("more-exist", f"The rows hold more {noun} than the claim lists ({'; '.join(extra)}).")
                )
            continue
        fitting = [(rule, members) for rule, members in rules if len(members) == wanted]
        if fitting:
            rule, members = fitting[0]
            told.append(f"{wanted} {noun} ({rule}): {listing(sorted(clean(m) for m in members), 12)}")
            rest = [f"{r}: {len(m)}" for r, m in rules if len(m) != wanted]
            if rest:
                caveats.append(
                    Caveat("counting-rule", f"Counted with: {rule}. Other ways to count: {'; '.join(rest)}.")
                )
        else:
            counts = "; ".join(f"{rule}: {len(members)}" for rule, members in rules)
            problems.append(f"the claim says {wanted} {noun}, the rows have {counts}")
    if problems:
        differs = "; ".join(problems)
        return failed(
            "count-differs", differs[0].upper() + differs[1:], [evidence_of(r, role="member") for r in rows[:6]]
        )
    summary = "; ".join(told)
    return passed("count-matches", summary[0].upper() + summary[1:], (), caveats)


def _platform_rules(rows: Sequence[ResultRow], context: CheckContext) -> list[tuple[str, set[str]]]:
    kinds = {accelerator_kind(row, context) for row in rows if row.accelerator}
    return [
        ("kinds of accelerator", {kind for kind in kinds if kind}),
        ("accelerator names as published", {row.accelerator for row in rows if row.accelerator}),
    ]


def _model_rules(rows: Sequence[ResultRow]) -> list[tuple[str, set[str]]]:
    return [
        ("accuracy variants of a benchmark as one", {benchmark_of(row.model) for row in rows}),
        ("every benchmark id", {row.model for row in rows}),
    ]


def _nothing_else(assertion: CoverageAssertion, rows: Sequence[ResultRow], context: CheckContext) -> Verdict:
    """Beside the items of each list the subject has nothing."""
    subject = assertion.subject
    others: dict[RowKey, ResultRow] = {}
    if assertion.product:
        covered: frozenset[RowKey] = frozenset()
        for item in _items(assertion):
            covered |= keys_of(rows_of(item.within(subject), context))
        others = {key_of(row): row for row in rows if key_of(row) not in covered}
    else:
        lists = (
            [_Item(hardware=h) for h in assertion.hardware],
            [_Item(models=m) for m in assertion.models],
            [_Item(scenario=s) for s in assertion.scenarios],
        )
        for entries in lists:
            if not entries:
                continue
            covered = frozenset().union(*(keys_of(rows_of(item.within(subject), context)) for item in entries))
            others.update({key_of(row): row for row in rows if key_of(row) not in covered})
    if not others:
        return passed("nothing-else", "There are no results beside those")
    left = list(others.values())
    kinds = sorted({f"{accelerator_kind(r, context) or 'CPU only'}, {r.model}" for r in left})
    noun = "result" if len(left) == 1 else "results"
    message = f"{len(left)} {noun} of {describe_selection(subject, context)} are beside those: {listing(kinds)}"
    return failed("coverage-not-only", message, [evidence_of(row) for row in left])
