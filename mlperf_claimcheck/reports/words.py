"""Sentences and figures that several formats show alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mlperf_claimcheck.verdicts.model import (
    Caveat,
    Evidence,
    LogTrace,
    Outcome,
    Reading,
    Report,
    ResultsSource,
    StaleAcceptance,
    Tracing,
    Verdict,
)
from mlperf_claimcheck.verdicts.text import plural, printable

TRADEMARK = "The MLPerf® name and logo are registered trademarks of MLCommons Association; see www.mlcommons.org."
"""The attribution of the mark, in short (messaging guidelines, section 11.2)."""

NOT_VERIFIED = (
    "Figures per accelerator, per node or per watt, ratios, sums and this check itself are derived from published "
    "results (unverified): result not verified by MLCommons Association."
)
"""What must stand beside derived figures (messaging guidelines, sections 1 and 9)."""

_SUITES = {"inference": "Inference", "training": "Training", "endpoints": "Endpoints", "hpc": "HPC", "tiny": "Tiny"}

_REPOSITORY = re.compile(r"(inference|training)-v(\d+\.\d+)")


def round_name(round_id: str) -> str:
    """`inference-v6.1` -> `Inference v6.1`; anything else as it is."""
    suite = _suite(round_id)
    return f"{_SUITES[suite]} {round_id[len(suite) + 1 :]}" if suite else round_id


def full_round_name(round_id: str) -> str:
    """`inference-v6.1` -> `MLPerf® Inference v6.1`."""
    name = round_name(round_id)
    return name if name == round_id else f"MLPerf® {name}"


def title(report: Report) -> str:
    """`Claims checked against published MLPerf® Inference results`, with the suites that the results are of."""
    named = " and ".join(sorted({_SUITES[s] for source in report.sources if (s := _suite(source.round))}))
    return f"Claims checked against published {f'MLPerf® {named} ' if named else ''}results"


def _suite(round_id: str) -> str:
    """`inference-v6.1` -> `inference`, if it is a known suite."""
    suite, dash, _ = round_id.partition("-v")
    return suite if dash and suite in _SUITES else ""


def repository_link(row: Evidence) -> str | None:
    """The row's folder in MLCommons' results repository, or None where it has none."""
    from urllib.parse import quote

    found = _REPOSITORY.fullmatch(row.round)
    location = row.location.strip("/")
    if found is None or not location or ".." in location.split("/") or "://" in location:
        return None
    path = quote(location, safe="/")
    return f"https://github.com/mlcommons/{found[1]}_results_v{found[2]}/tree/main/{path}"


def figure(value: float) -> str:
    """A figure for people: six significant digits or all of its whole part, with separators."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    size = abs(value)
    if size >= 1e15 or size < 1e-4:
        return f"{value:.6g}"
    decimals = 2 if size >= 100 else 3 if size >= 10 else 4 if size >= 1 else 6
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if size < 100 else text


def outcome_words(verdict: Verdict) -> str:
    """`pass`, or `fail, as expected`, or `pass, but fail was expected`."""
    if verdict.expected is None:
        return str(verdict.outcome)
    if verdict.outcome is verdict.expected:
        return f"{verdict.outcome}, as expected"
    return f"{verdict.outcome}, but {verdict.expected} was expected"


def arithmetic(verdict: Verdict) -> str:
    """The arithmetic of a verdict, with its result: `1,197,710 tokens/s ÷ 72 accelerators = 16,634.86 tokens/s/…`."""
    computed = verdict.computed
    if computed is None:
        return ""
    formula = computed.formula.strip()
    if computed.value is None:
        return formula
    result = f"{figure(computed.value)} {computed.unit}".strip()
    # What follows a semicolon is a remark, such as the place in the ranking.
    sums, semicolon, remark = formula.partition(";")
    sums = sums.strip()
    if not sums:
        sums = result
    elif "=" not in sums and "≈" not in sums and sums.replace(" ", "") != result.replace(" ", ""):
        sums = f"{sums} = {result}"
    return f"{sums};{remark}" if semicolon else sums


