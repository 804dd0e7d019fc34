"""A finding is accepted by name and with a reason, or not at all; what is gone is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlperf_claimcheck.claims.accepted import accept, read_accepted_text
from mlperf_claimcheck.claims.file_errors import ClaimFileErrors
from mlperf_claimcheck.verdicts.model import Outcome, Reason, Report, Verdict


def verdict(id: str, outcome: Outcome = Outcome.FAIL, **changes: object) -> Verdict:
    return Verdict(outcome, Reason("value-differs", "It differs."), id=id, **{"file": "a.yaml", **changes})  # type: ignore[arg-type]


def accepted(report: Report, entries: str, file: str = "known.yaml") -> Report:
    return accept(report, read_accepted_text(f"accepted:\n{entries}", file))


def test_an_accepted_finding_keeps_its_outcome_and_leaves_every_count() -> None:
    found = accepted(Report((verdict("a"), verdict("b")), ()), "  - {claim: a, reason: Known}\n")
    assert [v.accepted for v in found.verdicts] == ["Known", None]
    assert found.verdicts[0].outcome is Outcome.FAIL
    assert [found.count(o) for o in Outcome] == [0, 1, 0]
    assert found.accepted == 1
    assert not found.stale


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (verdict("a", Outcome.PASS), "the claim passes"),
        (verdict("a", Outcome.FAIL, expected=Outcome.FAIL), "the claim gets the verdict it is expected to get"),
        (verdict("ab"), 'no claim with this id was checked; the nearest id is "ab"'),
    ],
)
def test_a_finding_that_is_gone_is_told_with_its_place(claim: Verdict, said: str) -> None:
    found = accepted(Report((claim,), ()), "  - {claim: a, reason: Known}\n")
    (gone,) = found.stale
    assert (gone.message, gone.reason, gone.file, gone.line) == (said, "Known", "known.yaml", 2)
    assert found.verdicts[0].accepted is None


def test_a_claim_that_misses_its_expected_verdict_can_be_accepted() -> None:
    claim = verdict("a", Outcome.UNVERIFIABLE, expected=Outcome.PASS)
    assert accepted(Report((claim,), ()), "  - {claim: a, reason: Known}\n").verdicts[0].accepted == "Known"


def test_another_verdict_than_the_accepted_one_counts() -> None:
    entries = "  - {claim: a, reason: Known, verdict: unverifiable}\n"
    found = accepted(Report((verdict("a"),), ()), entries)
    assert found.count(Outcome.FAIL) == 1
    assert "only unverifiable is accepted" in found.stale[0].message
    assert accepted(Report((verdict("a", Outcome.UNVERIFIABLE),), ()), entries).accepted == 1


def test_an_id_of_two_files_needs_the_file() -> None:
    report = Report((verdict("a"), verdict("a", file="b.yaml")), ())
    with pytest.raises(ClaimFileErrors, match=r'known\.yaml:2:6: 2 claims have the id "a"'):
        accepted(report, "  - {claim: a, reason: Known}\n")
    found = accepted(report, "  - {claim: a, reason: Known, file: b.yaml}\n")
    assert [v.accepted for v in found.verdicts] == [None, "Known"]
    both = "  - {claim: a, reason: One, file: ./b.yaml}\n  - {claim: a, reason: Two}\n"
    assert [v.accepted for v in accepted(report, both).verdicts] == ["Two", "One"]


def test_a_file_is_named_from_the_folder_of_the_list_or_from_the_working_folder(tmp_path: Path) -> None:
    claim = verdict("a", file=str(tmp_path / "claims" / "a.yaml"))
    entries = "  - {claim: a, reason: Known, file: claims/a.yaml}\n"
    assert accepted(Report((claim,), ()), entries, str(tmp_path / "known.yaml")).accepted == 1
    gone = accepted(Report((claim,), ()), entries).stale[0]
    assert gone.message == 'no claim with this id was checked in "claims/a.yaml"'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("accepted:\n  - {claim: a}\n", "known.yaml:2:5: entry 1 has no reason"),
        ("accepted:\n  - {claim: a, reason: }\n", "entry 1 has no reason"),
        ("accepted:\n  - {claim: a, reason: ''}\n", "reason is empty"),
        ("accepted:\n  - {reason: Known}\n", "entry 1 has no claim"),
        ("accepted:\n  - {claim: a, reasn: b}\n", "Did you mean reason?"),
        ("accepted:\n  - {claim: a, reason: b, verdict: pass}\n", "accepts pass, which is no finding"),
        ("accepted:\n  - {claim: a, reason: b}\n  - {claim: a, reason: c}\n", "accepted twice (first in line 2)"),
        ("accepted:\n  - a\n", "entry 1 is"),
        ("accepted: a\n", "accepted is no list of findings"),
        ("claims: []\n", "is not a key of a file of accepted findings"),
        ("- a\n", "expected a mapping with the key accepted"),
        ("", "expected a mapping with the key accepted"),
        ("accepted: [\n", "known.yaml:"),
    ],
)
def test_a_file_that_is_not_valid_says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(ClaimFileErrors) as caught:
        read_accepted_text(text, "known.yaml")
    assert said in str(caught.value)


def test_two_entries_in_one_line_are_told_apart() -> None:
    with pytest.raises(ClaimFileErrors, match="accepted twice"):
        read_accepted_text("accepted: [{claim: a, reason: b}, {claim: a, reason: c}]\n", "known.yaml")
