"""Reading each report format back with a program that is not ours."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import cache
from typing import Any

from mlperf_claimcheck.verdicts.model import Report

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def refuse_constant(name: str) -> Any:
    """JSON has no NaN and no infinity."""
    raise AssertionError(f"{name} is no JSON")


def load(text: str) -> Any:
    text.encode("utf-8")
    return json.loads(text, parse_constant=refuse_constant)


def read_json(text: str, report: Report) -> None:
    data = load(text)
    assert len(data["claims"]) == len(report.verdicts)
    assert sum(data["summary"].values()) == len(report.verdicts)


def read_jsonl(text: str, report: Report) -> None:
    lines = text.split("\n")
    assert lines.pop() == ""
    parsed = [load(line) for line in lines]
    assert sum("verdict" in p for p in parsed) == len(report.verdicts)


def read_csv(text: str, report: Report) -> None:
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    assert len({len(r) for r in rows}) == 1, "every row has the same number of cells"
    # A spreadsheet takes what begins so for a formula.
    assert not any(c.startswith(("=", "@", "\t", "\r")) for r in rows for c in r)


def read_junit(text: str, report: Report) -> None:
    root = ElementTree.fromstring(text.encode("utf-8"))
    assert len(list(root.iter("testcase"))) == len(report.verdicts)


def read_sarif(text: str, report: Report) -> None:
    (run,) = load(text)["runs"]
    assert all(r["message"]["text"] for r in run["results"])


def read_claimreview(text: str, report: Report) -> None:
    assert "<" not in text, "it stands inside of a script element"
    load(text)


@cache
def markdown_parser() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("gfm-like", {"linkify": False, "html": True})


def harmless(html: str) -> None:
    """A page in which nothing runs and no foreign address is asked."""
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(html)
    for element in page.css("iframe, object, embed, form[action], img, link[href^=http], base"):
        raise AssertionError(f"the report has {element.html}")
    for element in page.css("a"):
        target = str(element.attributes.get("href") or "")
        assert target.startswith(("https://", "http://", "#")), target
    for element in page.css("*"):
        assert not any(n.startswith("on") for n in element.attributes), element.html


def read_markdown(text: str, report: Report) -> None:
    text.encode("utf-8")
    html = markdown_parser().render(text)
    assert "<script" not in html
    harmless(html)


def read_html(text: str, report: Report) -> None:
    text.encode("utf-8")
    harmless(text)


def read_table(text: str, report: Report) -> None:
    text.encode("utf-8")
    assert CONTROL.search(text) is None


def read_github(text: str, report: Report) -> None:
    text.encode("utf-8")
    commands = [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) == sum(v.outcome != "pass" for v in report.verdicts)
    for line in commands:
        assert re.fullmatch(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^,:]*,?)*)::(.*)", line), line


READ_BACK: dict[str, Callable[[str, Report], None]] = {
    "table": read_table,
    "json": read_json,
    "jsonl": read_jsonl,
    "markdown": read_markdown,
    "html": read_html,
    "csv": read_csv,
    "junit": read_junit,
    "sarif": read_sarif,
    "github": read_github,
    "claimreview": read_claimreview,
}
