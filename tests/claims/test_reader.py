"""The reader: every word is accounted for, in any order and notation, or the claim is not understood."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mlperf_claimcheck.claims.assertion import (
    ArithmeticAssertion,
    ChangeAssertion,
    ChangeForm,
    CompoundAssertion,
    CoverageAssertion,
    ExtentAssertion,
    Per,
    ScalingAssertion,
    StatusAssertion,
    SumAssertion,
    SuperlativeAssertion,
    Undecidable,
    ValueAssertion,
)
from mlperf_claimcheck.claims.model import ClaimInput
from mlperf_claimcheck.claims.reader import read_claim
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.vocabulary import load_vocabulary

ROUNDS = ("inference-v4.1", "inference-v5.1", "inference-v6.0", "inference-v6.1")


def read(text: str, **fields):
    claim = ClaimInput("x", text, fields=fields, defaults={"round": "inference-v6.1"})
    return read_claim(claim, load_vocabulary(), ROUNDS).assertion


@pytest.mark.parametrize(
    ("printed", "value", "quantum"),
    [
        ("16,635", 16635, 1),
        ("1.16 million", 1160000, 10000),
        ("53.4k", 53400, 100),
        ("420K", 420000, 1000),
        ("1,100,948.3", "1100948.3", "0.1"),
        ("116 万", 1160000, 10000),
        ("113.61 万", 1136100, 100),
        ("2.49M", 2490000, 10000),
    ],
)
def test_a_number_keeps_its_value_and_printed_precision(printed, value, quantum):
    found = read(f"{printed} tokens/s offline, GPT-OSS-120B, GB300 NVL72")
    assert isinstance(found, ValueAssertion)
    assert found.amount.number.value == Decimal(value)
    assert found.amount.number.quantum == Decimal(quantum)


@pytest.mark.parametrize(
    ("words", "relation"),
    [
        ("over", Relation.OVER),
        ("more than", Relation.OVER),
        ("超过", Relation.OVER),
        ("at least", Relation.AT_LEAST),
        ("不低于", Relation.AT_LEAST),
        ("up to", Relation.UP_TO),
        ("高达", Relation.UP_TO),
        ("nearly", Relation.NEARLY),
        ("~", Relation.ABOUT),
        ("约", Relation.ABOUT),
        ("less than", Relation.UNDER),
    ],
)
def test_the_words_before_a_number_give_its_relation(words, relation):
    found = read(f"{words} 16,000 tokens/s, GPT-OSS-120B offline on GB300 NVL72")
    assert isinstance(found, ValueAssertion)
    assert found.amount.relation is relation


@pytest.mark.parametrize(
    "text",
    [
        "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72",
        "GPT‑OSS‑120B on GB300NVL72: 16635 tok/s per GPU (Offline)",
        "Offline, GB300-NVL72, gpt-oss 120b: 16,635 tokens per second per accelerator",
        "GPT-OSS-120B 在 GB300 NVL72 上离线场景达到每 GPU 每秒 16,635 个 token",
        "GPT-OSS-120B 於 GB300 NVL72 離線場景達到每 GPU 每秒 16,635 個 token",
        "GB300 NVL72, GPT-OSS-120B, Offline, 16,635 tokens/sec/chip",
    ],
)
def test_order_and_notation_change_nothing(text):
    found = read(text.replace("於", "在"))
    assert isinstance(found, ValueAssertion), found
    assert found.per is Per.ACCELERATOR
    assert found.selection.models == ("gpt-oss-120b",)
    assert found.selection.hardware == ("gb300-nvl72",)
    assert found.selection.scenarios == ("Offline",)
    assert found.amount.number.value == 16635


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("8x B200", 8),
        ("8 × B200", 8),
        ("eight B200s", 8),
        ("B200 x8", 8),
        ("8-GPU B200", 8),
        ("one GB300 NVL72", 72),
        ("GB300 NVL72 with 36 GPUs", 36),
        ("72 GB300 GPUs", 72),
    ],
)
def test_counts_are_read_in_every_form(text, count):
    found = read(f"Llama 2 70B Offline on {text}: 100,000 tokens/s")
    assert isinstance(found, ValueAssertion), found
    assert found.selection.accelerators == count


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Will GB300 NVL72 reach 16,635 tokens/s/GPU offline on GPT-OSS-120B?", "not-an-assertion"),
        ("We aim to reach 16,635 tokens/s/GPU offline on GPT-OSS-120B, GB300 NVL72", "not-an-assertion"),
        ("If tuned, 16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72", "not-an-assertion"),
        ("16,635 tokens/s/GPU was not reached offline, GPT-OSS-120B, GB300 NVL72", "not-understood"),
        ("16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72, blessed by frobnicators", "not-understood"),
        ("16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72, but slower elsewhere", "not-understood"),
        ("An unverified 16,635 tokens/s/GPU offline, GPT-OSS-120B", "self-declared-unverified"),
        ("Llama 2 70B: 5x cheaper per token than H100", "quantity-not-published"),
        ("12.7 tokens/s per watt of TDP, Llama 2 70B Offline", "power-not-measured"),
        ("16,635 tokens/s/GPU offline, Llama 270B, GB300 NVL72", "not-understood"),
        ("16,635\u202etokens/s/GPU offline", "not-understood"),
    ],
)
def test_what_is_no_plain_statement_is_never_decided(text, code):
    found = read(text)
    assert isinstance(found, Undecidable), found
    assert found.code == code


def test_words_that_are_not_known_are_quoted():
    found = read("16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72, blessed by frobnicators")
    assert isinstance(found, Undecidable)
    assert "frobnicators" in " ".join(found.words)


def test_figures_take_the_scenario_that_stands_with_them():
    found = read("Llama 3.1 8B, single H100: 5777 tokens/sec (Offline) and 5103 tokens/sec (Server)")
    assert isinstance(found, CompoundAssertion)
    assert [(p.amount.number.value, p.selection.scenarios) for p in found.parts] == [
        (5777, ("Offline",)),
        (5103, ("Server",)),
    ]


def test_parallel_lists_pair_in_order():
    found = read("GPT-OSS 120B on GB300, Server + Offline: 53.4k/60.2k tokens/second")
    assert isinstance(found, CompoundAssertion)
    assert [(p.amount.number.value, p.selection.scenarios[0]) for p in found.parts] == [
        (53400, "Server"),
        (60200, "Offline"),
    ]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("GPT-OSS-120B per-GPU Offline throughput on GB300 NVL72 is 17% higher than in v6.0", ChangeForm.GAIN),
        ("Llama 2 70B Server on GB300 NVL72 is 1.52x v5.1", ChangeForm.RATIO),
        ("Wan 2.2 Offline: 8x MI355X is at 118% of 8x B300", ChangeForm.SHARE),
    ],
)
def test_forms_of_change(text, form):
    found = read(text)
    assert isinstance(found, ChangeAssertion), found
    assert found.form is form


def test_the_baseline_keeps_what_it_does_not_restate():
    found = read("GPT-OSS-120B per-GPU Offline throughput on GB300 NVL72 is 17% higher than in v6.0")
    assert isinstance(found, ChangeAssertion)
    assert found.baseline.rounds == ("inference-v6.0",)
    assert found.subject.rounds == ("inference-v6.1",)
    assert found.baseline.models == found.subject.models


def test_scope_words_are_scope_and_hardware_before_the_superlative_is_the_subject():
    found = read("GB200 NVL72 GPT-OSS-120B Offline totals are the highest among GB200 rack-scale configurations")
    assert isinstance(found, SuperlativeAssertion)
    assert found.subject.hardware == ("gb200-nvl72",)
    assert found.scope.groups


def test_not_submitted_is_negated_coverage():
    found = read("AMD submitted no DeepSeek-R1 and no Qwen3-VL result")
    assert isinstance(found, CoverageAssertion)
    assert found.negated


def test_a_calculation_alone_is_arithmetic():
    assert isinstance(read("17 nodes of 4 GPUs each are 68 GPUs"), ArithmeticAssertion)


def test_a_field_wins_over_the_text():
    found = read("16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72", scenario="Server")
    assert isinstance(found, ValueAssertion)
    assert found.selection.scenarios == ("Server",)


@pytest.mark.parametrize(
    "text",
    [
        "NVIDIA's GB200 NVL72 had the highest single stream latency on Wan 2.2",
        "NVIDIA's GB200 NVL72 had the slowest Wan 2.2 single stream result",
        "AMD's MI355X has 28% higher Wan 2.2 Single Stream latency than MI350X",
    ],
)
def test_the_poor_end_and_a_misplaced_only_are_not_guessed(text):
    """Where less is better, "highest" is not "best"; what "only" limits has to be clear."""
    found = read(text)
    assert isinstance(found, Undecidable), found


def test_a_ratio_may_name_the_measure_before_its_baseline():
    found = read("NVIDIA Vera Rubin NVL72 delivers 1.74x the DeepSeek-R1 Offline throughput of GB300 NVL72")
    assert isinstance(found, ChangeAssertion), found
    assert found.baseline.hardware == ("gb300-nvl72",)
    assert found.subject.hardware == ("vera-rubin-nvl72",)
    assert found.baseline.models == ("deepseek-r1",)


def test_hardware_may_stand_between_per_and_gpu():
    found = read("CoreWeave posted 14,105 tokens/s per B300 GPU on GPT-OSS-120B Offline")
    assert isinstance(found, ValueAssertion), found
    assert found.per is Per.ACCELERATOR
    assert found.selection.hardware == ("b300",)


def test_a_threshold_without_words_is_a_lower_bound():
    """ "The only one with 1.198 million" is untrue where another result is larger."""
    found = read(
        "", kind="only", submitter="CoreWeave", model="GPT-OSS-120B", scenario="Offline", threshold="1.198 million"
    )
    assert isinstance(found, SuperlativeAssertion)
    assert found.threshold is not None
    assert found.threshold.relation is Relation.AT_LEAST


def test_a_chinese_baseline_may_stand_before_its_sign():
    found = read("与 v6.0 相比,CoreWeave 的 GB300 NVL72 在 GPT-OSS-120B 服务器场景下每 GPU 吞吐量提升 8%")
    assert isinstance(found, ChangeAssertion), found
    assert found.baseline.rounds == ("inference-v6.0",)
    assert found.subject.rounds == ("inference-v6.1",)
    assert found.subject.submitters == found.baseline.submitters != ()


def test_a_count_before_a_single_system_counts_accelerators():
    found = read("Lambda's 8x B200 system processed 102,725 tokens/s on Llama 2 70B Offline")
    assert isinstance(found, ValueAssertion), found
    assert found.selection.accelerators == 8


VALUE = "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72"
CHANGE = "GPT-OSS-120B per-GPU Server throughput on GB300 NVL72 is 8% higher than in v6.0"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (VALUE, {"baseline": {"round": "v6.0"}}),
        (VALUE, {"among": "cloud providers"}),
        (VALUE, {"rank": 1}),
        (VALUE, {"threshold": "99 million"}),
        (VALUE, {"best": True}),
        (VALUE, {"kind": "highest"}),
        (CHANGE, {"value": "80%"}),
        (CHANGE, {"baseline": {"round": "v6.0", "value": "5"}}),
        ("Highest per-GPU GPT-OSS-120B throughput Offline", {"value": "99 million"}),
        ("33 submitters submitted", {"value": "99"}),
        ("CoreWeave submitted DeepSeek-R1", {"value": "99"}),
        ("GPT-OSS-120B on GB300 NVL72: 1 tokens/s offline, 2 tokens/s server", {"value": "3"}),
        ("", {"model": "GPT-OSS-120B", "value": "16,635", "unit": "tokens/s", "rank": 5}),
        ("", {"kind": "submitted", "model": "GPT-OSS-120B", "value": "99 million"}),
        ("", {"kind": "change", "model": "VLM", "value": "8%", "unit": "queries/s", "baseline": {"round": "v6.0"}}),
    ],
)
def test_a_field_that_has_no_part_in_the_claim_is_never_passed_over(text, fields):
    found = read(text, **fields)
    assert isinstance(found, Undecidable), found
    assert found.code == "not-understood"


def test_the_unit_of_a_ranking_given_by_fields_is_its_unit():
    found = read("", kind="highest", model="GPT-OSS-120B", scenario="Offline", unit="queries/s/GPU")
    assert isinstance(found, SuperlativeAssertion)
    assert (found.unit, found.per) == ("queries/s", Per.ACCELERATOR)


def test_among_narrows_a_ranking_that_is_given_in_words():
    found = read("Highest Qwen3-VL-235B-A22B Server throughput", among="cloud providers")
    assert isinstance(found, SuperlativeAssertion)
    assert found.scope.groups == ("cloud providers",)


def test_the_size_of_an_extent_is_claimed_and_does_not_restrict():
    found = read("", kind="extent", accelerators=288, nodes=72, relation="ge", submitter="NVIDIA")
    assert isinstance(found, ExtentAssertion), found
    assert (found.selection.accelerators, found.selection.nodes) == (None, None)
    assert found.accelerators is not None
    assert found.nodes is not None
    assert (found.accelerators.number.value, found.nodes.number.value) == (288, 72)
    assert found.accelerators.relation is found.nodes.relation is Relation.AT_LEAST


def test_only_the_claims_own_availability_and_division_are_its_status():
    claim = ClaimInput("x", "", {"kind": "status", "availability": "preview"}, {"round": "v6.1", "division": "closed"})
    found = read_claim(claim, load_vocabulary(), ROUNDS).assertion
    assert isinstance(found, StatusAssertion), found
    assert (found.availability, found.division, found.selection.division) == ("preview", None, "closed")


@pytest.mark.parametrize(
    ("fields", "by", "unit", "sizes"),
    [
        ({"value": "99.7%", "accelerators": 72, "baseline": {"accelerators": 8}}, Per.ACCELERATOR, "%", (8, 72)),
        ({"value": "8.97", "unit": "x", "accelerators": 72, "baseline": {"accelerators": 8}}, "accelerator", "x", None),
        ({"value": "90%", "nodes": 18, "baseline": {"nodes": 2}}, Per.NODE, "%", None),
        ({"value": "90", "unit": "%", "nodes": 18, "per": "node", "baseline": {"nodes": 2}}, Per.NODE, "%", None),
    ],
)
def test_a_scaling_has_a_large_and_a_small_system(fields, by, unit, sizes):
    found = read("", kind="scaling", model="GPT-OSS-120B", **fields)
    assert isinstance(found, ScalingAssertion), found
    assert (found.by, found.unit) == (by, unit)
    if sizes:
        assert (found.small.accelerators, found.large.accelerators) == sizes


def test_the_parts_of_a_sum_share_the_fields_of_the_claim():
    parts = ({"system": "GB300 NVL72"}, {"system": "GB200 NVL72"})
    found = read("", kind="sum", model="GPT-OSS-120B", value="2.11 million", unit="tokens/s", parts=parts)
    assert isinstance(found, SumAssertion), found
    assert [p.hardware for p in found.parts] == [("gb300-nvl72",), ("gb200-nvl72",)]
    assert {p.models for p in found.parts} == {("gpt-oss-120b",)}


@pytest.mark.parametrize(
    ("operator", "sign", "share", "gain"),
    [
        ("divide", "÷", False, False),
        ("multiply", "×", False, False),
        ("share", "÷", True, False),
        ("gain", "÷", False, True),
    ],
)
def test_a_calculation_by_fields(operator, sign, share, gain):
    found = read("", kind="arithmetic", operands=("1,197,710 tokens/s/GPU", "72 GPUs"), operator=operator, value="5")
    assert isinstance(found, ArithmeticAssertion), found
    assert (found.operator, found.share, found.gain) == (sign, share, gain)
    assert (found.left.unit, found.right.unit) == ("tokens/s/accelerator", "accelerators")


def test_every_model_of_the_suite_by_fields():
    found = read("", kind="submitted", all_models=True, submitter="NVIDIA")
    assert isinstance(found, CoverageAssertion), found
    assert found.all_models
    found = read("", kind="submitted", value=4, unit="platforms", submitter="CoreWeave")
    assert isinstance(found, CoverageAssertion), found
    assert found.hardware_count == 4


SMALL = {"accelerators": 8}


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "extent"},
        {"kind": "extent", "accelerators": 8, "value": "8"},
        {"kind": "status"},
        {"kind": "status", "availability": "preview", "relation": "gt"},
        {"kind": "scaling", "value": "90%", "accelerators": 72},
        {"kind": "scaling", "accelerators": 72, "baseline": SMALL},
        {"kind": "scaling", "value": "90", "accelerators": 72, "baseline": SMALL},
        {"kind": "scaling", "value": "90%", "unit": "tokens/s", "accelerators": 72, "baseline": SMALL},
        {"kind": "scaling", "value": "90%", "accelerators": 8, "baseline": {"accelerators": 72}},
        {"kind": "scaling", "value": "90%", "accelerators": 8, "baseline": SMALL},
        {"kind": "scaling", "value": "90%", "accelerators": 72, "baseline": {"nodes": 2}},
        {"kind": "scaling", "value": "90%", "accelerators": 72, "baseline": {**SMALL, "submitter": "Nebius"}},
        {"kind": "scaling", "value": "90%", "accelerators": 72, "baseline": {**SMALL, "round": "v6.0"}},
        {"kind": "scaling", "value": "90%", "accelerators": 72, "per": "watt", "baseline": SMALL},
        {"kind": "sum", "value": "5"},
        {"kind": "sum", "value": "5", "unit": "tokens/s/GPU", "parts": ({"nodes": 1}, {"nodes": 2})},
        {"kind": "sum", "value": "5", "parts": ({"nodes": 1}, {"value": "2"})},
        {"kind": "sum", "parts": ({"nodes": 1}, {"nodes": 2})},
        {"kind": "value", "value": "5", "unit": "tokens/s", "parts": ({"nodes": 1}, {"nodes": 2})},
        {"kind": "arithmetic", "value": "5", "operands": ("10", "2")},
        {"kind": "arithmetic", "value": "5", "operands": ("10", "2", "1"), "operator": "divide"},
        {"kind": "arithmetic", "value": "5", "operands": ("rather many", "2"), "operator": "divide"},
        {"kind": "arithmetic", "value": "5", "unit": "tokens/s", "operands": ("10", "2"), "operator": "share"},
        {"kind": "submitted", "all_models": True, "model": "GPT-OSS-120B"},
        {"kind": "not-submitted", "all_models": True},
        {"kind": "not-submitted", "all_models": False, "value": "4", "unit": "models"},
        {"kind": "submitted", "value": "4", "unit": "tokens/s"},
        {"kind": "submitted", "value": "4", "relation": "gt", "unit": "models"},
        {"text": "CoreWeave submitted DeepSeek-R1", "all_models": True},
        {"text": VALUE, "operator": "divide"},
        {"text": "GB200 NVL72", "kind": "status", "availability": "available"},
        {"text": "DeepSeek-R1", "kind": "not-submitted", "model": "Whisper"},
    ],
)
def test_an_incomplete_field_form_is_not_understood(fields):
    found = read(**{"text": "", **fields})
    assert isinstance(found, Undecidable), found


@pytest.mark.parametrize(
    ("text", "machine"),
    [
        ("Dell delivered 100,008 tokens/s on Llama 2 70B Offline with PowerEdge XE9785L.", "poweredge xe9785l"),
        ("Lenovo's ThinkSystem SR680a V3 reached 102,909 tokens/s on Llama 2 70B Offline.", "thinksystem sr680a v3"),
        ("92,332 tokens/s on GPT-OSS-120B Offline with the G893-ZX1-AAX4 server", "g893-zx1-aax4"),
        ("HPE ProLiant Compute XD685: 91,847 tokens/s on GPT-OSS-120B Offline", "proliant xd685"),
    ],
)
def test_servers_are_named_by_series_and_model(text, machine):
    found = read(text, round="v6.0")
    assert isinstance(found, ValueAssertion)
    assert found.selection.machines == (machine,)
    assert found.selection.scenarios == ("Offline",)


def test_a_misspelt_accelerator_is_no_server():
    assert isinstance(read("8x MI365X reached 100,008 tokens/s on Llama 2 70B Offline", round="v6.0"), Undecidable)


def test_a_lone_figure_before_a_ratio_is_the_subjects():
    text = "NVIDIA GB300 NVL72 reached 679,740 tokens/s on DeepSeek-R1 Offline, 5% more than in v6.0"
    found = read(text, round="v6.1")
    assert isinstance(found, ChangeAssertion)
    assert found.subject_amount is not None
    assert found.baseline_amount is None


def test_a_lone_figure_that_may_be_of_another_scenario_is_not_guessed():
    text = "GB300 NVL72 reached 679,740 tokens/s on DeepSeek-R1 Offline and 1.5x the Server throughput of v6.0"
    assert isinstance(read(text, round="v6.1"), Undecidable)


def test_ours_is_the_side_of_whoever_speaks():
    text = "Google's Llama 2 70B Offline result with eight B200 GPUs was 24% lower than ours"
    claim = ClaimInput("x", text, defaults={"round": "inference-v5.1", "submitter": "Lenovo"})
    found = read_claim(claim, load_vocabulary(), ROUNDS).assertion
    assert isinstance(found, ChangeAssertion)
    assert (found.subject.submitters, found.baseline.submitters) == (("google",), ("lenovo",))
    assert isinstance(read(text), Undecidable)  # nobody is known to speak


def test_a_number_goes_on_with_the_unit_before_it():
    found = read("Vera Rubin: 1.18 million tokens/s on DeepSeek-R1 Offline and 1.18 million in Server")
    assert isinstance(found, CompoundAssertion)
    assert [part.unit for part in found.parts] == ["tokens/s", "tokens/s"]


def test_each_of_several_submitters_submitted():
    found = read("Dell and Google submitted Whisper Offline")
    assert isinstance(found, CompoundAssertion)
    assert [part.subject.submitters for part in found.parts] == [("dell",), ("google",)]
