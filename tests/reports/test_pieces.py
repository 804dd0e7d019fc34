"""A report in pieces is the report."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mlperf_claimcheck as cc
from mlperf_claimcheck.reports import ReportOptions, names, pieces, render
from mlperf_claimcheck.verdicts.model import Report

TEXTS = ("16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72", "::error:: it is nice", "9 million tokens/s Offline")
VERDICTS = cc.check(TEXTS, round="inference-v6.1")
REPORT = Report(VERDICTS, cc.load_results().sources)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("count", [0, 3, 300])
def test_pieces_are_the_report(name: str, count: int) -> None:
    report = replace(REPORT, verdicts=(VERDICTS * 100)[:count])
    for options in (ReportOptions(charts=False), ReportOptions(charts=False, quiet=True)):
        if name == "html" and count == 300:
            continue
        assert "".join(pieces(report, name, options)) == render(report, name, options)


def test_a_long_report_is_never_held_whole() -> None:
    report = replace(REPORT, verdicts=VERDICTS * 100)
    for name in ("table", "json", "jsonl", "csv"):
        assert max(map(len, pieces(report, name))) < len(render(report, name)) / 50
