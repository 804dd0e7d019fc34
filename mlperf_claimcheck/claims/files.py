"""Claim files: which ones there are, their bytes as text, and their claims with places."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from mlperf_claimcheck.claims.fields import MAX_TEXT
from mlperf_claimcheck.claims.file_errors import ClaimFileError, ClaimFileErrors
from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput

if TYPE_CHECKING:
    from mlperf_claimcheck.claims.accepted import AcceptedFindings

__all__ = ["MAX_BYTES", "ClaimFileError", "ClaimFileErrors", "claim_from_text", "load_accepted", "load_claim_files"]

MAX_BYTES = 16 * 1024 * 1024
"""Size of one claim file."""
SUFFIXES = (".yaml", ".yml")
STDIN = "<stdin>"

COPY = frozenset(
    {".md", ".markdown", ".mdown", ".mkd", ".mdx", ".html", ".htm", ".xhtml", ".txt", ".text", ".docx", ".pdf"}
)
"""Names of documents end so: their claims are found in them."""
BESIDE = ".claims.yaml"
"""`post.claims.yaml` beside `post.md` overrides or adds to what is found in it."""
_NO_TEXT = {".xlsx", ".pptx", ".csv", ".parquet", ".zip", ".gz"}
_BYTE_ORDER_MARKS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32-le": "UTF-32", "utf-32-be": "UTF-32"}


def load_claim_files(
    paths: Sequence[str],
    *,
    stdin: TextIO | None = None,
    max_bytes: int = MAX_BYTES,
    round: str | None = None,
    leave_out: str | None = None,
) -> tuple[ClaimFile, ...]:
    """The claim files that the paths name, in their order.

    A path is a claim file, a folder (its `.yaml` and `.yml` files, those of its folders too, in alphabetical order;
    hidden ones and folders behind symbolic links are left out), a document (Markdown, HTML, plain text) whose claims
    are found in it, or `-` for standard input (`stdin`), a claim file. A file that is named twice is read once.
    `round` is the default round of files whose defaults, and of claims whose document, state none.
    `leave_out` is a file among them that holds no claims (accepted findings).

    Raises `ClaimFileErrors` with all faults of all files; nothing is returned in part.
    """
    from mlperf_claimcheck.claims.file_reader import read_claim_text

    found: list[ClaimFile] = []
    errors: list[ClaimFileError] = []
    seen: set[str] = set() if leave_out is None else {os.path.realpath(leave_out)}
    for path in paths:
        try:
            for name in _files(path):
                real = name if name == "-" else os.path.realpath(name)
                if real in seen:
                    continue
                seen.add(real)
                try:
                    if Path(name).suffix.lower() in COPY:
                        found.append(_document(name, max_bytes, round))
                        continue
                    data = _stdin(stdin, max_bytes) if name == "-" else _read(name, max_bytes)
                    shown = STDIN if name == "-" else name
                    found.append(read_claim_text(_decoded(data, shown, max_bytes), shown, round))
                except ClaimFileErrors as group:
                    errors.extend(group.errors)
                except ClaimFileError as error:
                    errors.append(error)
        except ClaimFileError as error:
            errors.append(error)
    if not errors and not found and leave_out is not None:
        errors.append(ClaimFileError(paths[0] if paths else leave_out, f"holds no claim file beside {leave_out}"))
    if errors:
        raise ClaimFileErrors(errors)
    return tuple(found)


def load_accepted(path: str, *, max_bytes: int = MAX_BYTES) -> AcceptedFindings:
    """The accepted findings of a file (see `accepted.accept`). Raises `ClaimFileErrors`."""
    from mlperf_claimcheck.claims.accepted import read_accepted_text

    try:
        return read_accepted_text(_decoded(_read(path, max_bytes), path, max_bytes), path)
    except ClaimFileError as error:
        raise ClaimFileErrors([error]) from None


def claim_from_text(text: str, round: str | None = None) -> ClaimFile:
    """One claim given on the command line, as a claim file with the path `<text>`.

    Raises `ClaimFileErrors` for a text that is empty, too long, or no text at all.
    """
    file = "<text>"
    words = _as_utf8(text).strip()
    if not words:
        error = ClaimFileError(file, "the claim is empty", hint='Write it in quotes: "16,635 tokens/s/GPU …".')
    elif len(words) > MAX_TEXT:
        error = ClaimFileError(
            file,
            f"the claim has {len(words):,} characters; the most is {MAX_TEXT:,}",
            hint="Split it into single claims.",
        )
    elif any("\ud800" <= c <= "\udfff" for c in words):
        error = ClaimFileError(file, "the claim is not valid UTF-8", hint="Check the terminal's character encoding.")
    else:
        return ClaimFile(file, (ClaimInput("claim-1", words, defaults={} if round is None else {"round": round}),))
    raise ClaimFileErrors([error])


def _as_utf8(text: str) -> str:
    """An argument whose bytes Python could not read in the locale's encoding (LANG=C), as the UTF-8 that they are."""
    if any("\udc80" <= c <= "\udcff" for c in text):
        try:
            return os.fsencode(text).decode("utf-8")
        except UnicodeError:
            return text
    return text