def own_caveats(verdict: Verdict) -> list[Caveat]:
    """The caveats of a verdict that none of its parts tells anyway."""
    told = {(c.code, c.message) for part in verdict.parts for c in part.caveats}
    return [c for c in verdict.caveats if (c.code, c.message) not in told]


def own_evidence(verdict: Verdict) -> tuple[Evidence, ...]:
    """The rows of a verdict, unless its parts show theirs."""
    return () if any(part.evidence for part in verdict.parts) else verdict.evidence


MOST_LOGS = 3
"""Log lines of a claim that a report for people lists; the JSON has all."""


def log_words(verdict: Verdict) -> list[str]:
    """Where the figures of a claim stand in the logs: `closed/…/mlperf_log_summary.txt:7: Tokens per second: 7200.5`.

    Rows that could not be traced are told by the claim's caveats.
    """
    lines = []
    for row in own_evidence(verdict):
        log = row.log
        if log is None or log.outcome is Tracing.NOT_CHECKED:
            continue
        place = f"{log.file}:{log.line}" if log.line is not None else log.file
        text = f"{place}: " + (f"“{log.label}: {log.text}”" if log.label else log.message)
        if log.outcome is Tracing.DISAGREES:
            text += f" disagrees: {log.message}"
        elif log.code == "measured":
            text += " agrees"
        else:
            text += f" agrees: {log.message}"
        if log.system_file and log.accelerators:
            at = f":{log.system_line}" if log.system_line is not None else ""
            text += f"; {plural(log.accelerators, 'accelerator')} in {log.system_file}{at}"
        lines.append(text)
    lines = list(dict.fromkeys(lines))
    more = len(lines) - MOST_LOGS
    return lines if more <= 0 else [*lines[:MOST_LOGS], f"{more} more"]


def traced_rows(verdicts: Iterable[Verdict]) -> list[LogTrace]:
    """The traces of all rows that were to be traced, each row once."""
    found: dict[tuple[str, str], LogTrace] = {}

    def visit(verdict: Verdict) -> None:
        for row in verdict.evidence:
            if row.log is not None:
                found[(row.round, row.location)] = row.log
        for part in verdict.parts:
            visit(part)

    for verdict in verdicts:
        visit(verdict)
    return list(found.values())


def part_name(part: Verdict, number: int) -> str:
    """What a part of a compound claim is called."""
    return part.text or part.id or claimed_words(part) or f"part {number}"


def claimed_words(verdict: Verdict) -> str:
    """What the claim says, as numbers: `over 1,160,000 tokens/s`."""
    claimed = verdict.claimed
    if claimed is None or claimed.value is None:
        return ""
    relations = {
        "gt": "over ",
        "ge": "at least ",
        "lt": "under ",
        "le": "at most ",
        "max": "up to ",
        "nearly": "nearly ",
        "about": "about ",
        "between": "between ",
    }
    text = relations.get(claimed.relation, "") + figure(claimed.value)
    if claimed.upper is not None:
        text += f" and {figure(claimed.upper)}"
    return f"{text} {claimed.unit}".strip()


def place(verdict: Verdict) -> str:
    """`claims/a.yaml:10:5`, or nothing."""
    if not verdict.file or verdict.file in ("<text>", "<stdin>"):
        return ""
    text = verdict.file
    if verdict.line is not None:
        text += f":{verdict.line}"
        if verdict.column is not None:
            text += f":{verdict.column}"
    return text


def count_words(report: Report) -> str:
    """`40 claims: 36 pass, 2 fail, 2 unverifiable`, with the claims that got the verdict they were expected to get."""
    total = len(report.verdicts)
    counts = ", ".join(f"{report.count(o):,} {o}" for o in Outcome)
    text = f"{plural(total, 'claim')}: {counts}"
    if report.accepted:
        text += f", {report.accepted:,} accepted although not passed"
    expected = [v for v in report.verdicts if v.expected is not None]
    if expected:
        right = sum(v.outcome is v.expected for v in expected)
        raw = ", ".join(f"{sum(v.outcome is o for v in report.verdicts):,} {o}" for o in Outcome)
        text += f" ({right:,} of {len(expected):,} with the expected verdict, which counts as pass; verdicts: {raw})"
    return text


