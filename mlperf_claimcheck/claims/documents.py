"""Reading documents (Markdown, HTML, plain text) into blocks of text with source positions.

The figures and facts of marketing copy are found by their place in the text, and reported by their place in the file:
every character of a block knows its line and column in the source.
"""

from __future__ import annotations

import codecs
import re
from pathlib import PurePath

from mlperf_claimcheck.claims.document_html import HtmlReader, is_footnote_heading
from mlperf_claimcheck.claims.document_markdown import MarkdownReader
from mlperf_claimcheck.claims.document_model import (
    Block,
    BlockKind,
    Cell,
    Comment,
    Document,
    DocumentError,
    DocumentKind,
    LineIndex,
    Link,
    MappedText,
    Mark,
    Table,
    TextBuilder,
    leading_mark,
)
from mlperf_claimcheck.claims.sentences import sentences

__all__ = [
    "MAX_BYTES",
    "Block",
    "BlockKind",
    "Cell",
    "Comment",
    "Document",
    "DocumentError",
    "DocumentKind",
    "LineIndex",
    "Link",
    "MappedText",
    "Mark",
    "Table",
    "decode",
    "document_kind",
    "read_document",
    "sentences",
]

MAX_BYTES = 32 * 1024 * 1024
"""The largest document that is read."""

