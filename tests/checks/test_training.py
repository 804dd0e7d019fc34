"""Claims on MLPerf Training: minutes, less is better, and no other suite's results ever decide them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlperf_claimcheck.api import check_files
from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput, FieldValue
from mlperf_claimcheck.results.load import load_results
from mlperf_claimcheck.results.table import ResultsTable
from mlperf_claimcheck.verdicts.model import Verdict
from tests.results.training.test_reader import Builder, log

DEFAULTS = {"round": "training-v5.1"}


def ten(minutes: float) -> list[str]:
    """Ten runs whose mean without the fastest and the slowest is `minutes`."""
    return [log(minutes + shift) for shift in (-1.0, 3.0, 0.3, -0.3, 0.2, -0.2, 0.1, -0.1, 0.0, 0.0)]


def three(minutes: float) -> list[str]:
    return [log(minutes), log(minutes + 2), log(minutes - 0.5)]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> ResultsTable:
    root = tmp_path_factory.mktemp("held") / "training_results_v5.1"
    build = Builder(root)
    big = {"number_of_nodes": "128", "accelerators_per_node": "4"}
    build.system("NVIDIA", "gb300_512", accelerator_model_name="NVIDIA GB300", system_name="Theia NVL72", **big)
    build.runs("llama31_405b", three(12.25), "NVIDIA", "gb300_512")
    build.runs("llama31_8b", ten(5.16), "NVIDIA", "gb300_512")
    small = {"number_of_nodes": "1", "accelerators_per_node": "8"}
    build.system("NVIDIA", "b200_8", accelerator_model_name="NVIDIA B200", system_name="DGX B200", **small)
    build.runs("llama2_70b_lora", ten(10.0), "NVIDIA", "b200_8")
    build.runs("llama31_8b", ten(80.0), "NVIDIA", "b200_8")
    build.system("Dell", "xe_b200_8", accelerator_model_name="NVIDIA B200", system_name="XE9780", **small)
    build.runs("llama2_70b_lora", ten(10.5), "Dell", "xe_b200_8")
    build.system("AMD", "mi355x_8", accelerator_model_name="AMD Instinct MI355X", system_name="MI355X", **small)
    build.runs("llama2_70b_lora", ten(11.2), "AMD", "mi355x_8")
    build.system("AMD", "mi325x_8", accelerator_model_name="AMD Instinct MI325X", system_name="MI325X", **small)
    build.runs("llama2_70b_lora", ten(21.0), "AMD", "mi325x_8")
    return load_results(sources=[str(root)], use_cache=False)


def judge(table: ResultsTable, text: str, defaults: dict[str, str] | None = None, **fields: FieldValue) -> Verdict:
    given = DEFAULTS if defaults is None else defaults
    claim = ClaimInput(id="x", text=text, fields=fields, defaults=given)
    return check_files([ClaimFile(path="<t>", claims=(claim,))], table).verdicts[0]


PROVEN = [
    "NVIDIA took 4.8% less time than Dell on Llama 2 70B LoRA",
    "NVIDIA trained Llama 3.1 405B in only 12.25 minutes",
    "NVIDIA is the only one to train Llama 2 70B LoRA in 10.2 minutes",
    "在 MLPerf Training v5.1 中,NVIDIA 训练 Llama 3.1 405B 用时 12.25 分钟",
    "NVIDIA trained Llama 3.1 405B in 12.25 minutes",
    "NVIDIA trained Llama 3.1 405B in 12.3 minutes on 512 GPUs",
    "MLPerf Training v5.1: NVIDIA, Llama 3.1 8B, 5.16 minutes, 512 GB300",
    "Llama 3.1 405B pre-training in under 13 minutes",
    "735 seconds to train Llama 3.1 405B",
    "AMD's time to train was 11.2 minutes for Llama 2 70B LoRA fine-tuning on MI355X",
    "Fastest time to train Llama 2 70B LoRA: NVIDIA",
    "NVIDIA has the fastest time to train for Llama 2 70B LoRA, 10.0 minutes",
    "NVIDIA has the lowest time to train for Llama 3.1 8B",
    "MI355X is 1.88x faster than MI325X on Llama 2 70B LoRA",
    "MI355X took 47% less time to train Llama 2 70B LoRA than MI325X",
    "MI355X is faster than MI325X on Llama 2 70B LoRA",
    "Dell's B200 is 1.07x faster than AMD's MI355X on Llama 2 70B LoRA",
    "NVIDIA needed 80 GPU-minutes to train Llama 2 70B LoRA",
    "6,272 GPU-minutes for Llama 3.1 405B",
    "Llama 2 70B LoRA: NVIDIA is the fastest per GPU",
]


@pytest.mark.parametrize("text", PROVEN)
def test_a_true_claim_passes(table: ResultsTable, text: str) -> None:
    verdict = judge(table, text)
    assert str(verdict.outcome) == "pass", verdict.reason


FALSE = [
    "Dell took 4.8% less time than NVIDIA on Llama 2 70B LoRA",
    "NVIDIA trained Llama 3.1 405B in only 11 minutes",
    "NVIDIA is the only one to train Llama 3.1 405B in 11 minutes",
    "NVIDIA is the only one to train Llama 2 70B LoRA in 11 minutes",
    "NVIDIA trained Llama 3.1 405B in 12.25 ms",
    "NVIDIA trained Llama 3.1 405B in 12.26 minutes",
    "NVIDIA trained Llama 3.1 405B in 13.3 minutes on 512 GPUs",
    "Llama 3.1 405B in under 12 minutes",
    "736 seconds to train Llama 3.1 405B",
    "Dell has the fastest time to train for Llama 2 70B LoRA",
    "AMD has the lowest time to train for Llama 2 70B LoRA",
    "MI355X is 1.98x faster than MI325X on Llama 2 70B LoRA",
    "MI325X is faster than MI355X on Llama 2 70B LoRA",
    "MI325X is 1.88x faster than MI355X on Llama 2 70B LoRA",
    "MI355X took 88% less time to train Llama 2 70B LoRA than MI325X",
    "Dell trained Llama 2 70B LoRA in 10.0 minutes",
    "NVIDIA needed 81 GPU-minutes to train Llama 2 70B LoRA",
    "Llama 3.1 8B: GB300 is the fastest per GPU",
]


@pytest.mark.parametrize("text", FALSE)
def test_a_false_claim_fails(table: ResultsTable, text: str) -> None:
    verdict = judge(table, text)
    assert str(verdict.outcome) == "fail", verdict.reason


OPEN = [
    "GB300 takes 15.5 times the time of B200 on Llama 3.1 8B",
    "NVIDIA trained Llama 3.1 405B 10 times in 12.25 minutes",
    "NVIDIA is the only one to train Llama 2 70B LoRA in 0.17 hours",
    "NVIDIA trained Llama 3.1 405B in 1.53 minutes per GPU",
    "NVIDIA trained Llama 3.1 405B at 12.25 tokens/s",
    "MI355X has a 1.88x higher time to train than MI325X on Llama 2 70B LoRA",
    "MI325X's time to train was 1.88x that of MI355X on Llama 2 70B LoRA",
    "MI355X has 1.88x the time to train of MI325X on Llama 2 70B LoRA",
    "MI355X's time to train is lower than MI325X on Llama 2 70B LoRA but not official",
    "GB300 is 15.5x slower than B200 on Llama 3.1 8B",
    "GB300 trails B200 by 15.5x on Llama 3.1 8B",
    "NVIDIA has the highest Llama 2 70B LoRA result",
    "NVIDIA has the highest time to train for Llama 2 70B LoRA",
    "NVIDIA has the lowest performance for Llama 2 70B LoRA",
    "Fine-tuning of Llama 3.1 8B took 5.16 minutes on 512 GB300",
    "Pre-training of Llama 2 70B LoRA in 10.0 minutes",
    "NVIDIA trained Llama 3.1 405B Offline in 12.25 minutes",
    "MLPerf Inference v6.1: NVIDIA, Llama 3.1 405B in 12.25 minutes",
    "MLPerf Training v6.0: NVIDIA trained Llama 3.1 405B in 12.25 minutes",
    "NVIDIA trained Llama 3.1 70B in 12.25 minutes",
    "The estimated time to train Llama 3.1 405B is 12.25 minutes",
    "NVIDIA trained Llama 3.1 405B in 12 minutes 15 seconds",
]


@pytest.mark.parametrize("text", OPEN)
def test_what_is_not_clear_or_not_published_never_passes(table: ResultsTable, text: str) -> None:
    verdict = judge(table, text)
    assert str(verdict.outcome) == "unverifiable", verdict.reason


def codes(verdict: Verdict) -> list[str]:
    return [caveat.code for caveat in verdict.caveats]


def test_the_arithmetic_of_the_score_is_told(table: ResultsTable) -> None:
    verdict = judge(table, "NVIDIA trained Llama 3.1 405B in 12.25 minutes")
    (told,) = [c.message for c in verdict.caveats if c.code == "training-score"]
    assert told == (
        "NVIDIA/results/gb300_512/llama31_405b: mean of 1 of 3 runs, without the fastest and the slowest: 12.25 min."
    )
    assert "results-given" in codes(judge(table, "NVIDIA: fastest time to train Llama 2 70B LoRA"))


FIELDS: list[tuple[dict[str, FieldValue], str]] = [
    ({"model": "Llama 3.1 405B", "submitter": "NVIDIA", "value": "12.25", "unit": "minutes"}, "pass"),
    ({"model": "Llama 3.1 405B", "submitter": "NVIDIA", "value": "12.35", "unit": "minutes"}, "fail"),
    ({"model": "Llama 3.1 405B", "submitter": "NVIDIA", "value": "12.25", "unit": "min", "per": "accelerator"}, "open"),
    ({"model": "Llama 3.1 405B", "submitter": "NVIDIA", "value": "6,272", "unit": "GPU-minutes"}, "pass"),
    ({"model": "Llama 2 70B LoRA", "submitter": "NVIDIA", "kind": "lowest"}, "pass"),
    ({"model": "Llama 2 70B LoRA", "submitter": "Dell", "kind": "lowest"}, "fail"),
    ({"model": "Llama 2 70B LoRA", "submitter": "NVIDIA", "kind": "highest", "unit": "min"}, "open"),
    ({"model": "Llama 2 70B LoRA", "system": "MI355X", "value": "1.88x", "baseline": {"system": "MI325X"}}, "pass"),
    ({"model": "Llama 2 70B LoRA", "system": "MI325X", "value": "1.88x", "baseline": {"system": "MI355X"}}, "fail"),
    ({"model": "Llama 3.1 405B", "value": "12.25", "unit": "minutes", "scenario": "Offline"}, "open"),
    ({"model": "Llama 3.1 405B", "value": "12.25", "unit": "minutes", "round": "inference-v5.1"}, "open"),
    ({"model": "Llama 3.1 405B", "value": "2x", "baseline": {"round": "inference-v5.1"}}, "open"),
    ({"model": "RetinaNet", "value": "12.25", "unit": "minutes"}, "open"),
]


@pytest.mark.parametrize(("fields", "outcome"), FIELDS)
def test_claims_in_fields(table: ResultsTable, fields: dict[str, FieldValue], outcome: str) -> None:
    verdict = judge(table, "", **fields)
    assert str(verdict.outcome) == {"open": "unverifiable"}.get(outcome, outcome), verdict.reason


def test_without_training_results_a_claim_stays_open() -> None:
    table = load_results(use_cache=False)
    verdict = judge(table, "MLPerf Training v5.1: NVIDIA trained Llama 3.1 405B in 12.25 minutes", {})
    assert verdict.reason.code == "round-not-held"
    claim = "NVIDIA trained Llama 3.1 405B in 12.25 minutes"
    assert str(judge(table, claim, {"round": "inference-v5.1"}).outcome) == "unverifiable"


def test_a_round_number_alone_is_ambiguous(table: ResultsTable) -> None:
    verdict = judge(table, "MLPerf 5.1: NVIDIA trained Llama 3.1 405B in 12.25 minutes", {})
    assert str(verdict.outcome) == "unverifiable"
    assert "which suite" in judge(table, "MLPerf 5.1: NVIDIA, Llama 3.1 405B in 12.25 minutes", {}).reason.message


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("MLPerf Training: CoreWeave ran GPT-OSS-120B at 16,635 tokens/s/GPU offline on GB300 NVL72", "inference-v6.1"),
        ("MLPerf Inference: NVIDIA, RetinaNet, 30 minutes", "training-v5.1"),
        ("MLPerf Inference v5.1: NVIDIA, Llama 3.1 405B, 12.25 minutes", "training-v5.1"),
    ],
)
def test_suites_never_mix(table: ResultsTable, text: str, default: str) -> None:
    assert str(judge(table, text, {"round": default}).outcome) == "unverifiable"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Acme trained Llama 3.1 8B in 14.5 minutes", "value-matches"),
        ("Acme trained Llama 3.1 8B in 14.6 minutes", "value-differs"),
        ("Acme has the fastest time to train Llama 3.1 8B", "result-not-scored"),
        ("Other trained Llama 3.1 8B in 14.5 minutes", "not-understood"),
        ("NVIDIA trained Llama 3.1 8B in 14.5 minutes", "result-not-scored"),
        ("NVIDIA did not submit Llama 3.1 8B", "result-not-scored"),
    ],
)
def test_a_run_short_leaves_open_what_it_may_decide(tmp_path: Path, text: str, code: str) -> None:
    build = Builder(tmp_path / "training_results_v5.1")
    build.system("AMD")
    build.runs("llama31_8b", ten(14.5), "AMD")
    build.system("NVIDIA")
    build.runs("llama31_8b", ten(9.0)[:9], "NVIDIA")
    table = load_results(sources=[str(build.root)], use_cache=False)
    verdict = judge(table, text.replace("Acme", "AMD"))
    assert verdict.reason.code == code
    if code == "result-not-scored":
        assert "9 run logs" in verdict.reason.message
        assert "10 are needed" in verdict.reason.message


def two_rounds(tmp_path: Path) -> ResultsTable:
    roots = []
    for number, minutes in (("5.0", 12.0), ("5.1", 10.0)):
        build = Builder(tmp_path / f"training_results_v{number}")
        build.system("NVIDIA", "b200_8", accelerator_model_name="NVIDIA B200")
        build.runs("llama2_70b_lora", ten(minutes), "NVIDIA", "b200_8")
        roots.append(str(build.root))
    return load_results(sources=roots, use_cache=False)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("NVIDIA B200 is 1.2x faster than in v5.0 on Llama 2 70B LoRA", "pass"),
        ("NVIDIA B200 is 1.3x faster than in v5.0 on Llama 2 70B LoRA", "fail"),
        ("NVIDIA B200 is 20% faster on Llama 2 70B LoRA than in the previous round", "pass"),
        ("NVIDIA trained Llama 2 70B LoRA in 12 minutes in MLPerf Training v5.0", "pass"),
        ("NVIDIA trained Llama 2 70B LoRA in 12 minutes", "fail"),
        ("NVIDIA B200 is 1.2x faster than in MLPerf Inference v5.0 on Llama 2 70B LoRA", "unverifiable"),
        ("NVIDIA B200 is 1.2x faster than in v4.1 on Llama 2 70B LoRA", "unverifiable"),
    ],
)
def test_rounds_of_training_compare(tmp_path: Path, text: str, outcome: str) -> None:
    verdict = judge(two_rounds(tmp_path), text)
    assert str(verdict.outcome) == outcome, verdict.reason


def test_a_wrong_figure_is_explained_by_the_logs(tmp_path: Path) -> None:
    build = Builder(tmp_path / "training_results_v5.1")
    build.system("NVIDIA", "b200_8", accelerator_model_name="NVIDIA B200")
    folder = build.runs("llama2_70b_lora", ten(10.0), "NVIDIA", "b200_8")
    (folder / "scaling.json").write_text('{"scaling_factor": 1.01}')
    table = load_results(sources=[str(build.root)], use_cache=False)
    claim = "NVIDIA trained Llama 2 70B LoRA in {} minutes"
    assert str(judge(table, claim.format("10.1")).outcome) == "pass"
    mean = judge(table, claim.format("10.00")).reason
    assert (mean.code, mean.message.partition(". ")[2]) == (
        "value-differs",
        "The figure is the mean without the factor 1.01 of NVIDIA/results/b200_8/llama2_70b_lora/scaling.json.",
    )
    best = judge(table, claim.format("9.00")).reason.message
    assert "time of one run (NVIDIA/results/b200_8/llama2_70b_lora/result_0.txt, line" in best


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("NVIDIA: scaling efficiency of 80% from 8 to 64 GPUs on Llama 3.1 8B", "pass"),
        ("NVIDIA: scaling efficiency of 2% from 8 to 64 GPUs on Llama 3.1 8B", "fail"),
        ("NVIDIA: scaling efficiency of 90% from 8 to 64 GPUs on Llama 3.1 8B", "fail"),
    ],
)
def test_scaling_of_times_is_old_over_new(tmp_path: Path, text: str, outcome: str) -> None:
    build = Builder(tmp_path / "training_results_v5.1")
    for nodes, minutes in ((1, 64.0), (8, 10.0)):
        given = {"number_of_nodes": str(nodes), "accelerators_per_node": "8"}
        build.system("NVIDIA", f"b200_{nodes}", accelerator_model_name="NVIDIA B200", **given)
        build.runs("llama31_8b", ten(minutes), "NVIDIA", f"b200_{nodes}")
    verdict = judge(load_results(sources=[str(build.root)], use_cache=False), text)
    assert str(verdict.outcome) == outcome, verdict.reason


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "sum", "value": "91.2", "unit": "min", "parts": ({"submitter": "AMD"}, {"submitter": "NVIDIA"})},
        {"kind": "value", "value": "12.25", "unit": "tokens/s"},
        {"kind": "value", "value": "12.25", "unit": "min", "concurrency": "64"},
        {"kind": "change", "value": "1.88x", "per": "watt", "baseline": {"submitter": "AMD"}},
    ],
)
def test_what_training_does_not_have_stays_open_in_fields(table: ResultsTable, fields: dict[str, FieldValue]) -> None:
    verdict = judge(table, "", model="Llama 3.1 405B", submitter="NVIDIA", **fields)
    assert str(verdict.outcome) == "unverifiable", verdict.reason
