"""Changes and scaling: hand-built assertions against the bundled table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from asserting import amount, bundled_context, chosen, codes, told

from mlperf_claimcheck.checks.dispatch import check
from mlperf_claimcheck.claims.assertion import (
    ChangeAssertion,
    ChangeForm,
    Per,
    ScalingAssertion,
    Selection,
    SumAssertion,
)
from mlperf_claimcheck.metrics.number import Relation

GPU = Per.ACCELERATOR
RATIO, GAIN, SHARE, DIRECTION = ChangeForm.RATIO, ChangeForm.GAIN, ChangeForm.SHARE, ChangeForm.DIRECTION
CW = {"submitters": "CoreWeave", "division": "closed", "availability": "available", "suite": "datacenter"}
NV, AMD = {"submitters": "NVIDIA"}, {"submitters": "AMD"}
MATCHES, DIFFERS = ("pass", "ratio-matches"), ("fail", "ratio-differs")
AMBIGUOUS = ("unverifiable", "ambiguous")


def change(
    subject: Selection,
    form: ChangeForm,
    text: str | None,
    per: Per | None = None,
    relation: Relation = Relation.EQUAL,
    amounts: tuple[str, str] | None = None,
    best: bool = False,
    **baseline: Any,
) -> ChangeAssertion:
    """A change; the baseline takes what is not given from the subject."""
    names = {k: v for k, v in baseline.items() if k in ("hardware", "submitters")}
    given = {**{k: v for k, v in baseline.items() if k not in names}}
    looked_up = chosen(None, **names)
    for name in names:
        given[name] = getattr(looked_up, name)
    old = replace(subject, **given)
    return ChangeAssertion(
        subject,
        old,
        form,
        None if text is None else amount(text, relation),
        per,
        best,
        baseline_stated=frozenset(given),
        subject_amount=None if amounts is None else amount(amounts[0]),
        baseline_amount=None if amounts is None else amount(amounts[1]),
        unit=None if amounts is None else "tokens/s",
    )


V60, V51 = {"rounds": ("inference-v6.0",)}, {"rounds": ("inference-v5.1",)}
ANY = {"division": "closed", "suite": "datacenter"}
M355 = {**AMD, "hardware": "MI355X"}

CASES = {
    "oss-gain-offline": (
        change(chosen("6.1", "oss", "Offline", **CW, hardware="GB300 NVL72"), GAIN, "17", GPU, **V60),
        MATCHES,
        {"chip-count-differs", "round-differs", "derived-metric", "comparability-unknown"},
    ),
    "oss-gain-server": (
        change(chosen("6.1", "oss", "Server", **CW, hardware="GB300 NVL72"), GAIN, "8", GPU, **V60),
        MATCHES,
        {"chip-count-differs"},
    ),
    "r1-gain": (
        change(
            chosen("6.1", "r1", "Server", **CW, hardware="GB200 NVL72", accelerators=72),
            GAIN,
            "19.8",
            GPU,
            **V60,
            accelerators=64,
        ),
        MATCHES,
        {"chip-count-differs"},
    ),
    "r1-gain-near-20": (
        change(chosen("6.1", "r1", "Server", **CW, hardware="GB200 NVL72"), GAIN, "20", GPU, Relation.NEARLY, **V60),
        MATCHES,
        set(),
    ),
    "inherited-count-is-relaxed": (
        change(chosen("6.1", "r1", "Server", **CW, hardware="GB200 NVL72", accelerators=72), GAIN, "19.8", GPU, **V60),
        MATCHES,
        {"chip-count-differs"},
    ),
    "vlm-best-gain": (
        change(chosen("6.1", "vlm", "Server", **ANY), RATIO, "2.99", GPU, best=True, **V60),
        MATCHES,
        {"rests-on-preview", "preview-result"},
    ),
    "r1-best-gain": (
        change(chosen("6.1", "r1", "Server", **ANY), RATIO, "5.7", GPU, best=True, **V51),
        MATCHES,
        {"rests-on-preview"},
    ),
    "c3": (
        change(
            chosen("6.1", "r1", "Interactive", **NV, hardware="Vera Rubin NVL72"),
            RATIO,
            "2.57",
            amounts=("652,750", "253,506"),
            hardware="GB300 NVL72",
        ),
        MATCHES,
        {"preview-result", "availability-differs"},
    ),
    "c3-off-by-one": (
        change(
            chosen("6.1", "r1", "Interactive", **NV, hardware="Vera Rubin NVL72"),
            RATIO,
            "2.58",
            amounts=("652,750", "253,506"),
            hardware="GB300 NVL72",
        ),
        DIFFERS,
        set(),
    ),
    "c4-offline": (
        change(
            chosen("6.1", "vlm", "Offline", **NV, hardware="Vera Rubin NVL72"), RATIO, "3.7", hardware="GB300 NVL72"
        ),
        DIFFERS,
        set(),
    ),
    "c4-interactive": (
        change(
            chosen("6.1", "vlm", "Interactive", **NV, hardware="Vera Rubin NVL72"),
            RATIO,
            "3.7",
            hardware="GB300 NVL72",
        ),
        MATCHES,
        set(),
    ),
    "c5": (
        change(
            chosen("6.1", "WAN 2.2", "Offline", **M355, accelerators=8),
            SHARE,
            "118",
            hardware="B300",
            submitters="NVIDIA",
        ),
        MATCHES,
        {"submitter-differs"},
    ),
    "b3": (
        change(chosen("5.1", "r1", "Offline", **NV, hardware="GB300"), GAIN, "45", GPU, hardware="GB200 NVL72"),
        MATCHES,
        set(),
    ),
    "b4": (
        change(chosen("5.1", "r1", "Server", **NV, hardware="GB300"), GAIN, "25", GPU, hardware="GB200 NVL72"),
        MATCHES,
        set(),
    ),
    "b10": (
        change(chosen("5.1", "llama", "Offline", **M355, division="open", nodes=4), RATIO, "3.9", nodes=1),
        DIFFERS,
        {"joint-entry"},
    ),
    "a8": (
        change(chosen("6.0", "Llama 3.1 405B", "Server", **NV, hardware="GB300 NVL72"), RATIO, "1.52", **V51),
        MATCHES,
        {"round-differs"},
    ),
    "a9": (
        change(chosen("6.0", "r1", "Server", **NV, hardware="GB300 NVL72", accelerators=72), RATIO, "2.77", **V51),
        DIFFERS,
        set(),
    ),
    "a22": (
        change(
            chosen("6.0", "llama", "Server", **M355, accelerators=8),
            RATIO,
            "3.1",
            hardware="MI325X",
            **V51,
        ),
        MATCHES,
        set(),
    ),
    "a25": (
        change(
            chosen("6.0", "oss", "Server", hardware="MI355X", accelerators=8),
            SHARE,
            "115",
            hardware="B200",
            accelerators=8,
        ),
        AMBIGUOUS,
        {"best-of-baselines"},
    ),
    "up-to": (
        change(
            chosen("6.0", "oss", "Server", hardware="MI355X", accelerators=8),
            RATIO,
            "1.3",
            None,
            Relation.UP_TO,
            hardware="B200",
            accelerators=8,
        ),
        ("fail", "ratio-differs"),
        {"best-of-baselines"},
    ),
    "direction": (
        change(
            chosen("6.1", "vlm", "Offline", **NV, hardware="Vera Rubin NVL72"), DIRECTION, None, hardware="GB300 NVL72"
        ),
        ("pass", "direction-holds"),
        set(),
    ),
    "round-not-held": (
        change(chosen("6.1", "oss", "Offline", **CW, hardware="GB300 NVL72"), GAIN, "17", rounds=("inference-v3.1",)),
        ("unverifiable", "round-not-held"),
        set(),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_changes_in_the_bundled_rounds(name: str) -> None:
    assertion, expected, caveats = CASES[name]
    verdict = check(assertion, bundled_context())
    assert told(verdict) == expected, verdict.reason.message
    assert caveats <= codes(verdict), (verdict.reason, codes(verdict))


def test_the_gain_without_preview_is_told() -> None:
    for name, plain in (("vlm-best-gain", "1.56"), ("r1-best-gain", "3.04")):
        verdict = check(CASES[name][0], bundled_context())
        assert any(plain in c.message for c in verdict.caveats if c.code == "rests-on-preview"), verdict.caveats


def test_an_ambiguous_claim_lists_its_readings() -> None:
    verdict = check(CASES["a25"][0], bundled_context())
    assert {r.outcome.value for r in verdict.readings} == {"pass", "fail"}
    assert "submitter" in verdict.reason.message


@pytest.mark.parametrize(
    ("scenario", "percent", "expected"),
    [
        ("Server", "93", ("pass", "scaling-matches")),
        ("Interactive", "98", ("pass", "scaling-matches")),
        ("Server", "99", ("fail", "scaling-differs")),
    ],
)
def test_scaling_goes_by_used_accelerators(scenario: str, percent: str, expected: tuple[str, str]) -> None:
    small = chosen("6.0", "llama", scenario, **M355, accelerators=8)
    large = chosen("6.0", "llama", scenario, **M355, accelerators=87)
    verdict = check(ScalingAssertion(small, large, amount(percent)), bundled_context())
    assert told(verdict) == expected, verdict.reason.message
    assert "accelerator-count-conflict" in codes(verdict)


def test_a_sum_adds_one_row_for_each_part() -> None:
    parts = (
        chosen("6.1", "oss", "Offline", **CW, hardware="GB300 NVL72"),
        chosen("6.1", "oss", "Offline", **CW, hardware="GB200 NVL72"),
    )
    for text, expected in (("2,109,276", ("pass", "sum-matches")), ("2,109,290", ("fail", "sum-differs"))):
        assert told(check(SumAssertion(parts, amount(text), "tokens/s"), bundled_context())) == expected


def test_scaling_stays_with_one_submitter_and_one_accelerator() -> None:
    """Growth from one submitter's small system to another's large one is no scaling."""
    nebius, coreweave = {"submitters": "Nebius"}, {"submitters": "CoreWeave"}
    small = chosen("6.1", "oss", "Offline", **nebius, hardware="GB300 NVL72", accelerators=8)
    large = chosen("6.1", "oss", "Offline", **coreweave, hardware="GB300 NVL72", accelerators=72)
    verdict = check(ScalingAssertion(small, large, amount("100.6")), bundled_context())
    assert told(verdict) == ("unverifiable", "no-derived-figure")
    small = chosen("6.1", "oss", "Offline", **coreweave, accelerators=8)
    large = chosen("6.1", "oss", "Offline", **coreweave, accelerators=72)
    assert told(check(ScalingAssertion(small, large, amount("118")), bundled_context())) == (
        "unverifiable",
        "no-derived-figure",
    )
