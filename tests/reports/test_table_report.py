"""The report for people: readable without colour, within the terminal, honest about what it rests on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_samples import ALL, EXPECTED_FAIL, FAILS, HOSTILE, OPTIONS, PASSES, UNDECIDED, hostile_report, report
from rich.cells import cell_len

from mlperf_claimcheck import reports
from mlperf_claimcheck.reports.words import TRADEMARK
from mlperf_claimcheck.verdicts import Claimed, Computed, Report


def table(made: Report, **changes: object) -> str:
    return reports.render(made, "table", replace(OPTIONS, **changes))  # type: ignore[arg-type]


def joined(text: str) -> str:
    return " ".join(text.split())


def test_a_claim_shows_verdict_words_finding_arithmetic_and_caveats() -> None:
    text = joined(table(report(PASSES)))
    assert text.startswith("PASS per-gpu claims/launch.yaml:10:5")
    assert "16,635 tokens/s/GPU offline" in text
    assert "1,197,710 tokens/s ÷ 72 accelerators = 16,634.86 tokens/s/accelerator" in text
    assert "note The figure per accelerator is derived. [derived-metric]" in text
    assert "warning One result stands above outside the scope. [self-defined-scope]" in text


def test_it_ends_with_the_results_used_and_the_lines_that_the_rules_demand() -> None:
    text = joined(table(report(PASSES)))
    assert "summary 1 claim: 1 pass, 0 fail, 0 unverifiable" in text
    assert "MLPerf® Inference v6.1, 492 rows (bundled), obtained 2026-11-30, SHA-256 0123456789ab" in text
    assert "result not verified by MLCommons Association" in text
    assert text.endswith(TRADEMARK)
    assert "MLPerf®" in text[: text.index("MLPerf") + 7]


def test_the_unverified_line_stands_only_beside_derived_figures() -> None:
    assert "not verified" not in table(report(FAILS))


def test_expected_verdicts_are_told() -> None:
    text = joined(table(ALL))
    assert "FAIL expected-fail (as expected)" in text
    assert "UNVERIFIABLE unmet (expected: pass)" in text
    assert "6 claims: 2 pass, 3 fail, 1 unverifiable (1 of 2 with the expected verdict" in text


def test_verbose_adds_rows_bars_and_what_the_author_noted() -> None:
    plain, verbose = table(ALL), table(ALL, verbose=True, width=120)
    assert "gpt-oss-120b" not in plain
    assert "gpt-oss-120b" in verbose
    assert "1,186,747.20 tokens/s" in verbose
    assert "█" in verbose
    assert "the claim says" in verbose
    assert "The press release says so." in verbose
    assert "page 2" in verbose


def test_readings_and_parts_are_listed() -> None:
    text = joined(table(ALL))
    assert "reading against Vendor: pass: 2.7" in text
    assert "FAIL 911,566 Offline found It is 911,567." in text


def test_quiet_shows_only_what_did_not_pass() -> None:
    text = table(ALL, quiet=True)
    assert "per-gpu" not in text
    assert "expected-fail" not in text
    assert "wrong-owner" in text
    assert "gain" in text
    assert "summary" in text


def test_quiet_says_nothing_if_all_pass() -> None:
    assert table(report(PASSES, EXPECTED_FAIL), quiet=True) == ""


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("verbose", [False, True])
def test_it_fits_the_terminal(width: int, verbose: bool) -> None:
    long_words = replace(FAILS, text="x" * 300 + " 单台运行服务器场景超过" * 20, id="y" * 200, file="z" * 300)
    text = table(report(*ALL.verdicts, long_words), width=width, verbose=verbose)
    assert max(cell_len(line) for line in text.splitlines()) <= width


def test_colour_only_on_request_and_words_without_it() -> None:
    assert "\x1b" not in table(ALL, verbose=True)
    coloured = table(ALL, colour=True)
    assert "\x1b[1;32mPASS\x1b[0m" in coloured
    assert "\x1b[1;31mFAIL\x1b[0m" in coloured
    for word in ("PASS", "FAIL", "UNVERIFIABLE"):
        assert word in table(ALL)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("verbose", [False, True])
def test_hostile_text_is_only_shown(text: str, verbose: bool) -> None:
    written = table(hostile_report(text), verbose=verbose, width=100)
    assert all(char == "\n" or char.isprintable() for char in written)
    assert not any(line.lstrip().startswith(("::", "##[")) for line in written.splitlines())
    if text.startswith("[red]"):
        assert text in written


def test_a_huge_claim_is_cut() -> None:
    assert len(table(report(replace(UNDECIDED, text="word " * 10_000)))) < 3000


def test_a_claim_without_words_shows_its_figure() -> None:
    assert "16,635 tokens/s/accelerator" in table(report(replace(PASSES, text="")))


def test_an_empty_report_still_says_what_was_used() -> None:
    assert "0 claims" in table(report())


@pytest.mark.parametrize("value", [1.7e308, 3e-320])
def test_figures_at_the_ends_of_what_floats_hold_are_drawn(value: float) -> None:
    verdict = replace(PASSES, claimed=Claimed("eq", value, "tokens/s", 1.0), computed=Computed(value, "tokens/s", "x"))
    assert "the claim says" in reports.render(report(verdict), "table", replace(OPTIONS, verbose=True))
