"""Documents are read into blocks whose every character knows its place in the source."""

from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlperf_claimcheck.claims import documents
from mlperf_claimcheck.claims.documents import (
    Block,
    BlockKind,
    Document,
    DocumentError,
    decode,
    document_kind,
    read_document,
    sentences,
)


def read(text: str, name: str = "page.html") -> Document:
    return read_document(name, text.encode())


def kinds(document: Document) -> list[tuple[str, str]]:
    return [(b.kind.value, b.text) for b in document.blocks]


def at(document: Document, word: str) -> tuple[int, int]:
    """Line and column at which the reader places `word`."""
    for block in document.blocks:
        for text in block.texts():
            if word in text.text:
                return text.position(text.text.index(word))
    raise AssertionError(f"{word!r} was not read")


def in_source(source: str, word: str) -> tuple[int, int]:
    """Line and column of `word` in the source itself."""
    lines = source.replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if word in line:
            return number, line.index(word) + 1
    raise AssertionError(word)


HTML = """<!DOCTYPE html>
<html lang="en"><head><title>Site &amp; title</title><style>p { color: red }</style>
<meta property="article:published_time" content="2026-04-01T10:00:00Z"></head>
<body><nav><a href="/">Home</a> Products</nav>
<main><h1>Results in <em>MLPerf&reg;</em> Inference</h1>
<p>Our 8 GPUs<sup>1</sup> reach 1&nbsp;million   tokens/s
   in <b>Offline</b>, a &lt; 5 ms latency.<p>Second paragraph with <a href="https://mlcommons.org">a link</a>.
<ul><li>One<li>Two<ul><li>Deep</ul></ul>
<blockquote>Quoted words</blockquote>
<table><caption>Throughput</caption><tr><th>System<th>tokens/s<tr><td>GB300<td>16,635</table>
<pre>mlperf run</pre><img src="x.png" alt="A chart">
<p><sup>1</sup> The note itself.</p>
<script>document.write("<p>not copy</p>")</script><noscript>no</noscript><template>no</template>
<svg><text>no</text></svg><div hidden>no</div><p style="color:red; display : none">no</p>
</main><footer>Imprint</footer></body></html>"""

MARKDOWN = """---
title: Front
date: 2026-04-02
---
# Results &amp; **more**

On GB300 we *reach* 1.16 million tokens/s[^1] with `mlperf run` and
see [the **page**](https://example.org/a "b c").

> quoted

- item
  - deep

| System | a\\|b | GPUs |
|---|---|---:|
| GB300 |  | **72** |

```sh
mlperf run
```

![A chart](x.png)

[^1]: The note
    goes on.
"""

TEXT = """Big news

We reach 1.16 million
tokens/s with 72 GPUs[1].

- first item
  goes on
- second item

[1] The note.
"""


def test_html_blocks_come_in_reading_order_with_their_kinds() -> None:
    found = kinds(read(HTML))
    assert found == [
        ("heading", "Results in MLPerf® Inference"),
        ("paragraph", "Our 8 GPUs reach 1 million tokens/s in Offline, a < 5 ms latency."),
        ("paragraph", "Second paragraph with a link."),
        ("list-item", "One"),
        ("list-item", "Two"),
        ("list-item", "Deep"),
        ("blockquote", "Quoted words"),
        ("table", ""),
        ("code", "mlperf run"),
        ("image-alt", "A chart"),
        ("footnote", "The note itself."),
    ]


def test_page_furniture_scripts_and_hidden_elements_are_no_copy() -> None:
    document = read(HTML)
    assert [b.text for b in document.furniture] == ["Home Products", "Imprint"]
    assert not any("no" in b.text.split() or "not copy" in b.text for b in (*document.blocks, *document.furniture))
    assert document.metadata == {"title": "Site & title", "published": "2026-04-01T10:00:00Z", "language": "en"}


def test_the_title_in_the_site_header_is_copy() -> None:
    document = read("<body><header><nav>Home</nav><h1>The title</h1></header><p>Words</p></body>")
    assert kinds(document) == [("heading", "The title"), ("paragraph", "Words")]


