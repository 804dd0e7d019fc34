"""Names that copy mentions (submitters, models, hardware, suites), found by the spellings of the vocabulary's data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from mlperf_claimcheck.messaging.catalogue import load_yaml

_VOCABULARY = "mlperf_claimcheck.vocabulary"
_SEPARATOR = re.compile(r"[\s_‐‑‒–-]+")


def _pattern(spellings: Iterable[str], *, ignore_case: bool) -> re.Pattern[str]:
    alternatives = []
    for spelling in sorted({s for s in spellings if s}, key=len, reverse=True):
        words = [re.escape(w) for w in _SEPARATOR.split(spelling) if w]
        body = r"[\s_‐‑‒–-]*".join(words)
        start = r"(?<![A-Za-z0-9])" if spelling[0].isascii() else ""
        stop = r"(?![A-Za-z0-9])" if spelling[-1].isascii() and spelling[-1].isalnum() else ""
        alternatives.append(start + body + stop)
    return re.compile("|".join(alternatives) or r"(?!)", re.IGNORECASE if ignore_case else 0)


def _spellings(entry: Mapping[str, Any], key: str) -> Iterator[str]:
    yield str(entry.get("name", key))
    yield from (str(s) for s in entry.get("aliases") or ())
    yield from (str(s) for s in entry.get("published") or ())


def _entries(name: str, key: str) -> Mapping[str, Mapping[str, Any]]:
    data = load_yaml(_VOCABULARY, name)
    found: Mapping[str, Mapping[str, Any]] = data[key]
    return found


@dataclass(frozen=True, slots=True)
class Names:
    """Patterns for the names of the field."""

    submitter: re.Pattern[str]
    model: re.Pattern[str]
    hardware: re.Pattern[str]
    suites: tuple[str, ...]
    """`Inference`, `Training`, …: what follows the mark."""
    published: Mapping[tuple[str, str], date]
    """(suite in lower case, version) -> publication date, where it is known."""


@lru_cache(maxsize=1)
def names() -> Names:
    """The names of the bundled vocabulary."""
    submitters = [s for k, e in _entries("submitters.yaml", "submitters").items() for s in _spellings(e, k)]
    models = [s for k, e in _entries("models.yaml", "models").items() for s in (*_spellings(e, k), k)]
    hardware = [s for k, e in _entries("hardware.yaml", "hardware").items() for s in _spellings(e, k)]
    suites: list[str] = []
    published: dict[tuple[str, str], date] = {}
    for key, entry in _entries("rounds.yaml", "suites").items():
        suites.append(str(entry["name"]).removeprefix("MLPerf "))
        for version, day in (entry.get("rounds") or {}).items():
            if day is not None:
                published[key, str(version)] = day if isinstance(day, date) else date.fromisoformat(str(day))
    return Names(
        # "Ada" or "VR" may be part of other words in prose; three letters at least, or a digit.
        _pattern((s for s in submitters if len(s) > 2 or not s.isascii()), ignore_case=False),
        _pattern((s for s in models if len(s) > 3), ignore_case=True),
        _pattern((s for s in hardware if len(s) > 3 or any(c.isdigit() for c in s)), ignore_case=True),
        tuple(suites),
        published,
    )
