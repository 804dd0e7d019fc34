"""Workflow commands and the job summary of GitHub Actions."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from report_samples import ALL, FAILS, HOSTILE, OPTIONS, PASSES, UNDECIDED, hostile_report, report

from mlperf_claimcheck import reports
from mlperf_claimcheck.reports.github_report import job_summary
from mlperf_claimcheck.verdicts.text import printable

COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-z]+=[^,:]*,?)*)::(.*)")


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """The commands in a job's output, read by the rules of the workflow commands."""

    def plain(value: str, more: bool) -> str:
        pairs = [("%3A", ":"), ("%2C", ",")] if more else []
        for code, char in [*pairs, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")]:
            value = value.replace(code, char)
        return value

    found = []
    for line in text.splitlines():
        if line.lstrip().startswith("::"):
            match = COMMAND.fullmatch(line)
            assert match is not None, line
            properties = dict(p.split("=", 1) for p in match[2].split(","))
            found.append((match[1], {k: plain(v, True) for k, v in properties.items()}, plain(match[3], False)))
    return found


def test_an_annotation_for_each_claim_that_did_not_pass() -> None:
    text = reports.render(ALL, "github", OPTIONS)
    found = commands(text)
    assert [(level, p["line"]) for level, p, _ in found] == [
        ("error", "11"),
        ("warning", "12"),
        ("error", "14"),
        ("error", "15"),
    ]
    _, properties, message = found[0]
    assert properties == {
        "file": "claims/launch.yaml",
        "line": "11",
        "col": "5",
        "title": "wrong-owner: belongs-to-other",
    }
    assert message.startswith("Claim: Other: 16,635 tokens/s/GPU offline\nVerdict: fail [belongs-to-other]\n")
    assert text.splitlines()[-1].startswith("6 claims: 2 pass, 3 fail, 1 unverifiable")


def test_unverifiable_claims_may_be_notices() -> None:
    text = reports.render(report(UNDECIDED), "github", replace(OPTIONS, allow_unverifiable=True))
    assert commands(text)[0][0] == "notice"


def test_quiet_says_nothing_if_all_pass() -> None:
    assert reports.render(report(PASSES), "github", replace(OPTIONS, quiet=True)) == ""


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_makes_no_command(text: str) -> None:
    written = reports.render(hostile_report(text), "github", OPTIONS)
    ((level, properties, message),) = commands(written)
    assert level == "error"
    assert properties["file"] == printable(f"claims/{text}.yaml")
    assert properties["title"] == printable(f"{text}: value-differs")
    assert f"Claim: {printable(text)}\n" in message


def test_the_job_summary_is_markdown() -> None:
    text = job_summary(ALL)
    html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(text)
    assert "<h2>❌ Claims checked against published MLPerf® Inference results</h2>" in html
    assert html.count("<table>") == 2


def test_a_job_summary_stays_below_the_limit() -> None:
    assert len(job_summary(report(*[FAILS] * 20_000)).encode()) < 1024 * 1024
