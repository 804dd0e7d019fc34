"""Reading Word documents (`.docx`) and PDF files, by python-docx and pypdf: both come with the extra `documents`.

Their text is laid out anew, one line for each paragraph or table cell of a Word document and for each line of a PDF
page, so that a place in it is a line; `places` says which paragraph or page a line is.
"""

from __future__ import annotations

import importlib
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mlperf_claimcheck.claims.document_model import (
    Block,
    BlockKind,
    Cell,
    DocumentError,
    LineIndex,
    MappedText,
    Table,
    TextBuilder,
)

MAX_UNPACKED = 128 * 1024 * 1024
"""Bytes that the parts of a Word document may unpack to."""
MAX_XML = 24 * 1024 * 1024
"""Bytes of the text of a Word document, as XML."""
MAX_RATIO = 200
"""How often larger than packed a large part may be; text packs to a tenth, a zip bomb to a thousandth."""
MAX_PAGES = 2_000
MAX_CHARACTERS = 8_000_000
"""Text of a PDF."""
REMEDY = "install it with: pip install 'mlperf-claimcheck[documents]', or export the document to HTML or plain text"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LIST_STYLE = re.compile(r"list|bullet|aufz", re.IGNORECASE)
_HEADING_STYLE = re.compile(r"heading (\d)|title", re.IGNORECASE)
_PARAGRAPH_END = 0.75
"""A PDF line shorter than this part of the page's longest line ends a paragraph."""


