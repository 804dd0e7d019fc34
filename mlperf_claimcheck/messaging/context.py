"""What a document says that the messaging rules care about, gathered once for all rules."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any, Literal, cast, overload

from mlperf_claimcheck.claims.documents import Block, BlockKind, Document, MappedText, sentences
from mlperf_claimcheck.messaging.names import Found, NameFinder, Names, names
from mlperf_claimcheck.results.model import ResultRow

Role = Literal["main", "heading", "table", "footnote", "alt"]

NOT_PROSE = re.compile(
    r"https?://[^\s<>）。，]+|www\.[^\s<>）。，]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{1,100}"
    r"|(?<![\w.-])(?:[\w-]{1,63}\.){1,8}(?:org|com|io|ai|net|dev|cn|eu|gov|edu)\b(?:/[^\s<>）。，]*)?"
    r"|(?<![\w./\\-])[\w./\\-]{0,200}\w\.(?:csv|json|jsonl|ya?ml|py|md|txt|pdf|sh|html?|zip|tar|gz|log|cfg|conf|cpp"
    r"|docx?|pptx?|xlsx?"
    r"|png|jpe?g|svg)\b"
    r"|(?<![\w./-])(?:[\w.-]{1,64}/){2,20}[\w.-]*|(?<!\w)(?:mlcommons|mlperf)/[\w./-]+"
    r"|(?<![A-Za-z0-9])mlperf(?:[-_.][a-z0-9]{1,40}){1,10}"
    r"|(?<![\w-])[a-z0-9]{1,40}(?:[-_][a-z0-9]{1,40}){0,8}[-_]mlperf\b|#\w+",
)
"""Stretches that are addresses, file names, paths, package names, hash tags: not the mark in prose."""

ANY_MARK = re.compile(r"(?<![A-Za-z0-9_@#])(?:ML[- \u2010\u2011\u2013]?Perf|ML[- ]PERF)(?![a-rt-z0-9_])", re.IGNORECASE)

LEGEND = re.compile(
    r"MLPerf\s*+®?\s*+(?:(?:name|mark|word ?mark)s?\s+and\s+logos?|name|mark|logo)\s+(?:are"
    r"|is)\s+(?:a\s+)?(?:registered\s+)?"
    r"(?:(?:and|or)\s+unregistered\s+)?(?:trade\s*marks?"
    r"|service marks?)\s+of\s+(?:the\s+)?MLCommons\s*+®?\s*+Association",
    re.IGNORECASE,
)
WEBSITE = re.compile(r"\bmlcommons\.org\b|\bmlperf\.org\b", re.IGNORECASE)

NUMBER = r"(?:[~≈约]\s*)?(?<![\w.,])\d[\d,]*(?:\.\d+)?(?:\s*(?:million|billion|thousand|[kKMB]\b|万|萬|亿|億))?"
THROUGHPUT = re.compile(
    rf"{NUMBER}[\s-]*(?:output\s+|completed\s+|total\s+|system\s+)?"
    r"(?:(?:tokens?|toks?|samples?|quer(?:y|ies)|tasks?|images?|inferences?)[\s-]*(?:/|per[\s-]|a\s|每)\s*(?:s|secs?"
    r"|seconds?)(?![a-z])"
    r"|(?:TPS|QPS)\b)"
    r"|每秒(?:钟)?\s*+(?:处理|生成|达到|约)?\s*+\d[\d.,]*+\s*+[万萬亿億]?\s*+(?:个|個)?\s*+(?:token|样本|樣本|查询|查詢)"
    r"|(?<![\d.,])\d[\d.,]*+\s*+[万萬亿億]?\s*+(?:个|個)?\s*+tokens?\s*/\s*秒",
    re.IGNORECASE,
)
UNIT = re.compile(
    r"(?:tokens?|toks?|samples?|quer(?:y|ies)|tasks?)\s*(?:/|per\s)\s*(?:s|secs?|seconds?)(?![a-z])|\b(?:TPS|QPS)\b|每秒",
    re.IGNORECASE,
)
LATENCY = re.compile(
    rf"{NUMBER}\s*(?:ms|milliseconds?|毫秒)\b|{NUMBER}\s*-?(?:minutes?|mins?|hours?|分钟|小时)(?![a-z])", re.IGNORECASE
)
RATIO = re.compile(
    r"(?<![\w.,])\d+(?:\.\d+)?\s*[x×](?!\s*(?:NVIDIA|AMD|Intel|Google|GPUs?|accelerators?|TPUs?|nodes?|[A-Z]{1,4}\d"
    r"|HGX|DGX|Instinct))"
    r"(?![\w])|(?<![\w.,])\d+(?:\.\d+)?[\s-]?(?:times|fold)\b|(?<![\w.,])(?!99(?:\.9)?\s*(?:%"
    r"|percent))\d+(?:\.\d+)?\s*(?:%"
    r"|percent\b|per cent\b)"
    r"|(?<![\d.,])\d+(?:\.\d+)?\s*倍",
    re.IGNORECASE,
)
COMPARISON = re.compile(
    r"\b(?:vs\.?|versus|compared\s+(?:to|with)|relative\s+to|over\s+(?:the\s+)?(?:previous|prior|last|v\d|H\d|B\d"
    r"|A\d|MI)|"
    r"(?:faster|higher|better|more|greater|lower|slower|less)\b[^.]{0,60}?\bthan|outperform\w*|speed-?ups?|beats?|"
    r"(?:improve|gain|increase|uplift|boost|rise|grow)\w*|faster|higher|up\s+from)\b|相比|对比|對比|较上|比上|提升|提高|高出|超过|优于",
    re.IGNORECASE,
)
PER = re.compile(
    r"/\s*(?:GPU|accelerator|chip|card|TPU|NPU|CPU|node|socket|W|watt|kW|kilowatt|\$|USD|dollar)s?\b"
    r"|\bper[\s-](?:each\s+)?(?:GPU|accelerator|chip|card|TPU|NPU|CPU|node|socket|W|watt|kW|kilowatt|dollar|\$"
    r"|joule)s?\b"
    r"|每\s*+(?:一)?\s*+(?:块|塊|张|張|个|個|颗)?\s*+(?:GPU|TPU|NPU|加速器|加速卡|卡|芯片|节点|節點|瓦|美元)"
    r"|\bscaling efficiency\b|扩展效率",
    re.IGNORECASE,
)
PER_WATT = re.compile(
    r"/\s*(?:W|watt|kW|kilowatt)s?\b|\bper[\s-](?:W|watt|kW|kilowatt|joule)s?\b|performance\s*/\s*W|perf\s*/\s*W|每瓦|能效|"
    r"\b(?:energy|power)[\s-]efficien\w+",
    re.IGNORECASE,
)
UNVERIFIED = re.compile(
    r"\bunverified\b|\bnot\s+(?:been\s+)?verified\b|未经(?:MLCommons)?\s*(?:协会)?(?:验证|核实)|未(?:经)?验证|未经核实",
    re.IGNORECASE,
)
UNVERIFIED_STATEMENT = re.compile(
    r"results?\s+not\s+verified\s+by\s+(?:the\s+)?MLCommons\s*+®?\s*+Association"
    r"|not\s+verified\s+by\s+(?:the\s+)?MLCommons\s*+®?\s*+Association",
    re.IGNORECASE,
)
OFFICIAL = re.compile(
    r"(?<!un)(?<!not )(?<!not been )\b(?:official(?:ly)?|verified|certified|validated by MLCommons"
    r"|MLCommons[- ](?:approved|verified|certified))\b"
    r"|官方(?:成绩|结果|认证|认可)|(?<!未)(?<!未经)经\s*MLCommons\s*(?:验证|认证)",
    re.IGNORECASE,
)
VERSION = re.compile(r"(?<![\w.-])[vV]\s?(\d{1,2}\.\d{1,2})(?![\d.-]\d)")
SUITE_VERSION = re.compile(
    r"MLPerf\s*+®?\s*+(?:(?P<suite>Inference|Training|Endpoints|HPC|Storage|Tiny|Automotive|推理|推論|训练"
    r"|訓練)(?![a-z])[:\s,-]*+(?:Data\s?center"
    r"|Edge|Closed|Open|Preview|Serviced|RDI|round|封闭组|开放组)?[:\s,-]*+"
    r"[vV]?\s?(?P<version>\d{1,2}\.\d{1,2})(?!\d|\.\d|-\d)|(?:round\s+)?[vV]?(?P<version2>\d{1,2}\.\d{1,2})(?!\d"
    r"|\.\d|-\d)(?:[\s,]*(?:and|vs\.?|/|to)\s*v?\d{1,2}\.\d{1,2})?[\s,:-]*+(?:Closed|Open)?[\s,:-]*+"
    r"(?P<suite2>Inference|Training|Endpoints|HPC|Storage|Tiny|Automotive|推理|推論|训练|訓練))",
    re.IGNORECASE,
)
CLOSED = re.compile(r"\bclosed\b|封闭(?:组|分区|赛道)?|封閉|闭合", re.IGNORECASE)
OPEN = re.compile(
    r"\bOpen\b(?!\s*(?:source|AI|Compute|weights?|models?|standards?|VINO|CL))|\bopen[\s-]division\b|开放(?:组|分区|赛道|区)",
    0,
)
SCENARIO = re.compile(
    r"\b(?:offline|server|interactive|single[\s-]?stream|multi[\s-]?stream)\b|离线|離線|服务器|伺服器|交互|互動",
    re.IGNORECASE,
)
RESULT_ID = re.compile(
    r"(?<![\w.])[vV]?(?P<id>\d{1,2}\.\d-\d{2,4}(?:\.[\w.-]{0,80}\w)?"
    r"|\d{1,2}\.\d{1,2}\.\d{1,4}\.[a-z][\w.-]{0,80}\.[\w-]{1,40}\.\d+)(?![\w-])"
)
"""An ID that is known by its form alone (round + entry, or the six parts of MLPerf Endpoints)."""
STATED_ID = re.compile(r"[vV]?\d{1,2}\.\d{1,2}[-.]\d{1,4}(?:\.\S+)?")
"""Forms that are taken where the words say that it is an ID."""
ID_WORD = re.compile(
    r"\b(?:entr(?:y|ies)|(?:result|submission|MLPerf(?:\s*+®)?)\s+IDs?|result\s+(?:number|entr(?:y|ies))"
    r"|IDs?)(?:\s*(?:numbers?|no\.?|:|#|：))*\s*"
    r"(?P<value>[A-Za-z]{0,3}[\d][\w.-]*)|(?:结果|條目|条目|编号)\s*+(?:ID|编号)?[:：]?\s*+(?P<value2>[\d][\w.-]*)",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
DATE = re.compile(
    rf"\b(?:19|20)\d\d-\d\d-\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\.?,?\s+20\d\d\b"
    rf"|\b{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+20\d\d\b"
    r"|\b\d{1,2}[./]\d{1,2}[./]20\d\d\b|\b20\d\d[./]\d{1,2}[./]\d{1,2}\b|20\d\d\s*年\s*\d{1,2}\s*月\s*\d{1,2}\s*[日号]",
    re.IGNORECASE,
)
COUNT = re.compile(
    r"(?<![\w.,])(\d{1,5})(?:\s*[x×]\s*(?=[A-Z])|[\s-]*(?:GPU|accelerator|TPU|chip|card|NPU|块|卡|张)s?(?![a-z]))",
    re.IGNORECASE,
)
MAX_CONTEXT = 8_000
"""Characters around a figure that its label and basis are looked for in."""
MAX_SENTENCE = 2_000
FIGURE = re.compile(r"<img\b|<picture\b|<video\b|<canvas\b|<figure\b|!\[", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text and the part it plays."""

    content: MappedText
    role: Role
    block: int
    """Index of its block in the order of passages' blocks."""
    around: str = ""
    """For a table cell: caption, header and row."""

    @property
    def text(self) -> str:
        """The text."""
        return self.content.text


