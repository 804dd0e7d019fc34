"""ClaimReview as schema.org describes it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from report_samples import ALL, HOSTILE, OPTIONS, hostile_report, report
from selectolax.lexbor import LexborHTMLParser

from mlperf_claimcheck import reports


def reviews(**changes: Any) -> list[dict[str, Any]]:
    return list(json.loads(reports.render(ALL, "claimreview", replace(OPTIONS, **changes))))


def test_one_review_a_claim_with_types_and_required_keys() -> None:
    made = reviews()
    assert len(made) == len(ALL.verdicts)
    for review in made:
        assert (review["@context"], review["@type"]) == ("https://schema.org", "ClaimReview")
        assert review["claimReviewed"]
        assert review["author"]["@type"] == "Organization"
        assert review["itemReviewed"]["@type"] == "Claim"
        assert review["reviewRating"]["@type"] == "Rating"
        assert review["reviewRating"]["alternateName"]


def test_author_and_appearance_come_from_the_claim_file() -> None:
    item = reviews()[0]["itemReviewed"]
    assert item["author"] == {"@type": "Organization", "name": "Example Cloud"}
    assert item["appearance"]["url"] == "https://example.com/post"
    assert item["datePublished"] == "2026-09-16"


def test_the_rating_is_explained_and_what_cannot_be_decided_has_no_value() -> None:
    passes, fails, undecided, expected_fail, *_ = (r["reviewRating"] for r in reviews())
    assert (passes["worstRating"], passes["ratingValue"], passes["bestRating"]) == (1, 3, 3)
    assert fails["ratingValue"] == 1
    assert expected_fail["ratingValue"] == 1
    assert "ratingValue" not in undecided
    assert "16,634.86" in passes["ratingExplanation"]
    assert "not verified by MLCommons Association" in passes["ratingExplanation"]


def test_it_cites_rows_and_results() -> None:
    first = reviews(date="2026-12-01")[0]
    assert first["citation"][0].startswith("https://github.com/mlcommons/inference_results_v6.1/tree/main/closed/")
    assert first["isBasedOn"][0]["identifier"] == "sha256:" + "0123456789abcdef" * 4
    assert first["datePublished"] == "2026-12-01"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_data_inside_a_page(text: str) -> None:
    written = reports.render(hostile_report(text), "claimreview", OPTIONS)
    (script,) = LexborHTMLParser(f'<script type="application/ld+json">{written}</script>').css("script")
    (review,) = json.loads(script.text())
    assert review["claimReviewed"] == text
    assert "url" not in review["itemReviewed"].get("appearance", {})


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "http://[bad", "//x"])
def test_only_web_addresses_are_passed_on(url: str) -> None:
    made = replace(ALL, claim_sources={"claims/launch.yaml": {"url": url}})
    assert url not in reports.render(made, "claimreview", OPTIONS)


def test_an_empty_report() -> None:
    assert json.loads(reports.render(report(), "claimreview", OPTIONS)) == []
