"""JSON is the interface of other programs: its keys and values are fixed."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import ALL, HOSTILE, OPTIONS, PASSES, UNDECIDED, hostile_report, report, row

from mlperf_claimcheck import reports
from mlperf_claimcheck.verdicts import Computed


def test_the_keys_of_the_interface_are_there() -> None:
    data = json.loads(reports.render(report(PASSES), "json", OPTIONS))
    assert data["schema_version"] == 1
    assert data["tool"] == {"name": "mlperf-claimcheck", "version": "1.2.3"}
    assert data["results"] == [
        {
            "round": "inference-v6.1",
            "origin": "bundled",
            "source": "https://raw.githubusercontent.com/mlcommons/inference_results_v6.1/main/summary.csv",
            "sha256": "0123456789abcdef" * 4,
            "retrieved": "2026-11-30",
            "rows": 492,
        }
    ]
    assert data["summary"] == {"pass": 1, "fail": 0, "unverifiable": 0}
    (claim,) = data["claims"]
    assert claim["verdict"] == "pass"
    assert claim["reason"]["code"] == "value-matches"
    assert claim["claimed"] == {
        "relation": "eq",
        "value": 16635,
        "unit": "tokens/s/accelerator",
        "precision": 1,
        "upper": None,
    }
    assert claim["computed"] == {
        "value": 1197710 / 72,
        "unit": "tokens/s/accelerator",
        "formula": "1,197,710 tokens/s ÷ 72 accelerators",
    }
    assert (claim["file"], claim["line"], claim["column"]) == ("claims/launch.yaml", 10, 5)
    evidence = claim["evidence"][0]
    assert evidence["accelerators"] == 72
    assert evidence["value"] == 1197710.0
    assert evidence["result_id"] is None
    assert [c["severity"] for c in claim["caveats"]] == ["notice", "warning"]
    assert claim["parts"] == []


def test_no_claimed_figure_is_null() -> None:
    (claim,) = json.loads(reports.render(report(UNDECIDED), "json", OPTIONS))["claims"]
    assert claim["claimed"] is None
    assert claim["computed"] is None
    assert claim["readings"][1] == {"description": "against Other", "verdict": "fail", "detail": "3.4"}


def test_expected_verdicts_count_as_passed_and_the_verdict_stays_what_it_is() -> None:
    data = json.loads(reports.render(ALL, "json", OPTIONS))
    assert data["summary"] == {"pass": 2, "fail": 3, "unverifiable": 1}
    assert data["verdicts"] == {"pass": 1, "fail": 3, "unverifiable": 2}
    claims = {c["id"]: c for c in data["claims"]}
    assert (claims["expected-fail"]["verdict"], claims["expected-fail"]["as_expected"]) == ("fail", True)
    assert (claims["unmet"]["expected"], claims["unmet"]["as_expected"]) == ("pass", False)
    assert (claims["per-gpu"]["expected"], claims["per-gpu"]["as_expected"]) == (None, None)


def test_parts_have_the_same_form() -> None:
    claims = {c["id"]: c for c in json.loads(reports.render(ALL, "json", OPTIONS))["claims"]}
    parts = claims["pair"]["parts"]
    assert [p["verdict"] for p in parts] == ["pass", "fail"]
    assert parts[0].keys() == claims["pair"].keys()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_read_back_equal(value: float) -> None:
    verdict = replace(PASSES, computed=Computed(value, "x", ""), evidence=(row(value=value, derived=value),))
    (claim,) = json.loads(reports.render(report(verdict), "json", OPTIONS))["claims"]
    assert claim["computed"]["value"] == value
    assert claim["evidence"][0]["derived"] == value


def test_what_json_has_no_number_for_is_null() -> None:
    verdict = replace(PASSES, computed=Computed(math.nan, "x", ""), evidence=(row(derived=math.inf),))
    (claim,) = json.loads(reports.render(report(verdict), "json", OPTIONS))["claims"]
    assert claim["computed"]["value"] is None
    assert claim["evidence"][0]["derived"] is None


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_data(text: str) -> None:
    written = reports.render(hostile_report(text), "json", OPTIONS)
    assert all(char == "\n" or char.isprintable() for char in written)
    (claim,) = json.loads(written)["claims"]
    assert claim["text"] == text
    assert claim["evidence"][0]["submitter"] == text


def test_an_empty_report() -> None:
    data = json.loads(reports.render(report(), "json", OPTIONS))
    assert data["claims"] == []
    assert data["summary"] == {"pass": 0, "fail": 0, "unverifiable": 0}


def test_a_report_on_very_many_claims_says_the_same_with_a_claim_a_line() -> None:
    few, many = (json.loads(reports.render(report(*ALL.verdicts * n), "json", OPTIONS)) for n in (1, 50))
    assert many["claims"] == few["claims"] * 50
    assert many["summary"] == {k: v * 50 for k, v in few["summary"].items()}
    assert many.keys() == few.keys()
