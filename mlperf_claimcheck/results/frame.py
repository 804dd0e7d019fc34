"""Rows as a data frame and back."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from dataclasses import fields

import polars as pl

from mlperf_claimcheck.results.model import ResultRow

FIELDS = tuple(f.name for f in fields(ResultRow))
_TYPES = {"str": pl.String, "int": pl.Int64, "float": pl.Float64, "bool": pl.Boolean}
SCHEMA = {f.name: _TYPES[str(f.type).split(" ")[0]] for f in fields(ResultRow)}


def to_frame(rows: Iterable[ResultRow]) -> pl.DataFrame:
    """A data frame with a column per field."""
    return pl.DataFrame([tuple(getattr(r, n) for n in FIELDS) for r in rows], schema=SCHEMA, orient="row")


def to_rows(frame: pl.DataFrame) -> list[ResultRow]:
    """The rows of a data frame made by `to_frame`.

    Raises:
        polars.exceptions.PolarsError: It lacks a column.
    """
    # Thousands of small objects at once: the collector would walk them again and again, and none of them is garbage.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return [ResultRow(*values) for values in frame.select(FIELDS).rows()]
    finally:
        if collecting:
            gc.enable()
