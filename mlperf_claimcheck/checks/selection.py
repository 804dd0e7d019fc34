"""Which published rows a claim speaks of, what is said of them, and why there are none.

Everything a claim states restricts the rows; a division that is not stated is closed, since closed and open results
never mix unless the claim says so. A joint entry belongs to each of its parties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mlperf_claimcheck.claims.assertion import Selection
from mlperf_claimcheck.metrics.units import written
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Evidence, Outcome, Reason, Severity, Verdict

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_TABLES_KEPT = 4
_ANSWERS_KEPT = 4096
_SHOWN = 6
_RACK = 16
"""A product of at least this many accelerators may be submitted in part."""
_WORDS = {
    "suite": "suite",
    "division": "division",
    "availability": "availability",
    "submitters": "submitter",
    "models": "benchmark",
    "scenarios": "scenario",
    "hardware": "hardware",
    "accelerators": "number of accelerators",
    "nodes": "number of nodes",
    "result_ids": "result ID",
    "data_type": "data type",
    "groups": "group",
}
Predicate = Callable[[ResultRow], bool]


class Selected(tuple[ResultRow, ...]):
    """The rows of a selection, in the order of the published file."""

    __slots__ = ()

    @property
    def rows(self) -> tuple[ResultRow, ...]:
        """The rows themselves."""
        return tuple(self)


class RowIndex:
    """The rows of a table by round and benchmark, made once for each round that is asked for."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.answers: dict[tuple[Selection, frozenset[str], int], Selected] = {}
        self._rounds: dict[str, dict[str, tuple[ResultRow, ...]]] = {}

    def models(self, round_id: str) -> dict[str, tuple[ResultRow, ...]]:
        """The rows of a round by benchmark; empty for a round that is not held."""
        known = self._rounds.get(round_id)
        if known is None:
            grouped: dict[str, list[ResultRow]] = {}
            if round_id in self.table.rounds:
                for row in self.table.by_round(round_id):
                    grouped.setdefault(row.model, []).append(row)
            known = self._rounds[round_id] = {model: tuple(rows) for model, rows in grouped.items()}
        return known

    def rows(self, rounds: Iterable[str], models: Sequence[str] = ()) -> Iterable[ResultRow]:
        """The rows of these rounds, of these benchmarks if any are given."""
        for round_id in dict.fromkeys(rounds):
            groups = self.models(round_id)
            for model in dict.fromkeys(models) if models else groups:
                yield from groups.get(model, ())


_indexes: list[RowIndex] = []


def index_of(context: CheckContext) -> RowIndex:
    """The index of the run's results table."""
    for index in _indexes:
        if index.table is context.results:
            return index
    made = RowIndex(context.results)
    _indexes.insert(0, made)
    del _indexes[_TABLES_KEPT:]
    return made


def select(selection: Selection, context: CheckContext, *, drop: Iterable[str] = frozenset()) -> Selected:
    """The rows that satisfy every restriction of a selection except those of the slots in `drop`.

    Without a round (and `rounds` not dropped) there are none.
    """
    dropped = frozenset(drop)
    index = index_of(context)
    plain = replace(selection, stated=frozenset(), whole_rack=False)
    # The claim file's groups and another vocabulary would give other answers: such answers are not kept.
    key = None if context.groups and selection.groups else (plain, dropped, id(context.vocabulary))
    known = index.answers.get(key) if key is not None else None
    if known is not None:
        return known
    rounds = tuple(context.results.rounds) if "rounds" in dropped else selection.rounds
    models = () if "models" in dropped else selection.models
    tests = _predicates(selection, context, dropped)
    found = Selected(row for row in index.rows(rounds, models) if all(test(row) for test in tests))
    if key is not None:
        if len(index.answers) >= _ANSWERS_KEPT:
            index.answers.clear()
        index.answers[key] = found
    return found


