"""Rounds are comparable where MLCommons' table says so; what it does not cover is unknown, never guessed."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.vocabulary.compatibility import comparable


@pytest.mark.parametrize(
    ("model", "suite", "a", "b", "status"),
    [
        ("llama2-70b-99.9", "datacenter", "inference-v5.1", "inference-v6.0", "comparable"),
        ("llama2-70b-99", "datacenter", "4.0", "6.0", "comparable"),
        ("llama2-70b", "datacenter", "5.1", "6.0", "comparable"),
        ("llama3.1-405b", "datacenter", "6.0", "5.1", "comparable"),
        ("deepseek-r1", "datacenter", "inference-v5.1", "inference-v6.0", "comparable"),
        ("deepseek-r1", "datacenter", "inference-v5.1", "inference-v6.1", "unknown"),
        ("gpt-oss-120b", "datacenter", "inference-v6.0", "inference-v6.1", "unknown"),
        ("gpt-oss-120b", "datacenter", "inference-v6.1", "inference-v6.1", "same-round"),
        ("gpt-oss-120b", "datacenter", "5.1", "6.0", "unknown"),
        ("bert-99", "datacenter", "4.0", "4.1", "comparable"),
        ("bert-99", "datacenter", "4.1", "5.0", "unknown"),
        ("bert-99", "edge", "4.1", "6.0", "comparable"),
        ("resnet", "edge", "0.5", "6.0", "comparable"),
        ("resnet", "datacenter", "5.0", "5.1", "unknown"),
        ("retinanet", "edge", "5.1", "6.0", "unknown"),
        ("dlrm-v2-99", "datacenter", "3.1", "5.1", "comparable"),
        ("dlrm-v2-99", "edge", "3.1", "4.0", "unknown"),
        ("dlrm", "datacenter", "5.1", "6.0", "unknown"),
        ("llama3.1-8b", "edge", "5.1", "6.0", "comparable"),
        ("qwen3.6-27b", "edge", "6.0", "6.1", "unknown"),
        ("rnnt", "training", "training-v1.0", "training-v1.1", "incomparable"),
        ("resnet", "training", "0.5", "0.6", "incomparable"),
        ("resnet", "training", "0.6", "4.0", "comparable"),
        ("minigo", "training", "0.6", "0.7", "unknown"),
        ("minigo", "training", "1.0", "2.1", "comparable"),
        ("nmt", "training", "0.5", "0.7", "unknown"),
        ("nmt", "training", "0.6", "0.7", "comparable"),
        ("llama31_405b", "training", "5.0", "6.0", "comparable"),
        ("llama3.1-8b", "training", "training-v5.1", "training-v6.0", "comparable"),
        ("gpt_oss_20b", "training", "training-v6.0", "training-v6.1", "unknown"),
        ("deepcam", "hpc", "0.7", "1.0", "comparable"),
        ("deepcam", "hpc", "1.0", "2.0", "incomparable"),
        ("cosmoflow", "hpc", "2.0", "3.0", "unknown"),
        ("mosaic", "mobile", "2.0", "3.0", "comparable"),
        ("keyword-spotting", "tiny", "0.7", "1.0", "incomparable"),
        ("deepseek-r1", "endpoints", "endpoints-v0.7", "endpoints-v1.0", "incomparable"),
        ("deepseek-r1", "datacenter", "inference-v6.0", "endpoints-v0.7", "incomparable"),
        ("never-heard", "datacenter", "5.1", "6.0", "unknown"),
    ],
)
def test_pairs(model: str, suite: str, a: str, b: str, status: str) -> None:
    forth, back = comparable(model, suite, a, b), comparable(model, suite, b, a)
    assert forth.status == back.status == status
    assert forth.message.endswith(".")


def test_unknown_names_the_table() -> None:
    assert (
        "not covered by MLCommons' compatibility table of 2026-04-20"
        in comparable("whisper", "edge", "6.0", "6.1").message
    )


def test_notes_are_those_of_the_scenario() -> None:
    offline = comparable("gpt-oss-120b", "datacenter", "6.0", "6.1", scenario="Offline").notes
    interactive = comparable("gpt-oss-120b", "datacenter", "6.0", "6.1", scenario="Interactive").notes
    assert len(offline) == len(interactive) == 1
    assert "unchanged" in offline[0]
    assert "speculative" in interactive[0]


def test_notes_of_every_step_that_is_crossed() -> None:
    assert len(comparable("deepseek-r1", "datacenter", "5.1", "6.1").notes) == 2
    assert len(comparable("deepseek-r1", "datacenter", "5.1", "6.0").notes) == 1
    assert comparable("mixtral-8x7b", "datacenter", "5.0", "5.1").notes == ()
    assert len(comparable("mixtral-8x7b", "datacenter", "4.1", "6.0").notes) == 1
