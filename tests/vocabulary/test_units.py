"""Which unit a round's table gives a benchmark, and where the label is known to be wrong."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.vocabulary import load_vocabulary

V = load_vocabulary()


@pytest.mark.parametrize(
    ("model", "scenario", "round_id", "label", "true"),
    [
        ("gpt-oss-120b", "Offline", "inference-v6.1", "tokens/s", None),
        ("llama2-70b", "Interactive", "6.0", "tokens/s", None),
        ("llama2-70b-99", "Server", "v4.0", "queries/s", None),
        ("stable-diffusion-xl", "Offline", "inference-v5.1", "samples/s", None),
        ("stable-diffusion-xl", "Server", "inference-v5.1", "queries/s", None),
        ("whisper", "Offline", "inference-v5.1", "samples/s", "tokens/s"),
        ("llama3.1-8b", "Interactive", "inference-v5.1", "queries/s", "tokens/s"),
        ("llama3.1-8b", "Interactive", "inference-v6.0", "tokens/s", None),
        ("llama3.1-8b-edge", "SingleStream", "6.1", "ms", None),
        ("wan-2.2-t2v-a14b", "SingleStream", "6.0", "s", None),
        ("resnet", "MultiStream", "4.1", "ms", None),
        ("e2e-rag-qna", "Offline", "6.1", "tasks/s", None),
        ("e2e-rag-db", "Offline", "6.1", "samples/s", None),
        ("qwen3-vl-235b-a22b", "Server", "6.1", "queries/s", None),
        ("gptj-99", "Offline", "4.1", "tokens/s", None),
        ("wan-2.2-t2v-a14b", "Server", "6.0", None, None),
        ("no-such-model", "Offline", "6.0", None, None),
    ],
)
def test_units(model: str, scenario: str, round_id: str, label: str | None, true: str | None) -> None:
    assert V.true_units(model, scenario, round_id) == (label, true)


def test_a_conflict_is_explained() -> None:
    assert "Whisper" in (V.unit_note("whisper", "Offline", "6.1") or "")
    assert V.unit_note("gpt-oss-120b", "Offline", "6.1") is None


@pytest.mark.parametrize(
    ("unit", "lower"),
    [
        ("ms", True),
        ("s", True),
        ("min", True),
        ("mJ", True),
        ("W", True),
        ("tokens/s", False),
        ("samples/s", False),
        ("tokens/s/accelerator", False),
        ("ms/accelerator", True),
        ("x", False),
    ],
)
def test_lower_is_better(unit: str, lower: bool) -> None:
    assert V.lower_is_better(unit) is lower
