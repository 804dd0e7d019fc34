"""Reports: one module for each output format. They know nothing of how a verdict came about."""

from mlperf_claimcheck.reports.interface import (
    Reporter,
    ReportOptions,
    ReportWriteError,
    UnknownFormatError,
    extension,
    names,
    pieces,
    render,
    reporter,
    terminal_width,
    wants_colour,
    write_report,
)

__all__ = [
    "ReportOptions",
    "ReportWriteError",
    "Reporter",
    "UnknownFormatError",
    "extension",
    "names",
    "pieces",
    "render",
    "reporter",
    "terminal_width",
    "wants_colour",
    "write_report",
]
