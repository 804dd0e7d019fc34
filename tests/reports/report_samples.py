"""Verdicts of every kind, built by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlperf_claimcheck.reports import ReportOptions
from mlperf_claimcheck.verdicts import (
    Caveat,
    Claimed,
    Computed,
    Evidence,
    Outcome,
    Reason,
    Report,
    ResultsSource,
    Severity,
    Verdict,
)
from mlperf_claimcheck.verdicts.model import Reading, Suggestion

OPTIONS = ReportOptions(tool_version="1.2.3")
FILE = "claims/launch.yaml"


def row(**changes: Any) -> Evidence:
    """A published row."""
    base = Evidence(
        round="inference-v6.1",
        result_id=None,
        submitter="Example Cloud",
        system="GB300 NVL72 (72x GB300-288GB_aarch64)",
        platform="GB300-NVL72x72",
        accelerator="NVIDIA GB300",
        accelerators=72,
        nodes=18,
        model="gpt-oss-120b",
        scenario="Offline",
        division="closed",
        availability="available",
        suite="datacenter",
        value=1197710.0,
        unit="tokens/s",
        location="closed/Example_Cloud/results/GB300 NVL72/gpt-oss-120b/Offline",
        derived=1197710 / 72,
        derived_unit="tokens/s/accelerator",
    )
    return replace(base, **changes)


PASSES = Verdict(
    Outcome.PASS,
    Reason("value-matches", "Example Cloud's result is 16,634.86 tokens/s per accelerator."),
    id="per-gpu",
    text="16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72",
    file=FILE,
    line=10,
    column=5,
    claimed=Claimed("eq", 16635.0, "tokens/s/accelerator", 1.0),
    computed=Computed(1197710 / 72, "tokens/s/accelerator", "1,197,710 tokens/s ÷ 72 accelerators"),
    evidence=(
        row(),
        row(submitter="Other", value=1186747.2, derived=16482.6, role="nearest"),
        row(
            submitter="Vendor",
            accelerator="Vera Rubin",
            availability="preview",
            value=2000000.0,
            derived=2e6 / 72,
            role="excluded",
        ),
    ),
    caveats=(
        Caveat("derived-metric", "The figure per accelerator is derived."),
        Caveat("self-defined-scope", "One result stands above outside the scope.", Severity.WARNING),
    ),
)
FAILS = Verdict(
    Outcome.FAIL,
    Reason("belongs-to-other", "The figure is Example Cloud's, not Other's."),
    id="wrong-owner",
    text="Other: 16,635 tokens/s/GPU offline",
    file=FILE,
    line=11,
    column=5,
    note="The press release says so.",
    where="page 2",
)
UNDECIDED = Verdict(
    Outcome.UNVERIFIABLE,
    Reason("ambiguous", "Two baselines are possible; name one."),
    id="gain",
    text="2.7x over v6.0",
    file=FILE,
    line=12,
    column=5,
    readings=(Reading("against Vendor", Outcome.PASS, "2.7"), Reading("against Other", Outcome.FAIL, "3.4")),
)
EXPECTED_FAIL = replace(FAILS, id="expected-fail", line=13, expected=Outcome.FAIL)
UNMET = replace(UNDECIDED, id="unmet", line=14, expected=Outcome.PASS)
COMPOUND = Verdict(
    Outcome.FAIL,
    Reason("part-fails", "One part of two fails."),
    id="pair",
    text="901,058 Server, 911,566 Offline",
    file=FILE,
    line=15,
    column=5,
    parts=(
        Verdict(Outcome.PASS, Reason("value-matches", "It is 901,058."), id="pair.1", text="901,058 Server"),
        Verdict(Outcome.FAIL, Reason("value-differs", "It is 911,567."), id="pair.2", text="911,566 Offline"),
    ),
)
SOURCES = (
    ResultsSource(
        "inference-v6.1",
        "bundled",
        "https://raw.githubusercontent.com/mlcommons/inference_results_v6.1/main/summary.csv",
        "0123456789abcdef" * 4,
        "2026-11-30",
        492,
    ),
)
CITED = {
    FILE: {
        "title": "GPT-OSS-120B on GB300 NVL72",
        "url": "https://example.com/post",
        "published": "2026-09-16",
        "author": "Example Cloud",
    }
}


def report(*verdicts: Verdict) -> Report:
    """A report on these verdicts."""
    return Report(verdicts, SOURCES, CITED)


ALL = report(PASSES, FAILS, UNDECIDED, EXPECTED_FAIL, UNMET, COMPOUND)

HOSTILE = (
    "=cmd|' /C calc'!A0",
    "+1+1",
    "@SUM(A1)",
    "-2+3",
    "\t=1+1",
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "]]>",
    "<!-- --> &amp; &#x41;",
    "[red]bold[/red]",
    "[link=http://evil]x[/link]",
    "\x1b[31mred\x1b[0m\x1b]8;;http://evil\x07",
    "\x9b31m\x7f",
    "::error::broken",
    "line\n::error::broken\r\n::stop-commands::x",
    "```\n# heading\n```",
    "`code` **bold** | cell | [a](javascript:alert(1)) ![i](http://evil/x.png)",
    "![x][y] <http://evil> http://evil @someone #1 ~~s~~ $x$",
    "\u202eevil\u202c\u200b\ufeff",
    "nul\0byte",
    "\ud800lone",
    "{{ 7 * 7 }} {% raw %} ${x} %s %(a)s",
    "a\u2028b\u2029c\x85d",
    "'; DROP TABLE x; --",
    "%0A::error::x",
    "每秒 16,635 个 token",
)


def hostile(text: str) -> Verdict:
    """A verdict with hostile text wherever text from outside can stand."""
    return Verdict(
        Outcome.FAIL,
        Reason("value-differs", f"Found {text}"),
        id=text,
        text=text,
        file=f"claims/{text}.yaml",
        line=3,
        column=7,
        claimed=Claimed("eq", 1.0, text, 1.0),
        computed=Computed(2.5, text, text),
        evidence=(
            row(submitter=text, system=text, platform=text, accelerator=text, model=text, scenario=text, unit=text),
            row(location=text, result_id=text, division=text, role=text, derived_unit=text, round=text),
        ),
        caveats=(Caveat("truncated", text), Caveat(text, text, Severity.WARNING)),
        readings=(Reading(text, Outcome.PASS, text),),
        parts=(Verdict(Outcome.FAIL, Reason(text, text), id=text, text=text),),
        note=text,
        where=text,
        suggestion=Suggestion(text, text),
    )


def hostile_report(text: str) -> Report:
    """A report with hostile text wherever text from outside can stand."""
    verdict = hostile(text)
    source = ResultsSource(text, "file", text, text, text, 1)
    cited = {str(verdict.file): {"title": text, "url": text, "author": text, "published": text}}
    return Report((verdict,), (source,), cited)