def test_raised_footnote_marks_leave_the_text_and_are_kept_as_marks() -> None:
    document = read(HTML)
    paragraph = document.blocks[1]
    assert [(m.label, paragraph.text[: m.offset]) for m in paragraph.marks] == [("1", "Our 8 GPUs")]
    assert document.blocks[-1].label == "1"


@pytest.mark.parametrize(
    ("markup", "text", "labels"),
    [
        ("10<sup>6</sup> tokens", "10⁶ tokens", []),
        ("MLPerf<sup>®</sup> Inference", "MLPerf® Inference", []),
        ("the 1<sup>st</sup> place", "the 1st place", []),
        ("tokens/s<sup>[2]</sup>.", "tokens/s.", ["2"]),
        ("tokens/s* here", "tokens/s here", ["*"]),
        ("6,496¹ tokens", "6,496 tokens", ["1"]),
        ("10⁶ tokens", "10⁶ tokens", []),
        ("the page [12].", "the page.", ["12"]),
        ("GPUs<sup><a href='#fn1'>1,2</a></sup> x", "GPUs x", ["1,2"]),
    ],
)
def test_marks_and_powers(markup: str, text: str, labels: list[str]) -> None:
    block = read(f"<p>{markup}</p>").blocks[0]
    assert block.text == text
    assert [m.label for m in block.marks] == labels


def test_markdown_blocks() -> None:
    document = read(MARKDOWN, "post.md")
    assert kinds(document) == [
        ("heading", "Results & more"),
        ("paragraph", "On GB300 we reach 1.16 million tokens/s with mlperf run and see the page."),
        ("blockquote", "quoted"),
        ("list-item", "item"),
        ("list-item", "deep"),
        ("table", ""),
        ("code", "mlperf run"),
        ("image-alt", "A chart"),
        ("footnote", "The note goes on."),
    ]
    assert document.metadata == {"title": "Front", "published": "2026-04-02"}
    paragraph = document.blocks[1]
    assert [(m.label, m.offset) for m in paragraph.marks] == [("1", len("On GB300 we reach 1.16 million tokens/s"))]
    assert [paragraph.text[a:b] for a, b in paragraph.content.code] == ["mlperf run"]
    assert [k.target for k in paragraph.content.links] == ["https://example.org/a"]
    assert document.blocks[-1].label == "1"


def test_plain_text_blocks() -> None:
    document = read(TEXT, "post.txt")
    assert kinds(document) == [
        ("heading", "Big news"),
        ("paragraph", "We reach 1.16 million tokens/s with 72 GPUs."),
        ("list-item", "first item goes on"),
        ("list-item", "second item"),
        ("footnote", "The note."),
    ]


def test_tables_know_headers_columns_and_spans() -> None:
    table = (
        read(
            "<table><tr><th>System</th><th colspan=2>tokens/s</th></tr>"
            "<tr><td rowspan=2>GB300</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"
        )
        .blocks[0]
        .table
    )
    assert table is not None
    assert [[(c.text, c.column, c.header) for c in row] for row in table.header] == [
        [("System", 0, True), ("tokens/s", 1, True)]
    ]
    assert [[(c.text, c.column) for c in row] for row in table.rows] == [
        [("GB300", 0), ("1", 1), ("2", 2)],
        [("3", 1), ("4", 2)],
    ]


def test_a_table_that_lays_out_the_page_is_prose() -> None:
    found = kinds(
        read(
            "<table><tr><td><h2>News</h2><p>We reach 5 tokens/s.</p><table><tr><th>a</th></tr></table></td></tr></table>"
        )
    )
    assert ("paragraph", "News\nWe reach 5 tokens/s.") in found


@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        (HTML, "a.html", ["million", "Offline", "link", "Deep", "GB300", "16,635", "mlperf run", "chart", "note"]),
        (
            MARKDOWN,
            "a.md",
            ["more", "reach", "1.16", "mlperf", "page", "quoted", "deep", "GB300", "72", "chart", "goes on"],
        ),
        (TEXT, "a.txt", ["Big", "1.16", "tokens/s", "72", "goes on", "second", "note"]),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_word_is_placed_where_it_stands(source: str, name: str, words: list[str], newline: str) -> None:
    document = read(source.replace("\n", newline), name)
    for word in words:
        assert at(document, word) == in_source(source, word), word


