"""`results list`, `fetch` and `show`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
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
     ("fetch", "training-v5.1"), ("show", "--division", "shut")],
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
