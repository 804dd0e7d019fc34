"""The documentation's pages on codes, made of the same catalogue as `explain`: `python -m … docs/`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from mlperf_claimcheck.cli.explain_command import Page, pages

_MADE = "<!-- Made by `make docs` from the catalogue that `explain` uses; change that and not this file. -->"

_VERDICTS = {
    "pass": "The published rows bear the claim out as worded. Read its caveats: a true figure can mislead.",
    "fail": "The published rows contradict the claim. The reason tells the true figure, or whose figure it is.",
    "unverifiable": "The rows do not decide the claim, its words leave several readings with different verdicts, or a "
    "part of it was not understood. That is no accusation.",
}


NAMES = ("verdicts.md", "caveats.md", "messaging-rules.md")


def documents() -> Mapping[str, str]:
    """The pages, file name -> Markdown."""
    known = list(pages().values())
    made = (
        _verdicts([p for p in known if "reason" in p.kind]),
        _caveats([p for p in known if "caveat" in p.kind]),
        _rules([p for p in known if p.kind == "messaging rule"]),
    )
    return dict(zip(NAMES, made, strict=True))


def _verdicts(reasons: Sequence[Page]) -> str:
    parts = [
        "# Verdicts",
        "A claim gets one of three verdicts, and a reason with a code. Codes are stable: scripts may rely on them.",
    ]
    for verdict, meaning in _VERDICTS.items():
        found = [p for p in reasons if verdict in p.verdicts]
        rows = "\n".join(f"| [`{p.code}`](#{p.code}) | {_cell(p.title)} |" for p in found)
        parts.append(f"## {verdict.capitalize()}\n\n{meaning}\n\n| code | meaning |\n|---|---|\n{rows}")
    parts.append("## The reasons one by one")
    parts += [_entry(p) for p in reasons]
    return _joined(parts)


def _caveats(caveats: Sequence[Page]) -> str:
    parts = [
        "# Caveats",
        "What a verdict takes for granted, leaves out, or rests on. A warning is for the claim's readers too: "
        "without it a true sentence can mislead. A caveat never changes the verdict.",
    ]
    for heading, notes in (("Warnings", False), ("Notes", True)):
        found = [p for p in caveats if (p.severity == "notice") is notes]
        rows = "\n".join(f"| [`{p.code}`](#{p.code}) | {_cell(p.title)} |" for p in found)
        if rows:
            parts.append(f"## {heading}\n\n| code | meaning |\n|---|---|\n{rows}")
    parts.append("## The caveats one by one")
    parts += [_entry(p) for p in caveats]
    return _joined(parts)


def _rules(rules: Sequence[Page]) -> str:
    parts = [
        "# Messaging rules",
        "The rules that `lint` checks copy against, from MLCommons' documents and some of this tool's own. Rules that "
        "need a person are listed and never fire.",
        "| rule | severity | meaning |\n|---|---|---|\n"
        + "\n".join(f"| [`{p.code}`](#{p.code}) | {p.severity} | {_cell(p.title)} |" for p in rules),
    ]
    parts += [_entry(p) for p in rules]
    return _joined(parts)


def _entry(page: Page) -> str:
    lines = [f"### `{page.code}`", f"**{page.title}.** {page.explanation}"]
    if page.example and "\n" not in page.example:
        lines.append(f"Example: {page.example}")
    elif page.example:
        # A document that breaks the rule is shown as its source.
        lines.append(f"Breaks it:\n\n~~~markdown\n{page.example}\n~~~")
    facts = [*([f"verdict: {' or '.join(page.verdicts)}"] if page.verdicts else []), page.severity]
    lines.append(f"Source: {page.source} · {' · '.join(facts)}")
    return "\n\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join([parts[0], _MADE, *parts[1:]]) + "\n"


def main(folder: str) -> None:
    """Write the pages into `folder`."""
    from mlperf_claimcheck.files import new_file_mode, replace_file

    for name, text in documents().items():
        replace_file(Path(folder, name), text.encode(), mode=new_file_mode())


if __name__ == "__main__":
    main(sys.argv[1])
