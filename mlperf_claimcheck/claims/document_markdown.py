"""Markdown into blocks of text with source positions (CommonMark with tables and footnotes)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mlperf_claimcheck.claims.document_html import HtmlReader, is_footnote_heading
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

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

MAX_MARKDOWN = 8_000_000
"""Characters of Markdown that are read."""

_FRONT_MATTER = re.compile(
    r"\A(?:---|\+\+\+)[ \t]*\r?\n(?P<body>.*?)^(?:---|\+\+\+|\.\.\.)[ \t]*\r?$", re.DOTALL | re.MULTILINE
)
_FOOTNOTE = re.compile(r"[ ]{0,3}\[\^([^\]\s]{1,64})\]:[ \t]*")
_INLINE = re.compile(r"[\\*_`\[\]<>&!~\n]")
_SUP = re.compile(r"<(/?)sup\b[^>]*>", re.IGNORECASE)
_SUP_MARK = re.compile(r"^[\[(]?(?:\d{1,3}(?:[,;–-]\d{1,3})*|[*†‡§]{1,3}|[a-z])[\])]?$")


def _footnote_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A block rule: `[^label]: text`, going on until an empty line or the next footnote."""
    begin = state.bMarks[start] + state.tShift[start]
    line = state.src[state.bMarks[start] : state.eMarks[start]]
    found = _FOOTNOTE.match(line, begin - state.bMarks[start])
    if found is None or state.sCount[start] - state.blkIndent > 3:
        return False
    if silent:
        return True
    following = start + 1
    while following < end and not state.isEmpty(following):
        text = state.src[state.bMarks[following] : state.eMarks[following]]
        if _FOOTNOTE.match(text.lstrip()) or text.lstrip().startswith(("#", "```", "<!--")):
            break
        following += 1
    rest = [line[found.end() :]]
    rest.extend(state.src[state.bMarks[n] : state.eMarks[n]].lstrip() for n in range(start + 1, following))
    state.line = following
    token = state.push("footnote_open", "", 1)
    token.meta = {"label": found.group(1)}
    token = state.push("inline", "", 0)
    token.content = "\n".join(rest).strip()
    token.map = [start, following]
    token.children = []
    state.push("footnote_close", "", -1)
    return True


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from markdown_it.parser_inline import ParserInline
    from markdown_it.rules_inline import StateInline

    class PositionedState(StateInline):
        """Remembers for each token where it stands in the inline source."""

        flushed = 0

        def push(self, ttype: str, tag: str, nesting: Any) -> Token:
            token = super().push(ttype, tag, nesting)
            token.meta["pos"] = self.pos
            return token

        def pushPending(self) -> Token:
            pending = self.pending
            at = self.src.rfind(pending, self.flushed, max(self.pos, self.flushed + len(pending)))
            token = super().pushPending()
            if at < 0:
                at = self.flushed
            token.meta["pos"] = at
            self.flushed = at + len(pending)
            return token

    class PositionedInline(ParserInline):
        """Leaves the tokens as they were found, each with its position."""

        def parse(self, src: str, md: Any, env: Any, tokens: list[Token]) -> list[Token]:
            state = PositionedState(src, md, env, tokens)
            self.tokenize(state)
            for rule in self.ruler2.getRules(""):
                rule(state)
            return state.tokens

    md = MarkdownIt("commonmark")
    md.inline = PositionedInline()
    md.configure("commonmark")
    md.enable(["table", "strikethrough"])
    md.disable("fragments_join")
    md.core.ruler.disable(["inline", "text_join"])
    md.block.ruler.before(
        "reference", "footnote", _footnote_rule, {"alt": ["paragraph", "reference", "list", "blockquote"]}
    )
    return md


class _Place:
    """From an offset in the content of an inline token to the source."""

    __slots__ = ("offsets", "sources")

    def __init__(self) -> None:
        self.offsets: list[int] = []
        self.sources: list[int] = []

    def add(self, offset: int, source: int) -> None:
        self.offsets.append(offset)
        self.sources.append(source)

    def pieces(self, offset: int, length: int) -> list[tuple[int, int]]:
        """The stretches of `offset … offset + length` that stand in one piece in the source."""
        inner = self.offsets[bisect_right(self.offsets, offset) : bisect_left(self.offsets, offset + length)]
        cuts = [offset, *inner, offset + length]
        return list(pairwise(cuts))

    def __call__(self, offset: int) -> int:
        index = max(bisect_right(self.offsets, offset) - 1, 0)
        return self.sources[index] + offset - self.offsets[index]


