"""CSV with a header: `summary.csv` of v6.1."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.readers.interface import Record


class CsvTable:
    """`summary.csv`; a quoted cell may hold line breaks."""

    form = "a CSV table with a header"

    def recognises(self, text: str) -> bool:
        """Whether it is text that is neither JSON nor a web page."""
        return not text.startswith(("[", "{", "<"))

    def records(self, text: str, name: str) -> Iterator[Record]:
        """The rows below the header.

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
