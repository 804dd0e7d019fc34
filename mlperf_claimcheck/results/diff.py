"""Two versions of a round's results: which rows came, went or changed, and which verdicts change with them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.repository.layout import location_key
from mlperf_claimcheck.verdicts.model import Outcome, Verdict


class ChangeKind(StrEnum):
    """What became of a row between two versions."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RENAMED = "renamed"
    """The same result under another submitter, platform or model name."""


FieldValue = str | int | float | bool | None

COMPARED = tuple(f.name for f in fields(ResultRow) if f.name != "index")
"""Fields that are compared: all but the position in the file, which moves whenever a row comes or goes."""

VALUE_FIELDS = frozenset({"value", "unit"})
"""Fields whose change means that the result itself changed."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of a row in both versions."""

    name: str
    before: FieldValue
    after: FieldValue


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row that is not the same in both versions."""

    kind: ChangeKind
    before: ResultRow | None
    after: ResultRow | None
    fields: tuple[FieldChange, ...] = ()

    @property
    def row(self) -> ResultRow:
        """The newer of the two rows."""
        row = self.after if self.after is not None else self.before
        assert row is not None
        return row

    @property
    def value_changed(self) -> bool:
        """Whether the performance figure or its unit changed."""
        return any(change.name in VALUE_FIELDS for change in self.fields)


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A claim that gets another verdict under the other version."""

    id: str
    text: str
    file: str | None
    line: int | None
    before: Outcome | None
    after: Outcome | None
    before_reason: str = ""
    after_reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultsDiff:
    """All differences between two versions of the results."""

    changes: tuple[RowChange, ...]
    rows_before: int
    rows_after: int
    rounds: tuple[str, ...]
    """The rounds that were compared."""
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()
    """Rounds that one side alone holds; their rows are not compared."""

    @property
    def counts(self) -> dict[str, int]:
        """Changes of each kind."""
        found = Counter(change.kind for change in self.changes)
        return {kind.value: found[kind] for kind in ChangeKind}

    @property
    def field_counts(self) -> dict[str, int]:
        """How many rows changed in each field, most first."""
        return dict(Counter(c.name for change in self.changes for c in change.fields).most_common())

    @property
    def values_changed(self) -> int:
        """Rows whose performance figure changed."""
        return sum(change.value_changed for change in self.changes)

    def to_dict(self) -> dict[str, object]:
        """The JSON report."""
        return {
            "summary": {
                **self.counts,
                "values_changed": self.values_changed,
                "rows_before": self.rows_before,
                "rows_after": self.rows_after,
                "fields": self.field_counts,
            },
            "rounds": list(self.rounds),
            "only_before": list(self.only_before),
            "only_after": list(self.only_after),
            "rows": [_change_dict(change) for change in self.changes],
        }


class DiffError(Exception):
    """The two sides cannot be compared; the message says why and what to give."""


def diff_rows(before: Iterable[ResultRow], after: Iterable[ResultRow]) -> ResultsDiff:
    """Compares two versions of the same rounds, row by row and field by field.

    A row is the same row when division, submitter, platform, model directory and scenario are. Of the rows left over on
    both sides, those with the same benchmark, scenario and value are one row that was renamed, where there is no doubt
    which (same ID, submitter or platform decides).

    Raises:
        DiffError: The sides have no round in common.
    """
    old, new = list(before), list(after)
    rounds_old, rounds_new = {r.round for r in old}, {r.round for r in new}
    common = rounds_old & rounds_new
    if not common and (old or new):
        raise DiffError(
            f"nothing to compare: the first side holds {_listed(rounds_old)}, the second {_listed(rounds_new)}. "
            "Give two versions of the same round."
        )
    old = [r for r in old if r.round in common]
    new = [r for r in new if r.round in common]
    pairs, gone, come = _pair(old, new)
    renamed, gone, come = _renames(gone, come)
    changes = []
    for kind, matched in ((ChangeKind.CHANGED, pairs), (ChangeKind.RENAMED, renamed)):
        for a, b in matched:
            different = field_changes(a, b)
            if different:
                changes.append(RowChange(kind, a, b, different))
    changes += [RowChange(ChangeKind.REMOVED, row, None) for row in gone]
    changes += [RowChange(ChangeKind.ADDED, None, row) for row in come]
    changes.sort(key=lambda c: (list(ChangeKind).index(c.kind), c.row.round, c.row.location, c.row.index))
    return ResultsDiff(
        changes=tuple(changes),
        rows_before=len(old),
        rows_after=len(new),
        rounds=tuple(sorted(common)),
        only_before=tuple(sorted(rounds_old - common)),
        only_after=tuple(sorted(rounds_new - common)),
    )


def field_changes(before: ResultRow, after: ResultRow) -> tuple[FieldChange, ...]:
    """The fields in which two rows differ; a location with the run's own folder is the same as one without it."""
    return tuple(
        FieldChange(name, a, b)
        for name in COMPARED
        if (a := getattr(before, name)) != (b := getattr(after, name))
        and not (name == "location" and location_key(a) == location_key(b))
    )


def verdict_changes(check_a: Sequence[Verdict], check_b: Sequence[Verdict]) -> tuple[VerdictChange, ...]:
    """The claims that get another outcome or reason under the second version.

    Args:
        check_a: The verdicts of some claims under the first version.
        check_b: The verdicts of the same claims under the second one.
    """
    first, second = _by_claim(check_a), _by_claim(check_b)
    found = []
    for key in [*first, *(k for k in second if k not in first)]:
        a, b = first.get(key), second.get(key)
        if a is not None and b is not None and (a.outcome, a.reason.code) == (b.outcome, b.reason.code):
            continue
        known = b or a
        assert known is not None
        found.append(
            VerdictChange(
                id=known.id,
                text=known.text,
                file=known.file,
                line=known.line,
                before=a.outcome if a else None,
                after=b.outcome if b else None,
                before_reason=a.reason.message if a else "",
                after_reason=b.reason.message if b else "",
            )
        )
    return tuple(found)


