"""`results verify`: report, exit codes, and what stands on which stream."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlperf_claimcheck.cli.results_verify_command import VerifyFormat, run_verify
from mlperf_claimcheck.results.repository.source import read_repository

LOG = """================================================
MLPerf Results Summary
================================================
SUT name : Demo
Scenario : Offline
Mode     : PerformanceOnly
Samples per second: {figure}
Result is : VALID

No warnings encountered during test.

No errors encountered during test.
"""


def write_repo(folder: Path, figures: dict[str, str], *, summary: bool = True) -> Path:
    """Runs of one submitter, one for each model, and the summary that goes with them."""
    root = folder / "inference_results_v5.1"
    home = root / "closed" / "Acme"
    (home / "systems").mkdir(parents=True)
    described: dict[str, Any] = {
        "system_name": "Demo",
        "status": "available",
        "system_type": "datacenter",
        "number_of_nodes": 1,
        "accelerators_per_node": 8,
        "accelerator_model_name": "A1",
    }
    (home / "systems" / "one.json").write_text(json.dumps(described))
    rows = []
    for model, figure in figures.items():
        run = home / "results" / "one" / model / "Offline" / "performance" / "run_1"
        run.mkdir(parents=True)
        (run / "mlperf_log_summary.txt").write_text(LOG.format(figure=figure))
        rows.append(
            {
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
                "Performance_Result": float(figure),
                "Performance_Units": "Samples/s",
            }
        )
    if summary:
        (root / "summary_results.json").write_text(json.dumps(rows, indent=1))
    return root


def test_a_round_that_follows_from_its_logs_is_code_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repo(tmp_path, {"retinanet": "11.5", "rgat": "12.5"})
    assert run_verify(root) == 0
    out, err = capsys.readouterr()
    assert "match 2   mismatch 0   missing 0" in out
    assert "not verified by MLCommons Association" in out
    assert err == ""


def test_one_changed_digit_is_code_1_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repo(tmp_path, {"retinanet": "11.5", "rgat": "12.5"})
    log = root / "closed/Acme/results/one/rgat/Offline/performance/run_1/mlperf_log_summary.txt"
    log.write_text(log.read_text().replace("12.5", "12.6"))
    assert run_verify(root, output_format=VerifyFormat.JSON) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["summary"] == {"match": 1, "mismatch": 1, "missing": 0}
    (row,) = [r for r in report["rows"] if r["status"] == "mismatch"]
    assert (row["file"], row["line"]) == (str(log.relative_to(root)), 7)
    assert (row["published"]["value"], row["log"]["value"]) == (12.5, 12.6)
    assert row["published"]["line"] == 21
    assert run_verify(root) == 1
    assert f"{log.relative_to(root)}:7: [value-differs]" in capsys.readouterr().out


def test_missing_rows_alone_are_no_mismatch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repo(tmp_path, {"retinanet": "11.5", "rgat": "12.5"})
    (root / "closed/Acme/results/one/rgat/Offline/performance/run_1/mlperf_log_summary.txt").write_text("")
    assert run_verify(root) == 0
    assert "[log-empty] the file is empty" in capsys.readouterr().out


def test_a_given_summary_is_used_instead(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repo(tmp_path, {"rgat": "12.5"})
    other = tmp_path / "other.json"
    other.write_text((root / "summary_results.json").read_text().replace("12.5", "99.5"))
    assert run_verify(root, results=other) == 1
    assert "published 99.5 samples/s, the log gives 12.5" in capsys.readouterr().out
    other.write_text(other.read_text().replace("v5.1", "v6.0"))
    assert run_verify(root, results=other) == 4
    assert "holds inference-v6.0, the repository is of inference-v5.1" in capsys.readouterr().err


def test_held_rows_are_compared_where_there_is_no_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repo(tmp_path, {"rgat": "12.5"}, summary=False)
    rows, _ = read_repository(root)
    asked: list[str] = []

    def held(round_id: str) -> list[Any]:
        asked.append(round_id)
        return rows

    assert run_verify(root, held=held) == 0
    assert asked == ["inference-v5.1"]
    assert "held results of inference-v5.1" in capsys.readouterr().out


def test_a_round_without_any_summary_is_recomputed_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_repo(tmp_path, {"rgat": "12.5", "retinanet": "0"}, summary=False)
    assert run_verify(root) == 0
    said = capsys.readouterr()
    assert "give a summary with --results" in said.err
    assert "mlperf_log_summary.txt:7: [no-summary] recomputed: 12.5 samples/s on 8 accelerators" in said.out
    run_verify(root, output_format=VerifyFormat.JSON)
    rows = {row["location"].split("/")[4]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert (rows["rgat"]["log"]["value"], rows["rgat"]["system"]["accelerators"]) == (12.5, 8)
    assert (rows["retinanet"]["class"], rows["retinanet"]["log"]) == ("no-figure", None)
    moved = root.rename(tmp_path / "unnamed")
    assert run_verify(moved) == 4
    assert "its round is not known" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (lambda p: p / "none", 2, "no such folder"),
        (lambda p: p, 4, "no results repository"),
    ],
)
def test_other_folders_are_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Any, code: int, words: str
) -> None:
    assert run_verify(make(tmp_path)) == code
    assert words in capsys.readouterr().err


def test_a_round_that_is_none_is_bad_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repo(tmp_path, {"rgat": "12.5"})
    assert run_verify(root, round_="five") == 2
    assert "expected the form" in capsys.readouterr().err


def test_names_of_others_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repo(tmp_path, {"rgat": "12.5"})
    (root / "closed" / "Acme" / "results" / "\x1b[31mred\u202e" / "rgat" / "Offline" / "performance").mkdir(
        parents=True
    )
    run_verify(root)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\u001b[31mred" in out


def test_the_report_goes_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_repo(tmp_path, {"rgat": "12.5"})
    target = tmp_path / "report.json"
    assert run_verify(root, output_format=VerifyFormat.JSON, output=target) == 0
    assert json.loads(target.read_text())["summary"]["match"] == 1
    assert capsys.readouterr().out == ""
    assert run_verify(root, output=tmp_path / "no" / "report") == 2
