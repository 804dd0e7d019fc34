"""SARIF 2.1.0 as code scanning reads it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
from report_samples import ALL, FAILS, FILE, HOSTILE, OPTIONS, UNDECIDED, hostile_report, report
from sarif_schema import SCHEMA

from mlperf_claimcheck import reports
from mlperf_claimcheck.verdicts import Report, catalogue
from mlperf_claimcheck.verdicts.model import StaleAcceptance
from mlperf_claimcheck.verdicts.text import printable

PUBLISHED = Path(__file__).parents[2] / "node_modules" / "sarif-2.1.0.json"
GONE = StaleAcceptance("old", "It was known.", "the claim passes", "accepted.yaml", 3, 5)


@pytest.mark.skipif(
    not os.environ.get("REQUIRE_BROWSER") and not PUBLISHED.is_file(),
    reason="the published schema is not installed (make browser)",
)
@pytest.mark.parametrize("allowed", [False, True])
def test_it_is_valid_against_the_published_schema(allowed: bool) -> None:
    validator = jsonschema.Draft7Validator(
        json.loads(PUBLISHED.read_text(encoding="utf-8")), format_checker=jsonschema.FormatChecker()
    )
    known = replace(ALL, verdicts=(*ALL.verdicts, replace(FAILS, accepted="It is known.")), stale=(GONE,))
    for made in (ALL, report(), known, *map(hostile_report, HOSTILE)):
        log = json.loads(reports.render(made, "sarif", replace(OPTIONS, allow_unverifiable=allowed)))
        assert [(list(e.path), e.message) for e in validator.iter_errors(log)] == []


def run(made: Report, **changes: Any) -> dict[str, Any]:
    log = json.loads(reports.render(made, "sarif", replace(OPTIONS, **changes)))
    jsonschema.validate(log, SCHEMA)
    (only,) = log["runs"]
    return dict(only)


def test_a_result_for_each_claim_that_did_not_pass() -> None:
    results = run(ALL)["results"]
    assert [(r["ruleId"], r["level"]) for r in results] == [
        ("belongs-to-other", "error"),
        ("ambiguous", "warning"),
        ("ambiguous", "error"),
        ("part-fails", "error"),
    ]
    first = results[0]["locations"][0]["physicalLocation"]
    assert first == {"artifactLocation": {"uri": FILE}, "region": {"startLine": 11, "startColumn": 5}}
    assert "Claim: Other: 16,635 tokens/s/GPU offline" in results[0]["message"]["text"]
    assert "but pass was expected" in results[2]["message"]["text"]


def test_rules_carry_the_help_of_the_catalogue() -> None:
    made = run(ALL)
    rules = made["tool"]["driver"]["rules"]
    for result in made["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        entry = catalogue.get(rule["id"])
        assert rule["shortDescription"]["text"] == entry.title
        assert entry.explanation in rule["help"]["text"]
        assert entry.source in rule["help"]["markdown"]


def test_unverifiable_claims_may_be_notes() -> None:
    (result,) = run(report(UNDECIDED), allow_unverifiable=True)["results"]
    assert result["level"] == "note"


def test_a_fingerprint_outlives_a_move_and_tells_claims_apart() -> None:
    moved = replace(FAILS, line=99, column=1)
    other = replace(FAILS, id="other")

    def print_of(*verdicts: Any) -> list[str]:
        return [r["partialFingerprints"]["claim/v1"] for r in run(report(*verdicts))["results"]]

    assert print_of(FAILS) == print_of(moved)
    assert print_of(FAILS) != print_of(other)
    assert len(set(print_of(FAILS, FAILS))) == 2


def test_the_results_used_are_stated() -> None:
    assert run(ALL)["properties"]["resultsUsed"][0]["sha256"] == "0123456789abcdef" * 4


def test_a_claim_of_the_command_line_has_no_place() -> None:
    (result,) = run(report(replace(FAILS, file="<text>", line=1)))["results"]
    assert "locations" not in result


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_data(text: str) -> None:
    (result,) = run(hostile_report(text))["results"]
    assert printable(text).replace("[a](", "\\[a](").replace("[i](", "\\[i](") in result["message"]["text"]
    assert result["properties"]["claim"] == text
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert ":" not in uri.split("/")[0]
    if "\\" not in text and "\ud800" not in text:
        assert unquote(uri) == f"claims/{text}.yaml"


def test_what_a_viewer_would_replace_is_escaped() -> None:
    (result,) = run(report(replace(FAILS, text="see [this](1) and {0} but [not] {this}")))["results"]
    assert "see \\[this](1) and {{0}} but [not] {this}" in result["message"]["text"]


def test_no_findings() -> None:
    made = run(report())
    assert made["results"] == []
    assert made["tool"]["driver"]["rules"] == []
