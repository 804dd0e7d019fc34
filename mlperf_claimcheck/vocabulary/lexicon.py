"""All known phrases, and finding the longest one at a place in a running text.

The phrases are the words of `language.yaml` and every spelling of a name. They are folded when the table of names is
compiled, so that a run only looks them up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

from mlperf_claimcheck.vocabulary.text import is_cjk, normalise

KINDS = ("model", "hardware", "submitter", "group", "unit", "divisor", "suite")
"""Kinds of names that `phrases_of` lists."""
_SEPARATORS = " -_"
_ASCII_RUNS = re.compile(r"[A-Za-z]+|[0-9]+|[ _-]+|[^A-Za-z0-9 _-]")
# A gap between two digits tells names apart ("Llama 2 70B" is not "Llama 270B"), one between letters does not.
_LETTER_GAP = re.compile(r" (?!(?<=\d )\d)")

_NAMES = ("model", "hardware", "submitter")
"""Kinds whose spellings may be written together ("GPTOSS120B")."""

Meaning = tuple[str, str]
"""(kind, value): ("model", "gpt-oss-120b"), ("relation", "gt"), ("filler", "")."""


@lru_cache(maxsize=4096)
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
        self.at: list[int] = []
        """For each character its place in `folded`; -1 for a separator."""
        self.stops: list[int] = []
        """For each folded character the place after its run of letters or digits; other characters are alone."""
        self.ends: dict[int, int] = {}
        """For each place in `folded` where a phrase may end: where it ends in the text."""
        lower = text.lower()
        if len(lower) != len(text):
            lower = "".join(c.lower()[:1] or c for c in text)
        pieces: list[str] = []
        position = place = 0
        before, single = 0, False
        size = len(lower)
        for run in _ASCII_RUNS.findall(lower) if text.isascii() else _runs(text, lower):
            length = len(run)
            kind = _class(text[position])
            if run[0] in _SEPARATORS:
                self.at += [-1] * length
                after = position + length
                if position > 0 and after < size:
                    following = _class(text[after])
                    stays = before == following and before in (1, 2)
                    if stays or (before == 1 and following == 2 and single and " " in run):
                        pieces.append(" ")
                        place += 1
                        self.stops.append(place)
            else:
                stop = place + length
                self.at += range(place, stop)
                self.stops += [stop] * length
                self.ends[stop] = position + length
                pieces.append(run)
                place = stop
            before, single = kind, kind == 1 and length == 1
            position += length
        self.folded = "".join(pieces)


def _runs(text: str, lower: str) -> Iterator[str]:
    """The runs of letters, digits and separators of a text in lower case, and every other character alone."""
    for (kind, separator), run in groupby(range(len(text)), lambda i: (_class(text[i]), lower[i] in _SEPARATORS)):
        places = list(run)
        if kind in (1, 2) or separator:
            yield lower[places[0] : places[-1] + 1]
        else:
            yield from (lower[place] for place in places)


def condense(phrase: str) -> str:
    """The key of a phrase."""
    folded = Condensed(phrase)
    return folded.folded if folded.at and folded.at[0] == 0 else ""


_SECTIONS: Mapping[str, str] = {
    "filler": "filler",
    "relations": "relation",
    "relations_after": "relation_after",
    "plus_minus": "plus_minus",
    "multipliers": "multiplier",
    "number_words": "number_word",
    "ratio_words": "ratio_word",
    "percent_words": "percent_word",
    "times": "times",
    "percent": "percent",
    "machine_series": "machine_series",
    "count_nouns": "count_noun",
    "per_words": "per_word",
    "per_adjectives": "per",
    "list_and": "and",
    "list_slash": "slash",
    "respectively": "respectively",
    "both_scenarios": "both",
    "all_scenarios": "all_scenarios",
    "scenarios": "scenario",
    "suites": "suite",
    "divisions": "division",
    "availabilities": "availability",
    "verified_words": "verified",
    "unverified_words": "unverified",
    "compare": "compare",
    "change_up": "change_up",
    "change_down": "change_down",
    "difference_words": "difference",
    "direction_up": "direction_up",
    "direction_down": "direction_down",
    "superlatives": "superlative",
    "ranks": "rank",
    "top_words": "top_word",
    "scope": "scope",
    "any_hardware": "any_hardware",
    "submit_words": "submit",
    "negation": "negation",
    "submit_negation": "submit_negation",
    "plan": "plan",
    "hypothetical": "hypothetical",
    "inverted": "inverted",
    "universal": "universal",
    "change_from": "change_from",
    "change_to": "change_to",
    "is_words": "is_words",
    "question": "question",
    "unsupported": "unsupported",
    "metric_latency": "latency",
    "power_words": "power",
    "scaling_words": "scaling",
    "largest_system": "largest",
    "own_side": "own_side",
    "prior_round": "prior_round",
    "this_round": "this_round",
    "round_words": "round_word",
    "mlperf": "mlperf",
    "data_types": "data_type",
    "conjunct_break": "break",
    "from_to": "from_to",
    "range_words": "range",
    "per_second": "per_second",
    "unit_nouns": "unit_noun",
    "sum_words": "sum",
    "between": "between",
    "limits": "limit",
    "copula": "copula",
    "average": "average",
    "change_neutral": "change_neutral",
    "ranking_words": "ranking",
    "among_words": "among",
    "tops": "tops",
    "object_markers": "object_marker",
    "versus": "versus",
    "takes_words": "takes",
    "ran_words": "ran",
    "result_nouns": "result_noun",
    "none_of": "none_of",
    "means_words": "means",
    "features": "feature",
    "exact_words": "exact",
    "complete_words": "complete",
    "complete_of": "complete_of",
    "each_one": "each_one",
    "order_words": "order",
    "quantified": "quantified",
    "either_words": "scope",
    "tasks": "task",
    "others": "others",
    "unpublished_parts": "unpublished_part",
}
"""Section of `language.yaml` -> the kind of its phrases."""


class Lexicon:
    """All phrases by key. Never changes: `extended` makes another one."""

    def __init__(
        self,
        entries: Mapping[str, Sequence[Sequence[str]]],
        starts: Mapping[str, int],
        language: Mapping[str, Any],
    ) -> None:
        self._entries = entries
        """Meanings by key as the compiled table writes them: a run needs few of the thousands as `Meaning`s."""
        self._known: dict[str, tuple[Meaning, ...]] = {}
        self._crossed: dict[str, bool] = {}
        self._starts = starts
        """Length of the longest key that begins with a run of letters or digits, or with another character."""
        pairs = str(language.get("traditional", ""))
        self.traditional: Mapping[str, str] = dict(zip(pairs[::2], pairs[1::2], strict=False))
        """Traditional to simplified Chinese characters."""
        words = [
            ("".join(self.traditional.get(c, c) for c in old), str(new))
            for old, new in language.get("traditional_words", {}).items()
        ]
        self.simplified_words = [(old, new) for old, new in words if len(old) == len(new) and old != new]
        """Words that differ between the two Chinese usages, in simplified characters: (theirs, ours)."""
        self.machine_series = frozenset(map(str, language.get("machine_series", ())))
        """Series of servers, as they stand in the system names of results."""
        self.features: Mapping[str, tuple[str, ...]] = {
            str(name): tuple(map(str, (*spellings, *language.get("features_implied", {}).get(name, ()))))
            for name, spellings in language.get("features", {}).items()
        }
        """Software and equipment that texts name, and the words that stand for it in the published columns."""
        self.task_models: Mapping[str, tuple[str, ...]] = {
            str(task): tuple(map(str, models)) for task, models in language.get("task_models", {}).items()
        }
        """What a benchmark is for -> how the ids of such benchmarks begin."""
        self._extended: tuple[tuple[str, ...], Lexicon] | None = None
        self._language = language

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Names of hardware and models that are one word with a digit: b200, mi355x."""
        return tuple(k for k in self.keys(("hardware", "model")) if " " not in k and any(map(str.isdigit, k)))

    def extended(self, groups: tuple[str, ...]) -> Lexicon:
        """This lexicon with further names of peer groups, in singular and plural. The last one asked for is kept,
        since all claims of a file have the same groups."""
        if not groups:
            return self
        if self._extended is None or self._extended[0] != groups:
            entries, starts = {key: self.meanings(key) for key in self._entries}, dict(self._starts)
            for name in groups:
                for spelling in (name, name[:-1] if name.endswith("s") else name + "s"):
                    _add(entries, starts, spelling, "group", name)
            self._extended = groups, Lexicon(entries, starts, self._language)
        return self._extended[1]

    def meanings(self, key: str) -> tuple[Meaning, ...]:
        """The meanings of a key; none for a key that there is not."""
        known = self._known.get(key)
        if known is None:
            known = tuple((kind, value) for kind, value in self._entries.get(key, ()))
            if known:
                self._known[key] = known
        return known

    def crosses(self, characters: str) -> bool:
        """Whether a phrase has one of these characters."""
        known = self._crossed.get(characters)
        if known is None:
            held = set("".join(self._entries))
            known = self._crossed[characters] = not held.isdisjoint(characters)
        return known

    def keys(self, kinds: Iterable[str]) -> list[str]:
        """The keys of the phrases of these kinds."""
        wanted = frozenset(kinds)
        return [key for key, meanings in self._entries.items() if any(kind in wanted for kind, _ in meanings)]

    def longest(self, condensed: Condensed, start: int) -> tuple[tuple[Meaning, ...], int] | None:
        """The meanings of the longest phrase that begins at `start`, and where it ends."""
        place = condensed.at[start]
        if place < 0:
            return None
        folded, stops = condensed.folded, condensed.stops
        stop = stops[place]
        longest = self._starts.get(folded[place:stop])
        if longest is None:
            return None
        last = min(len(folded), place + longest)
        possible = []
        while stop <= last:
            possible.append(stop)
            if stop == len(folded):
                break
            stop = stops[stop]
        entries, ends = self._entries, condensed.ends
        for stop in reversed(possible):
            if stop in ends:
                key = folded[place:stop]
                if key in entries:
                    return self.meanings(key), ends[stop]
        return None


