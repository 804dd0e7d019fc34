"""The results of all rounds at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from mlperf_claimcheck.results.compact import LateRows
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import ResultsSource

if TYPE_CHECKING:
    import polars

    from mlperf_claimcheck.results.endpoints import EndpointRepository
    from mlperf_claimcheck.results.training import TrainingRepository


class ResultsTable:
    """Rows by round, with where each round's rows came from.

    `frame` gives the same rows as a data frame, where there is a quicker way than to make it of them.
    """

    def __init__(
        self,
        rows_by_round: Mapping[str, Sequence[ResultRow]],
        sources: Iterable[ResultsSource] = (),
        warnings: Iterable[str] = (),
        endpoints: Mapping[str, EndpointRepository] | None = None,
        frame: Callable[[], polars.DataFrame] | None = None,
        training: Mapping[str, TrainingRepository] | None = None,
    ) -> None:
        self._given: dict[str, Sequence[ResultRow]] = {
            name: rows if isinstance(rows, LateRows) else tuple(rows) for name, rows in rows_by_round.items()
        }
        """By round; a round's rows may be made only when they are asked for."""
        self._by_round: dict[str, tuple[ResultRow, ...]] = {}
        self._frame = frame
        self.sources = tuple(sources)
        """One per round, in the order of `rounds`."""
        self.warnings = tuple(warnings)
        """What was odd about the files."""
        self.endpoints = dict(endpoints or {})
        """By round of MLPerf Endpoints: its curves. Their system TPS are rows of the table too."""
        self.training = dict(training or {})
        """By round of MLPerf Training: how its scores came about, and the results that gave none."""

    @cached_property
    def rows(self) -> tuple[ResultRow, ...]:
        """All rows, round by round, each in the order of its file."""
        return tuple(row for round_id in self._given for row in self.by_round(round_id))

    @property
    def rounds(self) -> tuple[str, ...]:
        """Ids of the rounds held, the oldest first within a suite."""
        return tuple(self._given)

    def by_round(self, round_id: str) -> tuple[ResultRow, ...]:
        """Rows of a round; empty if it is not held."""
        known = self._by_round.get(round_id)
        if known is None:
            if round_id not in self._given:
                return ()
            known = self._by_round[round_id] = tuple(self._given[round_id])
        return known

    def find(self, round_id: str, location: str, model: str, scenario: str, value: float) -> ResultRow | None:
        """The row of a result that is known by these; None if it is not held."""
        wanted = (location, model, scenario, value)
        rows = self.by_round(round_id)
        return next((r for r in rows if (r.location, r.model, r.scenario, r.value) == wanted), None)

    @cached_property
    def frame(self) -> polars.DataFrame:
        """All rows as a data frame, a column per field of `ResultRow`."""
        if self._frame is not None:
            return self._frame()
        from mlperf_claimcheck.results.frame import to_frame

        return to_frame(self.rows)
