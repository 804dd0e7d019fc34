"""Reads a published summary file of any known form."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.normalise import Normaliser
from mlperf_claimcheck.results.readers.csv_rows import CsvTable
from mlperf_claimcheck.results.readers.interface import Reader
from mlperf_claimcheck.results.readers.json_rows import JsonList, JsonNumbered

READERS: tuple[Reader, ...] = (JsonList(), JsonNumbered(), CsvTable())
"""The known forms; another one is a class of its own and an entry here."""

LIMIT = 64 * 1024 * 1024
"""Largest accepted file, in bytes; the largest published one has about 2 MB."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The rows of one file."""

    name: str
    rows: tuple[ResultRow, ...]
    sha256: str
    warnings: tuple[str, ...] = ()

    @property
    def rounds(self) -> tuple[str, ...]:
        """Ids of the rounds it holds, in order of first occurrence."""
        return tuple(dict.fromkeys(r.round for r in self.rows))


def round_in_name(name: str) -> str | None:
    """The round that a file or folder name states: `inference_v6.1_summary.csv` -> `inference-v6.1`."""
    match = re.search(r"inference[_-](?:results[_-])?v(\d{1,2}\.\d{1,2})(?![\d])", name)
    return f"inference-v{match[1]}" if match else None


def parse_results(data: bytes, name: str, *, round_id: str | None = None) -> ReadFile:
    """The rows of a summary file's content.

    Args:
        data: Content of the file.
        name: How to name it to a reader.
        round_id: The round that it must hold; None takes it from the rows' `version`, else from the name.

    Raises:
        ResultsError: It is no summary file, holds no rows, or a row lacks what every row needs.
    """
    if len(data) > LIMIT:
        raise ResultsError(f"{name}: is larger than {LIMIT // 1024**2} MB, too large for a results summary")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ResultsError(f"{name}: is not UTF-8 text (byte {error.start}); fetch it again") from error
    start = text[:10_000].lstrip()
    if start.startswith("<"):
        raise ResultsError(f"{name}: is a web page, not a results summary; use the raw file's address")
    records = next(reader for reader in READERS if reader.recognises(start)).records(text, name)
    normaliser = Normaliser(name, round_id)
    rows = []
    for index, (record, where) in enumerate(records):
        if index == 0 and round_id is None and not str(record.get("version") or "").strip():
            normaliser.round_id = round_in_name(name)
        rows.append(normaliser.row(record, index, where))
    if not rows:
        raise ResultsError(f"{name}: holds no rows of results; it may be incomplete, fetch it again")
    return ReadFile(name, tuple(rows), hashlib.sha256(data).hexdigest(), normaliser.warnings)


def read_file(path: Path, *, round_id: str | None = None) -> ReadFile:
    """Reads a summary file.

    Raises:
        ResultsError: It cannot be read, or see `parse_results`.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(LIMIT + 1)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read ({error.strerror or error})") from error
    return parse_results(data, str(path), round_id=round_id)
