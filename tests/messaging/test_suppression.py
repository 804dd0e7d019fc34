"""Findings are suppressed inline, with a reason, and suppressions that do nothing are reported."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.claims.documents import read_document
from mlperf_claimcheck.messaging import UnknownRuleError, apply_fixes, lint_document

IGNORE = ["attribution-legend"]


def rules(text: str, name: str = "a.md") -> list[tuple[str, int]]:
    found = lint_document(read_document(name, text.encode()), ignore=IGNORE)
    return [(f.rule, f.line) for f in found]


def test_the_next_block_is_covered_and_no_other() -> None:
    text = "<!-- mlperf-lint: disable=registered-symbol a quotation -->\n\nMLPerf Inference\n\nMLPerf Training\n"
    assert rules(text) == [("registered-symbol", 5)]


def test_html_and_several_rules() -> None:
    text = (
        "<p>MLPerf® Inference</p><!-- mlperf-lint: disable=registered-symbol, full-benchmark-name: a headline -->"
        "<p>MLPerf results</p>\n<p>MLPerf Training</p>"
    )
    assert rules(text, "a.html") == [("registered-symbol", 2)]


def test_up_to_enable() -> None:
    text = (
        "<!-- mlperf-lint: disable=registered-symbol an old post -->\n\nMLPerf Inference\n\nMLPerf Training\n\n"
        "<!-- mlperf-lint: enable=registered-symbol -->\n\nMLPerf Tiny\n"
    )
    assert rules(text) == [("registered-symbol", 9)]


def test_plain_text() -> None:
    text = "MLPerf Inference v6.0. [mlperf-lint-disable: registered-symbol a quotation]\n\nMLPerf Training v6.0.\n"
    assert rules(text, "a.txt") == [("registered-symbol", 3)]
    alone = (
        "News\n\n[mlperf-lint-disable: registered-symbol a quotation]\n\nMLPerf Inference v6.0.\n\nMLPerf Tiny v1.0.\n"
    )
    assert rules(alone, "a.txt") == [("registered-symbol", 7)]


def test_without_a_reason_it_does_not_count() -> None:
    text = "<!-- mlperf-lint: disable=registered-symbol -->\n\nMLPerf Inference\n"
    assert rules(text) == [("suppression-without-reason", 1), ("registered-symbol", 3)]


def test_unused_and_unknown_are_reported() -> None:
    text = "<!-- mlperf-lint: disable=no-alteration a reason -->\n\nMLPerf® Inference\n"
    assert rules(text) == [("suppression-unused", 1)]
    assert rules(text.replace("no-alteration", "no-alteratoin")) == [("suppression-unknown-rule", 1)]


def test_a_selected_rule_does_not_make_other_suppressions_unused() -> None:
    text = "<!-- mlperf-lint: disable=registered-symbol a quotation -->\n\nMLPerf Inference\n"
    document = read_document("a.md", text.encode())
    assert lint_document(document, select=["no-alteration"]) == []


def test_unknown_rules_are_an_error_with_the_nearest_name() -> None:
    document = read_document("a.md", b"MLPerf")
    with pytest.raises(UnknownRuleError, match="did you mean no-endorsement"):
        lint_document(document, select=["no-endorsment"])


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt"])
def test_fixes_are_idempotent_and_leave_nothing_to_fix(name: str) -> None:
    source = "MLPerf Inference, MLPerf™ Training, ML-Perf® Tiny, MLPERF HPC and MLPerf's Storage.\n"
    for _ in range(3):
        found = lint_document(read_document(name, source.encode()), ignore=IGNORE)
        fixed, count = apply_fixes(source, found)
        if not count:
            break
        source = fixed
    assert source == "MLPerf® Inference, MLPerf® Training, MLPerf® Tiny, MLPerf® HPC and MLPerf®'s Storage.\n"
    assert apply_fixes(source, lint_document(read_document(name, source.encode())))[1] == 0