def source_words(source: ResultsSource) -> str:
    """One version of the results: `MLPerf® Inference v6.1, 492 rows (bundled), obtained 2026-11-30, SHA-256 0123…`."""
    parts = [f"{full_round_name(source.round)}, {plural(source.rows, 'row')} ({source.origin})"]
    if source.retrieved:
        parts.append(f"obtained {source.retrieved}")
    if source.sha256:
        parts.append(f"SHA-256 {source.sha256[:12]}")
    return ", ".join(parts)


def needs_attention(verdict: Verdict) -> bool:
    """Whether a claim is shown in a quiet report."""
    return verdict.counted is not Outcome.PASS


def stale_words(entry: StaleAcceptance) -> str:
    """An accepted finding that no longer occurs: `accepted.yaml:3:5: gain: the claim passes; remove …`."""
    where = ":".join(str(x) for x in (entry.file, entry.line, entry.column) if x is not None)
    return printable(
        f"{where}: accepted finding {entry.claim}: {entry.message}. Remove or change the entry (reason: {entry.reason})"
    )


def has_derived(verdicts: Iterable[Verdict]) -> bool:
    """Whether any verdict shows a derived figure."""
    return any(
        any(c.code in ("derived-metric", "not-mlcommons-verified") for c in v.caveats)
        or any(e.derived is not None for e in v.evidence)
        or has_derived(v.parts)
        for v in verdicts
    )


def finding_level(verdict: Verdict, *, allow_unverifiable: bool = False) -> str | None:
    """How a claim counts in CI: `error`, `warning`, `note`, or None for one that passed.

    A claim that got another verdict than its author expects is an error, whatever the verdict; an accepted one is a
    note.
    """
    if verdict.accepted is not None:
        return "note"
    if verdict.counted is Outcome.PASS:
        return None
    if verdict.counted is Outcome.FAIL:
        return "error"
    return "note" if allow_unverifiable else "warning"


def reading_words(reading: Reading) -> str:
    """`against Vendor: pass: the ratio is 2.7`."""
    return f"{reading.description}: {reading.outcome}" + (f": {reading.detail}" if reading.detail else "")


def finding_words(verdict: Verdict) -> list[str]:
    """A finding in full, one thing a line: claim, verdict, reason, arithmetic, readings, parts, caveats, wording."""
    lines = [f"Claim: {verdict.text}"] if verdict.text else []
    lines.append(f"Verdict: {outcome_words(verdict)} [{verdict.reason.code}]")
    if verdict.accepted is not None:
        lines.append(f"Accepted: {verdict.accepted}")
    lines.append(f"Found: {verdict.reason.message}")
    sums = arithmetic(verdict)
    if sums:
        lines.append(f"Arithmetic: {sums}")
    lines.extend(f"Log: {line}" for line in log_words(verdict))
    lines.extend(f"Reading: {reading_words(r)}" for r in verdict.readings)
    for number, part in enumerate(verdict.parts, 1):
        more = arithmetic(part)
        told = f"{part_name(part, number)}: {part.reason.message}" + (f" ({more})" if more else "")
        lines.append(f"Part: {part.outcome}: {told}")
        lines.extend(f"Log: {line}" for line in log_words(part))
    lines.extend(f"{c.severity.capitalize()}: {c.message} [{c.code}]" for c in verdict.caveats)
    if verdict.suggestion is not None:
        lines.append(f"Suggested: {verdict.suggestion.text}")
        if verdict.suggestion.footnote:
            lines.append(f"Footnote: {verdict.suggestion.footnote}")
    return lines
