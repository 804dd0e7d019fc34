"""The bundled table, what may replace it, and how it is built."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlperf_claimcheck.results import build as builder
from mlperf_claimcheck.results import load
from mlperf_claimcheck.results.corrections import Corrections
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable, RoundError
from mlperf_claimcheck.results.frame import to_frame, to_rows
from mlperf_claimcheck.results.rounds import parse_round_id
from tests.results.summary_samples import new_csv, new_row, old_file, old_row

SHARED = Path(__file__).parents[3] / "shared" / "results"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))


def test_bundled_rounds_and_sources() -> None:
    table = load.load_results()
    assert table.rounds == ("inference-v4.1", "inference-v5.1", "inference-v6.0", "inference-v6.1")
    assert {s.origin for s in table.sources} == {"bundled"}
    assert [s.rows for s in table.sources] == [len(table.by_round(r)) for r in table.rounds]
    assert table.by_round("inference-v9.9") == ()
    assert table.frame.height == len(table.rows)


def test_bundled_rows_hold_names_and_figures_only() -> None:
    software = {r.software for r in load.load_results().rows}
    assert "TensorRT 10.14, CUDA 13.1" in software
    assert not [s for s in software if "(" in s or ". " in s or len(s) > 200]
    assert {r.unit for r in load.load_results().rows} <= {"tokens/s", "samples/s", "queries/s", "tasks/s", "ms", "s"}


def test_the_worked_example_of_a_rack() -> None:
    rows = [
        r for r in load.load_results().by_round("inference-v6.1")
        if (r.submitter, r.model, r.scenario) == ("CoreWeave", "gpt-oss-120b", "Offline") and r.accelerators == 72
    ]  # fmt: skip
    assert 1197710.0 in [r.value for r in rows]


def test_frame_and_rows_are_inverse() -> None:
    rows = load.load_results().by_round("inference-v6.1")[:20]
    assert tuple(to_rows(to_frame(rows))) == rows


def test_a_file_replaces_its_whole_round(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(new_csv())
    table = load.load_results(sources=[tmp_path / "x.csv"])
    assert [r.submitter for r in table.by_round("inference-v6.1")] == ["Acme"]
    assert len(table.by_round("inference-v6.0")) == 520
    assert [s.origin for s in table.sources] == ["bundled", "bundled", "bundled", "file"]


def test_a_folder_of_summaries(tmp_path: Path) -> None:
    (tmp_path / "a_summary.csv").write_bytes(new_csv())
    (tmp_path / "b_summary.json").write_bytes(old_file())
    (tmp_path / "package.json").write_text("{}")
    table = load.load_results(sources=[str(tmp_path)])
    assert (len(table.by_round("inference-v4.1")), len(table.by_round("inference-v6.1"))) == (1, 1)
    (tmp_path / "c_summary.json").write_bytes(old_file())
    with pytest.raises(ResultsError, match="name one of them"):
        load.load_results(sources=[str(tmp_path)])


def test_an_empty_folder_and_an_address_offline_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="holds no results"):
        load.load_results(sources=[tmp_path])
    with pytest.raises(ResultsUnavailable, match="offline"):
        load.load_results(sources=["https://example.com/summary.csv"])


def test_a_damaged_bundle_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "inference_v6.1_summary.csv").write_bytes(new_csv(new_row(), new_row(Result="5")))
    builder.build(tmp_path / "in", tmp_path / "out")
    monkeypatch.setattr(load, "BUNDLE", tmp_path / "out")
    assert len(load.load_results().rows) == 2
    for name in ("results.parquet", "rows.jsonl"):
        whole = (tmp_path / "out" / name).read_bytes()
        (tmp_path / "out" / name).write_bytes(whole[:-1])
        with pytest.raises(ResultsError, match="install the package again"):
            load.load_results()
        (tmp_path / "out" / name).write_bytes(whole)


def test_the_bundle_is_what_the_published_files_give(tmp_path: Path) -> None:
    if not SHARED.is_dir():
        pytest.skip("the published files are not at ../shared/results")
    assert builder.build(SHARED, tmp_path) == []
    assert (
        json.loads((tmp_path / "manifest.json").read_text())["rounds"]
        == json.loads((builder.BUNDLE / "manifest.json").read_text())["rounds"]
    )
    import polars as pl

    assert (tmp_path / "rows.jsonl").read_bytes() == (builder.BUNDLE / "rows.jsonl").read_bytes()
    assert pl.read_parquet(tmp_path / "results.parquet").equals(pl.read_parquet(builder.BUNDLE / "results.parquet"))


def test_withdrawn_results_are_known() -> None:
    corrections = Corrections.load()
    found = {r.result_id: corrections.for_row(r) for r in load.load_results().rows if corrections.for_row(r)}
    assert set(found) == {"4.1-0070", "4.1-0075", "4.1-0077"}
    assert {(c.kind, c.authority) for items in found.values() for c in items} == {("withdrawn", "reported")}


def test_own_corrections_are_added_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    entry = "{result_id: v6.0-0001, kind: withdrawn, authority: official, date: 2026-10, what: w, source: s}"
    path.write_text(f"corrections: [{entry}]")
    row = next(r for r in load.load_results().rows if r.result_id == "6.0-0001")
    assert [c.authority for c in Corrections.load([path]).for_row(row)] == ["official"]
    path.write_text("corrections: [{result_id: 6.0-0001}]")
    with pytest.raises(ResultsError, match="correction 1: kind"):
        Corrections.load([path])


@pytest.mark.parametrize("text", ["v6.1", "6.1", "inference-v6.1", "MLPerf Inference v6.1", "Inference 6.1"])
def test_spellings_of_a_round(text: str) -> None:
    assert parse_round_id(text) == "inference-v6.1"


@pytest.mark.parametrize("text", ["", "six", "v6", "../v6.1", "v6.1/..", "v６.１", "storage-v1.0"])
def test_what_is_no_round(text: str) -> None:
    with pytest.raises(RoundError, match="is no round"):
        parse_round_id(text)


def test_joint_suites_have_one_spelling(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(old_file(old_row(Suite="edge, datacenter")))
    assert load.load_results(sources=[tmp_path / "x.json"]).by_round("inference-v4.1")[0].suite == "datacenter,edge"


def test_a_correction_can_be_limited_to_a_benchmark_and_scenario(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    rows = [r for r in load.load_results().rows if r.result_id == "6.0-0001"]
    entry = "result_id: 6.0-0001, kind: changed, authority: official, date: 2026-10, what: w, source: s"
    path.write_text(f"corrections: [{{{entry}, model: llama2-70b-99.9, scenario: Server}}]")
    corrections = Corrections.load([path])
    touched = {(r.model, r.scenario) for r in rows if corrections.for_row(r)}
    assert touched == {("llama2-70b-99.9", "Server")}
    path.write_text(f"corrections: [{{{entry}, modle: x}}]")
    with pytest.raises(ResultsError, match="modle not known"):
        Corrections.load([path])


def test_a_cached_copy_of_a_bundled_file_gives_the_same_rows() -> None:
    if not SHARED.is_dir():
        pytest.skip("the published files are not at ../shared/results")
    from mlperf_claimcheck.results.cache import store

    data = (SHARED / "inference_v6.1_summary.csv").read_bytes()
    held = store("inference-v6.1", data, url="https://example.com/summary.csv", etag="", retrieved="2026-12-01")
    table = load.load_results()
    assert table.sources[-1].origin == "cache"
    assert table.by_round("inference-v6.1") == held.read().rows
    assert table.by_round("inference-v6.1") == load.load_results(use_cache=False).by_round("inference-v6.1")
    held.path.write_bytes(data[:-1])
    with pytest.raises(ResultsError, match="damaged"):
        load.load_results()


def test_the_build_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "inference_v6.1_summary.csv").write_bytes(new_csv(new_row(Units="Frames/s")))
    monkeypatch.setattr("sys.argv", ["build", str(tmp_path / "in"), "--output", str(tmp_path / "a")])
    assert builder.main() == 0
    assert "unit 'Frames/s' is not known" in capsys.readouterr().err
    builder.build(tmp_path / "in", tmp_path / "b")
    for name in ("results.parquet", "rows.jsonl", "manifest.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), "same input, same bytes"
    monkeypatch.setattr("sys.argv", ["build", str(tmp_path / "absent")])
    assert builder.main() == 4
    assert "holds no summary files" in capsys.readouterr().err
