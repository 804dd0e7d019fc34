"""`results list`, `fetch` and `show`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from typer.testing import CliRunner

from mlperf_claimcheck.cli.results_command import app
from tests.results.summary_samples import new_csv, new_row


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_list_tells_held_and_known_rounds() -> None:
    code, out, _ = run("list", "--format", "json")
    rounds = {s["round"]: s for s in json.loads(out)}
    assert code == 0
    assert (rounds["inference-v6.1"]["origin"], rounds["inference-v6.1"]["rows"]) == ("bundled", 492)
    assert rounds["inference-v5.0"]["origin"] == "not held"


def test_show_best_per_accelerator() -> None:
    code, out, err = run(
        *("show", "--round", "6.1", "--model", "gpt-oss-120b", "--scenario", "offline", "--submitter", "CoreWeave"),
        *("--system", "x72", "--top", "1", "--per", "accelerator", "--format", "json"),
    )
    (row,) = json.loads(out)
    assert code == 0
    assert row["per_accelerator"] == pytest.approx(16634.861, abs=1e-3)
    assert "not verified by MLCommons Association" in err


def test_top_is_the_lowest_latency_and_the_highest_throughput(tmp_path: Path) -> None:
    kinds = (("Offline", "Tokens/s"), ("SingleStream", "Latency (ms)"))
    rows = [new_row(Result=r, Scenario=s, Units=u) for s, u in kinds for r in ("1", "3", "2")]
    (tmp_path / "x.csv").write_bytes(new_csv(*rows))
    _, out, _ = run("show", "--results", str(tmp_path / "x.csv"), "--round", "6.1", "--top", "1", "-f", "json")
    assert {r["scenario"]: r["value"] for r in json.loads(out)} == {"Offline": 3.0, "SingleStream": 1.0}


def test_mixed_systems_have_no_figure_per_accelerator(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(new_csv(new_row(accelerator_model_name="A X (x36) and B Y (x36)")))
    _, out, _ = run(
        "show", "--results", str(tmp_path / "x.csv"), "--round", "6.1", "--per", "accelerator", "-f", "json"
    )
    assert json.loads(out)[0]["per_accelerator"] is None


def test_text_of_files_is_harmless(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(new_csv(new_row(Organization="=cmd()\x1b[31m", SystemName="\u202eevil")))
    base = ("show", "--results", str(tmp_path / "x.csv"), "--round", "6.1", "-f")
    for kind in ("table", "json", "csv"):
        out = run(*base, kind)[1]
        assert "\x1b" not in out
        assert "\u202e" not in out
    (row,) = csv.DictReader(io.StringIO(run(*base, "csv")[1]))
    assert row["submitter"].startswith("'=")


@pytest.mark.parametrize(
    "arguments",
    [("show", "--round", "six"), ("show", "--scenario", "batch"), ("show", "--top", "0"), ("fetch", "x/../y"),
     ("fetch", "storage-v1.0"), ("show", "--division", "shut")],
)  # fmt: skip
def test_bad_usage_exits_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments)[0] == 2


def test_results_that_cannot_be_had_exit_4(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mlperf_claimcheck.results import fetch

    monkeypatch.setattr(fetch, "ATTEMPTS", 1)
    monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", "http://127.0.0.1:9")
    code, out, err = run("fetch", "v6.1")
    assert (code, out) == (4, "")
    assert "inference_results_v6.1" in err
    assert run("show", "--results", str(tmp_path / "absent.csv"))[0] == 4
    assert run("show", "--round", "v9.9")[0] == 4


def test_output_file(tmp_path: Path) -> None:
    code, out, _ = run("show", "--round", "6.1", "--model", "rgat", "-f", "csv", "-o", str(tmp_path / "o.csv"))
    assert (code, out) == (0, "")
    assert len((tmp_path / "o.csv").read_text().splitlines()) == 6


def test_what_matches_nothing_names_the_nearest() -> None:
    code, out, err = run("show", "--round", "6.1", "--submitter", "CoreWeve")
    assert (code, out) == (0, "")
    assert "nearest: CoreWeave" in err


def test_top_is_of_the_closed_division_unless_another_is_named(tmp_path: Path) -> None:
    """An unqualified MLPerf result is one of the closed division."""
    rows = [new_row(Result="1"), new_row(Result="9", Division="open")]
    (tmp_path / "x.csv").write_bytes(new_csv(*rows))
    base = ("show", "--results", str(tmp_path / "x.csv"), "--round", "6.1", "--top", "1", "-f", "json")
    assert [r["value"] for r in json.loads(run(*base)[1])] == [1.0]
    assert [r["value"] for r in json.loads(run(*base, "--division", "open")[1])] == [9.0]


def test_table_says_what_is_shared_once_and_that_figures_are_derived(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_bytes(new_csv(new_row(), new_row(Result="144.0")))
    _, out, err = run("show", "--results", str(tmp_path / "x.csv"), "--round", "6.1", "--per", "accelerator")
    first, _, header, *rows = out.splitlines()
    assert "inference-v6.1" in first
    assert "72 accelerators" in first
    assert header.split() == ["value", "per", "accelerator"]
    assert rows[:2] == ["7,200              100", "  144                2"]
    assert "not verified by MLCommons Association" in out
    assert err == ""


def test_long_names_are_cut_to_a_terminal() -> None:
    from mlperf_claimcheck.cli.results_command import _table

    records = [{"system": "s" * 200, "value": v} for v in (1.5, 2.5)]
    records[0]["system"] = "t" * 200
    assert max(map(len, _table(records, ("system", "value"), width=60).splitlines())) <= 60
    assert max(map(len, _table(records, ("system", "value")).splitlines())) > 200


def test_list_shows_fetched_files_and_earlier_versions() -> None:
    from mlperf_claimcheck.results.cache import store

    for value in ("1", "2"):
        store(
            "inference-v6.1",
            new_csv(new_row(Result=value)),
            url="https://x/summary.csv",
            etag="",
            retrieved="2026-12-01",
        )
    rounds = {s["round"]: s for s in json.loads(run("list", "-f", "json")[1])}
    held = rounds["inference-v6.1"]
    assert (held["origin"], held["rows"], len(held["versions"])) == ("cache", 1, 2)
    assert Path(held["path"]).read_bytes() == new_csv(new_row(Result="2"))
    assert rounds["inference-v6.0"]["versions"] == []
    assert "versions" in run("list")[1]


def test_fetch_offline_only_tells_what_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", "http://127.0.0.1:9")
    code, out, _ = run("fetch", "v6.1", "--offline")
    assert code == 0
    assert out.startswith("inference-v6.1: held, bundled (https://")
    code, _, err = run("fetch", "v6.2", "--offline")
    assert code == 4
    assert "inference-v6.2 is not held" in err
    assert run("fetch", "v6.1", "--offline", "--refresh")[0] == 2


def test_a_misspelt_round_names_the_nearest() -> None:
    code, _, err = run("fetch", "inference-v6..1")
    assert code == 2
    assert "nearest: inference-v6.1" in err


def test_fetch_tells_what_became_of_each_round(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/inference_results_v6.1/main/summary.csv"
    monkeypatch.setenv("MLPERF_CLAIMCHECK_RESULTS_URL", httpserver.url_for(""))
    httpserver.expect_oneshot_request(path).respond_with_data(new_csv())
    code, out, err = run("fetch", "6.1", "MLPerf Inference v6.1")
    assert (code, err) == (0, "")
    assert out.startswith("inference-v6.1: fetched (http://")
    assert out.count("\n") == 1, "a round asked for twice is fetched once"
    assert run("fetch", "6.1")[1].startswith("inference-v6.1: already held (")
    httpserver.expect_oneshot_request(path).respond_with_data(new_csv(new_row(Result="5", Extra="x")))
    code, out, err = run("fetch", "6.1", "--refresh")
    assert (code, out.partition(" (")[0]) == (0, "inference-v6.1: replaced")
    assert "; before: " in out
    assert "warning: " in err
    assert "column 'Extra' is not known" in err
    httpserver.expect_oneshot_request(path).respond_with_data("<html>sign in</html>", content_type="text/html")
    code, out, err = run("fetch", "6.1", "--refresh")
    assert (code, out) == (4, "")
    assert "web page" in err


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from mlperf_claimcheck.cli.results_command import _progress

    with _progress("inference-v6.1") as progress:
        assert progress is None, "a file or a pipe gets none"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with _progress("inference-v6.1") as progress:
        assert progress is not None
        progress("https://x", 1000, 2000)
    assert capsys.readouterr().out == ""


def test_show_draws_a_chart() -> None:
    code, out, err = run(
        "show", "--round", "6.1", "--model", "gpt-oss", "--scenario", "Offline", "--chart", "--top", "3"
    )
    assert code == 0, err
    assert out.count("█") > 20
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    assert "as published" in out
    code, out, err = run("show", "--round", "6.1", "--chart", "-f", "json")
    assert (code, out) == (2, "")
    assert "--chart draws at the terminal" in err
    code, out, err = run("show", "--round", "6.1", "--submitter", "Nobody", "--chart")
    assert (code, out) == (0, "")