class MarkdownReader:
    """Reads one Markdown document."""

    def __init__(self, name: str, source: str, lines: LineIndex) -> None:
        self.name = name
        self.source = source
        self.lines = lines
        self.blocks: list[Block] = []
        self.comments: list[Comment] = []
        self.metadata: dict[str, str] = {}
        self._first_line = 0
        self._env: dict[str, Any] = {}
        self._notes_level = 0

    def read(self) -> None:
        """Read the whole source."""
        if len(self.source) > MAX_MARKDOWN:
            raise DocumentError(
                self.name, f"more than {MAX_MARKDOWN:,} characters of Markdown; split it into smaller documents"
            )
        body = self.source
        front = _FRONT_MATTER.match(body)
        if front is not None and front.end() < 100_000:
            self._front_matter(front)
            self._first_line = self.lines.position(front.end())[0]
            body = body[self.lines.start(self._first_line + 1) :]
        # Same length, so that positions hold: the parser itself would join \r\n.
        text = "\n".join(re.split(r"\r\n|\n|\r", body.replace("\x00", "\ufffd")))
        self._md = _parser()
        tokens = self._md.parse(text, self._env)
        self._walk(tokens)

    def _front_matter(self, front: re.Match[str]) -> None:
        for line in front.group("body").splitlines():
            found = re.match(
                r"(title|date|published|author|description|lang|language)\s*[:=]\s*(.+)$", line, re.IGNORECASE
            )
            if found:
                key = {"date": "published", "lang": "language"}.get(found.group(1).lower(), found.group(1).lower())
                self.metadata.setdefault(key, found.group(2).strip().strip("\"'")[:2000])

    # ---- blocks -------------------------------------------------------------------------------------------------

    def _line(self, line: int) -> tuple[int, str]:
        """Source offset and text of the parser's 0-based line."""
        number = line + self._first_line + 1
        start = self.lines.start(number)
        return start, self.source[start : self.lines.start(number + 1)].rstrip("\r\n")

    def _walk(self, tokens: Sequence[Token]) -> None:
        heading = 0
        depth = 0
        quotes = 0
        footnote: str | None = None
        table: list[list[Cell]] | None = None
        header: list[list[Cell]] = []
        cursor = 0
        head = False
        column = 0
        table_map: Sequence[int] = (0, 0)
        for token in tokens:
            kind = token.type
            if kind == "inline":
                if table is not None:
                    content, cursor = self._cell(token, cursor)
                    (header if head else table)[-1].append(Cell(content, column, head))
                    column += 1
                    continue
                self._text_block(token, heading, depth, quotes, footnote)
            elif kind == "heading_open":
                heading = int(token.tag[1:])
            elif kind == "heading_close":
                heading = 0
            elif kind in {"bullet_list_open", "ordered_list_open"}:
                depth += 1
            elif kind in {"bullet_list_close", "ordered_list_close"}:
                depth -= 1
            elif kind == "blockquote_open":
                quotes += 1
            elif kind == "blockquote_close":
                quotes -= 1
            elif kind == "footnote_open":
                footnote = str(token.meta["label"])
            elif kind == "footnote_close":
                footnote = None
            elif kind == "table_open":
                table, header, table_map = [], [], token.map or (0, 0)
            elif kind == "thead_open":
                head = True
            elif kind == "thead_close":
                head = False
            elif kind == "tr_open":
                (header if head else table if table is not None else header).append([])
                cursor = column = 0
            elif kind == "table_close":
                start = self._line(table_map[0])[0]
                body = Table(tuple(map(tuple, header)), tuple(map(tuple, table or [])))
                self.blocks.append(Block(BlockKind.TABLE, MappedText("", self.lines, (0,), (start,)), table=body))
                table = None
            elif kind in {"fence", "code_block"}:
                self._code(token)
            elif kind == "html_block":
                self._html(token)

    def _text_block(self, token: Token, heading: int, depth: int, quotes: int, footnote: str | None) -> None:
        place = self._place(token)
        builder = TextBuilder(self.lines)
        images = self._inline(token.content, place, builder, heading > 0)
        content = builder.finish()
        level = heading
        label = footnote
        first = leading_mark(content)
        if heading:
            kind = BlockKind.HEADING
            if self._notes_level and heading <= self._notes_level:
                self._notes_level = 0
            if is_footnote_heading(content.text):
                self._notes_level = heading
        elif footnote is not None or self._notes_level or first is not None:
            kind = BlockKind.FOOTNOTE
            label = footnote if footnote is not None else first.label if first is not None else None
        elif depth:
            kind, level = BlockKind.LIST_ITEM, depth
        elif quotes:
            kind = BlockKind.BLOCKQUOTE
        else:
            kind = BlockKind.PARAGRAPH
        if content.text:
            self.blocks.append(Block(kind, content, level=level, label=label))
        self.blocks.extend(Block(BlockKind.IMAGE_ALT, image) for image in images)

    def _place(self, token: Token) -> _Place:
        place = _Place()
        first, last = token.map or (0, 1)
        offset = 0
        for number, text in enumerate(token.content.split("\n")):
            start, line = self._line(min(first + number, max(last - 1, first)))
            bare = text.rstrip()
            if line.rstrip().endswith(bare):
                at = len(line.rstrip()) - len(bare)
            else:
                at = max(line.find(bare), 0)
            place.add(offset, start + at)
            offset += len(text) + 1
        return place

    def _cell(self, token: Token, cursor: int) -> tuple[MappedText, int]:
        start, line = self._line((token.map or (0, 0))[0])
        place = _Place()
        text = token.content
        if text:
            raw = text.replace("|", "\\|")
            at = line.find(raw, cursor)
            if at < 0:
                raw, at = text, max(line.find(text, cursor), cursor)
            offset = 0
            # Each \| of the source is one | of the content.
            for number, piece in enumerate(raw.split("\\|")):
                place.add(offset - (1 if number else 0), start + at + (-1 if number else 0))
                offset += len(piece) + 1
                at += len(piece) + 2
            cursor = line.find("|", min(at - 2, len(line)))
            cursor = len(line) if cursor < 0 else cursor
        else:
            place.add(0, start + min(cursor, len(line)))
            bar = line.find("|", cursor + 1)
            cursor = len(line) if bar < 0 else bar
        builder = TextBuilder(self.lines, origin=place(0))
        self._inline(text, place, builder, True)
        return builder.finish(), cursor

    def _code(self, token: Token) -> None:
        first = (token.map or [0, 1])[0] + (1 if token.type == "fence" else 0)
        builder = TextBuilder(self.lines, find_marks=False)
        for number, text in enumerate(token.content.split("\n")):
            if not text.strip():
                continue
            start, line = self._line(first + number)
            if builder.length:
                builder.line_break(start)
            builder.add(text.strip(), start + max(line.find(text.strip()), 0))
        content = builder.finish()
        if content.text:
            self.blocks.append(Block(BlockKind.CODE, content))

    def _html(self, token: Token) -> None:
        first, last = token.map or (0, 1)
        start = self._line(first)[0]
        end = self.lines.start(last + self._first_line + 1)
        found = HtmlReader(self.name, self.source, self.lines, fragment=True).read(start, end)
        self.blocks.extend(found.blocks)
        self.comments.extend(found.comments)

    # ---- inline -------------------------------------------------------------------------------------------------

    def _inline(self, raw: str, place: _Place, builder: TextBuilder, one_line: bool) -> list[MappedText]:
        if not _INLINE.search(raw):
            for begin, end in place.pieces(0, len(raw)):
                builder.add(raw[begin:end], place(begin))
            return []
        tokens: list[Token] = []
        self._md.inline.parse(raw, self._md, self._env, tokens)
        images: list[MappedText] = []
        links: list[tuple[int, str]] = []
        sup: tuple[int, TextBuilder] | None = None
        outer = builder
        pending, pending_at = "", -1
        code_depth: list[int] = []

        def flush() -> None:
            nonlocal pending
            if pending:
                for start, end in place.pieces(pending_at, len(pending)):
                    builder.add(pending[start - pending_at : end - pending_at], place(start))
                pending = ""

        last_pos, repeat = -1, 0
        for token in tokens:
            kind = token.type
            pos = int(token.meta.get("pos", 0))
            if kind == "text":
                # The delimiters of a run (**) are pushed with one position.
                repeat = repeat + len(token.content) if pos == last_pos and last_pos >= 0 else 0
                last_pos = pos
                at = pos + repeat
                if token.content and raw[at : at + len(token.content)] != token.content:
                    if token.meta.get("pos") is not None and raw.startswith(token.content, pos + 1):
                        at = pos + 1  # autolink: behind "<"
                    else:
                        at = pos
                if pending and place(pending_at) + len(pending) == place(at) and pending_at + len(pending) == at:
                    pending += token.content
                else:
                    flush()
                    pending, pending_at = token.content, at
                continue
            flush()
            if kind in {"em_open", "em_close", "strong_open", "strong_close", "s_open", "s_close"}:
                # Their positions count for the delimiters that follow in the same run.
                repeat = repeat + len(token.markup) if pos == last_pos else 0
                last_pos = pos
                continue
            last_pos = -1
            if kind == "text_special":
                if token.info == "escape":
                    builder.add_decoded(token.content, place(pos), 2)
                else:
                    builder.add_decoded(token.content, place(pos), max(len(token.markup), 1))
            elif kind == "softbreak":
                builder.space(place(pos), line=True)
            elif kind == "hardbreak":
                if one_line:
                    builder.space(place(pos))
                else:
                    builder.line_break(place(pos))
            elif kind == "code_inline":
                start = builder.length + (1 if builder.gap and builder.length else 0)
                at = raw.find(token.content, pos + len(token.markup)) if token.content else -1
                marks, builder.find_marks = builder.find_marks, False
                if at >= 0:
                    builder.add(token.content, place(at))
                else:
                    builder.add_decoded(token.content, place(pos), len(token.content) + 2 * len(token.markup))
                builder.find_marks = marks
                builder.code(start)
            elif kind == "link_open":
                start = builder.length + (1 if builder.gap and builder.length else 0)
                links.append((start, str(token.attrs.get("href", ""))))
            elif kind == "link_close":
                if links:
                    builder.link(*links.pop())
            elif kind == "image":
                alt = _alt(token)
                if alt.strip():
                    image = TextBuilder(self.lines, find_marks=False)
                    if raw.startswith(alt, pos + 2):
                        image.add(alt, place(pos + 2))
                    else:
                        image.add_decoded(alt, place(pos + 2), max(len(token.content), 1))
                    images.append(image.finish())
            elif kind == "html_inline":
                tag = token.content
                lower = tag.lower()
                found = _SUP.match(tag)
                if lower.startswith("<!--"):
                    self.comments.append(Comment(tag[4:-3], place(pos), place(pos) + len(tag)))
                elif lower.startswith("<br"):
                    if one_line:
                        builder.space(place(pos))
                    else:
                        builder.line_break(place(pos))
                elif lower.startswith("<code"):
                    code_depth.append(builder.length + (1 if builder.gap and builder.length else 0))
                elif lower.startswith("</code") and code_depth:
                    builder.code(code_depth.pop())
                elif found and not found.group(1) and sup is None:
                    sup = (pos, builder)
                    builder = TextBuilder(self.lines, find_marks=False)
                elif found and found.group(1) and sup is not None:
                    builder = self._raised(builder, sup[1])
                    sup = None
        flush()
        if sup is not None:
            self._raised(builder, outer)
        return images

    @staticmethod
    def _raised(inner: TextBuilder, outer: TextBuilder) -> TextBuilder:
        """Put raised text back: a footnote mark, or text such as ® or an exponent."""
        content = inner.finish()
        text = content.text
        if text:
            at = content.source_start(0)
            power = re.search(r"(?:^|[^\d.,])10$", outer.tail) is not None
            if _SUP_MARK.match(text) and not power:
                outer.mark(text.strip("[]() "), at)
            else:
                if power and text.isdigit():
                    text = text.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
                outer.add_decoded(text, at, content.source_end(len(content.text)) - at)
        return outer


def _alt(token: Token) -> str:
    def text(children: Sequence[Token]) -> str:
        return "".join(
            " " if c.type in {"softbreak", "hardbreak"} else text(c.children) if c.children else c.content
            for c in children
        )

    return text(token.children or [])
