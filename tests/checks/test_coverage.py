"""Coverage: each item of a list needs a row, a missing one is named, and "did not submit" is searched widely."""

from __future__ import annotations

from typing import Any

import pytest
from placing import ROUND, bundled, caveat, codes, context, gb300, row, told

from mlperf_claimcheck.checks.coverage import check_coverage
from mlperf_claimcheck.claims.assertion import CoverageAssertion, Selection
from mlperf_claimcheck.verdicts.model import Outcome, Verdict

GPT = ("gpt-oss-120b",)
LLAMA = ("llama2-70b-99", "llama2-70b-99.9")
R1 = ("deepseek-r1",)
QWEN = ("qwen3-vl-235b-a22b",)
FOUR = ("hgx-b200", "hgx-b300", "gb200-nvl72", "gb300-nvl72")
COREWEAVE = Selection(
    rounds=(ROUND,), suite="datacenter", division="closed", availability="available", submitters=("coreweave",)
)
AMD = Selection(rounds=("inference-v6.0",), submitters=("amd",))


def coverage(subject: Selection, rows: Any = None, **claim: Any) -> Verdict:
    return check_coverage(CoverageAssertion(subject, **claim), bundled() if rows is None else context(rows))


@pytest.mark.parametrize(
    "claim",
    [
        {"hardware": FOUR, "models": (QWEN, R1, GPT, LLAMA), "hardware_count": 4, "model_count": 4},
        {"hardware": FOUR, "models": (GPT,), "product": True, "hardware_count": 4},
        {"hardware": FOUR, "models": (LLAMA,), "product": True},
        {"hardware": ("hgx-b200", "gb200-nvl72"), "models": (R1,), "product": True},
    ],
)
def test_true_coverage_of_the_round(claim: dict[str, Any]) -> None:
    verdict = coverage(COREWEAVE, **claim)
    assert verdict.outcome is Outcome.PASS
    assert len(verdict.evidence) <= 12
    assert "missing" not in verdict.reason.message


def test_a_missing_combination_is_named() -> None:
    verdict = coverage(COREWEAVE, hardware=FOUR, models=(R1,), product=True)
    assert told(verdict) == ("fail", "coverage-missing")
    assert "2 of 4" in verdict.reason.message
    assert "B300" in verdict.reason.message
    assert "GB300 NVL72" in verdict.reason.message


def test_items_without_product_need_one_row_each() -> None:
    rows = [row("CoreWeave", 1.0), gb300("CoreWeave", 2.0, model="deepseek-r1")]
    claim: dict[str, Any] = {"hardware": ("hgx-b200", "gb300-nvl72"), "models": (GPT, R1)}
    assert coverage(COREWEAVE, rows, **claim).outcome is Outcome.PASS
    assert coverage(COREWEAVE, rows, **claim, product=True).outcome is Outcome.FAIL


def test_a_name_that_nobody_has_in_the_round_is_unverifiable() -> None:
    rows = [row("CoreWeave", 1.0)]
    assert coverage(COREWEAVE, rows, models=(R1,)).outcome is Outcome.UNVERIFIABLE
    rows.append(row("Dell", 1.0, model="deepseek-r1"))
    assert coverage(COREWEAVE, rows, models=(R1,)).outcome is Outcome.FAIL


def test_counts_beside_the_lists() -> None:
    rows = [row("CoreWeave", 1.0), gb300("CoreWeave", 2.0)]
    assert coverage(COREWEAVE, rows, hardware_count=2).outcome is Outcome.PASS
    assert told(coverage(COREWEAVE, rows, hardware_count=3)) == ("fail", "count-differs")
    claim: dict[str, Any] = {"hardware": ("hgx-b200", "gb300-nvl72")}
    assert told(coverage(COREWEAVE, rows, **claim, hardware_count=3)) == ("fail", "count-differs")
    assert coverage(COREWEAVE, rows, **claim, hardware_count=2, model_count=1).outcome is Outcome.PASS


