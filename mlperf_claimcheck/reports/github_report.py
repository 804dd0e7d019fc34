"""GitHub Actions: workflow commands that become annotations, and the job summary."""

from __future__ import annotations

from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.words import count_words, finding_level, finding_words, stale_words
from mlperf_claimcheck.verdicts.model import Report, Verdict
from mlperf_claimcheck.verdicts.text import printable, shorten

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}

SUMMARY_LIMIT = 900_000
"""Characters of a job summary: GitHub takes 1 MiB a step."""


class GitHubReporter:
    """One annotation for each claim that did not pass, and the counts as a line of the log."""

    name = "github"
    extension = ".txt"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The workflow commands."""
        lines = []
        for verdict in report.verdicts:
            level = finding_level(verdict, allow_unverifiable=options.allow_unverifiable)
            if level is not None:
                lines.append(_command(_LEVELS[level], verdict))
        for entry in report.stale:
            place = f"file={_property(entry.file)}" + (f",line={entry.line}" if entry.line is not None else "")
            lines.append(f"::warning {place},title=accepted but gone::{_data(stale_words(entry))}")
        if not (options.quiet and not lines):
            lines.append(count_words(report))
        return "".join(line + "\n" for line in lines)


def job_summary(report: Report, options: ReportOptions | None = None) -> str:
    """Markdown for the file that GITHUB_STEP_SUMMARY names."""
    from mlperf_claimcheck.reports.markdown_report import markdown

    return markdown(report, options or ReportOptions(), limit=SUMMARY_LIMIT)


def _command(level: str, verdict: Verdict) -> str:
    properties = []
    if verdict.file and verdict.file not in ("<text>", "<stdin>"):
        properties.append(f"file={_property(verdict.file)}")
        if verdict.line is not None:
            properties.append(f"line={verdict.line}")
            if verdict.column is not None:
                properties.append(f"col={verdict.column}")
    title = f"{verdict.id}: {verdict.reason.code}" if verdict.id else verdict.reason.code
    properties.append(f"title={_property(shorten(title, 200))}")
    return f"::{level} {','.join(properties)}::{_data(chr(10).join(map(printable, finding_words(verdict))))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")


REPORTER = GitHubReporter()
