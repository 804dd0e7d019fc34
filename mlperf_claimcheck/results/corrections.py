"""Results that were changed or withdrawn after publication."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow


@dataclass(frozen=True, slots=True)
class Correction:
    """One change after publication."""

    result_id: str
    kind: str
    """`withdrawn` or `changed`."""
    authority: str
    """`official` (MLCommons says so) or `reported` (somebody else does)."""
    date: str
    what: str
    source: str


class Corrections:
    """The list of corrections, by result ID."""

    def __init__(self, entries: Iterable[Correction]) -> None:
        self.entries = tuple(entries)
        self._by_id: dict[str, list[Correction]] = {}
        for entry in self.entries:
            self._by_id.setdefault(entry.result_id, []).append(entry)

    def for_row(self, row: ResultRow) -> tuple[Correction, ...]:
        """The corrections of a row's result."""
        return tuple(self._by_id.get(row.result_id or "", ()))

    @classmethod
    def load(cls, extra_files: Iterable[str | Path] = ()) -> Corrections:
        """The bundled list and the user's own files of the same form. Raises ResultsError for a damaged one."""
        entries = list(_bundled())
        for path in extra_files:
            try:
                entries.extend(_parse(Path(path).read_text(encoding="utf-8")))
            except (OSError, ValueError, TypeError, KeyError) as error:
                raise ResultsError(f"{path}: is no list of corrections ({error})") from None
        return cls(entries)


def _parse(text: str) -> list[Correction]:
    return [Correction(**entry) for entry in json.loads(text)["corrections"]]


@lru_cache(maxsize=1)
def _bundled() -> tuple[Correction, ...]:
    return tuple(_parse((files("mlperf_claimcheck.results") / "data" / "corrections.json").read_text("utf-8")))
