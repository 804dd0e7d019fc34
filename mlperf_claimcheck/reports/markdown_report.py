"""Markdown for a pull request's comment or a job summary."""

from __future__ import annotations

import re

from mlperf_claimcheck.messaging.rules.mark import LEGEND_TEXT
from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.words import (
    NOT_VERIFIED,
    arithmetic,
    claimed_words,
    count_words,
    full_round_name,
    has_derived,
    log_words,
    outcome_words,
    part_name,
    place,
    reading_words,
    repository_link,
    stale_words,
    title,
)
from mlperf_claimcheck.verdicts.model import Outcome, Report, ResultsSource, Severity, Verdict
from mlperf_claimcheck.verdicts.text import plural, printable, shorten

COMMENT_LIMIT = 60_000
"""Characters of a comment: GitHub takes 65,536."""

_SIGNS = {"pass": "✅", "fail": "❌", "unverifiable": "❔"}


class MarkdownReporter:
    """What did not pass first; what passed is folded away."""

    name = "markdown"
    extension = ".md"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The comment, cut where GitHub would refuse it."""
        return markdown(report, options, limit=COMMENT_LIMIT)


def markdown(report: Report, options: ReportOptions, *, limit: int) -> str:
    """The report in at most about `limit` characters; claims that do not fit are counted."""
    findings = [v for v in report.verdicts if v.counted is not Outcome.PASS and v.accepted is None]
    accepted = [v for v in report.verdicts if v.accepted is not None]
    passed = [v for v in report.verdicts if v.counted is Outcome.PASS]
    if options.quiet and not findings and not accepted and not report.stale and passed:
        return ""
    outcome = "fail" if report.count(Outcome.FAIL) else "unverifiable" if findings else "pass"
    sign = "⚠️" if accepted and not findings else _SIGNS[outcome]
    head = f"## {sign} {title(report)}\n\n{escape(count_words(report))}.\n"
    foot = "\n" + _foot(report)
    room = limit - len(head) - len(foot) - 500
    stale = _stale(report, room // 4)
    body, room = _table(findings, room - len(stale))
    if accepted:
        rows, room = _table(accepted, room)
        body += f"\n### {plural(len(accepted), 'accepted finding')}\n{rows}"
    body += stale
    if passed and not options.quiet:
        rows, room = _table(passed, room)
        body += f"\n<details>\n<summary>{plural(len(passed), 'claim')} passed</summary>\n{rows}\n</details>\n"
    return head + body + foot


def _stale(report: Report, room: int) -> str:
    if not report.stale:
        return ""
    lines = [f"- {escape(stale_words(entry))}" for entry in report.stale]
    text = "\n### Accepted, but gone\n\n"
    for number, line in enumerate(lines):
        if len(text) + len(line) > room:
            return f"{text}\n{len(lines) - number} more not shown, for lack of room.\n"
        text += line + "\n"
    return text


def _table(verdicts: list[Verdict], room: int) -> tuple[str, int]:
    if not verdicts:
        return "", room
    lines = ["", "| Verdict | Claim | Found |", "| :-- | :-- | :-- |"]
    for number, verdict in enumerate(verdicts):
        line = _row(verdict)
        room -= len(line) + 1
        if room < 0:
            lines += ["", f"{plural(len(verdicts) - number, 'more claim')} not shown, for lack of room."]
            break
        lines.append(line)
    return "\n".join(lines) + "\n", room


def _row(verdict: Verdict) -> str:
    claim = escape(shorten(verdict.text or claimed_words(verdict) or "(given by fields)", 500))
    where = escape(place(verdict))
    name = " · ".join(x for x in (escape(verdict.id), where) if x)
    said = f"**{claim}**" if claim.strip() else ""
    found = _found(verdict)
    return (
        f"| {_SIGNS[verdict.outcome]} {outcome_words(verdict)} | {said}<br><sub>{name}</sub> | {'<br>'.join(found)} |"
    )


def _found(verdict: Verdict) -> list[str]:
    lines = [escape(verdict.reason.message) or escape(verdict.reason.code)]
    if verdict.accepted is not None:
        lines.insert(0, f"**Accepted:** {escape(verdict.accepted)}")
    sums = arithmetic(verdict)
    if sums:
        mark = " (unverified)" if has_derived([verdict]) else ""
        lines.append(f"<sub>Arithmetic:</sub> {escape(sums)}{mark}")
    subjects = [e for e in verdict.evidence if e.role in ("subject", "baseline")][:3]
    for row in subjects:
        link = repository_link(row)
        label = escape(f"{row.submitter}, {row.system}, {row.scenario}, {full_round_name(row.round)}")
        lines.append(f"<sub>Row:</sub> [{label}]({link})" if link else f"<sub>Row:</sub> {label}")
    lines += [f"<sub>Log:</sub> {escape(line)}" for line in log_words(verdict)]
    for reading in verdict.readings:
        lines.append(f"<sub>Reading:</sub> {escape(reading_words(reading))}")
    if verdict.suggestion is not None:
        lines.append(f"<sub>Suggested:</sub> {escape(verdict.suggestion.text)}")
        if verdict.suggestion.footnote:
            lines.append(f"<sub>Footnote:</sub> {escape(verdict.suggestion.footnote)}")
    for number, part in enumerate(verdict.parts, 1):
        more = arithmetic(part)
        told = f"{part_name(part, number)}: {part.reason.message}" + (f" ({more})" if more else "")
        lines.append(f"{_SIGNS[part.outcome]} {part.outcome}: {escape(told)}")
        lines += [f"<sub>Log:</sub> {escape(line)}" for line in log_words(part)]
    for caveat in verdict.caveats:
        sign = "⚠️ " if caveat.severity is Severity.WARNING else ""
        lines.append(f"{sign}<sub>{caveat.severity}:</sub> {escape(caveat.message)} <sub>({escape(caveat.code)})</sub>")
    return lines


def _foot(report: Report) -> str:
    lines = ["<sub>", ""]
    if report.sources:
        lines += [f"Results used: {'; '.join(map(_source, report.sources))}.", ""]
    if has_derived(report.verdicts):
        lines += [NOT_VERIFIED, ""]
    lines += [LEGEND_TEXT, "", "</sub>"]
    return "\n".join(lines) + "\n"


def _source(source: ResultsSource) -> str:
    parts = [escape(full_round_name(source.round)), f"{plural(source.rows, 'row')} ({escape(source.origin)})"]
    if source.source:
        parts.append(escape(source.source))
    if source.retrieved:
        parts.append(f"obtained {escape(source.retrieved)}")
    if source.sha256:
        parts.append(f"SHA-256 {escape(source.sha256[:12])}")
    return ", ".join(parts)


_MARKUP = re.compile(r"[\\`*_\[\]()!|~^]")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_ALONE = re.compile(r"[@#$]|:(?=[\w+-]+:)")
_ADDRESS = re.compile(r"(?i)(?<=www)\.|:(?=//)")


def escape(text: str) -> str:
    """Text of strangers as text: no markup, HTML, link, mention, issue number, formula or emoji comes of it."""
    shown = printable(text)
    shown = "".join(_HTML.get(char, char) for char in shown)
    shown = _MARKUP.sub(lambda m: "\\" + m[0], shown)
    # GitHub makes mentions, issue numbers and emoji of the finished text, so that no backslash keeps them off.
    shown = _ALONE.sub(lambda m: f"<span>{m[0]}</span>", shown)
    return _ADDRESS.sub(lambda m: "\\" + m[0], shown)


REPORTER = MarkdownReporter()
