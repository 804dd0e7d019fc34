"""Documents as blocks of text, each character of which knows where it stands in the source."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

DocumentKind = Literal["markdown", "html", "text", "docx", "pdf"]
"""The formats that can be read."""


class DocumentError(Exception):
    """A document that cannot be read. The message says what was expected and what to do."""

    def __init__(self, name: str, message: str, line: int | None = None, column: int | None = None) -> None:
        self.name = name
        self.message = message
        self.line = line
        self.column = column
        place = name if line is None else f"{name}:{line}:{column or 1}"
        super().__init__(f"{place}: {message}")


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list-item"
    TABLE = "table"
    CAPTION = "caption"
    """Caption of a figure. The caption of a table is part of the table."""
    FOOTNOTE = "footnote"
    BLOCKQUOTE = "blockquote"
    CODE = "code"
    """Not prose."""
    IMAGE_ALT = "image-alt"


class LineIndex:
    """Turns offsets into the source text into 1-based lines and columns (columns count characters)."""

    __slots__ = ("_starts", "length")

    def __init__(self, source: str) -> None:
        starts = [0]
        # A line ends at \n, \r\n or \r, as editors count; str.splitlines knows ten more ends that editors do not.
        starts.extend(m.end() for m in re.finditer(r"\r\n|\n|\r", source))
        self._starts = starts
        self.length = len(source)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of the character at `offset`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def start(self, line: int) -> int:
        """Offset at which the 1-based `line` starts (the end of the source for a line after the last)."""
        return self._starts[line - 1] if line <= len(self._starts) else self.length

    @property
    def count(self) -> int:
        """How many lines the source has."""
        return len(self._starts)


@dataclass(frozen=True, slots=True)
class Mark:
    """A footnote mark that stood in the text. It is not part of the text."""

    offset: int
    """Offset in the text at which it stood (behind the character before it)."""
    label: str
    """`1`, `a`, `*` … without brackets."""
    source: int
    """Offset in the source."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the text (start and end offset in the text) and its target."""

    start: int
    end: int
    target: str


@dataclass(frozen=True, slots=True)
class MappedText:
    """Text with entities decoded, markup removed and white space collapsed, and the way back to the source.

    A hard line break of the source (`<br>`) is kept as `\\n`; every other run of white space is one space.
    """

    text: str
    lines: LineIndex
    starts: tuple[int, ...] = ()
    """Text offset at which each run starts. Within a run text and source go in step."""
    sources: tuple[int, ...] = ()
    """Source offset at which each run starts."""
    wide: Mapping[int, int] | None = None
    """Runs (by index) that are a decoded entity: length in the source. All their characters map to its start."""
    marks: tuple[Mark, ...] = ()
    code: tuple[tuple[int, int], ...] = ()
    """Stretches of inline code."""
    links: tuple[Link, ...] = ()

    def source_start(self, offset: int) -> int:
        """Source offset of the character at text `offset` (for the end of the text: behind its last character)."""
        if offset >= len(self.text):
            return self.source_end(len(self.text))
        run = bisect_right(self.starts, offset) - 1
        if run < 0:
            return 0
        if self.wide and run in self.wide:
            return self.sources[run]
        return self.sources[run] + offset - self.starts[run]

    def source_end(self, end: int) -> int:
        """Source offset behind the text that ends at `end` (exclusive)."""
        if end <= 0:
            return self.sources[0] if self.sources else 0
        last = min(end, len(self.text)) - 1
        run = bisect_right(self.starts, last) - 1
        if run < 0:
            return 0
        if self.wide and run in self.wide:
            return self.sources[run] + self.wide[run]
        return self.sources[run] + last - self.starts[run] + 1

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and column, in the source, of the character at text `offset`."""
        return self.lines.position(self.source_start(offset))

    def in_code(self, start: int, end: int) -> bool:
        """Whether the stretch touches inline code."""
        return any(a < end and start < b for a, b in self.code)

    def slice(self, start: int, end: int) -> MappedText:
        """The stretch from `start` to `end` as a text of its own."""
        starts: list[int] = []
        sources: list[int] = []
        wide: dict[int, int] = {}
        first = max(bisect_right(self.starts, start) - 1, 0)
        for run in range(first, len(self.starts)):
            at = self.starts[run]
            if at >= end:
                break
            entity = self.wide is not None and run in self.wide
            if entity and self.wide is not None:
                wide[len(starts)] = self.wide[run]
            starts.append(max(at - start, 0))
            sources.append(self.sources[run] + (0 if entity else max(start - at, 0)))
        return MappedText(
            self.text[start:end],
            self.lines,
            tuple(starts),
            tuple(sources),
            wide or None,
            tuple(Mark(m.offset - start, m.label, m.source) for m in self.marks if start <= m.offset <= end),
            tuple((max(a, start) - start, min(b, end) - start) for a, b in self.code if a < end and start < b),
            tuple(
                Link(max(k.start, start) - start, min(k.end, end) - start, k.target)
                for k in self.links
                if k.start < end and start < k.end
            ),
        )


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    content: MappedText
    column: int
    """0-based column of the grid (spans of earlier cells counted)."""
    header: bool = False
    columns: int = 1
    """How many columns it spans."""
    rows: int = 1
    """How many rows it spans."""

    @property
    def text(self) -> str:
        """The cell's text."""
        return self.content.text


