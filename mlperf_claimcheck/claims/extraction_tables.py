"""Tables as claims: one claim a cell with a figure, from the names and units of its row and column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlperf_claimcheck.claims.documents import Cell, Table
from mlperf_claimcheck.claims.stretch import Stretch, StretchReader, rules

MAX_COLUMNS = 40
"""Columns of a table that are looked at."""
_FIGURES = ("value", "ratio", "percent", "number")
_BESIDE = frozenset({*_FIGURES, "comma", "stop", "change_up", "change_down", "list", "per"})
_NAMES = ("model", "scenario", "hardware", "submitter", "round", "result_id", "division", "availability", "suite")
_TURNS = ("unverified", "negation", "plan", "hypothetical", "unsupported", "break")
_EMPTY_BRACKETS = re.compile(r"[(\[（]\s*+[,;/]?\s*+[)\]）]")
_EDGES = " ,;:/–—-|、，；："


_SHORT = 24
"""Tokens of a sentence that does no more than give a unit."""
MAX_CELLS = 300_000
"""Cells of one table, those that span rows and columns counted for each."""


class TableTooLargeError(ValueError):
    """A table of more than `MAX_CELLS` cells."""


@dataclass(frozen=True, slots=True)
class CellClaim:
    """A cell that states a figure."""

    text: str
    place: tuple[int, int]
    """Line and column of the cell in the document."""
    unit: bool
    """The cell, its row or its column says what the figure is (unit, ratio or percent)."""


@dataclass(frozen=True, slots=True)
class _Header:
    text: str
    label: str
    """Lower case, without marks around it."""
    rest: str
    """What it says beside unit and plain words."""
    unit: str


def cell_claims(table: Table, reader: StretchReader, unit: str = "") -> Iterator[CellClaim]:
    """The figures of a table as claims, in reading order; `unit` is that of the whole table where its text gives none.

    Raises `TableTooLargeError`.
    """
    header_rows, rows = list(table.header), list(table.rows)
    if not header_rows and rows and not any(_is_figure(reader.read(c.text)) for c in rows[0]):
        header_rows, rows = [rows[0]], rows[1:]
    headers = _headers(header_rows, reader)
    caption_unit = ""
    if table.caption is not None:
        _, caption_unit = _split_unit(reader.read(table.caption.text))
    caption_unit = caption_unit or unit
    above: dict[int, tuple[Cell, int]] = {}
    seen = 0
    for row in rows:
        cells = _with_spans(row, above)
        seen += len(cells)
        if seen > MAX_CELLS:
            raise TableTooLargeError(f"holds a table of more than {MAX_CELLS:,} cells; split it into smaller ones")
        yield from _row_claims(cells, set(map(id, row)), headers, caption_unit, reader)


def _headers(rows: Sequence[Sequence[Cell]], reader: StretchReader) -> dict[int, _Header]:
    texts: dict[int, list[str]] = {}
    above: dict[int, tuple[Cell, int]] = {}
    for row in rows:
        for column, cell in _with_spans(row, above).items():
            parts = texts.setdefault(column, [])
            if cell.text and cell.text not in parts:
                parts.append(cell.text)
    return {column: _header(" ".join(parts), reader) for column, parts in texts.items()}


def _header(text: str, reader: StretchReader) -> _Header:
    words = rules()
    label = text.lower().strip(_EDGES)
    rest, unit = _split_unit(reader.read(text))
    kept = [word for word in rest.split() if word.lower().strip("()（）,:") not in words.plain_labels]
    rest = " ".join(kept).strip(_EDGES)
    if label in words.name_columns or label in words.count_columns:
        rest = ""
    return _Header(text, label, rest, unit)


def _with_spans(row: Sequence[Cell], above: dict[int, tuple[Cell, int]]) -> dict[int, Cell]:
    """The cells of a row by column, with those that reach down from rows above."""
    cells: dict[int, Cell] = {}
    for column, (cell, left) in list(above.items()):
        cells[column] = cell
        if left <= 1:
            del above[column]
        else:
            above[column] = (cell, left - 1)
    for cell in row:
        for column in range(cell.column, min(cell.column + cell.columns, MAX_COLUMNS)):
            cells[column] = cell
            if cell.rows > 1:
                above[column] = (cell, cell.rows - 1)
    return dict(sorted(cells.items()))


def _is_figure(stretch: Stretch) -> bool:
    figures = stretch.of(*_FIGURES)
    return len(figures) == 1 and all(i.kind in _BESIDE for i in stretch.items)


def _row_claims(
    cells: dict[int, Cell], own: set[int], headers: dict[int, _Header], caption_unit: str, reader: StretchReader
) -> Iterator[CellClaim]:
    words = rules()
    nothing = _Header("", "", "", "")
    keys: list[str] = []
    row_unit = ""
    figures: list[tuple[Cell, _Header, Stretch]] = []
    used: set[int] = set()
    for column, cell in cells.items():
        header = headers.get(column, nothing)
        text = cell.text.strip()
        if id(cell) in used or text.lower() in words.empty_cells:
            continue
        used.add(id(cell))
        if words.other_figures.within(header.text):
            continue
        stretch = reader.read(text)
        if header.label in words.unit_columns:
            _, row_unit = _split_unit(stretch)
            if row_unit:
                continue
        counted = words.count_columns.get(header.label)
        if counted is not None and text.isdigit():
            keys.append(f"{text} {counted}")
        elif _is_figure(stretch) and header.label not in words.name_columns:
            if id(cell) in own and not words.other_figures.within(text):
                figures.append((cell, header, stretch))
        elif not figures or stretch.has(*_TURNS) or (stretch.has(*_NAMES) and not stretch.has("leftover")):
            rest, unit = _split_unit(stretch)
            if unit and not stretch.has("value"):
                row_unit, text = unit, rest
            if words.other_figures.within(text):
                if not keys:
                    return  # A row of prices: its first cell says so.
                continue
            if text.lower() not in words.plain_labels and text:
                keys.append(text)
    for cell, header, stretch in figures:
        unit = header.unit or row_unit or caption_unit
        composed, whole = _compose(keys, header, stretch, cell.text.strip(), unit)
        yield CellClaim(composed, cell.content.position(0), whole)


def _compose(keys: Sequence[str], header: _Header, stretch: Stretch, text: str, unit: str) -> tuple[str, bool]:
    """A cell's claim in words, and whether it says what its figure is."""
    if stretch.has("ratio", "percent"):
        # "+8%" under "vs v6.0": the column says what it is measured against, so it follows the figure.
        front = ", ".join(keys)
        return f"{front}: {text} {header.rest}".strip(" :"), True
    front = ", ".join([*keys, header.rest] if header.rest else keys)
    if stretch.has("value") or not unit:
        return f"{front}: {text}".strip(" :"), stretch.has("value")
    return f"{front}: {text} {unit}".strip(" :"), True


