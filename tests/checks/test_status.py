"""Availability and division of results."""

from __future__ import annotations

from typing import Any

from placing import ROUND, bundled, codes, context, row, told

from mlperf_claimcheck.checks.status import check_status
from mlperf_claimcheck.claims.assertion import Selection, StatusAssertion
from mlperf_claimcheck.verdicts.model import Outcome, Verdict


def status(rows: Any, availability: str | None = None, division: str | None = None, **selection: Any) -> Verdict:
    selection.setdefault("rounds", (ROUND,))
    assertion = StatusAssertion(Selection(**selection), availability, division)
    return check_status(assertion, bundled() if rows is None else context(rows))


def test_vera_rubin_is_preview() -> None:
    verdict = status(None, "preview", hardware=("vera-rubin-nvl72",))
    assert told(verdict) == ("pass", "status-matches")
    assert "All 8 results" in verdict.reason.message
    assert "submitter-not-named" in codes(verdict)
    assert told(status(None, "available", hardware=("vera-rubin-nvl72",))) == ("fail", "status-differs")


def test_mixed_rows_fail_and_name_the_others() -> None:
    rows = [row("Nebius", 1.0), row("Nebius", 2.0, availability="preview", system="VR200")]
    verdict = status(rows, "available", submitters=("nebius",))
    assert told(verdict) == ("fail", "status-differs")
    assert "VR200: Preview (1)" in verdict.reason.message
    assert "1 of 2" in verdict.reason.message


def test_the_asserted_status_does_not_restrict_the_rows() -> None:
    rows = [row("Nebius", 2.0, availability="preview")]
    verdict = status(rows, "preview", submitters=("nebius",))
    assert told(verdict) == ("pass", "status-matches")
    by_default = Selection(rounds=(ROUND,), submitters=("nebius",), availability="available")
    assert told(check_status(StatusAssertion(by_default, "preview"), context(rows))) == ("pass", "status-matches")
    assert told(status(rows, None, "open", submitters=("nebius",))) == ("fail", "status-differs")


def test_no_rows_are_diagnosed_and_nothing_claimed_is_not_understood() -> None:
    rows = [row("Nebius", 2.0)]
    assert status(rows, "preview", submitters=("nebius",), scenarios=("Server",)).outcome is not Outcome.PASS
    assert told(status(rows)) == ("unverifiable", "not-understood")
    assert told(status(rows, "preview", rounds=())) == ("unverifiable", "round-not-stated")
    assert told(status(rows, "preview", groups=("our friends",))) == ("unverifiable", "group-unknown")
