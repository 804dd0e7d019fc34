"""No text takes long, whatever it repeats; one that is no single claim is unverifiable and says why."""

from __future__ import annotations

import time

import pytest

import mlperf_claimcheck as cc
from mlperf_claimcheck.claims.fields import MAX_TEXT

REPEATED = (
    "约", ">", "-0", "2026-09-16", "1_000", "20x100x", "6,118 to", "about 3 ", "53.4k tokens/s, ", "72 GPUs, ",
    "2x and 3x ", "5% to 6% ", "8x B200 5 tokens/s and H200 4x ", "NVIDIA and AMD ", "1.2x vs ", "½", "(", "the ", "not ",
    "MLPerf ", "per GPU ", "up to ", "every ", "of ", "GB300 NVL72 ", "\u0301", "ﷺ",
)  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED)
def test_a_text_that_repeats_itself_takes_no_second(piece: str) -> None:
    table = cc.load_results()
    for length in (119 * len(piece), MAX_TEXT):
        text = ("CoreWeave 16,635 " + piece * length)[:length]
        start = time.process_time()
        (verdict,) = cc.check([text], table)
        assert time.process_time() - start < 1
        assert verdict.outcome == "unverifiable"


def test_a_text_with_more_figures_than_a_claim_has_says_so() -> None:
    (verdict,) = cc.check(["CoreWeave: " + "5 tokens/s and " * 100])
    assert "split it into single claims" in verdict.reason.message


def test_words_of_relation_without_end_make_no_figure() -> None:
    claim = "GPT-OSS-120B on GB300 NVL72, MLPerf Inference v6.1 Offline, CoreWeave: {} 16,000 tokens/s/GPU"
    assert cc.check([claim.format("over")])[0].outcome == "pass"
    assert cc.check([claim.format("over " * 40)])[0].outcome == "unverifiable"
