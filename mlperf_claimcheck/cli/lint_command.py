"""`lint`: check copy against the MLPerf messaging rules."""

from __future__ import annotations

import sys
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlperf_claimcheck.claims.documents import Document
    from mlperf_claimcheck.messaging import Finding
    from mlperf_claimcheck.results.model import ResultRow

EXIT_OK = 0
EXIT_BROKEN = 1
EXIT_USAGE = 2


class LintFormat(StrEnum):
    """Output formats of `lint`."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


class _Unreadable(Exception):
    """A file that could not be read or written; the message is for the user."""


def lint(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Markdown, HTML or plain text; - reads standard input.")
    ],
    output_format: Annotated[
        LintFormat, typer.Option("--format", "-f", help="Format of the report.")
    ] = LintFormat.TEXT,
    select: Annotated[
        list[str] | None, typer.Option(help="Check these rules only (ids, repeated or separated by commas).")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Leave these rules out.")] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Show the safe fixes as a diff.")] = False,
    write: Annotated[bool, typer.Option("--write", help="With --fix: write the fixed files.")] = False,
    published: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="When the copy is published (2026-04-01), for the rules about timing."),
    ] = None,
    author: Annotated[
        str | None, typer.Option(metavar="NAME", help="Organisation that publishes it, for the rules about timing.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the report to this file.")] = None,
) -> None:
    """Check copy against the MLPerf® messaging rules.

    Exit code 0: no binding rule is broken; 1: one is; 2: bad usage, or a file cannot be read.
    """
    if write and not fix:
        _fail("--write needs --fix")
    day = _date(published) if published is not None else None
    chosen, left_out = _ids(select), _ids(ignore)
    from mlperf_claimcheck.cli.held import HeldRows

    code = run_lint(
        files,
        output_format=output_format,
        select=chosen,
        ignore=left_out,
        fix=fix,
        write=write,
        published=day,
        author=author,
        output=output,
        results=HeldRows(),
    )
    raise typer.Exit(code)


def run_lint(
    files: Sequence[str],
    *,
    output_format: LintFormat = LintFormat.TEXT,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    fix: bool = False,
    write: bool = False,
    published: date | None = None,
    author: str | None = None,
    output: Path | None = None,
    results: Sequence[ResultRow] | None = None,
) -> int:
    """Lint the files, print the report, and return the exit code.

    `results` are published rows that result IDs and "verified" figures are looked up in.
    """
    from mlperf_claimcheck.claims.documents import DocumentError, read_document
    from mlperf_claimcheck.messaging import UnknownRuleError, apply_fixes, breaks_a_must, lint_document

    rows = None if results is None else list(results)
    found: list[Finding] = []
    diffs: list[str] = []
    unreadable = False

    def check(document: Document) -> list[Finding]:
        day = published or _stated_date(document)
        return lint_document(document, results=rows, select=select, ignore=ignore, published=day, author=author)

    for name in files:
        try:
            shown, data = _read(name)
            document = read_document(shown, data)
            for warning in document.warnings:
                _say(f"warning: {shown}: {warning}")
            findings = check(document)
            if fix and not document.editable:
                _say(f"warning: {shown}: --fix changes Markdown, HTML and plain text only; nothing was changed")
            elif fix:
                fixed = document
                source = document.source
                # A fix may make room for another one at the same place.
                for _ in range(8):
                    text, count = apply_fixes(fixed.source, findings if fixed is document else check(fixed))
                    if not count or text == fixed.source:
                        break
                    fixed = read_document(shown, _encode(document, text), document.kind)
                if fixed.source != source:
                    diffs.append(_diff(shown, source, fixed.source))
                    if write:
                        _write(name, _encode(document, fixed.source))
                        findings = check(fixed)
            found.extend(findings)
        except DocumentError as error:
            unreadable = True
            _say(f"error: {error}")
        except _Unreadable as error:
            unreadable = True
            _say(f"error: {error}")
        except UnknownRuleError as error:
            _say(f"error: {error}; `mlperf-claimcheck explain` lists the rules")
            return EXIT_USAGE
    report = _report(output_format, found, len(files))
    if diffs:
        text = "\n".join(diffs)
        if output_format is LintFormat.TEXT:
            report = f"{text}\n{report}"
        else:
            _say(text)
    try:
        _print(report, output)
    except _Unreadable as error:
        _say(f"error: {error}")
        return EXIT_USAGE
    if unreadable:
        return EXIT_USAGE
    return EXIT_BROKEN if breaks_a_must(found) else EXIT_OK


# ---- input and output ----


def _fail(message: str) -> NoReturn:
    _say(f"error: {message}")
    raise typer.Exit(EXIT_USAGE)


def _say(message: str) -> None:
    sys.stderr.write(_visible(message, keep_lines=True) + "\n")


def _visible(text: str, *, keep_lines: bool = False) -> str:
    """Text from files, without what a terminal would act on."""
    return "".join(
        c if c.isprintable() or (keep_lines and c in "\n\t") else f"\\u{ord(c):04x}" if c not in "\n\r\t" else " "
        for c in text
    )


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        _fail(f"--published {text!r} is no date; expected the form 2026-04-01")


def _ids(values: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(i.strip() for value in values or () for i in value.split(",") if i.strip())


def _stated_date(document: Document) -> date | None:
    stated = document.metadata.get("published", "")[:10]
    try:
        return date.fromisoformat(stated)
    except ValueError:
        return None


def _read(name: str) -> tuple[str, bytes]:
    from mlperf_claimcheck.claims.documents import MAX_BYTES

    if name == "-":
        return "<stdin>", sys.stdin.buffer.read(MAX_BYTES + 1)
    path = Path(name)
    try:
        if path.is_dir():
            raise _Unreadable(f"{name}: is a folder; expected a Markdown, HTML or text file")
        with path.open("rb") as file:
            return name, file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _Unreadable(f"{name}: no such file") from None
    except (OSError, ValueError) as error:
        raise _Unreadable(f"{name}: cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _encode(document: Document, text: str) -> bytes:
    try:
        return document.bom + text.encode(document.encoding)
    except UnicodeEncodeError as error:
        raise _Unreadable(
            f"{document.name}: the fix needs {error.object[error.start]!r}, which {document.encoding} lacks; save it "
            f"as UTF-8 first"
        ) from None


def _write(name: str, data: bytes) -> None:
    """Replace the file in one step, keeping its permissions; a link is followed."""
    from mlperf_claimcheck.files import replace_file

    if name == "-":
        raise _Unreadable("standard input cannot be written; give the file's name")
    path = Path(name).resolve()
    try:
        replace_file(path, data, mode=path.stat().st_mode & 0o7777)
    except OSError as error:
        raise _Unreadable(f"{name}: cannot be written ({error.strerror or error})") from None


def _diff(name: str, before: str, after: str) -> str:
    import difflib

    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), f"a/{name}", f"b/{name}", lineterm="")
    return "\n".join(_visible(line) for line in lines) + "\n"


def _print(report: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(report)
        sys.stdout.flush()
        return
    from mlperf_claimcheck.reports import ReportWriteError, write_report

    try:
        write_report(report, output, make_folder=False)
    except ReportWriteError as error:
        raise _Unreadable(str(error)) from None


# ---- formats ----


def _report(output_format: LintFormat, findings: Sequence[Finding], files: int) -> str:
    formats = {
        LintFormat.TEXT: _text,
        LintFormat.JSON: _json,
        LintFormat.GITHUB: _github,
        LintFormat.SARIF: _sarif,
    }
    return formats[output_format](findings, files)


def _text(findings: Sequence[Finding], files: int) -> str:
    lines = []
    for f in findings:
        lines.append(f"{_visible(f.file)}:{f.line}:{f.column}: {f.severity.value} [{f.rule}] {_visible(f.message)}")
        if f.fix is not None:
            lines.append(f"    {_visible(f.fix.description)}")
    must = sum(f.severity.value == "must" for f in findings)
    checked = "1 file" if files == 1 else f"{files} files"
    if findings:
        lines.append(f"{len(findings)} findings in {checked}: {must} must, {len(findings) - must} should")
    else:
        lines.append(f"no findings in {checked}")
    return "\n".join(lines) + "\n"


def _json(findings: Sequence[Finding], files: int) -> str:
    import json

    entries = []
    for f in findings:
        fix = None
        if f.fix is not None:
            fix = {
                "description": f.fix.description,
                "safe": f.fix.safe,
                "edits": [{"start": e.start, "end": e.end, "replacement": e.replacement} for e in f.fix.edits],
            }
        entries.append(
            {
                "rule": f.rule,
                "severity": f.severity.value,
                "file": f.file,
                "line": f.line,
                "column": f.column,
                "message": f.message,
                "fix": fix,
                "end_line": f.end[0],
                "end_column": f.end[1],
            }
        )
    return json.dumps({"findings": entries}, ensure_ascii=False, indent=1) + "\n"


def _github(findings: Sequence[Finding], files: int) -> str:
    def data(text: str) -> str:
        return _visible(text).replace("%", "%25")

    def attribute(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    lines = []
    for f in findings:
        level = "error" if f.severity.value == "must" else "warning"
        message = f.message + (f": {f.fix.description}" if f.fix is not None else "")
        end = f",endLine={f.end[0]},endColumn={f.end[1]}" if f.end[0] == f.line else f",endLine={f.end[0]}"
        place = f"file={attribute(f.file)},line={f.line},col={f.column}{end}"
        lines.append(f"::{level} {place},title={attribute(f.rule)}::{data(message)}")
    return "".join(line + "\n" for line in lines)


def _sarif(findings: Sequence[Finding], files: int) -> str:
    import json
    from urllib.parse import quote

    from mlperf_claimcheck import __version__
    from mlperf_claimcheck.messaging import messaging_rules

    catalogue = messaging_rules()
    used = list(dict.fromkeys(f.rule for f in findings))
    results = []
    for f in findings:
        region = {"startLine": f.line, "startColumn": f.column, "endLine": f.end[0], "endColumn": f.end[1]}
        message = f.message + (f" ({f.fix.description})" if f.fix is not None else "")
        results.append(
            {
                "ruleId": f.rule,
                "ruleIndex": used.index(f.rule),
                "level": "error" if f.severity.value == "must" else "warning",
                "message": {"text": message},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": quote(f.file.replace("\\", "/"))},
                            "region": region,
                        }
                    }
                ],
            }
        )
    driver = {
        "name": "mlperf-claimcheck",
        "version": __version__,
        "rules": [
            {
                "id": i,
                "shortDescription": {"text": catalogue[i].title},
                "fullDescription": {"text": catalogue[i].explanation},
                "help": {"text": f"{catalogue[i].explanation} Source: {catalogue[i].source}."},
                "defaultConfiguration": {"level": "error" if catalogue[i].severity.value == "must" else "warning"},
            }
            for i in used
        ],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"
