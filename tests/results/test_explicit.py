"""Results that the user names may be a file, a folder of files, a repository, or a copy of MLCommons' addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.explicit import read_source
from mlperf_claimcheck.results.load import load_results
from tests.results.endpoints.conftest import Bundle
from tests.results.repository.conftest import Repo, summary_log
from tests.results.summary_samples import new_csv, new_json, new_row, old_file
from tests.results.training.test_reader import Builder, log


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))


def repository(tmp_path: Path) -> Repo:
    root = tmp_path / "inference_results_v5.1"
    root.mkdir()
    repo = Repo(root)
    lines = ["Samples per second: 120.831", "Tokens per second: 35316.7"]
    repo.run("Acme", "A1x8", "llama2-70b-99", "Offline", summary_log("Offline", lines), value=35316.7)
    return repo


def test_a_repository_without_a_summary_is_read_from_its_logs(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    found, *_ = read_source(str(repo.root), offline=True)
    rows, source = found["inference-v5.1"]
    assert [(r.submitter, r.value) for r in rows] == [("Acme", 35316.7)]
    assert (source.origin, source.rows, len(source.sha256)) == ("folder", 1, 64)


def test_a_repository_with_a_summary_is_read_from_it(tmp_path: Path) -> None:
    repo = repository(tmp_path)
    own = repo.write_summary()
    _, source = read_source(str(repo.root), offline=True)[0]["inference-v5.1"]
    assert source.source == str(own)


def test_repositories_of_other_suites(tmp_path: Path) -> None:
    root = tmp_path / "training_results_v5.1"
    root.mkdir()
    training = Builder(root)
    training.system()
    training.runs("llama31_405b", [log(30), log(10.5), log(12.25)])
    bundle = Bundle(tmp_path / "endpoints")
    bundle.write_v07()
    table = load_results(sources=[str(root), str(bundle.root)])
    assert [r.value for r in table.by_round("training-v5.1")] == [12.25]
    (endpoints,) = [r for r in table.rounds if r.startswith("endpoints")]
    assert table.by_round(endpoints)
    assert len(table.by_round("inference-v6.1")) == 492, "other suites replace nothing of Inference"


@pytest.mark.parametrize("inner", ["main", "."])
def test_a_folder_laid_out_as_the_addresses(tmp_path: Path, inner: str) -> None:
    for name, file, data in (
        ("inference_results_v6.1", "summary.csv", new_csv()),
        ("inference_results_v6.2", "summary.json", new_json(new_row(version="v6.2"))),
        ("inference_results_v4.1", "summary_results.json", old_file()),
    ):
        folder = tmp_path / "mirror" / name / inner
        folder.mkdir(parents=True)
        (folder / file).write_bytes(data)
    table = load_results(sources=[tmp_path / "mirror"])
    assert [s.round for s in table.sources if s.origin == "folder"] == [
        "inference-v4.1", "inference-v6.1", "inference-v6.2",
    ]  # fmt: skip


def test_a_later_source_wins(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(new_csv(new_row(Result="1")))
    (tmp_path / "b.csv").write_bytes(new_csv(new_row(Result="2")))
    table = load_results(sources=[tmp_path / "a.csv", tmp_path / "b.csv"])
    assert [r.value for r in table.by_round("inference-v6.1")] == [2.0]


@pytest.mark.parametrize("source", ["", "/dev/null", "absent", "a\0b", "ftp://x/y.csv"])
def test_what_is_no_results_is_an_error_that_names_it(source: str) -> None:
    with pytest.raises(ResultsError):
        read_source(source, offline=True)


def test_a_folder_that_holds_nothing_of_a_round(tmp_path: Path) -> None:
    (tmp_path / "inference_results_v6.1").mkdir()
    with pytest.raises(ResultsError, match="holds no results"):
        read_source(str(tmp_path), offline=True)


def test_folders_of_one_endpoints_round_add_up(tmp_path: Path) -> None:
    from tests.checks.test_endpoints import OURS, RIVAL, write

    for folder, organisation, points in (("a", "CoreWeave", OURS), ("b", "Nebius", RIVAL)):
        write(tmp_path / folder, organisation, points)
    one, two = str(tmp_path / "a"), str(tmp_path / "b")
    table = load_results(sources=[one, two], use_cache=False)
    rows = table.by_round("endpoints-v0.7")
    assert {row.submitter for row in rows} == {"CoreWeave", "Nebius"}
    assert len({row.index for row in rows}) == len(rows) == 5
    assert len(table.endpoints["endpoints-v0.7"].curves) == 2
    assert [s.source for s in table.sources if s.round == "endpoints-v0.7"] == [f"{one} + {two}"]
    again = load_results(sources=[one, one], use_cache=False)
    assert len(again.by_round("endpoints-v0.7")) == 3, "the same curve counts once"


def test_equal_paths_in_two_folders_stay_two_curves(tmp_path: Path) -> None:
    from tests.checks.test_endpoints import OURS, RIVAL, write

    for folder, points in (("a", OURS), ("b", RIVAL)):
        write(tmp_path / folder, "CoreWeave", points)
    table = load_results(sources=[str(tmp_path / "a"), str(tmp_path / "b")], use_cache=False)
    places = [row.location for row in table.by_round("endpoints-v0.7")]
    assert len(set(places)) == len(places) == 5


def test_folders_of_one_training_round_add_up(tmp_path: Path) -> None:
    for folder, name in (("a", "Acme"), ("b", "Other")):
        build = Builder(tmp_path / folder / "training_results_v5.1")
        build.system(name)
        build.runs("llama31_405b", [log(30), log(10.5), log(12.25)], name)
    sources = [str(tmp_path / folder / "training_results_v5.1") for folder in "ab"]
    table = load_results(sources=sources, use_cache=False)
    assert [row.submitter for row in table.by_round("training-v5.1")] == ["Acme", "Other"]
    assert len(table.training["training-v5.1"].scores) == 2
    build.runs("llama31_405b", [log(30), log(10.5), log(12.5)], "Acme")
    build.system("Acme")
    with pytest.raises(ResultsError, match="stands in two of the folders given"):
        load_results(sources=sources, use_cache=False)


def test_a_repository_of_which_nothing_has_a_score_says_what_is_needed(tmp_path: Path) -> None:
    build = Builder(tmp_path / "training_results_v5.1")
    build.system()
    build.runs("llama31_8b", [log(10 + n) for n in range(9)])
    with pytest.raises(ResultsError, match=r"has 9 run logs .*, 10 are needed for llama31_8b; 1 missing"):
        load_results(sources=[str(build.root)], use_cache=False)
