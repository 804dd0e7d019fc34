"""`--round`: a default round that is none is bad usage, not a heap of undecided claims."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from mlperf_claimcheck.cli.main import app


@pytest.mark.parametrize("command", ["check", "verify"])
@pytest.mark.parametrize("round_id", ["zorb", "six", "inference-6"])
def test_what_is_no_round_is_refused_with_the_known_ones(tmp_path: Path, command: str, round_id: str) -> None:
    claim = "CoreWeave has 24 results"
    path = tmp_path / "claims.yaml"
    path.write_text(f"claims: [{claim}]\n")
    given = str(path) if command == "check" else claim
    result = CliRunner().invoke(app, [command, given, "--offline", "--round", round_id])
    assert result.exit_code == 2
    assert "inference-v4.1, " in result.stderr
    assert "inference-v6.1" in result.stderr


@pytest.mark.parametrize("round_id", ["6.1", "v6.1", "inference-v6.1", "MLPerf Inference v6.1"])
def test_a_round_may_be_written_in_several_ways(round_id: str) -> None:
    result = CliRunner().invoke(app, ["verify", "CoreWeave has 24 results", "--offline", "--round", round_id])
    assert result.exit_code == 0, result.stdout
