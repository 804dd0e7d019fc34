"""The bundled rows without a data frame library are those of the bundled Parquet."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import polars as pl
import pytest

from mlperf_claimcheck.results import load
from mlperf_claimcheck.results.compact import LateRows, decode, encode
from mlperf_claimcheck.results.frame import to_rows
from mlperf_claimcheck.results.model import ResultRow


def test_the_bundle_says_the_same_in_both_forms() -> None:
    table = load.load_results(use_cache=False)
    assert to_rows(pl.read_parquet(load.BUNDLE / "results.parquet")) == list(table.rows)
    assert table.frame.height == len(table.rows)
    manifest = json.loads((load.BUNDLE / "manifest.json").read_text(encoding="utf-8"))
    assert {r["id"]: r["rows"] for r in manifest["rounds"]} == {r: len(table.by_round(r)) for r in table.rounds}


@pytest.mark.parametrize("changes", [{}, {"value": 3.0, "nodes": 3}, {"system": "a\u2028b\nc “é”", "power": None}])
def test_values_and_their_types_come_back(changes: dict[str, object]) -> None:
    row = load.load_results(use_cache=False).by_round("inference-v6.1")[0]
    rows = (row, replace(row, **changes), replace(row, accelerators=1, heterogeneous=True), row)
    line = encode(rows)
    assert "\n" not in line
    back = decode(line)
    assert back == rows
    names = ResultRow.__slots__
    assert [[type(getattr(r, n)) for n in names] for r in back] == [[type(getattr(r, n)) for n in names] for r in rows]


def test_rows_are_made_when_one_is_asked_for() -> None:
    rows = load.load_results(use_cache=False).by_round("inference-v6.1")[:3]
    late = LateRows(encode(rows).encode(), 3)
    assert len(late) == 3
    assert (tuple(late), late[0], late[1:]) == (rows, rows[0], rows[1:])


def test_no_rows_are_no_rows() -> None:
    assert decode(encode(())) == ()


def test_a_line_of_another_form_is_no_rows() -> None:
    for line in ("{}", "[]", '{"count": 1, "columns": {}}', "x"):
        with pytest.raises((ValueError, KeyError, TypeError)):
            decode(line)


def test_checking_on_the_bundle_loads_no_data_frame_library() -> None:
    program = (
        "import sys, mlperf_claimcheck as cc\n"
        "cc.check('16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72', round='inference-v6.1')\n"
        "print('polars' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
