"""Changes and comparisons: "2.7x over v6.0", "15% faster than", "improved from X to Y", "A beats B, X vs Y"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import (
    Assertion,
    ChangeAssertion,
    ChangeForm,
    Per,
    Selection,
)
from mlperf_claimcheck.claims.reader.base import (
    MENTION_SLOTS,
    ReaderBase,
    not_understood,
)
from mlperf_claimcheck.claims.reader.compose import Item
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.vocabulary.text import is_cjk

if TYPE_CHECKING:
    pass

_SLOW = frozenset({"slower", "trails", "trailed", "trailing", "lags", "lagged", "behind", "慢", "落后于"})
"""Words that say that something takes longer, not that a figure is lower."""


_TIMED = frozenset({"SingleStream", "MultiStream"})
"""Scenarios whose figure is a latency."""


class ChangeReading(ReaderBase):
    """Claims that set one side against another."""

    def _two_sided(self, values: list[Item]) -> Assertion | None:
        """A change that is told by two figures: "improved from X to Y", "A beats B with X against Y"."""
        figures = sorted([*values, *self.of("number")], key=lambda i: i.first)
        if len(figures) != 2 or self.of("superlative", "rank", "top_n", "scope", "both", "all_scenarios"):
            return None
        first, second = figures
        if second.kind == "number" or second.amount is None or first.amount is None:
            return None
        if first.kind == "number":
            first = replace(first, kind="value", unit=second.unit, per=second.per)
        found = self._from_to(first, second) or self._against(first, second)
        if found is None:
            return None
        new, old, base, higher = found
        self.demand(
            *("value", "number", "count", "noun", "submit", "compare", "from_to", "prior_round"),
            *("change_up", "change_down", "direction_up", "direction_down", "change_neutral", "between"),
        )
        if first.unit != second.unit or first.per != second.per:
            raise not_understood("The two figures differ in unit.", [self.words(first), self.words(second)])
        if self._about_latency() or {i.value for i in self.of("scenario")} & {"SingleStream", "MultiStream"}:
            raise not_understood("Which of two latencies is the better one is not read from these words.")
        per = first.per or self._free_per(figures) or Per.SYSTEM
        mentions = self._mentions()
        subject_items = [i for i in mentions if i not in base]
        keys = {self._key(i) for i in subject_items} | ({"round"} if self.field("round") is not None else set())
        shared = [i for i in base if self._key(i) not in keys and i.kind in ("model", "scenario", "division", "suite")]
        own = [i for i in base if i not in shared]
        if not own or any(
            i.kind not in ("round", "hardware", "submitter", "count", "prior_round", "availability") for i in own
        ):
            raise not_understood("The claim does not say what the change is measured against.")
        (sets,) = self.distribute([second], [*subject_items, *shared])
        if len(sets) != 1:
            raise not_understood("It is not clear which of the names belongs to which figure.")
        return self._one_change(second, list(sets[0]), own, per, False, new, old, None, higher)

    def _from_to(self, first: Item, second: Item) -> tuple[Item, Item, list[Item], bool] | None:
        """The figures of "from X to Y" (new, old), the names of the old side, whether it is a rise."""
        ups, downs = self.of("change_up", "direction_up"), self.of("change_down", "direction_down")
        for item in self.of("compare"):  # "up from"
            if self.tokens[item.first].has("change_from"):
                (downs if self.words(item).lower().startswith("down") else ups).append(item)
        if self.of("ratio", "percent") or (ups and downs):
            return None
        if not ups and not downs and not any(t.has("change_neutral") for t in self.tokens):
            return None
        opens = [t for t in range(first.first) if self.tokens[t].has("change_from")]
        turns = [t for t in range(first.last + 1, second.first) if self.tokens[t].has("change_to")]
        if len(opens) != 1 or len(turns) != 1:
            return None
        names = [*self._mentions(), *self.of("prior_round")]
        base = [i for i in names if opens[0] < i.first < turns[0]]
        ends = self._ends() if not base else None
        assert first.amount is not None
        assert second.amount is not None
        rise = bool(ups) if ups or downs else second.amount.number.value > first.amount.number.value
        return second, first, base or ([ends] if ends is not None else []), rise

    def _against(self, first: Item, second: Item) -> tuple[Item, Item, list[Item], bool] | None:
        """The figures of "A beats B with X against Y" (new, old), the names of B, whether A is ahead."""
        markers = self.of("direction_up", "direction_down")
        if len(markers) != 1 or self.of("ratio", "percent", "change_up", "change_down"):
            return None
        (marker,) = markers
        if first.last < marker.first < second.first:
            # "A (121,818 tokens/s) beat B (109,368 tokens/s)"
            rest = [*self._mentions(), *self.of("prior_round")]
            base = [i for i in rest if marker.last < i.first < second.first]
            return first, second, base, marker.kind == "direction_up"
        between = [i for i in self._between(first, second) if not self._ignorable(i)]
        if marker.last > first.first or [i.kind for i in between] != ["compare"]:
            return None
        names = [*self._mentions(), *self.of("prior_round")]
        return first, second, [i for i in names if marker.last < i.first < first.first], marker.kind == "direction_up"

    def _change(self, figures: list[Item], *, best: bool) -> Assertion:
        scenarios = {i.value for i in self.of("scenario")}
        self.demand(
            "ratio",
            "percent",
            "value",
            "number",
            "count",
            "change_up",
            "change_down",
            "difference",
            "compare",
            "direction_up",
            "direction_down",
            "both",
            "all_scenarios",
            "prior_round",
            "noun",
            "scope",
            "superlative" if best else "ratio",
            "submit",
            "from_to",
            "own_side",
            "between",
            *(("latency",) if scenarios and scenarios <= _TIMED else ()),
        )
        if any(i.kind == "between" for i in self.items) and self._ends() is None:
            raise self._leftover(self.of("between"))
        if any(i.kind == "from_to" and not self._ignorable(i) for i in self.items):
            raise self._leftover([i for i in self.items if i.kind == "from_to"])
        marker, begin, end = self._baseline_range(figures)
        self.demand_no_sweep()
        self._demand_one_baseline(begin, end)
        before = [i for i in self.items if not begin <= i.first < end]
        inside = [i for i in self.items if begin <= i.first < end]
        subject_slots = {self._key(i) for i in before if i in self._mentions()}
        first_group = True
        shared: list[Item] = []
        baseline: list[Item] = []
        in_mentions = set(map(id, self._mentions()))
        for item in inside:
            if item.kind == "prior_round":
                baseline.append(item)
                continue
            if item.kind == "own_side" and not any(i.kind == "submitter" for i in inside):
                baseline.append(self._own_side(item, subject_slots))
                continue
            if id(item) not in in_mentions:
                if item.kind not in ("list", "comma", "noun") and baseline:
                    first_group = False
                continue
            key = self._key(item)
            filled = key in subject_slots or (key == "round" and self.field("round") is not None)
            # "than Dell's XE9780": the machine is that of the submitter just named.
            own_machine = item.kind == "machine" and first_group and not shared
            if (not baseline and first_group) or filled or own_machine or (key.startswith("count") and not shared):
                baseline.append(item)
            else:
                shared.append(item)
        if {i.kind for i in baseline} <= {"round", "prior_round", "count"}:
            # "… over v6.0 with 72 GPUs": another round of the same system.
            both = [i for i in baseline if i.kind == "count" and self._key(i) not in subject_slots]
            shared += both
            baseline = [i for i in baseline if i not in both]
        if not baseline and not isinstance(self.field("baseline"), Mapping):
            raise not_understood("The claim does not say what the change is measured against.")
        values = self.of("value")
        numbers = self.of("number")
        if numbers:
            if len(values) != 1 or len(numbers) != 1:
                raise not_understood("A number has no unit.", [self.words(n) for n in numbers])
            numbers = [replace(numbers[0], kind="value", unit=values[0].unit, per=values[0].per)]
            values = sorted([*values, *numbers], key=lambda i: i.first)
        if len(values) > 2 or (
            len(values) == 1
            and not self._goes_with(values[0], figures, before)
            and not self._bracketed(values[0], begin, end)
        ):
            raise not_understood(
                "It is not clear what the figures beside the comparison belong to.", [self.words(v) for v in values]
            )
        subject_value = next((v for v in values if not begin <= v.first < end), None)
        baseline_value = next((v for v in values if begin <= v.first < end), None)
        if len(values) == 2 and (subject_value is None or baseline_value is None):
            raise not_understood("It is not clear which figure belongs to which side.", [self.words(v) for v in values])
        per = self._free_per(values)
        if values and values[0].per is not None:
            per = values[0].per
        subject_mentions = [i for i in before if id(i) in in_mentions] + shared
        parts: list[ChangeAssertion] = []
        targets = figures or [self.of("direction_up", "direction_down")[0]]
        for figure, sets in zip(targets, self.distribute(targets, subject_mentions), strict=True):
            for chosen in sets:
                parts.append(
                    self._one_change(figure, list(chosen), baseline, per, best, subject_value, baseline_value, marker)
                )
        if len({(part.subject, part.baseline) for part in parts}) < len(parts):
            raise not_understood("Several ratios are given for one comparison.", [self.words(f) for f in targets])
        return self._compound(parts)

    def _baseline_range(self, figures: list[Item]) -> tuple[Item | None, int, int]:
        """Tokens [begin, end) of the baseline's own words, and the sign that opens it."""
        size = len(self.tokens)
        mentions = self._mentions()
        opening = [
            i
            for i in self.of("compare", "direction_up", "direction_down", "change_up", "change_down")
            if (i.kind == "compare" or {"direction_up", "direction_down"} & self.tokens[i.first].kinds)
            and not (self._ignorable(i) or self.words(i).lower() == "from")
        ]
        ends = self._ends()
        if ends is not None:
            return None, ends.first, ends.last + 1
        for figure in figures:
            run = self._chinese_baseline(figure)
            if run is not None:
                return None, run.first, figure.first
        for marker in opening:
            # "与 v6.0 相比": the baseline stands before the sign.
            if self.words(marker) in ("相比", "相比之下", "相较", "比较", "对比"):
                opener = next(
                    (
                        i
                        for i in reversed(self.items)
                        if i.kind == "list" and i.first < marker.first and self.words(i) in ("与", "和", "跟")
                    ),
                    None,
                )
                between = [i for i in self.items if opener and opener.last < i.first < marker.first]
                if opener is not None and between and all(i in mentions or i.kind == "prior_round" for i in between):
                    return marker, opener.last + 1, marker.first
            following = [i for i in self.items if i.first > marker.last and i.kind not in ("comma",)]
            target = next((i for i in following if i in mentions or i.kind in ("prior_round", "own_side")), None)
            if target is None:
                continue
            if any(i.kind in ("ratio", "percent") for i in following[: following.index(target)]):
                continue
            end = size
            later = [f for f in figures if f.first > target.first]
            changes = [i for i in self.of("change_up", "change_down") if i.first > target.last]
            if later:
                end = min([later[0].first, *(c.first for c in changes)])
            if not any(i in mentions for i in self.items if i.first < marker.first):
                comma = next((i for i in self.of("comma") if i.first > target.last), None)
                if comma is not None:
                    end = min(end, comma.first)
            return marker, marker.last + 1, end
        for figure in figures:
            position = self.items.index(figure)
            if position + 1 < len(self.items):
                following_item = self.items[position + 1]
                if following_item in mentions and following_item.kind in ("hardware", "round", "count", "submitter"):
                    return None, figure.last + 1, size
                if following_item.kind == "prior_round":
                    return None, figure.last + 1, size
                # "1.74x the DeepSeek-R1 Offline throughput of GB300 NVL72"
                for item in self.items[position + 1 :]:
                    if item.kind in ("model", "scenario", "per"):
                        continue
                    if (
                        item in mentions
                        and item.kind in ("hardware", "submitter")
                        and (self.tokens[item.first - 1].text.lower() == "of")
                    ):
                        return None, item.first, size
                    break
        return None, size, size

    def _goes_with(self, value: Item, figures: Sequence[Item], subject: Sequence[Item]) -> bool:
        """Whether a lone figure is of the same result as the ratio: "1,183,327 tokens/s, 1.74x GB300 NVL72"."""
        mentions = self._mentions()
        several = {(i.kind, i.value) for i in subject if i in mentions and i.kind in ("model", "scenario")}
        kinds = [kind for kind, _ in several]
        return (
            len(figures) == 1
            and value.first < figures[0].first
            and len(kinds) == len(set(kinds))
            and not self.of("both", "all_scenarios")
        )

    def _demand_one_baseline(self, begin: int, end: int) -> None:
        """Neither "faster than any GB200", which is each of them, nor "31% more GPUs", which is no performance."""
        for place in range(begin, min(end, len(self.tokens))):
            if self.tokens[place].text.lower().split()[-1] in ("any", "every", "all", "each"):
                raise not_understood(
                    "A change against every one of several is not understood.", [self.tokens[place].text]
                )
        for item in self.of("noun"):
            behind = [i for i in self.items if i.last < item.first and not self._ignorable(i)]
            if behind and behind[-1].kind in ("change_up", "change_down", "percent", "ratio"):
                raise self._leftover([item])

    def _bracketed(self, value: Item, begin: int, end: int) -> bool:
        """Whether a lone figure stands in brackets behind the baseline: "twice that of GB300 (596,944 tokens/s)"."""
        opens = value.first and self.tokens[value.first - 1].text in ("(", "（")
        return bool(opens) and any(i.last == value.first - 2 for i in self._mentions()) and begin <= value.first < end

    def _own_side(self, item: Item, subject: set[str]) -> Item:
        """ "ours" as the baseline of another submitter's result: whoever the text speaks for."""
        speaker = self.defaults.get("submitter")
        if not isinstance(speaker, str) or "submitter" not in subject:
            raise not_understood("Whose result the change is measured against is not said.", [self.words(item)])
        (own,) = self.names("submitter", speaker)
        return replace(item, kind="submitter", value=own, options=(own,))

    def _ends(self) -> Item | None:
        """The first of the two names in "from v6.0 to v6.1", "between v6.0 and v6.1"."""
        between = ("list",) if self.of("between") else ()
        named = (i for i in self.items if i.kind not in ("comma", *between) and not self._ignorable(i))
        for token, after in pairwise(named):
            if token.kind != after.kind or token.kind not in ("round", "hardware") or not token.first:
                continue
            before = self.tokens[token.first - 1]
            turns = [t for t in range(token.last + 1, after.first) if self.tokens[t].has("change_to")]
            if before.has("change_from") and turns:
                return token
            if before.has("between") and token.kind == "round":
                earlier, later = ([int(n) for n in i.value.split(".")] for i in (token, after))
                if earlier >= later:
                    raise not_understood("The rounds of a change are named in their order.", [self.words(token)])
                return token
        return None

    def _chinese_baseline(self, figure: Item) -> Item | None:
        """The first name of the baseline in "是其 GB200 NVL72 的 1.3 倍"."""
        if figure.kind != "ratio" or not is_cjk(self.tokens[figure.last].text[0]):
            return None
        run: Item | None = None
        for item in reversed(self.items[: self.items.index(figure)]):
            if item.kind not in ("hardware", "round", "submitter", "count", "prior_round"):
                break
            run = item
            before = self.tokens[item.first - 1] if item.first else None
            if before is not None and before.has("is_words"):
                return run if self.tokens[figure.first - 1].text == "的" else None
        return None

    def _one_change(
        self,
        figure: Item,
        chosen: list[Item],
        baseline_items: list[Item],
        per: Per | None,
        best: bool,
        subject_value: Item | None,
        baseline_value: Item | None,
        marker: Item | None,
        rise: bool | None = None,
    ) -> ChangeAssertion:
        """One change. `rise` is given where two figures tell it and no ratio does."""
        slots = self.slots(chosen)
        subject = self.selection(slots)
        own = self.slots([i for i in baseline_items if i.kind != "prior_round"])
        if "scenario" in own.values and "scenario" not in slots.values:
            slots.values["scenario"] = own.values["scenario"]
        merged = slots.merged(own)
        if "machine" in own.values and "hardware" not in own.values:
            merged.values.pop("hardware", None)  # another machine may hold other accelerators
        stated: set[str] = set()
        if "hardware" in own.values and own.accelerators is None and slots.whole_rack:
            merged.accelerators, merged.whole_rack = None, False
        baseline = self.selection(merged)
        if any(i.kind == "prior_round" for i in baseline_items):
            baseline = replace(baseline, rounds=(self._prior(subject),))
            stated.add("rounds")
        stated |= {MENTION_SLOTS[k] for k in own.values}
        if own.accelerators is not None:
            stated.add("accelerators")
        if own.nodes is not None:
            stated.add("nodes")
        extra = self.field("baseline")
        if isinstance(extra, Mapping):
            values, own_stated = self._restrictions("baseline", extra)
            stated |= own_stated
            baseline = replace(baseline, **values)
        if "rounds" in stated and "round" in own.values:
            baseline = replace(baseline, rounds=own.values["round"])
        if "submitters" in stated and "submitter" in own.values:
            baseline = replace(baseline, submitters=own.values["submitter"])
        if "accelerators" in stated and "accelerators" in self.fields and own.accelerators is not None:
            baseline = replace(baseline, accelerators=own.accelerators)
        form, higher, wording = self._form(figure, marker) if rise is None else (ChangeForm.DIRECTION, rise, False)
        amount = figure.amount if rise is None else None
        bounding = any(self.words(i).lower() in ("within", "以内") for i in self.of("difference"))
        if form is ChangeForm.DIFFERENCE and amount is not None and bounding and amount.relation is Relation.EQUAL:
            amount = replace(amount, relation=Relation.AT_MOST)
        return ChangeAssertion(
            subject,
            baseline,
            form,
            amount,
            per,
            best,
            higher,
            frozenset(stated),
            wording,
            subject_value.amount if subject_value else None,
            baseline_value.amount if baseline_value else None,
            subject_value.unit if subject_value else None,
            any(v is not None and v.per is not None for v in (subject_value, baseline_value)),
        )

    def _prior(self, selection: Selection) -> str:
        """The round before: of those that are known to exist and those that are held."""
        if len(selection.rounds) != 1:
            raise not_understood("“The previous round” of which round is not said.", code="round-not-stated")
        suite, number = selection.rounds[0].rsplit("-v", 1)
        known = self.vocabulary.suites.get(suite)
        numbers = {*(known.rounds if known is not None else ())}
        numbers |= {r.rsplit("-v", 1)[-1] for r in self.rounds if r.startswith(f"{suite}-v")}
        order = sorted(numbers, key=lambda n: [int(part) for part in n.split(".")])
        if number not in order or order.index(number) == 0:
            raise not_understood("The round before this one is not known.", code="round-not-stated")
        return f"{suite}-v{order[order.index(number) - 1]}"

    def _form(self, figure: Item, marker: Item | None) -> tuple[ChangeForm, bool, bool]:
        up, down, difference = self.of("change_up"), self.of("change_down"), self.of("difference")
        turned = down if figure.kind == "direction_up" else up
        if figure.kind in ("direction_up", "direction_down") and turned:
            raise not_understood("The claim speaks of a rise and of a fall.", [self.words(i) for i in turned])
        if figure.kind in ("direction_up", "direction_down"):
            return ChangeForm.DIRECTION, figure.kind == "direction_up", False
        if self._about_latency() and up and not difference:
            words = [self.words(i) for i in up if self.words(i).lower() not in ("faster", "better", "快", "更快")]
            if words:
                raise not_understood("A latency that goes up is not understood as a change.", words)
        if up and down and not difference:
            raise not_understood("The claim speaks of a rise and of a fall.", [self.words(i) for i in (*up, *down)])
        if figure.kind == "ratio":
            below = [*down, *self.of("direction_down")]
            if below:
                raise not_understood("“x lower” is not understood.", [self.words(i) for i in below])
            higher_words = any(
                self.words(i).lower() in ("higher", "faster", "more", "better", "greater", "高", "快", "高出")
                for i in up
            )
            return ChangeForm.RATIO, True, higher_words
        if difference:
            return ChangeForm.DIFFERENCE, True, False
        behind = [i for i in (*down, *self.of("direction_down")) if self.words(i).lower().split()[0] in _SLOW]
        if behind and not {i.value for i in self.of("scenario")} & {"Offline", "Server", "Interactive"}:
            # Of a latency, slower is more.
            raise not_understood(
                "Slower is understood of a throughput only: name its scenario.", [self.words(behind[0])]
            )
        if up and self.of("direction_down"):
            raise not_understood("The claim speaks of a rise and of a fall.", [self.words(figure)])
        if down or self.of("direction_down"):
            return ChangeForm.REDUCTION, False, False
        if up or self.of("direction_up"):
            return ChangeForm.GAIN, True, False
        after = self.tokens[figure.last + 1].text.lower() if figure.last + 1 < len(self.tokens) else ""
        if after.split()[:1] in (["of"], ["的"]):
            return ChangeForm.SHARE, True, False
        if marker is not None and self.words(marker).lower() == "over":
            return ChangeForm.GAIN, True, False
        raise not_understood(
            "It is not clear whether the percentage is a share, a gain or a loss.", [self.words(figure)]
        )
