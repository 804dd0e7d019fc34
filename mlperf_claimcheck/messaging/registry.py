"""How a rule's check is registered, and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mlperf_claimcheck.claims.documents import MappedText
from mlperf_claimcheck.messaging.context import LintContext, Mention, Passage, Use
from mlperf_claimcheck.messaging.model import Fix, RuleSeverity


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a rule is broken."""

    content: MappedText
    start: int
    end: int
    message: str
    fix: Fix | None = None
    severity: RuleSeverity | None = None
    """Overrides the rule's severity (a guess of a `must` rule is reported as `should`)."""


Check = Callable[[LintContext], Iterator[Hit]]
CHECKS: dict[str, Check] = {}
"""Rule id -> its check."""


def rule(identifier: str) -> Callable[[Check], Check]:
    """Register the check of a rule."""

    def register(check: Check) -> Check:
        if identifier in CHECKS:
            raise ValueError(f"two checks for the rule {identifier}")
        CHECKS[identifier] = check
        return check

    return register


def at_use(use: Use, message: str, fix: Fix | None = None, severity: RuleSeverity | None = None) -> Hit:
    """A hit at a figure."""
    return Hit(use.passage.content, use.start, use.end, message, fix, severity)


def at_mention(mention: Mention, message: str, fix: Fix | None = None, severity: RuleSeverity | None = None) -> Hit:
    """A hit at the mark."""
    return Hit(mention.passage.content, mention.start, mention.end, message, fix, severity)


def at_passage(passage: Passage, message: str, fix: Fix | None = None, severity: RuleSeverity | None = None) -> Hit:
    """A hit at the beginning of a passage."""
    end = min(len(passage.text), 60)
    return Hit(passage.content, 0, end, message, fix, severity)


def advice(description: str) -> Fix:
    """A fix in words."""
    return Fix(description)
