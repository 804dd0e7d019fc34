"""Which published rows a claim speaks of, what is said of them, and why there are none.

Everything a claim states restricts the rows; a division that is not stated is closed, since closed and open results
never mix unless the claim says so. A joint entry belongs to each of its parties.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mlperf_claimcheck.claims.assertion import Selection
from mlperf_claimcheck.metrics.units import written
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Evidence, Outcome, Reason, Severity, Verdict
from mlperf_claimcheck.verdicts.text import clean
from mlperf_claimcheck.vocabulary import normalise

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext
    from mlperf_claimcheck.results.corrections import Correction, Corrections

_TABLES_KEPT = 4
_ROWS_KEPT = 1_000_000
"""Rows (counted each time) that kept answers may hold; a reference takes eight bytes."""
_OF_ROWS_KEPT = 20_000
_SHOWN = 6
_VARIANTS = ("-99.9", "-99", "-95")
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
    "machines": "system name",
    "features": "software or equipment",
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


class _Round:
    """The rows of one round, found by the value of a slot. A slot's table is made when it is first asked for."""

    def __init__(self, rows: Sequence[ResultRow]) -> None:
        self.rows = tuple(rows)
        self._tables: dict[str, dict[Any, frozenset[int]]] = {}

    def find(self, slot: str, values: Iterable[Any], keys: Callable[[ResultRow], Iterable[Any]]) -> frozenset[int]:
        """Positions of the rows that have one of the values; `keys` gives a row's values of the slot."""
        table = self._tables.get(slot)
        if table is None:
            places: dict[Any, list[int]] = {}
            for place, row in enumerate(self.rows):
                for value in keys(row):
                    places.setdefault(value, []).append(place)
            table = self._tables[slot] = {value: frozenset(found) for value, found in places.items()}
        found = [table[value] for value in values if value in table]
        return found[0] if len(found) == 1 else frozenset().union(*found)


