"""Verified and unverified results (guidelines, sections 1, 2 and 10)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from mlperf_claimcheck.messaging.context import OFFICIAL, UNVERIFIED, UNVERIFIED_STATEMENT, LintContext, Use
from mlperf_claimcheck.messaging.registry import Hit, advice, at_use, rule

UNVERIFIED_LINE = "Result not verified by MLCommons Association."
"""The statement that the guidelines prescribe (G§1)."""

_SCALE = {"million": 6, "billion": 9, "thousand": 3, "k": 3, "m": 6, "b": 9, "万": 4, "萬": 4, "亿": 8, "億": 8}


def _unreviewed(ctx: LintContext) -> list[Use]:
    """Figures that no review covers: derived ones, and those that the copy itself calls unverified."""
    said = UNVERIFIED_STATEMENT.search(ctx.footnote_text) is not None and not ctx.derived_uses
    return ctx.once("unreviewed", lambda: [u for u in ctx.uses if u.derived or said or u.near(UNVERIFIED)])


@rule("unverified-label")
def unverified_label(ctx: LintContext) -> Iterator[Hit]:
    """A figure that was not reviewed carries the word "unverified" beside it (G§1)."""
    seen: set[int] = set()
    for use in _unreviewed(ctx):
        if use.passage.block in seen or use.near(UNVERIFIED):
            continue
        seen.add(use.passage.block)
        what = "a derived figure" if use.derived else "an unreviewed figure"
        yield at_use(
            use, f'{what} stands without the word "unverified"', advice('add "(unverified)" behind the figure')
        )


@rule("unverified-statement")
def unverified_statement(ctx: LintContext) -> Iterator[Hit]:
    """An unreviewed figure has the fixed statement in its footnote (G§1, §3.2)."""
    found = _unreviewed(ctx)
    if found and not UNVERIFIED_STATEMENT.search(ctx.all_text):
        yield at_use(
            found[0],
            "no footnote says that the figure is not verified",
            advice(f"add to the footnote: {UNVERIFIED_LINE}"),
        )


@rule("no-implied-verification")
def no_implied_verification(ctx: LintContext) -> Iterator[Hit]:
    """Nothing suggests that an unreviewed result was reviewed (G§10)."""
    for use in _unreviewed(ctx):
        if use.derived or use.kind == "table":
            continue
        found = use.said(OFFICIAL)
        if found:
            yield at_use(use, f'an unreviewed result is called "{found.group()}"', advice(f'drop "{found.group()}"'))


@rule("verified-wording-truthful")
def verified_wording_truthful(ctx: LintContext) -> Iterator[Hit]:
    """ "Verified" and "official" are said of a published primary result only (G§2, §10). Needs the results."""
    for use in ctx.uses:
        if use.derived or use.kind != "throughput" or use.near(UNVERIFIED):
            continue
        found = use.said(OFFICIAL)
        if found is None:
            continue
        bounds = printed_bounds(use.passage.text[use.start : use.end])
        if bounds and ctx.results and not any(bounds[0] <= row.value <= bounds[1] for row in ctx.results):
            yield at_use(
                use,
                f'the figure is called "{found.group()}", but no published result has this value',
                advice("correct the figure, or call it unverified"),
            )


def printed_bounds(text: str) -> tuple[float, float] | None:
    """Lowest and highest value that a printed figure can stand for, by its last digit."""
    found = re.search(
        r"(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<scale>million|billion|thousand|[kKMB](?![a-z])|[万萬亿億])?", text
    )
    if found is None:
        return None
    digits = found.group("number").replace(",", "").rstrip(".")
    scale = _SCALE.get((found.group("scale") or "").lower(), 0)
    value = Decimal(digits).scaleb(scale)
    decimals = len(digits.partition(".")[2])
    quantum = Decimal(1).scaleb(scale - decimals)
    # The published value has six significant digits itself.
    slack = max(quantum, abs(value) * Decimal("0.00001"))
    return float(value - slack), float(value + slack)
