"""The `results` commands together."""

from __future__ import annotations

from mlperf_claimcheck.cli.results_command import app
from mlperf_claimcheck.cli.results_diff_command import results_diff
from mlperf_claimcheck.cli.results_verify_command import results_verify

app.command("verify")(results_verify)
app.command("diff")(results_diff)

__all__ = ["app"]
