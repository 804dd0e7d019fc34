"""Stretches of a document as the claim reader sees them: which figures, names and signs stand in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.reader.compose import Composer, Item
from mlperf_claimcheck.claims.reader.tokens import Token, tokenize
from mlperf_claimcheck.files import packaged_yaml
from mlperf_claimcheck.vocabulary.text import UnreadableCharacterError, normalise

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary

THROUGHPUT_UNITS = frozenset({"tokens/s", "samples/s", "queries/s", "tasks/s"})

_LATIN = re.compile(r"[a-z]")
_ALPHANUMERIC = re.compile(r"[a-z0-9]+")
_RUN = re.compile(r"[a-z]{2,}|[a-z]\d+|\d+[a-z]+")
"""How names begin: "gpt" of GPT-OSS-120B, "b200" of B200, "3d" of 3D-UNet."""
_ROUND = re.compile(r"\bv\.?\s?\d", re.IGNORECASE)
_CHANGE = re.compile(r"\d\s?(?:[x×%]|percent|per cent|times|fold|-fold)", re.IGNORECASE)
_PLAIN = re.compile("[\x00-\x7f\xa0-\u024f‘’“”–—…™•]*")
"""Texts of these characters alone are Latin and hide nothing."""
_NAMES = (
    "model",
    "hardware",
    "submitter",
    "scenario",
    "mlperf",
    "result_id",
    "submit",
    "submit_negation",
    "prior_round",
)
_WITH_DIGIT = ("unit", "unit_noun", "per_second")
_CHANGE_WORDS = ("ratio_word", "percent_word")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A sentence, heading or cell, read into items."""

    text: str
    tokens: tuple[Token, ...] = ()
    items: tuple[Item, ...] = ()
    readable: bool = True
    """False: it holds characters that change how it is displayed."""

    def of(self, *kinds: str) -> list[Item]:
        """The items of these kinds, in order."""
        return [i for i in self.items if i.kind in kinds]

    def has(self, *kinds: str) -> bool:
        """Whether an item of one of these kinds stands there."""
        return any(i.kind in kinds for i in self.items)

    def names(self, kind: str) -> tuple[str, ...]:
        """The distinct names (ids of the vocabulary) of a kind, in order."""
        return tuple(dict.fromkeys(i.value for i in self.items if i.kind == kind))

    def words(self, item: Item) -> str:
        """The item's own words, as the reader sees them."""
        start, end = self.tokens[item.first].start, self.tokens[item.last].end
        return self.text[start:end]