def _predicates(selection: Selection, context: CheckContext, drop: frozenset[str]) -> list[Predicate]:
    s, vocabulary = selection, context.vocabulary
    found: dict[str, Predicate] = {}
    division = s.division or "closed"
    found["division"] = lambda row: row.division == division
    if s.suite:
        found["suite"] = lambda row: s.suite in suites_of(row)
    if s.availability:
        found["availability"] = lambda row: row.availability == s.availability
    if s.scenarios:
        found["scenarios"] = lambda row: row.scenario in s.scenarios
    if s.accelerators is not None:
        found["accelerators"] = lambda row: s.accelerators in (row.accelerators, row.accelerators_published)
    if s.nodes is not None:
        found["nodes"] = lambda row: row.nodes == s.nodes
    if s.result_ids:
        wanted = {r.strip().lower().removeprefix("v") for r in s.result_ids}
        found["result_ids"] = lambda row: row.result_id is not None and row.result_id.lower() in wanted
    if s.submitters:
        named = frozenset(s.submitters)
        found["submitters"] = lambda row: not named.isdisjoint(vocabulary.parties(row.submitter))
    if s.data_type:
        found["data_type"] = lambda row: _has_data_type(row, s.data_type or "")
    if s.hardware:
        found["hardware"] = lambda row: any(vocabulary.hardware_matches(h, row) for h in s.hardware)
    if s.groups:
        found["groups"] = lambda row: all(vocabulary.group_matches(g, row, context.groups) for g in s.groups)
    return [test for slot, test in found.items() if slot not in drop]


def suites_of(row: ResultRow) -> frozenset[str]:
    """The suites a row belongs to; a submission may be for both."""
    return frozenset(part.strip() for part in row.suite.split(",") if part.strip())


def _has_data_type(row: ResultRow, wanted: str) -> bool:
    # "nvfp4" and "mxfp4" are kinds of fp4; "bf16" is not "fp16".
    text = "".join(c if c.isalnum() else " " for c in row.data_type.lower())
    return any(part.endswith(wanted.lower()) for part in text.split())


# --- words ------------------------------------------------------------------------------------------------------------


def clean(text: str) -> str:
    """A published name for a sentence: no control or direction marks, not too long."""
    shown = "".join(c for c in text if c.isprintable())
    return shown if len(shown) <= 80 else shown[:79] + "…"


def who(row: ResultRow, context: CheckContext) -> str:
    """The submitter of a row as reports write it; the parties of a joint entry joined."""
    parties = context.vocabulary.parties(row.submitter)
    return clean(" + ".join(context.vocabulary.submitter_display(p) for p in parties) or row.submitter)


def round_words(round_id: str) -> str:
    """`Inference v6.1` for `inference-v6.1`."""
    suite, found, number = round_id.rpartition("-v")
    return clean(f"{suite.capitalize()} v{number}" if found else round_id)


def row_words(row: ResultRow, context: CheckContext) -> str:
    """A row in a few words: whose, which system, benchmark, scenario, round."""
    count = f"{row.accelerators}x " if row.accelerators else ""
    hardware = f"{count}{clean(row.accelerator)}" if row.accelerator else "CPU only"
    marks = [row.availability] if row.availability != "available" else []
    marks += [row.division] if row.division != "closed" else []
    tail = f" [{', '.join(marks)}]" if marks else ""
    return (
        f"{who(row, context)}, {hardware}, {context.vocabulary.model_display(row.model)} {row.scenario}, "
        f"{round_words(row.round)}{tail}"
    )


def _slot_value(slot: str, row: ResultRow, context: CheckContext) -> str:
    if slot in ("submitters", "groups"):
        return who(row, context)
    if slot == "hardware":
        return clean(row.accelerator) or "CPU only"
    if slot == "accelerators":
        return "none" if row.accelerators is None else str(row.accelerators)
    if slot == "models":
        return context.vocabulary.model_display(row.model)
    field = {"scenarios": "scenario", "result_ids": "result_id"}.get(slot, slot)
    return clean(str(getattr(row, field)))


def _slot_claimed(slot: str, selection: Selection, context: CheckContext) -> str:
    vocabulary = context.vocabulary
    if slot == "submitters":
        return " or ".join(clean(vocabulary.submitter_display(s)) for s in selection.submitters)
    if slot == "hardware":
        return " or ".join(clean(vocabulary.hardware_display(h)) for h in selection.hardware)
    if slot == "models":
        return " / ".join(dict.fromkeys(clean(vocabulary.model_display(m)) for m in selection.models))
    if slot == "division":
        return selection.division or "closed"
    value = getattr(selection, slot)
    if isinstance(value, tuple):
        return " / ".join(map(clean, value))
    counted = {"accelerators": "accelerator", "nodes": "node"}.get(slot)
    if counted:
        return f"{value} {counted}{'s' if value != 1 else ''}"
    return clean(str(value))


def stated_slots(selection: Selection) -> tuple[str, ...]:
    """The slots of a selection that restrict the rows, apart from the round."""
    return tuple(slot for slot in _WORDS if slot == "division" or getattr(selection, slot) not in (None, ()))


