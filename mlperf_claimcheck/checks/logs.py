"""Passed claims against the logs of the runs that they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mlperf_claimcheck.checks.combine import sentence
from mlperf_claimcheck.verdicts.model import Caveat, Evidence, LogTrace, Outcome, Reason, Severity, Tracing, Verdict

ROLES = ("subject", "baseline", "member")
"""Roles of the rows that a passed claim rests on; the others are shown for comparison."""


def traceable(verdict: Verdict) -> Iterator[Evidence]:
    """The rows whose logs `traced` asks for: of passed claims, and of the passed parts of others."""
    if verdict.outcome is Outcome.PASS:
        yield from (row for row in verdict.evidence if row.role in ROLES)
    for part in verdict.parts:
        yield from traceable(part)


def traced(verdict: Verdict, log_of: Callable[[Evidence], LogTrace | None]) -> Verdict:
    """The verdict with its rows traced to their logs; a pass fails where a log says something else.

    A row whose log could not be looked into leaves the pass, with a caveat: the published results still say so.
    """
    parts = tuple(traced(part, log_of) for part in verdict.parts)
    fallen = [
        new
        for old, new in zip(verdict.parts, parts, strict=True)
        if new.outcome is Outcome.FAIL and old.outcome is not Outcome.FAIL
    ]
    passed = verdict.outcome is Outcome.PASS
    verdict = replace(verdict, parts=parts)
    if passed:
        rows = tuple(replace(row, log=log_of(row)) if row.role in ROLES else row for row in verdict.evidence)
        verdict = replace(verdict, evidence=rows)
        for row in rows:
            if row.log is not None and row.log.outcome is Tracing.DISAGREES:
                return _failed(verdict, _disagreement(row, row.log, verdict.reason.message))
        verdict = verdict.with_caveats(*_not_checked(rows))
    if fallen and verdict.outcome is not Outcome.FAIL:
        return _failed(verdict, fallen[0].reason.message)
    return verdict


def _failed(verdict: Verdict, message: str) -> Verdict:
    return replace(verdict, outcome=Outcome.FAIL, reason=Reason("log-disagrees", message), suggestion=None)


def _disagreement(row: Evidence, log: LogTrace, found: str) -> str:
    where = f"{log.file}:{log.line}" if log.line is not None else log.file
    return (
        f"The published result of {row.submitter} ({row.model}, {row.scenario}) and the files of its run disagree: "
        f"{sentence(log.message.removesuffix('.') + f' ({where})')} By the published result alone the claim passes: "
        f"{sentence(found)}"
    )


def _not_checked(rows: tuple[Evidence, ...]) -> Iterator[Caveat]:
    messages: dict[str, list[Evidence]] = {}
    for row in rows:
        if row.log is not None and row.log.outcome is Tracing.NOT_CHECKED:
            place = f"{row.log.file}: " if row.log.file else ""
            messages.setdefault(place + row.log.message, []).append(row)
    for message, of in messages.items():
        whose = ", ".join(dict.fromkeys(f"{row.submitter} {row.scenario}" for row in of))
        yield Caveat("log-not-checked", f"Not traced to a log ({whose}): {sentence(message)}", Severity.WARNING)
