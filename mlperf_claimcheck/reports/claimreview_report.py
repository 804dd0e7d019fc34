"""schema.org ClaimReview as JSON-LD: one review a claim, for fact-checking sites and search engines."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.json_report import dumps
from mlperf_claimcheck.reports.words import (
    NOT_VERIFIED,
    TRADEMARK,
    arithmetic,
    claimed_words,
    full_round_name,
    log_words,
    part_name,
    repository_link,
)
from mlperf_claimcheck.verdicts.model import Outcome, Report, Verdict
from mlperf_claimcheck.verdicts.text import printable

RATINGS = {
    Outcome.PASS: (3, "Supported by the published results"),
    Outcome.FAIL: (1, "Contradicted by the published results"),
    Outcome.UNVERIFIABLE: (None, "Unverifiable"),
}
"""Rating value of 1 to 3 and name. What cannot be decided has no place on a scale from false to true."""


class ClaimReviewReporter:
    """A JSON array of reviews. It may be put into a page as it is, in a script element of type application/ld+json."""

    name = "claimreview"
    extension = ".jsonld"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The reviews as JSON."""
        text = dumps([_review(v, report, options) for v in report.verdicts], indent=1)
        # Inside a script element nothing may look like its end, or like a comment.
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026") + "\n"


def _review(verdict: Verdict, report: Report, options: ReportOptions) -> dict[str, Any]:
    cited = report.claim_sources.get(verdict.file or "", {})
    value, name = RATINGS[verdict.outcome]
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": name, "ratingExplanation": _explanation(verdict)}
    if value is not None:
        rating |= {"ratingValue": value, "bestRating": 3, "worstRating": 1}
    item: dict[str, Any] = {"@type": "Claim"}
    if verdict.id:
        item["identifier"] = verdict.id
    author = _words(cited.get("author"))
    if author:
        item["author"] = {"@type": "Organization", "name": author}
    appearance: dict[str, Any] = {"@type": "CreativeWork"}
    url = _address(cited.get("url"))
    if url:
        appearance["url"] = url
    title = _words(cited.get("title"))
    if title:
        appearance["headline"] = title
    published = _words(cited.get("published"))
    if published:
        item["datePublished"] = published
        appearance["datePublished"] = published
    if len(appearance) > 1:
        item["appearance"] = appearance
    review: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "claimReviewed": verdict.text or claimed_words(verdict) or verdict.id,
        "author": {"@type": "Organization", "name": options.tool_name},
        "itemReviewed": item,
        "reviewRating": rating,
        "isBasedOn": [
            {
                "@type": "Dataset",
                "name": f"{full_round_name(s.round)} results",
                **({"url": s.source} if _address(s.source) else {}),
                "identifier": f"sha256:{s.sha256}",
                "version": s.retrieved,
            }
            for s in report.sources
        ],
    }
    if options.date:
        review["datePublished"] = options.date
    links = dict.fromkeys(link for row in verdict.evidence if (link := repository_link(row)))
    if links:
        review["citation"] = list(links)
    return review


def _explanation(verdict: Verdict) -> str:
    parts = [verdict.reason.message]
    sums = arithmetic(verdict)
    if sums:
        parts.append(f"Arithmetic: {sums}.")
    parts += [f"In the log of the run: {line}." for line in log_words(verdict)]
    parts += [f"{p.outcome}: {part_name(p, n)}: {p.reason.message}" for n, p in enumerate(verdict.parts, 1)]
    if verdict.accepted is not None:
        parts.append(f"Known and accepted by those who had it checked: {printable(verdict.accepted)}.")
    parts += [c.message for c in verdict.caveats]
    return " ".join([*parts, NOT_VERIFIED, TRADEMARK])


def _words(value: object) -> str:
    return "" if value is None or isinstance(value, (dict, list, tuple)) else printable(str(value))


def _address(value: object) -> str:
    """A web address, or nothing: other schemes could run code where the review is shown."""
    text = _words(value)
    try:
        return text if urlsplit(text).scheme in ("http", "https") else ""
    except ValueError:
        return ""


REPORTER = ClaimReviewReporter()
