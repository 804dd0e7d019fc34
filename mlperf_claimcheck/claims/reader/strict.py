"""Words that are easily taken for noise although they say something: they are understood here, or refused.

What is claimed of "a full rack", "each" of several racks, "in any division", "all three scenarios" or "in that order"
is more than the same sentence claims without these words. Each of them changes the items of the claim so that it is
checked, or is handed back as a word that could not be accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import Amount, Per
from mlperf_claimcheck.claims.reader.compose import Item
from mlperf_claimcheck.claims.reader.tokens import Token
from mlperf_claimcheck.metrics.number import PrintedNumber
from mlperf_claimcheck.vocabulary.text import is_cjk

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary

_RACK_WORDS = re.compile(r"rack|机柜|机架|整柜", re.IGNORECASE)
_QUANTIFIERS = frozenset({"any", "all", "every", "each", "either", "both", "across", "regardless"})
_QUANTIFIERS_OF_PARTS = frozenset({"per", "each", "every", "/", "每", "每个", "每台"})
_NEAR = 4
"""Words between a quantifier and its noun ("any other submitted benchmark")."""
_OF = re.compile(r"of|of the|the|its|our|their|的")
_EACH = re.compile(r"every|each|in all|both|each|每")
_COMPARING = frozenset({"compare", "direction_up", "direction_down", "ratio", "percent", "change_up", "change_down"})
_PREPOSITION = re.compile(r"(?:of|in|on|for|with|at|by|from|to|using|under|via|through)(?: the)?|在|的")
_FIGURES = ("value", "number", "ratio", "percent")
ORDERED = "ordered"
"""Option of a `top_n` whose names stand in the order of their places."""
_SCENARIO_SIGNS = {2: "both", 3: "all_scenarios"}
_EXACT_DIGITS = 4
"""A figure with fewer digits is rounded, and "exactly" is not said of it."""


@dataclass
class Refined:
    """The items of a claim after what its small words add, and those that could not be accounted for."""

    items: list[Item]
    refused: list[Item] = field(default_factory=list)
    understood: frozenset[int] = frozenset()
    """Places of the words "each" that are part of a figure's divisor now, and say nothing of every result."""


def refine(
    items: Sequence[Item], tokens: Sequence[Token], vocabulary: Vocabulary, hardware: Iterable[str] = ()
) -> Refined:
    """The items of a claim with the small words among its tokens understood or refused.

    `hardware` are the ids that the claim's fields give: its text may speak of "the rack" without naming it again.
    """
    work = _Work(list(items), tokens, vocabulary)
    work.hardware = tuple(hardware)
    work.units_said_twice()
    work.glued()
    work.exact_words()
    work.sizes()
    work.each_of()
    work.racks()
    work.nouns()
    work.others()
    work.parts()
    work.scenarios()
    work.scopes()
    work.orders()
    refused = sorted(work.refused, key=lambda i: i.first)
    return Refined(sorted(work.items, key=lambda i: i.first), refused, frozenset(work.understood))


