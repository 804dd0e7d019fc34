"""The MLPerf results messaging rules, one rule an entry."""

from __future__ import annotations

from mlperf_claimcheck.messaging.catalogue import messaging_rules
from mlperf_claimcheck.messaging.engine import UnknownRuleError, apply_fixes, breaks_a_must, lint_document
from mlperf_claimcheck.messaging.footnote import footnote_for
from mlperf_claimcheck.messaging.model import Edit, Example, Finding, Fix, Rule, RuleSeverity

__all__ = [
    "Edit",
    "Example",
    "Finding",
    "Fix",
    "Rule",
    "RuleSeverity",
    "UnknownRuleError",
    "apply_fixes",
    "breaks_a_must",
    "footnote_for",
    "lint_document",
    "messaging_rules",
]
