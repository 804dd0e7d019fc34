"""What the `results` commands share: reading a side, writing a report, showing text of others safely."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlperf_claimcheck.results.model import ResultRow

EXIT_OK = 0
EXIT_DIFFERENT = 1
EXIT_USAGE = 2
EXIT_RESULTS = 4

NOT_VERIFIED = "MLPerf® results © MLCommons; recomputed figures are not verified by MLCommons Association."


@dataclass(frozen=True, slots=True)
class Loaded:
    """Rows of a source, and what could not be read of it."""

    name: str
    rows: tuple[ResultRow, ...]
    lines: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


def load_path(path: Path, *, round_id: str | None = None) -> Loaded:
    """Rows of a summary file, or of a folder: an Inference, Training or Endpoints repository, or summary files.

    Raises:
        RepositoryError: It is none of these, or is damaged.
    """
    from mlperf_claimcheck.results.endpoints import looks_like_endpoints, read_endpoints
    from mlperf_claimcheck.results.repository.errors import RepositoryError
    from mlperf_claimcheck.results.repository.records import read_summary_file
    from mlperf_claimcheck.results.repository.source import looks_like_repository, read_repository, read_summary
    from mlperf_claimcheck.results.training import looks_like_training, read_training

    if not path.is_dir():
        summary = read_summary_file(path, round_id=round_id)
        return Loaded(str(path), summary.rows, summary.lines, summary.warnings)
    if looks_like_repository(path):
        own = read_summary(path, round_id=round_id)
        if own is not None:
            return Loaded(str(path / own.name), own.rows, own.lines, own.warnings)
        rows, warnings = read_repository(path, round_id=round_id)
        return Loaded(str(path), tuple(rows), (), tuple(warnings))
    if looks_like_training(path):
        training = read_training(path, round_id=round_id)
        return Loaded(str(path), training.rows, (), training.problems + training.warnings)
    if looks_like_endpoints(path):
        endpoints = read_endpoints(path)
        return Loaded(str(path), tuple(endpoints.rows()), (), endpoints.problems + endpoints.warnings)
    found: list[ResultRow] = []
    refused: list[str] = []
    for file in sorted(p for p in path.iterdir() if p.suffix.lower() in {".json", ".csv"} and p.is_file()):
        try:
            summary = read_summary_file(file, round_id=round_id)
        except RepositoryError as error:
            refused.append(str(error))
            continue
        found += summary.rows
        refused += summary.warnings
    if not found:
        raise RepositoryError(
            f"{path}: holds no MLPerf results: neither a results repository nor summary files (summary_results.json, "
            f"summary.csv) were found{'; ' + refused[0] if refused else ''}"
        )
    return Loaded(str(path), tuple(found), (), tuple(refused))


def normal_round(text: str | None) -> str | None:
    """A round as a user writes it, as an id: `v5.1`, `5.1` and `inference-v5.1` alike; None for None.

    Raises:
        ValueError: It is no round.
    """
    from mlperf_claimcheck.results.rounds import parse_round_id

    return None if text is None else parse_round_id(text)


def say(message: str) -> None:
    """Writes a line to standard error."""
    sys.stderr.write(visible(message, keep_lines=True) + "\n")


def visible(text: str, *, keep_lines: bool = False) -> str:
    """Text from files, without what a terminal would act on."""
    return "".join(
        c if c.isprintable() or (keep_lines and c in "\n\t") else f"\\u{ord(c):04x}" if c not in "\n\r\t" else " "
        for c in text
    )


def cell(text: str) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    clean = visible(text)
    return f"'{clean}" if clean[:1] in {"=", "+", "-", "@", "\t"} else clean


def put(report: str, output: Path | None) -> bool:
    """Writes a report to standard output or a file. False, with the reason on standard error, if that fails."""
    if output is None:
        sys.stdout.write(report)
        sys.stdout.flush()
        return True
    from mlperf_claimcheck.reports import ReportWriteError, write_report

    try:
        write_report(report, output, make_folder=False)
    except ReportWriteError as error:
        say(f"error: {error}")
        return False
    return True