@dataclass(frozen=True, slots=True)
class Table:
    """A table: header rows first, then the body."""

    header: tuple[tuple[Cell, ...], ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: MappedText | None = None

    def cells(self) -> Iterator[Cell]:
        """All cells in reading order."""
        for row in (*self.header, *self.rows):
            yield from row


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a document. A table has no text of its own: see `table`."""

    kind: BlockKind
    content: MappedText
    level: int = 0
    """Level of a heading (1-6), depth of a list item (1 = outermost)."""
    label: str | None = None
    """The mark of a footnote, without brackets."""
    table: Table | None = None
    furniture: bool = False
    """Page furniture (navigation, site header and footer, side bar): not copy, but a footer may hold the legend."""

    @property
    def text(self) -> str:
        """The block's text."""
        return self.content.text

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The footnote marks of its text."""
        return self.content.marks

    def position(self, offset: int = 0) -> tuple[int, int]:
        """1-based line and column in the source of the character at text `offset`."""
        return self.content.position(offset)

    def texts(self) -> Iterator[MappedText]:
        """Every stretch of text of the block: the text itself, or caption and cells of a table."""
        if self.table is None:
            yield self.content
            return
        if self.table.caption is not None:
            yield self.table.caption
        for cell in self.table.cells():
            yield cell.content


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of the source (HTML comment): directives to tools stand there."""

    text: str
    start: int
    """Source offset of its first character (`<`)."""
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was read."""

    name: str
    kind: DocumentKind
    source: str
    """The whole source, decoded; offsets count its characters. A byte order mark is not part of it."""
    lines: LineIndex
    blocks: tuple[Block, ...]
    """The copy, in reading order."""
    furniture: tuple[Block, ...] = ()
    """Blocks of page furniture, in reading order; not part of `blocks`."""
    comments: tuple[Comment, ...] = ()
    encoding: str = "utf-8"
    bom: bytes = b""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What the document says of itself: `title`, `published`, `language`, `author`, `description`."""
    warnings: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    """Of a Word document or PDF, whose lines are those of the text taken from it: where each line stands
    (`paragraph 14`, `page 2`)."""

    @property
    def editable(self) -> bool:
        """Whether its source is the file's own text."""
        return self.kind not in ("docx", "pdf")

    def place(self, line: int) -> str | None:
        """Where a line stands in a document that has no lines of its own; None for a text."""
        return self.places[line - 1] if 0 < line <= len(self.places) else None

    @property
    def title(self) -> str | None:
        """The first heading of the highest level, else the title that the document states."""
        for level in (1, 2):
            for block in self.blocks:
                if block.kind is BlockKind.HEADING and block.level == level and block.text:
                    return block.text
        return self.metadata.get("title")


_SPACES = {ord(c): " " for c in "\t\n\r\x0b\x0c\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"}
_SPACES.update(dict.fromkeys(range(8192, 8203), " "))
_INVISIBLE = re.compile("[\u200b\u2060\ufeff\u00ad]+")
_WORD = re.compile(r"[^ ]+")
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u3000-\u303f]")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MARK = re.compile(
    r"\[\^(?P<named>[^\]\s]{1,64})\]"
    r"|\[(?P<number>\d{1,3}|[*†‡§]{1,3})\]"
    r"|(?P<raised>[⁰¹²³⁴-⁹]{1,3})"
    r"|(?P<sign>(?<=[^\s*†‡§])(?:\*{1,3}|[†‡§]{1,3})(?=[\s.,;:!?)。，；：]|$))"
    r"|(?P<lead>^\s*(?:\*{1,3}|[†‡§]{1,3})(?=\s*[^\s*†‡§]))"
)
_MARK_HINT = re.compile(r"[\[⁰¹²³⁴-⁹*†‡§]")