_SUFFIXES: dict[str, DocumentKind] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".mdx": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".txt": "text",
    ".text": "text",
    ".docx": "docx",
    ".pdf": "pdf",
}
_HTML_START = re.compile(
    # Possessive: with a plain repetition, comments without a page behind them can be split in 2^n ways.
    r"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--.*?-->\s*+)*+<(?:!doctype\s+html|html|head|body|article|main|div|p|h1|table|section)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKDOWN_HINT = re.compile(
    r"^(?:#{1,6} \S|(?=\|?[ :-]*?---)\|?[ :-]*+\|[ |:-]*+$|\[\^[^\]\n]{1,200}\]:|```)|\]\(https?://", re.MULTILINE
)
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*+=\s*+["']?\s*+([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9_.:-]{1,40})["']""", re.IGNORECASE)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Labels mean on the web what browsers take them for (WHATWG Encoding Standard).
_WEB_LABELS = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932"}
_SEVEN_BIT = ("iso2022", "hz")
_BINARY = (
    (b"PK\x03\x04", "an Office document other than .docx, or an archive"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"\xd0\xcf\x11\xe0", "an Office document"),
    (b"\x1f\x8b", "a compressed file"),
)


def decode(name: str, data: bytes) -> tuple[str, str, bytes, tuple[str, ...]]:
    """Text, encoding, byte order mark and warnings of a document's bytes.

    A byte order mark decides, then UTF-8 if the bytes are valid, then the declared charset. Undeclared text whose
    only foreign bytes stand alone (a ® or a dash of windows-1252) is read as windows-1252 with a warning.
    """
    if len(data) > MAX_BYTES:
        raise DocumentError(name, f"larger than {MAX_BYTES // 1024 // 1024} MB; split it into smaller documents")
    for magic, what in _BINARY:
        if data.startswith(magic):
            raise DocumentError(
                name, f"this is {what}; expected Markdown, HTML, plain text, .docx or PDF: export it to one of these"
            )
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            try:
                return data[len(bom) :].decode(encoding), encoding, bom, ()
            except UnicodeDecodeError as error:
                raise DocumentError(
                    name,
                    f"the byte order mark says {encoding}, but byte {error.start + len(bom)} is not; save it as UTF-8",
                ) from None
    declared = _declared(data)
    if declared is not None and declared.startswith(_SEVEN_BIT):
        try:
            return data.decode(declared), declared, b"", ()
        except UnicodeDecodeError:
            pass
    if b"\x00" in data:
        raise DocumentError(
            name, "contains NUL bytes: not a text file, or UTF-16 without a byte order mark; save it as UTF-8"
        )
    try:
        return data.decode("utf-8"), "utf-8", b"", ()
    except UnicodeDecodeError as error:
        bad = error.start
    line = data.count(b"\n", 0, bad) + 1
    column = len(data[data.rfind(b"\n", 0, bad) + 1 : bad].decode("utf-8", "replace")) + 1
    if declared is not None and declared != "utf-8":
        try:
            return data.decode(declared), declared, b"", ()
        except (UnicodeDecodeError, LookupError):
            raise DocumentError(
                name, f"declares the charset {declared}, but its bytes are not; save it as UTF-8", line, column
            ) from None
    if declared is None and not re.search(rb"[\x80-\xff]{2}", data) and not re.search(rb"[\x81\x8d\x8f\x90\x9d]", data):
        warning = f"not UTF-8 (first at line {line}, column {column}) and no charset declared: read as windows-1252"
        return data.decode("cp1252"), "cp1252", b"", (warning,)
    raise DocumentError(
        name,
        f"byte 0x{data[bad]:02x} is not UTF-8; save the document as UTF-8, or declare its charset (<meta charset=…>)",
        line,
        column,
    )


def _declared(data: bytes) -> str | None:
    head = data[:4096]
    found = _XML_ENCODING.search(head) or _CHARSET.search(head)
    if found is None:
        return None
    label = found.group(1).decode("ascii")
    try:
        info = codecs.lookup(label)
    except LookupError:
        return label.lower()
    if not getattr(info, "_is_text_encoding", True) or info.name in {"utf-7", "utf-16", "utf-32", "idna", "punycode"}:
        return "utf-8"
    return _WEB_LABELS.get(info.name, info.name)


def document_kind(name: str, text: str) -> DocumentKind:
    """The format of a document: by its file name, else by how it begins."""
    suffix = PurePath(name).suffix.lower()
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if _HTML_START.match(text[:4096]):
        return "html"
    if _MARKDOWN_HINT.search(text[:200_000]):
        return "markdown"
    return "text"


def read_document(name: str, data: bytes, kind: DocumentKind | None = None) -> Document:
    """Read a document's bytes into blocks of text.

    `name` is the path (or a name such as `<stdin>`) for messages and for the format, where `kind` is None.
    Raises `DocumentError` for what is no text, too large, or not decodable.
    """
    office = kind if kind in ("docx", "pdf") else _office_kind(str(name), data)
    if office is not None:
        return _read_office(str(name), data, office)
    text, encoding, bom, warnings = decode(str(name), data)
    kind = kind or document_kind(str(name), text)
    lines = LineIndex(text)
    metadata: dict[str, str] = {}
    if kind == "html":
        found = HtmlReader(str(name), text, lines).read()
        blocks, comments, metadata = found.blocks, found.comments, found.metadata
    elif kind == "markdown":
        reader = MarkdownReader(str(name), text, lines)
        reader.read()
        blocks, comments, metadata = reader.blocks, reader.comments, reader.metadata
    elif kind == "text":
        blocks, comments = _plain_text(text, lines), []
    else:
        raise DocumentError(str(name), f"unknown format {kind!r}; expected markdown, html or text")
    copy, furniture = _split_furniture(blocks)
    return Document(
        str(name),
        kind,
        text,
        lines,
        copy,
        furniture,
        tuple(sorted(comments, key=lambda c: c.start)),
        encoding,
        bom,
        metadata,
        warnings,
    )


def _office_kind(name: str, data: bytes) -> DocumentKind | None:
    """`pdf` and `docx` by how the bytes begin; a name alone makes none."""
    if data[:1024].lstrip().startswith(b"%PDF-"):
        return "pdf"
    suffix = _SUFFIXES.get(PurePath(name).suffix.lower())
    if data.startswith(b"PK\x03\x04") and (suffix == "docx" or b"word/" in data[:4096]):
        return "docx"
    return suffix if suffix in ("docx", "pdf") else None


def _read_office(name: str, data: bytes, kind: DocumentKind) -> Document:
    from mlperf_claimcheck.claims.document_office import read_docx, read_pdf

    if len(data) > MAX_BYTES:
        raise DocumentError(name, f"larger than {MAX_BYTES // 1024 // 1024} MB; split it into smaller documents")
    if not data:
        raise DocumentError(name, f"is empty; expected a .{kind} file")
    if kind == "docx":
        found = read_docx(name, data)
        return Document(
            name,
            kind,
            found.source,
            found.lines,
            tuple(found.blocks),
            metadata=found.metadata,
            warnings=found.warnings,
            places=tuple(found.places),
        )
    text, places, metadata, warnings = read_pdf(name, data)
    lines = LineIndex(text)
    blocks = tuple(_plain_text(text, lines))
    return Document(name, kind, text, lines, blocks, metadata=metadata, warnings=warnings, places=tuple(places))


def _split_furniture(blocks: list[Block]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    copy = [b for b in blocks if not b.furniture]
    furniture = [b for b in blocks if b.furniture]
    if not any(b.kind is BlockKind.HEADING and b.level == 1 for b in copy):
        # A page whose title stands in its header: the title is copy.
        title = next((b for b in furniture if b.kind is BlockKind.HEADING and b.level == 1), None)
        if title is not None:
            furniture.remove(title)
            copy.insert(0, title)
    return tuple(copy), tuple(furniture)


_BULLET = re.compile(r"(?P<indent>[ \t]*)(?P<mark>[-*+•·●○▪◦–—]|\d{1,2}[.)])[ \t]+(?=\S)")
_UNDERLINE = re.compile(r"[ \t]*(?:={3,}|-{3,}|~{3,})[ \t]*$")
_SENTENCE_END = re.compile(r"[.!?。！？:：;；,，][\"')”’）]*$")
_CHINESE_HEADING = re.compile(r"^[一二三四五六七八九十]{1,3}[、.]")


def _plain_text(text: str, lines: LineIndex) -> list[Block]:
    """Paragraphs are separated by empty lines; bullets begin list items; an underlined line is a heading."""
    starred = re.search(r"\S\*(?=[\s.,;:)]|$)", text) is not None
    blocks: list[Block] = []
    paragraph: list[tuple[int, str]] = []
    kind, level = BlockKind.PARAGRAPH, 0
    notes = False

    def close(*, heading: int = 0) -> None:
        nonlocal paragraph, kind, level, notes
        if not paragraph:
            return
        builder = TextBuilder(lines)
        for start, line in paragraph:
            builder.add(line, start)
            builder.space(start + len(line), line=True)
        content = builder.finish()
        first = leading_mark(content)
        short = len(paragraph) == 1 and len(content.text) <= 100 and not _SENTENCE_END.search(content.text)
        if heading:
            kind, level = BlockKind.HEADING, heading
        elif short and kind is BlockKind.PARAGRAPH and not blocks:
            kind, level = BlockKind.HEADING, 1
        elif (short and _CHINESE_HEADING.match(content.text)) or (
            len(paragraph) == 1 and is_footnote_heading(content.text)
        ):
            kind, level = BlockKind.HEADING, 2
        elif first is not None or notes:
            kind, level = BlockKind.FOOTNOTE, 0
        if kind is BlockKind.HEADING:
            notes = is_footnote_heading(content.text)
        if content.text:
            label = first.label if first is not None and kind is BlockKind.FOOTNOTE else None
            blocks.append(Block(kind, content, level=level, label=label))
        paragraph = []
        kind, level = BlockKind.PARAGRAPH, 0

    for number in range(1, lines.count + 1):
        start = lines.start(number)
        line = text[start : lines.start(number + 1)].rstrip("\r\n")
        if not line.strip():
            close()
            continue
        if _UNDERLINE.match(line) and len(paragraph) == 1 and kind is BlockKind.PARAGRAPH:
            close(heading=1 if "=" in line else 2)
            continue
        bullet = _BULLET.match(line)
        if bullet is not None and not (starred and bullet.group("mark") == "*" and not notes):
            close()
            indent = len(bullet.group("indent").expandtabs(4))
            if notes and bullet.group("mark")[0].isdigit():
                kind, level = BlockKind.FOOTNOTE, 0
            else:
                kind, level = BlockKind.LIST_ITEM, indent // 2 + 1
            paragraph = [(start + bullet.end(), line[bullet.end() :])]
            continue
        if re.match(r"\s*(?:\[\d{1,3}\]|[¹²³⁴-⁹]|\*\s?\S)", line) and paragraph and kind is not BlockKind.LIST_ITEM:
            close()
        paragraph.append((start, line))
    close()
    return blocks
