"""The lines of a published summary file: which row stands where."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator


def row_lines(text: str) -> list[int]:
    """The line (1-based) on which each row of a summary file begins, in file order.

    Takes the three forms that MLCommons has published: a JSON array of rows, a JSON object of rows ("0", "1", …), CSV
    with a header. A file of another form, or a damaged one, gives an empty list: lines are a help to a reader, the rows
    themselves are read and checked elsewhere.
    """
    start = text.lstrip("\ufeff \t\r\n")[:1]
    try:
        if start in {"[", "{"}:
            return list(_json_lines(text, start))
        return list(_csv_lines(text))
    except (ValueError, csv.Error, RecursionError):
        return []


def _json_lines(text: str, opening: str) -> Iterator[int]:
    decoder = json.JSONDecoder()
    position = text.index(opening) + 1
    counted, line = 0, 1
    while True:
        position = _skip(text, position, " \t\r\n,")
        if position >= len(text) or text[position] in "]}":
            return
        if opening == "{":
            _, position = decoder.raw_decode(text, position)
            position = _skip(text, position, " \t\r\n:")
        line += text.count("\n", counted, position)
        counted = position
        yield line
        _, position = decoder.raw_decode(text, position)


def _skip(text: str, position: int, characters: str) -> int:
    while position < len(text) and text[position] in characters:
        position += 1
    return position


def _csv_lines(text: str) -> Iterator[int]:
    reader = csv.reader(io.StringIO(text, newline=""))
    before = 0
    for index, row in enumerate(reader):
        first = before + 1
        before = reader.line_num
        if index and row:
            yield first
