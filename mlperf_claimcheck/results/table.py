"""The results of all rounds at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import ResultsSource

if TYPE_CHECKING:
    import polars

    from mlperf_claimcheck.results.endpoints import EndpointRepository


class ResultsTable:
    """Rows by round, with where each round's rows came from."""

    def __init__(
        self,
        rows_by_round: Mapping[str, Sequence[ResultRow]],
        sources: Iterable[ResultsSource] = (),
        warnings: Iterable[str] = (),
        endpoints: Mapping[str, EndpointRepository] | None = None,
    ) -> None:
        self._by_round = {name: tuple(rows) for name, rows in rows_by_round.items()}
        self.sources = tuple(sources)
        """One per round, in the order of `rounds`."""
        self.warnings = tuple(warnings)
        """What was odd about the files."""
        self.endpoints = dict(endpoints or {})
        """By round of MLPerf Endpoints: its curves. Their system TPS are rows of the table too."""

    @cached_property
    def rows(self) -> tuple[ResultRow, ...]:
        """All rows, round by round, each in the order of its file."""
        return tuple(row for rows in self._by_round.values() for row in rows)

    @property
    def rounds(self) -> tuple[str, ...]:
        """Ids of the rounds held, the oldest first within a suite."""
        return tuple(self._by_round)

    def by_round(self, round_id: str) -> tuple[ResultRow, ...]:
        """Rows of a round; empty if it is not held."""
        return self._by_round.get(round_id, ())

    @cached_property
    def frame(self) -> polars.DataFrame:
        """All rows as a data frame, a column per field of `ResultRow`."""
        from mlperf_claimcheck.results.frame import to_frame

        return to_frame(self.rows)
