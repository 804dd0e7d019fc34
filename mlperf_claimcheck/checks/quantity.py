"""The figure of a row that a claim speaks of: its value, or the value by accelerator, node or measured watt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from mlperf_claimcheck.checks.selection import (
    evidence_of,
    index_of,
    round_words,
    row_words,
    select,
    selection_key,
    who,
    withdrawn_officially,
)
from mlperf_claimcheck.claims.assertion import Amount, Per, Selection
from mlperf_claimcheck.metrics.comparison import Comparison, compare
from mlperf_claimcheck.metrics.interval import Interval
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation
from mlperf_claimcheck.metrics.units import factor, is_power, is_time, written
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Claimed, Evidence, Outcome, Reason, Verdict
from mlperf_claimcheck.verdicts.text import clean

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_SHOWN = 12
DIVISORS = {Per.ACCELERATOR: "accelerator", Per.NODE: "node", Per.WATT: "W"}
NOT_VERIFIED = "not verified by MLCommons Association"
RELATION_WORDS = {
    Relation.EQUAL: "",
    Relation.OVER: "over ",
    Relation.AT_LEAST: "at least ",
    Relation.UNDER: "under ",
    Relation.AT_MOST: "at most ",
    Relation.UP_TO: "up to ",
    Relation.NEARLY: "nearly ",
    Relation.ABOUT: "about ",
    Relation.BETWEEN: "between ",
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure of one row, with its unit and how it was calculated."""

    row: ResultRow
    interval: Interval
    unit: str
    """With the divisor: `tokens/s/accelerator`."""
    formula: str
    derived: bool = False

    @property
    def value(self) -> float:
        """The figure."""
        return float(self.interval.value)

    def evidence(self, role: str = "subject") -> Evidence:
        """The row, with the derived figure if there is one."""
        return evidence_of(self.row, role, self.value if self.derived else None, self.unit if self.derived else None)

    def words(self, context: CheckContext) -> str:
        """`16,634.86 tokens/s/accelerator (whose, which system …)`."""
        return f"{written(self.interval.value)} {self.unit} ({row_words(self.row, context)})"


def accepted_units(row: ResultRow, context: CheckContext) -> tuple[str, ...]:
    """What a row's figure may be called: its label, and the true unit where that label is known to be wrong."""
    label, true = context.vocabulary.true_units(row.model, row.scenario, row.round)
    units = (row.unit, label, true) if true is not None else (row.unit,)
    return tuple(dict.fromkeys(u for u in units if u))


def unit_fits(unit: str | None, row: ResultRow, context: CheckContext) -> bool:
    """Whether a figure of the row may be given in `unit` (None: in its own)."""
    if unit is None or unit in accepted_units(row, context):
        return True
    return is_time(unit) and factor(row.unit, unit) is not None


def quantity_of(row: ResultRow, per: Per, unit: str | None, context: CheckContext) -> Quantity | None:
    """The figure of a row, or None where it cannot be had (no count, no measured power)."""
    found: Quantity | None = index_of(context).of_row(row, (per, unit), lambda: _quantity_of(row, per, unit))
    return found


def _quantity_of(row: ResultRow, per: Per, unit: str | None) -> Quantity | None:
    if is_power(unit):
        if row.power is None or row.power_unit is None or per is not Per.SYSTEM:
            return None
        scale = factor(row.power_unit, unit or "")
        if scale is None:
            return None
        interval = Interval.published(row.power).scaled(scale)
        return Quantity(row, interval, unit or "", f"{written(row.power)} {row.power_unit}")
    name = row.unit
    interval = Interval.published(row.value)
    formula = f"{written(row.value)} {row.unit}"
    if unit is not None and unit != row.unit:
        scale = factor(row.unit, unit)
        name = unit
        if scale is not None:
            interval = interval.scaled(scale)
        else:
            # The label is known to be wrong, and the claim uses the true unit (or the other way round).
            formula = f"{written(row.value)} {unit}"
    if per is Per.SYSTEM:
        return Quantity(row, interval, name, formula)
    if per is Per.WATT:
        if not row.power or row.power_unit != "W":
            return None
        return Quantity(
            row,
            interval / Interval.published(row.power),
            f"{name}/W",
            f"{formula} ÷ {written(row.power)} W",
            derived=True,
        )
    count = row.accelerators if per is Per.ACCELERATOR else row.nodes
    if not count or (per is Per.ACCELERATOR and row.heterogeneous):
        return None
    noun = DIVISORS[per]
    if row.is_time_to_train:
        # Shorter on more chips: what they are compared by is the time that all of them together took.
        return Quantity(
            row,
            interval * Interval.exact(count),
            f"{name} x {noun}s",
            f"{formula} × {count:,} {noun}{'s' if count != 1 else ''}",
            derived=True,
        )
    return Quantity(
        row,
        interval / Interval.exact(count),
        f"{name}/{noun}",
        f"{formula} ÷ {count:,} {noun}{'s' if count != 1 else ''}",
        derived=True,
    )


