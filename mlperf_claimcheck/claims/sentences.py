"""Where sentences begin and end, in English and Chinese."""

from __future__ import annotations

import re
from typing import Protocol


class HasText(Protocol):
    """Anything with a text: a block, a cell, a mapped text."""

    @property
    def text(self) -> str:
        """The text."""


_END = re.compile(
    r"(?P<cjk>[。！？｡]+[”’」』）\"')]*)|(?P<western>(?<![.!?…])[.!?…]++[\"')\]”’»]*+)(?=\s|$|[\u4e00-\u9fff])|(?P<line>\n)"
)
_ABBREVIATIONS = frozenset(
    [
        "e.g",
        "i.e",
        "vs",
        "v",
        "vs",
        "inc",
        "corp",
        "ltd",
        "co",
        "llc",
        "no",
        "nos",
        "fig",
        "figs",
        "eq",
        "sec",
        "approx",
        "ca",
        "etc",
        "al",
        "dr",
        "mr",
        "mrs",
        "ms",
        "prof",
        "st",
        "jr",
        "sr",
        "resp",
        "incl",
        "max",
        "min",
        "avg",
        "est",
        "cf",
        "p",
        "pp",
        "vol",
        "ver",
        "rev",
        "ed",
        "dept",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "u.s",
        "u.k",
        "a.m",
        "p.m",
        "ph.d",
        "gen",
        "gov",
        "op",
        "ref",
        "refs",
        "tab",
        "ch",
        "bros",
        "mt",
        "ft",
        "viz",
        "n.b",
    ]
)
_MAY_END = frozenset(["inc", "corp", "ltd", "co", "llc", "etc", "al", "u.s", "u.k", "a.m", "p.m", "jr", "sr"])
"""Abbreviations that a sentence may also end with."""
_UNITS = frozenset(["ms", "min", "sec"])
"""Abbreviations that are units behind a number."""
_STARTERS = re.compile(
    r"(?:The|This|That|These|Those|It|Its|In|On|At|We|Our|A|An|For|With|And|But|When|While|As|To|From|By|MLPerf|All|Each|"
    r"Both|Compared|Results?)\b"
)
_ENUMERATOR = re.compile(r"^\s*(?:\d{1,2}|[A-Za-z])\.$")


def sentences(block: HasText | str) -> list[tuple[int, int]]:
    """Start and end offsets of the sentences of a text, without the white space between them.

    "v6.1", "1.16 million", "e.g.", "vs.", "3.1x" and "235B-A22B" stay whole, as does an abbreviated name ("Inc.") that
    goes on. A hard line break ends a sentence unless the next line goes on in lower case.
    """
    text = block if isinstance(block, str) else block.text
    found: list[tuple[int, int]] = []
    start = 0

    def close(end: int) -> None:
        nonlocal start
        piece = text[start:end]
        stripped = piece.strip()
        if stripped:
            lead = start + len(piece) - len(piece.lstrip())
            found.append((lead, lead + len(stripped)))
        start = end

    for match in _END.finditer(text):
        end = match.end()
        if match.lastgroup == "line":
            following = text[end : end + 1]
            # "…of the\nnext" goes on; a new line with a capital, a figure or a Chinese character starts anew.
            if following.islower() and text[start : match.start()].rstrip()[-1:].isalnum():
                continue
            close(end)
            continue
        if match.lastgroup == "western" and _goes_on(text, start, match):
            continue
        close(end)
    close(len(text))
    return found


def _goes_on(text: str, start: int, match: re.Match[str]) -> bool:
    marks = match.group()
    if marks[0] != "." or marks.startswith(".."):
        # An ellipsis or "?" within a sentence is followed by lower case.
        return marks.startswith(("..", "…")) and text[match.end() : match.end() + 2].strip()[:1].islower()
    following = text[match.end() : match.end() + 40].lstrip()
    if not following:
        return False
    window = text[max(start, match.start() - 32) : match.start()]
    word = re.split(r"[\s(\[“\"']", window)[-1].lower()
    if _ENUMERATOR.match(text[start : match.start() + 1]):
        return True
    if word in _UNITS and re.search(r"\d[\s-]*$", window[: len(window) - len(word)]):
        return following[0].islower()  # "within 450 ms. The …" ends, "Ms. Smith" goes on.
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word.isascii()):
        if word in {"no", "nos", "fig", "figs", "eq", "sec", "v", "p", "pp", "ch", "ref", "tab", "ver"}:
            # "No. 1" goes on, "… said no. The …" does not.
            return following[0].isdigit() or following[0] in "#v"
        return not (word in _MAY_END and _STARTERS.match(following))
    return False
