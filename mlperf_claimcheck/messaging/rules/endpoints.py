"""Additional rules of MLPerf Endpoints (its rules and submission rules)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlperf_claimcheck.messaging.context import LintContext, bounded_sentences
from mlperf_claimcheck.messaging.registry import Hit, advice, at_mention, at_use, rule

_NAME = re.compile(r"\s*+(?:®|™)?\s*+Endpoints\b", re.IGNORECASE)
_PREVIEW_NAME = re.compile(
    r"\s*+(?:®|™)?\s*+Endpoints\s+(?:(?:Serviced|RDI)\s+)?(?:v?\d+\.\d+\s+)?Preview\b", re.IGNORECASE
)
_PREVIEW = re.compile(r"\bpreview\b|预览", re.IGNORECASE)
_TTFT = re.compile(r"\bTTFT\b|time[\s-]to[\s-]first[\s-]token|首(?:个)?\s*token\s*(?:延迟|时间)", re.IGNORECASE)
_PERCENTILE = re.compile(
    r"\bP\d{2}(?:\.\d+)?\b|\b\d{2}(?:\.\d+)?(?:th|st|nd|rd)?[\s-]percentile\b|\bpercentile\b|百分位|分位", re.IGNORECASE
)
_CONCURRENCY = re.compile(
    r"\bconcurren|\bin[\s-]flight\b|\bsimultaneous\b|\b\d[\d,]*\s+(?:requests|users|clients)\b|并发|並發", re.IGNORECASE
)
_FIGURE = re.compile(r"\d[\d,.]{0,30}\s*(?:ms|s|seconds?|milliseconds?|毫秒|秒)\b", re.IGNORECASE)


@rule("ep-name-preview")
def ep_name_preview(ctx: LintContext) -> Iterator[Hit]:
    """A Preview result of MLPerf Endpoints has Preview behind the name (ES§7.3.8)."""
    names = [m for m in ctx.mentions if _NAME.match(m.after)]
    if not names or not _PREVIEW.search(ctx.all_text):
        return
    if any(_PREVIEW_NAME.match(m.after) for m in names):
        # Where the name was given in full, only passages that call their own result a preview must give it again.
        names = [
            m
            for m in names
            if _PREVIEW.search(m.passage.text) and not re.search("Endpoints.{0,20}Preview", m.passage.text)
        ]
    for mention in names:
        if not _PREVIEW_NAME.match(mention.after):
            yield at_mention(
                mention,
                "a Preview result does not have Preview behind the name",
                advice("write MLPerf® Endpoints Preview"),
            )


@rule("ep-percentile")
def ep_percentile(ctx: LintContext) -> Iterator[Hit]:
    """A time to first token names its percentile (ER§4.1: P95 in v0.7, P90 in v1.0)."""
    if not ctx.suite("Endpoints"):
        return
    for passage in ctx.passages:
        if passage.role == "footnote":
            continue
        for start, end in bounded_sentences(passage.text):
            sentence = passage.text[start:end]
            found = _TTFT.search(sentence)
            if found and _FIGURE.search(sentence) and not _PERCENTILE.search(sentence):
                yield Hit(
                    passage.content,
                    start + found.start(),
                    start + found.end(),
                    "the time to first token does not name its percentile",
                    advice("write for example: P90 TTFT"),
                )


@rule("ep-state-concurrency")
def ep_state_concurrency(ctx: LintContext) -> Iterator[Hit]:
    """A figure of MLPerf Endpoints gives the concurrency of its point (ER§2.2.3)."""
    if not ctx.suite("Endpoints"):
        return
    seen: set[int] = set()
    for use in ctx.uses:
        if use.kind == "ratio" or use.passage.block in seen or use.near(_CONCURRENCY):
            continue
        seen.add(use.passage.block)
        yield at_use(use, "the figure does not give its concurrency", advice("add for example: at a concurrency of 64"))
