"""The HTML report: complete, self-contained, and data stays data."""

from __future__ import annotations

import base64
import hashlib
import sys
import time
from dataclasses import replace

import pytest
from report_samples import ALL, FAILS, HOSTILE, OPTIONS, PASSES, UNDECIDED, hostile_report, report, row
from selectolax.lexbor import LexborHTMLParser, LexborNode

from mlperf_claimcheck import reports
from mlperf_claimcheck.messaging.rules.mark import LEGEND_TEXT
from mlperf_claimcheck.reports import charts
from mlperf_claimcheck.verdicts import Claimed, Computed, Report
from mlperf_claimcheck.verdicts.text import printable

PLAIN = replace(OPTIONS, charts=False)
needs_charts = pytest.mark.skipif(not charts.available(), reason="the charts extra is not installed")


def page(made: Report, options: reports.ReportOptions = PLAIN) -> LexborHTMLParser:
    return LexborHTMLParser(reports.render(made, "html", options))


def one(html: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
    (found,) = html.css(selector)
    return found


def joined(node: LexborHTMLParser | LexborNode) -> str:
    return " ".join(node.text(separator=" ").split())


def test_the_top_says_what_was_checked_against_which_results() -> None:
    header = one(page(ALL), "header")
    text = joined(header)
    assert "Claims checked against published MLPerf® Inference results" in text
    assert "6 claims: 2 pass, 3 fail, 1 unverifiable" in text
    assert "GPT-OSS-120B on GB300 NVL72 , Example Cloud, 2026-09-16" in text
    assert "obtained 2026-11-30" in text
    assert "0123456789abcdef" * 4 in text
    assert one(header, "#cited ~ ul a").attributes["href"] == "https://example.com/post"


def test_a_claim_has_verdict_sentence_steps_caveats_and_rows() -> None:
    claim = one(page(report(PASSES)), "article")
    text = joined(claim)
    assert text.startswith("pass per-gpu claims/launch.yaml:10:5 16,635 tokens/s/GPU offline")
    assert "The claim says: 16,635 tokens/s/accelerator (as printed, it can stand for 16,634.50 to 16,635.50)" in text
    assert "Published: 1,197,710 tokens/s, Example Cloud, Offline on 72 accelerators" in text
    assert "1,197,710 tokens/s ÷ 72 accelerators = 16,634.86 tokens/s/accelerator (unverified)" in text
    assert "Difference: −0.138889 tokens/s/accelerator" in text
    assert "Note: The figure per accelerator is derived." in text
    assert "Warning: One result stands above outside the scope." in text
    assert len(claim.css("tbody tr")) == 3
    assert claim.css("tbody a")[0].attributes["href"] == (
        "https://github.com/mlcommons/inference_results_v6.1/tree/main/"
        "closed/Example_Cloud/results/GB300%20NVL72/gpt-oss-120b/Offline"
    )


def test_codes_are_explained_once_and_every_link_within_the_page_leads_somewhere() -> None:
    html = page(ALL)
    ids = [str(n.attributes["id"]) for n in html.css("[id]")]
    assert len(ids) == len(set(ids))
    targets = {str(a.attributes["href"])[1:] for a in html.css("a[href^='#']")}
    assert targets <= set(ids)
    assert "code-derived-metric" in targets
    assert len([i for i in ids if i == "code-derived-metric"]) == 1


def test_parts_and_readings_are_shown() -> None:
    text = joined(page(ALL))
    assert "fail 911,566 Offline It is 911,567. value-differs" in text
    assert "pass against Vendor: 2.7" in text


def test_what_the_messaging_rules_demand_is_there() -> None:
    text = joined(one(page(ALL), "footer"))
    assert LEGEND_TEXT in text
    assert "result not verified by MLCommons Association" in text


def test_the_page_asks_for_nothing() -> None:
    html = page(ALL)
    assert not html.css("[src], iframe, object, embed, base, link:not([rel=icon])")
    assert one(html, "link[rel=icon]").attributes["href"] == "data:,"
    policy = str(one(html, "meta[http-equiv]").attributes["content"])
    assert policy.startswith("default-src 'none';")
    for tag in ("style", "script"):
        digest = hashlib.sha256(one(html, tag).text().encode()).digest()
        assert f"{tag}-src 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert not html.css("[style]")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_data(text: str) -> None:
    written = reports.render(hostile_report(text), "html", PLAIN)
    assert all(char == "\n" or char.isprintable() for char in written)
    html = LexborHTMLParser(written)
    assert one(html, "article > h2").text() == printable(text)
    assert len(html.css("script")) == 1
    assert not html.css("img, article script, [onerror], [onmouseover], a[href^='javascript'], a[href*='evil']")
    assert len(html.css("article")) == 1
    assert joined(one(html, "article > h2")) == " ".join(printable(text).split())


@needs_charts
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_data_in_charts(text: str) -> None:
    verdict = replace(PASSES, evidence=(row(), row(submitter=text, accelerator=text, derived=1.0)))
    html = page(report(verdict), OPTIONS)
    assert len(html.css("figure svg")) == 1
    assert not html.css("img, svg script, svg a, svg image, svg foreignObject, [onerror]")
    assert len(html.css("script")) == 1


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "http://[bad", "//x.example"])
def test_only_web_addresses_are_links(address: str) -> None:
    html = page(replace(ALL, claim_sources={"a.yaml": {"url": address}}))
    assert address in one(html, "#cited ~ ul").text()
    assert not html.css("#cited ~ ul a")


