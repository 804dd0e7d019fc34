"""Every format shows an accepted finding as accepted, with its reason; those that hold more than claims tell what is
gone."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import jsonschema
import pytest
from report_samples import FAILS, HOSTILE, OPTIONS, PASSES, report
from sarif_schema import SCHEMA

from mlperf_claimcheck.reports import names, render
from mlperf_claimcheck.reports.github_report import job_summary
from mlperf_claimcheck.verdicts.model import StaleAcceptance

REASON = "The post predates the correction"
GONE = StaleAcceptance("old-claim", "It was wrong once", "the claim passes", "known.yaml", 3, 5)
REPORT = replace(report(PASSES, replace(FAILS, accepted=REASON)), stale=(GONE,))


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("quiet", [False, True])
def test_the_reason_is_shown(name: str, quiet: bool) -> None:
    text = " ".join(render(REPORT, name, replace(OPTIONS, quiet=quiet, width=200)).split())
    assert REASON in text
    assert "accepted" in text.lower()


@pytest.mark.parametrize("name", sorted(set(names()) - {"jsonl", "csv", "claimreview"}))
def test_what_is_gone_is_told(name: str) -> None:
    text = " ".join(render(REPORT, name, replace(OPTIONS, quiet=True, width=200)).split())
    assert "old-claim" in text
    assert "the claim passes" in text
    assert "It was wrong once" in text


def test_it_counts_as_neither_passed_nor_failed() -> None:
    found = json.loads(render(REPORT, "json", OPTIONS))
    assert found["summary"] == {"pass": 1, "fail": 0, "unverifiable": 0, "accepted": 1}
    assert found["verdicts"] == {"pass": 1, "fail": 1, "unverifiable": 0}
    assert [c["verdict"] for c in found["claims"]] == ["pass", "fail"]
    assert [c["accepted"] for c in found["claims"]] == [None, REASON]
    assert found["accepted_but_gone"][0]["claim"] == "old-claim"
    assert "accepted" not in json.loads(render(report(PASSES), "json", OPTIONS))["summary"]


def test_continuous_integration_does_not_fail_for_it() -> None:
    (run,) = json.loads(render(REPORT, "sarif", OPTIONS))["runs"]
    (result,) = run["results"]
    assert result["level"] == "note"
    assert result["suppressions"] == [{"kind": "external", "status": "accepted", "justification": REASON}]
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notice["level"] == "warning"
    jsonschema.validate(json.loads(render(REPORT, "sarif", OPTIONS)), SCHEMA)
    root = ElementTree.fromstring(render(REPORT, "junit", OPTIONS))
    assert (root.get("failures"), root.get("skipped")) == ("0", "1")
    skipped = root.find(".//skipped")
    assert skipped is not None
    assert skipped.get("message", "").startswith("fail, accepted: ")
    lines = render(REPORT, "github", OPTIONS).splitlines()
    assert lines[0].startswith("::notice ")
    assert lines[1].startswith("::warning file=known.yaml,line=3")


def test_the_job_summary_has_no_check_mark_for_it() -> None:
    head = job_summary(REPORT, OPTIONS).splitlines()[0]
    assert "✅" not in head


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", names())
def test_hostile_reasons_stay_data(name: str, text: str) -> None:
    gone = StaleAcceptance(text, text, text, text, 1, 1)
    shown = render(replace(REPORT, verdicts=(replace(FAILS, accepted=text),), stale=(gone,)), name, OPTIONS)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "<script>alert" not in shown or name in ("json", "jsonl", "sarif", "csv", "table", "github")
    if name == "github":
        assert [line.split(" ")[0] for line in shown.splitlines()[:2]] == ["::notice", "::warning"]
        assert len(shown.splitlines()) == 3
    if name in ("json", "sarif", "claimreview"):
        json.loads(shown)
    if name == "junit":
        ElementTree.fromstring(shown)
