"""SARIF 2.1.0 for code scanning: a result for each claim that did not pass, a rule for each reason."""

from __future__ import annotations

import hashlib
import re
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.json_report import dumps, source_object
from mlperf_claimcheck.reports.words import NOT_VERIFIED, TRADEMARK, finding_level, finding_words, stale_words
from mlperf_claimcheck.verdicts import catalogue
from mlperf_claimcheck.verdicts.model import Report, Verdict
from mlperf_claimcheck.verdicts.text import printable

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class SarifReporter:
    """One run with the tool, its rules and the results."""

    name = "sarif"
    extension = ".sarif"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The log as JSON."""
        rules: dict[str, int] = {}
        results = []
        seen: dict[str, int] = {}
        for verdict in report.verdicts:
            level = finding_level(verdict, allow_unverifiable=options.allow_unverifiable)
            if level is not None:
                index = rules.setdefault(verdict.reason.code, len(rules))
                results.append(_result(verdict, level, index, seen))
        driver = {
            "name": options.tool_name,
            "version": options.tool_version,
            "informationUri": "https://mlcommons.org/benchmarks/",
            "rules": [_rule(code) for code in rules],
        }
        run: dict[str, Any] = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "resultsUsed": [source_object(s) for s in report.sources],
                "notice": f"{TRADEMARK} {NOT_VERIFIED}",
            },
        }
        if report.stale:
            run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": _stale(report)}]
        return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(code: str) -> dict[str, Any]:
    entry = catalogue.find(code)
    name = "".join(word.capitalize() for word in re.split(r"[^a-zA-Z0-9]+", code)) or "Claim"
    rule: dict[str, Any] = {"id": printable(code), "name": name}
    if entry is None:
        return {**rule, "shortDescription": {"text": printable(code) or "claim"}}
    return {
        **rule,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.explanation},
        "help": {
            "text": f"{entry.explanation}\n\nExample: {entry.example}\n\nSource: {entry.source}.",
            "markdown": f"{entry.explanation}\n\n**Example:** {entry.example}\n\n**Source:** {entry.source}.",
        },
        "defaultConfiguration": {"level": {"notice": "note"}.get(entry.severity, entry.severity)},
        "properties": {"tags": ["mlperf", "claims"]},
    }


def _result(verdict: Verdict, level: str, index: int, seen: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": printable(verdict.reason.code),
        "ruleIndex": index,
        "level": level,
        "message": {"text": "\n".join(map(_text, finding_words(verdict)))},
        "partialFingerprints": {"claim/v1": _fingerprint(verdict, seen)},
        "properties": {"claim": verdict.id, "verdict": str(verdict.outcome)},
    }
    if verdict.file and verdict.file not in ("<text>", "<stdin>"):
        result["locations"] = [_location(verdict.file, verdict.line, verdict.column)]
    if verdict.accepted is not None:
        justification = _text(verdict.accepted)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": justification}]
    return result


def _stale(report: Report) -> list[dict[str, Any]]:
    return [
        {
            "level": "warning",
            "message": {"text": _text(stale_words(entry))},
            "locations": [_location(entry.file, entry.line, entry.column)],
        }
        for entry in report.stale
    ]


def _location(file: str, line: int | None, column: int | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if line is not None and line > 0:
        region = {"startLine": line}
        if column is not None and column > 0:
            region["startColumn"] = column
        physical["region"] = region
    return {"physicalLocation": physical}


def _text(text: str) -> str:
    # A viewer would take `[words](1)` for a link to a location, and `{0}` for the place of an argument.
    shown = re.sub(r"\[(?=[^\]]*\]\()", r"\\[", printable(text))
    return re.sub(r"\{(\d+)\}", r"{{\1}}", shown)


def _fingerprint(verdict: Verdict, seen: dict[str, int]) -> str:
    """The same for the same claim and reason wherever it stands in its file."""
    parts = [PurePath(verdict.file or "").name, verdict.id, verdict.text, verdict.reason.code]
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
    count = seen.get(digest, 0) + 1
    seen[digest] = count
    return f"{digest}:{count}"


def _uri(file: str) -> str:
    path = file.replace("\\", "/").removeprefix("./")
    encoded = quote(path.encode("utf-8", "backslashreplace"), safe="/")
    # A colon in the first segment would make it a scheme; quote has encoded it.
    return f"file://{encoded}" if path.startswith("/") else encoded


REPORTER = SarifReporter()