class TextBuilder:
    """Puts a block's text together from stretches of the source."""

    __slots__ = (
        "_code",
        "_gap",
        "_gap_break",
        "_gap_line",
        "_last",
        "_length",
        "_lines",
        "_links",
        "_marks",
        "_next_source",
        "_origin",
        "_parts",
        "_sources",
        "_starts",
        "_wide",
        "find_marks",
    )

    def __init__(self, lines: LineIndex, *, find_marks: bool = True, origin: int = -1) -> None:
        self._lines = lines
        self._origin = origin
        self.find_marks = find_marks
        self._parts: list[str] = []
        self._length = 0
        self._starts: list[int] = []
        self._sources: list[int] = []
        self._wide: dict[int, int] = {}
        self._next_source = -1
        self._gap = -1
        self._gap_line = False
        self._gap_break = False
        self._last = ""
        self._marks: list[Mark] = []
        self._code: list[tuple[int, int]] = []
        self._links: list[Link] = []

    @property
    def length(self) -> int:
        """How long the text is so far."""
        return self._length

    @property
    def empty(self) -> bool:
        """Whether nothing was added but white space."""
        return self._length == 0 and not self._marks

    @property
    def tail(self) -> str:
        """The last few characters of the text."""
        if not self._parts:
            return ""
        return self._parts[-1][-8:] if len(self._parts[-1]) >= 8 else "".join(self._parts[-8:])[-8:]

    @property
    def gap(self) -> bool:
        """Whether white space stands at the end."""
        return self._gap >= 0

    def _emit(self, text: str, source: int, width: int = 0) -> None:
        if self._gap >= 0:
            if self._length:
                joined = self._gap_line and not self._gap_break and _CJK.match(self._last) and _CJK.match(text[0])
                # The space before a mark goes with it where punctuation follows: "the page [2]."
                marked = self._marks and self._marks[-1].offset == self._length and text[0] in ".,;:!?)。，；：！？）"
                if not joined and not marked:
                    gap = self._gap
                    self._gap = -1
                    self._emit("\n" if self._gap_break else " ", gap)
            self._gap = -1
            self._gap_line = self._gap_break = False
        if width:
            self._wide[len(self._starts)] = width
        if width or source != self._next_source:
            self._starts.append(self._length)
            self._sources.append(source)
        self._next_source = -1 if width else source + len(text)
        self._parts.append(text)
        self._length += len(text)
        self._last = text[-1]

    def _plain(self, text: str, source: int) -> None:
        ascii_only = text.isascii()
        clean = text if ascii_only and text.isprintable() else text.translate(_SPACES)
        if "  " not in clean and not (not ascii_only and "\n" in text and _CJK.search(text)):
            stripped = clean.strip(" ")
            if not stripped:
                if clean:
                    self.space(source)
                return
            lead = len(clean) - len(clean.lstrip(" "))
            if lead:
                self.space(source)
            self._emit(stripped, source + lead)
            if lead + len(stripped) < len(clean):
                self.space(source + lead + len(stripped))
            return
        at = 0
        for word in _WORD.finditer(clean):
            if word.start() > at:
                self.space(source + at, line="\n" in text[at : word.start()] or "\r" in text[at : word.start()])
            self._emit(word.group(), source + word.start())
            at = word.end()
        if at < len(clean):
            self.space(source + at, line="\n" in text[at:] or "\r" in text[at:])

    def _visible(self, text: str, source: int) -> None:
        if text.isascii():
            self._plain(text, source)
            return
        at = 0
        for hidden in _INVISIBLE.finditer(text):
            if hidden.start() > at:
                self._plain(text[at : hidden.start()], source + at)
            at = hidden.end()
        if at < len(text):
            self._plain(text[at:] if at else text, source + at)

    def add(self, text: str, source: int) -> None:
        """Add a stretch that stands in the source, character by character, from offset `source`."""
        if not self.find_marks or not _MARK_HINT.search(text):
            self._visible(text, source)
            return
        at = 0
        for found in _MARK.finditer(text):
            kind = found.lastgroup
            start = found.start()
            if kind == "raised":
                before = text[:start] or self.tail
                # 10⁶ is a power, m² an area; "GPUs¹" and "6,496¹" are marks.
                if re.search(r"(?:^|[^\d.,])10$|(?:^|[^A-Za-z])(?:[cmk]?m|s)$", before[-6:]):
                    continue
            if kind == "lead" and (self._length or self._gap >= 0 or self._marks):
                continue
            if start > at:
                self._visible(text[at:start], source + at)
            label = found.group(kind or 0).strip().translate(_SUPERSCRIPT)
            self.mark(label, source + start)
            at = found.end()
        if at < len(text):
            self._visible(text[at:] if at else text, source + at)

    def add_decoded(self, text: str, source: int, width: int) -> None:
        """Add text that the `width` characters of the source at `source` stand for (an entity)."""
        clean = _INVISIBLE.sub("", text.translate(_SPACES))
        if not clean:
            return
        if not clean.strip(" "):
            self.space(source)
            return
        if self.find_marks and not self.empty and re.fullmatch("[⁰¹²³⁴-⁹†‡]+", clean) and not self.tail.endswith("10"):
            self.mark(clean.translate(_SUPERSCRIPT), source)
            return
        self._emit(clean, source, width)

    def space(self, source: int, *, line: bool = False) -> None:
        """White space stands here."""
        if self._gap < 0:
            self._gap = source
        self._gap_line = self._gap_line or line

    def line_break(self, source: int) -> None:
        """A hard line break stands here."""
        self.space(source)
        self._gap_break = True

    def mark(self, label: str, source: int) -> None:
        """A footnote mark stands here."""
        self._marks.append(Mark(self._length, label, source))

    def code(self, start: int) -> None:
        """The text from `start` to here is inline code."""
        if start < self._length:
            self._code.append((start, self._length))

    def link(self, start: int, target: str) -> None:
        """The text from `start` to here is a link."""
        self._links.append(Link(min(start, self._length), self._length, target))

    def finish(self) -> MappedText:
        """The text."""
        if not self._starts and self._origin >= 0:
            self._starts, self._sources = [0], [self._origin]
        return MappedText(
            "".join(self._parts),
            self._lines,
            tuple(self._starts),
            tuple(self._sources),
            self._wide or None,
            tuple(self._marks),
            tuple(self._code),
            tuple(self._links),
        )


def leading_mark(content: MappedText) -> Mark | None:
    """The mark that the text begins with: such a text is the body of a footnote."""
    first = content.marks[0] if content.marks else None
    return first if first is not None and first.offset == 0 and content.text else None
