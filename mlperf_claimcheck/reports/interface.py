"""What every report format offers, the register of formats, and writing a report to a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, TextIO, cast, runtime_checkable

from mlperf_claimcheck import __version__
from mlperf_claimcheck.files import new_file_mode, replace_file
from mlperf_claimcheck.verdicts.model import Evidence, Report


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a report is to look. None of it changes a verdict."""

    verbose: bool = False
    """Rows and formulas too."""
    quiet: bool = False
    """Only claims that did not pass; nothing at all if all did."""
    width: int = 80
    """Columns of the terminal."""
    colour: bool = False
    """Whether escape sequences for colour may be written."""
    allow_unverifiable: bool = False
    """An unverifiable claim is no finding (formats for CI)."""
    charts: bool = True
    """Whether the HTML report has charts (it needs the `charts` extra for them)."""
    peers: Callable[[Evidence], Sequence[Evidence]] | None = None
    """For a row, all results that it may be compared with, for charts (see `peers.peers_of`)."""
    date: str = ""
    """ISO date of the run, for formats that state one."""
    tool_name: str = "mlperf-claimcheck"
    tool_version: str = __version__


class Reporter(Protocol):
    """A report format."""

    name: str
    extension: str
    """Of a file in this format, with the dot."""

    def render(self, report: Report, options: ReportOptions) -> str:
        """The whole report as text that ends with a line break (or is empty)."""


@runtime_checkable
class PiecewiseReporter(Protocol):
    """A report format whose text can be had in pieces, so that a report on very many claims is never held whole."""

    def pieces(self, report: Report, options: ReportOptions) -> Iterator[str]:
        """What `Reporter.render` gives, in pieces."""


class UnknownFormatError(ValueError):
    """A format that does not exist."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"there is no report format {name!r}; expected one of: {', '.join(names())}")


class ReportWriteError(OSError):
    """A report that could not be written."""


_MODULES = {
    "table": "table_report",
    "json": "json_report",
    "jsonl": "jsonl_report",
    "markdown": "markdown_report",
    "html": "html_report",
    "csv": "csv_report",
    "junit": "junit_report",
    "sarif": "sarif_report",
    "github": "github_report",
    "claimreview": "claimreview_report",
}
"""Format -> module of this package with its `REPORTER`. Modules are imported when they are used."""

_EXTENSIONS = {
    "table": ".txt",
    "json": ".json",
    "jsonl": ".jsonl",
    "markdown": ".md",
    "html": ".html",
    "csv": ".csv",
    "junit": ".xml",
    "sarif": ".sarif",
    "github": ".txt",
    "claimreview": ".jsonld",
}


def names() -> tuple[str, ...]:
    """All formats."""
    return tuple(_MODULES)


def extension(name: str) -> str:
    """The usual extension of a file in this format. Raises UnknownFormatError."""
    if name not in _EXTENSIONS:
        raise UnknownFormatError(name)
    return _EXTENSIONS[name]


def reporter(name: str) -> Reporter:
    """The format of this name. Raises UnknownFormatError."""
    module = _MODULES.get(name)
    if module is None:
        raise UnknownFormatError(name)
    return cast("Reporter", import_module(f"mlperf_claimcheck.reports.{module}").REPORTER)


def render(report: Report, name: str, options: ReportOptions | None = None) -> str:
    """The report in the format `name`. Raises UnknownFormatError."""
    return reporter(name).render(report, options or ReportOptions())


def pieces(report: Report, name: str, options: ReportOptions | None = None) -> Iterator[str]:
    """The report in the format `name`, in pieces to be written one after the other. Raises UnknownFormatError."""
    made = reporter(name)
    if isinstance(made, PiecewiseReporter):
        return made.pieces(report, options or ReportOptions())
    return iter((made.render(report, options or ReportOptions()),))


def wants_colour(stream: TextIO) -> bool:
    """Whether escape sequences for colour may go to `stream`: a terminal, unless NO_COLOR is set or it is dumb."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    try:
        return stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:
        return False


def terminal_width() -> int:
    """Columns to fill: those of the terminal or of COLUMNS, at most 120 for the sake of reading; 80 if unknown."""
    import shutil

    return max(40, min(shutil.get_terminal_size((80, 24)).columns, 120))


def write_report(text: str, path: str | Path, *, make_folder: bool = True) -> None:
    """Write a report in one step: the file holds either all of it or what it held before.

    A link is followed; a device or a pipe is written to as it is. A missing folder is made, if `make_folder` is set.
    Raises ReportWriteError.
    """
    import stat

    target = Path(path)
    data = text.encode("utf-8", "backslashreplace")
    try:
        target = Path(os.path.realpath(target))
        mode = None
        try:
            mode = target.stat().st_mode
        except FileNotFoundError:
            if make_folder:
                target.parent.mkdir(parents=True, exist_ok=True)
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "is a folder; expected the name of a file")
        if mode is not None and not stat.S_ISREG(mode):
            with target.open("wb") as stream:
                stream.write(data)
            return
        replace_file(target, data, mode=new_file_mode() if mode is None else mode & 0o7777)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReportWriteError(f"{path}: the report cannot be written ({reason})") from None