def test_columns_count_characters_not_bytes() -> None:
    assert at(read("在 GB300 上达到 116 万。", "a.txt"), "116") == (1, 13)
    assert at(read("<p>&reg;&nbsp;GB300", "a.html"), "GB300") == (1, 15)
    assert at(read("&reg; \\* **GB300**", "a.md"), "GB300") == (1, 12)


def test_chinese_lines_are_joined_without_a_space() -> None:
    assert read("在离线场景\n达到 116 万\ntokens/s。\n", "a.txt").blocks[0].text == "在离线场景达到 116 万 tokens/s。"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We ran v6.1. It gave 1.16 million.", ["We ran v6.1.", "It gave 1.16 million."]),
        (
            "It is 3.1x faster vs. the old one, e.g. H100. Good!",
            ["It is 3.1x faster vs. the old one, e.g. H100.", "Good!"],
        ),
        ("Example Inc. ran Qwen3-VL-235B-A22B. Done", ["Example Inc. ran Qwen3-VL-235B-A22B.", "Done"]),
        ("We bought Example Inc. The rest follows.", ["We bought Example Inc.", "The rest follows."]),
        ('See No. 1 and Fig. 2. "Really?" Yes.', ["See No. 1 and Fig. 2.", '"Really?"', "Yes."]),
        ("在 v6.1 中达到 116 万。提升 19.8%！好", ["在 v6.1 中达到 116 万。", "提升 19.8%！", "好"]),
        ("Llama 3.1 405B at 1.5 ms\nGB300 at 2 ms", ["Llama 3.1 405B at 1.5 ms", "GB300 at 2 ms"]),
        ("up to\nthree times", ["up to\nthree times"]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[a:b] for a, b in sentences(text)] == expected


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("MLPerf® 提升".encode(), "utf-8"),
        (codecs.BOM_UTF8 + "MLPerf® 提升".encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + "MLPerf® 提升".encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + "MLPerf® 提升".encode("utf-16-be"), "utf-16-be"),
        ('<meta charset="gb2312">MLPerf® 提升'.replace("®", "").encode("gb18030"), "gb18030"),
        ('<meta charset="shift_jis">MLPerf 倍近く'.encode("cp932"), "cp932"),
        ('<meta http-equiv=x content="text/html; charset=iso-8859-1">MLPerf® –'.encode("cp1252"), "cp1252"),
        ('<meta charset="iso-8859-1">MLPerf® 提升'.encode(), "utf-8"),
    ],
)
def test_encodings(data: bytes, encoding: str) -> None:
    text, found, bom, warnings = decode("a.html", data)
    assert found == encoding
    assert "MLPerf" in text
    assert not text.startswith("\ufeff")
    assert bom + text.encode(found) == data
    assert warnings == ()


def test_lonely_windows_bytes_are_read_with_a_warning() -> None:
    document = read_document("a.txt", "MLPerf® Inference – fast".encode("cp1252"))
    assert document.blocks[0].text == "MLPerf® Inference – fast"
    assert "windows-1252" in document.warnings[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("提升 19.8%".encode("gb18030"), "not UTF-8"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"PK\x03\x04....", "an Office document"),
        (b"a\x00b", "NUL"),
        (b'<meta charset="no-such-thing">\xff\xfe\xfd', "no-such-thing"),
        (b'<meta charset="shift_jis">\x81 \x81', "declares the charset cp932"),
        (codecs.BOM_UTF8 + b"\xff", "byte order mark"),
    ],
)
def test_what_is_no_readable_text_is_a_clear_error(data: bytes, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        read_document("dir/a.html", data)


def test_the_error_names_line_and_column_of_the_bad_byte() -> None:
    with pytest.raises(DocumentError) as caught:
        read_document("a.txt", "fine\nécht ".encode() + b"\xb4\xd6\xd7")
    assert (caught.value.line, caught.value.column) == (2, 6)
    assert str(caught.value).startswith("a.txt:2:6: ")


def test_too_large_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_BYTES", 10)
    with pytest.raises(DocumentError, match="split it"):
        read_document("a.txt", b"x" * 11)


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.md", "x", "markdown"),
        ("a.HTM", "x", "html"),
        ("a.txt", "# x", "text"),
        ("<stdin>", "<!doctype html><p>x", "html"),
        ("<stdin>", "# Title\n\ntext", "markdown"),
        ("<stdin>", "We reach <5 ms.", "text"),
    ],
)
def test_the_format_follows_from_name_and_beginning(name: str, text: str, kind: str) -> None:
    assert document_kind(name, text) == kind


