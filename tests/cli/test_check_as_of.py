"""`check --as-of`: what a check would have said with the results held at a date."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mlperf_claimcheck.cli.main import app
from mlperf_claimcheck.results.cache import HeldRound, held_at, history, store
from tests.results.summary_samples import new_csv, new_row

ROUND = "inference-v6.1"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))


def put(value: str, day: str) -> HeldRound:
    return store(
        ROUND,
        new_csv(new_row(Organization="CoreWeave", Result=value)),
        url="https://x.example/a.csv",
        etag="",
        retrieved=day,
    )


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def check(tmp_path: Path, *options: str) -> tuple[str, list[dict[str, str]], str]:
    """The verdict's reason, the results used, and what was said."""
    path = tmp_path / "claims.yaml"
    path.write_text("claims:\n  - text: 'CoreWeave: 7,200 tokens/s offline, Llama 3.1 8B, MLPerf v6.1'\n")
    _, out, err = run("check", str(path), "-f", "json", *options)
    report = json.loads(out) if out else {"claims": [{"reason": {"code": ""}}], "results": []}
    return report["claims"][0]["reason"]["code"], report["results"], err


def test_the_version_that_counted_at_the_end_of_the_day_is_used(tmp_path: Path) -> None:
    first, second = put("7200.0", "2026-01-10"), put("8400.0", "2026-02-10")
    for day, held, code in (
        ("2026-01-10", first, "value-matches"),
        ("2026-02-09", first, "value-matches"),
        ("2026-02-10", second, "value-differs"),
        ("2026-03-01", second, "value-differs"),
    ):
        found, sources, _ = check(tmp_path, "--as-of", day)
        assert (found, [s["sha256"] for s in sources]) == (code, [held.sha256]), day


def test_a_version_that_came_back_counts_again() -> None:
    put("7200.0", "2026-01-10"), put("8400.0", "2026-02-10"), put("7200.0", "2026-03-10")
    days = ("2026-01-09", "2026-01-31", "2026-02-28", "2026-03-31")
    held = [held_at(ROUND, day) for day in days]
    assert [h and h.read().rows[0].value for h in held] == [None, 7200.0, 8400.0, 7200.0]


def test_a_version_obtained_again_keeps_the_date_since_which_it_was_held() -> None:
    put("7200.0", "2026-01-10"), put("7200.0", "2026-02-10")
    assert [v.retrieved for v in history(ROUND)] == ["2026-01-10"]


def test_a_cache_without_dates_of_earlier_versions_knows_its_last(tmp_path: Path) -> None:
    put("7200.0", "2026-01-10")
    (tmp_path / "cache" / ROUND / "history.json").unlink()
    assert [v.retrieved for v in history(ROUND)] == ["2026-01-10"]
    put("8400.0", "2026-02-10")
    assert [v.retrieved for v in history(ROUND)] == ["2026-01-10", "2026-02-10"]


def test_claims_on_a_round_not_held_then_are_unverifiable(tmp_path: Path) -> None:
    store("inference-v7.0", new_csv(new_row(version="v7.0")), url="https://x.example", etag="", retrieved="2026-01-10")
    put("7200.0", "2026-02-10")
    code, _, err = check(tmp_path, "--as-of", "2026-01-31")
    assert code == "round-not-held"
    assert "inference-v6.1 (first held 2026-02-10)" in err


def test_a_date_at_which_nothing_was_held_is_an_error(tmp_path: Path) -> None:
    put("7200.0", "2026-01-10")
    path = tmp_path / "claims.yaml"
    path.write_text("claims:\n  - text: x\n")
    code, out, err = run("check", str(path), "--as-of", "2025-12-31")
    assert (code, out) == (4, "")
    assert "no results were held at 2025-12-31" in err
    assert "first held 2026-01-10" in err


@pytest.mark.parametrize(
    "day", ["", "yesterday", "2026-02-30", "20260110", "٢٠٢٦-٠١-١٠", str(datetime.now(UTC).date() + timedelta(2))]
)
def test_what_is_no_past_date_is_bad_usage(tmp_path: Path, day: str) -> None:
    path = tmp_path / "claims.yaml"
    path.write_text("claims:\n  - text: x\n")
    code, out, err = run("check", str(path), "--as-of", day)
    assert (code, out) == (2, "")
    assert "--as-of" in err


@pytest.mark.parametrize("content", ["[", "{}", "[1]", '[{"round": "x"}]', "[" * 100_000])
def test_a_damaged_record_is_an_error_until_it_is_fetched_again(tmp_path: Path, content: str) -> None:
    put("7200.0", "2026-01-10")
    record = tmp_path / "cache" / ROUND / "history.json"
    record.write_text(content)
    path = tmp_path / "claims.yaml"
    path.write_text("claims:\n  - text: x\n")
    code, _, err = run("check", str(path), "--as-of", "2026-01-31")
    assert code == 4
    assert "history.json: is damaged" in err
    put("8400.0", "2026-02-10")
    assert [v.retrieved for v in history(ROUND)] == ["2026-02-10"]


def test_list_shows_since_when_each_version_was_held() -> None:
    first, second = put("7200.0", "2026-01-10"), put("8400.0", "2026-02-10")
    _, out, _ = run("results", "list", "--format", "json")
    entry = next(s for s in json.loads(out) if s["round"] == ROUND)
    assert [(v["sha256"], v["since"]) for v in entry["history"]] == [
        (first.sha256, "2026-01-10"),
        (second.sha256, "2026-02-10"),
    ]
    assert set(entry["versions"]) == {first.sha256, second.sha256}
    _, out, _ = run("results", "list", "--format", "csv")
    assert f"{first.sha256[:12]} (since 2026-01-10)" in out
