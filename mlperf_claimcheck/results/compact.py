"""The bundled rows in a form that is read without a data frame library: a line of JSON for each round.

It says the same as the bundled Parquet, which stays the table for everybody else. Loading polars takes longer than
checking a page of claims, and most claims are about one round.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from itertools import repeat
from typing import Any, overload

from mlperf_claimcheck.results.model import ResultRow

FIELDS = tuple(f.name for f in fields(ResultRow))


def encode(rows: Sequence[ResultRow]) -> str:
    """One round's rows as one line: for each field its distinct values and, where they differ, each row's place."""
    columns: dict[str, Any] = {}
    for name in FIELDS:
        column = [getattr(row, name) for row in rows]
        # By type too: 1, 1.0 and True are equal and not the same.
        places: dict[tuple[type, Any], int] = {}
        at = [places.setdefault((type(value), value), len(places)) for value in column]
        if len(places) == 1:
            columns[name] = {"all": column[0]}
        elif len(places) * 2 > len(column):
            columns[name] = {"each": column}
        else:
            columns[name] = {"of": [value for _, value in places], "at": at}
    return json.dumps({"count": len(rows), "columns": columns}, ensure_ascii=False, separators=(",", ":"))


def decode(line: str | bytes) -> tuple[ResultRow, ...]:
    """The rows of a line that `encode` made.

    Raises:
        ValueError, KeyError, TypeError: It is not such a line.
    """
    # Thousands of small objects at once: the collector would walk them again and again, and none of them is garbage.
    collecting = gc.isenabled()
    gc.disable()
    try:
        held = json.loads(line)
        count = held["count"]
        columns: list[Iterable[Any]] = []
        for name in FIELDS:
            column = held["columns"][name]
            if "all" in column:
                columns.append(repeat(column["all"], count))
            elif "each" in column:
                columns.append(column["each"])
            else:
                columns.append(map(column["of"].__getitem__, column["at"]))
        return tuple(map(ResultRow, *columns))
    finally:
        if collecting:
            gc.enable()


class LateRows(Sequence[ResultRow]):
    """The rows of a line, made when one of them is first asked for."""

    def __init__(self, line: bytes, count: int) -> None:
        self._line = line
        self._count = count
        self._rows: tuple[ResultRow, ...] | None = None

    @property
    def rows(self) -> tuple[ResultRow, ...]:
        """The rows themselves."""
        if self._rows is None:
            self._rows, self._line = decode(self._line), b""
        return self._rows

    @overload
    def __getitem__(self, index: int) -> ResultRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ResultRow]: ...
    def __getitem__(self, index: int | slice) -> ResultRow | Sequence[ResultRow]:
        return self.rows[index]

    def __iter__(self) -> Iterator[ResultRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return self._count
