"""Counts submitters, results, systems, models, platforms, scenarios and rounds under named rules.

The rule's source is `counts` in the project's semantics: published counts depend on how joint entries, accuracy
variants and divisions are counted, so a figure passes if some named rule gives it, and the report names the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from mlperf_claimcheck.checks.combine import failed, passed, unverifiable
from mlperf_claimcheck.checks.figures import compare_count
from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.names import accelerator_kind, is_joint, is_known_group, namer, parties_of, submitter_name
from mlperf_claimcheck.checks.quantity import amount_words, claimed_of
from mlperf_claimcheck.checks.ranking import benchmark_of, distinct_runs, listing
from mlperf_claimcheck.checks.scope import describe_ranking, rows_of
from mlperf_claimcheck.checks.selection import diagnose_empty, evidence_of, suites_of
from mlperf_claimcheck.claims.assertion import Countable, CountAssertion, Selection
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Evidence, Outcome, Reading, Reason, Verdict
from mlperf_claimcheck.verdicts.text import clean

_DEFAULTED = ("division", "availability", "suite", "data_type")
"""Restrictions that a count leaves out where they come from the file's defaults: "30 organizations submitted" in an
announcement whose defaults are closed and available speaks of the whole round."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one counting rule gives."""

    rule: str
    """The rule in words, for example `joint entries split into their parties`."""
    members: tuple[str, ...]
    """The things counted, by name, sorted."""
    stated: bool = True
    """Counts what the claim's words select. An unqualified result is a closed one, so counting closed ones only does
    too; one suite only, or the file's defaults, are restrictions that the claim does not state."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.members)


def count_base(selection: Selection, what: Countable) -> Selection:
    """The selection without the restrictions that a count does not take over from the defaults."""
    changes: dict[str, object] = {slot: None for slot in _DEFAULTED if slot not in selection.stated}
    if what is Countable.SUBMITTERS and "submitter" not in selection.stated and "submitters" not in selection.stated:
        changes["submitters"] = ()
    return replace(selection, **changes)  # type: ignore[arg-type]


def check_count(assertion: CountAssertion, context: CheckContext) -> Verdict:
    """Decides how many distinct things a selection holds."""
    selection = assertion.selection
    unknown = [g for g in selection.groups if not is_known_group(g, context)]
    if unknown:
        groups = ", ".join(f"'{clean(g)}'" for g in unknown)
        return unverifiable(
            "group-unknown", f"Who counts as {groups} is not known: list its members under `groups` in the claim file"
        )
    if not selection.rounds and assertion.what is not Countable.ROUNDS:
        return unverifiable("round-not-stated", "The claim states no round to count in")
    base = count_base(selection, assertion.what)
    rows = rows_of(base, context)
    if not rows:
        return diagnose_empty(base, context)
    tallies = tallies_of(rows, base, selection, assertion.what, context)
    noun = assertion.what.value
    where = describe_ranking(base, context)
    fitting = [t for t in tallies if compare_count(assertion.amount, t.count, context)]
    fitting.sort(key=lambda t: not t.stated)
    told = "; ".join(f"{t.rule}: {t.count}" for t in tallies)
    words = amount_words(assertion.amount)
    shown = [evidence_of(row, role="member") for row in _samples(rows, assertion.what)]
    if not fitting:
        nearest = min(tallies, key=lambda t: abs(t.count - float(assertion.amount.number.value)))
        message = f"The claim counts {words} {noun}, but no counting rule gives that for {where} ({told})"
        verdict = failed("count-differs", message, shown)
        computed = Computed(float(nearest.count), noun, f"{nearest.rule}: {nearest.count} {noun}")
        return replace(verdict, claimed=claimed_of(assertion.amount, noun), computed=computed)
    if not fitting[0].stated:
        return _ambiguous(fitting, tallies, f"{words} {noun}", shown)
    chosen = fitting[0]
    message = f"{where} has {chosen.count} {noun} ({chosen.rule}): {listing(_names(chosen), 40)}"
    if assertion.what in (Countable.RESULTS, Countable.SYSTEMS):
        message = f"{where} has {chosen.count} {noun} ({chosen.rule})"
    verdict = passed("count-matches", message, shown)
    verdict = replace(
        verdict,
        claimed=claimed_of(assertion.amount, noun),
        computed=Computed(float(chosen.count), noun, f"{chosen.rule}: {chosen.count} {noun}"),
    )
    return verdict.with_caveats(*_rule_caveats(fitting, tallies, noun), *_joint_caveats(rows, assertion, context))


def _ambiguous(fitting: Sequence[Tally], tallies: Sequence[Tally], claimed: str, shown: Sequence[Evidence]) -> Verdict:
    """The figure fits only under a restriction that the claim does not state."""
    rules = "; ".join(f"{t.rule} ({t.count})" for t in fitting)
    message = (
        f"{claimed} fits only when counted with: {rules}; the claim does not say so, and without it the count differs."
    )
    readings = tuple(
        Reading(t.rule, Outcome.PASS if t in fitting else Outcome.FAIL, f"{t.count} counted") for t in tallies
    )
    return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), evidence=tuple(shown), readings=readings)


def _names(tally: Tally) -> list[str]:
    return [clean(name) for name in tally.members]


def _rule_caveats(fitting: Sequence[Tally], tallies: Sequence[Tally], noun: str) -> list[Caveat]:
    """Names the rules that fit, and what the others give."""
    if len({t.count for t in tallies}) == 1:
        return []
    fit = "; ".join(f"{t.rule} ({t.count})" for t in fitting)
    rest = [t for t in tallies if t not in fitting]
    text = f"Counted with: {fit}."
    if rest:
        text += " Other ways to count " + noun + ": " + "; ".join(f"{t.rule} ({t.count})" for t in rest) + "."
    return [Caveat("counting-rule", text)]


def _joint_caveats(rows: Iterable[ResultRow], assertion: CountAssertion, context: CheckContext) -> list[Caveat]:
    if assertion.what is not Countable.SUBMITTERS and not assertion.selection.submitters:
        return []
    joint = sorted({row.submitter for row in rows if is_joint(row, context)})
    if not joint:
        return []
    names = listing([namer(context)(name) for name in joint], 8)
    return [Caveat("joint-entry", f"Joint entries among them: {names}.")]


def _samples(rows: Sequence[ResultRow], what: Countable) -> list[ResultRow]:
    """One row for each thing counted, as far as they are shown."""
    keys: dict[Countable, Callable[[ResultRow], object]] = {
        Countable.SUBMITTERS: lambda r: r.submitter,
        Countable.SYSTEMS: lambda r: (r.submitter, r.system, r.platform),
        Countable.MODELS: lambda r: r.model,
        Countable.SCENARIOS: lambda r: r.scenario,
        Countable.ROUNDS: lambda r: r.round,
        Countable.PLATFORMS: lambda r: r.accelerator,
    }
    key = keys.get(what)
    if key is None:
        return list(rows[:12])
    first: dict[object, ResultRow] = {}
    for row in rows:
        first.setdefault(key(row), row)
    return list(first.values())[:12]


# --- rules ----------------------------------------------------------------------------------------------------------


def tallies_of(
    rows: Sequence[ResultRow], base: Selection, selection: Selection, what: Countable, context: CheckContext
) -> list[Tally]:
    """What every counting rule gives, the plainest rule first; rules that restrict nothing here are left out."""
    parts: list[tuple[str, Sequence[ResultRow]]] = [("", rows)]
    if base.division is None:
        parts.append(("closed division", [row for row in rows if row.division == "closed"]))
    if base.suite is None:
        parts.append(("datacenter suite", [row for row in rows if "datacenter" in suites_of(row)]))
    limits = [x for x in (selection.division, selection.suite, selection.availability) if x is not None]
    if limits and base != selection:
        # The file's own defaults, all together.
        narrow = [
            row
            for row in rows
            if selection.division in (None, row.division)
            and (selection.suite is None or selection.suite in suites_of(row))
            and selection.availability in (None, row.availability)
        ]
        parts.append((f"{', '.join(limits)}", narrow))
    seen: set[tuple[str, ...]] = set()
    tallies: list[Tally] = []
    for label, part in parts:
        if label and len(part) in (0, len(rows)):
            continue
        for rule, members in _rules(part, what, context):
            full = rule if not label else f"{rule}, {label} only"
            tally = Tally(full, tuple(sorted(members)), stated=label in ("", "closed division"))
            if (rule, *tally.members) in seen:
                continue
            seen.add((rule, *tally.members))
            tallies.append(tally)
    return _without_repeats(tallies)


def _without_repeats(tallies: list[Tally]) -> list[Tally]:
    """A rule that counts the very same things as an earlier one adds nothing."""
    kept: list[Tally] = []
    for tally in tallies:
        if all(tally.members != other.members for other in kept):
            kept.append(tally)
    return kept


def _rules(rows: Sequence[ResultRow], what: Countable, context: CheckContext) -> list[tuple[str, set[str]]]:
    if what is Countable.SUBMITTERS:
        split = {submitter_name(party, context) for row in rows for party in parties_of(row.submitter, context)}
        return [
            ("names as published, joint entries as one", {row.submitter for row in rows}),
            ("joint entries split into their parties", split),
        ]
    if what is Countable.RESULTS:
        measured = [row for row in rows if not row.inferred]
        rules = [
            ("every published row", {_row_name(row) for row in rows}),
            ("a run under two accuracy variants counted once", {_row_name(row) for row in distinct_runs(rows)}),
        ]
        if len(measured) < len(rows):
            rules.append(("without inferred results", {_row_name(row) for row in measured}))
        power = [row for row in rows if row.power is not None]
        if power:
            rules.append(("performance rows without power results", {_row_name(r) for r in rows if r.power is None}))
        return rules
    if what is Countable.SYSTEMS:
        rules = [
            ("one for each submitter and platform", {f"{row.submitter}: {row.platform}" for row in rows}),
            ("distinct system names", {row.system for row in rows}),
        ]
        if all(row.result_id for row in rows):
            rules.append(("result IDs", {f"{row.round} {row.result_id}" for row in rows}))
        return rules
    if what is Countable.MODELS:
        return [
            ("accuracy variants of a benchmark as one", {benchmark_of(row.model) for row in rows}),
            (
                "accuracy variants as one, edge variants as their datacenter benchmark",
                {benchmark_of(row.model).removesuffix("-edge") for row in rows},
            ),
            ("every benchmark id", {row.model for row in rows}),
        ]
    if what is Countable.PLATFORMS:
        kinds = {accelerator_kind(row, context) for row in rows if row.accelerator}
        return [
            ("kinds of accelerator", {kind for kind in kinds if kind}),
            ("accelerator names as published", {row.accelerator for row in rows if row.accelerator}),
        ]
    if what is Countable.SCENARIOS:
        return [("scenarios with results", {row.scenario for row in rows})]
    return [("rounds with results", {row.round for row in rows})]


def _row_name(row: ResultRow) -> str:
    return f"{row.round} #{row.index}"
