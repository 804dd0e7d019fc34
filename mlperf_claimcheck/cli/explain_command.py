"""`explain`: what a code of a verdict, a caveat or a messaging rule means."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer

EXIT_USAGE = 2


class ExplainFormat(StrEnum):
    """Output formats of `explain`."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Page:
    """What `explain` says of one code."""

    code: str
    kind: str
    """`reason`, `caveat`, `reason and caveat` or `messaging rule`."""
    verdicts: tuple[str, ...]
    """For a reason: the verdicts that it can stand for."""
    severity: str
    title: str
    explanation: str
    example: str
    source: str


def explain(
    codes: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CODE]...", help="Codes of reasons, caveats or messaging rules; none lists them all."),
    ] = None,
    output_format: Annotated[
        ExplainFormat, typer.Option("--format", "-f", help="Format of the explanation.")
    ] = ExplainFormat.TEXT,
) -> None:
    """Explain the reason of a verdict, a caveat, or a messaging rule, with an example and its source.

    Exit code 0: explained; 2: there is no such code.
    """
    raise typer.Exit(run_explain(codes or (), output_format=output_format))


def run_explain(codes: Sequence[str], *, output_format: ExplainFormat = ExplainFormat.TEXT) -> int:
    """Print the explanations and return the exit code."""
    from mlperf_claimcheck.verdicts.catalogue import nearest
    from mlperf_claimcheck.verdicts.text import printable, shorten

    known = pages()
    chosen: list[Page] = []
    missing = False
    for code in codes:
        name = code.strip().lower().replace("_", "-")
        if name in known:
            chosen.append(known[name])
            continue
        missing = True
        hints = nearest(name[:100], known)
        hint = f"; did you mean {' or '.join(hints)}?" if hints else ""
        shown = printable(shorten(code, 100))
        sys.stderr.write(f"error: there is no code '{shown}'{hint} (`mlperf-claimcheck explain` lists all codes)\n")
    if missing:
        return EXIT_USAGE
    everything = not codes
    shown_pages = list(known.values()) if everything else chosen
    if output_format is ExplainFormat.JSON:
        text = _json(shown_pages)
    elif output_format is ExplainFormat.MARKDOWN:
        text = markdown(shown_pages)
    elif everything:
        text = _list(shown_pages)
    else:
        text = _text(shown_pages)
    sys.stdout.write(text)
    sys.stdout.flush()
    return 0


def pages() -> Mapping[str, Page]:
    """All codes: reasons, caveats, then messaging rules."""
    from mlperf_claimcheck.messaging.catalogue import messaging_rules
    from mlperf_claimcheck.verdicts.catalogue import entries

    found = {
        code: Page(code, e.kind, tuple(map(str, e.outcomes)), e.severity, e.title, e.explanation, e.example, e.source)
        for code, e in entries().items()
    }
    for code, rule in messaging_rules().items():
        bad = rule.bad.text.strip() if rule.bad is not None else ""
        found.setdefault(
            code,
            Page(
                code, "messaging rule", (), rule.severity.value, rule.title, rule.explanation, bad, _named(rule.source)
            ),
        )
    return found


_DOCUMENTS = {
    "G": "MLPerf® Results Messaging Guidelines ",
    "ER": "MLPerf® Endpoints rules ",
    "ES": "MLPerf® Endpoints submission rules ",
    "IR": "MLCommons Inference rules ",
    "TR": "MLCommons Training rules ",
    "SR": "MLCommons submission rules ",
}
"""The messaging rules cite their sources by these tags."""


def _named(source: str) -> str:
    import re

    named = re.sub(r"\b(G|ER|ES|IR|TR|SR)\b(?:,|(?=§| |$))", lambda m: _DOCUMENTS[m[1]], source)
    return " ".join("a rule of this tool" if named == "tool" else named for named in named.split(" ") if named)


def markdown(shown: Sequence[Page]) -> str:
    """The explanations as Markdown, under a heading for each kind; the documentation is made of it."""
    parts: list[str] = []
    kind = ""
    several = len(shown) > 1
    for page in shown:
        heading = _HEADINGS[page.kind]
        if several and heading != kind:
            parts.append(f"## {heading}")
            kind = heading
        lines = [f"{'###' if several else '##'} `{page.code}`", f"**{page.title}.** {page.explanation}"]
        facts = [page.kind, *([f"verdict: {', '.join(page.verdicts)}"] if page.verdicts else []), page.severity]
        if page.example and "\n" not in page.example:
            lines.append(f"Example: {page.example}")
        elif page.example:
            # A document that breaks the rule is shown as its source.
            lines.append(f"Breaks it:\n\n~~~markdown\n{page.example}\n~~~")
        lines.append(f"Source: {page.source} · {' · '.join(facts)}")
        parts.append("\n\n".join(lines))
    return "\n\n".join(parts) + "\n"


_HEADINGS = {
    "reason": "Reasons",
    "reason and caveat": "Reasons",
    "caveat": "Caveats",
    "messaging rule": "Messaging rules",
}


def _text(shown: Sequence[Page]) -> str:
    from mlperf_claimcheck.reports.interface import terminal_width
    from mlperf_claimcheck.reports.layout import wrap

    width = terminal_width()
    blocks = []
    for page in shown:
        verdicts = f" ({', '.join(page.verdicts)})" if page.verdicts else ""
        lines = [f"{page.code}: {page.kind}{verdicts}, {page.severity}", *wrap(page.title, width), ""]
        lines += wrap(page.explanation, width)
        label = "Breaks it:" if page.kind == "messaging rule" else "Example:"
        if page.example:
            lines += ["", label, *("  " + line for line in wrap(page.example, width - 2))]
        lines += ["", *wrap(f"Source: {page.source}", width)]
        blocks.append("\n".join(line.rstrip() for line in lines))
    return "\n\n\n".join(blocks) + "\n"


def _list(shown: Sequence[Page]) -> str:
    from mlperf_claimcheck.reports.interface import terminal_width
    from mlperf_claimcheck.reports.layout import wrap

    width = terminal_width()
    left = max(len(page.code) for page in shown) + 2
    lines: list[str] = []
    kind = ""
    for page in shown:
        heading = _HEADINGS[page.kind]
        if heading != kind:
            lines += ["", heading] if lines else [heading]
            kind = heading
        first, *rest = wrap(page.title, max(width - left - 2, 20))
        lines.append(f"  {page.code:<{left}}{first}")
        lines += [" " * (left + 2) + line for line in rest]
    return "\n".join(lines) + "\n"


def _json(shown: Sequence[Page]) -> str:
    import json

    def entry(page: Page) -> dict[str, Any]:
        return {
            "code": page.code,
            "kind": page.kind,
            "verdicts": list(page.verdicts),
            "severity": page.severity,
            "title": page.title,
            "explanation": page.explanation,
            "example": page.example,
            "source": page.source,
        }

    return json.dumps({"codes": [entry(page) for page in shown]}, ensure_ascii=False, indent=1) + "\n"
