"""A bare number behind the name of the suite is a round; "the previous round" follows from the rounds known and held."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.claims.assertion import ChangeAssertion, Undecidable, ValueAssertion
from mlperf_claimcheck.claims.model import ClaimInput
from mlperf_claimcheck.claims.reader import read_claim
from mlperf_claimcheck.vocabulary import load_vocabulary

HELD = ("inference-v6.0", "inference-v6.1", "inference-v6.2")


@pytest.mark.parametrize("number", ["4.0", "5.1", "6.1", "7.3"])
def test_a_number_behind_the_suite_is_a_round(number: str) -> None:
    text = f"MLPerf Inference {number}: CoreWeave, GPT-OSS-120B Offline, 1,197,710 tokens/s"
    assertion = read_claim(ClaimInput("1", text), load_vocabulary(), HELD).assertion
    assert isinstance(assertion, ValueAssertion)
    assert assertion.selection.rounds == (f"inference-v{number}",)


@pytest.mark.parametrize("figure", ["6.1 million tokens/s", "6.1 tokens/s", "6.1k tokens/s"])
def test_a_figure_behind_the_suite_is_a_figure(figure: str) -> None:
    text = f"CoreWeave, GPT-OSS-120B Offline, MLPerf Inference {figure}"
    assertion = read_claim(ClaimInput("1", text), load_vocabulary(), HELD).assertion
    assert isinstance(assertion, ValueAssertion)
    assert assertion.selection.rounds == ()


@pytest.mark.parametrize(("number", "before"), [("6.1", "6.0"), ("6.2", "6.1"), ("4.1", "4.0"), ("6.0", "5.1")])
def test_the_round_before(number: str, before: str) -> None:
    text = f"CoreWeave GB300 NVL72 is 1.2x faster than in the previous round on DeepSeek-R1 Offline, v{number}"
    assertion = read_claim(ClaimInput("1", text), load_vocabulary(), HELD).assertion
    assert isinstance(assertion, ChangeAssertion)
    assert assertion.baseline.rounds == (f"inference-v{before}",)


def test_no_round_is_before_one_that_nobody_knows() -> None:
    text = "CoreWeave GB300 NVL72 is 1.2x faster than in the previous round on DeepSeek-R1 Offline, v9.3"
    assertion = read_claim(ClaimInput("1", text), load_vocabulary(), HELD).assertion
    assert isinstance(assertion, Undecidable)
    assert assertion.code == "round-not-stated"
