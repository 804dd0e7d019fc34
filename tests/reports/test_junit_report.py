"""JUnit XML as CI systems read it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from report_samples import ALL, HOSTILE, OPTIONS, hostile_report, report

from mlperf_claimcheck import reports
from mlperf_claimcheck.verdicts.text import no_commands, printable


def test_one_test_case_a_claim_with_file_and_line() -> None:
    root = ElementTree.fromstring(reports.render(ALL, "junit", OPTIONS).encode())
    assert root.tag == "testsuites"
    assert {k: root.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "6",
        "failures": "3",
        "errors": "0",
        "skipped": "1",
    }
    cases = root.findall("testsuite/testcase")
    assert [(c.get("file"), c.get("line")) for c in cases] == [("claims/launch.yaml", str(n)) for n in range(10, 16)]
    kinds = [[child.tag for child in case] for case in cases]
    assert kinds == [["system-out"], ["failure"], ["skipped"], ["system-out"], ["failure"], ["failure"]]


def test_a_failure_says_what_was_claimed_and_found() -> None:
    root = ElementTree.fromstring(reports.render(ALL, "junit", OPTIONS).encode())
    failures = root.findall("testsuite/testcase/failure")
    assert failures[0].get("type") == "belongs-to-other"
    assert "Claim: Other: 16,635 tokens/s/GPU offline" in (failures[0].text or "")
    assert (failures[1].get("message") or "").startswith("unverifiable, but pass was expected")
    assert "Part: fail: 911,566 Offline: It is 911,567." in (failures[2].text or "")


def test_the_results_used_are_properties() -> None:
    root = ElementTree.fromstring(reports.render(ALL, "junit", OPTIONS).encode())
    values = [p.get("value") or "" for p in root.iter("property")]
    assert any("SHA-256 0123456789ab" in v for v in values)
    assert any("not verified by MLCommons Association" in v for v in values)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_data(text: str) -> None:
    written = reports.render(hostile_report(text), "junit", OPTIONS)
    root = ElementTree.fromstring(written.encode())
    (case,) = root.iter("testcase")
    assert (case.get("name") or "").endswith(printable(text))
    assert {e.tag for e in root.iter()} <= {
        "testsuites",
        "testsuite",
        "properties",
        "property",
        "testcase",
        "failure",
        "skipped",
        "system-out",
    }
    (failure,) = case
    assert no_commands(f"Found: Found {printable(text)}") in (failure.text or "")
    assert not any(line.lstrip().startswith("::") for line in written.splitlines())


def test_an_empty_report() -> None:
    root = ElementTree.fromstring(reports.render(report(), "junit", OPTIONS).encode())
    assert root.get("tests") == "0"
