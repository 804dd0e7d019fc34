"""Recomputing published rows from logs: which line counts, how exactly, and what every other row is called."""

from __future__ import annotations

import json
import os
import time
from decimal import Decimal
from pathlib import Path

import pytest

from mlperf_claimcheck.results.repository.errors import RepositoryError
from mlperf_claimcheck.results.repository.evaluate import Figure
from mlperf_claimcheck.results.repository.published import row_lines
from mlperf_claimcheck.results.repository.source import read_summary
from mlperf_claimcheck.results.repository.verify import (
    CLASSES,
    RowCheck,
    Status,
    Verification,
    agree,
    verify_repository,
)

from .conftest import Repo, detail_log, summary_log

SHARED = Path(__file__).parents[4] / "shared" / "results-repo" / "inference_results_v5.1"


def verify(repo: Repo, **options: object) -> Verification:
    return verify_repository(repo.root, repo.result_rows(), published="summary_results.json", **options)  # type: ignore[arg-type]


def only(result: Verification, status: Status) -> RowCheck:
    found = [row for row in result.rows if row.status is status]
    assert len(found) == 1, [(r.cls, r.message) for r in result.rows if r.status is not Status.MATCH]
    return found[0]


def test_each_scenario_is_taken_from_its_own_line(small_repo: Repo) -> None:
    result = verify(small_repo)
    assert [(r.cls, r.message) for r in result.rows if r.status is not Status.MATCH] == []
    labels = {
        r.location.rsplit("/", 2)[-2:][0] + "/" + r.row.scenario: r.figure.label
        for r in result.rows
        if r.row and r.figure
    }
    assert labels == {
        "llama2-70b-99/Offline": "Tokens per second",
        "llama2-70b-99/Server": "Completed tokens per second",
        "llama2-70b-99/Interactive": "Completed tokens per second",
        "retinanet/Server": "Completed samples per second",
        "retinanet/MultiStream": "Early stopping 99.0th percentile estimate",
        "resnet50/SingleStream": "Early stopping 90.0th percentile estimate",
        "resnet50/MultiStream": "Early stopping 99.0th percentile estimate",
    }
    inferred = [r for r in result.rows if r.cls == "inferred"]
    assert [r.location.rsplit("/", 1)[-1] for r in inferred] == ["multistream"]


@pytest.mark.parametrize(
    ("scenario", "old", "new"),
    [
        ("llama2-70b-99/Offline", "Tokens per second: 35316.7", "Tokens per second: 35316.8"),
        ("llama2-70b-99/Interactive", "21915.57", "21916.57"),
        ("retinanet/Server", "428.12", "428.13"),
        ("resnet50/SingleStream", "estimate: 513395", "estimate: 513396"),
        ("retinanet/MultiStream", "estimate: 1482812", "estimate: 1482822"),
    ],
)
def test_one_changed_digit_is_found_and_named(small_repo: Repo, scenario: str, old: str, new: str) -> None:
    log = next(small_repo.root.glob(f"closed/*/results/*/{scenario}/performance/run_1/mlperf_log_summary.txt"))
    text = log.read_text(encoding="utf-8")
    assert text.count(old) == 1
    log.write_text(text.replace(old, new), encoding="utf-8")
    row = only(verify(small_repo), Status.MISMATCH)
    assert row.cls == "value-differs"
    assert row.file == str(log.relative_to(small_repo.root))
    assert row.line == next(n for n, line in enumerate(text.splitlines(), 1) if old in line)


def test_a_figure_that_a_log_gives_twice_must_agree(small_repo: Repo) -> None:
    """The last digit of a Server log is finer than the table; the log's own second copy still shows the change."""
    log = next(small_repo.root.glob("closed/*/results/*/llama2-70b-99/Server/performance/run_1/*.txt"))
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace("second: 33244.25", "second: 33244.24"), encoding="utf-8")
    row = only(verify(small_repo), Status.MISMATCH)
    assert row.cls == "log-inconsistent"
    assert "33244.24" in row.message
    assert "33244.25" in row.message


