"""HTML: one self-contained page for readers, that asks the network for nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from mlperf_claimcheck.messaging.rules.mark import LEGEND_TEXT
from mlperf_claimcheck.reports import charts, words
from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.points import ROLE_WORDS, Points, comparable
from mlperf_claimcheck.verdicts import catalogue
from mlperf_claimcheck.verdicts.model import Evidence, Outcome, Report, Verdict
from mlperf_claimcheck.verdicts.text import plural, printable

if TYPE_CHECKING:
    from jinja2 import Environment

MANY = 500
"""Claims from which on the page leaves out what would make it too heavy: rows beyond a few for each claim."""

ROWS_IF_MANY = 3

MAX_CHARTS = 120
"""Charts take much longer to draw than anything else."""


MAX_FILES = 20
"""File names that stand at the top."""


@dataclass(slots=True)
class _Page:
    """What the template asks for."""

    report: Report
    options: ReportOptions
    many: bool
    with_charts: bool
    drawn: int = 0
    left_out: int = 0

    def rows(self, verdict: Verdict) -> tuple[Evidence, ...]:
        """The rows that are shown."""
        rows = words.own_evidence(verdict)
        return rows[:ROWS_IF_MANY] if self.many else rows

    def chart(self, verdict: Verdict) -> dict[str, str] | None:
        """The chart of a claim, if there is something to draw."""
        if not self.with_charts or not words.own_evidence(verdict):
            return None
        found = comparable(verdict, self.options.peers)
        if found is None:
            return None
        if self.drawn >= MAX_CHARTS:
            self.left_out += 1
            return None
        self.drawn += 1
        return _chart(found, self.drawn)

    def steps(self, verdict: Verdict) -> list[tuple[str, str]]:
        """The arithmetic, one step after the other."""
        return list(_steps(verdict))


class HtmlReporter:
    """The page works from a file, in light and dark, by keyboard, on paper, and without JavaScript."""

    name = "html"
    extension = ".html"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The page."""
        css, script = _asset("report.css"), _asset("report.js")
        page = _Page(report, options, len(report.verdicts) > MANY, options.charts and charts.available())
        outcomes = [(str(o), sum(v.outcome is o for v in report.verdicts)) for o in Outcome]
        text = (
            _environment()
            .get_template("report.html.j2")
            .render(
                page=page,
                report=report,
                options=options,
                words=words,
                title=words.title(report),
                outcomes=outcomes,
                cited=[(file, _cited(source)) for file, source in report.claim_sources.items() if source],
                files=_uncited(report),
                entries=_explained(report.verdicts),
                roles=ROLE_WORDS,
                legend=LEGEND_TEXT,
                rows_if_many=ROWS_IF_MANY,
                charts_extra=charts.available(),
                css=_markup(css),
                script=_markup(script),
                policy=f"default-src 'none'; style-src {_hash(css)}; script-src {_hash(script)}; img-src data:; "
                "base-uri 'none'; form-action 'none'",
            )
        )
        return text if text.endswith("\n") else text + "\n"


def _steps(verdict: Verdict) -> Iterator[tuple[str, str]]:
    claimed, computed = verdict.claimed, verdict.computed
    said = words.claimed_words(verdict)
    if said and claimed is not None:
        reach = ""
        if claimed.relation == "eq" and claimed.precision and claimed.value is not None:
            low, high = claimed.value - claimed.precision / 2, claimed.value + claimed.precision / 2
            reach = f" (as printed, it can stand for {words.figure(low)} to {words.figure(high)})"
        yield "The claim says", said + reach
    for row in words.own_evidence(verdict):
        if row.role in ("subject", "baseline"):
            name = f"Published, {row.role}" if row.role == "baseline" else "Published"
            count = f" on {row.accelerators} accelerators" if row.accelerators else ""
            yield name, f"{words.figure(row.value)} {row.unit}, {row.submitter}, {row.scenario}{count}"
            same = computed is not None and computed.value == row.derived
            if row.derived is not None and row.derived_unit and not same:
                yield "Derived from it", f"{words.figure(row.derived)} {row.derived_unit}"
    for line in words.log_words(verdict):
        yield "In the log of the run", line
    sums = words.arithmetic(verdict)
    if sums and not any(sums == f"{words.figure(row.value)} {row.unit}" for row in verdict.evidence):
        yield "Arithmetic", sums + (" (unverified)" if words.has_derived([verdict]) else "")
    if (
        claimed is not None
        and computed is not None
        and claimed.value
        and computed.value is not None
        and claimed.unit == computed.unit
    ):
        gap = computed.value - claimed.value
        share = gap / abs(claimed.value) * 100
        sign = "−" if gap < 0 else "+"
        # A share of a percentage would be taken for the difference itself.
        told = (
            f"{sign}{abs(gap):.3g} percentage points"
            if computed.unit == "%"
            else f"{sign}{words.figure(abs(gap))} {computed.unit} ({sign}{abs(share):.3g}%)"
        )
        holders = {row.role for row in words.own_evidence(verdict) if computed.value in (row.value, row.derived)}
        nearest = "nearest" in holders and "subject" not in holders
        yield "Difference from the nearest figure" if nearest else "Difference", told if gap else "none"


def _chart(found: Points, number: int) -> dict[str, str]:
    return {
        "svg": _markup(charts.chart(found, number)),
        "words": charts.words(found),
        "legend": charts.legend(found),
    }


def _cited(source: dict[str, Any]) -> dict[str, str]:
    """A claim file's source block; an address that is not of the web is text."""
    from urllib.parse import urlsplit

    known = {key: str(source.get(key) or "") for key in ("title", "author", "published", "url")}
    try:
        scheme = urlsplit(known["url"]).scheme
    except ValueError:
        scheme = ""
    return {**known, "href": known["url"] if scheme in ("http", "https") else ""}


def _uncited(report: Report) -> str:
    """The files that claims came from, without those that say what they stand for (their source is cited)."""
    found = dict.fromkeys(v.file for v in report.verdicts if v.file and v.file not in ("<text>", "<stdin>"))
    names = [file for file in found if not report.claim_sources.get(file)]
    more = len(names) - MAX_FILES
    return ", ".join(names[:MAX_FILES]) + (f" and {plural(more, 'more file')}" if more > 0 else "")


def _explained(verdicts: Iterable[Verdict]) -> list[catalogue.Entry]:
    """The entries of all codes of the report, each once."""
    used: set[str] = set()

    def collect(verdict: Verdict) -> None:
        used.add(verdict.reason.code)
        used.update(c.code for c in verdict.caveats)
        for part in verdict.parts:
            collect(part)

    for verdict in verdicts:
        collect(verdict)
    return [entry for code, entry in catalogue.entries().items() if code in used]


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Every text that is put into the page is made printable first; markup of the page itself is left alone.
        finalize=_shown,
    )
    made.globals["breakable"] = _breakable
    made.globals["known_code"] = lambda code: catalogue.find(code) is not None
    return made


def _shown(value: Any) -> Any:
    if type(value) is str:
        return printable(value)
    return "" if value is None else value


def _breakable(unit: str | None) -> Any:
    """A unit that a narrow column breaks before a slash with a long word and not within a word."""
    from markupsafe import Markup, escape

    first, *rest = printable(unit or "").split("/")
    parts = [Markup("/{}" if len(part) < 4 else "<wbr>/{}").format(part) for part in rest]
    return Markup("").join([escape(first), *parts])


def _markup(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)


@lru_cache(maxsize=8)
def _asset(name: str) -> str:
    return resources.files("mlperf_claimcheck.reports").joinpath("templates", name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


REPORTER = HtmlReporter()
