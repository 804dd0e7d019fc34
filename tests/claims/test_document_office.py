"""Word documents and PDF files: text, tables and footnotes with their paragraph or page; what is no such file is told."""

from __future__ import annotations

import io
import sys
import zipfile
import zlib

import pytest

from mlperf_claimcheck.claims.documents import BlockKind, DocumentError, read_document
from mlperf_claimcheck.claims.extraction_file import as_claim_file, claim_file_text, extract_document


def word() -> bytes:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("MLPerf Inference v6.1 results", 0)
    document.add_paragraph("Nebius took part in the closed division.")
    document.add_heading("DeepSeek-R1", 2)
    document.add_paragraph("GB300 NVL72 of Nebius: 689,961 tokens/s Offline", style="List Bullet")
    table = document.add_table(rows=2, cols=3)
    for row, cells in zip(
        table.rows,
        (("System", "Offline (tokens/s)", "Server (tokens/s)"), ("Nebius GB300 NVL72", "689,961", "603,023")),
        strict=True,
    ):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def pdf(*pages: tuple[str, ...]) -> bytes:
    """A PDF of plain lines, written by hand."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        text = "BT /F1 11 Tf 14 TL 50 750 Td " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        stream = zlib.compress(text.encode("cp1252"))
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {len(objects) + 2} 0 R >>".encode()
        )
        objects.append(b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


class TestWord:
    def test_blocks(self) -> None:
        document = read_document("a.docx", word())
        assert document.kind == "docx"
        assert document.title == "MLPerf Inference v6.1 results"
        kinds = [b.kind for b in document.blocks]
        assert kinds == [
            BlockKind.HEADING,
            BlockKind.PARAGRAPH,
            BlockKind.HEADING,
            BlockKind.LIST_ITEM,
            BlockKind.TABLE,
        ]

    def test_claims_stand_at_their_paragraph(self) -> None:
        extraction = extract_document("a.docx", word())
        claims = as_claim_file(extraction).claims
        assert [c.text for c in claims] == [
            "GB300 NVL72 of Nebius: 689,961 tokens/s Offline",
            "Nebius GB300 NVL72, Offline: 689,961 tokens/s",
            "Nebius GB300 NVL72, Server: 603,023 tokens/s",
        ]
        assert claims[0].where == "paragraph 4"
        assert 'where: "a.docx:paragraph 4"' in claim_file_text([extraction])

    def test_footnotes_and_deleted_text(self) -> None:
        docx = pytest.importorskip("docx")
        document = docx.Document()
        paragraph = document.add_paragraph("Nebius reached ")
        run = paragraph.add_run("999,999 ")
        deleted = run._r.makeelement("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}del", {})
        run._r.addprevious(deleted)
        deleted.append(run._r)
        paragraph.add_run("689,961 tokens/s.")
        buffer = io.BytesIO()
        document.save(buffer)
        assert read_document("a.docx", buffer.getvalue()).blocks[0].text == "Nebius reached 689,961 tokens/s."

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"", "is empty"),
            (b"PK\x03\x04 nonsense", "no Word document"),
            (b"hello", "no Word document"),
        ],
    )
    def test_what_is_none_is_told(self, data: bytes, words: str) -> None:
        pytest.importorskip("docx")
        with pytest.raises(DocumentError, match=words):
            read_document("a.docx", data)

    def test_a_damaged_one_is_told(self) -> None:
        pytest.importorskip("docx")
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("word/document.xml", "<w:document")
        with pytest.raises(DocumentError, match="cannot be read as a Word document"):
            read_document("a.docx", buffer.getvalue())

    def test_a_zip_bomb_is_not_unpacked(self) -> None:
        pytest.importorskip("docx")
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", b" " * (200 * 1024 * 1024))
        with pytest.raises(DocumentError, match="too much"):
            read_document("a.docx", buffer.getvalue())


class TestPdf:
    def test_claims_stand_at_their_page(self) -> None:
        pytest.importorskip("pypdf")
        data = pdf(
            ("MLPerf Inference v6.1 results", "Nebius took part in the closed division with several systems."),
            (
                "GB300 NVL72 of Nebius reached 689,961 tokens/s on DeepSeek-R1",
                "in the Offline scenario.",
                "Nebius GB300 NVL72 reached 603,023 tokens/s on DeepSeek-R1 Server.",
            ),
        )
        extraction = extract_document("a.pdf", data)
        claims = as_claim_file(extraction).claims
        assert [c.text for c in claims] == [
            "GB300 NVL72 of Nebius reached 689,961 tokens/s on DeepSeek-R1 in the Offline scenario.",
            "Nebius GB300 NVL72 reached 603,023 tokens/s on DeepSeek-R1 Server.",
        ]
        assert {c.where for c in claims} == {"page 2"}
        assert claims[0].defaults["round"] == "inference-v6.1"

    @pytest.mark.parametrize(
        ("data", "words"), [(b"%PDF-1.7 nonsense", "cannot be read as a PDF"), (b"", "is empty"), (pdf(()), "no text")]
    )
    def test_what_is_none_is_told(self, data: bytes, words: str) -> None:
        pytest.importorskip("pypdf")
        with pytest.raises(DocumentError, match=words):
            read_document("a.pdf", data)


@pytest.mark.parametrize(
    ("name", "module", "data"), [("a.docx", "docx", b"PK\x03\x04word/"), ("a.pdf", "pypdf", b"%PDF-1.4")]
)
def test_a_missing_package_is_told_with_its_remedy(
    name: str, module: str, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DocumentError, match=r"not installed; install it with: pip install 'mlperf-claimcheck\[doc"):
        read_document(name, data)
