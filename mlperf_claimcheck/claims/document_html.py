"""HTML into blocks of text with source positions.

A tolerant tokenizer that goes through the source once, since the fast HTML parsers give no positions. It follows what
browsers do as far as text and structure are concerned: implied end tags, raw text elements, broken nesting.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from mlperf_claimcheck.claims.document_model import (
    Block,
    BlockKind,
    Cell,
    Comment,
    DocumentError,
    LineIndex,
    MappedText,
    Table,
    TextBuilder,
    leading_mark,
)

MAX_CELLS = 1_000_000
"""Table cells of one document."""
MAX_ROW_SPANS = 200
"""Cells of one table that reach down into a row at a time; more are taken for one row high."""
MAX_SPAN = 1000
"""Columns or rows that one cell may span (as the HTML standard caps them)."""

_NAME = re.compile(r"[A-Za-z][^\s/>]*")
_ATTRIBUTE = re.compile(
    r"""[\s/]*(?:(?P<end>>)|(?P<name>[^\s/>][^\s/>=]*)(?:\s*=\s*(?:"(?P<dq>[^"]*)"|'(?P<sq>[^']*)'|(?P<bare>[^\s>"'][^\s>]*)))?)"""
)
_SIMPLE_CELL = re.compile(
    r"""<(?P<tag>t[dh])(?:\s+(?:class|align|valign|width)=(?:"[^"<>&]{0,200}"|[\w%-]{1,40}))*>"""
    r"(?P<text>[^<>&]{0,400})</(?P=tag)>",
    re.IGNORECASE,
)
"""Most cells of most tables: nothing but text."""
_MARKED = re.compile(r"[\[*]")
_ORIGIN = (0,)
_ENTITY = re.compile(r"&(?:#[0-9]{1,8};?|#[xX][0-9a-fA-F]{1,7};?|[A-Za-z][A-Za-z0-9]{1,31};?)")

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_BLOCK = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "caption",
        "option",
        "noscript",
        "template",
    ]
)
_CLOSES_P = _BLOCK - frozenset(
    ["td", "th", "tr", "tbody", "thead", "tfoot", "caption", "html", "body", "option", "noscript", "template"]
)
_SKIP = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "svg",
        "math",
        "select",
        "button",
        "object",
        "iframe",
        "canvas",
        "video",
        "audio",
        "datalist",
        "head",
        "map",
        "noembed",
        "noframes",
    ]
)
_RAW = frozenset(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"])
_FOREIGN = frozenset(["svg", "math", "select"])
"""Elements that a block-level start tag breaks out of."""
_TABLE_SCOPE = frozenset(["table", "td", "th", "caption"])
_TABLE_PARTS = frozenset(["table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption", "colgroup"])
_HEADING = {f"h{n}": n for n in range(1, 7)}
_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE)
_FURNITURE_ROLE = frozenset(
    ["navigation", "banner", "contentinfo", "search", "menu", "menubar", "complementary", "toolbar", "dialog"]
)
_FURNITURE_CLASS = re.compile(
    r"(?:^|\s)(?:breadcrumbs?|breadcrumb-nav|navbar|nav-?bar|nav-?menu|main-nav|site-nav|top-?nav|site-header|site-footer|"
    r"page-footer|global-(?:header|footer|nav)|sidebar|side-bar|cookie-?(?:banner|notice|consent|bar|popup)|"
    r"consent-banner|gdpr|related(?:-posts|-articles|-content|-links|-stories)?|recommended(?:-posts|-articles)?|"
    r"share(?:-links|-buttons|-bar|-tools)?|social(?:-share|-links|-icons|-media)?|newsletter(?:-signup|-form)?|"
    r"skip-(?:link|to-content)|skip-nav|pagination|comments-area|advert(?:isement)?|ad-banner)(?=\s|$)",
    re.IGNORECASE,
)
_FOOTNOTE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:foot-?notes?|end-?notes?|disclaimers?|legal|fine-?print)(?=$|[\s_-])", re.I
)
_FOOTNOTE_ID = re.compile(r"^(?:fn|footnote|endnote|cite_note)[-_:]?\w*$", re.IGNORECASE)
_FOOTNOTE_HEADING = re.compile(
    r"^(?:foot ?notes?|end ?notes?|notes?(?: and (?:sources?|disclaimers?))?|disclaimers?|disclosures?|"
    r"legal(?: notices?)?|脚注|注释|注|附注|备注|参考|参考资料|免责声明|尾注)\s*[:：]?$",
    re.IGNORECASE,
)
_SUP_MARK = re.compile(r"^[\[(]?\s*(?:\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*|[*†‡§¶#]{1,3}|[a-z]{1,2}|[ivx]{1,4})\s*[\])]?$")
_PUBLISHED = frozenset(
    [
        "article:published_time",
        "datepublished",
        "date",
        "dc.date",
        "dc.date.issued",
        "dcterms.created",
        "pubdate",
        "publish-date",
    ]
)


