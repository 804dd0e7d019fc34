"""The phrases that the reader knows, and finding the longest one at a place in a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mlperf_claimcheck.claims.reader.text import is_cjk, normalise

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary

_SEPARATORS = " -_"
# A gap between two digits tells names apart ("Llama 2 70B" is not "Llama 270B"), one between letters does not.
_LETTER_GAP = re.compile(r" (?!(?<=\d )\d)")

Meaning = tuple[str, str]
"""(kind, value): ("model", "gpt-oss-120b"), ("relation", "gt"), ("filler", "")."""


def _class(char: str) -> int:
    if is_cjk(char):
        return 3
    if char.isalpha():
        return 1
    if char.isdigit():
        return 2
    return 0


class Condensed:
    """A text with its separators folded, so that `GB300-NVL72`, `GB300 NVL72` and `GB300NVL72` are one key.

    A separator between two letters counts as one space; between two digits it stays (so `Llama 2 70B` is not
    `Llama 270B`), and a space between a single letter and a digit stays (`a 100` is not `A100`); elsewhere it goes.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.lower = text.lower() if len(text.lower()) == len(text) else "".join(c.lower()[:1] or c for c in text)
        classes = [_class(c) for c in text]
        lower = self.lower
        size = len(lower)
        folded: list[str] = []
        ends: list[int] = []
        self.at: list[int] = [-1] * size
        """For each character its place in `folded`; -1 for a separator."""
        position = 0
        while position < size:
            if lower[position] in _SEPARATORS:
                after = position
                while after < size and lower[after] in _SEPARATORS:
                    after += 1
                if position > 0 and after < size:
                    before, following = classes[position - 1], classes[after]
                    single = before == 1 and (position < 2 or classes[position - 2] != 1)
                    stays = before == following and before in (1, 2)
                    if stays or (before == 1 and following == 2 and single and " " in lower[position:after]):
                        folded.append(" ")
                        ends.append(0)
                position = after
                continue
            self.at[position] = len(folded)
            folded.append(lower[position])
            kind = classes[position]
            position += 1
            whole = position >= size or classes[position] != kind or kind in (0, 3)
            ends.append(position if whole else 0)
        self.folded = "".join(folded)
        self.ends = ends
        """For each folded character the end of a phrase that ends there; 0 where none may end."""


def condense(phrase: str) -> str:
    """The key of a phrase."""
    folded = Condensed(phrase)
    return folded.folded if folded.at and folded.at[0] == 0 else ""


