"""Markdown as GitHub shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from report_samples import ALL, EXPECTED_FAIL, FAILS, HOSTILE, OPTIONS, PASSES, hostile_report, report
from selectolax.lexbor import LexborHTMLParser

from mlperf_claimcheck import reports
from mlperf_claimcheck.reports.markdown_report import escape
from mlperf_claimcheck.verdicts import Report
from mlperf_claimcheck.verdicts.text import printable


def page(made: Report) -> LexborHTMLParser:
    text = reports.render(made, "markdown", OPTIONS)
    return LexborHTMLParser(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(text))


def test_what_did_not_pass_comes_first_and_what_passed_is_folded() -> None:
    html = page(ALL)
    heading = html.css_first("h2")
    assert heading is not None
    assert heading.text() == "❌ Claims checked against published MLPerf® Inference results"
    tables = html.css("table")
    assert len(tables) == 2
    assert [len(t.css("tbody tr")) for t in tables] == [4, 2]
    details = html.css_first("details")
    assert details is not None
    assert "2 claims passed" in details.text()
    assert "per-gpu" in details.text()


def test_it_names_results_rows_and_the_lines_that_the_rules_demand() -> None:
    text = reports.render(report(PASSES), "markdown", OPTIONS)
    assert "1,197,710 tokens/s ÷ 72 accelerators = 16,634.86 tokens/s/accelerator (unverified)" in text
    assert "SHA-256 0123456789ab" in text
    assert "result not verified by MLCommons Association" in text
    assert "www.mlcommons.org" in text
    link = page(report(PASSES)).css_first("table a")
    assert link is not None
    assert link.attributes["href"] == (
        "https://github.com/mlcommons/inference_results_v6.1/tree/main/"
        "closed/Example_Cloud/results/GB300%20NVL72/gpt-oss-120b/Offline"
    )


def test_expected_verdicts_are_told() -> None:
    assert "fail, as expected" in page(report(EXPECTED_FAIL)).text()


def test_a_comment_is_cut_where_github_refuses_it() -> None:
    text = reports.render(report(*[FAILS] * 2000), "markdown", OPTIONS)
    assert len(text) < 65_536
    assert "more claims not shown" in text


def test_quiet_leaves_out_what_passed() -> None:
    quiet = replace(OPTIONS, quiet=True)
    assert reports.render(report(PASSES), "markdown", quiet) == ""
    assert "per-gpu" not in reports.render(ALL, "markdown", quiet)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_and_makes_nothing(text: str) -> None:
    written = reports.render(hostile_report(text), "markdown", OPTIONS)
    html = page(hostile_report(text))
    (row,) = html.css("tbody tr")
    cells = row.css("td")
    assert len(cells) == 3
    shown = " ".join(printable(text).split())
    assert shown in " ".join(cells[1].text().split())
    assert shown in " ".join(cells[2].text().split())
    assert not html.css("script, img, h1, code, pre, del, input, em, a[href^='javascript'], a[href*='evil']")
    assert {n.tag for n in row.css("td *")} <= {"strong", "br", "sub", "span", "a"}
    repository = "https://github.com/mlcommons/inference_results_v6.1/tree/main/"
    assert all(str(n.attributes["href"]).startswith(repository) for n in row.css("a"))
    for line in written.splitlines():
        assert not line.lstrip().startswith("::")


@pytest.mark.parametrize(
    "text", ["@someone", "fixes #1", "see http://evil.example", "www.evil.example", "$x$", ":tada:"]
)
def test_github_makes_nothing_of_finished_text(text: str) -> None:
    # Mentions, issue numbers, addresses, formulas and emoji are looked for in a piece of text between tags.
    assert text not in escape(text)
    html = LexborHTMLParser(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(escape(text)))
    assert html.text().strip() == text