def quantities(rows: Iterable[ResultRow], per: Per, unit: str | None, context: CheckContext) -> list[Quantity]:
    """The figures of all rows that have one."""
    found = (quantity_of(row, per, unit, context) for row in rows)
    return [q for q in found if q is not None]


def holds(amount: Amount, quantity: Quantity, context: CheckContext) -> Comparison:
    """Whether a figure stands in the claimed relation."""
    return meets(amount, quantity.interval, context, derived=quantity.derived)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of many rows, ascending, so that a claimed number is found without looking at every row."""

    values: list[float]
    rows: list[ResultRow]
    """In the order of `values`."""
    unfit: list[ResultRow]
    """Rows whose figures are not in the claim's unit."""
    bare: list[ResultRow]
    """Rows without such a figure: no count to divide by, no measured power."""

    def __len__(self) -> int:
        return len(self.rows) + len(self.unfit) + len(self.bare)

    def window(self, low: float, high: float) -> range:
        """Places of the figures from `low` to `high`."""
        return range(bisect_left(self.values, low), bisect_right(self.values, high))

    def around(self, number: float) -> Iterator[int]:
        """All places, those nearest to a number first."""
        right = bisect_left(self.values, number)
        left = right - 1
        while left >= 0 or right < len(self.values):
            take_left = right >= len(self.values) or (
                left >= 0 and number - self.values[left] <= self.values[right] - number
            )
            if take_left:
                yield left
                left -= 1
            else:
                yield right
                right += 1


def figures_of(selection: Selection, per: Per, unit: str | None, context: CheckContext) -> Figures:
    """The figures of all rows of a selection."""
    if context.groups and selection.groups:
        return _figures(select(selection, context), per, unit, context)
    key = ("figures", per, unit, *selection_key(selection))
    found: Figures = index_of(context).recall(
        key, lambda: _figures(select(selection, context), per, unit, context), lambda made: 5 * len(made)
    )
    return found


def figures_of_round(round_id: str, per: Per, context: CheckContext) -> Figures:
    """The figures of all rows of a round, each in its own unit."""
    found: Figures = index_of(context).recall(
        ("round", per, round_id),
        lambda: _figures(index_of(context).rows_of(round_id).rows, per, None, context),
        lambda made: 5 * len(made),
    )
    return found


def _figures(rows: Sequence[ResultRow], per: Per, unit: str | None, context: CheckContext) -> Figures:
    fits: dict[tuple[str, ...], bool] = {}
    found: list[tuple[float, int, ResultRow]] = []
    unfit: list[ResultRow] = []
    bare: list[ResultRow] = []
    power = is_power(unit)
    for place, row in enumerate(rows):
        if unit is not None and not power:
            kind = (row.model, row.scenario, row.round, row.unit)
            fit = fits.get(kind)
            if fit is None:
                fit = fits[kind] = unit_fits(unit, row, context)
            if not fit:
                unfit.append(row)
                continue
        value = _plain_figure(row, per, unit)
        if value is None:
            bare.append(row)
        else:
            found.append((value, place, row))
    found.sort(key=lambda item: item[:2])
    return Figures([item[0] for item in found], [item[2] for item in found], unfit, bare)


