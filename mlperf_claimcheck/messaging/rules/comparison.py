"""Comparisons and what they must disclose (guidelines, sections 4 and 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlperf_claimcheck.messaging.context import (
    CLOSED,
    COUNT,
    OPEN,
    VERSION,
    LintContext,
    Use,
)
from mlperf_claimcheck.messaging.registry import Hit, advice, at_use, rule

_EARLIER = re.compile(
    r"\b(?:previous|prior|last|preceding|earlier)\s+(?:MLPerf(?:\s*+®)?\s+)?(?:\w+\s+)?(?:round|submission|version"
    r"|results?|entry|generation of results)\b|"
    r"\bround[\s-]over[\s-]round\b|\b(?:six months|a year|one year)\s+(?:ago|earlier)\b|上一轮|上轮|前一轮|上一版|前次",
    re.IGNORECASE,
)
_NON_MLPERF = re.compile(
    r"\b(?:internal(?:ly)?\s+(?:test|benchmark|measure)\w*|our\s+own\s+(?:test|benchmark|measurement)s?"
    r"|in-house\s+(?:test|benchmark)\w*|"
    r"non-MLPerf|data\s?sheet|spec(?:ification)?\s+sheets?|published\s+spec\w*|customer\s+(?:workload|benchmark"
    r"|test)s?|"
    r"SPEC\s?(?:CPU|rate|int)\w*|InferenceMAX|InferenceX|Artificial\s+Analysis|Geekbench|LMSYS|MLCube\s+tests"
    r"|vLLM\s+benchmark|"
    r"(?:theoretical|peak)\s+(?:FLOPS|TFLOPS|performance|throughput)|vendor['’]?s?\s+(?:estimates?|claims?)"
    r"|estimated\s+(?:performance|throughput))"
    r"|内部测试|自测|实验室测试|数据手册",
    re.IGNORECASE,
)
_AVAILABILITY = {
    "available": re.compile(r"\bavailable\b|可用|已上市", re.IGNORECASE),
    "preview": re.compile(r"\bpreview\b|预览|預覽", re.IGNORECASE),
    "rdi": re.compile(r"\bRDI\b|\bresearch(?:,\s*development,?\s*(?:or|and)\s*internal)?\b|研发"),
}
_SAID_COUNT = re.compile(
    r"(?<![\w.,])\d{1,5}(?=[\s-]*[x×](?![a-z])|[\s-]*(?:[\w.-]{1,40}\s+){0,3}(?:GPU|accelerator|TPU|chip|card|NPU|块"
    r"|卡|张))"
    r"|(?<=NVL)\d+"
    r"|(?<=[^\w.]x)\d+\b",
    re.IGNORECASE,
)
_COMPARING = re.compile(
    r"\bvs\b|\bversus\b|\bthan\b|\bcompared\b|\brelative to\b|\boutperform|\bover\s+(?:the\s+)?[A-Zvp]|相比|对比|较|比",
    re.IGNORECASE,
)


def _versions(text: str) -> set[str]:
    return {m.group(1) for m in VERSION.finditer(text)}


def _compared(ctx: LintContext) -> list[Use]:
    return ctx.once("compared", lambda: [u for u in ctx.comparisons if u.said(_COMPARING) or u.said(_EARLIER)])


def _note_versions(ctx: LintContext) -> set[str]:
    found: set[str] = set()
    for note in ctx.footnotes:
        found |= _versions(note.passage.text)
        found |= set(re.findall(r"(?<![\w.])v?(\d{1,2}\.\d{1,2})-\d{2,4}\b", note.passage.text))
        found |= set(
            re.findall(
                r"MLPerf(?:\s*+®)?\s+(?:Inference\s+|Training\s+)?v?(\d{1,2}\.\d{1,2})(?![\d-])", note.passage.text
            )
        )
    return found


@rule("no-non-mlperf-comparison")
def no_non_mlperf_comparison(ctx: LintContext) -> Iterator[Hit]:
    """MLPerf results are compared with MLPerf results only (G§4). A guess from telling words."""
    for use in _compared(ctx):
        found = use.said(_NON_MLPERF)
        if found:
            yield at_use(
                use,
                f'the result seems to be compared with a figure that is no MLPerf result ("{found.group()}")',
                advice("compare MLPerf® results with MLPerf® results only"),
            )


@rule("disclose-version-diff")
def disclose_version_diff(ctx: LintContext) -> Iterator[Hit]:
    """A comparison between rounds names both versions in the text (G§5)."""
    compared = _compared(ctx)
    if not compared:
        return
    main = _versions(ctx.main_text) | {v for p in ctx.passages if p.role != "footnote" for v in _plain_versions(p.text)}
    for use in compared:
        if use.said(_EARLIER) and len(main) < 2:
            yield at_use(
                use,
                "the comparison is with an earlier round whose version the text does not name",
                advice("name both versions, for example v6.0 and v5.1"),
            )
            return
    missing = _note_versions(ctx) - main
    if len(_note_versions(ctx)) > 1 and missing:
        yield at_use(
            compared[0],
            f"the comparison spans rounds, but the text does not name version {', '.join(sorted(missing))}",
            advice("name both versions in the text"),
        )


def _plain_versions(text: str) -> set[str]:
    return set(
        re.findall(
            r"(?:MLPerf(?:\s*+®)?\s+(?:\w+\s+)?|\band\s+|\bto\s+|\bversion\s+|\bround\s+)v?(\d{1,2}\.\d)(?![\d\w-]"
            r"|\s*(?:million|[x×%]))",
            text,
        )
    )


@rule("disclose-division-diff")
def disclose_division_diff(ctx: LintContext) -> Iterator[Hit]:
    """A comparison between divisions names both in the text (G§5)."""
    compared = _compared(ctx)
    if not compared:
        return
    notes = "\n".join(f.passage.text for f in ctx.footnotes)
    divisions = {r.division for r in ctx.cited_rows}
    mixed = (CLOSED.search(notes) and OPEN.search(notes)) or {"open", "closed"} <= divisions
    said_closed, said_open = CLOSED.search(ctx.main_text), OPEN.search(ctx.main_text)
    if mixed and not (said_closed and said_open):
        missing = [n for n, s in (("Closed", said_closed), ("Open", said_open)) if not s]
        yield at_use(
            compared[0],
            f"the comparison mixes Open and Closed results, but the text does not name {' and '.join(missing)}",
            advice("name both divisions in the text"),
        )


@rule("disclose-category-diff")
def disclose_category_diff(ctx: LintContext) -> Iterator[Hit]:
    """A comparison between availability categories names both in the text (G§5)."""
    compared = _compared(ctx)
    if not compared:
        return
    notes = "\n".join(f.passage.text for f in ctx.footnotes)
    categories = {r.availability for r in ctx.cited_rows}
    categories |= {name for name, pattern in _AVAILABILITY.items() if pattern.search(notes)}
    missing = (
        [name for name in sorted(categories) if not _AVAILABILITY[name].search(ctx.main_text)]
        if len(categories) > 1
        else []
    )
    if missing:
        yield at_use(
            compared[0],
            f"the compared results differ in availability, but the text does not name {' and '.join(missing)}",
            advice("name both availability categories in the text"),
        )


def _counts(missing: set[str]) -> str:
    return "the count " + ", ".join(sorted(missing, key=int))


@rule("disclose-chip-count-diff")
def disclose_chip_count_diff(ctx: LintContext) -> Iterator[Hit]:
    """A comparison between different numbers of accelerators gives both numbers in the text (G§5)."""
    compared = _compared(ctx)
    if not compared:
        return
    counts = {str(r.accelerators) for r in ctx.cited_rows if r.accelerators}
    for note in ctx.footnotes:
        counts |= {m.group(1) for m in COUNT.finditer(note.passage.text)}
    if len(counts) < 2:
        return
    said = {m.group() for m in _SAID_COUNT.finditer(ctx.main_text)}
    missing = counts - said
    if missing:
        yield at_use(
            compared[0],
            f"the compared systems differ in accelerators, but the text does not give {_counts(missing)}",
            advice("give the number of accelerators of both systems in the text"),
        )
