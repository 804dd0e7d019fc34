"""A repository's published summary file, with the lines that its rows stand on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.readers import parse_results
from mlperf_claimcheck.results.readers.read import LIMIT
from mlperf_claimcheck.results.repository.errors import RepositoryError
from mlperf_claimcheck.results.repository.published import row_lines
from mlperf_claimcheck.results.repository.tree import Content, Tree


@dataclass(frozen=True, slots=True)
class Summary:
    """The rows of a published summary file."""

    name: str
    """Path as shown to a reader."""
    rows: tuple[ResultRow, ...]
    lines: tuple[int, ...]
    """The line of each row, by the row's `index`; empty where it is not known."""
    warnings: tuple[str, ...] = ()


def read_summary_file(path: Path | str, *, round_id: str | None = None) -> Summary:
    """Reads a summary file in any of the published forms.

    Raises:
        RepositoryError: The file cannot be read or holds no rows.
    """
    path = Path(path)
    tree = Tree(path.parent if str(path.parent) else Path())
    # The user names this very file: a link is followed wherever it leads.
    content = tree.read(path.name, limit=LIMIT)
    if content.problem == "outside":
        real = path.resolve()
        content = Tree(real.parent).read(real.name, limit=LIMIT)
    return parse_summary_file(content, str(path), round_id=round_id)


def parse_summary_file(content: Content, name: str, *, round_id: str | None = None) -> Summary:
    """Reads the content of a summary file.

    Raises:
        RepositoryError: It is no summary of the round, or damaged.
    """
    if not content.ok:
        raise RepositoryError(f"{name}: {content.message}")
    try:
        read = parse_results(content.data, name, round_id=round_id)
    except ResultsError as error:
        raise RepositoryError(str(error)) from error
    lines = row_lines(content.data.decode("utf-8-sig"))
    return Summary(name, read.rows, tuple(lines) if len(lines) == len(read.rows) else (), read.warnings)