def _plain_figure(row: ResultRow, per: Per, unit: str | None) -> float | None:
    """The figure that `quantity_of` gives, as a plain number."""
    value = row.value
    if unit is not None and unit != row.unit:
        if is_power(unit):
            scale = factor(row.power_unit or "", unit)
            if row.power is None or scale is None or per is not Per.SYSTEM:
                return None
            return row.power * float(scale)
        scale = factor(row.unit, unit)
        if scale is not None:
            value *= float(scale)
    if per is Per.SYSTEM:
        return value
    if per is Per.WATT:
        return value / row.power if row.power and row.power_unit == "W" else None
    count = row.accelerators if per is Per.ACCELERATOR else row.nodes
    if not count or (per is Per.ACCELERATOR and row.heterogeneous):
        return None
    return value * count if row.is_time_to_train else value / count


_SLACK = 2e-5
"""Wider than the source's own precision: a first, plain look must not lose what the exact one would accept."""


def reach_of(amount: Amount, context: CheckContext) -> tuple[float, float]:
    """The figures that may stand in the claimed relation, as a first, plain look."""
    number, quantum = float(amount.number.value), float(amount.number.quantum)
    slack = _SLACK * abs(number)
    tolerance = context.tolerance if amount.tolerance is None else amount.tolerance
    match amount.relation:
        case Relation.OVER | Relation.AT_LEAST:
            return number - slack, float("inf")
        case Relation.UNDER | Relation.AT_MOST:
            return float("-inf"), number + slack
        case Relation.NEARLY | Relation.ABOUT:
            reach = tolerance * abs(number) + slack + quantum
            return number - reach, number + reach
        case Relation.BETWEEN:
            other = number if amount.upper is None else float(amount.upper.value)
            return min(number, other) - slack, max(number, other) + slack
        case _:
            reach = quantum + slack + (0 if amount.tolerance is None else amount.tolerance * abs(number))
            return number - reach, number + reach


def meets(amount: Amount, value: Interval, context: CheckContext, *, derived: bool = True) -> Comparison:
    """Whether a value stands in the claimed relation."""
    return compare(
        value,
        amount.number,
        amount.relation,
        tolerance=context.tolerance,
        upper=amount.upper,
        explicit_tolerance=amount.tolerance,
        derived=derived,
    )


def found_words(quantity: Quantity, context: CheckContext) -> str:
    """`CoreWeave's published 1,197,710 tokens/s ÷ 72 accelerators = 16,634.86 tokens/s per accelerator`."""
    name = who(quantity.row, context)
    if quantity.derived:
        unit = unit_words(quantity.unit)
        return f"{name}'s published {quantity.formula} = {written(quantity.interval.value)} {unit}"
    return f"{name}'s published figure is {written(quantity.interval.value)} {quantity.unit}"


def unit_words(unit: str) -> str:
    """A unit for a sentence: `tokens/s per accelerator`."""
    for divisor in ("accelerator", "node", "W"):
        if unit.endswith(f"/{divisor}"):
            return f"{unit.removesuffix(f'/{divisor}')} per {'watt' if divisor == 'W' else divisor}"
    return unit


def place_words(row: ResultRow, context: CheckContext) -> str:
    """Benchmark, scenario, hardware and round of a row, and what sets it apart: all but whose it is."""
    words: str = index_of(context).of_row(row, ("place",), lambda: _place_words(row, context))
    return words


def _place_words(row: ResultRow, context: CheckContext) -> str:
    count = f"{row.accelerators}x " if row.accelerators else ""
    hardware = f"{count}{clean(row.accelerator)}" if row.accelerator else "CPU only"
    marks = [mark for mark, plain in ((row.availability, "available"), (row.division, "closed")) if mark != plain]
    tail = f", {', '.join(marks)}" if marks else ""
    model = context.vocabulary.model_display(row.model)
    return f"{model} {row.scenario}, {hardware}, {round_words(row.round)}{tail}"


def relation_words(amount: Amount, comparison: Comparison) -> str:
    """How a figure that makes the claim true stands to the claimed number: `which rounds to 16,635`."""
    number = _number_words(amount.number)
    if "truncated" in comparison.marks:
        return f"which is {number} with the further digits cut off"
    match amount.relation:
        case Relation.EQUAL | Relation.UP_TO:
            if "finer-than-source" in comparison.marks:
                return f"which {number} is within the published digits of"
            return f"which rounds to {number}"
        case Relation.BETWEEN:
            return f"which is {amount_words(amount)}"
        case _:
            return f"which is {RELATION_WORDS[amount.relation]}{number}"


