"""A folder that somebody else made, given with `--results`: bounded memory, clear words, nothing outside is read."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.explicit import read_source
from mlperf_claimcheck.results.load import load_results

from .conftest import Repo, summary_log

LOG = summary_log("Offline", ["Samples per second: 11.5"])


def _huge(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(1 << 30)


def _outside(path: Path) -> None:
    secret = path.parents[9] / "secret.txt"
    secret.write_text(LOG)
    path.unlink()
    path.symlink_to(secret)


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "truncated": (lambda p: p.write_text(LOG.split("Result is")[0]), "Result is"),
    "empty": (lambda p: p.write_bytes(b""), "the file is empty"),
    "binary": (lambda p: p.write_bytes(b"\x7fELF\0\0" * 100), "not a text file"),
    "link": (_outside, "link that leads out of the folder"),
    "huge": (_huge, "1,073,741,824 bytes"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_bad_log_gives_no_row_and_is_named_with_the_reason(repo: Repo, kind: str) -> None:
    repo.run("Acme", "A", "retinanet", "Offline", LOG)
    bad = repo.run("Acme", "B", "retinanet", "Offline", LOG)
    damage, words = DAMAGE[kind]
    damage(bad)
    tracemalloc.start()
    read = read_source(str(repo.root), offline=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * 1024 * 1024
    ((rows, _),) = read.found.values()
    assert [row.platform for row in rows] == ["A"]
    (warning,) = read.warnings
    assert str(bad.relative_to(repo.root)) in warning
    assert words in warning


def test_a_summary_that_is_a_link_out_of_the_repository_is_not_read(repo: Repo, tmp_path: Path) -> None:
    repo.run("Acme", "A", "retinanet", "Offline", LOG, value=11.5, unit="Samples/s")
    repo.write_summary().rename(tmp_path / "elsewhere.json")
    (repo.root / "summary_results.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ResultsError, match=r"summary_results\.json: .* leads out of the folder"):
        read_source(str(repo.root), offline=True)


def test_the_summary_of_an_unpacked_archive_is_used(repo: Repo) -> None:
    """An archive holds the repository as its one folder."""
    repo.run("Acme", "A", "retinanet", "Offline", LOG, value=11.4, unit="Samples/s")
    repo.write_summary()
    outer = repo.root.parent / "unpacked"
    outer.mkdir()
    repo.root.rename(outer / repo.root.name)
    (((row,), origin),) = read_source(str(outer), offline=True).found.values()
    assert (row.value, row.round, row.result_id) == (11.4, "inference-v5.1", "5.1-0001")
    assert origin.source.endswith("summary_results.json")


def test_results_from_logs_keep_the_ids_by_which_they_are_withdrawn(repo: Repo, tmp_path: Path) -> None:
    repo.run("Acme", "A", "retinanet", "Offline", LOG, value=11.5, unit="Samples/s")
    repo.run("Acme", "B", "retinanet", "Offline", LOG)
    known = tmp_path / "inference_v5.1_summary.json"
    known.write_text(json.dumps(repo.rows))
    rows = load_results(sources=[known, repo.root], use_cache=False).by_round("inference-v5.1")
    assert [(row.platform, row.result_id) for row in rows] == [("A", "5.1-0001"), ("B", None)]


def test_counts_that_the_systems_name_states_are_known_without_a_summary(repo: Repo) -> None:
    """What is told apart by names and accelerators is the same whether a row comes from a summary or from logs."""
    repo.run("Acme", "8xH200_demo", "retinanet", "Offline", LOG, value=11.5, unit="Samples/s")
    repo.system("Acme", "8xH200_demo", accelerator_model_name="Example A1", framework="demo 1.0 (with remarks)")
    known = repo.write_summary()
    (published,) = read_source(str(known), offline=True).found["inference-v5.1"][0]
    known.unlink()
    (made,) = read_source(str(repo.root), offline=True).found["inference-v5.1"][0]
    assert made.accelerators_platform == published.accelerators_platform == 8
    assert made.software == "demo 1.0"
