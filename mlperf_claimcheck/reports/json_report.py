"""JSON: the interface for other programs (`schema_version` 1). Keys are only ever added."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.words import NOT_VERIFIED, TRADEMARK
from mlperf_claimcheck.verdicts.model import Evidence, Outcome, Report, ResultsSource, StaleAcceptance, Verdict

SCHEMA_VERSION = 1

INDENTED = 200
"""Reports of up to so many claims are indented throughout."""

# Everything that a terminal or an editor might act on; json escapes what is below a space already.
_ACTING = re.compile("[^ -~\n]")


class JsonReporter:
    """One JSON object."""

    name = "json"
    extension = ".json"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The report as JSON: indented, or with a claim a line where there are very many of them."""
        return "".join(self.pieces(report, options))

    def pieces(self, report: Report, options: ReportOptions) -> Iterator[str]:
        """The report, a claim at a time where there are very many of them."""
        if len(report.verdicts) <= INDENTED:
            yield dumps(report_object(report, options), indent=1) + "\n"
            return
        # The standard library indents slowly.
        head = report_object(replace(report, verdicts=()), options)
        head.update(_counts(report))
        del head["claims"]
        yield f'{dumps(head, indent=1)[:-2]},\n "claims": ['
        for number, verdict in enumerate(report.verdicts):
            yield f"{',' if number else ''}\n  {dumps(claim_object(verdict))}"
        yield "]}\n"


def report_object(report: Report, options: ReportOptions) -> dict[str, Any]:
    """The report as plain Python values."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": options.tool_name, "version": options.tool_version},
        "results": [source_object(s) for s in report.sources],
        **_counts(report),
        "notice": f"{TRADEMARK} {NOT_VERIFIED}",
        "accepted_but_gone": [stale_object(s) for s in report.stale],
        "claims": [claim_object(v) for v in report.verdicts],
    }


def _counts(report: Report) -> dict[str, Any]:
    return {
        # With accepted findings the three numbers alone would not sum up to the number of claims.
        "summary": {
            **{str(o): report.count(o) for o in Outcome},
            **({"accepted": report.accepted} if report.accepted else {}),
        },
        "verdicts": {str(o): sum(v.outcome is o for v in report.verdicts) for o in Outcome},
    }


def source_object(source: ResultsSource) -> dict[str, Any]:
    """One version of one round's results."""
    return {
        "round": source.round,
        "origin": source.origin,
        "source": source.source,
        "sha256": source.sha256,
        "retrieved": source.retrieved,
        "rows": source.rows,
    }


def stale_object(entry: StaleAcceptance) -> dict[str, Any]:
    """An accepted finding that no longer occurs."""
    return {
        "claim": entry.claim,
        "reason": entry.reason,
        "message": entry.message,
        "file": entry.file,
        "line": entry.line,
        "column": entry.column,
    }


def claim_object(verdict: Verdict) -> dict[str, Any]:
    """One claim; `verdict` is always the actual outcome."""
    claimed = verdict.claimed
    computed = verdict.computed
    return {
        "id": verdict.id,
        "text": verdict.text,
        "file": verdict.file,
        "line": verdict.line,
        "column": verdict.column,
        "verdict": str(verdict.outcome),
        "expected": None if verdict.expected is None else str(verdict.expected),
        "as_expected": None if verdict.expected is None else verdict.outcome is verdict.expected,
        "accepted": verdict.accepted,
        "reason": {"code": verdict.reason.code, "message": verdict.reason.message},
        "claimed": None
        if claimed is None
        else {
            "relation": claimed.relation,
            "value": _number(claimed.value),
            "unit": claimed.unit,
            "precision": _number(claimed.precision),
            "upper": _number(claimed.upper),
        },
        "computed": None
        if computed is None
        else {"value": _finite(computed.value), "unit": computed.unit, "formula": computed.formula},
        "evidence": [evidence_object(e) for e in verdict.evidence],
        "caveats": [{"code": c.code, "severity": str(c.severity), "message": c.message} for c in verdict.caveats],
        "readings": [
            {"description": r.description, "verdict": str(r.outcome), "detail": r.detail} for r in verdict.readings
        ],
        "note": verdict.note,
        "where": verdict.where,
        **_suggestion(verdict),
        "parts": [claim_object(p) for p in verdict.parts],
    }


def _suggestion(verdict: Verdict) -> dict[str, Any]:
    """The key is there only where wording is suggested."""
    found = verdict.suggestion
    return {} if found is None else {"suggestion": {"text": found.text, "footnote": found.footnote}}


def evidence_object(row: Evidence) -> dict[str, Any]:
    """One published row."""
    return {
        "round": row.round,
        "result_id": row.result_id,
        "submitter": row.submitter,
        "system": row.system,
        "platform": row.platform,
        "accelerator": row.accelerator,
        "accelerators": row.accelerators,
        "nodes": row.nodes,
        "model": row.model,
        "scenario": row.scenario,
        "division": row.division,
        "availability": row.availability,
        "suite": row.suite,
        "value": _finite(row.value),
        "unit": row.unit,
        "location": row.location,
        "role": row.role,
        "derived": _finite(row.derived),
        "derived_unit": row.derived_unit,
        **_log(row),
    }


def _log(row: Evidence) -> dict[str, Any]:
    """The key is there only where the row was to be traced to a log."""
    log = row.log
    if log is None:
        return {}
    return {
        "log": {
            "outcome": str(log.outcome),
            "code": log.code,
            "message": log.message,
            "value": _finite(log.value),
            "unit": log.unit,
            "text": log.text,
            "label": log.label,
            "file": log.file,
            "line": log.line,
            "source": log.source,
            "system": {"file": log.system_file, "line": log.system_line, "accelerators": log.accelerators},
        }
    }


def dumps(value: Any, *, indent: int | None = None) -> str:
    """JSON text in which nothing but letters, signs and spaces stands unescaped."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False)
    return text if text.isprintable() else _ACTING.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return char if char.isprintable() else json.dumps(char)[1:-1]


def _finite(value: float | None) -> float | None:
    # JSON has no word for infinity or "not a number".
    return value if value is not None and math.isfinite(value) else None


def _number(value: float | None) -> float | int | None:
    """A printed number: whole ones without a decimal point, as the claim has them."""
    value = _finite(value)
    if value is not None and value == int(value) and abs(value) < 2**53:
        return int(value)
    return value


REPORTER = JsonReporter()
