"""Results that the user names: a file, a folder or an address."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.readers import ReadFile, parse_results, read_file, round_in_name
from mlperf_claimcheck.results.readers.read import LIMIT
from mlperf_claimcheck.verdicts.model import ResultsSource

if TYPE_CHECKING:
    from mlperf_claimcheck.results.endpoints import EndpointRepository
    from mlperf_claimcheck.results.training import TrainingRepository

Found = dict[str, tuple[Sequence[ResultRow], ResultsSource]]


class Read(NamedTuple):
    """What a source holds."""

    found: Found
    """Rows by round."""
    warnings: tuple[str, ...]
    endpoints: EndpointRepository | None = None
    """The curves, where it is a folder of MLPerf Endpoints results."""
    training: TrainingRepository | None = None
    """How the scores came about, where it is a folder of MLPerf Training results."""


def read_source(source: str, *, offline: bool) -> Read:
    """Rows by round of a source, and the readers' warnings.

    Raises:
        ResultsUnavailable: An address could not be read, or may not be asked.
        ResultsError: The source is no results.
    """
    if source.lower().startswith(("http://", "https://")):
        if offline:
            raise ResultsUnavailable(f"{source}: is an address, and --offline forbids the network; name a file")
        return _address(source)
    path = Path(source)
    try:
        if path.is_dir():
            return _folder(path)
        return _by_round([read_file(path)], "file", _date(path))
    except (OSError, ValueError) as error:
        raise ResultsError(f"{source}: cannot be read ({error})") from error


def _date(path: Path) -> str:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()


def _by_round(files: Iterable[ReadFile], origin: str, retrieved: str) -> Read:
    found: Found = {}
    warnings: list[str] = []
    for file in files:
        warnings += file.warnings
        for round_id in file.rounds:
            if round_id in found:
                raise ResultsError(
                    f"{file.name}: holds {round_id}, which {found[round_id][1].source} holds too; name one of them"
                )
            rows = tuple(r for r in file.rows if r.round == round_id)
            found[round_id] = (rows, ResultsSource(round_id, origin, file.name, file.sha256, retrieved, len(rows)))
    return Read(found, tuple(warnings))


class Joined(NamedTuple):
    """What several sources hold together."""

    found: Found
    endpoints: EndpointRepository | None
    training: dict[str, TrainingRepository]
    """By round."""


def join(reads: Sequence[Read]) -> Joined:
    """Curves and times to train of one round add up over all sources; of anything else the later source counts.

    Raises:
        ResultsError: Two folders have the same result with different runs.
    """
    from mlperf_claimcheck.results.repository.errors import RepositoryError

    found: Found = {}
    endpoints: EndpointRepository | None = None
    training: dict[str, TrainingRepository] = {}
    given: dict[str, list[ResultsSource]] = {}
    for read in reads:
        for round_id, (_, source) in read.found.items():
            given.setdefault(round_id, []).append(source)
        found |= read.found
        try:
            if read.endpoints is not None:
                name = Path(next(iter(read.found.values()))[1].source).name
                endpoints = read.endpoints if endpoints is None else endpoints.joined(read.endpoints, name)
            if read.training is not None:
                held = training.get(read.training.round)
                training[read.training.round] = read.training if held is None else held.joined(read.training)
        except RepositoryError as error:
            raise ResultsError(str(error)) from error
    for round_id, sources in given.items():
        if len(sources) == 1:
            continue
        if round_id in training:
            found[round_id] = training[round_id].rows, _together(sources, len(training[round_id].rows))
        elif endpoints is not None and round_id.startswith("endpoints-"):
            rows = tuple(row for row in endpoints.rows() if row.round == round_id)
            found[round_id] = rows, _together(sources, len(rows))
    return Joined(found, endpoints, training)


def _together(sources: Sequence[ResultsSource], rows: int) -> ResultsSource:
    digest = hashlib.sha256("".join(source.sha256 for source in sources).encode()).hexdigest()
    names = " + ".join(source.source for source in sources)
    return ResultsSource(sources[0].round, "folder", names, digest, max(s.retrieved for s in sources), rows)


def read_pack(data: bytes, name: str, round_id: str) -> Read:
    """Rows of the files that were kept of a Training or Endpoints repository.

    Raises:
        ResultsError: It is no pack, or holds no results of the round.
    """
    from mlperf_claimcheck.results.pack import PackTree
    from mlperf_claimcheck.results.repository.errors import RepositoryError

    tree = PackTree(data, name)
    try:
        if round_id.startswith("training-"):
            from mlperf_claimcheck.results.training import read_training

            training = read_training(tree, round_id=round_id)
            read = Read({}, training.problems + training.warnings, training=training)
            rows: Iterable[ResultRow] = training.rows
        else:
            from mlperf_claimcheck.results.endpoints import read_endpoints

            endpoints = read_endpoints(tree)
            read = Read({}, endpoints.problems + endpoints.warnings, endpoints)
            rows = endpoints.rows()
    except RepositoryError as error:
        raise ResultsError(str(error)) from error
    found = tuple(row for row in rows if row.round == round_id)
    if not found:
        told = f" ({read.warnings[0]})" if read.warnings else ""
        raise ResultsError(f"{name}: holds no results of {round_id}{told}")
    source = ResultsSource(round_id, "cache", name, hashlib.sha256(data).hexdigest(), "", len(found))
    return read._replace(found={round_id: (found, source)})


def _folder(path: Path) -> Read:
    from mlperf_claimcheck.results.endpoints import looks_like_endpoints, read_endpoints
    from mlperf_claimcheck.results.repository.errors import RepositoryError
    from mlperf_claimcheck.results.repository.source import looks_like_repository, read_repository, summary_file
    from mlperf_claimcheck.results.repository.tree import Tree
    from mlperf_claimcheck.results.training import looks_like_training, read_training

    summaries = sorted(
        p
        for p in path.iterdir()
        if p.is_file() and p.suffix.lower() in {".json", ".csv"} and "summary" in p.name.lower()
    )
    try:
        if looks_like_repository(path):
            relative = summary_file(path)
            if relative is not None:
                # Through the tree: a link out of a repository that somebody else made is not followed.
                content = Tree(path).read(relative, limit=LIMIT)
                own = path / relative
                if not content.ok:
                    raise ResultsError(f"{own}: {content.message}")
                read = parse_results(content.data, str(own), round_id=round_in_name(own.resolve().parent.name))
                return _by_round([read], "folder", _date(own))
            rows, warnings = read_repository(path, round_id=round_in_name(path.name))
            return Read(_rows(rows, path), tuple(warnings))
        if looks_like_training(path):
            training = read_training(path, round_id=None)
            return Read(
                _rows(training.rows, path, training.problems), training.problems + training.warnings, training=training
            )
        if looks_like_endpoints(path):
            endpoints = read_endpoints(path)
            return Read(
                _rows(endpoints.rows(), path, endpoints.problems), endpoints.problems + endpoints.warnings, endpoints
            )
    except RepositoryError as error:
        raise ResultsError(str(error)) from error
    if not summaries:
        summaries = _mirrored(path)
        return _by_round((read_file(p, round_id=round_in_name(str(p))) for p in summaries), "folder", _date(path))
    return _by_round((read_file(p) for p in summaries), "folder", _date(path))


def _mirrored(path: Path) -> list[Path]:
    """The summary of each repository below a folder that is laid out as MLCommons' addresses are."""
    from mlperf_claimcheck.results.rounds import candidate_files

    found = []
    for repository in sorted(p for p in path.glob("inference_results_v*") if p.is_dir()):
        round_id = round_in_name(repository.name)
        names = candidate_files(round_id) if round_id is not None else ()
        own = next((p for n in names for p in (repository / "main" / n, repository / n) if p.is_file()), None)
        if own is not None:
            found.append(own)
    if not found:
        raise ResultsError(
            f"{path}: holds no results: expected a results repository, or files such as inference_v6.1_summary.csv"
        )
    return found