def describe(selection: Selection, context: CheckContext) -> str:
    """What a selection states, in words."""
    parts = [_slot_claimed(slot, selection, context) for slot in stated_slots(selection)]
    return ", ".join([*parts, *map(round_words, selection.rounds)])


# --- no rows ----------------------------------------------------------------------------------------------------------


def diagnose_empty(selection: Selection, context: CheckContext) -> Verdict:
    """Why a selection has no rows.

    Unverifiable: no round (`round-not-stated`), a round that is not held (`round-not-held`), a group nobody knows
    (`group-unknown`), a name that does not occur in the round (`name-not-in-round`). Else fail: `no-such-result`, with
    the restrictions that leave nothing and what exists.
    """
    problem = selection_problem(selection, context)
    if problem is not None:
        return problem
    rounds = " and ".join(round_words(r) for r in selection.rounds)
    for slot in ("submitters", "models", "hardware", "result_ids"):
        names = getattr(selection, slot)
        if not names:
            continue
        alone = replace(Selection(rounds=selection.rounds), **{slot: names})
        if select(alone, context, drop={"division"}):
            continue
        near = ""
        if slot in ("models", "submitters"):
            every = select(Selection(rounds=selection.rounds), context, drop={"division"})
            present = sorted({_slot_value(slot, row, context) for row in every})
            near = f" In that round: {', '.join(present[:12])}{' …' if len(present) > 12 else ''}."
        claimed = _slot_claimed(slot, selection, context)
        message = f"No result of {rounds} has the {_WORDS[slot]} {claimed}, so the round cannot decide the claim.{near}"
        return Verdict(Outcome.UNVERIFIABLE, Reason("name-not-in-round", message))
    return _no_such_result(selection, rounds, context)


def selection_problem(selection: Selection, context: CheckContext) -> Verdict | None:
    """Why a selection cannot be looked up at all: no round, a round that is not held, a group that nobody knows."""
    held = ", ".join(round_words(r) for r in context.results.rounds) or "none"
    if not selection.rounds:
        message = f"The claim does not say which round it is about; rounds held: {held}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("round-not-stated", message))
    missing = [r for r in selection.rounds if r not in context.results.rounds]
    if missing:
        message = f"The results of {', '.join(map(round_words, missing))} are not held; rounds held: {held}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("round-not-held", message))
    unknown = [g for g in selection.groups if not context.vocabulary.group_known(g, context.groups)]
    if unknown:
        message = f"It is not known who belongs to '{clean(unknown[0])}': list its members under `groups`."
        return Verdict(Outcome.UNVERIFIABLE, Reason("group-unknown", message))
    return None


def _no_such_result(selection: Selection, rounds: str, context: CheckContext) -> Verdict:
    slots = stated_slots(selection)
    reasons: list[str] = []
    evidence: list[Evidence] = []
    for slot in slots:
        rows = select(selection, context, drop={slot})
        if not rows:
            continue
        values = list(dict.fromkeys(_slot_value(slot, row, context) for row in rows))
        more = " …" if len(values) > _SHOWN else ""
        claimed = _slot_claimed(slot, selection, context)
        reasons.append(f"the {_WORDS[slot]} is not {claimed} but {', '.join(values[:_SHOWN])}{more}")
        evidence += [evidence_of(row, role="nearest") for row in rows[:_SHOWN]]
    what = ", ".join(_slot_claimed(slot, selection, context) for slot in slots)
    if reasons:
        message = f"No published result of {rounds} fits all of: {what}; where the rest fits, {'; '.join(reasons)}."
    else:
        message = f"No published result of {rounds} fits all of: {what}; more than one of them does not fit."
    return Verdict(Outcome.FAIL, Reason("no-such-result", message), evidence=tuple(dict.fromkeys(evidence))[:12])


# --- rows in a verdict ------------------------------------------------------------------------------------------------


def evidence_of(
    row: ResultRow, role: str = "subject", derived: float | None = None, derived_unit: str | None = None
) -> Evidence:
    """A row as evidence of a verdict."""
    return Evidence(
        row.round,
        row.result_id,
        row.submitter,
        row.system,
        row.platform,
        row.accelerator,
        row.accelerators,
        row.nodes,
        row.model,
        row.scenario,
        row.division,
        row.availability,
        row.suite,
        row.value,
        row.unit,
        row.location,
        role,
        derived,
        derived_unit,
    )


def is_official(authority: str) -> bool:
    """Whether a correction is MLCommons' own word."""
    return authority in ("mlcommons", "official")