class StretchReader:
    """Reads stretches of one document; each text once."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._read: dict[str, Stretch] = {}
        self._names = self._beginnings(_NAMES)
        self._units = self._beginnings(_WITH_DIGIT)
        self._changes = frozenset(self._beginnings(_CHANGE_WORDS))

    def _beginnings(self, kinds: Iterable[str]) -> dict[str, frozenset[str]]:
        """First word of a phrase -> the words of which one must follow; none where the first word is enough."""
        found: dict[str, set[str]] = {}
        for key in self.vocabulary.lexicon.keys(kinds):
            runs = _RUN.findall(key)
            if runs:
                found.setdefault(runs[0], set()).add(runs[1] if len(runs) > 1 else "")
        return {first: frozenset() if "" in seconds else frozenset(seconds) for first, seconds in found.items()}

    def skim(self, text: str) -> Stretch:
        """The stretch, read only where it may hold a name or a figure: most of a page holds neither.

        Cheap and on the safe side: a word counts as soon as it begins a known name.
        """
        return self.read(text) if self._may_matter(text) else Stretch(text)

    def _may_matter(self, text: str) -> bool:
        if _PLAIN.fullmatch(text) is None or _ROUND.search(text):
            return True
        runs = set(_RUN.findall(text.lower()))
        if (_CHANGE.search(text) or not runs.isdisjoint(self._changes)) and rules().measured.within(text):
            return True
        digits = any(map(str.isdigit, text))
        for known in (self._names, self._units) if digits else (self._names,):
            for first in runs & known.keys():
                seconds = known[first]
                if not seconds or not seconds.isdisjoint(runs):
                    return True
        return False

    def read(self, text: str) -> Stretch:
        """The stretch that a text is."""
        found = self._read.get(text)
        if found is None:
            found = self._new(text)
            if len(self._read) < 20_000:
                self._read[text] = found
        return found

    def _new(self, text: str) -> Stretch:
        lexicon = self.vocabulary.lexicon
        try:
            plain, _ = normalise(text, lexicon.traditional)
        except UnreadableCharacterError:
            return Stretch(text, readable=False)
        for old, new in lexicon.simplified_words:
            if old in plain:
                plain = plain.replace(old, new)
        tokens, _ = tokenize(plain, lexicon)
        items = Composer(tokens, self.vocabulary).compose()
        return Stretch(plain, tuple(tokens), tuple(items))


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A list of words, found in a text."""

    single: frozenset[str]
    """Words of letters (and digits between them) alone."""
    firsts: frozenset[str]
    """The first runs of letters and digits of the others."""
    signs: tuple[str, ...]
    """Those of the others that need not begin with such a run."""
    others: re.Pattern[str]

    @classmethod
    def of(cls, words: Iterable[str]) -> Words:
        """Latin words are found whole, Chinese words and signs anywhere."""
        single, firsts, signs, parts = set(), set(), [], []
        for word in sorted(words, key=len, reverse=True):
            begins, ends = _LATIN.match(word[0]) is not None, _LATIN.match(word[-1]) is not None
            run = _ALPHANUMERIC.match(word)
            if begins and ends and run is not None and run.end() == len(word):
                single.add(word)
                continue
            if begins and run is not None and run.end() < len(word):
                firsts.add(run[0])
            else:
                signs.append(word)
            before = r"(?<![a-z0-9])" if begins else ""
            after = r"(?![a-z0-9])" if ends else ""
            parts.append(before + re.escape(word) + after)
        return cls(frozenset(single), frozenset(firsts), tuple(signs), re.compile("|".join(parts) or r"(?!)"))

    def within(self, text: str) -> bool:
        """Whether one of the words stands in the text."""
        return _stands(self, text)


@lru_cache(maxsize=8192)
def _stands(words: Words, text: str) -> bool:
    lower = text.lower()
    runs = set(_ALPHANUMERIC.findall(lower))
    if not runs.isdisjoint(words.single):
        return True
    # Looking for many phrases at every place of a text is slow, and few texts have the beginning of one.
    if runs.isdisjoint(words.firsts) and not any(sign in lower for sign in words.signs):
        return False
    return words.others.search(lower) is not None


@dataclass(frozen=True)
class Rules:
    """The data of `extraction.yaml`."""

    other_figures: Words
    limits: Words
    measured: Words
    first_person: Words
    definitions: Words
    figures: Words
    """What a table holds, in the sentence that gives its unit."""
    name_columns: frozenset[str]
    count_columns: Mapping[str, str] = field(default_factory=dict)
    """Label -> `accelerators` or `nodes`."""
    unit_columns: frozenset[str] = frozenset()
    plain_labels: frozenset[str] = frozenset()
    empty_cells: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def rules() -> Rules:
    """The words that extraction goes by."""
    data = packaged_yaml("mlperf_claimcheck.claims", "data", "extraction.yaml")
    labels = data["column_labels"]
    return Rules(
        Words.of(word for line in data["other_figures"] for word in line),
        Words.of(data["limits"]),
        Words.of(data["measured"]),
        Words.of(data["first_person"]),
        Words.of(data["definitions"]),
        Words.of(data["figures"]),
        frozenset(labels["names"]),
        {label: what for what, spellings in labels["counts"].items() for label in spellings},
        frozenset(labels["units"]),
        frozenset(labels["plain"]),
        frozenset(data["empty_cells"]),
    )