class Lexicon:
    """All phrases by key."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[Meaning, ...]] = {}
        self.starts: dict[str, int] = {}

    def add(self, phrase: str, kind: str, value: str) -> None:
        """Add a phrase; one phrase may mean several things."""
        key = condense(phrase)
        if not key:
            return
        for variant in {key, _LETTER_GAP.sub("", key)} if kind in ("model", "hardware", "submitter") else {key}:
            known = self.entries.get(variant, ())
            if (kind, value) not in known:
                self.entries[variant] = (*known, (kind, value))
            for start in (variant[:1], variant[:2]):
                self.starts[start] = max(self.starts.get(start, 0), len(variant))

    def longest(self, condensed: Condensed, start: int) -> tuple[tuple[Meaning, ...], int] | None:
        """The meanings of the longest phrase that begins at `start`, and where it ends."""
        place = condensed.at[start]
        if place < 0:
            return None
        folded, ends, entries = condensed.folded, condensed.ends, self.entries
        limit = self.starts.get(folded[place : place + 2]) or self.starts.get(folded[place], 0)
        for stop in range(min(len(folded), place + limit), place, -1):
            end = ends[stop - 1]
            if end:
                meanings = entries.get(folded[place:stop])
                if meanings:
                    return meanings, end
        return None


@lru_cache(maxsize=4)
def lexicon_for(vocabulary: Vocabulary) -> Lexicon:
    """The lexicon of a vocabulary (built once)."""
    language = vocabulary.language
    lexicon = Lexicon()
    traditional = traditional_map(language)

    def put(phrase: Any, kind: str, value: str) -> None:
        text, _ = normalise(str(phrase), traditional)
        lexicon.add(text.strip(), kind, value)

    def walk(section: str, kind: str, value: str | None = None) -> None:
        content = language.get(section, ())
        if isinstance(content, Mapping):
            for name, phrases in content.items():
                for phrase in phrases:
                    put(phrase, kind, str(name))
        else:
            for item in content:
                for phrase in item if isinstance(item, list | tuple) else (item,):
                    put(phrase, kind, value or section)

    walk("filler", "filler", "")
    for section, kind in (
        ("relations", "relation"),
        ("relations_after", "relation_after"),
        ("plus_minus", "plus_minus"),
        ("multipliers", "multiplier"),
        ("number_words", "number_word"),
        ("ratio_words", "ratio_word"),
        ("percent_words", "percent_word"),
        ("times", "times"),
        ("percent", "percent"),
        ("count_nouns", "count_noun"),
        ("per_words", "per_word"),
        ("per_adjectives", "per"),
        ("list_and", "and"),
        ("list_slash", "slash"),
        ("respectively", "respectively"),
        ("both_scenarios", "both"),
        ("all_scenarios", "all_scenarios"),
        ("scenarios", "scenario"),
        ("suites", "suite"),
        ("divisions", "division"),
        ("availabilities", "availability"),
        ("verified_words", "verified"),
        ("unverified_words", "unverified"),
        ("compare", "compare"),
        ("change_up", "change_up"),
        ("change_down", "change_down"),
        ("difference_words", "difference"),
        ("direction_up", "direction_up"),
        ("direction_down", "direction_down"),
        ("superlatives", "superlative"),
        ("ranks", "rank"),
        ("top_words", "top_word"),
        ("scope", "scope"),
        ("any_hardware", "any_hardware"),
        ("submit_words", "submit"),
        ("negation", "negation"),
        ("submit_negation", "submit_negation"),
        ("plan", "plan"),
        ("hypothetical", "hypothetical"),
        ("question", "question"),
        ("unsupported", "unsupported"),
        ("metric_latency", "latency"),
        ("power_words", "power"),
        ("scaling_words", "scaling"),
        ("largest_system", "largest"),
        ("prior_round", "prior_round"),
        ("this_round", "this_round"),
        ("round_words", "round_word"),
        ("mlperf", "mlperf"),
        ("data_types", "data_type"),
        ("conjunct_break", "break"),
        ("from_to", "from_to"),
        ("range_words", "range"),
        ("per_second", "per_second"),
        ("unit_nouns", "unit_noun"),
    ):
        walk(section, kind)
    for kind, identifier, spelling in vocabulary.phrases():
        put(spelling, "mlperf_suite" if kind == "suite" else kind, identifier)
    return lexicon


_TRADITIONAL: dict[int, tuple[Mapping[str, Any], dict[str, str]]] = {}


def traditional_map(language: Mapping[str, Any]) -> dict[str, str]:
    """Traditional to simplified characters (worked out once for a language)."""
    known = _TRADITIONAL.get(id(language))
    if known is None:
        known = _TRADITIONAL[id(language)] = (language, _traditional(language))
    return known[1]


def _traditional(language: Mapping[str, Any]) -> dict[str, str]:
    pairs = str(language.get("traditional", ""))
    return {pairs[i]: pairs[i + 1] for i in range(0, len(pairs) - 1, 2)}


_WORDS: dict[int, tuple[Mapping[str, Any], list[tuple[str, str]]]] = {}


def simplified_words(language: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Words that differ between the two Chinese usages, in simplified characters: (theirs, ours), of equal length."""
    known = _WORDS.get(id(language))
    if known is None:
        characters = traditional_map(language)
        pairs = [
            ("".join(characters.get(c, c) for c in old), str(new))
            for old, new in language.get("traditional_words", {}).items()
        ]
        known = _WORDS[id(language)] = (language, [(o, n) for o, n in pairs if len(o) == len(n) and o != n])
    return known[1]
