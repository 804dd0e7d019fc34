"""Whether two rounds may be compared for a benchmark, by MLCommons' compatibility table.

Only results of the same benchmark and scenario from compatible rounds may be compared (MLPerf messaging guidelines);
the table is the lookup. It is kept as data with its date and commit; what it does not cover is `unknown`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mlperf_claimcheck.vocabulary.model import round_number
from mlperf_claimcheck.vocabulary.store import Vocabulary, load_vocabulary


@dataclass(frozen=True, slots=True)
class Comparability:
    """The answer for one benchmark and two rounds."""

    status: str
    """`same-round`, `comparable`, `incomparable` or `unknown`."""
    message: str
    """One sentence."""
    notes: tuple[str, ...] = ()
    """What is known beyond the table; never the verdict."""


def comparable(
    model_id: str,
    suite: str,
    round_a: str,
    round_b: str,
    *,
    scenario: str | None = None,
    vocabulary: Vocabulary | None = None,
) -> Comparability:
    """Whether results of a benchmark id in two rounds may be compared.

    The model is a benchmark id; a generic name's id gives the answer only if it is the same for all its variants.
    `suite` is `datacenter` or `edge` (Inference), or `training`, `hpc`, `mobile`, `storage`, `tiny`, `endpoints`; the
    rounds are ids (`inference-v6.0`) or numbers. With a scenario the notes are those that concern it.
    """
    vocabulary = vocabulary or load_vocabulary()
    suite = suite.lower().removeprefix("inference-").split(",")[0].strip()
    ids = _benchmark_ids(model_id, suite, vocabulary)
    found = [_comparable(i, suite, round_a, round_b, scenario, vocabulary) for i in ids]
    if all(f.status == found[0].status for f in found):
        return found[0]
    return Comparability(
        "unknown", f"{vocabulary.model_display(model_id)} stands for benchmarks that changed differently."
    )


def _benchmark_ids(model_id: str, suite: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    model = vocabulary.models.get(model_id)
    if model is None:
        return (model_id,)
    if suite == "edge" and model.edge_ids:
        return model.edge_ids
    if suite in ("datacenter", "edge"):
        return model.ids or (model_id,)
    return model.other_ids.get(suite, (model_id,))


def _comparable(
    model_id: str, suite: str, round_a: str, round_b: str, scenario: str | None, vocabulary: Vocabulary
) -> Comparability:
    data = vocabulary.compatibility
    part_a, part_b = _suite_of(round_a, suite), _suite_of(round_b, suite)
    first, second = round_number(round_a), round_number(round_b)
    if part_a != part_b:
        return Comparability("incomparable", f"Results of {part_a} and {part_b} are not comparable.")
    notes = tuple(_notes(data, model_id, suite, scenario, first, second))
    name = vocabulary.model_display(model_id)
    if first == second:
        return Comparability("same-round", f"Both results are of v{first}.", ())
    pair = f"v{first} and v{second}"
    if part_a == "endpoints":
        return Comparability(
            "incomparable" if {first, second} == {"0.7", "1.0"} else "unknown",
            f"Endpoints {pair} define their metrics differently."
            if {first, second} == {"0.7", "1.0"}
            else f"No table says whether Endpoints {pair} are comparable.",
            notes,
        )
    columns: Sequence[str] = data["rounds"].get(part_a, ())
    table = f"MLCommons' compatibility table of {data['table']['date']}"
    for number in (first, second):
        if number not in columns:
            return Comparability("unknown", f"v{number} is not covered by {table}.", notes)
    entry = _entry(data.get(suite, ()), model_id)
    if entry is None:
        return Comparability("unknown", f"{name} ({suite}) is not covered by {table}.", notes)
    if "unknown" in entry and _doubtful(entry, first, second):
        return Comparability("unknown", f"{table} is not clear for {name}: {entry['unknown']}", notes)
    sets = [_expand(s, columns) for s in entry["sets"]]
    if any(first in s and second in s for s in sets):
        return Comparability("comparable", f"{name} results of {pair} are comparable by {table}.", notes)
    absent = [n for n in (first, second) if not any(n in s for s in sets)]
    if absent:
        return Comparability("unknown", f"{name} ({suite}) was not in v{absent[0]} by {table}.", notes)
    return Comparability("incomparable", f"{name} changed between {pair} by {table}: not comparable.", notes)


def _suite_of(round_id: str, suite: str) -> str:
    head, found, _ = round_id.strip().lower().rpartition("-v")
    if found:
        return head
    return "inference" if suite in ("datacenter", "edge") else suite


def _entry(entries: Sequence[Mapping[str, Any]], model_id: str) -> Mapping[str, Any] | None:
    return next((e for e in entries if model_id in e["models"]), None)


def _expand(spec: str, columns: Sequence[str]) -> Sequence[str]:
    first, _, last = spec.partition("..")
    return columns[columns.index(first) : columns.index(last or first) + 1]


def _doubtful(entry: Mapping[str, Any], first: str, second: str) -> bool:
    pairs = entry.get("unknown_pairs")
    return pairs is None or any(_is_pair(pair, first, second) for pair in pairs)


def _is_pair(pair: Sequence[str], first: str, second: str) -> bool:
    one, other = pair
    if other == "*":
        return one in (first, second)
    return {one, other} == {first, second}


def _notes(
    data: Mapping[str, Any], model_id: str, suite: str, scenario: str | None, first: str, second: str
) -> Iterator[str]:
    for entry in data.get("notes", ()):
        if model_id not in entry["models"] or suite not in entry.get("suites", (suite,)):
            continue
        if scenario is not None and scenario not in entry.get("scenarios", (scenario,)):
            continue
        if first != second and _spans(entry["rounds"], first, second):
            yield entry["note"]


def _spans(pair: Sequence[str], first: str, second: str) -> bool:
    """Whether a comparison of two rounds crosses the step that a note speaks of."""
    low, high = sorted((first, second), key=_order)
    start, end = pair
    if end == "*":
        return low == start
    return _order(low) <= _order(start) and _order(end) <= _order(high)


def _order(number: str) -> tuple[int, ...]:
    return tuple(int(p) if p.isdigit() else 0 for p in number.split("."))
