"""Results from every place they may be: bundled, downloaded, given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

from mlperf_claimcheck.results.counts import with_counts
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.table import COLUMNS, ResultsTable
from mlperf_claimcheck.verdicts.model import ResultsSource

_SUMMARIES = (".json", ".csv")


def load_results(*, sources: Sequence[str] = (), offline: bool = True, use_cache: bool = True) -> ResultsTable:
    """The bundled rounds, overridden by downloaded ones, overridden by `sources` (files, folders or addresses).

    Raises:
        ResultsError: A source is damaged.
        ResultsUnavailable: A source cannot be obtained.
    """
    table = bundled()
    if use_cache:
        table = _with_cache(table)
    for source in sources:
        table = table.overridden(_given(source, offline))
    return table


def bundled() -> ResultsTable:
    """The rounds that the package carries."""
    import polars

    folder = files("mlperf_claimcheck") / "data"
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        data = (folder / "results.parquet").read_bytes()
    except (OSError, ValueError) as error:
        raise ResultsError(f"the bundled results cannot be read ({error}). Install the package again.") from None
    if hashlib.sha256(data).hexdigest() != manifest["sha256"]:
        raise ResultsError("the bundled results are damaged (their SHA-256 differs). Install the package again.")
    frame = polars.read_parquet(data)
    rows: dict[str, list[ResultRow]] = {}
    for values in frame.select(COLUMNS).iter_rows():
        row = ResultRow(*values)
        rows.setdefault(row.round, []).append(row)
    found = [
        ResultsSource(r["round"], "bundled", r["url"], r["sha256"], r["retrieved"], r["rows"])
        for r in manifest["rounds"]
    ]
    return ResultsTable({name: tuple(items) for name, items in rows.items()}, found)


def _with_cache(table: ResultsTable) -> ResultsTable:
    try:
        from mlperf_claimcheck.results.cache import cached_tables
    except ImportError:
        return table
    for held in cached_tables():
        table = table.overridden(held)
    return table


def _given(source: str, offline: bool) -> ResultsTable:
    if source.startswith(("http://", "https://")):
        if offline:
            raise ResultsUnavailable(f"{source}: an address cannot be read with --offline. Give a file instead.")
        from mlperf_claimcheck.results.fetch import read_address

        return read_address(source)
    path = Path(source)
    if not path.exists():
        raise ResultsUnavailable(f"{source}: no such file or folder. Give a results file or a folder of them.")
    if path.is_dir():
        return _folder(path)
    return read_file(path, origin="file")


def _folder(path: Path) -> ResultsTable:
    from mlperf_claimcheck.results.repository.errors import RepositoryError
    from mlperf_claimcheck.results.repository.source import looks_like_repository, read_repository

    summaries = sorted(p for p in path.iterdir() if p.suffix in _SUMMARIES and p.is_file() and "summary" in p.name)
    if summaries:
        table = read_file(summaries[0], origin="folder")
        for summary in summaries[1:]:
            table = table.overridden(read_file(summary, origin="folder"))
        return table
    if looks_like_repository(path):
        try:
            rows, _warnings = read_repository(path)
        except RepositoryError as error:
            raise ResultsError(f"{path}: {error}") from None
        return from_rows(rows, origin="folder", source=str(path), sha256="", retrieved=date.today().isoformat())
    raise ResultsError(f"{path}: holds no results summary (*summary*.json or .csv) and is no results repository.")


def read_file(path: Path, *, origin: str) -> ResultsTable:
    """A results file in any of the published forms."""
    from mlperf_claimcheck.results.repository.errors import RepositoryError
    from mlperf_claimcheck.results.repository.records import read_summary_file

    try:
        summary = read_summary_file(path)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (RepositoryError, OSError) as error:
        raise ResultsError(f"{error}. Give a results summary as MLCommons publishes it.") from None
    if summary.warnings:
        raise ResultsError(f"{summary.warnings[0]} ({len(summary.warnings)} such rows). Mend or leave out the file.")
    return from_rows(summary.rows, origin=origin, source=str(path), sha256=digest, retrieved=date.today().isoformat())


def from_rows(rows: Sequence[ResultRow], *, origin: str, source: str, sha256: str, retrieved: str) -> ResultsTable:
    """A table of rows that were just read."""
    by_round: dict[str, list[ResultRow]] = {}
    for row in rows:
        by_round.setdefault(row.round, []).append(with_counts(row))
    found = [ResultsSource(r, origin, source, sha256, retrieved, len(items)) for r, items in by_round.items()]
    return ResultsTable({r: tuple(items) for r, items in by_round.items()}, found)


def manifest() -> dict[str, Any]:
    """The manifest of the bundled results."""
    loaded: dict[str, Any] = json.loads((files("mlperf_claimcheck") / "data" / "manifest.json").read_text("utf-8"))
    return loaded
