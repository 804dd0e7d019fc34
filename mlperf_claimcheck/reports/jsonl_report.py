"""JSON Lines: one claim a line, each complete by itself."""

from __future__ import annotations

from collections.abc import Iterator

from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.json_report import SCHEMA_VERSION, claim_object, dumps
from mlperf_claimcheck.verdicts.model import Report, Verdict


class JsonLinesReporter:
    """The claims of the JSON report, with the SHA-256 of the results that each rests on."""

    name = "jsonl"
    extension = ".jsonl"

    def render(self, report: Report, options: ReportOptions) -> str:
        """One line of JSON for each claim; nothing if there is none."""
        return "".join(self.pieces(report, options))

    def pieces(self, report: Report, options: ReportOptions) -> Iterator[str]:
        """A line of JSON at a time."""
        held = {s.round: s.sha256 for s in report.sources}
        for verdict in report.verdicts:
            rounds = dict.fromkeys(_rounds(verdict))
            line = {
                "schema_version": SCHEMA_VERSION,
                **claim_object(verdict),
                "results": {r: held[r] for r in rounds if r in held},
            }
            yield dumps(line) + "\n"


def _rounds(verdict: Verdict) -> Iterator[str]:
    yield from (row.round for row in verdict.evidence)
    for part in verdict.parts:
        yield from _rounds(part)


REPORTER = JsonLinesReporter()
