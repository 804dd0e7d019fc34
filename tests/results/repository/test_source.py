"""A repository as a source of results, with its summary file and without one."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from mlperf_claimcheck.results.diff import diff_rows
from mlperf_claimcheck.results.repository.errors import RepositoryError
from mlperf_claimcheck.results.repository.records import read_summary_file
from mlperf_claimcheck.results.repository.source import looks_like_repository, read_repository, read_summary

from .conftest import Repo, detail_log, summary_log

SHARED = Path(__file__).parents[4] / "shared"


def test_a_repository_is_known_by_its_layout(small_repo: Repo, tmp_path: Path) -> None:
    assert looks_like_repository(small_repo.root)
    assert not looks_like_repository(small_repo.root / "closed")
    assert not looks_like_repository(tmp_path / "none")
    assert not looks_like_repository(small_repo.write_summary())


def test_logs_alone_give_the_published_table(small_repo: Repo) -> None:
    rows, warnings = read_repository(small_repo.root)
    assert warnings == []
    published = {r.location: r for r in small_repo.result_rows()}
    assert {r.location for r in rows} == set(published)
    for row in rows:
        other = published[row.location]
        assert row.value == pytest.approx(other.value, rel=2e-5)
        for name in ("round", "submitter", "division", "availability", "model", "model_used", "scenario", "unit"):
            assert getattr(row, name) == getattr(other, name), (row.location, name)
        for name in ("suite", "accelerators", "nodes", "accelerators_per_node", "processor", "inferred", "system"):
            assert getattr(row, name) == getattr(other, name), (row.location, name)
        assert row.result_id is None


def test_runs_that_prove_nothing_give_no_row(repo: Repo) -> None:
    good = ["Samples per second: 11.5"]
    repo.run("Acme", "A", "retinanet", "Offline", summary_log("Offline", good, valid=False))
    repo.run("Acme", "A", "rgat", "Offline", summary_log("Offline", []))
    repo.run("Acme", "A", "whisper", "Offline", "")
    repo.run("Acme", "B", "retinanet", "Offline", summary_log("Offline", good))
    (repo.root / "closed/Acme/systems/B.json").write_text("{")
    twice = summary_log("Offline", good, extra=["Samples per second: 11.6"])
    repo.run("Acme", "A", "resnet50", "Offline", twice)
    rows, warnings = read_repository(repo.root)
    assert rows == []
    text = "\n".join(warnings)
    assert len(warnings) == 5
    for words in ("INVALID", "no usable", "the file is empty", "B.json: is not valid JSON", "11.5 and 11.6"):
        assert words in text


def test_the_finer_of_two_logs_counts_and_coarse_figures_are_named(repo: Repo) -> None:
    keys = {"effective_scenario": "Server", "result_completed_samples_per_sec": 0.880856, "result_validity": "VALID"}
    log = summary_log("Server", ["Completed samples per second    : 0.88"])
    repo.run("Acme", "A", "stable-diffusion-xl", "Server", log, detail=detail_log(keys))
    rows, warnings = read_repository(repo.root)
    assert ([r.value for r in rows], warnings) == ([0.880856], [])
    repo.run("Acme", "B", "stable-diffusion-xl", "Server", log)
    rows, warnings = read_repository(repo.root)
    assert [r.value for r in rows] == [0.880856, 0.88]
    assert "printed to 0.01 only" in warnings[0]


def test_data_types_come_from_the_measurements_of_either_layout(repo: Repo) -> None:
    log = summary_log("Offline", ["Samples per second: 11.5"])
    path = repo.run("Acme", "A", "retinanet", "Offline", log)
    (path.parents[2] / "measurements.json").write_text('{"weight_data_types": "fp4"}')
    repo.run("Acme", "A", "rgat", "Offline", log)
    old = repo.root / "closed/Acme/measurements/A/rgat/Offline"
    old.mkdir(parents=True)
    (old / "A_Offline.json").write_text('{"weight_data_types": "int8"}')
    assert {r.model: r.data_type for r in read_repository(repo.root)[0]} == {"retinanet": "fp4", "rgat": "int8"}


def test_the_round_must_be_known(small_repo: Repo, tmp_path: Path) -> None:
    moved = small_repo.root.rename(tmp_path / "somewhere")
    with pytest.raises(RepositoryError, match="which round"):
        read_repository(moved)
    assert {r.round for r in read_repository(moved, round_id="inference-v9.9")[0]} == {"inference-v9.9"}


def test_a_count_in_the_accelerators_name_is_the_used_one(repo: Repo) -> None:
    repo.system("Acme", "A", number_of_nodes=11, accelerators_per_node=8, accelerator_model_name="Example A1 (x87)")
    repo.run("Acme", "A", "rgat", "Offline", summary_log("Offline", ["Samples per second: 11.5"]))
    (row,) = read_repository(repo.root)[0]
    assert (row.accelerators, row.accelerators_published) == (87, 88)


def test_every_published_form_of_summary_is_read(small_repo: Repo, tmp_path: Path) -> None:
    array = small_repo.write_summary()
    mapping = tmp_path / "summary.json"
    mapping.write_text(json.dumps({str(n): row for n, row in enumerate(small_repo.rows)}, indent=1))
    table = tmp_path / "summary.csv"
    with table.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            [
                "Organization",
                "Availability",
                "Division",
                "SystemType",
                "SystemName",
                "Platform",
                "Model",
                "MlperfModel",
                "Scenario",
                "Result",
                "number_of_nodes",
                "host_processor_model_name",
                "host_processors_per_node",
                "accelerator_model_name",
                "accelerators_per_node",
                "total_accelerators",
                "Location",
                "framework",
                "version",
                "inferred",
                "Units",
                "weight_data_types",
            ]
        )
        for row in small_repo.rows:
            fields = [
                "Submitter",
                "Availability",
                "Category",
                "Suite",
                "System",
                "Platform",
                "UsedModel",
                "Model",
                "Scenario",
                "Performance_Result",
                "Nodes",
                "Processor",
                "host_processors_per_node",
                "Accelerator",
                "a#",
                "total",
                "Location",
                "Software",
                "version",
                "inferred",
                "Performance_Units",
                "weight_data_types",
            ]
            location = f"./{row['Location']}/performance/run_1"
            writer.writerow([{**row, "total": 8, "Location": location}[name] for name in fields])
    first = read_summary_file(array)
    assert first.lines[0] == 2
    for other in (read_summary_file(mapping), read_summary_file(table)):
        assert {name for c in diff_rows(first.rows, other.rows).changes for name in [f.name for f in c.fields]} <= {
            "result_id"
        }
        assert len(other.lines) == len(first.rows)


def test_the_repositorys_own_summary_is_found(small_repo: Repo) -> None:
    assert read_summary(small_repo.root) is None
    small_repo.write_summary()
    summary = read_summary(small_repo.root)
    assert summary is not None
    assert (summary.name, len(summary.rows), summary.warnings) == ("summary_results.json", 7, ())


@pytest.mark.parametrize("text", ["", "{", "[1]", "[]", "a,b\n1,2\n", "\0"])
def test_files_that_are_no_summary_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "summary.json"
    path.write_text(text)
    with pytest.raises(RepositoryError, match=r"summary\.json"):
        read_summary_file(path)


def test_rows_that_are_no_results_are_named(small_repo: Repo) -> None:
    small_repo.rows[0]["Scenario"] = "Chess"
    summary = read_summary_file(small_repo.write_summary())
    (warning,) = summary.warnings
    assert "scenario 'Chess' is not known (row 1)" in warning
    small_repo.rows[1]["Performance_Result"] = "fast"
    with pytest.raises(RepositoryError, match=r"row 2: .*'fast', a number was expected"):
        read_summary_file(small_repo.write_summary())


@pytest.mark.skipif(not (SHARED / "results" / "earlier").is_dir(), reason="../shared/results is not on this machine")
def test_what_changed_between_versions_of_the_published_rounds() -> None:
    """v5.1: 14 rows renamed, 12 IDs moved, 2 power results; v6.1: six Preview rows respelt; no value changed."""
    name = "inference_v5.1_summary_results.json"
    diff = diff_rows(
        read_summary_file(SHARED / "results" / "earlier" / name).rows, read_summary_file(SHARED / "results" / name).rows
    )
    assert diff.counts == {"added": 0, "removed": 0, "changed": 17, "renamed": 14}
    assert diff.values_changed == 0
    moved = [c for c in diff.changes if c.kind == "changed" and [f.name for f in c.fields] == ["result_id"]]
    assert (len(moved), diff.field_counts["power"]) == (12, 2)
    name = "inference_v6.1_summary.csv"
    diff = diff_rows(
        read_summary_file(SHARED / "results" / "earlier" / name).rows, read_summary_file(SHARED / "results" / name).rows
    )
    assert diff.counts == {"added": 0, "removed": 0, "changed": 6, "renamed": 0}
    assert {c.row.availability for c in diff.changes} == {"preview"}
    assert set(diff.field_counts) == {"system", "accelerator"}


@pytest.mark.skipif(not (SHARED / "results-repo").is_dir(), reason="../shared/results-repo is not on this machine")
def test_the_published_v51_table_follows_from_its_logs() -> None:
    folder = SHARED / "results-repo" / "inference_results_v5.1"
    rows, _ = read_repository(folder)
    summary = read_summary(folder)
    assert summary is not None
    diff = diff_rows(summary.rows, rows)
    assert diff.counts["added"] == diff.counts["removed"] == diff.counts["renamed"] == 0
    # Logs know no IDs and no power; their units are the true ones, and Server figures are printed to 0.01.
    assert set(diff.field_counts) <= {"result_id", "power", "power_unit", "data_type", "unit", "value"}
