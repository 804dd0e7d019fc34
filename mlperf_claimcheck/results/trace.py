"""From a row of the results to the line of the run's own log that its figure stands on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from mlperf_claimcheck.results.errors import ResultsUnavailable, ServerUnreachable
from mlperf_claimcheck.results.repository import layout
from mlperf_claimcheck.results.repository.errors import RepositoryError
from mlperf_claimcheck.results.repository.evaluate import JSON_LIMIT, evaluate
from mlperf_claimcheck.results.repository.rules import canonical_model
from mlperf_claimcheck.results.repository.systems import read_system
from mlperf_claimcheck.results.repository.tree import Content, Files, Tree
from mlperf_claimcheck.results.repository.verify import Status, compare
from mlperf_claimcheck.verdicts.model import LogTrace, Tracing

if TYPE_CHECKING:
    import httpx

    from mlperf_claimcheck.results.model import ResultRow
    from mlperf_claimcheck.results.table import ResultsTable

MOST_FETCHED = 200
"""Rows whose files are fetched in one run, of two or three files each; the rest is said not to be checked."""
_WORKERS = 8
_OUTCOMES = {Status.MATCH: Tracing.AGREES, Status.MISMATCH: Tracing.DISAGREES, Status.MISSING: Tracing.NOT_CHECKED}


class _Source(Protocol):
    """A place that holds the files of a round's runs."""

    files: Files

    def run(self, location: str) -> layout.Run | None:
        """The run of a published location; None where the location has another form."""
        ...

    def shown(self, file: str) -> str:
        """Where a file can be seen."""
        ...


class LocalFiles:
    """A folder of a results repository."""

    def __init__(self, folder: Path) -> None:
        self.files: Files = Tree(folder)
        self._tree = Tree(folder)
        self._base = layout.top(self._tree) or ""
        self._others: dict[str, list[layout.Run]] | None = None

    def run(self, location: str) -> layout.Run | None:
        """The run of a location, whose letters may differ in case from the folder's where one run alone fits."""
        found = layout.run_at(location, self._base)
        if found is None or self._tree.exists(found.file("")):
            return found
        if self._others is None:
            self._others = {}
            for run in layout.find_runs(self._tree, self._base)[0]:
                self._others.setdefault(run.location.casefold(), []).append(run)
        others = self._others.get(location.casefold(), [])
        return others[0] if len(others) == 1 else found

    def shown(self, file: str) -> str:
        """Its path."""
        return str(self._tree.given / file)


class UpstreamFiles:
    """The repository of a round at its address, file by file.

    Of the logs the summary alone is asked for: a detail log can have gigabytes.
    """

    def __init__(self, address: str, session: httpx.Client) -> None:
        self.files: Files = self
        self._address = address
        self._session = session
        self._held: dict[str, Content] = {}
        self._unreachable: str | None = None

    def run(self, location: str) -> layout.Run | None:
        """The run of a location."""
        return layout.run_at(location)

    def shown(self, file: str) -> str:
        """Its address."""
        return f"{self._address}/{quote(file, safe='/')}"

    def exists(self, relative: str) -> bool:
        """Whether the server has the file; a detail log never counts."""
        return not relative.endswith(layout.DETAIL_LOG) and self._get(relative).problem != "missing"

    def read(self, relative: str, *, limit: int, tail: int = 0) -> Content:
        """A file of at most `limit` bytes."""
        content = self._get(relative)
        if content.size > limit:
            message = f"it has {content.size:,} bytes; such a file may have {limit:,} at most"
            return Content(size=content.size, problem="too-large", message=message)
        return content

    def _get(self, relative: str) -> Content:
        if relative not in self._held:
            self._held[relative] = self._ask(relative)
        return self._held[relative]

    def _ask(self, relative: str) -> Content:
        from mlperf_claimcheck.results.fetch import download

        if self._unreachable is not None:
            return Content(problem="unavailable", message=self._unreachable)
        try:
            answer = download(self.shown(relative), self._session, limit=JSON_LIMIT)
        except ServerUnreachable as error:
            # Each further file would be waited for as long; what one row says holds for all.
            self._unreachable = str(error)
            return Content(problem="unavailable", message=str(error))
        except ResultsUnavailable as error:
            return Content(problem="unavailable", message=str(error))
        if answer.status == 404:
            return Content(problem="missing", message="there is no such file")
        if not answer.data:
            return Content(problem="empty", message="the file is empty")
        return Content(data=answer.data, size=len(answer.data))