@dataclass(frozen=True, slots=True)
class Mention:
    """The mark in prose."""

    passage: Passage
    start: int
    end: int
    word: str
    """As written, without a sign behind it."""

    @property
    def after(self) -> str:
        """The text behind it."""
        return self.passage.text[self.end : self.end + 120]


@dataclass(frozen=True, slots=True)
class Use:
    """A figure given as an MLPerf result."""

    passage: Passage
    start: int
    end: int
    sentence: str
    block: str
    """The text of its block: a paragraph, or caption, header and row of a table."""
    first: int
    last: int
    """What of the block is its context: all, or of a very long one what stands around the sentence."""
    kind: Literal["throughput", "latency", "ratio", "table"]
    derived: bool
    compared: bool

    @property
    def context(self) -> str:
        """The block it stands in; of a very long one what stands around the sentence."""
        return self.block[self.first : self.last]

    @overload
    def near(self, pattern: re.Pattern[str]) -> re.Match[str] | None: ...
    @overload
    def near(self, pattern: NameFinder) -> Found | None: ...
    def near(self, pattern: re.Pattern[str] | NameFinder) -> re.Match[str] | Found | None:
        """Where a pattern is first found in the context."""
        if self.first == 0 and self.last >= len(self.block):
            return cast("re.Match[str] | Found | None", _search(pattern, self.block))
        # A long block is searched once for all its figures.
        found, starts = _matches(pattern, self.block)
        place = bisect_left(starts, self.first)
        return found[place] if place < len(found) and found[place].end() <= self.last else None

    def said(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Where a pattern is first found in the sentence."""
        return cast("re.Match[str] | None", _search(pattern, self.sentence))


# Several figures share a sentence, and many a block; each rule goes through them in order.
@lru_cache(maxsize=256)
def _search(pattern: re.Pattern[str] | NameFinder, text: str) -> Any:
    return pattern.search(text)


@lru_cache(maxsize=64)
def _matches(pattern: re.Pattern[str] | NameFinder, text: str) -> tuple[list[Any], list[int]]:
    found: list[Any] = list(pattern.finditer(text))
    return found, [match.start() for match in found]


@dataclass(frozen=True, slots=True)
class Footnote:
    """The body of a footnote, or text that plays its part."""

    passage: Passage
    citing: bool
    """It cites a result (suite or version), and is not the legend alone."""

    @property
    def text(self) -> str:
        """The text with the targets of its links."""
        return self.passage.text + "".join(f" {k.target}" for k in self.passage.content.links)


@dataclass(slots=True)
class LintContext:
    """A document and what the rules need to know of it."""

    document: Document
    results: Sequence[ResultRow] | None = None
    published: date | None = None
    author: str | None = None
    """The organisation that publishes the document, where it is known."""
    _prose: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    _chosen: dict[str, list[Use]] = field(default_factory=dict)

    def once(self, name: str, choose: Callable[[], list[Use]]) -> list[Use]:
        """The figures that several rules look at, chosen by the first of them that asks."""
        if name not in self._chosen:
            self._chosen[name] = choose()
        return self._chosen[name]

    @property
    def names(self) -> Names:
        """The names of the field."""
        return names()

    # ---- passages -------------------------------------------------------------------------------------------------

    _passages: list[Passage] | None = None

    @property
    def passages(self) -> list[Passage]:
        """All text that is read: copy, and footer text that speaks of the mark."""
        if self._passages is None:
            blocks = list(self.document.blocks)
            blocks += [
                b
                for b in self.document.furniture
                if b.table is None
                and len(b.text.split()) >= 8
                and re.search(r"MLPerf|MLCommons", b.text, re.IGNORECASE)
            ]
            self._passages = [p for n, b in enumerate(blocks) for p in self._of_block(n, b)]
        return self._passages

    @staticmethod
    def _of_block(number: int, block: Block) -> Iterator[Passage]:
        if block.kind is BlockKind.CODE:
            return
        if block.table is not None:
            table = block.table
            head = " ".join(
                [table.caption.text if table.caption else "", *(c.text for row in table.header for c in row)]
            )
            if table.caption is not None:
                yield Passage(table.caption, "table", number, head)
            for row in (*table.header, *table.rows):
                around = f"{head} {' '.join(c.text for c in row)}"
                for cell in row:
                    if cell.text:
                        yield Passage(cell.content, "table", number, around)
            return
        role: Role = "main"
        if block.kind is BlockKind.HEADING:
            role = "heading"
        elif block.kind is BlockKind.IMAGE_ALT:
            role = "alt"
        elif block.kind is BlockKind.FOOTNOTE or block.furniture or _plays_footnote(block.text):
            role = "footnote"
        yield Passage(block.content, role, number)

    def prose(self, passage: Passage, start: int, end: int) -> bool:
        """Whether the stretch is prose: no code, address, file name."""
        if passage.content.in_code(start, end):
            return False
        key = id(passage.content)
        spans = self._prose.get(key)
        if spans is None:
            spans = (
                [m.span() for m in NOT_PROSE.finditer(passage.text)] if _MAY_NOT_BE_PROSE.search(passage.text) else []
            )
            self._prose[key] = spans
        before = bisect_left(spans, (end, 0)) - 1
        return before < 0 or spans[before][1] <= start

    _mentions: list[Mention] | None = None

    @property
    def mentions(self) -> list[Mention]:
        """Every mention of the mark in prose, however it is spelt."""
        if self._mentions is None:
            self._mentions = [
                Mention(p, m.start(), m.end(), m.group())
                for p in self.passages
                for m in ANY_MARK.finditer(p.text)
                if self.prose(p, *m.span())
            ]
        return self._mentions

    @property
    def speaks_of_mlperf(self) -> bool:
        """Whether the document speaks of MLPerf at all."""
        return bool(self.mentions)

    # ---- text -----------------------------------------------------------------------------------------------------

    _main: str | None = None

    @property
    def main_text(self) -> str:
        """All text but footnotes."""
        if self._main is None:
            self._main = "\n".join(p.text for p in self.passages if p.role != "footnote")
        return self._main

    @property
    def all_text(self) -> str:
        """All text."""
        return "\n".join(p.text for p in self.passages)

    @property
    def has_figures(self) -> bool:
        """Figures may hold what the text lacks."""
        return FIGURE.search(self.document.source) is not None

    # ---- footnotes ------------------------------------------------------------------------------------------------

    _footnotes: list[Footnote] | None = None

    @property
    def footnotes(self) -> list[Footnote]:
        """Footnotes, and text that plays their part."""
        if self._footnotes is None:
            self._footnotes = [
                Footnote(p, _CITING.search(LEGEND.sub("", p.text)) is not None)
                for p in self.passages
                if p.role == "footnote"
            ]
        return self._footnotes

    @property
    def footnote_text(self) -> str:
        """All footnotes together."""
        return "\n".join(f.text for f in self.footnotes)

    @property
    def citations(self) -> list[Footnote]:
        """Footnotes that cite a result; without any, the first one that is not the legend."""
        citing = [f for f in self.footnotes if f.citing]
        return citing or [f for f in self.footnotes if not LEGEND.search(f.text)][:1]

    _shared: str | None = None

    def citation_text(self, footnote: Footnote) -> str:
        """A footnote with those that hold for all results (legend, common source)."""
        if self._shared is None:
            self._shared = "\n".join(f.text for f in self.footnotes if not f.citing)
        return f"{footnote.text}\n{self._shared}" if footnote.citing else self.footnote_text

    # ---- results --------------------------------------------------------------------------------------------------

    _uses: list[Use] | None = None

    @property
    def uses(self) -> list[Use]:
        """Figures that the copy gives as MLPerf results, in reading order."""
        if self._uses is None:
            self._uses = list(self._find_uses()) if self.mentions else []
        return self._uses

    def _find_uses(self) -> Iterator[Use]:
        tables: set[int] = set()
        marked = {m.passage.block for m in self.mentions}
        whole: dict[int, list[str]] = {}
        for passage in self.passages:
            if passage.role == "table":
                whole.setdefault(passage.block, []).append(passage.text)
        heading_marked = False
        title_marked = any(m.passage.role == "heading" for m in self.mentions)
        for passage in self.passages:
            if passage.role == "heading":
                heading_marked = passage.block in marked
            if passage.role == "footnote":
                continue
            if passage.role == "table":
                if passage.block in tables:
                    continue
                found = UNIT.search(passage.text)
                if found:
                    tables.add(passage.block)
                    context = " ".join(whole.get(passage.block, ()))[:MAX_CONTEXT]
                    derived = PER.search(passage.text) is not None
                    yield Use(
                        passage,
                        found.start(),
                        found.end(),
                        passage.text,
                        context,
                        0,
                        len(context),
                        "table",
                        derived,
                        False,
                    )
                continue
            near = passage.block in marked
            for start, end in bounded_sentences(passage.text):
                sentence = passage.text[start:end]
                compared = COMPARISON.search(sentence) is not None
                # A paragraph; of a very long one what stands around the sentence.
                first, last = 0, len(passage.text)
                if last > MAX_CONTEXT:
                    first, last = max(start - MAX_CONTEXT // 4, 0), min(end + MAX_CONTEXT // 4, last)
                figures: list[tuple[int, int, Literal["throughput", "latency", "ratio"]]] = [
                    (*m.span(), "throughput") for m in THROUGHPUT.finditer(sentence)
                ]
                close = near or ((heading_marked or title_marked) and self.names.model.search(sentence) is not None)
                if close:
                    figures += [(*m.span(), "latency") for m in LATENCY.finditer(sentence) if _TIMED.search(sentence)]
                    if compared:
                        figures += [(*m.span(), "ratio") for m in RATIO.finditer(sentence)]
                for a, b, kind in sorted(figures):
                    if not self.prose(passage, start + a, start + b):
                        continue
                    tail = sentence[b : b + 40]
                    derived = (
                        kind == "ratio" or PER.match(tail.lstrip()) is not None or PER.search(sentence) is not None
                    )
                    yield Use(
                        passage, start + a, start + b, sentence, passage.text, first, last, kind, derived, compared
                    )

    @property
    def derived_uses(self) -> list[Use]:
        """Figures that are no primary metric."""
        return [u for u in self.uses if u.derived]

    @property
    def only_unreviewed(self) -> bool:
        """Every figure is said to be unreviewed, and none is derived from published results."""
        uses = self.uses
        return bool(uses) and not any(u.derived for u in uses) and all(u.near(UNVERIFIED) for u in uses)

    @property
    def comparisons(self) -> list[Use]:
        """Figures in sentences that compare."""
        return [u for u in self.uses if u.compared]

    _rows: list[ResultRow] | None = None

    @property
    def cited_rows(self) -> list[ResultRow]:
        """The published rows that the result IDs of the footnotes name (empty without results)."""
        if self._rows is None:
            ids = {i for f in self.footnotes for i in result_ids(f.text)}
            self._rows = [r for r in self.results or () if r.result_id in ids] if ids else []
        return self._rows

    @property
    def rounds(self) -> dict[tuple[str, str], Passage]:
        """(suite, version) mentioned, and where first."""
        found: dict[tuple[str, str], Passage] = {}
        for passage in self.passages:
            for m in SUITE_VERSION.finditer(passage.text):
                suite = (m.group("suite") or m.group("suite2")).lower()
                suite = {"推理": "inference", "推論": "inference", "训练": "training", "訓練": "training"}.get(
                    suite, suite
                )
                found.setdefault((suite, m.group("version") or m.group("version2")), passage)
        return found

    def suite(self, name: str) -> bool:
        """Whether the document speaks of this suite."""
        return (
            re.search(rf"MLPerf\s*+®?\s*+(?:[vV]?\d+\.\d+\s+|Open\s+|Closed\s+)*{name}\b", self.all_text, re.IGNORECASE)
            is not None
        )


_MAY_NOT_BE_PROSE = re.compile(r"[./_#@-]")
_CITING = re.compile(
    r"MLPerf[^.]{0,40}?\d+\.\d+|\b(?:inference|training|endpoints)\b[^.]{0,20}\d+\.\d+|\d+\.\d+-\d{2,4}\b",
    re.IGNORECASE,
)
_TIMED = re.compile(
    r"\btrain|time[\s-]to|latenc|TTFT|TPOT|first token|training|训练|延迟|single[\s-]?stream|multi[\s-]?stream",
    re.IGNORECASE,
)


def _plays_footnote(text: str) -> bool:
    """Whether a paragraph outside the notes is one in all but place: legend, retrieval note, verification line."""
    if LEGEND.search(text) and not THROUGHPUT.search(text):
        return True
    if re.match(r"\s*(?:results? (?:not )?verified by (?:the )?MLCommons)", text, re.IGNORECASE):
        return True
    retrieved = re.search(r"\bretrieved\b|获取自|取自|检索", text, re.IGNORECASE) is not None
    return retrieved and WEBSITE.search(text) is not None and re.search("MLPerf", text, re.IGNORECASE) is not None


def bounded_sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a text; one that is no sentence (a long list without stops) in pieces."""
    for start, end in sentences(text):
        for at in range(start, end, MAX_SENTENCE):
            yield at, min(at + MAX_SENTENCE, end)


def result_ids(text: str) -> list[str]:
    """Result IDs in a text, without a leading v."""
    return [m.group("id") for m in RESULT_ID.finditer(text)]


def rows_by_id(rows: Sequence[ResultRow]) -> Mapping[str, list[ResultRow]]:
    """Rows by result ID."""
    found: dict[str, list[ResultRow]] = {}
    for row in rows:
        if row.result_id:
            found.setdefault(row.result_id, []).append(row)
    return found