def test_nothing_beside_the_items() -> None:
    rows = [row("CoreWeave", 1.0), gb300("CoreWeave", 2.0)]
    assert coverage(COREWEAVE, rows, models=(GPT,), only=True).outcome is Outcome.PASS
    verdict = coverage(COREWEAVE, rows, hardware=("gb300",), only=True)
    assert told(verdict) == ("fail", "coverage-not-only")
    assert [e.value for e in verdict.evidence] == [1.0]


def test_every_benchmark_of_the_suite() -> None:
    rows = [row("CoreWeave", 1.0), row("CoreWeave", 1.0, model="deepseek-r1"), row("Dell", 1.0)]
    assert told(coverage(COREWEAVE, rows, all_models=True)) == ("pass", "coverage-complete")
    rows.append(row("Dell", 1.0, model="whisper"))
    verdict = coverage(COREWEAVE, rows, all_models=True)
    assert told(verdict) == ("fail", "coverage-missing")
    assert "2 of 3 benchmarks" in verdict.reason.message


def test_results_that_are_only_preview_or_joint_are_told() -> None:
    rows = [row("Dell_MangoBoost", 1.0, availability="preview")]
    verdict = coverage(Selection(rounds=(ROUND,), submitters=("dell",)), rows, models=(GPT,))
    assert verdict.outcome is Outcome.PASS
    assert {"preview-result", "joint-entry"} <= codes(verdict)


def test_did_not_submit() -> None:
    verdict = coverage(AMD, models=(R1, QWEN), negated=True)
    assert told(verdict) == ("pass", "no-result-exists")
    verdict = coverage(AMD, models=(R1, GPT), negated=True)
    assert told(verdict) == ("fail", "result-exists")
    assert {e.model for e in verdict.evidence} == {"gpt-oss-120b"}


def test_absence_with_defaults_looks_beyond_them() -> None:
    rows = [
        row("CoreWeave", 1.0),
        row("CoreWeave", 1.0, model="deepseek-r1", division="open"),
        row("Dell", 1.0, model="whisper"),
    ]
    verdict = coverage(COREWEAVE, rows, models=(R1,), negated=True)
    assert told(verdict) == ("unverifiable", "ambiguous")
    assert coverage(COREWEAVE, rows, models=(("whisper",),), negated=True).outcome is Outcome.PASS


def test_absence_of_a_submitter_from_the_round() -> None:
    rows = [row("CoreWeave", 1.0), row("CoreWeave", 1.0, model="deepseek-r1")]
    verdict = coverage(Selection(rounds=(ROUND,), submitters=("dell",)), rows, models=(R1,), negated=True)
    assert told(verdict) == ("pass", "no-result-exists")
    assert "no result at all" in caveat(verdict, "submitter-absent")


def test_absence_of_items_or_of_their_combination() -> None:
    rows = [row("CoreWeave", 1.0), gb300("CoreWeave", 1.0, model="deepseek-r1")]
    claim: dict[str, Any] = {"hardware": ("hgx-b200",), "models": (R1,), "negated": True}
    assert told(coverage(COREWEAVE, rows, **claim, product=True)) == ("pass", "no-result-exists")
    assert told(coverage(COREWEAVE, rows, **claim)) == ("unverifiable", "ambiguous")


def test_absence_in_a_round_that_is_not_held() -> None:
    verdict = coverage(Selection(rounds=("inference-v5.0",), submitters=("amd",)), models=(R1,), negated=True)
    assert verdict.outcome is Outcome.UNVERIFIABLE


def test_nothing_named_is_not_understood() -> None:
    rows = [row("CoreWeave", 1.0)]
    assert told(coverage(COREWEAVE, rows)) == ("unverifiable", "not-understood")
    assert told(coverage(Selection(submitters=("amd",)), rows, models=(GPT,))) == ("unverifiable", "round-not-stated")
    assert told(coverage(Selection(rounds=(ROUND,), groups=("our friends",)), rows, models=(GPT,))) == (
        "unverifiable",
        "group-unknown",
    )
