"""CSV: numbers stay numbers, and no text becomes a formula."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from report_samples import ALL, FAILS, HOSTILE, OPTIONS, hostile_report, report

from mlperf_claimcheck import reports
from mlperf_claimcheck.reports.csv_report import COLUMNS
from mlperf_claimcheck.verdicts import Report
from mlperf_claimcheck.verdicts.text import printable


def read(made: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(reports.render(made, "csv", OPTIONS), newline="")))


def test_a_row_a_claim_then_its_parts() -> None:
    rows = read(ALL)
    assert [r["id"] for r in rows] == [
        "per-gpu",
        "wrong-owner",
        "gain",
        "expected-fail",
        "unmet",
        "pair",
        "pair.1",
        "pair.2",
    ]
    assert [r["part_of"] for r in rows[-3:]] == ["", "pair", "pair"]
    assert [r["counts_as"] for r in rows[:6]] == ["pass", "fail", "unverifiable", "pass", "fail", "fail"]
    first = rows[0]
    assert float(first["claimed_value"]) == 16635
    assert float(first["computed_value"]) == 1197710 / 72
    assert first["arithmetic"] == "1,197,710 tokens/s ÷ 72 accelerators"
    assert first["caveats"] == "derived-metric self-defined-scope"
    assert first["submitters"] == "Example Cloud; Other; Vendor"
    assert (first["file"], first["line"]) == ("claims/launch.yaml", "10")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_cell_and_is_no_formula(text: str) -> None:
    rows = read(hostile_report(text))
    assert len(rows) == 2
    assert set(rows[0]) == set(COLUMNS)
    for column in COLUMNS:
        for row in rows:
            assert not row[column].lstrip().startswith(("=", "+", "-", "@"))
            assert row[column].isprintable()
    assert rows[0]["claim"] in (printable(text), "'" + printable(text))


def test_a_gain_is_kept_as_text_behind_an_apostrophe() -> None:
    (row,) = read(report(replace(FAILS, text="+8% per GPU")))
    assert row["claim"] == "'+8% per GPU"


def test_lines_begin_with_the_verdict() -> None:
    written = reports.render(hostile_report("::error::x"), "csv", OPTIONS)
    assert not any(line.startswith("::") for line in written.splitlines())
