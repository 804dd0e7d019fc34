"""Orders published results: the figure that a row is ranked by, the same run counted once, places and margins.

The rule's source is `superlatives` in the project's semantics: a superlative is a metric and a scope; it is computed
over the widest scope first, and who stands above is always named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from mlperf_claimcheck.claims.assertion import Per
from mlperf_claimcheck.metrics.units import lower_is_better
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.text import clean

_VARIANT = re.compile(r"-(?:99\.9|99|95)$")
_STATUS = {"preview": "Preview", "rdi": "RDI", "available": "available"}

RowKey = tuple[str, int]
"""Round and position in that round's file: what makes a row itself."""


def key_of(row: ResultRow) -> RowKey:
    """The identity of a row in the table."""
    return (row.round, row.index)


def benchmark_of(model: str) -> str:
    """A benchmark without its accuracy variant: `llama2-70b` for `llama2-70b-99.9`."""
    return _VARIANT.sub("", model)


def number(value: float) -> str:
    """A figure for a sentence: thousands separated, about as many digits as the published tables carry."""
    size = abs(value)
    if size >= 1000:
        text = f"{value:,.2f}"
    elif size >= 1:
        text = f"{value:.4f}"
    else:
        text = f"{value:.6g}"
    if "e" in text or "." not in text:
        return text
    return text.rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Figure:
    """What one row is ranked by."""

    row: ResultRow
    value: float
    """The row's value, divided as the ranking asks."""
    unit: str
    """`tokens/s`, or with the divisor `tokens/s/accelerator`."""
    formula: str
    """`1,197,710 tokens/s ÷ 72 accelerators`."""
    error: float
    """Half a unit of the last of the six significant digits that the tables carry; 0 where a figure has more."""

    @property
    def key(self) -> RowKey:
        """The identity of the row."""
        return key_of(self.row)


def source_error(value: float) -> float:
    """Half a unit of a published figure's sixth significant digit; 0 for one that carries more digits or none."""
    if value == 0 or not isfinite(value) or float(f"{value:.6g}") != value:
        return 0.0
    return 0.5 * 10.0 ** (floor(log10(abs(value))) - 5)


def figure_of(row: ResultRow, per: Per) -> Figure | None:
    """The figure that `row` is ranked by, or None where the division makes no sense.

    Per accelerator: no figure for CPU-only rows, unknown counts and rows with more than one kind of accelerator. Per
    watt: only results with measured power of their own.
    """
    value, unit, error = row.value, row.unit, source_error(row.value)
    text = f"{number(value)} {unit}"
    if per is Per.SYSTEM:
        return Figure(row, value, unit, text, error)
    if per is Per.ACCELERATOR:
        if row.heterogeneous or not row.accelerators:
            return None
        count, noun = row.accelerators, "accelerator"
    elif per is Per.NODE:
        if not row.nodes:
            return None
        count, noun = row.nodes, "node"
    else:
        if not row.power or row.power_unit != "W":
            return None
        error = error / row.power + value / row.power**2 * source_error(row.power)
        return Figure(row, value / row.power, f"{unit}/W", f"{text} ÷ {number(row.power)} W", error)
    plural = noun if count == 1 else f"{noun}s"
    if row.is_time_to_train:
        return Figure(row, value * count, f"{unit} x {plural}", f"{text} × {count:,} {plural}", error * count)
    return Figure(row, value / count, f"{unit}/{noun}", f"{text} ÷ {count:,} {plural}", error / count)


def distinct_runs(rows: Iterable[ResultRow]) -> list[ResultRow]:
    """The rows with the same run counted once.

    One run is often published under two accuracy variants of a benchmark with the same figure; the stricter variant
    stays, wherever it stands in the table.
    """
    kept: dict[tuple[object, ...], ResultRow] = {}
    for row in rows:
        run = (
            row.round,
            row.submitter,
            row.division,
            row.availability,
            row.suite,
            row.system,
            row.platform,
            benchmark_of(row.model),
            row.scenario,
            row.value,
            row.unit,
        )
        other = kept.get(run)
        # Two rows of one variant are two rows of the table, whatever their figures.
        if other is not None and other.model == row.model:
            kept[(*run, row.index)] = row
        elif other is None or row.model > other.model:
            kept[run] = row
    return list(kept.values())


@dataclass(frozen=True, slots=True)
class Ranking:
    """Figures from best to worst."""

    figures: tuple[Figure, ...]
    ascending: bool
    """Smallest first."""
    skipped: tuple[ResultRow, ...]
    """Rows that have no such figure (CPU-only or mixed accelerators per accelerator)."""

    def better(self, one: Figure, other: Figure) -> bool:
        """Whether `one` stands strictly above `other`."""
        return one.value < other.value if self.ascending else one.value > other.value

    def above(self, mark: Figure, among: Callable[[Figure], bool] = lambda _: True) -> list[Figure]:
        """The figures that stand strictly above `mark`, best first."""
        return [f for f in self.figures if self.better(f, mark) and among(f)]

    def best(self, among: Callable[[Figure], bool]) -> Figure | None:
        """The best of the figures that satisfy `among`."""
        return next((f for f in self.figures if among(f)), None)


def rank_rows(rows: Sequence[ResultRow], per: Per, *, lowest: bool) -> Ranking:
    """Orders rows by their figure. Latencies are better when smaller; `lowest` asks for the smallest in any unit."""
    figures: list[Figure] = []
    skipped: list[ResultRow] = []
    for row in distinct_runs(rows):
        figure = figure_of(row, per)
        if figure is None:
            skipped.append(row)
        else:
            figures.append(figure)
    ascending = lowest or (bool(figures) and all(lower_is_better(f.row.unit) for f in figures))
    figures.sort(key=lambda f: (f.value if ascending else -f.value, f.row.submitter, f.row.system, f.row.index))
    return Ranking(tuple(figures), ascending, tuple(skipped))


def gap(one: Figure, other: Figure) -> float:
    """How far apart two figures are, as a fraction of the smaller."""
    small = min(abs(one.value), abs(other.value))
    return abs(one.value - other.value) / small if small else float("inf")


def within_source_precision(one: Figure, other: Figure) -> bool:
    """Whether the intervals that the published digits stand for overlap."""
    return abs(one.value - other.value) <= one.error + other.error


def status_of(row: ResultRow) -> str:
    """`Preview`, `RDI` or `available`."""
    return _STATUS.get(row.availability, row.availability)


def name_figure(figure: Figure, display: Callable[[str], str] = clean) -> str:
    """A result in a few words: submitter, system, figure, and what sets it apart."""
    row = figure.row
    marks = []
    if row.availability != "available":
        marks.append(status_of(row))
    if row.division != "closed":
        marks.append(row.division)
    tail = f" [{', '.join(marks)}]" if marks else ""
    return f"{display(row.submitter)} {number(figure.value)} {figure.unit} ({hardware_words(row)}){tail}"


def hardware_words(row: ResultRow) -> str:
    """The accelerators of a row in words: `72x NVIDIA GB300`."""
    if not row.accelerator:
        return "CPU only"
    count = f"{row.accelerators}x " if row.accelerators else ""
    return f"{count}{clean(row.accelerator)}"


def listing(names: Sequence[str], cap: int = 6) -> str:
    """Names joined for a sentence, the rest counted."""
    shown = list(names[:cap])
    if len(names) > cap:
        shown.append(f"and {len(names) - cap} more")
    return "; ".join(shown)
