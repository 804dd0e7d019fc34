"""What was submitted: counts, coverage, status, the largest system, and scaling between two sizes."""

from __future__ import annotations

from dataclasses import replace
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
from mlperf_claimcheck.claims.reader.compose import Item

if TYPE_CHECKING:
    pass


class SubmissionReading(ReaderBase):
    """Claims on what exists among the results."""

    def _extent(self) -> Assertion:
        self.demand("largest", "count", "superlative")
        amounts = {i.value: i.amount or Amount(printed_count(i.count or 0)) for i in self.of("count")}
        if not amounts or set(amounts) - {"nodes", "accelerators"}:
            raise not_understood("The claim gives no size of the largest system.")
        rest = [i for i in self._mentions() if i.kind != "count"]
        return ExtentAssertion(self.selection(self.slots(rest)), amounts.get("accelerators"), amounts.get("nodes"))

    def _count(self, counted: list[Item]) -> Assertion:
        self.demand("count", "counted", "submit", "noun", "scope")
        parts: list[Assertion] = []
        rest = [i for i in self._mentions() if i not in counted]
        for item in counted:
            amount = item.amount or Amount(printed_count(item.count or 0))
            parts.append(CountAssertion(self.selection(self.slots(rest)), Countable(item.value), amount))
        return self._compound(parts)

    def _status(self) -> Assertion:
        self.demand("submit", "noun", "scope")
        rest = [i for i in self._mentions() if i.kind != "availability"]
        wanted = {i.value for i in self.of("availability")}
        if len(wanted) != 1 or self.of("count"):
            raise not_understood("The claim names more than one availability.", sorted(wanted))
        selection = replace(self.selection(self.slots(rest)), availability=None)
        return StatusAssertion(selection, availability=wanted.pop())

    def _coverage(self, *, negated: bool) -> Assertion:
        self.demand(
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
        if self.of("both"):
            scenarios = scenarios or ["Offline", "Server"]
        counts = {i.value: i.count for i in self.of("count")}
        if set(counts) - {"platforms", "models", "scenarios", "systems"} or not (hardware or models or counts):
            raise not_understood("The claim does not say what was submitted.")
        rest = [i for i in self._mentions() if i.kind not in ("hardware", "model", "scenario", "count")]
        every = any(i.kind == "scope" and self.words(i).lower() in ("all", "every", "所有", "全部") for i in self.items)
        each = any(t.text.lower() == "each" for t in self.tokens)
        submitters = list({i.value: i for i in rest if i.kind == "submitter"}.values())
        shared = [i for i in rest if i.kind != "submitter"]
        # "Giga Computing and QCT submitted Whisper": each of them did.
        return self._compound(
            [
                CoverageAssertion(
                    self.selection(self.slots([*shared, *whose])),
                    tuple(hardware),
                    tuple(self.model_ids((m,)) for m in models),
                    tuple(scenarios),
                    product=not negated and bool(models and hardware) and (every or each or not counts),
                    negated=negated,
                    hardware_count=counts.get("platforms") or counts.get("systems"),
                    model_count=counts.get("models"),
                )
                for whose in ([[s] for s in submitters] or [[]])
            ]
        )

    def _scaling(self) -> Assertion:
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
