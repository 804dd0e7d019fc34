"""`check --baseline`: exit codes and what goes to standard error."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mlperf_claimcheck.cli.main import app

CLAIMS = """\
defaults: {round: inference-v6.1, division: closed, model: GPT-OSS-120B}
claims:
  - {id: digits, text: "CoreWeave: 16,653 tokens/s/GPU offline on GB300 NVL72"}
  - {id: vague, text: "More tokens from each GPU lower the cost of a token"}
  - {id: good, text: "CoreWeave: 16,635 tokens/s/GPU offline on GB300 NVL72"}
"""
DIGITS = "  - {claim: digits, reason: Known}\n"
VAGUE = "  - {claim: vague, reason: An opinion}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "claims.yaml").write_text(CLAIMS, encoding="utf-8")
    return tmp_path


def check(folder: Path, entries: str) -> Result:
    known = folder / "known.yaml"
    known.write_text("accepted:\n" + entries, encoding="utf-8")
    return CliRunner().invoke(app, ["check", "--offline", str(folder), "--baseline", str(known)])


def test_the_rest_decides_the_exit_code(folder: Path) -> None:
    assert check(folder, DIGITS + VAGUE).exit_code == 0
    assert check(folder, DIGITS).exit_code == 3
    assert check(folder, VAGUE).exit_code == 1


def test_what_is_gone_is_a_warning_and_does_not_fail(folder: Path) -> None:
    result = check(folder, DIGITS + VAGUE + "  - {claim: good, reason: Was wrong}\n")
    assert result.exit_code == 0
    assert "accepted finding good: the claim passes" in result.stderr


def test_the_list_may_lie_among_the_claim_files_but_is_none(folder: Path) -> None:
    result = check(folder, DIGITS)
    assert "3 claims" in result.stdout
    (folder / "claims.yaml").unlink()
    result = check(folder, DIGITS)
    assert result.exit_code == 2
    assert "holds no claim file" in result.stderr


def test_a_list_that_cannot_be_used_is_bad_usage(folder: Path) -> None:
    result = check(folder, "  - {claim: digits}\n")
    assert result.exit_code == 2
    assert "entry 1 has no reason" in result.stderr
    absent = str(folder / "absent.yaml")
    result = CliRunner().invoke(app, ["check", "--offline", str(folder), "--baseline", absent])
    assert result.exit_code == 2
    assert "no such file" in result.stderr
    (folder / "again.yaml").write_text(CLAIMS, encoding="utf-8")
    result = check(folder, DIGITS)
    assert result.exit_code == 2
    assert "2 claims have the id" in result.stderr
