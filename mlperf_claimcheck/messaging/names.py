"""Names that copy mentions (submitters, models, hardware, suites), found by the spellings of the vocabulary's data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import Any

from mlperf_claimcheck.files import packaged_yaml

_VOCABULARY = "mlperf_claimcheck.vocabulary"
_SEPARATOR = re.compile(r"[\s_‐‑‒–-]+")


_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+%/]*")
_WORDS = 7
"""The most words that a name is looked for in."""


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a text."""

    text: str
    first: int
    last: int

    def group(self) -> str:
        """The name as it stands."""
        return self.text[self.first : self.last]

    def start(self) -> int:
        """Offset of its first character."""
        return self.first

    def end(self) -> int:
        """Offset behind its last character."""
        return self.last


class NameFinder:
    """Finds known names in a text, whatever stands between their words (space, hyphen, underscore, nothing).

    In one pass over the words: an alternation of a thousand spellings would take minutes for a long text.
    """

    def __init__(self, spellings: Iterable[str], *, ignore_case: bool) -> None:
        self._fold = ignore_case
        self._keys: set[str] = set()
        chinese: set[str] = set()
        for spelling in spellings:
            if spelling.isascii():
                self._keys.add(self._key(_SEPARATOR.sub("", spelling)))
            else:
                chinese.add(spelling)
        self._begins = {k[:n] for k in self._keys for n in range(1, len(k) + 1)}
        ordered = sorted(chinese, key=len, reverse=True)
        self._chinese = re.compile("|".join(map(re.escape, ordered)) or r"(?!)")

    def _key(self, text: str) -> str:
        return text.lower() if self._fold else text

    def finditer(self, text: str) -> Iterator[Found]:
        """The names of a text: those of Latin script in order, then the others."""
        words = _words(text)
        ahead: list[tuple[int, int, str]] = []
        while True:
            if not ahead and (ahead := list(islice(words, 1))) == []:
                break
            start, end, key = ahead[0][0], ahead[0][1], self._key(ahead[0][2])
            if key not in self._begins:
                del ahead[0]
                continue
            best = (end, 1) if key in self._keys else None
            following = 1
            while following < _WORDS and key in self._begins:
                if following == len(ahead):
                    ahead += islice(words, 1)
                if following == len(ahead):
                    break
                between = text[end : ahead[following][0]]
                if between and (len(between) > 3 or _SEPARATOR.fullmatch(between) is None):
                    break
                end = ahead[following][1]
                key += self._key(ahead[following][2])
                following += 1
                if key in self._keys:
                    best = (end, following)
            if best is None:
                del ahead[0]
                continue
            yield Found(text, start, best[0])
            del ahead[: best[1]]
        if not text.isascii():
            for match in self._chinese.finditer(text):
                yield Found(text, *match.span())

    def search(self, text: str) -> Found | None:
        """A name of the text, or None."""
        return next(self.finditer(text), None)

    def is_name(self, text: str) -> bool:
        """Whether the text is such a name and nothing more."""
        return self._key(_SEPARATOR.sub("", text.strip())) in self._keys or self._chinese.fullmatch(text) is not None


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """The words of a text with where they begin and end; the first name is often found early."""
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word[-1] in "./+":
            word = word.rstrip(".+/%")
        yield token.start(), token.start() + len(word), word


def _spellings(entry: Mapping[str, Any], key: str) -> Iterator[str]:
    yield str(entry.get("name", key))
    yield from (str(s) for s in entry.get("aliases") or ())
    yield from (str(s) for s in entry.get("published") or ())


def _entries(name: str, key: str) -> Mapping[str, Mapping[str, Any]]:
    data = packaged_yaml(_VOCABULARY, "data", name)
    found: Mapping[str, Mapping[str, Any]] = data[key]
    return found


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the field."""

    submitter: NameFinder
    model: NameFinder
    hardware: NameFinder
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
        NameFinder((s for s in submitters if len(s) > 2 or not s.isascii()), ignore_case=False),
        NameFinder((s for s in models if len(s) > 3), ignore_case=True),
        NameFinder((s for s in hardware if len(s) > 3 or any(c.isdigit() for c in s)), ignore_case=True),
        tuple(suites),
        published,
    )