def _by_claim(verdicts: Sequence[Verdict]) -> dict[tuple[str | None, str, int], Verdict]:
    seen: Counter[tuple[str | None, str]] = Counter()
    table = {}
    for verdict in verdicts:
        name = (verdict.file, verdict.id or verdict.text)
        table[(*name, seen[name])] = verdict
        seen[name] += 1
    return table


def _listed(rounds: Iterable[str]) -> str:
    return ", ".join(sorted(rounds)) or "no round"


_Key = tuple[str, ...]
_Pairs = list[tuple[ResultRow, ResultRow]]


def _key(row: ResultRow) -> _Key:
    return (row.round, row.division, row.submitter, row.platform, row.model_used, row.scenario)


def _grouped(rows: Iterable[ResultRow]) -> dict[_Key, list[ResultRow]]:
    groups: dict[_Key, list[ResultRow]] = defaultdict(list)
    for row in rows:
        groups[_key(row)].append(row)
    return groups


def _pair(old: list[ResultRow], new: list[ResultRow]) -> tuple[_Pairs, list[ResultRow], list[ResultRow]]:
    """Rows with the same key; where a key stands for several rows, the most alike are paired first."""
    groups_old, groups_new = _grouped(old), _grouped(new)
    pairs: _Pairs = []
    gone: list[ResultRow] = []
    come: list[ResultRow] = []
    for key, rows in groups_old.items():
        matched, left, right = _closest(rows, groups_new.pop(key, []))
        pairs += matched
        gone += left
        come += right
    for rows in groups_new.values():
        come += rows
    return pairs, gone, come


def _closest(left: list[ResultRow], right: list[ResultRow]) -> tuple[_Pairs, list[ResultRow], list[ResultRow]]:
    if len(left) == 1 and len(right) == 1:
        return [(left[0], right[0])], [], []
    candidates = sorted((len(field_changes(a, b)), i, j) for i, a in enumerate(left) for j, b in enumerate(right))
    used_left: set[int] = set()
    used_right: set[int] = set()
    pairs: _Pairs = []
    for _, i, j in candidates:
        if i not in used_left and j not in used_right:
            used_left.add(i)
            used_right.add(j)
            pairs.append((left[i], right[j]))
    return (
        pairs,
        [row for i, row in enumerate(left) if i not in used_left],
        [row for j, row in enumerate(right) if j not in used_right],
    )


def _renames(gone: list[ResultRow], come: list[ResultRow]) -> tuple[_Pairs, list[ResultRow], list[ResultRow]]:
    """Pairs of rows that are one result under two names."""

    def same_result(row: ResultRow) -> tuple[object, ...]:
        return (row.round, row.division, row.suite, row.model, row.scenario, row.value, row.unit)

    def same_place(row: ResultRow) -> tuple[object, ...]:
        return (row.round, row.location)

    pairs: _Pairs = []
    for sameness in (same_result, same_place):
        groups: dict[tuple[object, ...], tuple[list[ResultRow], list[ResultRow]]] = defaultdict(lambda: ([], []))
        for row in gone:
            groups[sameness(row)][0].append(row)
        for row in come:
            groups[sameness(row)][1].append(row)
        gone, come = [], []
        for left, right in groups.values():
            matched, rest_left, rest_right = _most_alike(left, right)
            pairs += matched
            gone += rest_left
            come += rest_right
    return pairs, gone, come


_ALIKE: Mapping[str, int] = {
    "result_id": 4,
    "submitter": 3,
    "platform": 3,
    "system": 2,
    "model_used": 2,
    "accelerator": 1,
    "accelerators_published": 1,
    "nodes": 1,
    "software": 1,
}
"""How much an equal field speaks for two rows being one."""


def _most_alike(left: list[ResultRow], right: list[ResultRow]) -> tuple[_Pairs, list[ResultRow], list[ResultRow]]:
    def likeness(a: ResultRow, b: ResultRow) -> int:
        return sum(
            weight
            for name, weight in _ALIKE.items()
            if getattr(a, name) is not None and getattr(a, name) == getattr(b, name)
        )

    ranked = sorted(
        ((likeness(a, b), i, j) for i, a in enumerate(left) for j, b in enumerate(right)),
        key=lambda entry: (-entry[0], entry[1], entry[2]),
    )
    pairs: _Pairs = []
    used_left: set[int] = set()
    used_right: set[int] = set()
    for score, i, j in ranked:
        # An equal figure alone may be chance: something of the system must be the same too.
        if score < 2 or i in used_left or j in used_right:
            continue
        used_left.add(i)
        used_right.add(j)
        pairs.append((left[i], right[j]))
    return (
        pairs,
        [row for i, row in enumerate(left) if i not in used_left],
        [row for j, row in enumerate(right) if j not in used_right],
    )


def _change_dict(change: RowChange) -> dict[str, object]:
    row = change.row
    return {
        "kind": change.kind.value,
        "round": row.round,
        "result_id": row.result_id,
        "division": row.division,
        "submitter": row.submitter,
        "platform": row.platform,
        "model": row.model,
        "model_used": row.model_used,
        "scenario": row.scenario,
        "value": row.value,
        "unit": row.unit,
        "location": row.location,
        "fields": [{"field": f.name, "before": f.before, "after": f.after} for f in change.fields],
    }
