"""What is kept for a row is of that row and of the corrections that were asked for."""

from __future__ import annotations

import gc
from dataclasses import replace

import mlperf_claimcheck as cc
from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.selection import index_of, row_caveats
from mlperf_claimcheck.results.corrections import Correction, Corrections
from mlperf_claimcheck.vocabulary import load_vocabulary

TABLE = cc.load_results()


def _context(corrections: Corrections) -> CheckContext:
    return CheckContext(TABLE, load_vocabulary(), corrections)


def test_an_answer_is_never_that_of_a_row_that_is_gone() -> None:
    index = index_of(_context(Corrections()))
    row = TABLE.by_round("inference-v6.1")[0]
    for number in range(2000):
        other = replace(row, value=float(number))
        assert index.of_row(other, ("value",), lambda other=other: other.value) == number
        del other
    gc.collect()


def test_other_corrections_give_other_caveats() -> None:
    row = next(r for r in TABLE.by_round("inference-v6.0") if r.result_id)
    said = Correction(row.result_id or "", "withdrawn", "official", "2026-10", "w", "s")
    for _ in range(3):
        for items in ((), (said,)):
            codes = {c.code for c in row_caveats(row, _context(Corrections(items)))}
            assert ("result-withdrawn" in codes) is bool(items)
            gc.collect()
