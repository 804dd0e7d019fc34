"""CSV for spreadsheets: one row a claim, then one for each of its parts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.words import log_words
from mlperf_claimcheck.verdicts.model import Report, Verdict
from mlperf_claimcheck.verdicts.text import printable

COLUMNS = (
    "verdict",
    "expected",
    "counts_as",
    "id",
    "part_of",
    "claim",
    "reason",
    "found",
    "claimed_relation",
    "claimed_value",
    "claimed_unit",
    "computed_value",
    "computed_unit",
    "arithmetic",
    "caveats",
    "caveat_messages",
    "submitters",
    "rounds",
    "result_ids",
    "locations",
    "file",
    "line",
    "column",
    "where",
    "note",
    "accepted",
    "logs",
    "suggestion",
    "footnote",
)

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "|", "%")

Cell = str | int | float | None


class CsvReporter:
    """An apostrophe stands before text that a spreadsheet would take for a formula."""

    name = "csv"
    extension = ".csv"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The table with a line of column names."""
        return "".join(self.pieces(report, options))

    def pieces(self, report: Report, options: ReportOptions) -> Iterator[str]:
        """The lines of a claim at a time."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        for verdict in report.verdicts:
            writer.writerows([cell(c) for c in row] for row in _rows(verdict, ""))
            yield stream.getvalue()
            stream.seek(0)
            stream.truncate()
        yield stream.getvalue()


def cell(value: Cell) -> Cell:
    """Text that no spreadsheet runs as a formula; numbers as they are."""
    if not isinstance(value, str):
        return "" if value is None else value
    text = printable(value)
    return "'" + text if text.lstrip().startswith(_FORMULA) else text


def _rows(verdict: Verdict, part_of: str) -> Iterator[tuple[Cell, ...]]:
    claimed, computed = verdict.claimed, verdict.computed
    evidence = verdict.evidence
    yield (
        str(verdict.outcome),
        str(verdict.expected or ""),
        "" if part_of else _counts_as(verdict),
        verdict.id,
        part_of,
        verdict.text,
        verdict.reason.code,
        verdict.reason.message,
        claimed.relation if claimed else None,
        claimed.value if claimed else None,
        claimed.unit if claimed else None,
        computed.value if computed else None,
        computed.unit if computed else None,
        computed.formula if computed else None,
        " ".join(c.code for c in verdict.caveats),
        " ".join(c.message for c in verdict.caveats),
        _distinct(row.submitter for row in evidence),
        _distinct(row.round for row in evidence),
        _distinct(row.result_id or "" for row in evidence),
        _distinct(row.location for row in evidence),
        verdict.file,
        verdict.line,
        verdict.column,
        verdict.where,
        verdict.note,
        verdict.accepted,
        "; ".join(log_words(verdict)),
        verdict.suggestion.text if verdict.suggestion else None,
        verdict.suggestion.footnote if verdict.suggestion else None,
    )
    for part in verdict.parts:
        yield from _rows(part, verdict.id or "claim")


def _counts_as(verdict: Verdict) -> str:
    return "accepted" if verdict.accepted is not None else str(verdict.counted)


def _distinct(texts: Iterator[str]) -> str:
    return "; ".join(dict.fromkeys(t for t in texts if t))


REPORTER = CsvReporter()
