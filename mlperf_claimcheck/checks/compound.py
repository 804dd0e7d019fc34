"""Several assertions that must all hold, and the calculations between the claim's own figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import CompoundAssertion, EndpointAssertion
from mlperf_claimcheck.verdicts.model import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_NOT_HELD = frozenset({"round-not-held"})
_EVIDENCE = 24


def check_compound(assertion: CompoundAssertion, context: CheckContext) -> Verdict:
    """Judge each part; the whole takes the worst.

    An inconsistent calculation fails the claim. A consistent one decides nothing about the results: where only the
    round is missing, the verdict is `arithmetic-consistent` (unverifiable).
    """
    from mlperf_claimcheck.checks.arithmetic import check_arithmetic
    from mlperf_claimcheck.checks.dispatch import check

    if not assertion.parts and not assertion.arithmetic:
        message = "The claim has no part that could be checked."
        return Verdict(Outcome.UNVERIFIABLE, Reason("not-an-assertion", message))
    parts = tuple(check(part, context) for part in assertion.parts)
    sums = tuple(check_arithmetic(part, context) for part in assertion.arithmetic)
    wrong = next((s for s in sums if s.outcome is Outcome.FAIL), None)
    if wrong is not None:
        return _whole(Outcome.FAIL, wrong.reason, (*parts, *sums))
    if sums and (not parts or all(p.reason.code in _NOT_HELD for p in parts)):
        held = f" {parts[0].reason.message}" if parts else ""
        message = f"{sums[0].reason.message}{held}"
        return _whole(Outcome.UNVERIFIABLE, Reason("arithmetic-consistent", message), (*parts, *sums))
    if len(parts) == 1:
        return parts[0]
    worst = max(parts, key=lambda p: p.outcome.badness)
    if worst.outcome is Outcome.PASS and any(isinstance(part, EndpointAssertion) for part in assertion.parts):
        from mlperf_claimcheck.checks.endpoints import apart

        split = apart(list(zip(assertion.parts, parts, strict=True)))
        if split is not None:
            return _whole(split.outcome, split.reason, parts)
    if worst.outcome is Outcome.PASS:
        return _whole(Outcome.PASS, Reason("all-parts-hold", f"All {len(parts)} parts of the claim hold."), parts)
    bad = [(i, p) for i, p in enumerate(parts) if p.outcome is worst.outcome]
    labels = assertion.labels if len(assertion.labels) == len(parts) else ()
    told = " ".join(f"{labels[i] if labels else f'Part {i + 1}'}: {p.reason.message}" for i, p in bad[:4])
    code = "part-fails" if worst.outcome is Outcome.FAIL else "part-unverifiable"
    return _whole(worst.outcome, Reason(code, f"{len(bad)} of {len(parts)} parts: {told}"), parts)


def _whole(outcome: Outcome, reason: Reason, parts: tuple[Verdict, ...]) -> Verdict:
    evidence = tuple(dict.fromkeys(row for part in parts for row in part.evidence))[:_EVIDENCE]
    verdict = Verdict(outcome, reason, evidence=evidence, parts=parts)
    return verdict.with_caveats(*(caveat for part in parts for caveat in part.caveats))