@pytest.mark.parametrize(
    "source",
    [
        "<p>GB300 <b>16,635 <i>tokens</b></i></div></td></table> after",
        "<p title='unclosed>GB300 <p>16,635 after' >GB300 16,635 tokens after",
        "<table><tr><td>GB300 16,635 tokens</div> after",
        "<ul><li>GB300 16,635 tokens after</ul></ul></ul>",
        "<svg><path d=1><p>GB300 16,635 tokens after",
        "<!-- ok --><!doctype><?php x ?><p>GB300 16,635 tokens after</",
        "<select><option>no</option><p>GB300 16,635 tokens after",
        "</p></p><//><3 <>GB300 16,635 tokens after",
        "<head><title>t</title><p>GB300 16,635 tokens after",
    ],
)
def test_malformed_html_loses_no_copy(source: str) -> None:
    document = read(source)
    words = " ".join(t.text for b in document.blocks for t in b.texts())
    assert "GB300" in words
    assert "16,635" in words
    assert "after" in words


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 100_000 + "x" + "</div>" * 100_000,
        "<span>" * 100_000 + "x" + "</div>" * 100_000,
        "<table><tr><td>" * 20_000 + "x",
        "<ul><li>" * 50_000 + "x",
        '<a b="' * 100_000,
        "<" * 200_000,
        "<!--" * 200_000,
        "&amp" * 100_000,
        "<table>" + "<tr><td rowspan=1000 colspan=1000>1" * 5_000,
        "<table>" + "<tr><td>1<td>2<td>3" * 50_000,
    ],
    ids=["div", "span", "table", "list", "quote", "lt", "comment", "entity", "spans", "rows"],
)
def test_hostile_html_takes_bounded_time(source: str) -> None:
    begin = time.process_time()
    read(source)
    assert time.process_time() - begin < 40


@pytest.mark.parametrize(
    "source",
    [
        "[" * 10_000,
        "*a " * 10_000,
        ">" * 5_000 + "x",
        "- " * 1_000 + "x",
        "![" * 5_000,
        "|a|b|\n|-|-|\n" + "|1|2|\n" * 10_000,
    ],
    ids=["bracket", "star", "quote", "list", "image", "table"],
)
def test_hostile_markdown_takes_bounded_time(source: str) -> None:
    begin = time.process_time()
    read(source, "a.md")
    assert time.process_time() - begin < 40


def test_too_many_cells_are_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from mlperf_claimcheck.claims import document_html

    monkeypatch.setattr(document_html, "MAX_CELLS", 5)
    with pytest.raises(DocumentError, match="table cells"):
        read("<table>" + "<tr><td>1" * 6)


def places_hold(block: Block, document: Document) -> None:
    for text in block.texts():
        for offset, character in enumerate(text.text):
            source = document.source[text.source_start(offset)]
            assert source == character or character in " \n" or source in "&\\" or character.isdigit()


@given(st.text(alphabet=st.sampled_from("ab1 \n*_`[]()<>!|#-&;\\^:x®中。/\"'="), max_size=120))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_in_every_format(source: str) -> None:
    for name in ("a.html", "a.txt"):
        document = read(source, name)
        for block in (*document.blocks, *document.furniture):
            if block.kind is not BlockKind.IMAGE_ALT:
                places_hold(block, document)
    document = read(source, "a.md")
    for block in document.blocks:
        for text in block.texts():
            for offset in range(len(text.text) + 1):
                assert 0 <= text.source_start(offset) <= len(document.source)


def test_a_slice_keeps_its_places() -> None:
    content = read("<p>One <b>two</b> &amp; three[1] four").blocks[0].content
    start = content.text.index("two")
    part = content.slice(start, content.text.index(" four"))
    assert part.text == "two & three"
    assert [part.position(n) for n in range(len(part.text))] == [
        content.position(start + n) for n in range(len(part.text))
    ]
    assert [m.label for m in part.marks] == ["1"]
