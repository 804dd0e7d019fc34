"""Figures that are no primary metric: per accelerator, ratios and the like (guidelines, section 9)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlperf_claimcheck.messaging.context import OFFICIAL, LintContext
from mlperf_claimcheck.messaging.registry import Hit, advice, at_passage, at_use, rule

_BASIS = re.compile(
    r"\bdivid(?:ed|ing)\b|÷|\bdivision of\b|\bquotient\b|\bnormali[sz]ed\b|\b(?:computed|calculated|derived"
    r"|obtained)\s+(?:as|from|by|using|with)\b|"
    r"\bbased on\b|\bbasis\b|\bratio\s+(?:of|between)\b|\bcompared?\s+(?:to|with|against)\b|\bcompar(?:ing|es"
    r"|ison)\b|\bversus\b|\bvs\b|\bsum of\b|"
    r"\brelative to\b|\b(?:over|than)\s+(?:the\s+)?[\w-]+|除以|折算|基于|计算|换算|相比|较|对比|之比|比值",
    re.IGNORECASE,
)
_PER_BASIS = re.compile(
    r"\bdivid(?:ed|ing)\b|÷|\bdivision of\b|\bquotient\b|\bnormali[sz]ed\b|\b(?:computed|calculated|derived"
    r"|obtained)\s+(?:as|from|by|using|with)\b|"
    r"\bbased on\b|\bbasis\b|\bratio\s+(?:of|between)\b|(?:/|over|across"
    r"|on)\s*(?:all\s+)?\d+\s*(?:[x×]\s*)?(?:[\w.-]{1,40}\s+){0,3}"
    r"(?:GPU|accelerator|chip|node|card|TPU)s?\b|除以|折算|基于|计算|换算",
    re.IGNORECASE,
)
_SECONDARY = re.compile(
    r"\bnot\s+(?:a|an|the|one of the)\s+(?:[\w®-]{1,40}\s+){0,4}primary\s+(?:[\w-]{1,40}\s+)?metric"
    r"|\bsecondary\s+(?:or derived\s+)?metric|\bderived\s+(?:\w+\s+)?metric|"
    r"\bnon-primary\s+metric|\bis\s+derived\s+from\s+(?:the\s+)?primary\s+metric|不是[^。]{0,20}主要(?:指标|度量)|非主要(?:指标"
    r"|度量)|衍生指标|派生指标",
    re.IGNORECASE,
)


@rule("derived-basis-explicit")
def derived_basis_explicit(ctx: LintContext) -> Iterator[Hit]:
    """The basis of a derived figure stands in the text and in the footnote (G§9)."""
    derived = ctx.derived_uses
    if not derived:
        return
    for use in derived:
        pattern = _BASIS if use.kind == "ratio" else _PER_BASIS
        if not use.near(pattern) and not pattern.search(ctx.main_text):
            yield at_use(
                use,
                "the text does not say how the derived figure was obtained",
                advice("add for example: total divided by 72 GPUs"),
            )
            break
    pattern = _BASIS if all(u.kind == "ratio" for u in derived) else _PER_BASIS
    if ctx.citations and not pattern.search(ctx.footnote_text):
        yield at_passage(
            ctx.citations[0].passage,
            "the footnote does not say how the derived figure was obtained",
            advice("add for example: Per-GPU throughput is the system's result divided by its 72 GPUs"),
        )


@rule("derived-not-official")
def derived_not_official(ctx: LintContext) -> Iterator[Hit]:
    """A derived figure is never called official or verified (G§9)."""
    for use in ctx.derived_uses:
        found = use.said(OFFICIAL)
        if found:
            yield at_use(
                use,
                f'a derived figure is called "{found.group()}"',
                advice("call it unverified: MLCommons verified the primary metric only"),
            )


@rule("secondary-metric-footnote")
def secondary_metric_footnote(ctx: LintContext) -> Iterator[Hit]:
    """The footnote says that a derived figure is not the primary metric (G§9)."""
    derived = ctx.derived_uses
    if derived and ctx.citations and not _SECONDARY.search(ctx.footnote_text):
        yield at_use(
            derived[0],
            "no footnote says that the figure is not the primary metric",
            advice("add for example: Per-GPU throughput is not a primary metric of MLPerf® Inference"),
        )
