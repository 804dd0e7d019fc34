"""What the commands about evidence and copy look up in the results that are held."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from mlperf_claimcheck.results.model import ResultRow
    from mlperf_claimcheck.verdicts.model import Verdict


def held_rows(round_id: str) -> Sequence[ResultRow] | None:
    """The rows of a round that is bundled or downloaded; None if it is not held."""
    from mlperf_claimcheck.results.load import load_results

    return load_results().by_round(round_id) or None


class HeldRows(Sequence["ResultRow"]):
    """All rows held, read when they are first asked for; none where the results cannot be read.

    Most copy is linted without them, and reading them takes longer than the linting.
    """

    @cached_property
    def _rows(self) -> Sequence[ResultRow]:
        from mlperf_claimcheck.results.errors import ResultsError
        from mlperf_claimcheck.results.load import load_results

        try:
            return load_results().rows
        except ResultsError:
            return ()

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> ResultRow: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[ResultRow]: ...

    def __getitem__(self, index: int | slice) -> ResultRow | Sequence[ResultRow]:
        return self._rows[index]


def stored_rows(digest: str) -> Sequence[ResultRow] | None:
    """The rows of a version that the cache keeps, by the beginning of its SHA-256."""
    from mlperf_claimcheck.results.cache import stored_version

    version = stored_version(digest)
    return version.rows if version is not None else None


def verdicts_with(paths: Sequence[Path], rows: Sequence[ResultRow]) -> Sequence[Verdict]:
    """The verdicts on claim files when these rows are the results of their round."""
    from mlperf_claimcheck.api import check_files
    from mlperf_claimcheck.claims.files import load_claim_files
    from mlperf_claimcheck.results.load import load_results
    from mlperf_claimcheck.results.table import ResultsTable

    table = load_results()
    by_round = {r: table.by_round(r) for r in table.rounds}
    replaced = dict.fromkeys(row.round for row in rows)
    for round_id in replaced:
        by_round[round_id] = tuple(row for row in rows if row.round == round_id)
    files = load_claim_files([str(p) for p in paths])
    # How the rows came about is known of the held version only.
    curves = {r: curve for r, curve in table.endpoints.items() if r not in replaced}
    training = {r: scores for r, scores in table.training.items() if r not in replaced}
    return check_files(files, ResultsTable(by_round, table.sources, (), curves, training=training)).verdicts
