"""`explain` knows every code that a report can show, and helps with misspelt ones."""

from __future__ import annotations

import json

import pytest
from markdown_it import MarkdownIt

from mlperf_claimcheck.cli.explain_command import ExplainFormat, pages, run_explain
from mlperf_claimcheck.messaging.catalogue import messaging_rules
from mlperf_claimcheck.verdicts import catalogue


def test_explains_a_caveat(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_explain(["derived-metric"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("derived-metric: caveat, notice\n")
    assert "1,197,710 tokens/s ÷ 72 accelerators" in out
    assert "Source: MLPerf® Results Messaging Guidelines, sections 1 and 9" in out


def test_explains_a_messaging_rule_with_its_source_spelt_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_explain(["registered-symbol"]) == 0
    out = capsys.readouterr().out
    assert "registered-symbol: messaging rule, must" in out
    assert "Source: MLPerf® Results Messaging Guidelines §11.1" in out


def test_without_a_code_every_code_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_explain([]) == 0
    words = set(capsys.readouterr().out.split())
    assert set(catalogue.codes()) <= words
    assert set(messaging_rules()) <= words


def test_an_unknown_code_is_a_usage_error_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_explain(["belong-to-other"]) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert "belongs-to-other" in caught.err
    assert "\x1b" not in caught.err


def test_a_hostile_code_is_only_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_explain(["\x1b[31m" + "x" * 5000]) == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert len(err) < 500


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_explain(["value-matches", "truncated"], output_format=ExplainFormat.JSON) == 0
    first, second = json.loads(capsys.readouterr().out)["codes"]
    assert (first["code"], first["verdicts"], second["severity"]) == ("value-matches", ["pass"], "notice")


def test_markdown_has_a_heading_for_each_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_explain([], output_format=ExplainFormat.MARKDOWN) == 0
    tokens = MarkdownIt().parse(capsys.readouterr().out)
    headings = [
        tokens[i + 1].content.strip("`") for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag == "h3"
    ]
    assert headings == list(pages())
