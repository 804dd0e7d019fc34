"""What the main text must contain beside a result (guidelines, section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlperf_claimcheck.messaging.context import OPEN, SUITE_VERSION, LintContext
from mlperf_claimcheck.messaging.registry import Hit, advice, at_use, rule

_HARDWARE_WORD = re.compile(
    r"[\s-]*(?:[A-Z]{1,4}\d|HGX|DGX|Blackwell|Hopper|Rubin|Grace|Vera|Instinct|Xeon|Arc|Gaudi|TPU|Cloud TPU|GPUs?"
    r"|Jetson|RTX|H\d{3}|EPYC|"
    r"Tensor|TensorRT|Triton|NVL|ROCm|加速|的?\s*GPU)"
)
_SUBMITTED = re.compile(
    r"(?<![\w&.-])[A-Z][\w&.-]{0,40}(?:\s+[A-Z][\w&.-]{0,40}){0,3}['’]s?\s+(?:[\w-]{1,40}\s+){0,3}(?:submission"
    r"|entry|results?)\b"
    r"|\bsubmitted\s+by\s+[A-Z]|\b(?:submitter|organi[sz]ation)s?:?\s+[A-Z]"
    r"|(?<![\w-])(?P<org>[A-Z][A-Za-z&]{2,40}(?:\s+[A-Z][A-Za-z&]{1,40}){0,3})\s+(?:\w+ly\s+)?"
    r"(?:achiev|reach|deliver|submit|post|records?\b|recorded|announc|report|publish|ran\b|runs\b|set\b|sets\b"
    r"|tops?\b|topped"
    r"|led\b|leads\b|is\b|was\b|has\b|had\b|gets?\b|got\b|hits?\b|saw\b|scor|show|improv|train|measur|obtain|record"
    r"|process|serv|reports?\b)"
)
_ACCELERATORS = re.compile(
    r"(?<![\d.,])\d+\s*(?:[x×]\s*)?(?:[\w.-]{1,40}\s+){0,3}(?:GPU|accelerator|TPU|chip|node|CPU|card|processor|NPU|块"
    r"|卡|张|颗)s?\b"
    r"|\d{1,30}\s*[块卡张颗]",
    re.IGNORECASE,
)
_NOT_ORGS = frozenset(
    [
        "The",
        "This",
        "That",
        "These",
        "Results",
        "MLPerf",
        "MLCommons",
        "Inference",
        "Training",
        "System",
        "Performance",
        "Throughput",
        "Our",
        "We",
        "It",
        "GPU",
    ]
)


def _silent(ctx: LintContext) -> bool:
    """Figures may hold what the text lacks."""
    return not ctx.uses or ctx.has_figures


@rule("main-text-submitter")
def main_text_submitter(ctx: LintContext) -> Iterator[Hit]:
    """The text names the organisation that submitted (G§3.1)."""
    if _silent(ctx):
        return
    main = ctx.main_text
    for found in ctx.names.submitter.finditer(main):
        # "NVIDIA GB300" names a product, not a submitter.
        if not _HARDWARE_WORD.match(main, found.end()):
            return
    for said in _SUBMITTED.finditer(main):
        org = said.group("org")
        words = set(org.split()) if org else set()
        if org is None or not (words & _NOT_ORGS or ctx.names.hardware.search(org) or ctx.names.model.search(org)):
            return
    yield at_use(
        ctx.uses[0],
        "the text does not name the submitter of the result",
        advice("name the organisation that submitted it"),
    )


@rule("main-text-benchmark-version")
def main_text_benchmark_version(ctx: LintContext) -> Iterator[Hit]:
    """The text names the benchmark and the round's version (G§3.1)."""
    if _silent(ctx):
        return
    missing = []
    if not SUITE_VERSION.search(ctx.main_text):
        missing.append("suite with its version (MLPerf® Inference v6.0)")
    if not ctx.names.model.search(ctx.main_text) and not re.search(r"\b\w[\w.-]*\s+benchmark\b|基准", ctx.main_text):
        missing.append("benchmark")
    if missing:
        yield at_use(
            ctx.uses[0],
            f"the text does not name the {' and the '.join(missing)}",
            advice("write for example: Llama 2 70B in MLPerf® Inference v6.0"),
        )


@rule("main-text-system")
def main_text_system(ctx: LintContext) -> Iterator[Hit]:
    """The text names the system under test (G§3.1)."""
    if _silent(ctx):
        return
    if not ctx.names.hardware.search(ctx.main_text) and not _ACCELERATORS.search(ctx.main_text):
        yield at_use(
            ctx.uses[0],
            "the text does not name the system under test",
            advice("name the system, or accelerators and their number"),
        )


@rule("model-name-closed-only")
def model_name_closed_only(ctx: LintContext) -> Iterator[Hit]:
    """A model's name may stand for the benchmark's only in the Closed division (G§3.1)."""
    for use in ctx.uses:
        if use.kind == "table":
            continue
        if use.near(OPEN) and use.near(ctx.names.model) and "benchmark" not in use.context.lower():
            yield at_use(
                use,
                "an Open result names a model only; in the Open division the benchmark itself must be named",
                advice("write for example: the Llama 2 70B benchmark, and the model that was run"),
            )
            return
