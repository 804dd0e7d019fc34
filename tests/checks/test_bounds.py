"""An upper bound that only some of the fitting results keep is ambiguous: a smaller system would always prove it."""

import mlperf_claimcheck as cc
from mlperf_claimcheck.verdicts.model import Outcome


def test_an_upper_bound_has_to_hold_for_all_fitting_results():
    text = "NVIDIA's GB300 NVL72 delivered at most 300,000 tokens/s on DeepSeek-R1 Offline"
    (verdict,) = cc.check(text, round="inference-v6.1")
    assert verdict.outcome is not Outcome.PASS


def test_a_lower_bound_is_proved_by_one_result():
    text = "CoreWeave, GPT-OSS-120B, Server on GB300 NVL72: over 1.16 million tokens/s"
    (verdict,) = cc.check(text, round="inference-v6.1")
    assert verdict.outcome is Outcome.PASS
