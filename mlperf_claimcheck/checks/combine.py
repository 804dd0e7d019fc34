"""Puts the verdicts of several readings of one claim together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mlperf_claimcheck.verdicts.model import Caveat, Evidence, Outcome, Reading, Reason, Verdict

EVIDENCE_CAP = 12
"""Rows that a verdict shows; its sentences state the honest counts."""


def capped(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The first rows of the evidence, each once."""
    return tuple(dict.fromkeys(evidence))[:EVIDENCE_CAP]


def sentence(text: str) -> str:
    """`text` as a sentence of its own."""
    text = text.strip()
    return text if not text or text[-1] in ".?!…" else text + "."


def unverifiable(code: str, message: str, caveats: Sequence[Caveat] = ()) -> Verdict:
    """A verdict that the results cannot give."""
    return Verdict(Outcome.UNVERIFIABLE, Reason(code, sentence(message)), caveats=tuple(caveats))


def failed(code: str, message: str, evidence: Sequence[Evidence] = (), caveats: Sequence[Caveat] = ()) -> Verdict:
    """A verdict that the published results contradict the claim."""
    return Verdict(Outcome.FAIL, Reason(code, sentence(message)), evidence=capped(evidence), caveats=tuple(caveats))


def passed(code: str, message: str, evidence: Sequence[Evidence] = (), caveats: Sequence[Caveat] = ()) -> Verdict:
    """A verdict that the published results contain what the claim says."""
    return Verdict(Outcome.PASS, Reason(code, sentence(message)), evidence=capped(evidence), caveats=tuple(caveats))


def merge_readings(readings: Sequence[tuple[str, Verdict]], unstated: str) -> Verdict:
    """One verdict for a claim that can be read in several ways.

    All readings agree: that verdict, with a caveat that says what was left unstated. They differ: unverifiable
    (`ambiguous`), with every reading and what to add to the claim.
    """
    if len(readings) == 1:
        return readings[0][1]
    outcomes = {verdict.outcome for _, verdict in readings}
    listed = tuple(Reading(name, verdict.outcome, verdict.reason.message) for name, verdict in readings)
    evidence = capped([row for _, verdict in readings for row in verdict.evidence])
    first = readings[0][1]
    if len(outcomes) > 1:
        told = ", ".join(f"{verdict.outcome} for {name}" for name, verdict in readings)
        message = f"The claim does not state the {unstated}, and its readings differ ({told}); state the {unstated}."
        return Verdict(Outcome.UNVERIFIABLE, Reason("ambiguous", message), evidence=evidence, readings=listed)
    names = ", ".join(name for name, _ in readings)
    merged = replace(
        first,
        reason=Reason(first.reason.code, " ".join(f"{name}: {v.reason.message}" for name, v in readings)),
        evidence=evidence,
        readings=listed,
    )
    for _, verdict in readings[1:]:
        merged = merged.with_caveats(*verdict.caveats)
    return merged.with_caveats(
        Caveat("reading-assumed", f"The claim does not state the {unstated}; the verdict is the same for {names}.")
    )
