"""From tokens to items: figures with units, counts, mentions of names, and signs that relate them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import Amount, Per
from mlperf_claimcheck.claims.reader.tokens import Token
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation
from mlperf_claimcheck.vocabulary.text import is_cjk

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary

MENTIONS = (
    "model",
    "scenario",
    "hardware",
    "submitter",
    "round",
    "result_id",
    "division",
    "availability",
    "suite",
    "data_type",
    "group",
    "machine",
    "feature",
    "per",
)
_SIGNS = (
    "superlative",
    "rank",
    "any_hardware",
    "submit_negation",
    "negation",
    "largest",
    "own_side",
    "prior_round",
    "this_round",
    "scaling",
    "respectively",
    "both",
    "all_scenarios",
    "change_up",
    "change_down",
    "difference",
    "direction_up",
    "direction_down",
    "compare",
    "scope",
    "submit",
    "power",
    "latency",
    "plan",
    "hypothetical",
    "question",
    "unsupported",
    "unverified",
    "verified",
    "break",
    "from_to",
    "sum",
    "between",
    "average",
    "change_neutral",
    "ranking",
    "takes",
    "limit",
    "stop",
)
"""Kinds of single signs; of several that a token may be, the first counts."""
_QUIET = frozenset(
    {
        *("filler", "mark", "dash", "round_word", "count_noun", "per_second", "unit_noun"),
        *("complete", "each_one", "quantified", "exact", "task", "others", "unpublished_part"),
    }
)
"""Kinds of words that add no item; `strict` looks at those that may say something nevertheless."""
_MENTIONED, _SIGNED = frozenset(MENTIONS), frozenset(_SIGNS)
_SILENT = frozenset({"filler", "mark", "dash"})
"""A token of no other kind than these says nothing."""
_FIGURE_STARTS = frozenset({"number", "number_word", "relation", "plus_minus", "between"})
_NAMES_OF_RESULTS = ("model", "scenario", "division", "availability", "suite", "round")
_LONGEST_NAMES = 8
_ROUND_NUMBER = re.compile(r"\d{1,2}\.\d")
_FIGURE_SIGNS = (
    "unit",
    "multiplier",
    "percent",
    "times",
    "count_noun",
    "unit_noun",
    "dash",
    "relation_after",
    "per_word",
)
"""What makes a number before it a figure."""
_CODE = re.compile(r"[A-Za-z]+[-.]?\d[A-Za-z0-9]*(?:[-.][A-Za-z0-9]+)*")
"""The model of a server behind its series: XE9680L, SR680a, V3, M8, Gen12."""
_LONE_CODE = re.compile(r"(?=.{5})(?=(?:[^\d]*\d){2})" + _CODE.pattern)
"""One that is told from other words without a series: G893-ZX1-AAX4, XD685."""


@dataclass(frozen=True, slots=True)
class Item:
    """A figure, a count, a mention or a sign, with the tokens it covers."""

    kind: str
    value: str
    first: int
    last: int
    amount: Amount | None = None
    unit: str | None = None
    per: Per | None = None
    options: tuple[str, ...] = ()
    count: int | None = None


MAX_RELATIONS = 16
"""Words of relation before a number. More of them are no sentence, and following all of them from each would take
time that grows with the square of their number; what is left over makes the claim unverifiable."""


@lru_cache(maxsize=4096)
def _like_a_name(word: str, vocabulary: Vocabulary) -> bool:
    """Whether a word is spelled nearly as an accelerator or a model: "MI365X"."""
    return bool(get_close_matches(word, vocabulary.lexicon.codes, 1, 0.8))


class Composer:
    """One pass over the tokens of a claim."""

    def __init__(self, tokens: list[Token], vocabulary: Vocabulary) -> None:
        self.tokens = tokens
        self.vocabulary = vocabulary
        self.items: list[Item] = []

    def has(self, index: int, kind: str) -> bool:
        """Whether the token at `index` exists and may be of the kind."""
        return 0 <= index < len(self.tokens) and self.tokens[index].has(kind)

    def skip(self, index: int, *kinds: str) -> int:
        """The first index from `index` on whose token is none of these kinds."""
        while index < len(self.tokens) and any(self.tokens[index].has(k) for k in kinds):
            index += 1
        return index

    def is_number(self, index: int) -> bool:
        """Whether a number (in digits or words) stands there."""
        return self.has(index, "number") or self.has(index, "number_word")

    def compose(self) -> list[Item]:
        """All items, in order."""
        index = 0
        while index < len(self.tokens):
            index = self._next(index)
        return self.items

    def _add(self, kind: str, value: str, first: int, end: int, **more: object) -> int:
        self.items.append(Item(kind, value, first, end - 1, **more))  # type: ignore[arg-type]
        return end

    def _next(self, i: int) -> int:
        token = self.tokens[i]
        kinds = token.kinds
        if kinds <= _SILENT:
            return i + 1
        # "MLPerf Inference 6.1": a bare number after the name is the round.
        if token.has("number") and _ROUND_NUMBER.fullmatch(token.text) and not self._continues(i + 1):
            back = i - 1
            while back >= 0 and self.tokens[back].has("round_word"):
                back -= 1
            if back >= 0 and (self.tokens[back].has("mlperf") or self.tokens[back].has("mlperf_suite")):
                return self._add("round", token.text, i, i + 1)
        if not kinds.isdisjoint(_FIGURE_STARTS):
            end = self._range(i) if token.has("between") else self._figure(i)
            if end:
                return end
        if token.has("tops") and any(self.has(i + 1, kind) for kind in ("model", "scenario")):
            return self._add("superlative", "top", i, i + 1)  # "tops DeepSeek-R1 Server"
        if token.has("ratio_word"):
            number = PrintedNumber(Decimal(token.value("ratio_word")), Decimal(1), token.text)
            return self._add("ratio", "x", i, i + 1, amount=Amount(number))
        if token.has("percent_word"):
            number = PrintedNumber(Decimal(token.value("percent_word")), Decimal(10), token.text)
            return self._add("percent", "%", i, i + 1, amount=Amount(number))
        if token.has("top_word") and self.is_number(i + 1 + self.has(i + 1, "dash")):
            j = i + 1 + self.has(i + 1, "dash")
            place = self._plain(j)
            if place is not None and place <= 20:
                return self._add("top_n", str(place), i, j + 1, count=place)
        if token.has("times") and self.has(i + 1, "number") and not token.has("relation"):
            value = self.tokens[i + 1].number
            if value is not None and value == int(value) and any(x.kind == "hardware" for x in self.items):
                return self._add("count", "accelerators", i, i + 2, count=int(value))
        if token.has("group"):
            group = self.vocabulary.groups.get(token.value("group"))
            if group is not None and group.max_nodes == 1 and not group.hardware:
                return self._add("count", "nodes", i, i + 1, count=1)
        if token.text == "+" and self.items and not self.is_number(i + 1):
            return self._add("list", "", i, i + 1)
        if token.has("feature"):
            return self._feature(i)
        if not kinds.isdisjoint(_MENTIONED):
            kind = next(kind for kind in MENTIONS if kind in kinds)
            return self._add(kind, token.value(kind), i, i + 1, options=token.values(kind))
        if token.has("machine_series") or self._lone_code(i):
            return self._machine(i)
        # "per GPU" apart from a figure.
        if self._divides(i):
            return self._add("per", self.tokens[i + 1].value("divisor"), i, i + 2)
        # "out of each GB300 GPU"
        if token.has("per_word") and not token.has("slash") and self._accelerator(i + 1) and self.has(i + 2, "divisor"):
            if token.has("universal") or token.text.lower() == "per":
                self._add("per", "accelerator", i, i + 1)
                return self._add(
                    "hardware",
                    self.tokens[i + 1].value("hardware"),
                    i + 1,
                    i + 3,
                    options=self.tokens[i + 1].values("hardware"),
                )
        if (
            "object_marker" in kinds
            and i + 1 < len(self.tokens)
            and not self.tokens[i + 1].kinds.isdisjoint(_MENTIONED)
        ):
            return i + 1
        if not kinds.isdisjoint(_SIGNED):
            kind = next(kind for kind in _SIGNS if kind in kinds)
            return self._add(kind, token.value(kind), i, i + 1)
        again = token.text.lower() == "or" and self.is_number(i + 1) and any(x.kind == "value" for x in self.items)
        if again or token.has("and") or token.has("slash"):
            return self._add("list", "", i, i + 1)
        if token.has("comma"):
            return self._add("comma", token.text, i, i + 1)
        if token.has("count_noun") and not token.has("filler"):
            return self._add("noun", token.value("count_noun"), i, i + 1)
        for kind in ("mlperf", "mlperf_suite"):
            if token.has(kind):
                return self._add(kind, token.value(kind), i, i + 1)
        if token.has("per_second") and not is_cjk(token.text[0]) and not self._figure_follows(i + 1):
            return self._add("leftover", token.text, i, i + 1)  # "a second rack"
        if not kinds.isdisjoint(_QUIET):
            return i + 1
        if token.has("unit") and token.text in ("s", "S") and i and self.tokens[i - 1].text in "'’":
            return i + 1
        return self._add("leftover", token.text, i, i + 1)

    def _accelerator(self, i: int) -> bool:
        """Whether the name of an accelerator stands there, not of a product with several."""
        return self.has(i, "hardware") and (
            self.vocabulary.hardware[self.tokens[i].value("hardware")].kind == "accelerator"
        )

    def _figure_follows(self, i: int) -> bool:
        """Whether a number stands there, perhaps behind a relation."""
        return self.is_number(self.skip(i, "relation", "filler"))

    def _continues(self, i: int) -> bool:
        """Whether what stands there makes a figure of the number before it ("6.1 million", "6.1 tokens/s")."""
        return any(self.has(i, kind) for kind in _FIGURE_SIGNS) and not self.has(i, "round_word")

    def _lone_code(self, i: int) -> bool:
        """Whether a word is the model of a server, and no misspelt name of something else."""
        token = self.tokens[i]
        return (
            token.has("unknown")
            and _LONE_CODE.fullmatch(token.text) is not None
            and not _like_a_name(token.text.lower(), self.vocabulary)
        )

    def _machine(self, i: int) -> int:
        """A server by series and model: "PowerEdge XE9680L", "ThinkSystem SR680a V3", "G893-ZX1-AAX4"."""
        end = i + 1
        while end < len(self.tokens) and self._code(end):
            end += 1
        words = [t.value("machine_series") or t.text.lower() for t in self.tokens[i:end]]
        return self._add("machine", " ".join(words), i, end)

    def _feature(self, i: int) -> int:
        """Software or equipment with its version: "CUDA 13.1", "ROCm 7.2.2", "vLLM v0.22"."""
        end, version = i + 1, ""
        while end < len(self.tokens) and self.tokens[end].start - self.tokens[end - 1].end <= (not version):
            token = self.tokens[end]
            if not (token.has("number") or token.has("round") or (version and token.text == ".")):
                break
            version += token.text
            end += 1
        if version and self._continues(end):
            end, version = i + 1, ""
        while version.endswith("."):
            end, version = end - 1, version[:-1]
        value = self.tokens[i].value("feature")
        return self._add("feature", f"{value} {version}".strip(), i, end)

    def _code(self, i: int) -> bool:
        token = self.tokens[i]
        return token.has("machine_series") or (token.has("unknown") and _CODE.fullmatch(token.text) is not None)

    def _divides(self, i: int) -> bool:
        """Whether "per" or a slash with its divisor stands there; "Offline / Server" is a list."""
        slash = self.has(i, "slash")
        return (
            (slash or self.has(i, "per_word"))
            and self.has(i + 1, "divisor")
            and not (slash and self.has(i + 1, "scenario"))
        )

    def _plain(self, i: int) -> int | None:
        token = self.tokens[i]
        if token.has("number") and token.number is not None:
            return int(token.number) if token.number == int(token.number) else None
        if token.has("number_word"):
            return int(token.value("number_word"))
        return None

    def _printed(self, i: int) -> tuple[PrintedNumber, int] | None:
        token = self.tokens[i]
        if token.has("number") and token.number is not None and token.quantum is not None:
            value, quantum = token.number, token.quantum
        elif token.has("number_word"):
            value, quantum = Decimal(token.value("number_word")), Decimal(1)
        else:
            return None
        text = token.text
        j = i + 1
        if self.has(j, "dash") and self.has(j + 1, "multiplier"):
            j += 1
        while self.has(j, "multiplier") and (len(self.tokens[j].text) > 1 or not self.tokens[j].has("unit")):
            factor = Decimal(self.tokens[j].value("multiplier"))
            value, quantum = value * factor, quantum * factor
            text += " " + self.tokens[j].text
            j += 1
        return PrintedNumber(value, quantum, text), j

    def _figure(self, i: int) -> int | None:
        """A figure that begins at `i` (with its relation); the index after it, or None if none begins here."""
        j = i
        relations: list[str] = []
        while j < len(self.tokens) and (self.tokens[j].has("relation") or self.tokens[j].has("plus_minus")):
            relations.append(self.tokens[j].value("relation"))
            j += 1
            if len(relations) > MAX_RELATIONS:
                return self._add("leftover", self.tokens[i].text, i, i + 1)
            while (
                (self.has(j, "filler") or self.has(j, "per_second"))
                and not self.is_number(j)
                and not self.has(j, "relation")
            ):
                j += 1
        if relations and self.has(j, "ratio_word"):
            return self._worded_ratio(i, j, [Relation(r) for r in relations if r])
        if not self.is_number(j) or (relations and j >= len(self.tokens)):
            return None
        printed = self._printed(j)
        if printed is None:
            return None
        number, j = printed
        known = [Relation(r) for r in relations if r]
        if self._spread(i, j, known):
            known = []
        relation = known[-1] if known else Relation.EQUAL
        up_to = Relation.UP_TO in known and relation is not Relation.UP_TO
        if self.has(j, "relation_after"):
            if relation is Relation.EQUAL:
                relation = Relation(self.tokens[j].value("relation_after"))
            j += 1
        # a ± b
        tolerance = None
        if self.has(j, "plus_minus") and self.is_number(j + 1) and self.has(j + 2, "percent"):
            reach = self.tokens[j + 1].number
            if reach is not None:
                tolerance, relation = float(reach) / 100, Relation.ABOUT
                j += 3
        amount = Amount(number, relation, None, tolerance, up_to)
        return self._suffix(i, j, amount, words=not self.has(i, "number"))

    def _worded_ratio(self, i: int, at: int, relations: list[Relation]) -> int:
        """ "More than doubled", "nearly triple"."""
        token = self.tokens[at]
        number = PrintedNumber(Decimal(token.value("ratio_word")), Decimal(1), token.text)
        relation = relations[-1] if relations else Relation.EQUAL
        up_to = Relation.UP_TO in relations and relation is not Relation.UP_TO
        return self._add("ratio", "x", i, at + 1, amount=Amount(number, relation, None, None, up_to))

    def _spread(self, i: int, end: int, relations: list[Relation]) -> bool:
        """ "500,000 tokens/s over 100 GPUs": on so many, not on more."""
        behind = self.items[-1] if self.items else None
        return (
            relations == [Relation.OVER]
            and self.tokens[i].text.lower() == "over"
            and behind is not None
            and behind.kind == "value"
            and behind.last == i - 1
            and self.has(end, "count_noun")
            and self.tokens[end].value("count_noun") in ("accelerators", "nodes")
        )

    def _range(self, i: int) -> int | None:
        """ "Between 1.1 and 1.2 million tokens/s"; the unit of the upper end is that of both."""
        lower = self._printed(self.skip(i + 1, "filler")) if self.is_number(self.skip(i + 1, "filler")) else None
        if lower is None:
            return None
        low, j = lower
        multiplier_at = j - 1
        unit = self.tokens[j].value("unit") if self.has(j, "unit") else None
        j += unit is not None
        if not (self.has(j, "and") or self.has(j, "range")) or not self.is_number(j + 1):
            return None
        upper_at = j + 1
        upper = self._printed(upper_at)
        if upper is None:
            return None
        high, end = upper
        while self.has(end, "filler") and not self.has(end, "unit") and not self.has(end, "unit_noun"):
            end += 1
        plain = self.tokens[upper_at].number
        factor = high.value / plain if plain else Decimal(1)
        if not self.has(multiplier_at, "multiplier") and low.value * factor <= high.value:
            # "Between 1 and 1.2 million": the multiplier is that of both ends.
            low = PrintedNumber(low.value * factor, low.quantum * factor, low.text)
        if low.value > high.value:
            return None
        first = len(self.items)
        done = self._suffix(i, end, Amount(low, Relation.BETWEEN, high), words=False)
        made = self.items[first:]
        if done is None or len(made) != 1 or made[0].kind != "value" or unit not in (None, made[0].unit):
            del self.items[first:]
            return None
        return done

    def _suffix(self, i: int, j: int, amount: Amount, *, words: bool) -> int | None:
        number = amount.number
        whole = int(number.value) if number.value == int(number.value) else None
        exact = amount.relation is Relation.EQUAL
        gap = j + 1 if self.has(j, "dash") else j
        if self.has(gap, "percent"):
            end = gap + 1
            amount, end = self._after(amount, end)
            return self._add("percent", "%", i, end, amount=amount)
        if self.has(gap, "times"):
            after = self.skip(gap + 1, "dash")
            if (
                exact
                and whole is not None
                and (self.has(after, "hardware") or (self.has(after, "count_noun") and not self.has(after, "filler")))
                and not self._copula(i)
            ):
                return self._counted(i, after, whole, times=True)
            if (
                exact
                and whole is not None
                and self.has(gap + 1, "comma")
                and any(x.kind == "hardware" for x in self.items)
                and self.tokens[gap + 1].text == ")"
            ):
                return self._add("count", "accelerators", i, gap + 1, count=whole)
            amount, end = self._after(amount, gap + 1)
            return self._add("ratio", "x", i, end, amount=amount)
        unit_at = self.skip(gap, "filler") if not self.has(gap, "unit") else gap
        if self.has(unit_at, "unit") and not (unit_at > gap and self.has(unit_at, "filler")):
            return self._with_unit(i, unit_at, self.tokens[unit_at].value("unit"), amount)
        noun_at = gap
        while self.has(noun_at, "filler") and not self.has(noun_at, "unit_noun"):
            noun_at += 1
        if self.has(noun_at, "unit_noun"):
            unit = self.tokens[noun_at].value("unit_noun")
            rest = self.skip(noun_at + 1, "dash")
            back = i - 1
            while back >= 0 and (self.tokens[back].has("filler") or self.tokens[back].has("relation")):
                back -= 1
            if self.has(rest, "per_second"):
                return self._with_unit(i, rest, unit, amount)
            if (back >= 0 and self.tokens[back].has("per_second")) or any(
                self.tokens[t].has("per_second") for t in range(i, gap)
            ):
                return self._with_unit(i, noun_at, unit, amount)
        if whole is not None and exact:
            if gap > j and self._group_of_counted(gap):  # "288-GPU systems"
                return self._add("count", "accelerators", i, gap + 1, count=whole)
            if self.has(gap, "hardware"):
                return self._counted(i, gap, whole)
            skipped = gap
            while self.has(skipped, "filler") and not self.has(skipped, "count_noun") and skipped - gap < 2:
                skipped += 1
            if self.has(skipped, "count_noun") or self.has(skipped, "hardware"):
                return self._counted(i, skipped, whole)
            counted = self._named_results(gap)
            if counted:
                return self._add("count", "results", i, gap, count=whole, amount=amount)
        elif whole is not None and self._named_results(gap):
            return self._add("counted", "results", i, gap, count=whole, amount=amount)
        elif self.has(gap, "count_noun") and whole is not None:
            return self._add("counted", self.tokens[gap].value("count_noun"), i, gap + 1, amount=amount, count=whole)
        divisor = self.tokens[gap + 1].value("divisor") if self._divides(gap) else ""
        divisor = divisor or (self.tokens[gap].value("per") if self.has(gap, "per") else "")
        if divisor in set(Per) and any(x.kind == "value" for x in self.items):
            # "… tokens/s, or 9,296 per GPU": the unit was named before.
            end = gap + 1 if self.has(gap, "per") else gap + 2
            return self._add("value", "", i, end, amount=amount, per=Per(divisor))
        if words and self.has(i, "number_word") and whole == 1:
            self._single(i, j)
            return i + 1
        return self._add("number", "", i, j, amount=amount)

    def _group_of_counted(self, i: int) -> bool:
        """Whether the name of a group begins with what is counted: the "GPU systems" of "288-GPU systems"."""
        if not self.has(i, "group"):
            return False
        first = self.tokens[i].text.split()[0].lower()
        return ("count_noun", "accelerators") in self.vocabulary.lexicon.meanings(first)

    def _single(self, i: int, at: int) -> None:
        """ "A single CoreWeave GB300 GPU": one of what stands behind the name. "One" alone counts nothing."""
        while (
            self.has(at, "submitter")
            or self.has(at, "filler")
            or (at < len(self.tokens) and self.tokens[at].text == "'")
        ):
            at += 1
        size = 1
        if self.has(at, "hardware"):
            size = self.vocabulary.hardware[self.tokens[at].value("hardware")].rack_size or 1
            at += 1
        noun = self.tokens[at].value("count_noun") if self.has(at, "count_noun") else ""
        if noun == "accelerators":
            self._add("count", "accelerators", i, i + 1, count=1)
        elif noun == "nodes":
            self._add("count", "nodes", i, i + 1, count=1)
        elif size > 1:
            self._add("count", "accelerators", i, i + 1, count=size, options=("rack",))

    def _named_results(self, at: int) -> bool:
        """Whether names and then a word for results follow: "7 DeepSeek-R1 Offline results"."""
        end = at
        while end < len(self.tokens) and end - at < _LONGEST_NAMES and not self._results_noun(end):
            token = self.tokens[end]
            if not (
                any(token.has(kind) for kind in _NAMES_OF_RESULTS) or (token.has("filler") and token.text in "个项")
            ):
                return False
            end += 1
        return end > at and self._results_noun(end) and not self.tokens[end].has("per_word")

    def _results_noun(self, at: int) -> bool:
        return self.has(at, "count_noun") and self.tokens[at].value("count_noun") == "results"

    def _after(self, amount: Amount, end: int) -> tuple[Amount, int]:
        if self.has(end, "relation_after") and amount.relation is Relation.EQUAL:
            return replace(amount, relation=Relation(self.tokens[end].value("relation_after"))), end + 1
        return amount, end

    def _copula(self, i: int) -> bool:
        return i > 0 and self.tokens[i - 1].text.lower() in ("is", "are", "was", "were", "by", "at", "to", "是")

    def _with_unit(self, i: int, unit_at: int, unit: str, amount: Amount) -> int:
        end = unit_at + 1
        per = None
        at = self.skip(end, "dash")
        if self.has(at, "per"):
            per, end = Per(self.tokens[at].value("per")), at + 1
        elif self._divides(at):
            value = self.tokens[at + 1].value("divisor")
            if value in set(Per):
                per, end = Per(value), at + 2
        elif self.has(at, "per_word") and self.has(at + 1, "hardware"):
            # "per B300 GPU"
            token = self.tokens[at + 1]
            if self.vocabulary.hardware[token.value("hardware")].kind == "accelerator":
                end = at + 3 if self.has(at + 2, "divisor") else at + 2
                self._add("value", unit, i, at + 1, amount=amount, unit=unit, per=Per.ACCELERATOR)
                return self._add("hardware", token.value("hardware"), at + 1, end, options=token.values("hardware"))
        amount, end = self._after(amount, end)
        return self._add("value", unit, i, end, amount=amount, unit=unit, per=per)

    def _counted(self, i: int, at: int, whole: int, *, times: bool = False) -> int:
        """A count of what stands at `at`. `times`: "8x B200 servers" are machines with eight each."""
        token = self.tokens[at]
        if token.has("hardware"):
            hardware = self.vocabulary.hardware[token.value("hardware")]
            rack = hardware.rack_size
            rack_sized = bool(rack)
            end = at + 1
            if self.has(end, "count_noun") and not self.has(end, "per_word"):
                noun = self.tokens[end].value("count_noun")
                one = self.tokens[end].text.lower() in ("system", "node", "server", "box")
                if whole > 1 and (one or (times and not rack_sized and noun in ("nodes", "systems"))):
                    noun = "accelerators"  # "an 8x B200 system" is one system with eight
                if noun in ("nodes", "racks", "systems"):
                    count_kind = "nodes" if noun == "nodes" else "accelerators"
                    number = whole if noun == "nodes" else whole * (rack or 1)
                    if noun == "systems" and not rack:
                        count_kind, number = "systems", whole
                    self._add("count", count_kind, i, i + 1, count=number, options=("rack",) if rack else ())
                    return self._add("hardware", token.value("hardware"), at, end + 1, options=token.values("hardware"))
                if noun == "accelerators":
                    self._add("count", "accelerators", i, i + 1, count=whole)
                    return self._add("hardware", token.value("hardware"), at, end + 1, options=token.values("hardware"))
            number = whole
            if rack and (rack >= 72 or whole == 1):
                number = whole * rack
            self._add("count", "accelerators", i, i + 1, count=number, options=("rack",) if number != whole else ())
            return self._add("hardware", token.value("hardware"), at, end, options=token.values("hardware"))
        noun = token.value("count_noun")
        end = at + 1
        if noun == "racks":
            return self._add("count", "racks", i, end, count=whole)
        return self._add(
            "count", noun, i, end, count=whole, amount=Amount(PrintedNumber(Decimal(whole), Decimal(1), str(whole)))
        )
