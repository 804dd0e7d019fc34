"""Questions to the table: rows by name, and the best of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from mlperf_claimcheck.metrics.units import lower_is_better
from mlperf_claimcheck.results.model import ResultRow

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary

PER = ("system", "accelerator", "node")
_Test = Callable[[ResultRow], bool]


@dataclass(frozen=True, slots=True)
class Query:
    """What rows must be; None does not restrict. Names may be written in any known way, or be a part of a name."""

    model: str | None = None
    scenario: str | None = None
    submitter: str | None = None
    system: str | None = None
    """A system, platform or accelerator."""
    suite: str | None = None
    division: str | None = None
    availability: str | None = None


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A part of a query that no row satisfies."""

    name: str
    """The query's field."""
    asked: str
    nearest: tuple[str, ...]
    """Names that the rows do have, nearest first."""


def matching(rows: Iterable[ResultRow], query: Query, vocabulary: Vocabulary) -> list[ResultRow]:
    """The rows that satisfy all parts of the query, in their order."""
    tests = _tests(query, vocabulary).values()
    return [row for row in rows if all(test(row) for test in tests)]


def unmatched(rows: Sequence[ResultRow], query: Query, vocabulary: Vocabulary) -> tuple[Unmatched, ...]:
    """The parts of a query that no row satisfies by themselves."""
    found = []
    for name, test in _tests(query, vocabulary).items():
        if not any(test(row) for row in rows):
            asked = str(getattr(query, name))
            found.append(Unmatched(name, asked, _nearest(asked, {n for row in rows for n in _names(name, row)})))
    return tuple(found)


def divided(row: ResultRow, per: str) -> float | None:
    """A row's throughput per `system`, `accelerator` or `node`.

    None where it has no meaning: latencies, several kinds of accelerator, no or an unknown number of them.
    """
    if per == "system":
        return row.value
    if lower_is_better(row.unit):
        return None
    if per == "node":
        return row.value / row.nodes if row.nodes else None
    return None if row.heterogeneous or not row.accelerators else row.value / row.accelerators


def best(rows: Iterable[ResultRow], top: int, per: str) -> list[ResultRow]:
    """The best `top` rows of each group of rows that may be compared, best first; equal ones in file order.

    A group is one round, suite, division, benchmark, scenario and unit, with or without measured power (source: the
    compatibility table of MLCommons' policies, which lets none of these mix).
    """
    groups: dict[tuple[str | bool, ...], list[tuple[float, ResultRow]]] = {}
    for row in rows:
        value = divided(row, per)
        if value is not None:
            key = (row.round, row.suite, row.division, row.model, row.scenario, row.unit, row.power is not None)
            groups.setdefault(key, []).append((value, row))
    chosen: list[ResultRow] = []
    for _, found in sorted(groups.items()):
        sign = 1 if lower_is_better(found[0][1].unit) else -1
        chosen += [row for _, row in sorted(found, key=lambda item: (sign * item[0], item[1].index))[:top]]
    return chosen


def plain(text: str) -> str:
    """Text as names are compared: without case, spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", text.casefold())


def _tests(query: Query, vocabulary: Vocabulary) -> dict[str, _Test]:
    makers: dict[str, Callable[[str, Vocabulary], _Test]] = {
        "model": _model,
        "scenario": _whole("scenario"),
        "submitter": _submitter,
        "system": _system,
        "suite": _suite,
        "division": _whole("division"),
        "availability": _whole("availability"),
    }
    asked = {f.name: getattr(query, f.name) for f in fields(query)}
    return {name: makers[name](text, vocabulary) for name, text in asked.items() if text is not None}


def _model(text: str, vocabulary: Vocabulary) -> _Test:
    known = vocabulary.find_model(text)
    if known is not None and known.ids:
        ids = {*known.ids, *known.edge_ids}
        return lambda row: row.model in ids
    part = plain(text)
    return lambda row: part in plain(row.model)


def _submitter(text: str, vocabulary: Vocabulary) -> _Test:
    known = vocabulary.find_submitter(text)
    if known is not None:
        return lambda row: known.id in vocabulary.parties(row.submitter)
    part = plain(text)
    return lambda row: part in plain(row.submitter)


def _system(text: str, vocabulary: Vocabulary) -> _Test:
    # A known name is matched as such: as a part of a name, B200 would be found in GB200.
    known = vocabulary.find_hardware(text)
    if known is not None:
        return lambda row: vocabulary.hardware_matches(known.id, row)
    part = plain(text)
    return lambda row: any(part in plain(name) for name in (row.system, row.platform, row.accelerator))


def _suite(text: str, _: Vocabulary) -> _Test:
    want = plain(text)
    return lambda row: want in row.suite.split(",")


def _whole(name: str) -> Callable[[str, Vocabulary], _Test]:
    def make(text: str, _: Vocabulary) -> _Test:
        want = plain(text)
        return lambda row: plain(getattr(row, name)) == want

    return make


def _names(name: str, row: ResultRow) -> tuple[str, ...]:
    if name == "system":
        return (row.system, row.platform, row.accelerator)
    return (str(getattr(row, name)),)


def _nearest(asked: str, names: Iterable[str]) -> tuple[str, ...]:
    from rapidfuzz import fuzz, process

    found = process.extract(
        asked[:100], sorted(n for n in names if n), scorer=fuzz.WRatio, processor=plain, score_cutoff=60, limit=3
    )
    return tuple(name for name, _, _ in found)
