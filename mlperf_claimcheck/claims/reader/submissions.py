"""What was submitted: counts, coverage, status, the largest system, and scaling between two sizes."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import (
    Amount,
    Assertion,
    Countable,
    CountAssertion,
    CoverageAssertion,
    ExtentAssertion,
    Per,
    ScalingAssertion,
    StatusAssertion,
)
from mlperf_claimcheck.claims.reader.base import (
    ReaderBase,
    not_understood,
    printed_count,
)
from mlperf_claimcheck.claims.reader.compose import MENTIONS, Item
from mlperf_claimcheck.metrics.number import Relation

if TYPE_CHECKING:
    pass


_EXISTING = ("division", "machine", "suite", "scenario", "data_type")
"""Names that results of a submitter may exist for where no benchmark and no hardware is named."""


class SubmissionReading(ReaderBase):
    """Claims on what exists among the results."""

    def _extent(self) -> Assertion:
        self._no_features()
        self.demand("largest", "count", "superlative")
        amounts = {i.value: i.amount or Amount(printed_count(i.count or 0)) for i in self.of("count")}
        if not amounts or set(amounts) - {"nodes", "accelerators"}:
            raise not_understood("The claim gives no size of the largest system.")
        rest = [i for i in self._mentions() if i.kind != "count"]
        return ExtentAssertion(self.selection(self.slots(rest)), amounts.get("accelerators"), amounts.get("nodes"))

    def _count(self, counted: list[Item]) -> Assertion:
        self._no_features()
        everywhere = () if self.of("scenario") else ("all_scenarios",)
        self.demand("count", "counted", "submit", "noun", "scope", *everywhere)
        parts: list[Assertion] = []
        rest = [i for i in self._mentions() if i not in counted]
        each = any(t.has("universal") for t in self.tokens)
        for item in counted:
            amount = item.amount or Amount(printed_count(item.count or 0))
            # "HPE and Cisco each submitted more than 40 results"; without "each" it would be their sum.
            for chosen in self._combinations(rest) if each else [tuple(rest)]:
                parts.append(CountAssertion(self.selection(self.slots(chosen)), Countable(item.value), amount))
        return self._compound(parts)

    def _status(self) -> Assertion:
        self._no_features()
        """What stands behind "are" or "as" is said of the results; a status before it only says which ones."""
        self.demand("submit", "noun", "scope", *(("limit", "superlative") if self._limit_sign() else ()))
        told = self._told_status()
        if not told:
            raise not_understood("The claim does not say which status its results have.")
        rest = [i for i in self._mentions() if i not in told]
        wanted: dict[str, str] = {}
        for item in told:
            if wanted.setdefault(item.kind, item.value) != item.value:
                raise not_understood(f"The claim names more than one {item.kind}.", [self.words(i) for i in told])
        if self.of("count"):
            counts = [self.words(i) for i in self.of("count")]
            raise not_understood("A status of a number of systems is not understood.", counts)
        selection = self.selection(self.slots(rest))
        return StatusAssertion(selection, wanted.get("availability"), wanted.get("division"))

    def _told_status(self) -> list[Item]:
        """The availability or division that the claim says its results have."""
        limited = self._limit_sign()
        if limited is not None:
            return [i for i in self.of("availability", "division") if i.first > limited.last]
        copulas = [index for index, token in enumerate(self.tokens) if token.has("copula")]
        if copulas:
            return [i for i in self.of("availability", "division") if i.first > copulas[-1]]
        return self.of("availability") if self.of("submit") else []

    def _limited(self) -> str | None:
        """The kind of name that "only" limits in "submitted DeepSeek-R1 only"; None where it excludes others."""
        sign = self._limit_sign()
        if sign is None or not self.of("submit") or not self.of("submitter", "group", "hardware"):
            return None
        named = [i for i in self.items if i.kind in MENTIONS]
        behind = [i for i in self.items if i.first > sign.last and i.kind not in ("submit", "noun", "comma", "stop")]
        behind = [i for i in behind if not self._ignorable(i)]
        before = [i for i in named if i.first < sign.first]
        limited = behind[0] if behind else (before[-1] if before else None)
        if limited is None or limited.kind not in ("model", "hardware", "scenario", "availability", "division"):
            return None
        # "Only GB300 NVL72 …" without a name of whose results: what others lack.
        whose = self.of("submitter", "group") or limited.kind in ("availability", "division")
        return limited.kind if whose else None

    def _limit_sign(self) -> Item | None:
        """The one "only" of a claim that may limit what is named beside it."""
        signs = [
            i
            for i in self.of("limit", "superlative")
            if i.value in ("limits", "only") and self.tokens[i.first].has("limit")
        ]
        return signs[0] if len(signs) == 1 else None

    def _coverage(self, *, negated: bool, only: str | None = None) -> Assertion:
        """Results exist, or do not. `only`: nothing else of that kind of name exists for the rest of the claim."""
        self._no_features()
        self.demand(
            *(("limit", "superlative") if only else ()),
            "submit",
            "noun",
            "scope",
            "count",
            "both",
            "all_scenarios",
            "submit_negation",
            *(("negation",) if negated else ()),
        )
        hardware = list(dict.fromkeys(i.value for i in self.of("hardware")))
        models = list(dict.fromkeys(i.value for i in self.of("model")))
        scenarios = list(dict.fromkeys(i.value for i in self.of("scenario")))
        if self._both():
            scenarios = scenarios or ["Offline", "Server", *(["Interactive"] if self.of("all_scenarios") else [])]
        counts = {i.value: i.count for i in self.of("count")}
        if not (hardware or models or counts or negated or only) and self.of(*_EXISTING) and self.of("submitter"):
            return self._existence()
        if set(counts) - {"platforms", "models", "scenarios", "systems"} or not (hardware or models or counts):
            raise not_understood("The claim does not say what was submitted.")
        listed = (only,) if only else ("hardware", "model", "scenario")
        if only and (counts or self.of("both", "all_scenarios")):
            raise not_understood("What “only” limits is not understood.", [self.words(i) for i in self.of("count")])
        rest = [i for i in self._mentions() if i.kind not in (*listed, "count")]
        every = any(i.kind == "scope" and self.words(i).lower() in ("all", "every", "所有", "全部") for i in self.items)
        each = any(t.text.lower() == "each" for t in self.tokens)
        several = sum(map(bool, (hardware, models, scenarios))) > 1
        parts = [
            CoverageAssertion(
                self.selection(self.slots(chosen)),
                tuple(hardware) if "hardware" in listed else (),
                tuple(self.model_ids((m,)) for m in models) if "model" in listed else (),
                tuple(scenarios) if "scenario" in listed else (),
                product=not negated and not only and several and (every or each or not counts),
                negated=negated,
                hardware_count=counts.get("platforms") or counts.get("systems"),
                model_count=counts.get("models"),
                only=only is not None,
            )
            for chosen in self._combinations(rest)
        ]
        return self._compound(parts)

    def _existence(self) -> Assertion:
        """ "ScitiX submitted in the open division": there is at least one such result."""
        some = Amount(printed_count(1), Relation.AT_LEAST)
        chosen = self._combinations(self._mentions())
        return self._compound([CountAssertion(self.selection(self.slots(c)), Countable.RESULTS, some) for c in chosen])

    def _combinations(self, mentions: list[Item]) -> list[tuple[Item, ...]]:
        """Every way to take one of each kind of name: "in the closed and the open division"."""
        kinds: dict[str, dict[str, Item]] = {}
        for item in mentions:
            kinds.setdefault(item.kind, {}).setdefault(item.value, item)
        groups = tuple(kinds.pop("group", {}).values())
        return [(*chosen, *groups) for chosen in product(*(found.values() for found in kinds.values()))]

    def _scaling(self) -> Assertion:
        self._no_features()
        self.demand("scaling", "percent", "count", "number", "from_to", "compare")
        sizes = sorted(
            {int(i.count) for i in self.of("count") if i.count and i.value in ("accelerators", "nodes")}
            | {int(i.amount.number.value) for i in self.of("number") if i.amount}
        )
        if len(sizes) != 2:
            raise not_understood("A scaling claim needs the size of the small and of the large system.")
        by = Per.NODE if any(i.value == "nodes" for i in self.of("count")) else Per.ACCELERATOR
        figures = self.of("percent")
        mentions = [i for i in self._mentions() if i.kind != "count"]
        parts: list[Assertion] = []
        for figure, sets in zip(figures, self.distribute(figures, mentions), strict=True):
            for chosen in sets:
                base = self.selection(self.slots(chosen))
                stated = base.stated | {"nodes" if by is Per.NODE else "accelerators"}
                small, large = (
                    replace(base, nodes=n, stated=stated)
                    if by is Per.NODE
                    else replace(base, accelerators=n, stated=stated)
                    for n in sizes
                )
                assert figure.amount is not None
                parts.append(ScalingAssertion(small, large, figure.amount, by))
        return self._compound(parts)
