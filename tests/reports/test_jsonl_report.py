"""JSON Lines: every line is a claim by itself."""

from __future__ import annotations

import json

import pytest
from report_samples import ALL, HOSTILE, OPTIONS, hostile_report, report

from mlperf_claimcheck import reports


def test_one_claim_a_line_in_the_form_of_the_json_report() -> None:
    lines = reports.render(ALL, "jsonl", OPTIONS).splitlines()
    whole = json.loads(reports.render(ALL, "json", OPTIONS))["claims"]
    assert len(lines) == len(ALL.verdicts)
    for line, claim in zip(lines, whole, strict=True):
        read = json.loads(line)
        assert read.pop("schema_version") == 1
        read.pop("results")
        assert read == claim


def test_a_line_says_which_version_of_the_results_it_rests_on() -> None:
    first, second, *_ = reports.render(ALL, "jsonl", OPTIONS).splitlines()
    assert json.loads(first)["results"] == {"inference-v6.1": "0123456789abcdef" * 4}
    assert json.loads(second)["results"] == {}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_line(text: str) -> None:
    written = reports.render(hostile_report(text), "jsonl", OPTIONS)
    assert written.count("\n") == 1
    assert len(written.splitlines()) == 1
    assert json.loads(written)["text"] == text


def test_no_claims_no_lines() -> None:
    assert reports.render(report(), "jsonl", OPTIONS) == ""