def test_a_file_without_a_source_block_and_one_with_a_title_only() -> None:
    html = page(replace(ALL, claim_sources={"a.yaml": {}, "b.yaml": {"title": "Post"}}))
    assert joined(one(html, "#cited ~ ul")) == "Post (b.yaml) claims/launch.yaml"


@needs_charts
def test_a_chart_shows_the_claimed_value_and_marks_scope_and_preview() -> None:
    html = page(report(PASSES), OPTIONS)
    figure = one(html, "figure")
    label = str(one(figure, "[role=img]").attributes["aria-label"])
    assert "The claim says 16,635." in label
    assert "Vendor, 72 × Vera Rubin (preview): 27,777.78 (above, outside the claim's scope)" in label
    svg = one(figure, "svg")
    assert "claimed 16,635" in svg.text()
    assert "url(#v1-hatch)" in (svg.html or "")
    assert "#010101" not in (svg.html or "")
    legend = one(figure, "figcaption").text()
    assert "hatched: above it, but outside that scope" in legend
    assert "dashed outline: Preview" in legend


@needs_charts
def test_charts_show_all_comparable_results_where_they_are_given() -> None:
    others = [row(submitter=f"Peer {n}", platform=f"p{n}", derived=1000.0 + n, role="other") for n in range(30)]
    html = page(report(PASSES), replace(OPTIONS, peers=lambda _: others))
    label = str(one(html, "figure [role=img]").attributes["aria-label"])
    assert "Peer 29, 72 × NVIDIA GB300: 1,029;" in label
    assert "19 more comparable results are not drawn" in one(html, "figcaption").text()


@needs_charts
def test_ids_of_several_charts_do_not_collide() -> None:
    html = page(report(PASSES, replace(PASSES, id="again")), OPTIONS)
    ids = [str(n.attributes["id"]) for n in html.css("[id]")]
    assert len(html.css("figure svg")) == 2
    assert len(ids) == len(set(ids))


def test_without_the_extra_the_page_says_so_and_stays_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    charts.available.cache_clear()
    try:
        html = page(report(PASSES), OPTIONS)
    finally:
        charts.available.cache_clear()
    assert 'pip install "mlperf-claimcheck[charts]"' in joined(one(html, "footer"))
    assert not html.css("figure")
    assert len(html.css("tbody tr")) == 3


def test_an_empty_report() -> None:
    html = page(Report((), ()))
    assert "Claims checked against published results" in joined(html)
    assert not html.css("article")


def test_five_thousand_claims_stay_light() -> None:
    evidence = tuple(row(submitter=f"Submitter {n}", role="nearest" if n else "subject") for n in range(8))
    heavy = replace(PASSES, evidence=evidence)
    many = [replace(v, id=f"claim-{n}", line=n) for n in range(1250) for v in (heavy, FAILS, UNDECIDED, heavy)]
    started = time.perf_counter()
    written = reports.render(report(*many), "html", PLAIN)
    assert time.perf_counter() - started < 60
    assert len(written.encode()) < 15_000_000
    assert written.count("<article") == 5000
    assert "at most 3 rows are shown for each" in written


def test_the_top_says_what_was_checked_with_and_without_a_source() -> None:
    other = replace(PASSES, file="claims/other.yaml")
    html = page(report(PASSES, other))
    told = [li.text() for li in html.css("section[aria-labelledby=cited] li")]
    assert len(told) == 2
    assert "GPT-OSS-120B on GB300 NVL72" in told[0]
    assert told[1] == "claims/other.yaml"


def test_the_difference_of_percentages_is_in_points() -> None:
    gain = replace(PASSES, claimed=Claimed("eq", 8.0, "%", 1.0), computed=Computed(7.8434, "%", "a ÷ b − 1"))
    assert "−0.157 percentage points" in reports.render(report(gain), "html", PLAIN)


def test_a_difference_from_a_figure_that_is_not_the_claims_own_says_so() -> None:
    other = replace(PASSES, evidence=(row(role="nearest"), row(submitter="Other", value=1.0, derived=1.0)))
    assert "Difference from the nearest figure" in reports.render(report(other), "html", PLAIN)
    assert "Difference from the nearest figure" not in reports.render(report(PASSES), "html", PLAIN)
