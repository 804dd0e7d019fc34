"""Power and energy (guidelines, section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlperf_claimcheck.messaging.context import COMPARISON, PER_WATT, LintContext
from mlperf_claimcheck.messaging.registry import Hit, advice, at_use, rule

_RATED = re.compile(
    r"\bTDP\b|\bTGP\b|\bthermal design power\b|\brated\s+(?:\w+\s+)?power\b|\bpower\s+rating\b|\bnameplate\b"
    r"|\bPSUs?\b|\bpower\s+suppl(?:y|ies)\b|"
    r"\bdesign\s+power\b|\bprovisioned\s+power\b|热设计功耗|额定功(?:率|耗)|标称功耗",
    re.IGNORECASE,
)
_TDP = re.compile(r"\bTDP\b|\bTGP\b|thermal design power|热设计功耗", re.IGNORECASE)
_SKU = re.compile(
    r"\b[A-Z][A-Za-z0-9]*(?:[\s-][A-Za-z0-9]+){0,4}[\s-]\(?\d{2,4}\s?W(?:\s+TDP)?\)?|\b\d{2,4}\s?W\s+TDP\s+(?:SKU"
    r"|variant|version|edition|model|part)\b|"
    r"\bTDP\s*+[-:]?\s*+\d{2,4}\s?W\s+(?:SKU|variant|version|edition|model|part)\b"
)
_MEASURED = re.compile(
    r"\bMLPerf\s*+®?\s*+(?:\w+\s+)?(?:v?\d+\.\d+\s+)?Power\b|\bmeasured\s+(?:[\w-]+\s+){0,3}power\b|\bpower\s+(?:was"
    r"|were|is|are)\s+measured\b|\bpower\s+(?:submission|measurement|result)s?\b|"
    r"\bmeasured\s+(?:wall|energy)|\bmeasured\s+at\s+the\s+wall\b|实测功(?:率|耗)|测得的?功(?:率|耗)|功耗(?:提交|结果)",
    re.IGNORECASE,
)
_POWER_FIGURE = re.compile(
    r"(?<![\w.,])\d[\d,]*(?:\.\d+)?\s*(?:W|kW|MW|watts?|kilowatts?|kWh|joules?)\b(?!\s*(?:TDP|SKU))|\d[\d,.]{0,30}\s*(?:瓦"
    r"|千瓦)|\bpower\s+(?:consumption|draw)\b|功耗"
)
_UNMEASURED = re.compile(
    r"\bperformance-only\b|\bwithout\s+(?:a\s+)?(?:measured\s+)?power\b|\bno\s+power\s+(?:submission|result"
    r"|measurement)\b|无功耗|未测功耗",
    re.IGNORECASE,
)
_DIVIDED = re.compile(r"\bdivid|÷|除以")
_AGAINST = re.compile(r"\bthan\b|\bvs\b|\bversus\b|\bcompared\b|\bover\b|相比|对比|比")
_POWER = re.compile(r"\bpower\b|功耗", re.IGNORECASE)


@rule("no-tdp-proxy")
def no_tdp_proxy(ctx: LintContext) -> Iterator[Hit]:
    """No rated figure (TDP, nameplate, power supply) stands in for measured power (G§6)."""
    seen: set[int] = set()
    for use in ctx.uses:
        if use.passage.block in seen:
            continue
        found = use.near(_RATED)
        if found and (use.near(PER_WATT) or use.near(_DIVIDED)):
            seen.add(use.passage.block)
            yield at_use(
                use,
                f'a figure per watt rests on "{found.group()}", which was not measured',
                advice("use the power that was measured in the same submission, or leave the figure out"),
            )


@rule("power-only-measured")
def power_only_measured(ctx: LintContext) -> Iterator[Hit]:
    """Power and per-watt figures come from power measured under MLPerf rules (G§6)."""
    if _MEASURED.search(ctx.all_text):
        return
    for use in ctx.uses:
        found = use.said(PER_WATT) or (use.said(_POWER_FIGURE) if use.kind != "table" else None)
        if found and not use.said(_SKU):
            yield at_use(
                use,
                f'the figure speaks of power ("{found.group().strip()}"), but no measured power is cited',
                advice(
                    "cite the measured power result of the same submission (MLPerf® Power), or leave the figure out"
                ),
            )
            return


@rule("tdp-sku-name-ok")
def tdp_sku_name_ok(ctx: LintContext) -> Iterator[Hit]:
    """A TDP may stand in a product's name, explained by a footnote, and nothing is computed from it (G§6)."""
    noted = _TDP.search(ctx.footnote_text) is not None
    seen: set[int] = set()
    for use in ctx.uses:
        found = use.near(_TDP)
        if found is None or use.passage.block in seen or use.near(PER_WATT):
            continue
        seen.add(use.passage.block)
        if not (use.near(_SKU) or noted):
            yield at_use(
                use,
                "a TDP stands beside the result",
                advice("give it only as part of the product's name, with a footnote that says so"),
            )


@rule("no-power-vs-perf-mix")
def no_power_vs_perf_mix(ctx: LintContext) -> Iterator[Hit]:
    """Results with measured power and performance-only results are not compared (compatibility table)."""
    for use in ctx.uses:
        if not (use.said(COMPARISON) and use.said(_AGAINST)):
            continue
        powered = {r.power is not None for r in ctx.cited_rows}
        speaks = use.said(PER_WATT) or use.said(_POWER)
        if speaks and (use.said(_UNMEASURED) or len(powered) > 1):
            yield at_use(
                use,
                "a result with measured power is compared with one without",
                advice("compare power results with power results, performance with performance"),
            )
            return