@pytest.mark.parametrize(
    ("published", "text", "quantum", "same"),
    [
        (33244.2, "33244.25", "0.01", True),
        (33244.3, "33244.25", "0.01", True),
        (33244.2, "33244.26", "0.01", False),
        (0.880856, "0.88", "0.01", True),
        (0.885856, "0.88", "0.01", False),
        (1016380.0, "1016384.99", "0.01", True),
        (1016380.0, "1016385.01", "0.01", False),
        (35316.7, "35316.7", "0.1", True),
        (24000.0, "24000", "0.1", True),
        (24000.0, "24000.1", "0.1", False),
        (4377.2638, "4377.263800", "0", True),
        (4377.2638, "4377.263808", "0", False),
        (4377.26, "4377.263808", "0", True),
    ],
)
def test_agreement_is_judged_at_the_coarser_of_both_roundings(
    published: float, text: str, quantum: str, same: bool
) -> None:
    figure = Figure(Decimal(text), Decimal(quantum), text, "x", "f", 1)
    assert agree(published, figure) is same


def test_detail_log_is_a_second_witness(repo: Repo) -> None:
    keys = {
        "effective_scenario": "Offline",
        "result_tokens_per_second": 35316.7,
        "result_validity": "VALID",
    }
    log = summary_log("Offline", ["Samples per second: 120.831", "Tokens per second: 35316.7"])
    repo.run("Acme", "A", "llama2-70b-99", "Offline", log, value=35316.7, detail=detail_log(keys))
    result = verify(repo)
    assert result.rows[0].second is not None
    assert (result.rows[0].second.file.endswith("detail.txt"), result.rows[0].second.line) == (True, 2)
    repo.run(
        "Acme",
        "B",
        "llama2-70b-99",
        "Offline",
        log,
        value=35316.7,
        detail=detail_log(keys | {"result_tokens_per_second": 35317.7}),
    )
    row = only(verify(repo), Status.MISMATCH)
    assert row.file is not None
    assert row.file.endswith("B/llama2-70b-99/Offline/performance/run_1/mlperf_log_detail.txt")
    assert row.line == 2


def test_detail_log_alone_suffices(repo: Repo) -> None:
    keys = {"effective_scenario": "Server", "result_completed_tokens_per_second": 1.07225e6, "result_validity": "VALID"}
    log = repo.run("Acme", "A", "gpt-oss-120b", "Interactive", "", value=1072250.0, detail=detail_log(keys))
    log.unlink()
    assert [r.cls for r in verify(repo).rows] == ["measured"]


def test_invalid_runs_do_not_count_in_the_closed_division(repo: Repo) -> None:
    log = summary_log("Offline", ["Samples per second: 11.5"], valid=False)
    repo.run("Acme", "A", "retinanet", "Offline", log, value=11.5, unit="Samples/s")
    repo.run("Acme", "A", "retinanet", "Offline", log, value=11.5, unit="Samples/s", division="open")
    rows = verify(repo).rows
    assert [(r.status.value, r.cls) for r in rows] == [("mismatch", "invalid-run"), ("match", "invalid-run-open")]
    assert rows[0].line == 8


def test_accelerators_are_compared_with_the_system_description(repo: Repo) -> None:
    log = summary_log("Offline", ["Samples per second: 11.5"])
    repo.run("Acme", "A", "retinanet", "Offline", log, value=11.5, unit="Samples/s", **{"a#": 8})
    row = only(verify(repo), Status.MISMATCH)
    assert row.cls == "accelerators-differ"
    assert row.file == "closed/Acme/systems/A.json"
    assert row.line == 8
    assert "8 accelerators per node" in row.message


def test_a_result_may_be_inferred_only_as_the_rules_allow(repo: Repo) -> None:
    log = summary_log("Offline", ["Samples per second: 11.5"])
    repo.run("Acme", "A", "retinanet", "SingleStream", log, value=11.5, unit="Latency (ms)")
    assert only(verify(repo), Status.MISMATCH).cls == "scenario-differs"


