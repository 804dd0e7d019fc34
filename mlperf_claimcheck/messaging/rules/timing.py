"""When results may be spoken of (guidelines, section 7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from mlperf_claimcheck.messaging.context import LintContext
from mlperf_claimcheck.messaging.registry import Hit, advice, at_passage, rule

_OWN = re.compile(r"\b(?:we|our|us)\b|\btoday\s+announced\b|\bannounce[sd]?\b|我们|本公司|我司", re.IGNORECASE)


def _is_submitter(ctx: LintContext, suite: str, version: str) -> bool | None:
    """Whether the publisher submitted in the round; None where it is not known."""
    if ctx.author is None:
        return True if _OWN.search(ctx.main_text) else None
    wanted = re.sub(r"[\s_-]+", "", ctx.author).lower()
    rows = [r for r in ctx.results or () if r.round == f"{suite}-v{version}"]
    if rows:
        return any(wanted in re.sub(r"[\s_-]+", "", r.submitter).lower() for r in rows)
    return ctx.names.submitter.is_name(ctx.author)


@rule("submitter-embargo")
def submitter_embargo(ctx: LintContext) -> Iterator[Hit]:
    """Nobody publishes results of a round before its publication date (G§7). Needs the document's date."""
    if ctx.published is None or not ctx.uses:
        return
    for (suite, version), passage in ctx.rounds.items():
        day = ctx.names.published.get((suite, version))
        if day is not None and ctx.published < day:
            yield at_passage(
                passage,
                f"published {ctx.published}, but the results of {suite} v{version} became public on {day}",
                advice(f"publish on {day} or later"),
            )


@rule("non-submitter-two-weeks")
def non_submitter_two_weeks(ctx: LintContext) -> Iterator[Hit]:
    """Who did not submit in a round waits two weeks longer (G§7). Needs the document's date."""
    if ctx.published is None or not ctx.uses:
        return
    for (suite, version), passage in ctx.rounds.items():
        day = ctx.names.published.get((suite, version))
        if day is None or not day <= ctx.published < day + timedelta(days=14):
            continue
        if not _is_submitter(ctx, suite, version):
            free = day + timedelta(days=14)
            yield at_passage(
                passage,
                f"published {ctx.published} but who did not submit waits until {free}",
                advice(f"publish on {free} or later, or give --author if the author submitted in this round"),
            )