def _rows(rows: Iterable[ResultRow], path: Path, problems: Sequence[str] = ()) -> Found:
    by_round: dict[str, list[ResultRow]] = {}
    for row in rows:
        by_round.setdefault(row.round, []).append(row)
    if not by_round:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        told = f": {problems[0]}{more}" if problems else ""
        raise ResultsError(f"{path}: holds no rows of results{told}")
    return {
        r: (
            tuple(found),
            # Many files, none of which stands for all: the hash is that of the rows read from them.
            ResultsSource(
                r, "folder", str(path), hashlib.sha256(repr(found).encode()).hexdigest(), _date(path), len(found)
            ),
        )
        for r, found in by_round.items()
    }


def _address(url: str) -> Read:
    from mlperf_claimcheck.results.fetch import client, download, parse_download
    from mlperf_claimcheck.results.rounds import candidate_files, known_rounds, repository

    today = datetime.now(UTC).date().isoformat()
    url = url.rstrip("/")
    if url.split("?")[0].lower().endswith((".json", ".csv")):
        answer = download(url)
        if answer.status != 200:
            raise ResultsUnavailable(f"{url}: does not exist (404)")
        return _by_round([parse_download(answer, url, round_in_name(url))], "url", today)
    files = []
    with client() as shared:
        for round_id in known_rounds():
            for name in candidate_files(round_id):
                address = f"{url}/{repository(round_id)}/main/{name}"
                answer = download(address, shared)
                if answer.status == 200:
                    files.append(parse_download(answer, address, round_id))
                    break
    if not files:
        raise ResultsUnavailable(
            f"{url}: holds no known round; the address of a .json or .csv file, or of a mirror that has "
            "inference_results_vX.Y/main/, was expected"
        )
    return _by_round(files, "url", today)