def withdrawn_officially(row: ResultRow, context: CheckContext) -> bool:
    """Whether MLCommons itself withdrew the result after publication."""
    return any(c.kind == "withdrawn" and is_official(c.authority) for c in context.corrections.for_row(row))


def row_caveats(
    rows: ResultRow | Sequence[ResultRow],
    selection: Selection | CheckContext | None = None,
    context: CheckContext | None = None,
) -> tuple[Caveat, ...]:
    """What a careful reader is told of rows that a verdict rests on.

    With a selection also what the claim leaves open about them (`row_caveats(row, context)` is the short form without).
    """
    if context is None:
        assert selection is not None
        assert not isinstance(selection, Selection)
        context, selection = selection, None
    assert selection is None or isinstance(selection, Selection)
    found: dict[tuple[str, str], Caveat] = {}

    def add(code: str, message: str, severity: Severity = Severity.NOTICE) -> None:
        found.setdefault((code, message), Caveat(code, message, severity))

    shown = (rows,) if isinstance(rows, ResultRow) else tuple(rows)
    for row in shown:
        _row_facts(row, selection, context, add)
    if selection is not None and shown:
        _unstated(shown, selection, context, add)
    return tuple(found.values())


def _row_facts(row: ResultRow, selection: Selection | None, context: CheckContext, add: Callable[..., None]) -> None:
    name = who(row, context)
    if row.availability == "preview":
        add("preview-result", f"The result of {name} is Preview: the system was not yet available.", Severity.WARNING)
    elif row.availability == "rdi":
        text = f"The result of {name} is RDI (research, development or internal): not an available system."
        add("rdi-result", text, Severity.WARNING)
    if row.division != "closed":
        add("open-division", f"The result of {name} is of the {row.division} division.", Severity.WARNING)
    if context.vocabulary.is_joint(row.submitter):
        add("joint-entry", f"The result is a joint entry of {name}.")
    counts = {
        "used": row.accelerators,
        "published": row.accelerators_published,
        "in the platform's name": row.accelerators_platform,
    }
    if row.accelerators is not None and len({c for c in counts.values() if c}) > 1:
        told = ", ".join(f"{count} {label}" for label, count in counts.items() if count is not None)
        add("accelerator-count-conflict", f"The row's own accelerator counts disagree: {told}.", Severity.WARNING)
    if row.inferred:
        add("inferred-result", f"The {row.scenario} figure was inferred from another scenario's run.")
    label, true = context.vocabulary.true_units(row.model, row.scenario, row.round)
    if true is not None and label != true:
        model = context.vocabulary.model_display(row.model)
        text = f"The results table says {label or row.unit} for {model} {row.scenario}; the figure is in {true}."
        add("unit-label-conflict", text)
    for correction in context.corrections.for_row(row):
        if correction.kind != "withdrawn":
            continue
        official = is_official(correction.authority)
        verb = "was withdrawn" if official else "is reported as withdrawn"
        text = f"The result {row.result_id or ''} of {name} {verb} after publication ({clean(correction.date)})."
        add("result-withdrawn" if official else "reported-withdrawn", text, Severity.WARNING)
    for hardware in selection.hardware if selection is not None else ():
        product = context.vocabulary.hardware.get(hardware)
        size = product.rack_size if product is not None else None
        if product is not None and size and size >= _RACK and row.accelerators and row.accelerators < size:
            add("partial-system", f"{row.accelerators} of the {size} accelerators of {clean(product.name)} were used.")


def _unstated(rows: Sequence[ResultRow], selection: Selection, context: CheckContext, add: Callable[..., None]) -> None:
    if not selection.submitters and not selection.result_ids:
        names = list(dict.fromkeys(who(row, context) for row in rows))
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        text = f"The claim names no submitter; the result is that of {', '.join(names[:_SHOWN])}{more}."
        add("submitter-not-named", text)
    if not selection.scenarios:
        add("scenario-not-named", f"The claim names no scenario; the figure is {_join({r.scenario for r in rows})}.")
    if not selection.models:
        models = {context.vocabulary.model_display(r.model) for r in rows}
        add("model-not-named", f"The claim names no benchmark; the figure is that of {_join(models)}.")
    if selection.whole_rack:
        add("whole-rack-assumed", f"One whole product was read as all of its {selection.accelerators} accelerators.")


def _join(names: set[str]) -> str:
    return ", ".join(sorted(names))


def figure(row: ResultRow) -> str:
    """A row's published figure with its unit."""
    return f"{written(row.value)} {row.unit}"