def _add(entries: dict[str, tuple[Meaning, ...]], starts: dict[str, int], phrase: str, kind: str, value: str) -> None:
    """Add a phrase; one phrase may mean several things."""
    key = condense(phrase)
    if not key:
        return
    for variant in dict.fromkeys((key, _LETTER_GAP.sub("", key)) if kind in _NAMES else (key,)):
        known = entries.get(variant, ())
        if (kind, value) not in known:
            entries[variant] = (*known, (kind, value))
        start = variant[: Condensed(variant).stops[0]]
        starts[start] = max(starts.get(start, 0), len(variant))


def phrases_of(spellings: Mapping[str, Mapping[str, Iterable[str]]]) -> Iterator[tuple[str, str, str]]:
    """All spellings as (kind, id, spelling). Scenarios are not listed: the language file has them."""
    for kind in KINDS:
        for name_id, listed in spellings[kind].items():
            for spelling in listed:
                yield kind, name_id, spelling


def compile_lexicon(language: Mapping[str, Any], names: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """The phrases of a language file and of names (kind, id, spelling), folded, as the compiled table holds them."""
    entries: dict[str, tuple[Meaning, ...]] = {}
    starts: dict[str, int] = {}
    traditional = Lexicon({}, {}, language).traditional

    def put(phrase: Any, kind: str, value: str) -> None:
        _add(entries, starts, normalise(str(phrase), traditional)[0].strip(), kind, value)

    for section, kind in _SECTIONS.items():
        content = language.get(section, ())
        if isinstance(content, Mapping):
            for name, phrases in content.items():
                for phrase in phrases:
                    put(phrase, kind, str(name))
        else:
            for item in content:
                for phrase in item if isinstance(item, list | tuple) else (item,):
                    put(phrase, kind, "" if section == "filler" else section)
    for kind, identifier, spelling in names:
        put(spelling, "mlperf_suite" if kind == "suite" else kind, identifier)
    return {"entries": entries, "starts": starts}


def load_lexicon(compiled: Mapping[str, Any], language: Mapping[str, Any]) -> Lexicon:
    """The lexicon of a compiled table."""
    return Lexicon(compiled["entries"], compiled["starts"], language)