class _Work:
    def __init__(self, items: list[Item], tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
        self.items = items
        self.tokens = tokens
        self.vocabulary = vocabulary
        self.hardware: tuple[str, ...] = ()
        self.refused: list[Item] = []
        self.understood: set[int] = set()
        self.covered = {t for i in items for t in range(i.first, i.last + 1)}

    def refuse(self, at: int) -> None:
        """The word at `at` could not be accounted for."""
        if all(not i.first <= at <= i.last for i in self.refused):
            self.refused.append(Item("leftover", self.tokens[at].text, at, at))

    def after(self, at: int) -> Item | None:
        """The next item that begins behind the token."""
        return min((i for i in self.items if i.first > at), key=lambda i: i.first, default=None)

    def rack_size(self, item: Item) -> int | None:
        """Accelerators in one product that an item names, where that is fixed."""
        return self.vocabulary.hardware[item.value].rack_size if item.kind == "hardware" else None

    def values(self) -> list[Item]:
        return [i for i in self.items if i.kind == "value"]

    # ------------------------------------------------------------------------------------------------------------------
    def units_said_twice(self) -> None:
        """ "tokens/s per second" is no throughput: a second or a thing counted behind a whole unit."""
        values = self.values()
        units = {v.unit for v in values}
        rates = {unit for unit in units if unit and unit.endswith("/s")}
        for at, token in enumerate(self.tokens):
            if at in self.covered:
                continue
            if token.has("per_second"):
                before = [v for v in values if v.last < at]
                twice = at + 1 < len(self.tokens) and self.tokens[at + 1].has("per_second")
                if twice or (before and at - before[-1].last <= 2):
                    self.refuse(at)
            elif token.has("unit_noun") and not token.has("filler") and rates - {token.value("unit_noun")}:
                self.refuse(at)

    def glued(self) -> None:
        """ "GPT-OSS-120B-chat": a word joined to the name of a model names another one."""
        for item in self.items:
            at = item.last + 1
            if item.kind != "model" or at + 1 >= len(self.tokens) or not self.tokens[at].has("dash"):
                continue
            dash, word = self.tokens[at], self.tokens[at + 1]
            named = any(i.first == at + 1 and i.kind in ("scenario", "hardware", "data_type") for i in self.items)
            if not dash.spaced and not word.spaced and not named and not word.has("count_noun") and word.text.isalpha():
                self.refuse(at + 1)

    def exact_words(self) -> None:
        """ "exactly 120 thousand" says more than a rounded figure does."""
        for at, token in enumerate(self.tokens):
            if not token.has("exact"):
                continue
            item = self.after(at)
            if item is None or item.kind not in _FIGURES or item.first - at > 2 or item.amount is None:
                continue
            if len(item.amount.number.value.normalize().as_tuple().digits) < _EXACT_DIGITS:
                self.refuse(at)

    # ------------------------------------------------------------------------------------------------------------------
    def sizes(self) -> None:
        """ "a full GB300 NVL72": all its accelerators. "full" of anything else that has parts is not understood."""
        for at, token in enumerate(self.tokens):
            if not token.has("complete") or at in self.covered:
                continue
            near = at + 1
            while near < len(self.tokens) and near not in self.covered and self.tokens[near].has("filler"):
                near += 1
            item = next((i for i in self.items if i.first == near), None)
            if item is not None and item.kind == "count" and item.value == "accelerators":
                if self._whole(item):
                    continue
            size = self.rack_size(item) if item is not None else None
            if item is not None and size:
                if not self._counted(item):
                    self.items.append(Item("count", "accelerators", at, at, count=size, options=("rack",)))
                continue
            if item is not None and item.kind == "noun" and item.value == "racks":
                product = next((i for i in self.items if self.rack_size(i)), None)
                if product is not None and not self._counted(product):
                    size = self.rack_size(product)
                    self.items.append(Item("count", "accelerators", at, at, count=size, options=("rack",)))
                    continue
            if near < len(self.tokens) and (
                self.tokens[near].has("complete_of") or any(self.tokens[t].has("complete_of") for t in range(at, near))
            ):
                continue
            self.refuse(at)

    def _whole(self, count: Item) -> bool:
        """Whether a count is that of a whole product: "a full 72-GPU GB300 NVL72", "a full rack of 72 GPUs"."""
        sizes = {self.rack_size(i) for i in self.items} - {None}
        return any(size and count.count and count.count % size == 0 for size in sizes)

    def _counted(self, product: Item) -> bool:
        """Whether a number of accelerators already stands with a product."""
        return any(i.kind == "count" and i.value == "accelerators" and "rack" in i.options for i in self.items)

    # ------------------------------------------------------------------------------------------------------------------
    def each_of(self) -> None:
        """ "Four racks do 676,283 tokens/s each", "9 nodes reach 115,000 tokens/s each": of each one, not of all."""
        values = self.values()
        for at, token in enumerate(self.tokens):
            if not token.has("each_one") or (at in self.covered and not is_cjk(token.text[0])):
                continue
            behind = next((v for v in values if v.last == at - 1), None)
            counts = [i for i in self.items if i.kind == "count" and (i.count or 0) > 1]
            ahead = next((c for c in counts if at < c.first <= at + 4), None)
            before = self._subject_of_each(at, counts)
            if ahead is None and behind is None and before is None:
                continue
            ahead = ahead or before
            near = [ahead] if ahead is not None else [c for c in counts if behind is not None and c.last < behind.first]
            targets = [behind] if behind is not None else values
            if len(near) != 1 or len(targets) != 1 or targets[0].per is not None:
                if near and targets and any(v.per is None for v in targets):
                    self.refuse(at)
                continue
            count, value = near[0], targets[0]
            if count is None or value is None:
                continue
            self.understood.add(at)
            if "rack" in count.options:
                self._by_racks(value, count, at)
            elif count.value in ("accelerators", "nodes"):
                per = Per.NODE if count.value == "nodes" else Per.ACCELERATOR
                self.items = [replace(i, per=per) if i is value else i for i in self.items]
            elif count.value == "racks":
                self.refuse(at)

    def _subject_of_each(self, at: int, counts: Sequence[Item]) -> Item | None:
        """The count that an "each" before its verb speaks of: "its eight GPUs each do X".

        "With 72 GPUs each" is a size.
        Behind a count of Chinese words "each" may stand anywhere before the figure.
        """
        chinese = is_cjk(self.tokens[at].text[0])
        found = [c for c in counts if c.last < at]
        if not found or len({i.value for i in self.items if i.kind in ("submitter", "hardware")}) > 2:
            return None
        count = found[-1]
        if chinese:
            return count if "rack" in count.options or count.value == "nodes" else None
        ends = [i.last for i in self.items if i.first >= count.first and i.last < at]
        preceding = self.tokens[count.first - 1].text.lower() if count.first else ""
        sized = re.fullmatch(r"with|of|at|using|on|,|\(|from|over|across", preceding) is not None
        return count if max(ends) == at - 1 and not sized else None

    def _by_racks(self, value: Item, count: Item, at: int) -> None:
        """A figure of each rack: that of the whole system is as many times as much."""
        product = next((i for i in self.items if i.first > count.last and self.rack_size(i)), None)
        size = self.rack_size(product) if product is not None else None
        if not size or not count.count or count.count % size or value.amount is None:
            self.refuse(at)
            return
        amount = _times(value.amount, count.count // size)
        self.items = [replace(i, amount=amount, per=None) if i is value else i for i in self.items]

    def racks(self) -> None:
        """ "676,283 tokens/s per rack": of a whole rack, or of each of the racks that are named."""
        for item in list(self.items):
            said = [t for t in range(item.first, item.last + 1) if _RACK_WORDS.search(self.tokens[t].text)]
            divided = item.kind == "value" and item.per is Per.SYSTEM
            if not said or not (divided or (item.kind == "per" and item.value == "system")):
                continue
            values = [item] if divided else [v for v in self.values() if v.per is None]
            products = {i.value: i for i in self.items if self.rack_size(i)}
            if not products and self.hardware:
                continue
            if len(values) != 1 or len(products) != 1:
                self.refuse(said[0])
                continue
            value, (product,) = values[0], products.values()
            counts = [i for i in self.items if i.kind == "count" and i.value == "accelerators"]
            size = self.rack_size(product)
            if not counts:
                first = product.first
                self.items.append(Item("count", "accelerators", first, first, count=size, options=("rack",)))
            elif len(counts) == 1:
                self._by_racks(value, counts[0], said[0])
            else:
                self.refuse(said[0])

    # ------------------------------------------------------------------------------------------------------------------
    def nouns(self) -> None:
        """A rack or a TPU in a claim that names no such hardware."""
        named = {i.value for i in self.items if i.kind == "hardware"} or set(self.hardware)
        racks = any(self.vocabulary.hardware[name].rack_size for name in named)
        tpus = any(self.vocabulary.hardware_within(name, "tpu") for name in named)
        for at, token in enumerate(self.tokens):
            rack = token.value("count_noun") == "racks" and not racks
            tpu = re.search(r"\btpus?$", token.text.lower()) and not tpus
            if token.has("count_noun") and (rack or tpu):
                self.refuse(at)

    def others(self) -> None:
        """ "AMD's partners" are not AMD; the partner that a name follows is only called so."""
        for at, token in enumerate(self.tokens):
            if not token.has("others") or at in self.covered:
                continue
            item = self.after(at)
            if item is None or item.kind != "submitter" or item.first != at + 1:
                self.refuse(at)

    def parts(self) -> None:
        """A figure of each device, machine or instance is not published."""
        for at, token in enumerate(self.tokens):
            if at in self.covered or not token.has("unpublished_part"):
                continue
            back = at - 1
            while back >= 0 and back not in self.covered and not self.tokens[back].has("each_one"):
                word = self.tokens[back]
                if not word.has("filler") or word.has("per_word") or at - back > _NEAR:
                    break
                back -= 1
            word = self.tokens[back]
            if (
                back >= 0
                and at - back <= _NEAR
                and (word.has("each_one") or word.text.lower() in _QUANTIFIERS_OF_PARTS)
            ):
                self.refuse(at)

    # ------------------------------------------------------------------------------------------------------------------
    def _quantified(self) -> list[tuple[int, str, str]]:
        """Places of the nouns that "any", "all", "every", "across" and the like speak of, and what they stand for,
        with the word that quantifies."""
        found: dict[int, tuple[str, str]] = {}
        for at, token in enumerate(self.tokens):
            if not _quantifies(token):
                continue
            near = at + 1
            while near < len(self.tokens) and _OF.fullmatch(self.tokens[near].text.lower()):
                near += 1  # "all of the benchmarks"
            while near < len(self.tokens) and not self.tokens[near].has("quantified"):
                word = self.tokens[near]
                quiet = (word.has("filler") and not word.has("count_noun")) or word.has("mlperf") or word.has("dash")
                if not quiet or near - at > _NEAR or _PREPOSITION.fullmatch(word.text.lower()):
                    break
                near += 1
            if near < len(self.tokens) and self.tokens[near].has("quantified"):
                found.setdefault(near, (self.tokens[near].value("quantified"), token.text.lower()))
        return [(at, noun, word) for at, (noun, word) in sorted(found.items())]

    def scenarios(self) -> None:
        """ "all three scenarios", "in every scenario": each of them, whether the submitter has results in it or not."""
        named = {i.value for i in self.items if i.kind == "scenario"}
        for item in [i for i in self.items if i.kind == "count" and i.value == "scenarios"]:
            if named:
                if len(named) != item.count:
                    self.refuse(item.first)
                self.items.remove(item)
            elif item.count in _SCENARIO_SIGNS:
                kind = _SCENARIO_SIGNS[item.count or 0]
                self.items = [replace(i, kind=kind, value="") if i is item else i for i in self.items]
            else:
                self.refuse(item.first)
        if named:
            return
        for at, noun, _ in self._quantified():
            if noun == "scenario" and not any(i.kind in _SCENARIO_SIGNS.values() for i in self.items):
                self.items.append(Item("all_scenarios", "", at, at))

    def scopes(self) -> None:
        """ "in any division", "of all benchmarks", "across all rounds": the widest scope that the words allow."""
        kinds = {i.kind for i in self.items}
        ranked = bool(kinds & {"superlative", "rank", "top_n"})
        compared = ranked or bool(kinds & _COMPARING)
        for at, noun, word in self._quantified():
            if noun == "division" and ranked and "division" not in kinds:
                self.items.append(Item("division", "any", at, at, options=("any",)))
            elif noun == "round" and ranked and not _EACH.search(word):
                self.items.append(Item("superlative", "record", at, at))
            elif noun == "model":
                counted = any(i.kind == "count" and i.value in ("results", "submitters") for i in self.items)
                if "model" in kinds or not (ranked or counted):
                    self.refuse(at)
            elif noun == "hardware":
                if not compared and "value" in kinds and kinds & {"hardware", "machine"} and at not in self.covered:
                    self.refuse(at)
            elif noun in ("division", "round", "other"):
                self.refuse(at)

    def orders(self) -> None:
        """ "in that order" of names that share a place: each has the next place. Elsewhere it has to join two lists."""
        signs = [i for i in self.items if i.kind == "respectively" and self.tokens[i.first].has("order")]
        for sign in signs:
            places = [i for i in self.items if i.kind == "top_n"]
            figures = [
                i for i in self.items if i.kind in ("value", "number", "ratio", "percent") and i.first < sign.first
            ]
            names = [i for i in self.items if i.kind == "submitter"]
            if len(places) == 1 and len({n.value for n in names}) == len(names) == places[0].count and not figures:
                self.items = [replace(i, options=(ORDERED,)) if i is places[0] else i for i in self.items]
            elif len(figures) < 2:
                self.refuse(sign.first)


def wrong_tasks(
    items: Sequence[Item], tokens: Sequence[Token], models: Iterable[str], vocabulary: Vocabulary
) -> list[Item]:
    """Words for what a benchmark does ("speech recognition") beside no benchmark that does it."""
    named = [benchmark for name in models for benchmark in (vocabulary.models[name].ids or (name,))]
    covered = {t for i in items for t in range(i.first, i.last + 1)}
    known = vocabulary.lexicon.task_models
    return [
        Item("leftover", token.text, at, at)
        for at, token in enumerate(tokens)
        if at not in covered
        and token.has("task")
        and not any(name.startswith(known.get(task, ())) for name in named for task in token.values("task"))
    ]


def _quantifies(token: Token) -> bool:
    words = set(re.split(r"[\s-]+", token.text.lower()))
    return bool(words & _QUANTIFIERS) or (is_cjk(token.text[0]) and token.has("scope"))


def _times(amount: Amount, count: int) -> Amount:
    """A figure of one, as that of `count` of them together."""
    if count == 1:
        return amount
    number = amount.number
    factor = Decimal(count)
    whole = PrintedNumber(number.value * factor, number.quantum * factor, f"{count} × {number.text}")
    return replace(amount, number=whole)
