"""A version of a round's results is a commit of its repository, upstream or in a clone."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from mlperf_claimcheck.cli.results_diff_command import DiffFormat, run_diff
from mlperf_claimcheck.results.commits import read_commit
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable
from tests.results.summary_samples import new_csv, new_row

git_needed = pytest.mark.skipif(shutil.which("git") is None, reason="git is needed")


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Two commits: 7200 tokens/s, then 8400."""
    folder = tmp_path / "inference_results_v6.1"
    folder.mkdir()
    git(folder, "init", "-q")
    for value in ("7200.0", "8400.0"):
        (folder / "summary.csv").write_bytes(new_csv(new_row(Result=value)))
        git(folder, "add", "summary.csv")
        git(folder, "commit", "-qm", value)
    return folder


@git_needed
def test_commits_of_a_clone_are_compared(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = git(clone, "rev-parse", "HEAD~1")
    assert run_diff(f"{clone}@{first[:10]}", f"{clone}@HEAD", output_format=DiffFormat.JSON) == 0
    report = json.loads(capsys.readouterr().out)
    (changed,) = report["rows"]
    assert (report["rounds"], report["summary"]["values_changed"]) == (["inference-v6.1"], 1)
    assert changed["fields"] == [{"field": "value", "before": 7200.0, "after": 8400.0}]


@git_needed
@pytest.mark.parametrize("reference", ["", "-p", "--help", "HEAD:secret", "a..b", "HEAD@{1}", "a b", "nothing"])
def test_what_is_no_commit_is_an_error(clone: Path, reference: str) -> None:
    with pytest.raises(ResultsError, match=r"no commit|knows no"):
        read_commit(str(clone), reference)


@git_needed
def test_a_commit_without_summary_is_an_error(clone: Path) -> None:
    git(clone, "rm", "-q", "summary.csv")
    git(clone, "commit", "-qm", "none")
    with pytest.raises(ResultsUnavailable, match=r"summary\.csv"):
        read_commit(str(clone), "HEAD")


def test_a_folder_that_is_no_clone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ResultsUnavailable):
        read_commit(str(tmp_path), "main")


def test_a_commit_of_the_upstream_repository_is_fetched(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
    monkeypatch.setenv("NO_PROXY", "*")
    for commit, value in (("abc1234", "7200.0"), ("main", "8400.0")):
        path = f"/inference_results_v6.1/{commit}/summary.csv"
        httpserver.expect_request(path).respond_with_data(new_csv(new_row(Result=value)), content_type="text/csv")
    assert run_diff("v6.1@abc1234", "6.1@main") == 0
    assert "values changed 1" in capsys.readouterr().out
    for name in ("summary.csv", "summary.json", "summary_results.json"):
        httpserver.expect_request(f"/inference_results_v6.1/fff0000/{name}").respond_with_data("", 404)
    assert run_diff("v6.1@fff0000", "v6.1@main") == 4
    assert "has none of summary" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["nowhere", "training-v5.1", ""])
def test_a_place_that_is_none_is_an_error(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ResultsError):
        read_commit(place or "x", "main")


def test_a_held_round_is_a_side(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path))
    assert run_diff("v6.1", "inference-v6.1") == 0
    assert "492 rows" in capsys.readouterr().out