class RowIndex:
    """The rows of a table by round, and in each round by submitter, benchmark, scenario, hardware and so on.

    Made once for each table: a claim looks only at the rows that could be meant, however many there are.
    """

    def __init__(self, table: Any, vocabulary: Any) -> None:
        self.table = table
        self.vocabulary = vocabulary
        self.submitters: dict[str, str] = {}
        """How reports write a published submitter."""
        self._of_rows: dict[tuple[Any, ...], tuple[ResultRow, Any]] = {}
        self._answers: dict[tuple[Any, ...], Any] = {}
        self._size = 0
        self._rounds: dict[str, _Round] = {}
        self._edge: dict[str, tuple[str, ...]] = {}
        for model in vocabulary.models.values():
            for name in model.ids if model.edge_ids else ():
                self._edge[name] = (*self._edge.get(name, ()), *model.edge_ids)

    def rows_of(self, round_id: str) -> _Round:
        """A round; without rows if it is not held."""
        known = self._rounds.get(round_id)
        if known is None:
            known = self._rounds[round_id] = _Round(self.table.by_round(round_id))
        return known

    def models(self, names: Sequence[str], suite: str | None) -> tuple[str, ...]:
        """Benchmark ids, with the ids that the same benchmarks have in the edge suite where that may be meant."""
        if suite == "datacenter" or not any(name in self._edge for name in names):
            return tuple(names)
        return tuple(dict.fromkeys([*names, *(edge for name in names for edge in self._edge.get(name, ()))]))

    def of_row(self, row: ResultRow, what: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """Something that follows from one row alone (and from the names), kept: many claims are about the same rows."""
        key = (id(row), what)
        known = self._of_rows.get(key)
        # The row is held beside the answer, so that its address cannot become another row's.
        if known is None or known[0] is not row:
            if len(self._of_rows) >= _OF_ROWS_KEPT:
                self._of_rows.clear()
            known = self._of_rows[key] = row, make()
        return known[1]

    def recall(self, key: tuple[Any, ...], make: Callable[[], Any], size: Callable[[Any], int] = len) -> Any:
        """A kept answer, or a new one. All answers are given up when they hold too many rows."""
        known = self._answers.get(key)
        if known is None:
            known = make()
            self._size += size(known) + 1
            if self._size > _ROWS_KEPT:
                self._answers.clear()
                self._size = size(known) + 1
            self._answers[key] = known
        return known


_indexes: list[RowIndex] = []
_evidence: dict[tuple[int, str, float | None, str | None], tuple[ResultRow, Evidence]] = {}


def index_of(context: CheckContext) -> RowIndex:
    """The index of the run's results table."""
    for index in _indexes:
        if index.table is context.results and index.vocabulary is context.vocabulary:
            return index
    made = RowIndex(context.results, context.vocabulary)
    _indexes.insert(0, made)
    del _indexes[_TABLES_KEPT:]
    return made


def selection_key(selection: Selection, drop: frozenset[str] = frozenset()) -> tuple[Any, ...]:
    """What makes two selections select the same rows."""
    s = selection
    return (
        s.rounds, s.suite, s.division, s.availability, s.submitters, s.models, s.scenarios, s.hardware, s.accelerators,
        s.nodes, s.result_ids, s.data_type, s.machines, s.features, s.groups, drop,
    )  # fmt: skip


def select(selection: Selection, context: CheckContext, *, drop: Iterable[str] = frozenset()) -> Selected:
    """The rows that satisfy every restriction of a selection except those of the slots in `drop`.

    Without a round (and `rounds` not dropped) there are none.
    """
    dropped = drop if isinstance(drop, frozenset) else frozenset(drop)
    index = index_of(context)
    if context.groups and selection.groups:
        # The claim file's own groups: another file may mean other members by the same name.
        return _search(selection, index, context, dropped)
    found: Selected = index.recall(
        selection_key(selection, dropped), lambda: _search(selection, index, context, dropped)
    )
    return found


def _search(selection: Selection, index: RowIndex, context: CheckContext, dropped: frozenset[str]) -> Selected:
    rounds = tuple(context.results.rounds) if "rounds" in dropped else selection.rounds
    wanted = _wanted(selection, index, context, dropped)
    tests = _tests(selection, context, dropped)
    found: list[ResultRow] = []
    for round_id in dict.fromkeys(rounds):
        part = index.rows_of(round_id)
        if not wanted:
            rows: Iterable[ResultRow] = part.rows
        else:
            sets = sorted((part.find(slot, values, keys) for slot, values, keys in wanted), key=len)
            places = sets[0].intersection(*sets[1:]) if sets[0] else sets[0]
            rows = (part.rows[place] for place in sorted(places))
        found += [row for row in rows if all(test(row) for test in tests)] if tests else rows
    return Selected(found)


def _wanted(
    s: Selection, index: RowIndex, context: CheckContext, drop: frozenset[str]
) -> list[tuple[str, Iterable[Any], Callable[[ResultRow], Iterable[Any]]]]:
    """For each restriction: the slot, the values of which a row must have one, and a row's values of that slot."""
    vocabulary = context.vocabulary
    found: list[tuple[str, Iterable[Any], Callable[[ResultRow], Iterable[Any]]]] = []
    models = index.models(s.models, s.suite) if s.models and "models" not in drop else ()
    scenarios = s.scenarios if "scenarios" not in drop else ()
    if models and scenarios:
        pairs = [(model, scenario) for model in models for scenario in scenarios]
        found.append(("model+scenario", pairs, lambda row: ((row.model, row.scenario),)))
    elif models:
        found.append(("models", models, lambda row: (row.model,)))
    elif scenarios:
        found.append(("scenarios", scenarios, lambda row: (row.scenario,)))
    if "division" not in drop and _restricts_division(s):
        found.append(("division", (s.division or "closed",), lambda row: (row.division,)))
    if s.suite and "suite" not in drop:
        found.append(("suite", (s.suite,), suites_of))
    if s.availability and "availability" not in drop:
        found.append(("availability", (s.availability,), lambda row: (row.availability,)))
    if s.submitters and "submitters" not in drop:
        found.append(("submitters", s.submitters, lambda row: vocabulary.parties(row.submitter)))
    if s.hardware and "hardware" not in drop:
        found.append(("hardware", s.hardware, vocabulary.classify))
    if s.accelerators is not None and "accelerators" not in drop:
        # Used accelerators are right; the published count of the same row also finds it.
        counts = ("accelerators", (s.accelerators,), lambda row: {row.accelerators, row.accelerators_published})
        found.append(counts)
    if s.nodes is not None and "nodes" not in drop:
        found.append(("nodes", (s.nodes,), lambda row: (row.nodes,)))
    if s.result_ids and "result_ids" not in drop:
        wanted = tuple(map(_plain_id, s.result_ids))
        found.append(("result_ids", wanted, lambda row: (row.result_id.lower(),) if row.result_id else ()))
    return found


def _without_closed(round_id: str) -> bool:
    """Whether a round has no closed division: MLPerf Endpoints has Standardized, Serviced and RDI."""
    return round_id.startswith("endpoints-")


def _restricts_division(s: Selection) -> bool:
    """Whether a selection restricts the division; one that states none means closed, where there is such a division."""
    if s.division == "any":
        return False
    return s.division is not None or not s.rounds or not all(map(_without_closed, s.rounds))


def _tests(s: Selection, context: CheckContext, drop: frozenset[str]) -> list[Predicate]:
    """Restrictions that no table answers."""
    found: list[Predicate] = []
    if s.data_type and "data_type" not in drop:
        wanted = s.data_type
        found.append(lambda row: _has_data_type(row, wanted))
    if s.machines and "machines" not in drop:
        found.append(lambda row: any(_is_machine(row, name, context.vocabulary) for name in s.machines))
    if s.features and "features" not in drop:
        found.append(lambda row: all(_has_feature(row, name, context.vocabulary) for name in s.features))
    if s.groups and "groups" not in drop:
        found.append(lambda row: all(context.vocabulary.group_matches(g, row, context.groups) for g in s.groups))
    return found


def _is_machine(row: ResultRow, name: str, vocabulary: Any) -> bool:
    """Whether a row's system is the server of a claim ("poweredge xe9680l").

    Its model has to stand in the system or platform name, its series as well unless the name tells no series.
    """
    names = normalise.words(row.system) + "|" + normalise.words(row.platform)
    known = vocabulary.lexicon.machine_series
    model = normalise.words(" ".join(word for word in name.split() if word not in known))
    series = [word for word in name.split() if word in known]
    if model.strip() and model not in names:
        return False
    silent = bool(model.strip()) and not any(f" {word} " in names for word in known)
    return silent or all(f" {word} " in names for word in series)


def _has_feature(row: ResultRow, name: str, vocabulary: Any) -> bool:
    """Whether the published columns of a row name a software or an equipment, in that version if one is claimed."""
    known = vocabulary.lexicon.features
    wanted, _, version = name.partition(" ")
    if wanted == "heterogeneous":
        return row.heterogeneous
    if wanted.startswith("sockets-"):
        return row.processors_per_node == int(wanted.removeprefix("sockets-"))
    words = normalise.words(f"{row.software} | {row.accelerator} | {row.platform} | {row.system}").split()
    spelled = [(tuple(normalise.words(s).split()), kind) for kind, spellings in known.items() for s in spellings]
    spelled.sort(key=lambda item: -len(item[0]))
    at = 0
    while at < len(words):
        # The longest name that stands there: TensorRT-LLM is no TensorRT.
        found = next(((s, kind) for s, kind in spelled if tuple(words[at : at + len(s)]) == s), None)
        if found is None:
            at += 1
            continue
        at += len(found[0])
        if found[1] == wanted:
            numbers = [part.removeprefix("v") for part in words[at : at + 4]]
            claimed = version.lower().removeprefix("v").split(".") if version else []
            if numbers[: len(claimed)] == claimed:
                return True
    return False


def benchmark_of(model: str) -> str:
    """A benchmark without its accuracy variant: `llama2-70b` for `llama2-70b-99.9`."""
    for variant in _VARIANTS:
        if model.endswith(variant):
            return model.removesuffix(variant)
    return model


def misfits(row: ResultRow, selection: Selection, context: CheckContext) -> frozenset[str]:
    """The slots of a selection that a row does not satisfy; a division that is not stated asks for closed."""
    s, vocabulary = selection, context.vocabulary
    found = []
    if s.rounds and row.round not in s.rounds:
        found.append("rounds")
    if _restricts_division(s) and row.division != (s.division or "closed"):
        found.append("division")
    if s.suite and s.suite not in suites_of(row):
        found.append("suite")
    if s.availability and row.availability != s.availability:
        found.append("availability")
    if s.models and row.model not in index_of(context).models(s.models, s.suite):
        found.append("models")
    if s.scenarios and row.scenario not in s.scenarios:
        found.append("scenarios")
    if s.accelerators is not None and s.accelerators not in (row.accelerators, row.accelerators_published):
        found.append("accelerators")
    if s.nodes is not None and row.nodes != s.nodes:
        found.append("nodes")
    if s.result_ids and (row.result_id or "").lower() not in map(_plain_id, s.result_ids):
        found.append("result_ids")
    if s.submitters and set(s.submitters).isdisjoint(vocabulary.parties(row.submitter)):
        found.append("submitters")
    if s.hardware and vocabulary.classify(row).isdisjoint(s.hardware):
        found.append("hardware")
    if any(not test(row) for test in _tests(replace(s, groups=(), machines=(), features=()), context, frozenset())):
        found.append("data_type")
    if s.machines and not any(_is_machine(row, name, vocabulary) for name in s.machines):
        found.append("machines")
    if s.features and not all(_has_feature(row, name, vocabulary) for name in s.features):
        found.append("features")
    if s.groups and not all(vocabulary.group_matches(g, row, context.groups) for g in s.groups):
        found.append("groups")
    return frozenset(found)


def _plain_id(result_id: str) -> str:
    return result_id.strip().lower().removeprefix("v")


def with_round_of_ids(selection: Selection) -> Selection:
    """A result ID begins with its round: "6.0-0001" is of Inference v6.0. For a selection that states no round."""
    if selection.rounds or not selection.result_ids:
        return selection
    rounds = []
    for name in selection.result_ids:
        number, found, rest = _plain_id(name).partition("-")
        if not found or not rest.isdecimal() or not number.replace(".", "", 1).isdecimal():
            return selection
        rounds.append(f"inference-v{number}")
    return replace(selection, rounds=tuple(dict.fromkeys(rounds)))


def suites_of(row: ResultRow) -> frozenset[str]:
    """The suites a row belongs to: datacenter, edge or both in MLPerf Inference, else the one suite of its round."""
    if not row.suite and not row.round.startswith("inference-"):
        return frozenset((row.round.partition("-")[0],))  # Training and Endpoints have no datacenter and edge.
    return frozenset(part.strip() for part in row.suite.split(",") if part.strip())


def _has_data_type(row: ResultRow, wanted: str) -> bool:
    # "nvfp4" and "mxfp4" are kinds of fp4; "bf16" is not "fp16".
    text = "".join(c if c.isalnum() else " " for c in row.data_type.lower())
    return any(part.endswith(wanted.lower()) for part in text.split())


_DATA_TYPE = re.compile(r"(?:bf|fp|int|float|bfloat|f)\d{1,2}")


def data_types(row: ResultRow) -> frozenset[str]:
    """The data types of a row's weights as they are usually written: `fp4` for NVFP4 and MXFP4, `bf16`, `int8` …"""
    names = (name.replace("float", "fp") for name in _DATA_TYPE.findall(row.data_type.lower()))
    return frozenset("bf16" if name == "bfp16" else name for name in names)


# --- words ------------------------------------------------------------------------------------------------------------


def who(row: ResultRow, context: CheckContext) -> str:
    """The submitter of a row as reports write it; the parties of a joint entry joined."""
    names = index_of(context).submitters
    known = names.get(row.submitter)
    if known is None:
        known = names[row.submitter] = _who(row, context)
    return known


def _who(row: ResultRow, context: CheckContext) -> str:
    parties = context.vocabulary.parties(row.submitter)
    return clean(" + ".join(context.vocabulary.submitter_display(p) for p in parties) or row.submitter)


@lru_cache(maxsize=256)
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
    if slot == "machines":
        return clean(row.system or row.platform)
    if slot == "features":
        return clean(row.software) or "no software"
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
        return "any division" if selection.division == "any" else selection.division or "closed"
    value = getattr(selection, slot)
    if isinstance(value, tuple):
        return " / ".join(map(clean, value))
    counted = {"accelerators": "accelerator", "nodes": "node"}.get(slot)
    if counted:
        return f"{value} {counted}{'s' if value != 1 else ''}"
    return clean(str(value))


def stated_slots(selection: Selection) -> tuple[str, ...]:
    """The slots of a selection that restrict the rows, apart from the round."""
    unstated = {"division"} if _restricts_division(selection) else set()
    return tuple(slot for slot in _WORDS if slot in unstated or getattr(selection, slot) not in (None, ()))


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
    for slot in ("submitters", "models", "hardware", "machines", "result_ids"):
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
    if selection.machines:
        others = select(selection, context, drop={"machines"})
        if others:
            claimed = _slot_claimed("machines", selection, context)
            names = list(dict.fromkeys(_slot_value("machines", row, context) for row in others))
            message = (
                f"The results of {rounds} that fit the rest do not name the system {claimed} but "
                f"{', '.join(names[:_SHOWN])}{' …' if len(names) > _SHOWN else ''}; system names are free text, so "
                "this does not decide the claim."
            )
            evidence = tuple(evidence_of(row, role="nearest") for row in others[:_SHOWN])
            return Verdict(Outcome.UNVERIFIABLE, Reason("name-not-in-round", message), evidence=evidence)
    if selection.features:
        others = select(selection, context, drop={"features"})
        if others:
            claimed = " and ".join(map(clean, selection.features))
            names = list(dict.fromkeys(_slot_value("features", row, context) for row in others))
            message = (
                f"The results of {rounds} that fit the rest do not tell that {claimed} was used; their software is "
                f"given as {'; '.join(names[:_SHOWN])}{' …' if len(names) > _SHOWN else ''}. These columns are free "
                "text, so this does not decide the claim."
            )
            evidence = tuple(evidence_of(row, role="nearest") for row in others[:_SHOWN])
            return Verdict(Outcome.UNVERIFIABLE, Reason("name-not-in-round", message), evidence=evidence)
    return _no_such_result(selection, rounds, context)


def selection_problem(selection: Selection, context: CheckContext) -> Verdict | None:
    """Why a selection cannot be looked up at all: no round, a round that is not held, a group that nobody knows."""
    if not selection.rounds:
        held = ", ".join(round_words(r) for r in context.results.rounds) or "none"
        message = f"The claim does not say which round it is about; rounds held: {held}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("round-not-stated", message))
    missing = [r for r in selection.rounds if r not in context.results.rounds]
    if missing:
        held = ", ".join(round_words(r) for r in context.results.rounds) or "none"
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
        values: dict[str, None] = {}
        for row in rows:
            values[_slot_value(slot, row, context)] = None
            if len(values) > _SHOWN:
                break
        more = " …" if len(values) > _SHOWN else ""
        claimed = _slot_claimed(slot, selection, context)
        reasons.append(f"the {_WORDS[slot]} is not {claimed} but {', '.join([*values][:_SHOWN])}{more}")
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
    """A row as evidence of a verdict. The same evidence is one object, since many claims rest on the same rows."""
    key = (id(row), role, derived, derived_unit)
    known = _evidence.get(key)
    # The row is held beside the evidence, so that its address cannot become another row's.
    if known is None or known[0] is not row:
        if len(_evidence) >= _OF_ROWS_KEPT:
            _evidence.clear()
        known = _evidence[key] = row, _evidence_of(row, role, derived, derived_unit)
    return known[1]


def _evidence_of(row: ResultRow, role: str, derived: float | None, derived_unit: str | None) -> Evidence:
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


def withdrawn_officially(row: ResultRow, context: CheckContext) -> bool:
    """Whether MLCommons itself withdrew the result after publication."""
    return any(c.kind == "withdrawn" and c.official for c in context.corrections.for_row(row))


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
    corrections = context.corrections
    kept, facts = index_of(context).of_row(row, ("facts", id(corrections)), lambda: _facts_of(row, context))
    # Other corrections may have come to lie where those were.
    for fact in facts if kept is corrections else _facts_of(row, context)[1]:
        add(fact.code, fact.message, fact.severity)
    for hardware in selection.hardware if selection is not None else ():
        product = context.vocabulary.hardware.get(hardware)
        size = product.rack_size if product is not None else None
        if product is not None and size and size >= _RACK and row.accelerators and row.accelerators < size:
            add("partial-system", f"{row.accelerators} of the {size} accelerators of {clean(product.name)} were used.")


def _facts_of(row: ResultRow, context: CheckContext) -> tuple[Corrections, tuple[Caveat, ...]]:
    """What is odd about a row whatever the claim says, with the corrections that were asked."""
    facts: list[Caveat] = []

    def add(code: str, message: str, severity: Severity = Severity.NOTICE) -> None:
        facts.append(Caveat(code, message, severity))

    name = who(row, context)
    if row.availability == "preview":
        add("preview-result", f"The result of {name} is Preview: the system was not yet available.", Severity.WARNING)
    elif row.availability == "rdi":
        text = f"The result of {name} is RDI (research, development or internal): not an available system."
        add("rdi-result", text, Severity.WARNING)
    if row.division != "closed" and not _without_closed(row.round):
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
        official = correction.official
        if correction.kind != "withdrawn":
            _changed(correction, f"The result {row.result_id or ''} of {name}", add)
            continue
        verb = "was withdrawn" if official else "is reported as withdrawn"
        text = f"The result {row.result_id or ''} of {name} {verb} after publication ({clean(correction.date)})."
        add("result-withdrawn" if official else "reported-withdrawn", text, Severity.WARNING)
    return context.corrections, tuple(facts)


def _changed(correction: Correction, name: str, add: Callable[..., None]) -> None:
    verb = "was changed" if correction.official else "is reported as changed"
    text = f"{name} {verb} after publication ({clean(correction.date)}): {clean(correction.what)}."
    if correction.value is not None:
        used = "is used" if correction.official else "is not used, since MLCommons itself does not say so"
        text += f" The new figure {written(correction.value)} {used}."
    add("result-changed" if correction.official else "reported-changed", text, Severity.WARNING)


def _unstated(rows: Sequence[ResultRow], selection: Selection, context: CheckContext, add: Callable[..., None]) -> None:
    if not selection.submitters and not selection.result_ids:
        names = list(dict.fromkeys(who(row, context) for row in rows))
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        text = f"The claim names no submitter; the result is that of {', '.join(names[:_SHOWN])}{more}."
        add("submitter-not-named", text)
    if not selection.scenarios and not all(row.is_time_to_train for row in rows):
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
