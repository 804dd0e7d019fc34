"""Claims found in a document as a claim file: in memory for `check`, as text for `extract`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.documents import read_document
from mlperf_claimcheck.claims.extraction import Extraction, FoundClaim, extract_claims
from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput, FieldValue
from mlperf_claimcheck.verdicts.text import printable, shorten

if TYPE_CHECKING:
    from mlperf_claimcheck.claims.documents import DocumentKind

_SOURCE = ("title", "author", "published")


def extract_document(name: str, data: bytes, kind: DocumentKind | None = None) -> Extraction:
    """The claims of a document's bytes. Raises `DocumentError` for what cannot be read."""
    from mlperf_claimcheck.vocabulary import load_vocabulary

    return extract_claims(read_document(name, data, kind), load_vocabulary())


def as_claim_file(extraction: Extraction, round: str | None = None) -> ClaimFile:
    """The claims as a claim file whose places are those of the document.

    `round` is the round of claims for which the document gives none.
    """
    path = extraction.document.name
    claims = []
    for name, found in _with_ids(extraction.claims):
        defaults: dict[str, FieldValue] = {} if round is None else {"round": round}
        defaults.update({slot: given.value for slot, given in found.context.items()})
        where = extraction.document.place(found.line)
        claims.append(ClaimInput(name, found.text, {}, defaults, path, found.line, found.column, where=where))
    return ClaimFile(path, tuple(claims), dict(_source_of(extraction)))


def beside(claims: ClaimFile, own: ClaimFile) -> ClaimFile:
    """The claims of a document with those of the claim file that stands beside it.

    A claim of that file with the id or the very words of one that was found takes its place, at the document's line;
    any other is added. Its groups and its source hold for the document.
    """
    by_text = {claim.text: claim for claim in own.claims if claim.text}
    by_id = {claim.id: claim for claim in own.claims}
    used: set[str] = set()
    merged = []
    for found in claims.claims:
        mine = by_text.get(found.text) or by_id.get(found.id)
        if mine is None:
            merged.append(found)
            continue
        used.add(mine.id)
        merged.append(
            replace(
                mine,
                text=mine.text or found.text,
                defaults={**{k: v for k, v in found.defaults.items() if k not in mine.fields}, **mine.defaults},
                file=found.file,
                line=found.line,
                column=found.column,
            )
        )
    taken = {claim.id for claim in merged}
    for claim in own.claims:
        if claim.id in used:
            continue
        name, number = claim.id, 1
        while name in taken:
            number += 1
            name = f"{claim.id}-{number}"
        taken.add(name)
        merged.append(replace(claim, id=name))
    return ClaimFile(claims.path, tuple(merged), {**claims.source, **own.source}, own.groups)


def claim_file_text(extractions: Sequence[Extraction]) -> str:
    """A claim file, ready to be edited: each claim with its place, and its context with where it comes from."""
    lines = ["# Claims found by mlperf-claimcheck extract. Read them, mend them, and add what is missing.", ""]
    source = _source_of(extractions[0]) if len(extractions) == 1 else {}
    if source:
        lines.append("source:")
        lines.extend(f"  {name}: {_quoted(value)}" for name, value in source.items())
        lines.append("")
    lines.append("claims:" if any(extraction.claims for extraction in extractions) else "claims: []")
    taken: dict[str, int] = {}
    for extraction in extractions:
        if len(extractions) > 1:
            lines.append(f"  # {_comment(extraction.document.name)}")
        for name, found in _with_ids(extraction.claims, taken):
            place = extraction.document.place(found.line) or f"{found.line}:{found.column}"
            lines.extend(_claim_lines(name, found, extraction.document.name, place))
    return "\n".join(lines) + "\n"


def _claim_lines(name: str, found: FoundClaim, document: str, place: str) -> Iterator[str]:
    yield f"  - id: {name}"
    yield f"    text: {_quoted(found.text)}"
    yield f"    where: {_quoted(shorten(f'{document}:{place}', 400))}"
    if found.context:
        yield "    context:"
        for slot, given in found.context.items():
            origin = given.origin
            where = f"{origin.what}, line {origin.line}: {shorten(origin.text, 60)}"
            yield f"      {slot}: {_quoted(given.value)}  # {_comment(where)}"


def _with_ids(claims: Sequence[FoundClaim], taken: dict[str, int] | None = None) -> Iterator[tuple[str, FoundClaim]]:
    """Ids by the line of the claim: `line-12`, and `line-12-2` for the second one there."""
    seen: dict[str, int] = {} if taken is None else taken
    for found in claims:
        name = f"line-{found.line}"
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name}-{seen[name]}"), found


def _source_of(extraction: Extraction) -> Mapping[str, str]:
    document = extraction.document
    values = {**document.metadata, **({"title": document.title} if document.title else {})}
    return {name: shorten(" ".join(values[name].split()), 400) for name in _SOURCE if values.get(name, "").strip()}


def _quoted(text: str) -> str:
    """Text as a double-quoted YAML scalar; what would act on a terminal or break the line is an escape."""
    plain = json.dumps(text, ensure_ascii=False)
    # JSON's escapes are YAML's; a character that is not shown as itself is written as one.
    return "".join(c if c.isprintable() and printable(c) == c else _escape(c) for c in plain)


def _escape(char: str) -> str:
    number = ord(char)
    return f"\\x{number:02x}" if number < 0x100 else (f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}")


def _comment(text: str) -> str:
    return printable(" ".join(text.split()))
