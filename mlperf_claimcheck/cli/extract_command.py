"""`extract`: the claims of marketing copy as a claim file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from mlperf_claimcheck.claims.extraction import Extraction

EXIT_USAGE = 2


def extract(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Markdown, HTML or plain text; - reads standard input.")
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the claim file to this file.")] = None,
) -> None:
    """Find the claims about MLPerf results in copy and write a claim file.

    Each claim has its place in the copy, and the context that the copy gives it (round, submitter, model, scenario,
    system) with where that stands. Read the file before you rely on it.

    Exit code 0: written, even if no claim was found; 2: bad usage, or a file cannot be read or written.

    Example:

      mlperf-claimcheck extract post.md -o post.claims.yaml
    """
    from mlperf_claimcheck.claims.documents import DocumentError
    from mlperf_claimcheck.claims.extraction_file import claim_file_text, extract_document

    found: list[Extraction] = []
    failed = False
    for name in files:
        shown = "<stdin>" if name == "-" else name
        try:
            extraction = extract_document(shown, _read(name))
        except DocumentError as error:
            _say(f"error: {error}")
            failed = True
            continue
        except (OSError, ValueError) as error:
            _say(f"error: {shown}: cannot be read ({getattr(error, 'strerror', None) or error})")
            failed = True
            continue
        for warning in extraction.warnings:
            _say(f"warning: {shown}: {warning}")
        if not extraction.claims:
            _say(f"warning: {shown}: no claim about an MLPerf result was found")
        found.append(extraction)
    if failed:
        raise typer.Exit(EXIT_USAGE)
    text = claim_file_text(found)
    if output is None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        sys.stdout.write(text)
        return
    _write(output, text)
    claims = sum(len(extraction.claims) for extraction in found)
    _say(f"{output}: {claims} claim{'' if claims == 1 else 's'}")


def _read(name: str) -> bytes:
    from mlperf_claimcheck.claims.documents import MAX_BYTES

    if name == "-":
        stream = sys.stdin
        if stream is None:
            raise OSError(9, "standard input is closed")
        return stream.buffer.read(MAX_BYTES + 1)
    with Path(name).open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _write(output: Path, text: str) -> None:
    from mlperf_claimcheck.files import new_file_mode, replace_file

    try:
        mode = output.stat().st_mode & 0o7777 if output.exists() else new_file_mode()
        replace_file(output, text.encode("utf-8"), mode=mode)
    except (OSError, ValueError) as error:
        _say(f"error: {output}: cannot be written ({getattr(error, 'strerror', None) or error})")
        raise typer.Exit(EXIT_USAGE) from None


def _say(message: str) -> None:
    from mlperf_claimcheck.claims.file_errors import visible

    sys.stderr.write(visible(message) + "\n")
