"""Quantities: printed numbers with precision, published values as intervals, units and derived metrics."""

from __future__ import annotations

from mlperf_claimcheck.metrics.comparison import Comparison, compare
from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation

__all__ = ["Comparison", "Interval", "PrintedNumber", "Relation", "compare"]
