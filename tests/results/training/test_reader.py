"""Time to train from run logs: which runs count, and what a result needs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlperf_claimcheck.results.repository.errors import RepositoryError
from mlperf_claimcheck.results.training import looks_like_training, read_training
from mlperf_claimcheck.results.training.reader import availability

TIMES = [20.0, 10.0, 12.0, 11.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0]
"""Ten runs in minutes; without 10 and 20 their mean is 14.5."""


def log(minutes: float, status: str | None = "success") -> str:
    def line(key: str, time: float, **metadata: Any) -> str:
        return f":::MLLOG {json.dumps({'key': key, 'value': None, 'time_ms': time, 'metadata': metadata})}\n"

    start = 1_700_000_000_000
    text = "step 1 loss 3.4\n" + line("init_start", start - 9000) + line("run_start", start)
    text += "".join(line("tracked_stats", start + n, step=n) for n in range(5))
    if status is not None:
        text += line("run_stop", start + minutes * 60_000, status=status)
    # A resumed log repeats its keys: the first ones count.
    return text + line("run_start", start + 10**9) + line("run_stop", start + 2 * 10**9, status="success")


class Builder:
    def __init__(self, root: Path) -> None:
        self.root = root

    def system(self, submitter: str = "Acme", name: str = "sys", **fields: Any) -> None:
        path = self.root / submitter / "systems" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        described = {
            "submitter": submitter,
            "division": "closed",
            "status": "Available on-premise",
            "system_name": "Acme rack",
            "number_of_nodes": "128",
            "accelerators_per_node": "4",
            "accelerator_model_name": "Example A1",
        }
        path.write_text(json.dumps(described | fields), encoding="utf-8")

    def runs(self, benchmark: str, logs: list[str], submitter: str = "Acme", system: str = "sys") -> Path:
        folder = self.root / submitter / "results" / system / benchmark
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(logs):
            (folder / f"result_{number}.txt").write_text(text, encoding="utf-8")
        return folder


@pytest.fixture
def build(tmp_path: Path) -> Builder:
    root = tmp_path / "training_results_v5.1"
    root.mkdir()
    builder = Builder(root)
    builder.system()
    return builder


def test_fastest_and_slowest_are_dropped(build: Builder) -> None:
    build.runs("llama2_70b_lora", [log(t) for t in TIMES])
    repository = read_training(build.root)
    (row,) = repository.rows
    assert (row.round, row.model, row.scenario, row.unit) == (
        "training-v5.1",
        "llama2_70b_lora",
        "time to train",
        "min",
    )
    assert row.value == pytest.approx(14.5)
    assert (row.accelerators, row.nodes, row.division, row.availability) == (512, 128, "closed", "available")
    score = repository.scores[row.location]
    assert score.formula == "mean of 8 of 10 runs, without the fastest and the slowest: 14.5 min"
    assert (score.runs[0].start_line, score.runs[0].stop_line) == (3, 9)


def test_three_runs_leave_the_median(build: Builder) -> None:
    build.runs("llama31_405b", [log(30), log(10.5), log(12.25)])
    assert read_training(build.root).rows[0].value == pytest.approx(12.25)


def test_the_committees_factor_multiplies_the_score(build: Builder) -> None:
    folder = build.runs("llama31_405b", [log(30), log(10), log(20)])
    (folder / "scaling.json").write_text('{"scaling_factor": 1.010654}')
    repository = read_training(build.root)
    assert repository.rows[0].value == pytest.approx(20.21308)
    assert "× 1.01065 (scaling.json)" in next(iter(repository.scores.values())).formula


@pytest.mark.parametrize("text", ["{", "[]", '{"scaling_factor": "x"}', '{"scaling_factor": -1}', ""])
def test_a_damaged_factor_leaves_the_score_unknown(build: Builder, text: str) -> None:
    folder = build.runs("llama31_405b", [log(30), log(10), log(20)])
    (folder / "scaling.json").write_text(text)
    repository = read_training(build.root)
    assert repository.rows == ()
    assert "scaling.json" in repository.problems[0]


def test_a_run_short_says_how_many_are_needed(build: Builder) -> None:
    build.runs("llama2_70b_lora", [log(t) for t in TIMES[:9]])
    repository = read_training(build.root)
    assert repository.rows == ()
    assert "has 9 run logs" in repository.problems[0]
    assert "10 are needed for llama2_70b_lora; 1 missing" in repository.problems[0]


def test_one_run_without_convergence_counts_as_the_slowest(build: Builder) -> None:
    build.runs("llama2_70b_lora", [log(t, "aborted" if t == 11 else "success") for t in TIMES])
    # 11 is out as the slowest, 10 as the fastest: 12 … 18 and 20.
    assert read_training(build.root).rows[0].value == pytest.approx((12 + 13 + 14 + 15 + 16 + 17 + 18 + 20) / 8)


def test_two_runs_without_convergence_are_no_result(build: Builder) -> None:
    build.runs("llama2_70b_lora", [log(t, "aborted" if t in (11, 12) else "success") for t in TIMES])
    repository = read_training(build.root)
    assert repository.rows == ()
    assert "2 of 10 runs do not count" in repository.problems[0]


@pytest.mark.parametrize("text", ["", log(5)[:200], log(5, None).split(":::MLLOG")[0], "\0" * 100, log(-5)])
def test_a_run_that_tells_no_time_may_be_the_fastest_too(build: Builder, text: str) -> None:
    folder = build.runs("llama2_70b_lora", [log(t) for t in TIMES])
    (folder / "result_3.txt").write_text(text)
    repository = read_training(build.root)
    assert repository.rows == ()
    assert "1 of 10 run logs tell no time, 10 are needed" in repository.problems[0]
    assert "result_3.txt: " in repository.problems[0]


def test_of_more_runs_it_is_not_known_which_count(build: Builder) -> None:
    build.runs("llama2_70b_lora", [log(t) for t in [*TIMES, 19.0]])
    assert "has 11 run logs, 10 count for llama2_70b_lora" in read_training(build.root).problems[0]


def test_logs_outside_the_folder_and_huge_ones_do_not_count(build: Builder, tmp_path: Path) -> None:
    folder = build.runs("llama31_405b", [log(30), log(10), log(20)])
    (tmp_path / "other.txt").write_text(log(1))
    (folder / "result_0.txt").unlink()
    (folder / "result_0.txt").symlink_to(tmp_path / "other.txt")
    assert "has 2 run logs" in read_training(build.root).problems[0]
    (folder / "result_0.txt").unlink()
    with (folder / "result_0.txt").open("wb") as stream:
        stream.truncate(1 << 30)
    assert "such a file may have" in read_training(build.root).problems[0]


def test_unknown_benchmarks_and_those_of_other_rounds_are_named(build: Builder) -> None:
    build.runs("chess", [log(1)])
    build.runs("bert", [log(t) for t in TIMES])
    problems = read_training(build.root).problems
    assert any("“chess” is not a benchmark" in p for p in problems)
    assert any("bert was not part of training-v5.1" in p for p in problems)


def test_a_missing_system_description_leaves_the_result_out(build: Builder) -> None:
    build.runs("llama31_405b", [log(30), log(10), log(20)], system="other")
    repository = read_training(build.root)
    assert repository.rows == ()
    assert "Acme/systems/other.json" in repository.problems[0]


def test_other_folders_are_refused(tmp_path: Path) -> None:
    assert not looks_like_training(tmp_path)
    assert not looks_like_training(tmp_path / "none")
    with pytest.raises(RepositoryError, match="no Training results repository"):
        read_training(tmp_path)


def test_the_round_must_be_known(build: Builder, tmp_path: Path) -> None:
    build.runs("llama31_405b", [log(30), log(10), log(20)])
    build.root.rename(tmp_path / "somewhere")
    assert looks_like_training(tmp_path / "somewhere")
    with pytest.raises(RepositoryError, match="which round"):
        read_training(tmp_path / "somewhere")
    assert len(read_training(tmp_path / "somewhere", round_id="training-v5.1").rows) == 1


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("Available on-premise", "available"),
        ("Available cloud", "available"),
        ("onprem", "available"),
        ("Preview", "preview"),
        ("Research, Development, or Internal", "rdi"),
        ("RDI", "rdi"),
        ("", ""),
    ],
)
def test_status_spellings(status: str, expected: str) -> None:
    assert availability(status) == expected