def test_time_to_first_token_is_not_the_latency(repo: Repo) -> None:
    """Language models print early-stopping estimates of TTFT; Llama 3.1 8B edge publishes the plain percentile."""
    log = summary_log(
        "SingleStream",
        ["90.0th percentile latency (ns) : 3545895439"],
        percentiles={"90.00": 3545895439, "99.00": 3665623890},
    ).replace(
        "  Min duration satisfied : Yes",
        "TTFT Early Stopping Result:\n * Early stopping 90.0th percentile estimate: 272739682",
    )
    repo.run("Acme", "A", "llama3.1-8b-edge", "SingleStream", log, value=3545.895439, unit="Latency (ms)")
    repo.run("Acme", "A", "deepseek-r1", "SingleStream", log, value=272.739682, unit="Latency (ms)")
    assert [r.cls for r in verify(repo).rows] == ["measured", "no-figure"]


def test_rows_and_runs_without_a_partner_are_missing(repo: Repo) -> None:
    log = summary_log("Offline", ["Samples per second: 11.5"])
    repo.run("Acme", "A", "retinanet", "Offline", log, value=11.5, unit="Samples/s")
    repo.run("Acme", "A", "rgat", "Offline", log)
    gone = repo.run("Acme", "A", "dlrm-v2-99", "Offline", log, value=11.5, unit="Samples/s")
    gone.unlink()
    gone = repo.run("Acme", "B", "dlrm-v2-99", "Offline", log, value=11.5, unit="Samples/s")
    gone.unlink()
    for folder in (gone.parent, gone.parents[1], gone.parents[2]):
        folder.rmdir()
    repo.rows.append(repo.rows[0] | {"Location": "../../etc/passwd"})
    result = verify(repo)
    assert [(r.status.value, r.cls) for r in result.rows] == [
        ("match", "measured"),
        ("missing", "no-log"),
        ("missing", "no-submission"),
        ("missing", "location-outside"),
        ("missing", "summary-row-absent"),
    ]
    assert all(r.cls in CLASSES and r.message for r in result.rows)


@pytest.mark.parametrize(
    ("content", "cls"),
    [
        (b"", "log-empty"),
        (b"\x00\x01\x02" * 50, "log-binary"),
        (b"=====\nScenario : Offline\nSamples per second: 11", "log-truncated"),
        (b"Scenario : Offline\nResult is : VALID\n", "no-figure"),
        (b"Scenario : Offline\nSamples per second: inf\nResult is : VALID\n", "no-figure"),
        (b"nothing of the kind", "log-truncated"),
    ],
)
def test_damaged_logs_are_named_as_what_they_are(repo: Repo, content: bytes, cls: str) -> None:
    path = repo.run("Acme", "A", "retinanet", "Offline", "x", value=11.5, unit="Samples/s")
    path.write_bytes(content)
    row = only(verify(repo), Status.MISSING)
    assert row.cls == cls
    assert row.file == str(path.relative_to(repo.root))


def test_huge_logs_are_not_loaded(repo: Repo) -> None:
    """Sparse files of 1 GB: a summary log of that size is refused, of a detail log head and tail are read."""
    import tracemalloc

    path = repo.run("Acme", "A", "retinanet", "Offline", "x", value=11.5, unit="Samples/s")
    with path.open("wb") as stream:
        stream.truncate(1 << 30)
    log = summary_log("Offline", ["Samples per second: 11.5"])
    other = repo.run("Acme", "B", "retinanet", "Offline", log, value=11.5, unit="Samples/s")
    with (other.parent / "mlperf_log_detail.txt").open("wb") as stream:
        stream.write(b":::MLLOG {}\n")
        stream.truncate(1 << 30)
        stream.seek(1 << 30)
        stream.write(b'\n:::MLLOG {"key": "result_samples_per_second", "value": 11.6, "time_ms": 1}\n')
    tracemalloc.start()
    rows = verify(repo).rows
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * 1024 * 1024
    assert [(r.status.value, r.cls) for r in rows] == [("missing", "log-too-large"), ("match", "measured")]
    assert "1,073,741,824 bytes" in rows[0].message
    assert any("not a text file" in note for note in rows[1].notes)