def amount_words(amount: Amount, unit: str = "") -> str:
    """The number of a claim with its relation, as a sentence says it."""
    number = _number_words(amount.number)
    upper = f" and {_number_words(amount.upper)}" if amount.upper is not None else ""
    up_to = "up to " if amount.up_to else ""
    return f"{up_to}{RELATION_WORDS[amount.relation]}{number}{upper}{' ' + unit if unit else ''}"


def _number_words(number: PrintedNumber) -> str:
    text = "".join(c for c in number.text if c.isprintable())[:40]
    return text or written(number.value)


def claimed_of(amount: Amount, unit: str) -> Claimed:
    """What the claim says, as numbers."""
    return Claimed(
        amount.relation.value,
        float(amount.number.value),
        unit,
        float(amount.number.quantum),
        None if amount.upper is None else float(amount.upper.value),
    )


def mark_caveats(comparison: Comparison, value: Decimal, amount: Amount) -> list[Caveat]:
    """What the comparison asks to be told."""
    number = _number_words(amount.number)
    texts = {
        "truncated": f"{written(value)} is cut off, not rounded, to {number}.",
        "finer-than-source": f"{number} is printed finer than the published digits of {written(value)} can tell.",
        "loose-bound": f"The bound is true but says little: the figure is {written(value, 4)}.",
    }
    return [Caveat(mark, texts[mark]) for mark in comparison.marks]


def derived_caveat(formula: str) -> Caveat:
    """Every derived figure says how it was made, and that MLCommons did not verify it."""
    return Caveat("derived-metric", f"Derived from published results ({formula}); {NOT_VERIFIED}.")


def underivable(rows: Sequence[ResultRow], per: Per, context: CheckContext) -> Verdict:
    """Why no row has the figure that is asked for."""
    shown = tuple(evidence_of(row) for row in rows[:_SHOWN])
    name = row_words(rows[0], context)
    if per is Per.WATT:
        code, message = "power-not-measured", f"No fitting result has measured power of its own ({name})."
    elif per is Per.ACCELERATOR and any(row.heterogeneous for row in rows):
        code = "mixed-accelerators"
        message = f"The system has more than one kind of accelerator, so that a figure for each says nothing ({name})."
    elif per is Per.ACCELERATOR and all(row.accelerators == 0 for row in rows):
        code, message = "no-accelerators", f"The system has no accelerator to divide by ({name})."
    else:
        code = "no-derived-figure"
        message = f"The number of {'nodes' if per is Per.NODE else 'accelerators'} was not published ({name})."
    return Verdict(Outcome.UNVERIFIABLE, Reason(code, message), evidence=shown)


def wrong_unit(rows: Sequence[ResultRow], unit: str, context: CheckContext) -> Verdict:
    """The claim's unit is none that the benchmark uses in that scenario."""
    shown = tuple(evidence_of(row) for row in rows[:6])
    kinds = {
        (context.vocabulary.model_display(r.model), r.scenario, u) for r in rows for u in accepted_units(r, context)
    }
    told = "; ".join(f"{model} {scenario} is given in {right}" for model, scenario, right in sorted(kinds)[:6])
    if is_time(unit) and not any(is_time(row.unit) for row in rows):
        message = f"Latencies are not published for it ({told})."
        return Verdict(Outcome.UNVERIFIABLE, Reason("quantity-not-published", message), evidence=shown)
    return Verdict(Outcome.FAIL, Reason("wrong-unit", f"{told}, not in {unit}."), evidence=shown)


def unit_problem(unit: str | None, context: CheckContext) -> Verdict | None:
    """Units of quantities that the results never hold (rates for one user, counts of requests)."""
    known = context.vocabulary.units.get(unit or "")
    if known is not None and known.kind in ("per-user", "count"):
        message = f"The published results have no figure in {unit}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("quantity-not-published", message))
    return None


def without_withdrawn(rows: Iterable[ResultRow], context: CheckContext) -> list[ResultRow]:
    """The rows that were not officially withdrawn."""
    return [row for row in rows if not withdrawn_officially(row, context)]
