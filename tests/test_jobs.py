"""Several processes give the verdicts of one, in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import mlperf_claimcheck as cc
from mlperf_claimcheck import api
from mlperf_claimcheck.claims.files import load_claim_files
from mlperf_claimcheck.cli import check_command
from mlperf_claimcheck.cli.main import make_app

TEXTS = (
    "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72",
    "CoreWeave has more than 9 million tokens/s Offline on GPT-OSS-120B",
    "our peers are slower than CoreWeave on GPT-OSS-120B",
    "GB200 NVL72, GPT-OSS-120B: 911,566 tokens/s Offline, 901,058 tokens/s Server",
)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for name, count in (("a", 7), ("b", 3)):
        lines = ["defaults: {round: inference-v6.1, submitter: CoreWeave}", "groups: {our peers: [Dell, Lenovo]}"]
        lines += ["claims:", *(f'  - "{TEXTS[n % 4]}"' for n in range(count))]
        (tmp_path / f"{name}.yaml").write_text("\n".join(lines), encoding="utf-8")
        paths.append(str(tmp_path / f"{name}.yaml"))
    return paths


@pytest.mark.parametrize("suggest", [False, True])
def test_several_processes_give_the_same_report(
    files: list[str], suggest: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "_STRETCH", 2)
    loaded = load_claim_files(files)
    assert cc.check_files(loaded, suggest=suggest, jobs=2) == cc.check_files(loaded, suggest=suggest)


def test_the_command_decides_by_the_number_of_claims(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    assert [check_command._processes(n) for n in (0, 20, 7999, 8000, 100_000)] == [1, 1, 1, 2, 3]
    monkeypatch.setattr(api, "_STRETCH", 4)
    one, two = (
        CliRunner().invoke(make_app("check"), ["check", *files, "--offline", "--jobs", number]) for number in "12"
    )
    assert one.exit_code == two.exit_code == 1
    assert one.stdout == two.stdout
    assert CliRunner().invoke(make_app("check"), ["check", *files, "--jobs", "-1"]).exit_code == 2