@dataclass(slots=True)
class Converted:
    """A document as a text of lines, and its blocks."""

    source: str
    lines: LineIndex
    blocks: list[Block]
    places: list[str]
    """For each line where it stands: `paragraph 14`, `page 2`."""
    metadata: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def _module(name: str, package: str, document: str, what: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise DocumentError(document, f"{what} needs the package {package}, which is not installed; {REMEDY}") from None


# ---- Word ----


@dataclass(slots=True)
class _Entry:
    """A paragraph: its text in pieces, marks of footnotes between them."""

    kind: BlockKind
    level: int = 0
    pieces: list[tuple[str, str]] = field(default_factory=list)
    """("text", words) or ("mark", label)."""
    label: str | None = None

    @property
    def text(self) -> str:
        return "".join(words for what, words in self.pieces if what == "text")


@dataclass(slots=True)
class _Grid:
    rows: list[list[tuple[_Entry, int, int]]] = field(default_factory=list)
    """Cells with their column and the number of columns that they span."""
    header: int = 0


def read_docx(name: str, data: bytes) -> Converted:
    """A Word document's paragraphs, tables and footnotes. Raises `DocumentError`."""
    docx = _module("docx", "python-docx", name, "a Word document")
    _check_archive(name, data)
    try:
        document = docx.Document(io.BytesIO(data))
        entries = list(_entries(document))
        entries += _footnotes(document)
        metadata = _properties(document)
    except DocumentError:
        raise
    except RecursionError:
        raise DocumentError(name, "its parts are nested too deeply to be read") from None
    except Exception as error:  # python-docx raises whatever the XML makes it stumble on.
        raise DocumentError(
            name, f"cannot be read as a Word document ({type(error).__name__}); save it anew, or export it to HTML"
        ) from None
    return _laid_out(entries, metadata)


def _check_archive(name: str, data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise DocumentError(name, "is no Word document: not a zip archive, or a damaged one") from None
    names = {part.filename for part in parts}
    if "word/document.xml" not in names:
        raise DocumentError(name, "is no Word document: it holds no word/document.xml")
    unpacked = sum(part.file_size for part in parts)
    text = sum(part.file_size for part in parts if part.filename.endswith((".xml", ".rels")))
    bombs = [p for p in parts if p.file_size > 1024 * 1024 and p.file_size > MAX_RATIO * max(1, p.compress_size)]
    if unpacked > MAX_UNPACKED or text > MAX_XML or bombs or len(parts) > 10_000:
        raise DocumentError(
            name, f"unpacks to {unpacked // 1024 // 1024} MB, which is too much; split it, or export its text to HTML"
        )


def _entries(document: Any) -> Iterator[_Entry | _Grid]:
    for element in document.element.body.iterchildren():
        if element.tag == _W + "p":
            yield _paragraph(element, document)
        elif element.tag == _W + "tbl":
            yield _grid(element, document)
        elif element.tag == _W + "sdt":
            for inner in element.iter(_W + "p"):
                yield _paragraph(inner, document)


def _paragraph(element: Any, document: Any) -> _Entry:
    entry = _Entry(BlockKind.PARAGRAPH)
    style_id, level, numbered = "", 0, False
    properties = element.find(_W + "pPr")
    if properties is not None:
        style = properties.find(_W + "pStyle")
        style_id = "" if style is None else style.get(_W + "val", "")
        numbering = properties.find(_W + "numPr")
        if numbering is not None:
            numbered = True
            depth = numbering.find(_W + "ilvl")
            level = int(depth.get(_W + "val", "0")) if depth is not None and depth.get(_W + "val", "0").isdigit() else 0
    style_name = _style_name(document, style_id)
    heading = _HEADING_STYLE.search(style_name)
    if heading is not None and "subtitle" not in style_name.lower():
        entry.kind, entry.level = BlockKind.HEADING, int(heading[1] or 1)
    elif numbered or _LIST_STYLE.search(style_name):
        entry.kind, entry.level = BlockKind.LIST_ITEM, level + 1
    elif "caption" in style_name.lower():
        entry.kind = BlockKind.CAPTION
    elif "quote" in style_name.lower():
        entry.kind = BlockKind.BLOCKQUOTE
    entry.pieces = list(_pieces(element))
    return entry


def _style_name(document: Any, style_id: str) -> str:
    if not style_id:
        return ""
    for style in document.styles.element.iterchildren(_W + "style"):
        if style.get(_W + "styleId") == style_id:
            name = style.find(_W + "name")
            return "" if name is None else str(name.get(_W + "val", ""))
    return style_id


def _pieces(element: Any) -> Iterator[tuple[str, str]]:
    """The text as it is shown: deleted and hidden text is left out."""
    for run in element.iter(_W + "r"):
        if any(parent.tag in (_W + "del", _W + "moveFrom") for parent in run.iterancestors()):
            continue
        properties = run.find(_W + "rPr")
        if properties is not None and properties.find(_W + "vanish") is not None:
            continue
        for part in run.iterchildren():
            if part.tag == _W + "t":
                yield "text", re.sub(r"\s", " ", part.text or "")
            elif part.tag in (_W + "tab", _W + "br", _W + "cr"):
                yield "text", " "
            elif part.tag == _W + "noBreakHyphen":
                yield "text", "-"
            elif part.tag in (_W + "footnoteReference", _W + "endnoteReference"):
                yield "mark", str(part.get(_W + "id", ""))


def _grid(element: Any, document: Any) -> _Grid:
    grid = _Grid()
    for number, row in enumerate(element.iterchildren(_W + "tr")):
        properties = row.find(_W + "trPr")
        if properties is not None and properties.find(_W + "tblHeader") is not None and number == grid.header:
            grid.header += 1
        cells: list[tuple[_Entry, int, int]] = []
        column = 0
        for cell in row.iterchildren(_W + "tc"):
            cell_properties = cell.find(_W + "tcPr")
            span = None if cell_properties is None else cell_properties.find(_W + "gridSpan")
            merged = None if cell_properties is None else cell_properties.find(_W + "vMerge")
            wide = str(span.get(_W + "val", "1")) if span is not None else "1"
            columns = min(int(wide), 64) if wide.isdigit() and int(wide) else 1
            entry = _Entry(BlockKind.PARAGRAPH)
            for paragraph in cell.iterchildren(_W + "p"):
                if entry.pieces:
                    entry.pieces.append(("text", " "))
                entry.pieces += _pieces(paragraph)
            if merged is not None and merged.get(_W + "val") != "restart" and grid.rows:
                # A cell that reaches down from the row above says the same.
                above = next((e for e, at, _ in grid.rows[-1] if at == column), None)
                entry.pieces = list(above.pieces) if above is not None else entry.pieces
            cells.append((entry, column, columns))
            column += columns
        grid.rows.append(cells)
    if not grid.header and len(grid.rows) > 1:
        grid.header = 1 if not any(e.text.strip().replace(",", "").isdigit() for e, _, _ in grid.rows[0]) else 0
    return grid


def _footnotes(document: Any) -> list[_Entry]:
    found: list[_Entry] = []
    parser: Any = importlib.import_module("docx.oxml.parser")
    for relation in document.part.rels.values():
        if relation.is_external or not relation.reltype.endswith(("/footnotes", "/endnotes")):
            continue
        for note in parser.parse_xml(relation.target_part.blob):
            if note.get(_W + "type") in ("separator", "continuationSeparator", "continuationNotice"):
                continue
            entry = _Entry(BlockKind.FOOTNOTE, label=str(note.get(_W + "id", "")))
            entry.pieces = [piece for piece in _pieces(note) if piece[0] == "text"]
            found.append(entry)
    return found


def _properties(document: Any) -> dict[str, str]:
    properties = document.core_properties
    stated = {"title": properties.title, "author": properties.author}
    return {key: str(value) for key, value in stated.items() if value and value != "python-docx"}


def _laid_out(entries: list[_Entry | _Grid], metadata: dict[str, str]) -> Converted:
    flat = [e for entry in entries for e in ((entry,) if isinstance(entry, _Entry) else _cells(entry))]
    source = "\n".join(entry.text for entry in flat)
    lines = LineIndex(source)
    contents: dict[int, MappedText] = {}
    at = 0
    for entry in flat:
        builder = TextBuilder(lines, origin=at)
        position = at
        for what, words in entry.pieces:
            if what == "mark":
                builder.mark(words, position)
            elif words.strip():
                for piece in re.finditer(r"\s+|\S+", words):
                    if piece[0].isspace():
                        builder.space(position + piece.start())
                    else:
                        builder.add(piece[0], position + piece.start())
            else:
                builder.space(position)
            position += len(words) if what == "text" else 0
        contents[id(entry)] = builder.finish()
        at += len(entry.text) + 1
    blocks = []
    for item in entries:
        if isinstance(item, _Entry):
            if contents[id(item)].text:
                blocks.append(Block(item.kind, contents[id(item)], level=item.level, label=item.label))
            continue
        rows = [
            tuple(Cell(contents[id(e)], column, number < item.header, columns) for e, column, columns in row)
            for number, row in enumerate(item.rows)
        ]
        if rows:
            table = Table(tuple(rows[: item.header]), tuple(rows[item.header :]))
            blocks.append(Block(BlockKind.TABLE, MappedText("", lines), table=table))
    places = [f"paragraph {number}" for number in range(1, len(flat) + 1)]
    return Converted(source, lines, blocks, places, metadata)


def _cells(grid: _Grid) -> Iterator[_Entry]:
    for row in grid.rows:
        for entry, _, _ in row:
            yield entry


# ---- PDF ----


def read_pdf(name: str, data: bytes) -> tuple[str, list[str], dict[str, str], tuple[str, ...]]:
    """The text of a PDF, lines with empty ones between paragraphs; for each line its page; metadata; warnings.

    Raises `DocumentError` for what is damaged, locked, too large, or holds no text (scanned pages).
    """
    if b"%PDF-" not in data[:1024]:
        raise DocumentError(name, "is no PDF: it does not begin as one")
    pypdf = _module("pypdf", "pypdf", name, "a PDF")
    logging: Any = importlib.import_module("logging")
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    lines: list[str] = []
    places: list[str] = []
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentError(name, "is locked by a password; save it without one")
        count = len(reader.pages)
        if count > MAX_PAGES:
            raise DocumentError(name, f"has {count:,} pages, more than {MAX_PAGES:,}; split it")
        size = 0
        for number, page in enumerate(reader.pages, 1):
            text = page.extract_text() or ""
            size += len(text)
            if size > MAX_CHARACTERS:
                raise DocumentError(name, f"holds more than {MAX_CHARACTERS:,} characters; split it")
            for line in _page_lines(text):
                lines.append(line)
                places.append(f"page {number}")
        stated = reader.metadata or {}
        metadata = {"title": stated.get("/Title"), "author": stated.get("/Author")}
    except DocumentError:
        raise
    except RecursionError:
        raise DocumentError(name, "its parts are nested too deeply to be read") from None
    except Exception as error:  # pypdf raises whatever a damaged file makes it stumble on.
        raise DocumentError(
            name, f"cannot be read as a PDF ({type(error).__name__}); print it to a new PDF, or export its text"
        ) from None
    if not any(line.strip() for line in lines):
        raise DocumentError(name, "holds no text: its pages may be scanned; recognise their text first")
    return "\n".join(lines), places, {k: str(v) for k, v in metadata.items() if v}, ()


def _page_lines(text: str) -> Iterator[str]:
    """The lines of a page, an empty one behind each that ends a paragraph, and behind the page."""
    rows = [re.sub(r"[^\S\n]+", " ", row).strip() for row in text.replace("\x00", "").splitlines()]
    longest = max((len(row) for row in rows), default=0)
    for number, row in enumerate(rows):
        yield row
        after = rows[number + 1] if number + 1 < len(rows) else ""
        if row and after and len(row) < _PARAGRAPH_END * longest and not after[0].islower():
            yield ""
    yield ""