def _split_unit(stretch: Stretch) -> tuple[str, str]:
    """A label without its unit, and the unit ("Offline (tokens/s/GPU)": "Offline" and "tokens/s/GPU")."""
    tokens = stretch.tokens
    for first, token in enumerate(tokens):
        whole = token.has("unit") and token.value("unit") not in ("x", "%")
        if whole and len(token.text) == 1 and not (first and tokens[first - 1].text in "([（"):
            whole = False
        end = first + 1
        if not whole:
            if not (token.has("unit_noun") and end < len(tokens)):
                continue
            while end < len(tokens) and tokens[end].text in "-/" and not tokens[end].has("per_second"):
                end += 1
            if end >= len(tokens) or not tokens[end].has("per_second"):
                continue
            end += 1
        while end < len(tokens):
            if tokens[end].has("per"):
                end += 1
            elif (tokens[end].has("slash") or tokens[end].has("per_word")) and _divides(stretch, end + 1):
                end += 2
            else:
                break
        start, stop = token.start, tokens[end - 1].end
        rest = _EMPTY_BRACKETS.sub(" ", stretch.text[:start] + stretch.text[stop:])
        return " ".join(rest.split()).strip(_EDGES), stretch.text[start:stop]
    return stretch.text.strip(), ""


def unit_of_figures(stretch: Stretch) -> str:
    """The unit that a sentence gives to the figures of a table: "All figures in tokens/s."; else nothing."""
    if not rules().figures.within(stretch.text) or stretch.has(*_FIGURES) or len(stretch.tokens) > _SHORT:
        return ""
    return _split_unit(stretch)[1]


def _divides(stretch: Stretch, index: int) -> bool:
    return index < len(stretch.tokens) and stretch.tokens[index].has("divisor")
