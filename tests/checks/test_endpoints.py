"""Claims on MLPerf Endpoints: figures belong to submitted points, a wrong digit fails, nothing is interpolated."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mlperf_claimcheck.api import check_files
from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput, FieldValue
from mlperf_claimcheck.results.load import load_results
from mlperf_claimcheck.results.table import ResultsTable
from mlperf_claimcheck.verdicts.model import Verdict

DEFAULTS = {"round": "endpoints-v0.7", "submitter": "CoreWeave", "model": "DeepSeek-R1", "system": "GB200 NVL72"}
Points = dict[int, tuple[float, float, float]]
"""Concurrency -> system TPS, TTFT P95 in ms, TPOT P95 in ms."""
OURS: Points = {64: (9000.0, 800.0, 7.0), 1024: (100000.0, 2000.0, 10.0), 16384: (441740.0, 5770.0, 37.0)}
RIVAL: Points = {64: (8000.0, 900.0, 8.0), 16384: (380000.0, 9000.0, 43.0)}


def write(
    root: Path, organisation: str, points: Points, *, nodes: int = 17, status: str = "Available", p50: float = 0.5
) -> None:
    folder = root / organisation / "GB200" / "DeepSeek-R1"
    (folder / "systems").mkdir(parents=True)
    node = {"number_of_nodes": nodes, "accelerators_per_node": 4, "accelerator_model_name": "NVIDIA GB200"}
    system = {
        "submitter_org_names": organisation,
        "system_name": "GB200 NVL72",
        "system_availability_status": status,
        "model_name": "deepseek-ai/DeepSeek-R1",
        "division": "Standardized",
        "node_types": [node],
    }
    (folder / "systems" / "GB200.json").write_text(json.dumps(system))
    for concurrency, (tps, ttft, tpot) in points.items():
        place = folder / "results" / f"point_{concurrency}"
        place.mkdir(parents=True)
        data: dict[str, object] = {"concurrency": concurrency, "system_tps": str(tps)}
        for rank, share in (("50", p50), ("95", 1.0)):
            data[f"measured_latency_ttft_p{rank}"] = ttft * share
            data[f"measured_latency_tpot_p{rank}"] = tpot * share
        (place / "run_metadata.json").write_text(json.dumps(data))


def judge_fields(table: ResultsTable, text: str = "", **fields: FieldValue) -> Verdict:
    claim = ClaimInput(id="x", text=text, fields=fields, defaults=DEFAULTS)
    return check_files([ClaimFile(path="<t>", claims=(claim,))], table).verdicts[0]


def judge(table: ResultsTable, text: str, **defaults: str) -> Verdict:
    claim = ClaimInput(id="x", text=text, defaults=DEFAULTS | defaults)
    return check_files([ClaimFile(path="<t>", claims=(claim,))], table).verdicts[0]


@pytest.fixture
def held(tmp_path: Path) -> Callable[[], ResultsTable]:
    """Loads what the test wrote below `tmp_path`."""
    return lambda: load_results(sources=[str(tmp_path)], use_cache=False)


@pytest.fixture
def table(tmp_path: Path, held: Callable[[], ResultsTable]) -> ResultsTable:
    write(tmp_path, "CoreWeave", OURS)
    write(tmp_path, "Nebius", RIVAL)
    return held()


PROVEN = [
    "441,740 output tokens/s system throughput at 16,384 concurrent requests on 68 GPUs",
    "441,740 tokens/s on 68 GPUs is 6,496 tokens/s/GPU",
    "17 nodes of 4 GPUs each are 68 GPUs",
    "P95 TTFT of 5.77 s at 16,384 concurrency",
    "TTFT P95 5.77 s at concurrency 16,384",
    "TPOT (P95) of 37 ms at a concurrency of 16384",
    "median TTFT of 400 ms at concurrency 64",
    "Highest throughput per GPU in the round at the highest concurrency",
    "Lowest TPOT of the round at maximum concurrency",
    "TTFT P95 below 6 s at every concurrency",
    "441,740 tokens/s with P95 TTFT of 5.77 s",
    "Up to 441,740 tokens/s",
]


@pytest.mark.parametrize("text", PROVEN)
def test_a_claim_that_the_points_hold_passes(table: ResultsTable, text: str) -> None:
    verdict = judge(table, text)
    assert verdict.outcome == "pass", verdict.reason


def changed(text: str) -> list[str]:
    """The text with each digit changed by one, except in names of percentiles."""
    found = []
    for place, sign in enumerate(text):
        if sign.isdigit() and text[place - 2 : place] != "P9" and text[place - 1] != "P":
            found.append(text[:place] + str((int(sign) + 1) % 10) + text[place + 1 :])
    return found


@pytest.mark.parametrize("text", [t for claim in PROVEN[:7] for t in changed(claim)])
def test_one_digit_changed_fails(table: ResultsTable, text: str) -> None:
    verdict = judge(table, text)
    assert verdict.outcome == "fail", verdict.reason


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("441,740 tokens/s at concurrency 8,192", "no-such-result"),
        ("441,740 tokens/s at concurrency 1,024", "value-differs"),
        ("441,740 tokens/s at 16,384 concurrent requests on 72 GPUs", "no-such-result"),
        ("Nebius: 441,740 tokens/s at concurrency 16,384", "value-differs"),
        ("P95 TPOT of 5.77 s at concurrency 16,384", "value-differs"),
        ("Up to 100,000 tokens/s", "value-differs"),
        ("Up to 441,740 tokens/s at concurrency 1,024", "value-differs"),
        ("TTFT P95 below 5 s at every concurrency", "value-differs"),
        ("Lowest throughput in the round at the highest concurrency", "not-top"),
    ],
)
def test_contradicted(table: ResultsTable, text: str, code: str) -> None:
    verdict = judge(table, text)
    assert (verdict.outcome, verdict.reason.code) == ("fail", code)


@pytest.mark.parametrize(
    "text",
    [
        "mean TTFT of 5.77 s at concurrency 16,384",
        "P99 TTFT of 5.77 s at concurrency 16,384",
        "TTFT of 5.77 s at concurrency 16,384",
        "latency of 5.77 s at concurrency 16,384",
        "441,740 tokens/s with P95 TTFT of 2.0 s",
        "441,740 requests/s at concurrency 16,384",
        "441,740 tokens/s at 16k concurrency",
        "MLPerf Inference v6.1: 441,740 tokens/s at concurrency 16,384",
        "Only CoreWeave has a result at concurrency 1,024",
        "Best TTFT at concurrency 64",
        "441,740 tokens/s at over 16,384 concurrent requests",
        "441,740 tokens/s at concurrency 64-16,384",
        "441,740 tokens/s at concurrency 64 and at concurrency 16,384",
        "2x the throughput of Nebius at concurrency 64",
        "441,740 tokens/s not at concurrency 16,384",
        "Highest throughput at every concurrency in the round",
        "P95 5.77 s",
        "TTFT P95 below 1 s",
    ],
)
def test_what_the_points_cannot_decide_is_unverifiable(table: ResultsTable, text: str) -> None:
    assert judge(table, text).outcome == "unverifiable"


def test_a_figure_without_concurrency_says_where_it_stands(table: ResultsTable) -> None:
    verdict = judge(table, "441,740 tokens/s")
    assert verdict.outcome == "pass"
    assert "concurrency-not-stated" in {c.code for c in verdict.caveats}


def test_preview_is_told(tmp_path: Path, held: Callable[[], ResultsTable]) -> None:
    write(tmp_path, "CoreWeave", OURS, status="Preview")
    verdict = judge(held(), "441,740 tokens/s at concurrency 16,384")
    assert verdict.outcome == "pass"
    assert "preview-result" in {c.code for c in verdict.caveats}


def test_a_better_rival_fails_a_place(tmp_path: Path, held: Callable[[], ResultsTable]) -> None:
    write(tmp_path, "CoreWeave", OURS)
    write(tmp_path, "Nebius", {16384: (441741.0, 9000.0, 36.9)})
    table = held()
    for text in ("Highest throughput per GPU in the round at the highest concurrency", PROVEN[8]):
        verdict = judge(table, text)
        assert (verdict.outcome, verdict.reason.code) == ("fail", "not-top")


def test_a_rival_at_a_higher_concurrency_makes_the_place_ambiguous(
    tmp_path: Path, held: Callable[[], ResultsTable]
) -> None:
    write(tmp_path, "CoreWeave", OURS)
    write(tmp_path, "Nebius", {32768: (400000.0, 9000.0, 80.0)})
    assert judge(held(), PROVEN[7]).reason.code == "ambiguous"


def test_percentiles_that_disagree_leave_a_place_open(tmp_path: Path, held: Callable[[], ResultsTable]) -> None:
    write(tmp_path, "CoreWeave", OURS, p50=0.9)
    write(tmp_path, "Nebius", RIVAL, p50=0.1)
    assert judge(held(), PROVEN[8]).reason.code == "ambiguous"


def test_a_place_among_one_is_no_place(tmp_path: Path, held: Callable[[], ResultsTable]) -> None:
    write(tmp_path, "CoreWeave", OURS)
    assert judge(held(), PROVEN[7]).outcome == "unverifiable"


def test_a_damaged_point_of_a_rival_leaves_a_place_open(tmp_path: Path, held: Callable[[], ResultsTable]) -> None:
    write(tmp_path, "CoreWeave", OURS)
    write(tmp_path, "Nebius", RIVAL)
    (tmp_path / "Nebius/GB200/DeepSeek-R1/results/point_16384/run_metadata.json").write_text("{")
    assert judge(held(), PROVEN[7]).outcome == "unverifiable"


def test_without_curves_the_claims_stay_unverifiable() -> None:
    table = load_results(use_cache=False)
    for text in PROVEN:
        assert judge(table, text).outcome == "unverifiable"


def test_inference_claims_are_read_as_before(table: ResultsTable) -> None:
    text = "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72"
    claim = ClaimInput(id="x", text=text, defaults={"round": "inference-v6.1", "submitter": "CoreWeave"})
    assert check_files([ClaimFile(path="<t>", claims=(claim,))], table).verdicts[0].outcome == "pass"


def test_a_window_that_the_files_do_not_hold_leaves_open(tmp_path: Path, held: Callable[[], ResultsTable]) -> None:
    from tests.results.endpoints.conftest import PEAK, Bundle

    Bundle(tmp_path, system={}).write_v10("CoreWeave")
    table = held()
    given = {"round": "endpoints-v1.0", "system": ""}
    claim = ClaimInput(id="x", text=f"441,740 tokens/s at concurrency {PEAK}", defaults={"round": given["round"]})
    verdict = check_files([ClaimFile(path="<t>", claims=(claim,))], table).verdicts[0]
    assert (verdict.outcome, verdict.reason.code) == ("unverifiable", "basis-differs")
    assert "has 441,740 tokens/s, the claimed figure, 0% off" in verdict.reason.message


def test_a_whole_run_is_official_where_there_is_no_window(tmp_path: Path, held: Callable[[], ResultsTable]) -> None:
    from tests.results.endpoints.conftest import PEAK, Bundle

    Bundle(tmp_path, point={"steady_state": {"status": "insufficient_passes"}}).write_v10("CoreWeave")
    table = held()
    for text, outcome in (
        (f"441,740 tokens/s at concurrency {PEAK}", "pass"),
        (f"441,741 tokens/s at concurrency {PEAK}", "fail"),
        (f"TTFT P90 of 5.193 s at concurrency {PEAK}", "pass"),
        (f"TTFT of 5.193 s at concurrency {PEAK}", "unverifiable"),
    ):
        claim = ClaimInput(id="x", text=text, defaults={"round": "endpoints-v1.0"})
        verdict = check_files([ClaimFile(path="<t>", claims=(claim,))], table).verdicts[0]
        assert verdict.outcome == outcome, verdict.reason
        if outcome == "pass":
            assert "peer-review-pending" in {c.code for c in verdict.caveats}


def test_a_point_without_throughput_is_no_silent_gap(tmp_path: Path, held: Callable[[], ResultsTable]) -> None:
    write(tmp_path, "CoreWeave", OURS)
    path = tmp_path / "CoreWeave/GB200/DeepSeek-R1/results/point_1024/run_metadata.json"
    data = json.loads(path.read_text())
    del data["system_tps"]
    path.write_text(json.dumps(data | {"measured_latency_ttft_p95": 9000.0}))
    table = held()
    for text in ("TTFT P95 below 6 s at every concurrency", "TTFT P95 of 9 s at concurrency 1,024"):
        assert judge(table, text).outcome == "unverifiable"


TTFT: dict[str, FieldValue] = {"value": "5.77", "unit": "s", "latency": "ttft"}


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"value": "441,740", "unit": "tokens/s", "concurrency": "16384"}, "pass"),
        ({"value": "441,740", "unit": "tokens/s", "concurrency": "16,384"}, "pass"),
        ({"value": "441,741", "unit": "tokens/s", "concurrency": "16384"}, "fail"),
        ({"value": "441,740", "unit": "tokens/s", "concurrency": "1024"}, "fail"),
        ({"value": "441,740", "unit": "tokens/s", "concurrency": "8192"}, "fail"),
        ({"value": "441,740", "unit": "tokens/s", "concurrency": "highest"}, "pass"),
        ({"value": "441,740", "unit": "tokens/s", "concurrency": "some"}, "unverifiable"),
        ({"value": "441,740", "unit": "tokens/s", "concurrency": "16384", "percentile": "95"}, "unverifiable"),
        ({"value": "6,496", "unit": "tokens/s", "per": "accelerator", "concurrency": "16384"}, "pass"),
        (TTFT | {"percentile": "95", "concurrency": "16384"}, "pass"),
        (TTFT | {"percentile": "99", "concurrency": "16384"}, "unverifiable"),
        (TTFT | {"percentile": "95", "concurrency": "1024"}, "fail"),
        (TTFT | {"latency": "tpot", "percentile": "95", "concurrency": "16384"}, "fail"),
        (TTFT | {"value": "6", "relation": "lt", "percentile": "95", "concurrency": "every"}, "pass"),
        (TTFT | {"value": "5", "relation": "lt", "percentile": "95", "concurrency": "every"}, "fail"),
        ({"kind": "lowest", "latency": "tpot", "percentile": "95", "concurrency": "highest"}, "pass"),
        ({"kind": "highest", "latency": "tpot", "percentile": "95", "concurrency": "highest"}, "unverifiable"),
        ({"kind": "highest", "per": "accelerator", "concurrency": "highest"}, "pass"),
        ({"kind": "highest", "submitter": "Nebius", "concurrency": "highest"}, "fail"),
    ],
)
def test_claims_in_fields(table: ResultsTable, fields: dict[str, FieldValue], outcome: str) -> None:
    verdict = judge_fields(table, **fields)
    assert verdict.outcome == outcome, verdict.reason


def test_fields_win_over_words(table: ResultsTable) -> None:
    text = "441,740 tokens/s at concurrency 16,384"
    assert judge_fields(table, text, concurrency="1024").outcome == "fail"
    assert judge_fields(table, "TTFT P95 of 5.77 s at concurrency 16,384", latency="tpot").outcome == "unverifiable"


def test_fields_of_endpoints_have_no_part_elsewhere(table: ResultsTable) -> None:
    given: dict[str, FieldValue] = {"round": "inference-v6.1", "value": "16,635", "unit": "tokens/s"}
    given |= {"per": "accelerator", "scenario": "Offline", "model": "GPT-OSS-120B", "system": "GB300 NVL72"}
    assert judge_fields(table, **given).outcome == "pass"
    for more in ({"concurrency": "16384"}, {"percentile": "95"}, {"latency": "ttft"}):
        verdict = judge_fields(table, **given, **more)
        assert (verdict.outcome, verdict.reason.code) == ("unverifiable", "not-understood")
