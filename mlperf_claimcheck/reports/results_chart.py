"""Published results as bars for the terminal, those that may be compared under one heading."""

from __future__ import annotations

from collections.abc import Iterable

from mlperf_claimcheck.metrics.units import lower_is_better
from mlperf_claimcheck.reports.bars import Bar, draw
from mlperf_claimcheck.reports.layout import wrap
from mlperf_claimcheck.reports.words import figure, round_name
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.query import best, divided
from mlperf_claimcheck.verdicts.text import no_commands, plural, printable

MOST = 40
"""Bars under one heading."""


def chart(rows: Iterable[ResultRow], per: str, *, width: int, colour: bool = False) -> str:
    """The chart of `rows`, their figures per `system`, `accelerator` or `node`, the best first.

    Results stand under one heading only if they may be compared (see `results.query.best`). Rows that have no such
    figure are counted below the chart.
    """
    given = list(rows)
    ranked = best(given, len(given), per)
    groups: dict[tuple[str, ...], list[ResultRow]] = {}
    for row in ranked:
        power = "with power" if row.power is not None else ""
        key = (row.round, row.suite, row.division, row.model, row.scenario, row.unit, power)
        groups.setdefault(key, []).append(row)
    lines: list[str] = []
    for (round_id, suite, division, model, scenario, row_unit, power), found in groups.items():
        named = [round_name(round_id), f"{model} {scenario}", division, suite, *([power] if power else [])]
        unit = row_unit if per == "system" else f"{row_unit}/{per}"
        better = " (less is better)" if lower_is_better(row_unit) else ""
        heading = f"{', '.join(named)}, in {unit}{better}"
        if lines:
            lines.append("")
        lines += wrap(printable(heading), width)
        bars = []
        for row in found[:MOST]:
            value = divided(row, per)
            if value is not None:
                bars.append(Bar(_label(row), max(value, 0.0), figure(value)))
        lines += ["  " + line for line in draw(bars, width - 2, colour=colour)]
        if len(found) > MOST:
            lines.append(f"  {plural(len(found) - MOST, 'more result')} not drawn")
    absent = len(given) - len(ranked)
    if absent:
        lines += ["", f"{plural(absent, 'result')} without a figure per {per} not drawn"]
    return no_commands("\n".join(line.rstrip() for line in lines) + "\n") if lines else ""


def _label(row: ResultRow) -> str:
    product = printable(row.accelerator or row.system)
    text = f"{printable(row.submitter)}, {f'{row.accelerators} × ' if row.accelerators else ''}{product}"
    return text if row.availability.lower() in ("", "available") else f"{text} ({printable(row.availability)})"
