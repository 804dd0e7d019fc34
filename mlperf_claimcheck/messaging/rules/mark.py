"""Use of the mark: its sign, spelling, the name behind it, the legend (guidelines, sections 10 and 11)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlperf_claimcheck.messaging.context import CLOSED, LEGEND, OPEN, WEBSITE, LintContext, Mention
from mlperf_claimcheck.messaging.model import Edit, Fix, RuleSeverity
from mlperf_claimcheck.messaging.registry import Hit, advice, at_mention, at_passage, at_use, rule

LEGEND_TEXT = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United States "
    "and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org for more "
    "information."
)
"""The attribution that the guidelines prescribe word for word (G§11.2)."""

_SIGN = re.compile(r"\s?®")
_WRONG_SIGN = re.compile(r"\s?(?:™|\((?:R|r|TM|tm)\))")
_SUITE_WORDS = (
    "Inference|Training|Endpoints?|HPC|Storage|Tiny|Mobile|Client|Automotive|Power|Datacenter|Data Center|Edge"
)
_FULL_NAME = re.compile(
    rf"\s*+(?:®|™|\((?:R|TM)\))?[\s:,]*+(?:AI\s+)?(?:(?:v|round\s+v?)?\d+\.\d+[\s,:-]*+(?:and\s+|to\s+|vs\.?\s+"
    rf"|/\s*)?){{0,4}}(?:(?:Closed"
    rf"|Open)(?:[\s-]division)?[\s,:-]*+)?"
    rf"(?:(?:{_SUITE_WORDS})(?![a-z])|推理|训练|訓練|推論)",
    re.IGNORECASE,
)
_BENCHMARK = re.compile(
    r"\s*+(?:®|™|\((?:R|TM)\))?\s*+(?:AI\s+)?(?:benchmark(?:s|ing)?(?:\s+suites?)?|suites?\s+of\s+benchmarks|基准|基準)",
    re.I,
)
_NAME_AND_LOGO = re.compile(
    r"\s*+(?:®|™|\((?:R|TM)\))?\s*+(?:name|mark|wordmark|logo|trademark|results\s+messaging|results?\s+ID|ID\b|entry\b|"
    r"\w+\s+name\s+and\s+logo)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"(?:\s*+(?:®|™))?\s+(?:is|are|was|were|has|have|had|shows?|showed|proves?|proved|proven|measures?|measured"
    r"|demonstrates?|demonstrated|"
    r"confirms?|confirmed|says|said|tests?|gives?|provides?|remains?|runs?|ran|can|will)\b"
)
_CLAUSE_END = re.compile(r"\s*+(?:®|™)?\s*+(?:[.,;:!?)\]。，；：！？）]|$)")
_VERB_FORM = re.compile(r"\s?(?:®|™)?-?(?:ed|ing|'d|’d)\b")
_POSSESSIVE = re.compile(r"\s?(?:®|™)?(?:['’]s?(?![a-z])|s\b)")


def _insertable(ctx: LintContext) -> str:
    if ctx.document.encoding.startswith("utf") or ctx.document.encoding in {"gb18030", "cp1252"}:
        return "®"
    return "&reg;" if ctx.document.kind != "text" else "(R)"


def _altered(mention: Mention) -> bool:
    return mention.word != "MLPerf"


def _legend_spans(mention: Mention) -> bool:
    return LEGEND.match(mention.passage.text, mention.start) is not None


@rule("registered-symbol")
def registered_symbol(ctx: LintContext) -> Iterator[Hit]:
    """® beside every mention of the mark (G§11.1); the prescribed legend is left as prescribed."""
    sign = _insertable(ctx)
    for mention in ctx.mentions:
        if _altered(mention) or _SIGN.match(mention.after) or _legend_spans(mention):
            continue
        content = mention.passage.content
        wrong = _WRONG_SIGN.match(mention.after)
        safe = sign != "(R)" and mention.passage.role != "alt"
        if wrong:
            start, end = content.source_start(mention.end), content.source_end(mention.end + wrong.end())
            fix = Fix("replace the sign by ®", (Edit(start, end, sign),), safe)
            yield Hit(
                content,
                mention.start,
                mention.end + wrong.end(),
                "MLPerf takes the ® sign, not " + wrong.group().strip(),
                fix,
            )
            continue
        at = content.source_end(mention.end)
        fix = Fix("add ® behind MLPerf", (Edit(at, at, sign),), safe)
        yield at_mention(mention, "MLPerf stands without its ® sign", fix)


@rule("no-alteration")
def no_alteration(ctx: LintContext) -> Iterator[Hit]:
    """The mark is spelt MLPerf, whole and in these letters (G§11.3)."""
    sign = _insertable(ctx)
    for mention in ctx.mentions:
        if not _altered(mention):
            continue
        content = mention.passage.content
        start, end = content.source_start(mention.start), content.source_end(mention.end)
        whole = ctx.document.source[start:end] == mention.word
        wrong = _WRONG_SIGN.match(mention.after)
        if wrong:
            end = content.source_end(mention.end + wrong.end())
        text = "MLPerf" if _SIGN.match(mention.after) else f"MLPerf{sign}"
        fix = Fix(f"write {text}", (Edit(start, end, text),), whole and sign != "(R)" and mention.passage.role != "alt")
        yield at_mention(mention, f'"{mention.word}" alters the mark: write MLPerf®', fix)


@rule("full-benchmark-name")
def full_benchmark_name(ctx: LintContext) -> Iterator[Hit]:
    """The mark is followed by the whole benchmark name (G§11.4)."""
    named = any(_FULL_NAME.match(m.after) for m in ctx.mentions)
    for mention in ctx.mentions:
        after = mention.after
        if _legend_spans(mention) or _FULL_NAME.match(after) or _NAME_AND_LOGO.match(after):
            continue
        if named and _BENCHMARK.match(after):
            continue  # "the MLPerf® benchmarks" in a text that names the benchmark in full
        if re.match(r"(?:\s*+(?:®|™))?\s+Open\b", after) or _POSSESSIVE.match(after) or _VERB_FORM.match(after):
            continue
        yield at_mention(
            mention,
            "MLPerf stands without the full benchmark name",
            advice("name the benchmark in full, for example MLPerf® Inference v6.0"),
        )


@rule("no-verb-noun")
def no_verb_noun(ctx: LintContext) -> Iterator[Hit]:
    """The mark is an adjective of a benchmark name, no verb and no noun (G§11.4). A guess for nouns."""
    for mention in ctx.mentions:
        after = mention.after
        if _legend_spans(mention):
            continue
        form = _VERB_FORM.match(after)
        if form:
            yield Hit(
                mention.passage.content,
                mention.start,
                mention.end + form.end(),
                "MLPerf is used as a verb",
                advice("say what was run: the MLPerf® Inference benchmark"),
            )
        elif _VERB.match(after) or (_CLAUSE_END.match(after) and mention.passage.role in {"main", "footnote"}):
            yield at_mention(
                mention,
                "MLPerf is used as a noun by itself",
                advice("let the benchmark name follow: MLPerf® Inference, MLPerf® Training"),
                RuleSeverity.SHOULD,
            )


@rule("no-possessive-plural")
def no_possessive_plural(ctx: LintContext) -> Iterator[Hit]:
    """No possessive and no plural of the mark (G§11.4)."""
    for mention in ctx.mentions:
        found = _POSSESSIVE.match(mention.after)
        if found and found.group().strip("®™ "):
            word = mention.word + found.group()
            yield Hit(
                mention.passage.content,
                mention.start,
                mention.end + found.end(),
                f'"{word}" is a possessive or plural of the mark',
                advice("rephrase: the results of the MLPerf® Inference benchmark"),
            )


@rule("attribution-legend")
def attribution_legend(ctx: LintContext) -> Iterator[Hit]:
    """The mark is attributed to MLCommons Association, with the website, once in a document (G§11.2)."""
    if not ctx.mentions:
        return
    legends = [p for p in ctx.passages if LEGEND.search(p.text)]
    if not legends:
        yield at_mention(
            ctx.mentions[0],
            "the document does not attribute the mark to MLCommons Association",
            advice(f"add: {LEGEND_TEXT}"),
        )
    elif not any(_has_website(p.text + " ".join(k.target for k in p.content.links)) for p in legends):
        yield at_passage(
            legends[0], "the attribution of the mark lacks the website", advice("add: See www.mlcommons.org")
        )


def _has_website(text: str) -> bool:
    found = LEGEND.search(text)
    return found is not None and WEBSITE.search(text, found.end()) is not None


_ENDORSED = re.compile(
    r"\bML[- ]?Perf\s?(?:®|™)?[\s-](?:certified|approved|endorsed|recommended|qualified|accredited|verified)\b"
    r"|\b(?:certified|endorsed|approved|recommended|accredited|backed)\s+by\s+(?:the\s+)?(?:MLPerf|MLCommons)"
    r"|\bMLCommons\s?(?:®)?[\s-](?:certified|endorsed|recommended|accredited|endorses|recommends|certifies|approves"
    r"|backs)\b"
    r"|\b(?:endorsement|certification|recommendation|seal of approval)\s+(?:by|from|of)\s+(?:the\s+)?(?:MLPerf"
    r"|MLCommons)"
    r"|MLPerf\s?®?\s*认证|MLCommons\s*(?:推荐|认可|背书)",
    re.IGNORECASE,
)


@rule("no-endorsement")
def no_endorsement(ctx: LintContext) -> Iterator[Hit]:
    """Nothing may suggest that MLCommons endorses a product or company (G§10)."""
    for passage in ctx.passages if ctx.speaks_of_mlperf else ():
        for found in _ENDORSED.finditer(passage.text):
            if ctx.prose(passage, *found.span()) and not re.search(
                r"\b(?:not|no|neither|nor|never|without)\b[^.]{0,40}$", passage.text[: found.start()], re.IGNORECASE
            ):
                yield Hit(
                    passage.content,
                    found.start(),
                    found.end(),
                    f'"{found.group()}" suggests that MLCommons endorses it',
                    advice("state the score and its benchmark only"),
                )


_PRODUCT = re.compile(
    r"\bMLPerf\s?(?:®|™)?[\s-](?:Pro|Plus|Studio|Edition|Cloud|Box|Ready|Optimi[sz]er|Appliance|Accelerator|Pack|Kit"
    r"|Toolkit|Server Pro|"
    r"Manager|Hub|Lab|Engine|Turbo|Max|One|Express|Enterprise|OS|SDK|GPU|Rack|Node|Station)\b(?!\s+(?:scenario|count"
    r"|hours?))"
    r"|\b[A-Z][A-Za-z0-9]{1,40}MLPerf\w*|\bMLPerf[A-Z]\w+"
)
_DOMAIN = re.compile(
    r"(?:https?://|(?<![\w.@/-]))(?:[\w-]{1,63}\.){0,5}(?P<label>[\w-]{0,63}mlperf[\w-]{0,63})\.(?P<tld>[a-z]{2,})(?![\w-])",
    re.IGNORECASE,
)


@rule("no-company-product-name")
def no_company_product_name(ctx: LintContext) -> Iterator[Hit]:
    """The mark is no part of a company, product or domain name (G§11.5)."""
    tip = advice("choose a name without the mark")
    for passage in ctx.passages:
        for found in _PRODUCT.finditer(passage.text):
            if ctx.prose(passage, *found.span()):
                yield Hit(
                    passage.content, found.start(), found.end(), f'"{found.group()}" uses the mark in a name', tip
                )
        for found in _DOMAIN.finditer(passage.text):
            host = f"{found.group('label')}.{found.group('tld')}".lower()
            if (
                host != "mlperf.org"
                and found.group("tld").lower() in _TLDS
                and not passage.content.in_code(*found.span())
            ):
                yield Hit(passage.content, found.start(), found.end(), f'the domain "{host}" uses the mark', tip)


_TLDS = frozenset(["com", "org", "net", "io", "ai", "dev", "cn", "de", "eu", "co", "cloud", "tech", "app"])


@rule("division-name-inference")
def division_name_inference(ctx: LintContext) -> Iterator[Hit]:
    """A bare MLPerf Inference name means the Closed division; an Open result says so in the text (IR, divisions)."""
    yield from _open_unnamed(ctx, "Inference")


@rule("division-name-training")
def division_name_training(ctx: LintContext) -> Iterator[Hit]:
    """MLPerf Training results name Closed or Open beside the benchmark (TR, divisions)."""

    if not ctx.uses or not ctx.suite("Training") or ctx.has_figures:
        return
    if not CLOSED.search(ctx.main_text) and not OPEN.search(ctx.main_text):
        yield at_mention(
            next((m for m in ctx.mentions if "raining" in m.after[:40]), ctx.mentions[0]),
            "the Training result does not name its division in the text",
            advice("write for example: MLPerf® Training v6.0 Closed"),
        )


def _open_unnamed(ctx: LintContext, suite: str) -> Iterator[Hit]:

    if not ctx.uses or not ctx.suite(suite):
        return
    open_notes = [f for f in ctx.footnotes if f.citing and OPEN.search(f.text)]
    open_rows = [r for r in ctx.cited_rows if r.division == "open"]
    if (open_notes or open_rows) and not OPEN.search(ctx.main_text):
        yield at_use(
            ctx.uses[0],
            "the result is of the Open division, but the text gives the bare benchmark name, which means Closed",
            advice(f"write MLPerf® Open {suite}, or name the open division"),
        )
