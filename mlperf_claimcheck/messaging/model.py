"""The value types of the messaging rules: a rule, a finding, a fix."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RuleSeverity(StrEnum):
    """How binding a rule is."""

    MUST = "must"
    """The messaging guidelines demand or forbid it. Breaking it fails a run."""
    SHOULD = "should"
    """Recommended wording, or a prudent reading of the guidelines."""


@dataclass(frozen=True, slots=True)
class Example:
    """A document that keeps or breaks a rule."""

    text: str
    """Markdown."""
    published: str | None = None
    """ISO date of publication, for rules about timing."""
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One messaging rule."""

    id: str
    severity: RuleSeverity
    title: str
    explanation: str
    source: str
    """Where the rule is laid down: G§n = section of the MLPerf Results Messaging Guidelines, ER / ES = MLPerf Endpoints
    rules / submission rules, IR / TR = Inference / Training rules."""
    family: str
    manual: bool = False
    """A program cannot decide it: it is listed and explained, and never fires."""
    good: Example | None = None
    bad: Example | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the source characters from `start` to `end` (exclusive) by `replacement`."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A way to mend a finding."""

    description: str
    edits: tuple[Edit, ...] = ()
    """Empty: advice in words only."""
    safe: bool = False
    """The edit cannot change what the copy says; `lint --fix` applies safe fixes only."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where the copy breaks a rule."""

    rule: str
    severity: RuleSeverity
    file: str
    line: int
    """1-based."""
    column: int
    """1-based, counting characters."""
    end: tuple[int, int]
    """Line and column behind the last character of the place."""
    message: str
    fix: Fix | None = None
    start_offset: int = 0
    """Source offset of the place."""
    end_offset: int = 0
