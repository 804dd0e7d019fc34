"""Precision and recall of extraction, and the share of right verdicts, on documents of our own writing.

The documents are in the manner of press releases, posts, slides and pages, true and false, English and Chinese. What
they claim, and whether it is so, stands in `corpus/expected.yaml`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from mlperf_claimcheck.api import check_files, load_results
from mlperf_claimcheck.claims.extraction_file import as_claim_file, extract_document
from mlperf_claimcheck.verdicts.model import Outcome, Verdict

CORPUS = Path(__file__).parent / "corpus"
EXPECTED = yaml.safe_load((CORPUS / "expected.yaml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def found() -> dict[str, tuple[Verdict, ...]]:
    table = load_results()
    files = {
        name: as_claim_file(extract_document(str(CORPUS / name), (CORPUS / name).read_bytes())) for name in EXPECTED
    }
    return {name: check_files([file], table).verdicts for name, file in files.items()}


def stands_for(verdict: Verdict, claim: dict[str, Any]) -> bool:
    without = claim.get("without")
    return all(word in verdict.text for word in claim["has"]) and not (without and without in verdict.text)


def test_every_document_is_expected() -> None:
    assert {p.name for p in CORPUS.iterdir()} - {"expected.yaml"} == set(EXPECTED)
    assert len(EXPECTED) >= 12


def test_precision_recall_and_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = hits = extracted = right = wrong_passes = 0
    notes: list[str] = []
    for name, claims in EXPECTED.items():
        verdicts = found()[name]
        wanted += len(claims)
        extracted += len(verdicts)
        for claim in claims:
            matches = [v for v in verdicts if stands_for(v, claim)]
            if not matches:
                notes.append(f"{name}: not found: {claim['has']}")
                continue
            hits += 1
            outcome = matches[0].outcome
            right += outcome == claim["verdict"]
            if outcome != claim["verdict"]:
                wrong_passes += outcome is Outcome.PASS
                notes.append(
                    f"{name}: {outcome} not {claim['verdict']}: {matches[0].text} ({matches[0].reason.message})"
                )
        for verdict in verdicts:
            if not any(stands_for(verdict, claim) for claim in claims):
                notes.append(f"{name}: no claim: {verdict.text}")
    spurious = sum("no claim: " in note for note in notes)
    precision, recall, share = 1 - spurious / extracted, hits / wanted, right / wanted
    with capsys.disabled():
        print(
            f"\nextraction: {len(EXPECTED)} documents, {wanted} claims: precision {precision:.3f}, recall {recall:.3f}"
        )
        print(f"verdicts: {share:.3f} right, {wrong_passes} wrong passes")
        print("\n".join(notes))
    assert precision >= 0.95
    assert recall >= 0.9
    assert share >= 0.9
    assert wrong_passes == 0
