"""The normalised results table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING

from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import ResultsSource

if TYPE_CHECKING:
    import polars

COLUMNS = tuple(f.name for f in fields(ResultRow))


class ResultsTable:
    """All rows held, by round, and the versions of the rounds they come from."""

    def __init__(self, rows: Mapping[str, tuple[ResultRow, ...]], sources: Iterable[ResultsSource]) -> None:
        self._rows = dict(sorted(rows.items(), key=lambda item: _order(item[0])))
        self.sources = tuple(sorted(sources, key=lambda s: _order(s.round)))

    @property
    def rounds(self) -> tuple[str, ...]:
        """Ids of the rounds held, oldest first."""
        return tuple(self._rows)

    def by_round(self, round_id: str) -> tuple[ResultRow, ...]:
        """The rows of a round; () if it is not held."""
        return self._rows.get(round_id, ())

    @cached_property
    def rows(self) -> tuple[ResultRow, ...]:
        """All rows, oldest round first."""
        return tuple(row for rows in self._rows.values() for row in rows)

    @cached_property
    def frame(self) -> polars.DataFrame:
        """The table as a polars frame: one column a field of `ResultRow`."""
        import polars

        data = {name: [getattr(row, name) for row in self.rows] for name in COLUMNS}
        return polars.DataFrame(data, infer_schema_length=None)

    def overridden(self, other: ResultsTable) -> ResultsTable:
        """This table with the rounds of the other in place of its own."""
        kept = [s for s in self.sources if s.round not in other._rows]
        return ResultsTable({**self._rows, **other._rows}, [*kept, *other.sources])


def _order(round_id: str) -> tuple[str, tuple[int, ...]]:
    suite, _, number = round_id.partition("-v")
    return suite, tuple(int(p) for p in number.split(".") if p.isdigit())