def is_footnote_heading(text: str) -> bool:
    """Whether a heading announces footnotes."""
    return _FOOTNOTE_HEADING.match(text.strip()) is not None


@dataclass(slots=True)
class HtmlResult:
    """What was found in a stretch of HTML."""

    blocks: list[Block] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _State:
    skip: bool = False
    furniture: bool = False
    footnote: bool = False
    quote: bool = False
    preformatted: bool = False
    main: bool = False
    heading: int = 0
    depth: int = 0
    caption: bool = False


@dataclass(slots=True)
class _TableState:
    outer: TextBuilder
    outer_state: _State
    presentation: bool
    header: list[tuple[Cell, ...]] = field(default_factory=list)
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    row: list[Cell] | None = None
    caption: MappedText | None = None
    cell: dict[str, str] | None = None
    cell_header: bool = False
    in_caption: bool = False
    in_head: bool = False
    column: int = 0
    spans: list[tuple[int, int, int]] = field(default_factory=list)
    """Columns (from, to) that a cell of an earlier row still fills, and the number of the last row that it reaches."""
    row_number: int = 0
    nested: bool = False
    structured: bool = False
    """A cell holds headings, lists or tables: the table lays out the page."""
    headers_seen: bool = False


class HtmlReader:
    """Reads one stretch of HTML."""

    def __init__(self, name: str, source: str, lines: LineIndex, *, fragment: bool = False) -> None:
        self.name = name
        self.source = source
        self.lines = lines
        self.fragment = fragment
        """A stretch inside Markdown: no page furniture by position."""
        self.result = HtmlResult()
        self.state = _State()
        self.builder = TextBuilder(lines)
        self._frames: list[tuple[str, _State]] = []
        self._open: dict[str, list[int]] = {}
        self._scopes: list[int] = []
        self._tables: list[_TableState] = []
        self._actions: dict[int, Callable[[], None]] = {}
        """What to do when the frame of this index is closed."""
        self._inline: list[int] = []
        """Frames of links and inline code of the current block."""
        self._sup: tuple[TextBuilder, int] | None = None
        self._cells = 0
        self._foreign = 0
        """How many elements of another language (svg, math, select) are open."""
        self._label: str | None = None
        self._notes_level = 0
        """Level of the heading that announced footnotes, while it holds."""

    # ---- tokens -------------------------------------------------------------------------------------------------

    def read(self, start: int = 0, end: int | None = None) -> HtmlResult:
        """Read the source from `start` to `end`."""
        source = self.source
        stop = len(source) if end is None else end
        pos = start
        while pos < stop:
            lt = source.find("<", pos, stop)
            if lt < 0:
                self._text(pos, stop)
                break
            if lt > pos:
                self._text(pos, lt)
            after = source[lt + 1 : lt + 2]
            if after == "/":
                pos = self._end_tag(lt, stop)
            elif after == "!":
                pos = self._declaration(lt, stop)
            elif after == "?":
                gt = source.find(">", lt, stop)
                pos = stop if gt < 0 else gt + 1
            elif after == "t" and (simple := _SIMPLE_CELL.match(source, lt, stop)) and self._simple_cell(simple):
                pos = simple.end()
            elif after.isascii() and after.isalpha():
                pos = self._start_tag(lt, stop)
            else:
                self._text(lt, lt + 1)
                pos = lt + 1
        self._close_to(0)
        self._flush()
        return self.result

    def _declaration(self, lt: int, stop: int) -> int:
        source = self.source
        if source.startswith("<!--", lt):
            if source.startswith(("<!-->", "<!--->"), lt):
                return source.index(">", lt) + 1
            close = source.find("-->", lt + 4, stop)
            finish = stop if close < 0 else close + 3
            self.result.comments.append(Comment(source[lt + 4 : stop if close < 0 else close], lt, finish))
            return finish
        if source.startswith("<![CDATA[", lt):
            close = source.find("]]>", lt, stop)
            return stop if close < 0 else close + 3
        gt = source.find(">", lt, stop)
        return stop if gt < 0 else gt + 1

    def _end_tag(self, lt: int, stop: int) -> int:
        name = _NAME.match(self.source, lt + 2)
        gt = self.source.find(">", lt, stop)
        finish = stop if gt < 0 else gt + 1
        if name is not None:
            self._close(name.group().lower(), lt)
        return finish

    def _start_tag(self, lt: int, stop: int) -> int:
        source = self.source
        found = _NAME.match(source, lt + 1)
        if found is None:  # pragma: no cover - the caller saw a letter
            return lt + 1
        name = found.group().lower()
        pos = found.end()
        attributes: dict[str, str] = {}
        closed = False
        if source[pos : pos + 1] == ">":
            pos += 1
        else:
            while True:
                match = _ATTRIBUTE.match(source, pos, stop)
                if match is None:
                    pos = stop
                    break
                at, pos = pos, match.end()
                if match.lastgroup == "end":
                    closed = "/" in source[at:pos]
                    break
                if pos <= at:
                    pos = stop
                    break
                key = match.group("name").lower()
                value = match.group("dq") or match.group("sq") or match.group("bare") or ""
                if key not in attributes and len(attributes) < 100:
                    attributes[key] = html.unescape(value) if "&" in value else value
        self._open_tag(name, attributes, lt, closed)
        if name in _RAW and pos < stop and not (closed and self._foreign):
            return self._raw(name, pos, stop)
        return pos

    def _raw(self, name: str, pos: int, stop: int) -> int:
        close = re.compile(rf"</{re.escape(name)}(?=[\s/>])", re.IGNORECASE).search(self.source, pos, stop)
        finish = stop if close is None else close.start()
        if name == "title" and not self._open.get("svg"):
            title = " ".join(html.unescape(self.source[pos : min(finish, pos + 2000)]).split())
            if title:
                self.result.metadata.setdefault("title", title)
        elif name == "script" and "datePublished" in self.source[pos : min(finish, pos + 100_000)]:
            date = re.search(r'"datePublished"\s*:\s*"([^"]{8,40})"', self.source[pos : min(finish, pos + 100_000)])
            if date:
                self.result.metadata.setdefault("published", date.group(1))
        return finish

    # ---- text ---------------------------------------------------------------------------------------------------

    def _text(self, start: int, end: int) -> None:
        if self.state.skip:
            return
        table = self._tables[-1] if self._tables else None
        builder = self.builder
        if table is not None and table.cell is None and not table.in_caption:
            # Text between rows: browsers put it before the table; white space means nothing.
            if self.source[start:end].isspace():
                return
            builder = table.outer
        self._decoded(builder, start, end)

    def _decoded(self, builder: TextBuilder, start: int, end: int) -> None:
        source = self.source
        amp = source.find("&", start, end)
        if amp < 0:
            builder.add(source[start:end], start)
            return
        at = start
        for entity in _ENTITY.finditer(source, amp, end):
            raw = entity.group()
            decoded = html.unescape(raw)
            if decoded == raw:
                continue
            if entity.start() > at:
                builder.add(source[at : entity.start()], at)
            builder.add_decoded(decoded, entity.start(), len(raw))
            at = entity.end()
        if at < end:
            builder.add(source[at:end], at)

    # ---- elements -----------------------------------------------------------------------------------------------

    def _index(self, name: str) -> int:
        found = self._open.get(name)
        return found[-1] if found else -1

    def _push(self, name: str, state: _State) -> int:
        index = len(self._frames)
        self._frames.append((name, self.state))
        self._open.setdefault(name, []).append(index)
        if name in _TABLE_SCOPE:
            self._scopes.append(index)
        elif name in _FOREIGN:
            self._foreign += 1
        self.state = state
        return index

    def _close_to(self, index: int) -> None:
        while len(self._frames) > index:
            name, outer = self._frames[-1]
            action = self._actions.pop(len(self._frames) - 1, None)
            if name in _BLOCK and not self.state.skip:
                self._flush()
            if action is not None:
                action()
            self._frames.pop()
            self._open[name].pop()
            if name in _TABLE_SCOPE:
                self._scopes.pop()
            elif name in _FOREIGN:
                self._foreign -= 1
            self.state = outer
            if name == "pre" and not outer.preformatted:
                self.builder.find_marks = True

    def _close(self, name: str, at: int) -> None:
        if name == "br":
            self.builder.line_break(at)
            return
        if name == "p" and self._index("p") < 0:
            if not self.state.skip:
                self._flush()
            return
        index = self._index(name)
        if index < 0:
            return
        if name in _TABLE_PARTS:
            # A table part is closed within its own table only.
            if name != "table" and index < self._index("table"):
                return
        elif self._scopes and index < self._scopes[-1]:
            return
        if name in {"body", "html"}:
            return
        self._close_to(index)

    def _break_out(self, name: str) -> None:
        for foreign in _FOREIGN:
            index = self._index(foreign)
            if index >= 0 and name not in {"option"}:
                self._close_to(index)

    def _open_tag(self, name: str, attributes: dict[str, str], at: int, closed: bool) -> None:
        if self._foreign and name in _BLOCK:
            self._break_out(name)
        if self.state.skip:
            if name == "meta":
                self._meta(attributes)
            if self._index("head") >= 0 and (
                name == "body" or (name in _BLOCK and name not in {"noscript", "template"})
            ):
                self._close_to(self._index("head"))
                if self.state.skip:
                    return
            else:
                if name not in _VOID and not (closed and self._foreign):
                    self._push(name, self.state)
                return
        if name == "html":
            if attributes.get("lang"):
                self.result.metadata.setdefault("language", attributes["lang"])
            return
        if name == "body":
            return
        if name == "meta":
            self._meta(attributes)
            return
        if name in _VOID:
            self._void(name, attributes, at)
            return
        self._imply_ends(name)
        if name in _BLOCK:
            self._flush()
            if self._tables and self._tables[-1].cell is not None and name in _STRUCTURE:
                self._tables[-1].structured = True
        state = self._enter(name, attributes)
        if state.skip:
            self._push(name, state)
            return
        if name == "table":
            self._open_table(attributes, state)
        elif name in {"tr", "td", "th", "thead", "tbody", "tfoot", "caption"} and self._tables:
            self._open_table_part(name, attributes, state, at)
        elif name == "sup" and self._sup is None:
            self._open_sup(state)
        elif name in {"code", "kbd", "samp", "tt"} and not state.preformatted:
            builder, start = self.builder, self.builder.length + (1 if self.builder.gap and self.builder.length else 0)
            self._inline.append(self._push(name, state))
            self._actions[self._inline[-1]] = lambda: builder.code(start)
        elif name == "a" and attributes.get("href"):
            builder, target = self.builder, attributes["href"].strip()
            start = builder.length + (1 if builder.gap and builder.length else 0)
            self._inline.append(self._push(name, state))
            self._actions[self._inline[-1]] = lambda: builder.link(start, target)
        elif name == "pre":
            self._push(name, state)
            self.builder.find_marks = False
        else:
            self._push(name, state)

    def _imply_ends(self, name: str) -> None:
        scope = self._scopes[-1] if self._scopes else -1
        if name in _CLOSES_P and self._index("p") > scope:
            self._close_to(self._index("p"))
        if name in _HEADING:
            for other in _HEADING:
                if self._index(other) > scope:
                    self._close_to(self._index(other))
        elif name == "li":
            item = self._index("li")
            if item > max(self._index("ul"), self._index("ol"), self._index("menu"), scope):
                self._close_to(item)
        elif name in {"dt", "dd"}:
            item = max(self._index("dt"), self._index("dd"))
            if item > max(self._index("dl"), scope):
                self._close_to(item)
        elif name in {"td", "th"}:
            item = max(self._index("td"), self._index("th"))
            if item > self._index("table"):
                self._close_to(item)
        elif name in {"tr", "tbody", "thead", "tfoot"}:
            table = self._index("table")
            parts = (
                ("td", "th", "tr", "caption")
                if name == "tr"
                else ("td", "th", "tr", "caption", "tbody", "thead", "tfoot")
            )
            lowest = min((self._index(p) for p in parts if self._index(p) > table), default=-1)
            if lowest >= 0:
                self._close_to(lowest)
        elif name == "a" and self._index("a") > scope:
            self._close_to(self._index("a"))

    def _enter(self, name: str, attributes: dict[str, str]) -> _State:
        state = self.state
        if name in _SKIP or "hidden" in attributes or attributes.get("aria-hidden", "").lower() == "true":
            return replace(state, skip=True)
        if name == "dialog" and "open" not in attributes:
            return replace(state, skip=True)
        if attributes.get("style") and _HIDDEN_STYLE.search(attributes["style"]):
            return replace(state, skip=True)
        role = attributes.get("role", "").lower()
        classes = attributes.get("class", "")
        if name in {"main", "article"} or role in {"main", "article"}:
            state = replace(state, main=True)
        elif (
            name == "nav"
            or role in _FURNITURE_ROLE
            or (name in {"header", "footer", "aside"} and not state.main and not self.fragment)
            or (name not in {"header", "html", "body"} and classes and _FURNITURE_CLASS.search(classes))
        ):
            state = replace(state, furniture=True)
        marker = attributes.get("id", "")
        if role in {"doc-endnotes", "doc-footnote", "doc-endnote", "note"} or (
            name in _BLOCK
            and ((classes and _FOOTNOTE_CLASS.search(classes)) or (marker and _FOOTNOTE_ID.match(marker)))
        ):
            state = replace(state, footnote=True)
        if name in _HEADING:
            state = replace(state, heading=_HEADING[name])
        elif name in {"ul", "ol", "menu", "dl"}:
            state = replace(state, depth=state.depth + 1)
        elif name == "blockquote":
            state = replace(state, quote=True)
        elif name == "pre":
            state = replace(state, preformatted=True)
        elif name == "figcaption":
            state = replace(state, caption=True)
        return state

    def _meta(self, attributes: dict[str, str]) -> None:
        key = (attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or "").lower()
        content = " ".join(attributes.get("content", "").split())[:2000]
        if not content:
            return
        if key in _PUBLISHED:
            self.result.metadata.setdefault("published", content)
        elif key in {"author", "article:author"}:
            self.result.metadata.setdefault("author", content)
        elif key in {"description", "og:description"}:
            self.result.metadata.setdefault("description", content)
        elif key == "og:title":
            self.result.metadata.setdefault("title", content)

    def _void(self, name: str, attributes: dict[str, str], at: int) -> None:
        if name == "br":
            if self.state.heading:
                self.builder.space(at)
            else:
                self.builder.line_break(at)
        elif name == "hr":
            self._flush()
        elif name == "img":
            alt = attributes.get("alt", "")
            if alt.strip() and "hidden" not in attributes and not self.state.furniture:
                self._image(alt, at)

    def _image(self, alt: str, at: int) -> None:
        gt = self.source.find(">", at)
        tag = self.source[at : gt if gt >= 0 else len(self.source)]
        place = re.search(r"\balt\s*=\s*[\"']?", tag, re.IGNORECASE)
        builder = TextBuilder(self.lines, find_marks=False)
        start = at + (place.end() if place else 0)
        if self.source.startswith(alt, start):
            builder.add(alt, start)
        else:
            builder.add_decoded(alt, start, len(tag) - (start - at))
        self.result.blocks.append(Block(BlockKind.IMAGE_ALT, builder.finish(), furniture=self.state.furniture))

    # ---- footnote marks -----------------------------------------------------------------------------------------

    def _open_sup(self, state: _State) -> None:
        outer = self.builder
        inner = TextBuilder(self.lines, find_marks=False)
        self._sup = (outer, len(self._frames))
        self.builder = inner
        start = self._push("sup", state)

        def finish() -> None:
            self._sup = None
            self.builder = outer
            content = inner.finish()
            text = content.text
            if not text:
                return
            at = content.source_start(0)
            power = re.search(r"(?:^|[^\d.,])10$", outer.tail) is not None
            if _SUP_MARK.match(text) and not power and text not in {"st", "nd", "rd", "th", "tm", "r"}:
                outer.mark(text.strip("[]() "), at)
                return
            if power and text.isdigit():
                text = text.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
            outer.add_decoded(text, at, content.source_end(len(text)) - at)

        self._actions[start] = finish

    # ---- tables -------------------------------------------------------------------------------------------------

    def _open_table(self, attributes: dict[str, str], state: _State) -> None:
        if self._tables:
            self._tables[-1].nested = True
        outer = self.builder
        presentation = attributes.get("role", "").lower() in {"presentation", "none"}
        table = _TableState(outer, state, presentation)
        self._tables.append(table)
        self.builder = TextBuilder(self.lines)
        self._actions[self._push("table", state)] = lambda: self._finish_table(table)

    def _open_table_part(self, name: str, attributes: dict[str, str], state: _State, at: int) -> None:
        table = self._tables[-1]
        if name == "caption":
            table.in_caption = True
            self.builder = TextBuilder(self.lines)
            self._actions[self._push(name, state)] = lambda: self._finish_caption(table)
        elif name == "tr":
            table.row, table.column = [], 0
            self._actions[self._push(name, state)] = lambda: self._finish_row(table)
        elif name in {"td", "th"}:
            if table.row is None:
                table.row, table.column = [], 0
            self._count_cell()
            table.cell = attributes
            table.cell_header = name == "th"
            self.builder = TextBuilder(self.lines, origin=at)
            self._actions[self._push(name, state)] = lambda: self._finish_cell(table)
        else:
            table.in_head = name == "thead"
            self._actions[self._push(name, state)] = lambda: self._finish_row(table)

    def _simple_cell(self, found: re.Match[str]) -> bool:
        """Take a cell of plain text without opening it; whether that could be done."""
        if self.state.skip or not self._frames or self._frames[-1][0] != "tr" or not self._tables:
            return False
        table = self._tables[-1]
        if table.row is None or table.cell is not None or self._foreign or self._sup is not None:
            return False
        self._count_cell()
        table.cell, table.cell_header = {}, found.group("tag").lower() == "th"
        text = found.group("text")
        if text.isascii() and text.isprintable() and "  " not in text and not _MARKED.search(text):
            bare = text.strip()
            at = found.start("text") + (len(text) - len(text.lstrip()) if bare else 0)
            self._add_cell(table, MappedText(bare, self.lines, _ORIGIN, (at,)))
            return True
        self.builder = TextBuilder(self.lines, origin=found.start())
        self.builder.add(text, found.start("text"))
        self._finish_cell(table)
        return True

    def _count_cell(self) -> None:
        self._cells += 1
        if self._cells > MAX_CELLS:
            raise DocumentError(
                self.name, f"more than {MAX_CELLS:,} table cells; split the document into smaller ones", 1, 1
            )

    def _finish_caption(self, table: _TableState) -> None:
        table.caption = self.builder.finish()
        table.in_caption = False
        self.builder = TextBuilder(self.lines)

    def _finish_cell(self, table: _TableState) -> None:
        self._add_cell(table, self.builder.finish())
        self.builder = TextBuilder(self.lines)

    def _add_cell(self, table: _TableState, content: MappedText) -> None:
        attributes = table.cell or {}
        columns, rows = _span(attributes.get("colspan")), _span(attributes.get("rowspan"))
        if table.row is not None:
            if table.spans:
                for start, end, last in table.spans:
                    if start <= table.column < end and last >= table.row_number:
                        table.column = end
            table.row.append(Cell(content, table.column, table.cell_header, columns, rows))
            if rows > 1 and len(table.spans) < MAX_ROW_SPANS:
                # Not seen within its own row, since the columns only go up.
                table.spans.append((table.column, table.column + columns, table.row_number + rows - 1))
                table.spans.sort()
            table.column += columns
            table.headers_seen = table.headers_seen or table.cell_header
        table.cell = None

    def _finish_row(self, table: _TableState) -> None:
        if table.row is None:
            return
        row, table.row = tuple(table.row), None
        table.row_number += 1
        if table.spans:
            table.spans = [s for s in table.spans if s[2] >= table.row_number]
        if not row:
            return
        if not table.rows and (table.in_head or all(c.header for c in row)):
            table.header.append(row)
        else:
            table.rows.append(row)

    def _finish_table(self, table: _TableState) -> None:
        self._finish_row(table)
        self._tables.pop()
        self.builder = table.outer
        rows = (*table.header, *table.rows)
        if not rows and table.caption is None:
            return
        widest = max((len(r) for r in rows), default=0)
        layout = table.presentation or (not table.headers_seen and (table.nested or table.structured or widest <= 1))
        state = table.outer_state
        if layout:
            for row in rows:
                for cell in row:
                    if cell.text:
                        kind = BlockKind.FOOTNOTE if state.footnote else BlockKind.PARAGRAPH
                        self.result.blocks.append(Block(kind, cell.content, furniture=state.furniture))
            return
        one_line = [tuple(_one_line(c) for c in row) for row in table.header]
        body = [tuple(_one_line(c) for c in row) for row in table.rows]
        self.result.blocks.append(
            Block(
                BlockKind.TABLE,
                MappedText("", self.lines, (0,), (rows[0][0].content.source_start(0) if rows else 0,)),
                table=Table(tuple(one_line), tuple(body), table.caption),
                furniture=state.furniture,
            )
        )

    # ---- blocks -------------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        if self._sup is not None:
            return
        if self._tables:
            table = self._tables[-1]
            if table.cell is not None or table.in_caption:
                if not self.builder.empty:
                    self.builder.line_break(0)
                return
        builder = self.builder
        if builder.empty:
            return
        self.builder = TextBuilder(self.lines, find_marks=not self.state.preformatted)
        while self._inline:
            # Links and code that are still open end with the block.
            action = self._actions.pop(self._inline.pop(), None)
            if action is not None:
                action()
        content = builder.finish()
        state = self.state
        if not content.text:
            # A mark that stands alone labels the text behind it.
            self._label = content.marks[0].label if content.marks else None
            return
        label: str | None = None
        first = leading_mark(content)
        if state.preformatted:
            kind = BlockKind.CODE
        elif state.heading:
            kind = BlockKind.HEADING
            if self._notes_level and state.heading <= self._notes_level:
                self._notes_level = 0
            if is_footnote_heading(content.text):
                self._notes_level = state.heading
        elif first is not None or state.footnote or self._notes_level or self._label is not None:
            kind = BlockKind.FOOTNOTE
            label = first.label if first is not None else self._label
        elif state.caption:
            kind = BlockKind.CAPTION
        elif self._index("li") >= 0:
            kind = BlockKind.LIST_ITEM
        elif state.quote:
            kind = BlockKind.BLOCKQUOTE
        else:
            kind = BlockKind.PARAGRAPH
        self._label = None
        level = state.heading or (state.depth if kind is BlockKind.LIST_ITEM else 0)
        self.result.blocks.append(Block(kind, content, level=level, label=label, furniture=state.furniture))


_STRUCTURE = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "table", "article", "section", "blockquote"])


def _span(value: str | None) -> int:
    if value is None or not re.fullmatch(r"\s*\d{1,6}\s*", value):
        return 1
    return max(1, min(int(value), MAX_SPAN))


def _one_line(cell: Cell) -> Cell:
    if "\n" not in cell.content.text:
        return cell
    return replace(cell, content=replace(cell.content, text=cell.content.text.replace("\n", " ")))
