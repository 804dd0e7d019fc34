"""Figures: "16,635 tokens/s per GPU", several at once, of every result; and calculations with counts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import (
    ArithmeticAssertion,
    Assertion,
    Per,
    Selection,
    SumAssertion,
    Term,
    ValueAssertion,
)
from mlperf_claimcheck.claims.reader.base import (
    ReaderBase,
    not_understood,
    printed_count,
)
from mlperf_claimcheck.claims.reader.compose import Item
from mlperf_claimcheck.metrics.number import Relation

if TYPE_CHECKING:
    pass

_LEAST_WITHOUT_UNIT = 100
"""Smaller numbers without a unit count things."""
_POWER = frozenset({"W", "kW", "J", "mJ"})
"""Units of measured power and energy."""


class ValueReading(ReaderBase):
    """Claims that give figures of results."""

    def _adopt(self, values: list[Item]) -> list[Item]:
        """Numbers without a unit that stand in a list with a value share its unit."""
        numbers = self.of("number")
        if not numbers:
            return values
        adopted = []
        for number in numbers:
            before = next((v for v in reversed(values) if v.first < number.first), None)
            if before is not None and self._second_of_list(before, number):
                adopted.append(replace(number, kind="value", unit=before.unit, per=before.per))
                continue
            donor = next((v for v in values if v.first > number.first), None)
            chain = [n for n in numbers if n.first > number.first and donor and n.first < donor.first]
            if donor is None or not self._is_run([number, *chain, donor]):
                raise not_understood(f"The number “{self.words(number)}” has no unit.", [self.words(number)])
            adopted.append(replace(number, kind="value", unit=donor.unit, per=donor.per))
        self.items = [next((a for a in adopted if a.first == i.first), i) for i in self.items]
        return sorted([*values, *adopted], key=lambda i: i.first)

    def _second_of_list(self, value: Item, number: Item) -> bool:
        """Whether a number goes on with the unit before it: "1,183,327 tokens/s Offline and 1,175,890 in Server"."""
        amount = number.amount
        if amount is None or amount.number.value < _LEAST_WITHOUT_UNIT:
            return False
        between = [i for i in self._between(value, number) if not self._ignorable(i)]
        mentions = self._mentions()
        return any(i.kind in ("list", "comma") for i in between) and all(
            i in mentions or i.kind in ("list", "comma", "value", "number") for i in between
        )

    def _bare_figure(self) -> Item | None:
        """The one figure of "Nebius, DeepSeek-R1, Offline: 689,961", whose unit is the benchmark's own."""
        numbers = self.of("number")
        named = all(self.of(kind) or self.field(kind) for kind in ("model", "scenario"))
        if len(numbers) != 1 or not named or numbers[0].last + 1 < len(self.tokens):
            return None
        before = self.tokens[numbers[0].first - 1].text if numbers[0].first else ""
        if before not in (":", "："):
            return None
        value = replace(numbers[0], kind="value")
        self.items = [value if i is numbers[0] else i for i in self.items]
        return value

    def _universal(self, values: Sequence[Item]) -> bool:
        """Whether the claim speaks of each result: "every result exceeds …"; not "16,635 on each GPU"."""
        covered = {t for i in (*values, *self.of("per")) for t in range(i.first, i.last + 1)}
        for index, token in enumerate(self.tokens):
            if not token.has("universal") or index in covered or index in self.understood:
                continue
            before = self.tokens[index - 1] if index else None
            after = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
            # "72 GPUs each" tells the size of every system.
            sized = before is not None and before.has("count_noun") and not before.has("filler")
            if not (sized or (after is not None and after.has("divisor"))):
                return True
        return False

    def _of_results(self) -> bool:
        """Whether the claim's own words speak of results: "all … results", "所有…结果"."""
        return any(t.value("count_noun") == "results" or t.has("result_noun") for t in self.tokens) or any(
            t.has("universal") and t.has("scope") for t in self.tokens
        )

    def _values(self, values: list[Item]) -> Assertion:
        every = self._universal(values)
        quantifiers = [
            i
            for i in self.of("scope", "any_hardware")
            if all(self.tokens[t].has("universal") for t in range(i.first, i.last + 1))
        ]
        self.items = [i for i in self.items if i not in quantifiers]
        timed = all(v.unit in ("s", "ms", "min") or v.unit is None for v in values)
        timed = timed or bool({i.value for i in self.of("scenario")} & {"SingleStream", "MultiStream"})
        self._set_side_by_side(values)
        # A figure per GPU is an average over all of them; a mean of several results is not published.
        each = all((v.per or self._free_per(values)) in (Per.ACCELERATOR, Per.NODE) for v in values)
        power = all(v.unit in _POWER for v in values)
        self.demand(
            *("value", "number", "count", "both", "all_scenarios", "submit", "noun", "verified", "sum"),
            *(("latency", "takes") if timed else ()),
            *(("average",) if each or power else ()),
            *(("power",) if power else ()),
        )
        bounds = (Relation.OVER, Relation.AT_LEAST, Relation.UNDER, Relation.AT_MOST, Relation.EQUAL)
        if every and any(v.amount is None or v.amount.relation not in bounds or v.amount.up_to for v in values):
            raise not_understood("What is said of every result is not understood.", [self.words(v) for v in values])
        self.demand_no_sweep()
        values = self._own_divisors(self._same_unit(self._adopt(values)))
        per = self._free_per(values)
        combos = self.distribute(values, self._mentions())
        if self.of("sum") and (total := self._sum(values, combos, per, each=every)) is not None:
            return total
        if every and sum(map(len, combos)) > 1 and not self._of_results():
            every = False  # "GB200 and GB300 each exceed …": each of those named, not each of their results
        parts_named = {i.value for i in self.of("noun")} & {"accelerators", "nodes", "racks"}
        if every and (parts_named or not self._of_results()):
            raise not_understood("What each of them is that the claim speaks of is not understood.")
        if (calculation := self._calculation(values, combos)) is not None:
            return calculation
        parts: list[ValueAssertion] = []
        for value, sets in zip(values, combos, strict=True):
            assert value.amount is not None
            for chosen in sets:
                selection = self.selection(self.slots(chosen))
                unit, divisor, amount = self._value_fields(
                    value.unit, value.per or per, value.amount, alone=len(values) == 1
                )
                if self._each_rack(value) and not self.of("hardware"):
                    selection = self._one_rack(selection)
                parts.append(ValueAssertion(selection, amount, unit, divisor or Per.SYSTEM, divisor is not None, every))
        return self._compound(parts)

    def _set_side_by_side(self, values: list[Item]) -> None:
        """ "GB300 NVL72 1,197,710 tokens/s vs GB200 NVL72 911,566 tokens/s": without more, both figures are claimed."""
        signs = [i for i in self.of("compare") if self.tokens[i.first].has("versus")]
        if len(signs) == 1 and len(values) == 2 and values[0].last < signs[0].first < values[1].first:
            self.items = [replace(i, kind="list", value="") if i is signs[0] else i for i in self.items]

    def _same_unit(self, values: list[Item]) -> list[Item]:
        """A figure "per GPU" without a unit has that of the figure before it."""
        told: list[Item] = []
        for value in values:
            before = told[-1].unit if told and value.unit is None else value.unit
            told.append(replace(value, unit=before))
        return told

    def _own_divisors(self, values: list[Item]) -> list[Item]:
        """ "… 666,613 tokens/s, per GPU 9,259 tokens/s": a divisor right before one of several figures is its own."""
        if len(values) < 2:
            return values
        told = []
        for value in values:
            before = [i for i in self.items if i.last < value.first and not self._ignorable(i)]
            own = before[-1] if before and before[-1].kind == "per" and value.per is None else None
            told.append(replace(value, per=Per(own.value)) if own is not None and own.value in set(Per) else value)
        return told

    def _each_rack(self, value: Item) -> bool:
        """Whether a figure is one per rack, which of a system of several racks is not its total."""
        words = " ".join(self.words(i).lower() for i in (value, *self.of("per")))
        return "rack" in words or "柜" in words

    def _one_rack(self, selection: Selection) -> Selection:
        sizes = {self.vocabulary.hardware[h].rack_size for h in selection.hardware}
        size = sizes.pop() if len(sizes) == 1 else None
        if not size or selection.accelerators not in (None, size):
            raise not_understood("Which figure is that of one rack is not understood.", ["per rack"])
        return replace(selection, accelerators=size, whole_rack=True)

    def _calculation(self, values: list[Item], combos: list[list[tuple[Item, ...]]]) -> Assertion | None:
        """A total, a count and a figure per accelerator of no result in particular: their arithmetic is claimed."""
        told = [item for sets in combos for chosen in sets for item in chosen]
        count = next((i.count for i in told if i.kind == "count" and i.value == "accelerators"), None)
        if count is None or len(values) != 2 or any(i.kind != "count" for i in told) or {*self.defaults} - {"round"}:
            return None
        total, each = values
        if total.per not in (None, Per.SYSTEM) or each.per is not Per.ACCELERATOR or total.unit != each.unit:
            return None
        assert total.amount is not None
        assert each.amount is not None
        return ArithmeticAssertion(
            Term(total.amount.number, total.unit or "", total.amount.relation),
            "÷",
            Term(printed_count(count), "accelerators"),
            Term(each.amount.number, f"{each.unit or ''}/accelerator", each.amount.relation),
        )

    def _sum(
        self, values: list[Item], combos: list[list[tuple[Item, ...]]], per: Per | None, *, each: bool
    ) -> Assertion | None:
        """ "A and B add up to 2 million". None where a word such as "combined" is said of one system, or of each."""
        explicit = [i for i in self.of("sum") if not self._ignorable(i)]
        (value, *more), chosen = values, combos[0]
        if not explicit and (more or len(chosen) < 2 or each):
            return None
        if more or len(chosen) < 2:
            raise not_understood("The claim does not say what is added up.", [self.words(i) for i in explicit])
        if (value.per or per) not in (None, Per.SYSTEM):
            raise not_understood("A sum adds up the results of whole systems; it has no divisor.", [self.words(value)])
        assert value.amount is not None
        parts = tuple(self.selection(self.slots(names)) for names in chosen)
        return SumAssertion(parts, value.amount, value.unit)

    def _arithmetic(self) -> Assertion | None:
        """ "17 nodes of 4 GPUs each are 68 GPUs": counts alone."""
        counts = [i for i in self.items if i.kind == "count" and i.count is not None]
        if self.of("value") or self.of("ratio", "percent"):
            return None
        nodes = [c for c in counts if c.value == "nodes"]
        gpus = [c for c in counts if c.value == "accelerators"]
        if len(nodes) != 1 or len(gpus) != 2:
            return None
        self.demand("count", "noun")

        low, high = sorted(int(c.count or 0) for c in gpus)
        return ArithmeticAssertion(
            Term(printed_count(int(nodes[0].count or 0)), "nodes"),
            "×",
            Term(printed_count(low), "accelerators per node"),
            Term(printed_count(high), "accelerators"),
        )