# ---- which files ----


def _files(path: str) -> Iterator[str]:
    if path == "-":
        yield path
        return
    if not path or "\0" in path:
        raise ClaimFileError(
            path, "is not the name of a file", hint="Give a claim file, a folder, or - for standard input."
        )
    try:
        root = os.path.realpath(path)
        if not Path(path).is_dir():
            yield path
            return
        found = list(_inside(path, root))
    except UnicodeError:
        raise ClaimFileError(path, "is not the name of a file") from None
    except OSError as error:
        raise ClaimFileError(path, f"cannot be read ({error.strerror or error})") from None
    if not found:
        raise ClaimFileError(
            path, "the folder holds no claim file (.yaml or .yml)", hint="Name a file, or write one with `init`."
        )
    yield from found


def _inside(folder: str, root: str) -> Iterator[str]:
    """Claim files of a folder and its folders; an explicit list of folders to come, so that depth is no limit."""
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        folders = []
        with os.scandir(current) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif entry.name.lower().endswith(SUFFIXES) and not (entry.is_symlink() and Path(entry.path).is_dir()):
                    if entry.is_symlink() and not _within(entry.path, root):
                        raise ClaimFileError(
                            entry.path, "is a link to a file outside of the folder", hint="Name that file itself."
                        )
                    yield entry.path
        waiting.extend(reversed(folders))


def _within(path: str, root: str) -> bool:
    return os.path.realpath(path).startswith(root.rstrip(os.sep) + os.sep)


# ---- bytes and text ----


def _read(name: str, max_bytes: int) -> bytes:
    suffix = Path(name).suffix.lower()
    try:
        with Path(name).open("rb") as file:
            if suffix in _NO_TEXT:
                raise ClaimFileError(
                    name,
                    f"is a {suffix} file; expected a claim file (.yaml or .yml), or Markdown, HTML, plain text, "
                    ".docx or PDF",
                )
            return file.read(max_bytes + 1)
    except FileNotFoundError:
        raise ClaimFileError(name, "no such file", hint=_similar(name)) from None
    except (OSError, ValueError) as error:
        raise ClaimFileError(name, f"cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _document(name: str, max_bytes: int, round: str | None) -> ClaimFile:
    """The claims of a document, and of the claim file beside it."""
    from mlperf_claimcheck.claims.documents import MAX_BYTES as MAX_DOCUMENT
    from mlperf_claimcheck.claims.documents import DocumentError
    from mlperf_claimcheck.claims.extraction_file import as_claim_file, beside, extract_document
    from mlperf_claimcheck.claims.file_reader import read_claim_text

    data = _read(name, MAX_DOCUMENT)
    try:
        extraction = extract_document(name, data)
    except DocumentError as error:
        raise ClaimFileError(name, error.message, line=error.line, column=error.column) from None
    own = str(Path(name).with_suffix(BESIDE))
    if not Path(own).is_file():
        return as_claim_file(extraction, round)
    # What the round option and the file's own defaults say of the document's claims is for `beside` to tell.
    return beside(
        as_claim_file(extraction, round), read_claim_text(_decoded(_read(own, max_bytes), own, max_bytes), own, round)
    )


def _similar(name: str) -> str:
    from mlperf_claimcheck.claims.file_errors import nearest, quoted

    path = Path(name)
    try:
        there = [entry.name for entry in os.scandir(path.parent) if entry.name.lower().endswith(SUFFIXES)]
    except OSError:
        return "Check the path."
    like = nearest(path.name, there)
    return f"Did you mean {quoted(str(path.parent / like), 400)}?" if like is not None else "Check the path."


def _stdin(stdin: TextIO | None, max_bytes: int) -> bytes | str:
    stream = sys.stdin if stdin is None else stdin
    if stream is None:
        raise ClaimFileError(STDIN, "standard input is closed", hint="Name a claim file.")
    try:
        # The bytes, where they are to be had: their encoding is the file's own matter, not the terminal's.
        buffer = getattr(stream, "buffer", None)
        data: bytes | str = stream.read(max_bytes + 1) if buffer is None else buffer.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        raise ClaimFileError(STDIN, f"cannot be read ({getattr(error, 'strerror', None) or error})") from None
    return data


def _decoded(data: bytes | str, file: str, max_bytes: int) -> str:
    if len(data) > max_bytes:
        raise ClaimFileError(file, f"is larger than {_megabytes(max_bytes)}", hint="Split it into several claim files.")
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    encoding = "utf-8"
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            encoding, data = name, data[len(mark) :]
            break
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        from mlperf_claimcheck.claims.yaml_positions import place_of

        before = data[: error.start].decode(encoding, errors="replace")
        line, column = place_of(before, len(before))
        raise ClaimFileError(
            file,
            f"is not valid {_NAMES[encoding]} (byte 0x{data[error.start]:02x})",
            line=line,
            column=column,
            hint="Save it as UTF-8.",
        ) from None


def _megabytes(size: int) -> str:
    return f"{size // (1024 * 1024)} MB" if size >= 1024 * 1024 else f"{size:,} bytes"
