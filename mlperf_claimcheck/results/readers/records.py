"""The records of a file, each with how to name it to a reader; nothing is interpreted here."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from mlperf_claimcheck.results.errors import ResultsError

Record = tuple[Mapping[str, Any], str]
"""A record's columns, and its place in the file."""


def json_records(text: str, name: str) -> Iterator[Record]:
    """Records of a JSON array of rows, or of an object of numbered rows.

    Raises:
        ResultsError: It is not JSON of either form.
    """
    try:
        loaded = json.loads(text, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        raise ResultsError(
            f"{name}:{error.lineno}:{error.colno}: is not valid JSON ({error.msg}); fetch it again"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{name}: is not valid JSON ({error}); fetch it again") from error
    if isinstance(loaded, dict):
        if not all(key.isdecimal() for key in loaded):
            raise ResultsError(f"{name}: a JSON array of rows, or an object of numbered rows, was expected")
        items = [loaded[key] for key in sorted(loaded, key=int)]
    elif isinstance(loaded, list):
        items = loaded
    else:
        raise ResultsError(f"{name}: a JSON array of rows, or an object of numbered rows, was expected")
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise ResultsError(f"{name}: row {number}: an object of columns was expected")
        yield item, f"row {number}"


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return found


def csv_records(text: str, name: str) -> Iterator[Record]:
    """Records of a CSV file with a header.

    Raises:
        ResultsError: It is not CSV, or a row does not fit the header.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    try:
        header = next(reader, None)
        if not header or len(header) < 2:
            raise ResultsError(f"{name}: a CSV header was expected in line 1")
        if len(set(header)) != len(header):
            raise ResultsError(f"{name}:1: a column name occurs twice in the header")
        for cells in reader:
            if not cells:
                continue
            number += 1
            where = f"row {number}, line {reader.line_num}"
            if len(cells) != len(header):
                raise ResultsError(
                    f"{name}: {where}: has {len(cells)} cells, the header has {len(header)}; the file may be "
                    "incomplete, fetch it again"
                )
            yield dict(zip(header, cells, strict=True)), where
    except csv.Error as error:
        raise ResultsError(f"{name}:{reader.line_num}: is not valid CSV ({error}); fetch it again") from error
