"""Places in a ranking: highest, top 3, only, first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import (
    Assertion,
    CoverageAssertion,
    Per,
    Selection,
    SuperlativeAssertion,
    SuperlativeKind,
    ValueAssertion,
)
from mlperf_claimcheck.claims.reader.base import (
    ReaderBase,
    as_good,
    not_understood,
)
from mlperf_claimcheck.claims.reader.compose import Item
from mlperf_claimcheck.claims.reader.strict import ORDERED

if TYPE_CHECKING:
    pass


class PlaceReading(ReaderBase):
    """Claims of a place."""

    def _superlative(self, signs: list[Item]) -> Assertion:
        self.demand(
            "superlative",
            "rank",
            "top_n",
            "scope",
            "any_hardware",
            "value",
            "count",
            "both",
            "all_scenarios",
            "noun",
            "latency",
            "submit",
            "compare",
            "direction_up",
            "ranking",
        )
        self.demand_no_sweep()
        counted = [i for i in self.of("count") if i.value not in ("accelerators", "nodes", "racks", "systems")]
        if counted:
            raise self._leftover(counted)
        compares = [i for i in self.of("compare", "direction_up") if not self._ignorable(i)]
        if compares and not self.of("scope", "any_hardware"):
            raise self._leftover(compares)
        sign = signs[0]
        machines = self.of("machine", "feature")
        if machines and {s.value for s in signs} & {"only", "first"}:
            raise self._leftover(machines)
        self._no_features(behind=sign.first)
        self._poor_end(signs)
        names = {s.value for s in signs if s.kind == "superlative"}
        kind = SuperlativeKind.TOP
        if "only" in names:
            kind = SuperlativeKind.ONLY
        elif "first" in names:
            kind = SuperlativeKind.FIRST
        rank = next((int(s.value) for s in signs if s.kind in ("rank", "top_n")), 1)
        scope_at = next((i.first for i in self.of("scope", "group", "any_hardware") if i.first > sign.first), None)
        subject_items: list[Item] = []
        scope_items: list[Item] = []
        for item in self._mentions():
            after = item.first > sign.first
            if self._named_as_scope(item, sign) and item.kind in ("hardware", "count"):
                subject_items.append(item)
                scope_items.append(item)
                continue
            means = item.first and self.tokens[item.first - 1].has("means")
            if after and item.kind == "hardware" and means and kind is SuperlativeKind.TOP:
                subject_items.append(item)
                continue
            in_scope = scope_at is not None and after and item.first > scope_at
            if item.kind in ("hardware", "count", "group") and after and self._shut_in(item, sign, kind):
                subject_items.append(item)
                continue
            if item.kind == "group":
                scope_items.append(item)
            elif item.kind in ("hardware", "count"):
                if not after:
                    subject_items.append(item)
                elif in_scope:
                    scope_items.append(item)
                else:
                    subject_items.append(item)
                    scope_items.append(item)
            elif item.kind in ("submitter", "machine", "feature"):
                subject_items.append(item)
            else:
                subject_items.append(item)
                scope_items.append(item)
        values = self.of("value")
        if len(values) > 1:
            raise not_understood(
                "A place in a ranking with several figures is not understood.", [self.words(v) for v in values]
            )
        per = self._free_per(values)
        if values and values[0].per is not None:
            per = values[0].per
        together = kind is SuperlativeKind.ONLY and len({i.value for i in self.of("submitter")}) > 1
        if together:
            return self._only_together(signs, values, per, subject_items, scope_items)
        parts: list[Assertion] = []
        ordered = any(s.kind == "top_n" and ORDERED in s.options for s in signs)
        names_in_order = [i.value for i in self.of("submitter")] if ordered else []
        hardware = [i for i in subject_items if i.kind == "hardware"]
        siblings = tuple(dict.fromkeys(i.value for i in self._merge_hardware(hardware))) if len(hardware) > 1 else ()
        scope_hardware = [i for i in scope_items if i.kind == "hardware"]
        for sets in self.distribute([sign], subject_items):
            for chosen in sets:
                subject = self.selection(self.slots(chosen))
                own = ("hardware", "submitter", "machine", "feature", "count", "group")
                shared = [i for i in chosen if i.kind not in own]
                own_hardware = [i for i in chosen if i.kind in ("hardware", "count") and i in scope_items]
                others = [i for i in scope_hardware if i not in subject_items]
                scope = self.selection(
                    self.slots([*shared, *own_hardware, *others, *(i for i in scope_items if i.kind == "group")]),
                    defaults=False,
                )
                scope = self._among(self._scope_defaults(scope, subject))
                amount = values[0].amount if values else None
                parts.append(
                    SuperlativeAssertion(
                        subject,
                        scope,
                        kind,
                        names_in_order.index(subject.submitters[0]) + 1 if names_in_order else rank,
                        bool(names_in_order) or any(s.kind == "rank" for s in signs),
                        "lowest" in names,
                        per,
                        as_good(amount, values[0].unit if values else None)
                        if kind is not SuperlativeKind.TOP
                        else None,
                        amount if kind is SuperlativeKind.TOP else None,
                        values[0].unit if values else None,
                        bool(self.of("any_hardware")),
                        "record" in names or kind is SuperlativeKind.FIRST,
                        **({"siblings": siblings} if siblings else {}),
                    )
                )
        return self._compound(parts)

    def _demand_place_of_only(self, sign: Item) -> None:
        """A bare "only" shuts others out where it opens the clause: "only CoreWeave exceeds", "只有 CoreWeave"."""
        if not self.tokens[sign.first].has("limit"):
            return
        before = [i for i in self.items if i.last < sign.first and not self._ignorable(i)]
        behind = [i for i in self.items if i.first > sign.last and not self._ignorable(i)]
        opens = behind and behind[0].kind in ("submitter", "hardware", "machine", "group", "count", "noun")
        late = any(i.kind == "value" for i in before) or (before and before[-1].kind in ("submitter", "machine"))
        if late or not opens:
            raise not_understood("What “only” limits is not understood.", [self.words(sign)])

    def _shut_in(self, item: Item, sign: Item, kind: SuperlativeKind) -> bool:
        """Whether a name is what "only" leaves alone in a scope, and not the scope itself.

        "Only GB300 NVL72 exceeds", "the only systems that exceed … are GB300 NVL72"; not "the only GB300 NVL72 that".
        """
        if kind is not SuperlativeKind.ONLY:
            return False
        if any(self.tokens[t].has("copula") for t in range(sign.last + 1, item.first)):
            return True
        between = [i for i in self.items if sign.last < i.first < item.first and not self._ignorable(i)]
        adjacent = all(i.kind in ("hardware", "count", "group", "list") for i in between)
        return self.tokens[sign.first].has("limit") and adjacent

    def _named_as_scope(self, item: Item, sign: Item) -> bool:
        """Whether a name stands in the scope that opens the claim: "among eight-GPU systems, AMD leads"."""
        opens = [t for t in range(min(item.first, sign.first)) if self.tokens[t].has("among")]
        if not opens or item.first > sign.first:
            return False
        between = [i for i in self.items if opens[-1] < i.first < item.first]
        return not any(i.kind in ("comma", "submitter") for i in between)

    def _only_together(
        self, signs: list[Item], values: list[Item], per: Per | None, subject: list[Item], scope: list[Item]
    ) -> Assertion:
        """ "Only Nebius and NVIDIA submitted …": each of them has such a result, and nobody else has."""
        names = tuple(dict.fromkeys(i.value for i in self.of("submitter")))
        others = [i for i in subject if i.kind != "submitter"]
        amount = as_good(values[0].amount, values[0].unit) if values else None
        unit = values[0].unit if values else None
        parts: list[Assertion] = []
        for sets in self.distribute([signs[0]], others):
            for chosen in sets:
                whose = self.slots(chosen)
                whose.values["submitter"] = names
                mine = self.selection(whose)
                within = self.selection(
                    self.slots([i for i in dict.fromkeys([*chosen, *scope]) if i.kind != "submitter"]), defaults=False
                )
                within = self._among(self._scope_defaults(within, mine))
                parts.append(
                    SuperlativeAssertion(
                        mine,
                        within,
                        SuperlativeKind.ONLY,
                        per=per,
                        threshold=amount,
                        unit=unit,
                        any_hardware=bool(self.of("any_hardware")),
                    )
                )
                for name in names:
                    own = replace(mine, submitters=(name,))
                    if amount is not None:
                        parts.append(ValueAssertion(own, amount, unit, per or Per.SYSTEM, per is not None))
                        continue
                    free = replace(own, hardware=(), models=(), scenarios=())
                    models = (own.models,) if own.models else ()
                    if not (own.hardware or models or own.scenarios):
                        raise not_understood("The claim does not say what only they have.", [self.words(signs[0])])
                    parts.append(CoverageAssertion(free, own.hardware, models, own.scenarios, product=True))
        return self._compound(parts)

    def _poor_end(self, signs: list[Item]) -> None:
        """The slow end of a ranking is not ranked, and "highest" of a latency is not the best."""
        words = {self.words(s).lower() for s in signs}
        latency = self._about_latency() or bool(
            {i.value for i in self.of("scenario")} & {"SingleStream", "MultiStream"}
        )
        poor = words & {"slowest", "最慢"}
        high = words & {"highest", "greatest", "most", "top", "peak", "max", "maximum", "最高", "最大"}
        if poor or (latency and high):
            raise not_understood(
                "Which end of the ranking is meant is not understood where less is better.", sorted(poor or high)
            )
        submits = self.of("submit")
        only = [s for s in signs if s.value == "only"]
        if only and any(s.value == "top" for s in signs):
            raise not_understood("What “only” limits is not understood.", [self.words(only[0])])
        for sign in only:
            self._demand_place_of_only(sign)
        if only and submits and only[0].first > submits[0].last:
            raise not_understood("What “only” limits is not understood.", [self.words(only[0])])

    def _scope_defaults(self, scope: Selection, subject: Selection) -> Selection:
        """Round, suite, division, model and scenario say what is ranked, wherever they were stated."""
        return replace(
            scope,
            rounds=scope.rounds or subject.rounds,
            suite=scope.suite or subject.suite,
            division=scope.division or subject.division,
            models=scope.models or subject.models,
            scenarios=scope.scenarios or subject.scenarios,
            submitters=(),
            result_ids=(),
        )
