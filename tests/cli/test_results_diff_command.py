"""`results diff`: versions of a round, and the claims that a change concerns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mlperf_claimcheck.cli.results_diff_command import DiffFormat, run_diff
from mlperf_claimcheck.cli.results_shared import normal_round
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.repository.records import read_summary_file
from mlperf_claimcheck.verdicts.model import Outcome, Reason, Verdict


def record(**fields: Any) -> dict[str, Any]:
    model = fields.get("UsedModel", "rgat")
    return {
        "ID": "5.1-0001",
        "Submitter": "Acme",
        "Availability": "available",
        "Category": "closed",
        "Suite": "datacenter",
        "System": "Demo",
        "Platform": "one",
        "UsedModel": model,
        "Model": model,
        "Scenario": "Offline",
        "Nodes": 1,
        "Accelerator": "A1",
        "a#": 8,
        "Location": f"closed/Acme/results/one/{model}/Offline",
        "version": "v5.1",
        "Performance_Result": 12.5,
        "Performance_Units": "Samples/s",
    } | fields


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(json.dumps([record(), record(UsedModel="retinanet")]))
    after.write_text(json.dumps([record(Performance_Result=12.6), record(UsedModel="whisper")]))
    return before, after


def test_the_table_lists_what_changed(versions: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_diff(*map(str, versions)) == 0
    out = capsys.readouterr().out
    assert "added 1   removed 1   changed 1   renamed 0   values changed 1" in out
    assert "value '12.5' → '12.6'" in out


def test_json_and_csv_hold_the_same(versions: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    run_diff(*map(str, versions), output_format=DiffFormat.JSON)
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["changed"] == 1
    assert "verdicts" not in report
    run_diff(*map(str, versions), output_format=DiffFormat.CSV)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [r["kind"] for r in rows] == [r["kind"] for r in report["rows"]]
    (changed,) = [r for r in rows if r["kind"] == "changed"]
    assert (changed["field"], changed["before"], changed["after"]) == ("value", "12.5", "12.6")


def test_spreadsheets_get_no_formulas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = tmp_path / "a.json", tmp_path / "b.json"
    before.write_text(json.dumps([record()]))
    after.write_text(json.dumps([record(System="=cmd()")]))
    run_diff(str(before), str(after), output_format=DiffFormat.CSV)
    assert ",'=cmd()" in capsys.readouterr().out


def test_claims_whose_verdict_changes_are_code_1(
    versions: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def judge(claims: Sequence[Path], rows: Sequence[ResultRow]) -> list[Verdict]:
        proved = any(r.model == "rgat" and r.value == 12.5 for r in rows)
        outcome = Outcome.PASS if proved else Outcome.FAIL
        return [Verdict(outcome, Reason("x", "because"), id="c1", file=str(claims[0]), line=2)]

    assert run_diff(*map(str, versions), claims=[Path("c.yaml")], judge=judge) == 1
    assert "c.yaml:2: c1: pass → fail: because" in capsys.readouterr().out
    assert run_diff(str(versions[0]), str(versions[0]), claims=[Path("c.yaml")], judge=judge) == 0
    assert "no claim's verdict changes" in capsys.readouterr().out


def test_a_side_may_be_a_held_version(versions: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    rows = read_summary_file(versions[0]).rows
    assert run_diff("ab12cd", str(versions[1]), stored=lambda prefix: rows if prefix == "ab12cd" else None) == 0
    assert run_diff("ffff", str(versions[1]), stored=lambda prefix: None) == 2
    assert "neither a file or folder, nor the hash" in capsys.readouterr().err


def test_sides_of_different_rounds_are_bad_usage(
    versions: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps([record(version="v6.0")]))
    assert run_diff(str(versions[0]), str(other)) == 2
    assert "two versions of the same round" in capsys.readouterr().err


def test_folders_of_summaries_are_sides_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side in ("a", "b"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "one.json").write_text(json.dumps([record()]))
        (tmp_path / side / "two.json").write_text(json.dumps([record(version="v6.0", Submitter=side)]))
        (tmp_path / side / "notes.json").write_text("{}")
    assert run_diff(str(tmp_path / "a"), str(tmp_path / "b"), round_="5.1") == 0
    out, err = capsys.readouterr()
    assert "changed 0" in out
    assert "notes.json" in err
    assert run_diff(str(tmp_path / "a"), str(tmp_path)) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v5.1", "inference-v5.1"),
        ("5.1", "inference-v5.1"),
        ("inference-v5.1", "inference-v5.1"),
        ("MLPerf Training v6.0", "training-v6.0"),
        ("endpoints-v0.7", "endpoints-v0.7"),
    ],
)
def test_rounds_are_taken_in_any_spelling(text: str, expected: str) -> None:
    assert normal_round(text) == expected