def test_the_tail_of_a_large_text_log_is_read(repo: Repo) -> None:
    log = summary_log("Offline", ["Samples per second: 11.5"])
    path = repo.run("Acme", "B", "retinanet", "Offline", log, value=11.5, unit="Samples/s")
    with (path.parent / "mlperf_log_detail.txt").open("wb") as stream:
        for _ in range(12):
            stream.write(b'{"key": "x", "value": 1}\n' * 40_000)
        stream.write(b':::MLLOG {"key": "result_samples_per_second", "value": 11.6, "time_ms": 1}\n')
    row = only(verify(repo), Status.MISMATCH)
    assert "11.6" in row.message
    assert row.line is None
    assert any("in the middle" in note for note in row.notes)


def test_nothing_outside_the_folder_is_read(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.mkdir()
    (outside / "mlperf_log_summary.txt").write_text(summary_log("Offline", ["Samples per second: 11.5"]))
    path = repo.run("Acme", "A", "retinanet", "Offline", "x", value=11.5, unit="Samples/s")
    path.unlink()
    path.symlink_to(outside / "mlperf_log_summary.txt")
    linked = repo.run("Acme", "A", "rgat", "Offline", "x", value=11.5, unit="Samples/s")
    linked.unlink()
    linked.parent.rmdir()
    linked.parent.symlink_to(outside)
    (repo.root / "closed" / "Evil").symlink_to(tmp_path)
    system = repo.root / "closed/Acme/systems/A.json"
    system.unlink()
    system.symlink_to(outside / "mlperf_log_summary.txt")
    result = verify(repo)
    assert [r.cls for r in result.rows] == ["log-outside", "log-outside"]
    assert any("closed/Evil" in w and "leads out" in w for w in result.warnings)


def test_links_inside_the_folder_are_followed(repo: Repo) -> None:
    log = summary_log("Offline", ["Samples per second: 11.5"])
    first = repo.run("Acme", "A", "retinanet", "Offline", log, value=11.5, unit="Samples/s")
    second = repo.run("Acme", "A", "rgat", "Offline", "x", value=11.5, unit="Samples/s")
    second.unlink()
    second.symlink_to(os.path.relpath(first, second.parent))
    assert [r.cls for r in verify(repo).rows] == ["measured", "measured"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are needed")
def test_a_pipe_does_not_block(repo: Repo) -> None:
    path = repo.run("Acme", "A", "retinanet", "Offline", "x", value=11.5, unit="Samples/s")
    path.unlink()
    os.mkfifo(path)
    assert only(verify(repo), Status.MISSING).cls == "log-unreadable"


def test_a_folder_without_divisions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="closed/, open/ and network/"):
        verify_repository(tmp_path, [])
    with pytest.raises(RepositoryError, match="cannot be opened"):
        verify_repository(tmp_path / "none", [])


def test_an_unpacked_archive_is_entered(small_repo: Repo, tmp_path: Path) -> None:
    parent = tmp_path / "download"
    parent.mkdir()
    small_repo.root.rename(parent / "inference_results_v5.1-main")
    result = verify_repository(parent, small_repo.result_rows())
    assert result.counts[Status.MATCH] == 7
    assert result.round == "inference-v5.1"


def test_open_division_models_are_mapped_by_the_submitter(repo: Repo) -> None:
    log = summary_log("Offline", ["Samples per second: 1.5", "Tokens per second: 250.5"])
    repo.run("Acme", "A", "llama2-70b-99", "Offline", log, value=250.5, division="open", used="acme-tiny")
    mapping = repo.root / "open" / "Acme" / "model_mapping.json"
    mapping.write_text(json.dumps({"acme-tiny": "llama2-70b-99"}))
    assert [r.cls for r in verify(repo).rows] == ["model-mapped"]
    mapping.write_text("{")
    result = verify(repo)
    assert any("not valid JSON" in w for w in result.warnings)


def test_endpoints_client_runs_are_read_from_their_own_summary(repo: Repo) -> None:
    for scenario, unit, value in (("Offline", "Tokens/s", 16000.0), ("SingleStream", "Latency (ms)", 20.603024)):
        path = repo.run("Acme", "A", "gpt-oss-120b", scenario, "x", value=value, unit=unit)
        path.unlink()
        path.parent.rmdir()
        (path.parents[1] / "result_summary.json").write_text(
            json.dumps({"qps": 53.472, "tps": 16000.0, "latency": {"avg": 20603024, "percentiles": {}}}, indent=1)
        )
    assert [(r.cls, r.figure.line if r.figure else None) for r in verify(repo).rows] == [
        ("endpoints-client", 3),
        ("endpoints-client", 4),
    ]


def test_the_report_names_file_and_line_of_both_sides(small_repo: Repo) -> None:
    text = small_repo.write_summary().read_text(encoding="utf-8")
    report = verify(small_repo, lines=row_lines(text)).to_dict()
    json.dumps(report)
    assert report["summary"] == {"match": 7, "mismatch": 0, "missing": 0}
    rows = report["rows"]
    assert isinstance(rows, list)
    second = rows[1]
    lines = text.splitlines()
    assert '"5.1-0002"' in lines[second["published"]["line"]]
    assert second["log"]["text"] == "33244.25"
    log = (small_repo.root / second["log"]["file"]).read_text(encoding="utf-8").splitlines()
    assert "33244.25" in log[second["log"]["line"] - 1]


def test_several_processes_give_the_same_answer(repo: Repo) -> None:
    for n in range(60):
        log = summary_log("Offline", [f"Samples per second: 11.{n + 10}"])
        repo.run("Acme", f"A{n}", "retinanet", "Offline", log, value=float(f"11.{n + 10}"), unit="Samples/s")
    seen: list[tuple[int, int]] = []
    result = verify(repo, jobs=2, progress=lambda done, total: seen.append((done, total)))
    assert result.counts[Status.MATCH] == 60
    assert seen[-1] == (60, 60)


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/results-repo is not on this machine")
def test_the_published_v51_repository_agrees_with_its_logs() -> None:
    """The official repository: every closed row follows from its log."""
    summary = read_summary(SHARED)
    assert summary is not None
    result = verify_repository(SHARED, summary.rows, published=summary.name, lines=summary.lines)
    assert result.counts[Status.MATCH] >= 590
    assert result.counts[Status.MISMATCH] == 0
    assert all(r.cls in CLASSES for r in result.rows)


def test_a_round_of_1500_rows_takes_less_than_ten_seconds(repo: Repo) -> None:
    """By the processor's time of one process; a real detail log states its results among some hundred lines."""
    filler = "".join(f':::MLLOG {{"key": "filler_{n}", "value": {n}, "time_ms": 1}}\n' for n in range(300))
    for number in range(500):
        for scenario, label, key in (
            ("Offline", "Tokens per second", "result_tokens_per_second"),
            ("Server", "Completed tokens per second", "result_completed_tokens_per_second"),
            ("Interactive", "Completed tokens per second", "result_completed_tokens_per_second"),
        ):
            ran = "Server" if scenario == "Interactive" else scenario
            keys = {"effective_scenario": ran, key: 1000 + number, "result_validity": "VALID"}
            log = summary_log(ran, [f"{label}: {1000 + number}"])
            name = f"S{number}"
            detail = filler + detail_log(keys)
            repo.run("Acme", name, "llama2-70b-99", scenario, log, value=1000.0 + number, detail=detail)
    begin = time.process_time()
    result = verify(repo)
    assert time.process_time() - begin < 10
    assert result.counts == {Status.MATCH: 1500}
