"""Verdicts: what a check says of a claim, with the rows, arithmetic and caveats it rests on."""

from mlperf_claimcheck.verdicts.model import (
    Caveat,
    Claimed,
    Computed,
    Evidence,
    Outcome,
    Reason,
    Report,
    ResultsSource,
    Severity,
    StaleAcceptance,
    Verdict,
)

__all__ = [
    "Caveat",
    "Claimed",
    "Computed",
    "Evidence",
    "Outcome",
    "Reason",
    "Report",
    "ResultsSource",
    "Severity",
    "StaleAcceptance",
    "Verdict",
]
