"""Readers of the published summary files: JSON array (v4.1 to v6.0), JSON object of rows and CSV (v6.1 on)."""

from __future__ import annotations

from mlperf_claimcheck.results.readers.read import ReadFile, parse_results, read_file, round_in_name

__all__ = ["ReadFile", "parse_results", "read_file", "round_in_name"]