def repositories(sources: Iterable[str], table: ResultsTable) -> dict[str, Path]:
    """By round: the folders among `sources` that are results repositories, or hold such as a mirror does."""
    from mlperf_claimcheck.results.readers import round_in_name
    from mlperf_claimcheck.results.repository.source import looks_like_repository

    read_from: dict[Path, list[str]] = {}
    for source in table.sources:
        if source.origin == "folder":
            place = Path(source.source)
            read_from.setdefault(place if place.is_dir() else place.parent, []).append(source.round)
    found: dict[str, Path] = {}
    for given in sources:
        path = Path(given)
        if given.lower().startswith(("http://", "https://")) or not path.is_dir():
            continue
        below = sorted(p for p in path.glob("inference_results_v*") if p.is_dir())
        for folder in (path, *below, *(p / "main" for p in below)):
            if not looks_like_repository(folder):
                continue
            named = round_in_name(folder.resolve().name) or round_in_name(folder.resolve().parent.name)
            for round_id in read_from.get(folder) or ([named] if named else []):
                found[round_id] = folder
    return found


def trace_rows(
    rows: Sequence[ResultRow], table: ResultsTable, folders: dict[str, Path], *, offline: bool
) -> dict[ResultRow, LogTrace]:
    """What the log of each row's own run says of its figure. Never raises for files that are missing or bad.

    Args:
        rows: Rows of rounds of MLPerf Inference; those of other suites are said not to be checked.
        table: The results; a round that came from a mirror has its logs there.
        folders: By round: the folder of its repository. Other rounds' files are fetched.
        offline: Never use the network.
    """
    traces: dict[ResultRow, LogTrace] = {}
    local: dict[str, _Source] = {}
    absent: list[ResultRow] = []
    for row in dict.fromkeys(rows):
        if not row.round.startswith("inference-"):
            traces[row] = not_checked("other-suite", "logs are traced for MLPerf Inference alone")
        elif row.round in folders:
            try:
                if row.round not in local:
                    local[row.round] = LocalFiles(folders[row.round])
                traces[row] = _trace(row, local[row.round])
            except RepositoryError as error:
                traces[row] = not_checked("log-unavailable", str(error))
        elif offline:
            traces[row] = not_checked(
                "log-unavailable",
                f"--offline forbids to fetch the logs of {row.round}; name its repository's folder with --results",
            )
        else:
            absent.append(row)
    for row in absent[MOST_FETCHED:]:
        message = f"the logs of {MOST_FETCHED} rows were fetched, no more; name the repository's folder with --results"
        traces[row] = not_checked("log-unavailable", message)
    if absent:
        traces |= _fetched(absent[:MOST_FETCHED], table)
    return traces


def _fetched(rows: Sequence[ResultRow], table: ResultsTable) -> dict[ResultRow, LogTrace]:
    from concurrent.futures import ThreadPoolExecutor

    from mlperf_claimcheck.results.fetch import client

    with client() as session:
        sources = {r: UpstreamFiles(_address(r, table), session) for r in {row.round for row in rows}}
        with ThreadPoolExecutor(_WORKERS) as pool:
            return dict(zip(rows, pool.map(lambda row: _trace(row, sources[row.round]), rows), strict=True))


def _address(round_id: str, table: ResultsTable) -> str:
    """Where the files of a round's repository are: the mirror that its results were read from, else the usual one."""
    from mlperf_claimcheck.results.fetch import base_url
    from mlperf_claimcheck.results.rounds import repository

    ending = f"/{repository(round_id)}/main"
    for source in table.sources:
        folder = source.source.split("?")[0].rpartition("/")[0]
        if source.round == round_id and source.origin == "url" and folder.endswith(ending):
            return folder
    return base_url() + ending


def _trace(row: ResultRow, source: _Source) -> LogTrace:
    location = layout.location_key(row.location)
    run = None if layout.leaves_tree(row.location) else source.run(location)
    if run is None:
        return not_checked("location-outside", f"the published location ({location}) is no folder of a run")
    if canonical_model(run.model) != row.model:
        home = run.system_file.rpartition("/systems/")[0]
        mapped = layout.model_mapping(source.files, f"{home}/model_mapping.json", []).get(run.model)
        run = layout.Run(run.base, run.division, run.submitter, run.system, run.model, run.scenario, mapped)
    system = read_system(source.files, run.system_file)
    check = compare(row, evaluate(source.files, run, row.round), system)
    outcome = _OUTCOMES[check.status]
    message = check.message
    if outcome is Tracing.AGREES and system.problem:
        message += f"; the system description ({system.file}) was not compared: {system.problem}"
    figure, file = check.figure, check.file or ""
    return LogTrace(
        outcome=outcome,
        code=check.cls,
        message=message,
        value=None if figure is None else float(figure.value),
        unit=check.unit if figure is not None else "",
        text="" if figure is None else figure.text,
        label="" if figure is None else figure.label,
        file=file,
        line=check.line,
        source=source.shown(file) if file else "",
        system_file="" if system.problem else system.file,
        system_line=system.lines.get("accelerators_per_node"),
        accelerators=system.accelerators,
    )


def not_checked(code: str, message: str) -> LogTrace:
    """The trace of a row whose log was not looked into."""
    return LogTrace(Tracing.NOT_CHECKED, code, message)
