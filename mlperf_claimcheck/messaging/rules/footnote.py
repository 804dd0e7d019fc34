"""The footnote that every use of a result needs, and its parts (guidelines, section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mlperf_claimcheck.messaging.context import (
    CLOSED,
    DATE,
    ID_WORD,
    LEGEND,
    OPEN,
    RESULT_ID,
    SCENARIO,
    STATED_ID,
    WEBSITE,
    Footnote,
    LintContext,
    rows_by_id,
)
from mlperf_claimcheck.messaging.registry import Hit, advice, at_passage, at_use, rule
from mlperf_claimcheck.messaging.rules.mark import LEGEND_TEXT
from mlperf_claimcheck.results.model import ResultRow

_SUITE = re.compile(
    r"\b(?:Inference|Training|Endpoints|HPC|Storage|Tiny|Automotive)\b|推理|训练|訓練|推論", re.IGNORECASE
)
_NUMBER = re.compile(r"(?<![\w.-])[vV]?\s?\d{1,2}\.\d{1,2}(?![\d-])")
_SOURCE = re.compile(
    r"\bretrieved\b|https?://|www\.|\bmlcommons\.org\b|\bmlperf\.org\b|github\.com|获取自|取自|来源", re.IGNORECASE
)
_ADDRESS = re.compile(r"https?://|www\.|\b[\w-]+\.(?:org|com|io|net|ai|cn)\b", re.IGNORECASE)
_LEGEND_WHOLE = re.compile(
    rf"(?:{LEGEND.pattern}.{{0,200}}?)?(?:See\s+)?(?:https?://)?(?:www\.)?mlcommons\.org\S*\s+for\s+more\s+information|{LEGEND.pattern}",
    re.IGNORECASE | re.DOTALL,
)
_BENCHMARK = re.compile(
    r"\bbenchmarks?\b|\bResNet|\bBERT|\bRetinaNet|3D[\s-]?U-?Net|RNN-T|SSD|GNMT|基准", re.IGNORECASE
)


def _applies(ctx: LintContext) -> bool:
    return bool(ctx.uses) and bool(ctx.citations)


def _citations(ctx: LintContext) -> list[tuple[Footnote, str]]:
    if not _applies(ctx):
        return []
    return [(f, ctx.citation_text(f)) for f in ctx.citations]


@rule("footnote-present")
def footnote_present(ctx: LintContext) -> Iterator[Hit]:
    """Every use of a result has a footnote (G§3.2)."""
    if ctx.uses and not any(f.citing or not LEGEND.search(f.text) for f in ctx.footnotes):
        yield at_use(
            ctx.uses[0],
            "the result has no footnote",
            advice(
                "add a footnote: suite, version, division, benchmark, scenario, retrieval date and place, ID, legend"
            ),
        )


@rule("footnote-suite-version-division")
def footnote_suite_version_division(ctx: LintContext) -> Iterator[Hit]:
    """The footnote names suite, version and division (G§3.2)."""
    for note, text in _citations(ctx):
        bare = WEBSITE.sub("", RESULT_ID.sub("", text))
        missing = []
        if not _SUITE.search(bare):
            missing.append("suite")
        if not _NUMBER.search(bare):
            missing.append("version")
        if (
            not CLOSED.search(bare)
            and not OPEN.search(bare)
            and not re.search(r"\b(?:Serviced|RDI|Standardized)\b", bare)
        ):
            missing.append("division")
        if missing:
            yield at_passage(
                note.passage,
                f"the footnote lacks the {_list(missing)}",
                advice("write for example: MLPerf® v6.0 Inference Closed"),
            )


@rule("footnote-benchmark-scenario")
def footnote_benchmark_scenario(ctx: LintContext) -> Iterator[Hit]:
    """The footnote names the benchmark and, for Inference, the scenario (G§3.2)."""
    for note, text in _citations(ctx):
        missing = []
        if not ctx.names.model.search(text) and not _BENCHMARK.search(text):
            missing.append("benchmark")
        inference = re.search(r"\bInference\b|推理|推論", text, re.IGNORECASE)
        if inference and not SCENARIO.search(text):
            missing.append("scenario")
        if missing:
            yield at_passage(
                note.passage,
                f"the footnote lacks the {_list(missing)}",
                advice("write for example: Llama 2 70B Offline"),
            )


@rule("footnote-retrieval-date")
def footnote_retrieval_date(ctx: LintContext) -> Iterator[Hit]:
    """The footnote says when the result was retrieved (G§3.2)."""
    for note, text in _citations(ctx):
        if not ctx.only_unreviewed and not DATE.search(text):
            yield at_passage(
                note.passage,
                "the footnote lacks the date of retrieval",
                advice("add for example: Retrieved 2 April 2026"),
            )


@rule("footnote-retrieval-source")
def footnote_retrieval_source(ctx: LintContext) -> Iterator[Hit]:
    """The footnote says where the result was retrieved (G§3.2)."""
    for note, text in _citations(ctx):
        if ctx.only_unreviewed:
            continue
        # The website of the legend is no source.
        bare = _LEGEND_WHOLE.sub(" ", text)
        if not _SOURCE.search(bare) or not _ADDRESS.search(bare):
            yield at_passage(
                note.passage,
                "the footnote does not say where the result was retrieved",
                advice("add for example: Retrieved from https://mlcommons.org/benchmarks/"),
            )


@rule("footnote-result-id")
def footnote_result_id(ctx: LintContext) -> Iterator[Hit]:
    """The footnote gives the result ID, in a known form and of a published result (G§3.2)."""
    # Looked up when an ID is found: reading the results takes longer than reading most copy.
    known: Mapping[str, list[ResultRow]] | None = None
    held: set[str] = set()
    for note, text in _citations(ctx):
        if ctx.only_unreviewed:
            continue
        own = note.passage.text
        found = list(RESULT_ID.finditer(own))
        if not found:
            stated = [(m, m.group("value") or m.group("value2")) for m in ID_WORD.finditer(own)]
            wrong = next(((m, v) for m, v in stated if not STATED_ID.fullmatch(v.rstrip(".-"))), None)
            if wrong:
                match, value = wrong
                yield Hit(
                    note.passage.content,
                    match.start(),
                    match.end(),
                    f'"{value.rstrip(".-")}" has not the form of a result ID',
                    advice("give the ID as published, for example 6.0-0078"),
                )
            elif stated:
                continue
            elif not RESULT_ID.search(text):
                yield at_passage(
                    note.passage, "the footnote lacks the result ID", advice("add for example: entry 6.0-0078")
                )
            continue
        for match in found:
            identifier = match.group("id")
            if known is None:
                known = rows_by_id(ctx.results or ())
                held = {i.split("-")[0] for i in known}
            if identifier.split("-")[0] in held and "-" in identifier and identifier not in known:
                yield Hit(
                    note.passage.content,
                    match.start(),
                    match.end(),
                    f"no result {identifier} was published in that round",
                    advice("look the ID up again in the published results"),
                )


@rule("footnote-legend")
def footnote_legend(ctx: LintContext) -> Iterator[Hit]:
    """The footnote ends with the ownership legend and its website (G§3.2, §11.2)."""
    if _applies(ctx) and not LEGEND.search(ctx.footnote_text):
        yield at_passage(
            ctx.citations[0].passage, "the footnote lacks the legend of ownership", advice(f"add: {LEGEND_TEXT}")
        )


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
