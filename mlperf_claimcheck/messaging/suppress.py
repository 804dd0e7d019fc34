"""Inline suppression of findings.

In Markdown and HTML: `<!-- mlperf-lint: disable=rule-id the reason -->`, for the next block, or up to
`<!-- mlperf-lint: enable=rule-id -->` where that follows. In plain text: `[mlperf-lint-disable: rule-id the reason]`,
for its own paragraph or, standing alone, for the next one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from mlperf_claimcheck.claims.documents import Document

_COMMENT = re.compile(r"^\s*mlperf-lint\s*:\s*(?P<verb>disable|enable)\s*=?\s*(?P<rest>.*?)\s*$", re.DOTALL)
_TEXT = re.compile(r"\[mlperf-lint-(?P<verb>disable|enable)\s*:\s*(?P<rest>[^\]\n]{0,400})\]")


@dataclass(slots=True)
class Suppression:
    """One directive."""

    rules: tuple[str, ...]
    reason: str
    start: int
    """Source offsets of the directive."""
    end: int
    first: int
    """Source offsets of what it covers."""
    last: int
    used: bool = False


def _parse(rest: str) -> tuple[tuple[str, ...], str]:
    found = re.match(r"(?P<rules>[a-z0-9-]+(?:\s*,\s*[a-z0-9-]+)*)(?P<reason>.*)$", rest, re.DOTALL)
    if found is None:
        return (), rest
    rules = tuple(r.strip() for r in found.group("rules").split(","))
    return rules, " ".join(found.group("reason").strip(" \t\n-–—:").split())


def suppressions(document: Document) -> list[Suppression]:
    """The directives of a document, each with the stretch that it covers."""
    found: list[tuple[str, str, int, int]] = []
    for comment in document.comments:
        match = _COMMENT.match(comment.text)
        if match:
            found.append((match.group("verb"), match.group("rest"), comment.start, comment.end))
    if document.kind == "text":
        found.extend((m.group("verb"), m.group("rest"), m.start(), m.end()) for m in _TEXT.finditer(document.source))
    found.sort(key=lambda f: f[2])
    spans = sorted(
        (min(t.source_start(0) for t in texts), max(t.source_end(len(t.text)) for t in texts))
        for texts in ([t for t in b.texts() if t.text] for b in (*document.blocks, *document.furniture))
        if texts
    )
    starts = [s[0] for s in spans]
    enables = [(f[2], set(_parse(f[1])[0]) if f[1].strip() else None) for f in found if f[0] == "enable"]
    result: list[Suppression] = []
    for verb, rest, start, end in found:
        if verb != "disable":
            continue
        rules, reason = _parse(rest)
        closing = next((at for at, names in enables if at > end and (names is None or names & set(rules))), None)
        if closing is not None:
            first, last = start, closing
        else:
            # The block that the directive stands in (plain text), else the next one.
            before = bisect_right(starts, start) - 1
            inside = spans[before] if before >= 0 and start < spans[before][1] else None
            if inside is not None and document.source[inside[0] : inside[1]].strip() != document.source[start:end]:
                first, last = inside
            else:
                after = bisect_left(starts, end)
                first, last = spans[after] if after < len(spans) else (end, end)
        result.append(Suppression(rules, reason, start, end, first, last))
    return result
