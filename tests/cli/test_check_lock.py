"""`check --lock` and `results fetch --lock`: a gate rests on the same results until someone decides otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mlperf_claimcheck.cli.main import app
from mlperf_claimcheck.results.cache import store
from tests.results.summary_samples import new_csv, new_row

CLAIM = 'claims:\n  - text: "CoreWeave: 16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72, MLPerf v6.1"\n'


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def claims(tmp_path: Path) -> str:
    path = tmp_path / "claims.yaml"
    path.write_text(CLAIM)
    return str(path)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def put(value: str) -> str:
    """Stores a version of v6.1 in the cache; its SHA-256."""
    data = new_csv(new_row(Result=value))
    content = data if isinstance(data, bytes) else data.encode()
    return store("inference-v6.1", content, url="https://x.example/a.csv", etag="", retrieved="2026-01-01").sha256


def test_the_lock_is_written_once_and_then_demanded(claims: str, tmp_path: Path) -> None:
    lock = tmp_path / "mlperf.lock"
    code, _, err = run("check", claims, "--lock", str(lock))
    assert code == 0
    assert "written" in err
    before = lock.read_bytes()
    rounds = {r["round"]: r for r in json.loads(before)["rounds"]}
    assert "inference-v6.1" in rounds
    assert all(set(r) == {"round", "source", "sha256"} for r in rounds.values())
    code, _, err = run("check", claims, "--lock", str(lock))
    assert (code, err, lock.read_bytes()) == (0, "", before)


def test_another_version_of_a_round_is_refused_before_any_verdict(claims: str, tmp_path: Path) -> None:
    lock = tmp_path / "mlperf.lock"
    run("check", claims, "--lock", str(lock))
    before = lock.read_bytes()
    new = put("1.5")
    code, out, err = run("check", claims, "--lock", str(lock))
    assert (code, out, lock.read_bytes()) == (4, "", before)
    assert f"now {new[:12]}" in err
    assert "remove the lock" in err


def test_the_cache_says_where_it_keeps_the_locked_version(claims: str, tmp_path: Path) -> None:
    lock = tmp_path / "mlperf.lock"
    first = put("1.5")
    run("check", claims, "--lock", str(lock))
    put("2.5")
    code, _, err = run("check", claims, "--lock", str(lock))
    kept = tmp_path / "cache" / "inference-v6.1" / f"{first}.csv"
    assert code == 4
    assert f"--results {kept}" in err
    code, _, err = run("check", claims, "--lock", str(lock), "--results", str(kept))
    assert code != 4, err


@pytest.mark.parametrize("added", [True, False])
def test_the_rounds_themselves_are_locked(claims: str, tmp_path: Path, added: bool) -> None:
    """A round that came or went can change which is the latest, or who was first."""
    lock = tmp_path / "mlperf.lock"
    run("check", claims, "--lock", str(lock))
    content = json.loads(lock.read_text())
    if added:
        content["rounds"] = content["rounds"][1:]
    else:
        content["rounds"].append({"round": "inference-v9.9", "source": "x", "sha256": "0" * 64})
    lock.write_text(json.dumps(content))
    code, _, err = run("check", claims, "--lock", str(lock))
    assert code == 4
    assert ("not in the lock" if added else "now not held") in err


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b"[" * 100_000,
        b'{"version": 2, "rounds": []}',
        b'{"version": 1, "rounds": []}',
        b'{"version": 1, "rounds": [{"round": "inference-v6.1", "source": "x", "sha256": "12"}]}',
        b'{"version": 1, "rounds": [3]}',
        b" " * (1024**2 + 1),
    ],
)
def test_a_damaged_lock_is_an_error_and_stays(claims: str, tmp_path: Path, content: bytes) -> None:
    lock = tmp_path / "mlperf.lock"
    lock.write_bytes(content)
    code, out, err = run("check", claims, "--lock", str(lock))
    assert (code, out) == (2, "")
    assert "is no lock file" in err
    assert "Traceback" not in err
    assert lock.read_bytes() == content


def test_a_lock_that_cannot_be_written_or_is_a_folder_is_an_error(claims: str, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "mlperf.lock"):
        code, out, err = run("check", claims, "--lock", str(path))
        assert (code, out) == (2, "")
        assert str(path) in err


def test_fetch_tells_what_the_lock_would_change(claims: str, tmp_path: Path) -> None:
    lock = tmp_path / "mlperf.lock"
    put("1.5")
    run("check", claims, "--lock", str(lock))
    before = lock.read_bytes()
    code, out, _ = run("results", "fetch", "v6.1", "--offline", "--lock", str(lock))
    assert code == 0
    assert "as in the lock" in out
    put("2.5")
    for mode in ((), ("--offline",)):
        code, out, _ = run("results", "fetch", "v6.1", *mode, "--lock", str(lock))
        assert code == 0
        assert "the lock would change: inference-v6.1: locked" in out
    assert lock.read_bytes() == before


def test_fetch_without_the_lock_it_names_is_bad_usage(tmp_path: Path) -> None:
    code, _, err = run("results", "fetch", "v6.1", "--offline", "--lock", str(tmp_path / "none"))
    assert code == 2
    assert "no such lock" in err
