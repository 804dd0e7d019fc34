"""Endpoints results: one point is one concurrency; throughput, latency and accelerators from either layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlperf_claimcheck.results.endpoints import EndpointCurve, looks_like_endpoints, read_endpoints
from mlperf_claimcheck.results.endpoints.reader import model_id, number
from mlperf_claimcheck.results.repository.errors import RepositoryError

from .conftest import CONCURRENCIES, PEAK, Bundle

WRITERS = {
    "v0.7": lambda bundle: bundle.write_v07(),
    "v0.7 pareto": lambda bundle: bundle.write_v07(pareto=True),
    "v1.0": lambda bundle: bundle.write_v10(),
}


def only(root: Path) -> EndpointCurve:
    repository = read_endpoints(root)
    assert repository.problems == ()
    (curve,) = repository.curves
    return curve


@pytest.mark.parametrize("layout", list(WRITERS))
def test_the_known_result_is_read_from_every_layout(bundle: Bundle, layout: str) -> None:
    WRITERS[layout](bundle)
    assert looks_like_endpoints(bundle.root)
    curve = only(bundle.root)
    assert (curve.submitter, curve.model, curve.platform) == ("Acme", "deepseek-r1", "rack")
    assert [p.concurrency for p in curve.points] == list(CONCURRENCIES)
    point = curve.at(PEAK)
    assert point is not None
    assert point is curve.peak
    assert point.system_tps == 441_740
    assert (point.accelerators, point.nodes) == (68, 17)
    assert point.tps_per_accelerator == pytest.approx(6496.18, abs=0.01)
    assert point.ttft_ms["95"] == 5770.0
    assert (point.availability, point.division) == ("available", "standardized")
    assert curve.at(PEAK - 1) is None


def test_rounds_are_told_apart_by_layout(bundle: Bundle) -> None:
    bundle.write_v07("Acme")
    bundle.write_v10("Beta")
    repository = read_endpoints(bundle.root)
    assert {(c.submitter, c.round) for c in repository.curves} == {
        ("Acme", "endpoints-v0.7"),
        ("Beta", "endpoints-v1.0"),
    }
    rows = repository.rows()
    assert len(rows) == 2 * len(CONCURRENCIES)
    assert {r.scenario for r in rows} == {f"Concurrency {c}" for c in CONCURRENCIES}
    assert [r.index for r in rows] == list(range(len(rows)))


def test_tokens_per_second_and_user_means_two_things(bundle: Bundle) -> None:
    """v0.7: system TPS ÷ concurrency. v1.0: 1000 ÷ TPOT P90."""
    bundle.write_v07("Acme")
    bundle.write_v10("Beta")
    by_round = {c.round: c.at(PEAK) for c in read_endpoints(bundle.root).curves}
    old, new = by_round["endpoints-v0.7"], by_round["endpoints-v1.0"]
    assert old is not None
    assert new is not None
    assert old.tps_per_user == pytest.approx(441_740 / 16384)
    assert new.tps_per_user == pytest.approx(25.0)


def test_a_windowable_run_is_official_by_its_window(bundle: Bundle) -> None:
    bundle.write_v10()
    point = only(bundle.root).at(PEAK)
    assert point is not None
    assert point.whole_run_only
    assert any("steady-state window" in caution for caution in point.cautions)


def test_every_figure_names_its_file_and_line(bundle: Bundle) -> None:
    folder = bundle.write_v10()
    point = only(bundle.root).at(PEAK)
    assert point is not None
    assert point.source.file == str((folder / "r16384" / "result_summary.json").relative_to(bundle.root))
    text = (folder / "r16384" / "result_summary.json").read_text().splitlines()
    assert point.source.line is not None
    assert "output_sequence_lengths" in text[point.source.line - 1]
    assert point.system_tps_formula == "662,610,000 output tokens ÷ 1,500 s = 441,740 tokens/s"


def test_a_stated_throughput_must_follow_from_tokens_and_seconds(bundle: Bundle) -> None:
    bundle.summary = {"system_tps": 450_000}
    bundle.write_v07()
    repository = read_endpoints(bundle.root)
    assert repository.curves[0].points == ()
    assert "system_tps is given as 450000" in repository.problems[0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"summary": {"complete": False}}, "not complete"),
        ({"summary": {"tps_per_user": 99.0}}, "tps_per_user"),
        ({"point": {"concurrency": 7}}, "its concurrency is 7"),
        ({"system": {"publication_status": "Preview"}}, "publication status is given as"),
    ],
)
def test_points_that_contradict_themselves_are_left_out(bundle: Bundle, changes: dict[str, Any], words: str) -> None:
    for name, value in changes.items():
        setattr(bundle, name, value)
    bundle.write_v10()
    repository = read_endpoints(bundle.root)
    assert repository.curves == ()
    assert len(repository.problems) == len(CONCURRENCIES)
    assert words in repository.problems[0]


def test_unknown_accelerator_counts_give_no_per_accelerator_figure(bundle: Bundle) -> None:
    bundle.node["number_of_nodes"] = None
    bundle.write_v10()
    point = only(bundle.root).at(PEAK)
    assert point is not None
    assert (point.accelerators, point.tps_per_accelerator) == (None, None)


def test_used_accelerators_are_shown_beside_the_installed_ones(bundle: Bundle) -> None:
    bundle.point = {"nodes_used": [{"system_node_ensemble_id": 1, "nodes": 16}]}
    bundle.write_v10()
    point = only(bundle.root).at(PEAK)
    assert point is not None
    assert (point.accelerators, point.accelerators_engaged) == (68, 64)
    assert "64 of 68 accelerators were used" in point.cautions


def test_windowed_token_counts_are_not_divided_by_the_whole_run(bundle: Bundle) -> None:
    bundle.summary = {"output_sequence_lengths_full_run": {"total": 3_000_000}}
    bundle.write_v10()
    point = only(bundle.root).at(PEAK)
    assert point is not None
    assert point.system_tps == 2000


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe\x00", b"[" * 100_000])
def test_damaged_files_leave_out_their_point_alone(bundle: Bundle, content: bytes) -> None:
    folder = bundle.write_v10()
    (folder / "r64" / "result_summary.json").write_bytes(content)
    repository = read_endpoints(bundle.root)
    assert [p.concurrency for p in repository.curves[0].points] == [c for c in CONCURRENCIES if c != 64]
    assert "r64/result_summary.json" in repository.problems[0]


def test_links_out_of_the_folder_are_not_followed(bundle: Bundle, tmp_path: Path) -> None:
    folder = bundle.write_v10()
    target = folder / "r64" / "result_summary.json"
    outside = tmp_path / "outside.json"
    target.rename(outside)
    target.symlink_to(outside)
    (folder / "r99").symlink_to(tmp_path)
    (bundle.root / "loop").symlink_to(bundle.root)
    repository = read_endpoints(bundle.root)
    assert len(repository.curves) == 1
    assert [p for p in repository.problems if "leads out of the folder" in p]


def test_two_system_descriptions_are_ambiguous(bundle: Bundle) -> None:
    folder = bundle.write_v07()
    (folder / "systems" / "rack.json").rename(folder / "systems" / "one.json")
    (folder / "systems" / "two.json").write_text("{}")
    repository = read_endpoints(bundle.root)
    assert repository.curves == ()
    assert "exactly one system description" in repository.problems[0]


def test_other_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "closed" / "Acme" / "results" / "a" / "b" / "Offline").mkdir(parents=True)
    (tmp_path / "closed" / "Acme" / "systems").mkdir()
    assert not looks_like_endpoints(tmp_path)
    with pytest.raises(RepositoryError, match="no Endpoints results"):
        read_endpoints(tmp_path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llama3_1-8b", "llama3.1-8b"),
        ("deepseek-ai/DeepSeek-R1", "deepseek-r1"),
        ("qwen3_6-35b-a3b", "qwen3.6-35b-a3b"),
        ("gpt-oss-120b", "gpt-oss-120b"),
    ],
)
def test_model_names(name: str, expected: str) -> None:
    assert model_id(name) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1,200.5", 1200.5),
        (3, 3.0),
        (True, None),
        ("inf", None),
        ("x", None),
        (-1, None),
        (None, None),
        (10**400, None),
    ],
)
def test_numbers_may_be_text(value: object, expected: float | None) -> None:
    assert number(value) == expected


def test_the_bundle_passes_the_official_checker(bundle: Bundle) -> None:
    checker = pytest.importorskip("submission_checker", reason="endpoints-submission-cli is a development dependency")
    folder = bundle.write_v10()
    report = checker.SubmissionChecker(folder.parents[2]).run()
    assert [(e.rule, e.message) for e in report.errors] == []


@pytest.mark.parametrize("version", ["0.7", "1.0"])
def test_the_official_visualizer_reads_the_same(bundle: Bundle, version: str, tmp_path: Path) -> None:
    pytest.importorskip("mlperf_endpoints_visualizer", reason="mlperf-viz is a development dependency")
    from mlperf_endpoints_visualizer import adapt, discover

    _ = bundle.write_v07() if version == "0.7" else bundle.write_v10()
    _, found = discover.discover(bundle.root, version)
    directory = found[0].result_points()[-1]
    curve = only(bundle.root)
    point = curve.at(PEAK)
    assert point is not None
    if version == "0.7":
        metadata = json.loads((directory / "run_metadata.json").read_text())
        assert adapt.to_number(metadata["system_tps"]) == point.system_tps
        assert adapt.to_number(metadata["measured_latency_ttft_p95"]) == point.ttft_ms["95"]
        return
    flat = adapt.result_summary_to_flat(json.loads((directory / "result_summary.json").read_text()))
    assert flat["derived_fields"]["system_tps"] == point.system_tps
    assert flat["derived_fields"]["tps_per_user"] == point.tps_per_user
    assert flat["direct_fields"]["measured_latency_ttft_p95"] == point.ttft_ms["95"]
