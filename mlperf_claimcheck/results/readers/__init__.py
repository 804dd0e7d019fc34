"""Readers of the published summary files: JSON list (v4.1 to v6.0), JSON object of rows and CSV (v6.1 on).

A form is a class of the `Reader` protocol (`interface.py`), entered in `read.READERS`.
"""

from __future__ import annotations

from mlperf_claimcheck.results.readers.read import ReadFile, parse_results, read_file, round_in_name

__all__ = ["ReadFile", "parse_results", "read_file", "round_in_name"]
