"""Servers named by series and model: found in the free text of system names, which contradicts nothing it is silent on."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.api import check_files, load_results
from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput
from mlperf_claimcheck.verdicts.model import Outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        # The model decides; the series may be absent from the published name, but no other series may stand there.
        ("Dell reached 100,008 tokens/s on Llama 2 70B Offline with PowerEdge XE9785L", Outcome.PASS),
        ("Dell reached 108,008 tokens/s on Llama 2 70B Offline with PowerEdge XE9785L", Outcome.FAIL),
        ("PowerEdge XD685 reached 91,847 tokens/s on GPT-OSS-120B Offline", Outcome.UNVERIFIABLE),
        # The figure is of another server of the same submitter: the name is free text and does not contradict.
        ("Dell reached 100,008 tokens/s on Llama 2 70B Offline with PowerEdge XE9999Z", Outcome.UNVERIFIABLE),
        ("HPE reached 91,847 tokens/s on GPT-OSS-120B Offline with ProLiant Compute XD685", Outcome.PASS),
    ],
)
def test_machine(text: str, outcome: Outcome) -> None:
    claim = ClaimInput("x", text, defaults={"round": "inference-v6.0"})
    verdict = check_files([ClaimFile("x.yaml", (claim,))], load_results()).verdicts[0]
    assert verdict.outcome is outcome, verdict.reason.message
