"""Finds the check for an assertion. Each check is imported when it is needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import Assertion, Undecidable
from mlperf_claimcheck.verdicts.model import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

CHECKS = {
    "ValueAssertion": "value",
    "ChangeAssertion": "change",
    "SuperlativeAssertion": "superlative",
    "CountAssertion": "count",
    "ExtentAssertion": "extent",
    "CoverageAssertion": "coverage",
    "StatusAssertion": "status",
    "ScalingAssertion": "scaling",
    "SumAssertion": "sums",
    "ArithmeticAssertion": "arithmetic",
    "EndpointAssertion": "endpoints",
    "CompoundAssertion": "compound",
}
"""Kind of assertion -> module of `checks`; the function is `check_` and the module's name (`check_sum` for `sums`)."""
_PLURAL = frozenset({"sums", "endpoints"})


def check(assertion: Assertion, context: CheckContext) -> Verdict:
    """The verdict on one assertion."""
    if isinstance(assertion, Undecidable):
        return _undecidable(assertion)
    name = CHECKS.get(type(assertion).__name__)
    if name is None:
        message = f"Claims of the kind {type(assertion).__name__} are not supported."
        return Verdict(Outcome.UNVERIFIABLE, Reason("kind-not-supported", message))
    module = import_module(f"mlperf_claimcheck.checks.{name}")
    verdict: Verdict = getattr(module, f"check_{name.removesuffix('s') if name in _PLURAL else name}")(
        assertion, context
    )
    if context.results.training:
        from mlperf_claimcheck.checks.training import with_scores

        return with_scores(assertion, verdict, context)
    return verdict


def _undecidable(assertion: Undecidable) -> Verdict:
    message = assertion.message.strip()
    shown = [word for word in assertion.words if word and word not in message]
    if shown:
        message += f" Not understood: {', '.join(f'“{word}”' for word in shown[:8])}."
    if assertion.suggestions:
        message += f" Did you mean {' or '.join(assertion.suggestions[:3])}?"
    return Verdict(Outcome.UNVERIFIABLE, Reason(assertion.code, message))
