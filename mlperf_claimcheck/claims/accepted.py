"""Accepted findings: a file that names claims whose failing is known, each with the reason why that is accepted.

A finding is never accepted in silence: the reason is required and every report shows it, an entry that could mean
more than one claim is an error, and an entry whose finding is gone is reported.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mlperf_claimcheck.claims.fields import MAX_TEXT, OUTCOMES, FieldKind, FieldSpec
from mlperf_claimcheck.claims.file_errors import ClaimFileError, ClaimFileErrors, nearest, quoted
from mlperf_claimcheck.claims.file_reader import Reader
from mlperf_claimcheck.claims.yaml_positions import MappingNode, Node, SequenceNode, parse_yaml
from mlperf_claimcheck.verdicts.model import Outcome, Report, StaleAcceptance

ENTRY_FIELDS: Mapping[str, FieldSpec] = {
    spec.name: spec
    for spec in (
        FieldSpec("claim", FieldKind.LABEL, "Id of the claim.", ("server-gain",)),
        FieldSpec(
            "reason",
            FieldKind.LABEL,
            "Why its failing is accepted; every report shows it.",
            ("The post is from before the correction.",),
            longest=MAX_TEXT,
        ),
        FieldSpec(
            "file",
            FieldKind.LABEL,
            "Claim file that holds the claim, seen from this file's folder or from the working folder. Needed where "
            "two files have a claim of this id.",
            ("claims/launch.yaml",),
            longest=MAX_TEXT,
        ),
        FieldSpec(
            "verdict",
            FieldKind.CHOICE,
            "The only verdict that is accepted; any that is no pass, if it is left out.",
            ("unverifiable",),
            choices={word: word for word in OUTCOMES},
        ),
    )
}
"""Fields of an entry."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One accepted finding."""

    claim: str
    """Id of the claim."""
    reason: str
    """Why it is accepted."""
    file: str | None = None
    """The claim file that is meant, as written; None for the only one with a claim of this id."""
    verdict: Outcome | None = None
    """The only verdict that is accepted; None for any."""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class AcceptedFindings:
    """A file of accepted findings that was read and is valid."""

    path: str
    """As given."""
    entries: tuple[Acceptance, ...]


def read_accepted_text(text: str, file: str) -> AcceptedFindings:
    """The accepted findings of YAML text. Raises `ClaimFileErrors` with all that is wrong."""
    try:
        root = parse_yaml(text, file)
    except ClaimFileError as error:
        raise ClaimFileErrors([error]) from None
    reader = Reader(file)
    entries = _entries(reader, root)
    if reader.errors:
        raise ClaimFileErrors(reader.all_errors())
    return AcceptedFindings(file, tuple(entries))


def accept(report: Report, accepted: AcceptedFindings) -> Report:
    """The report with the accepted findings marked, and with the entries whose finding is gone.

    A claim that counts as passed is never marked. Raises `ClaimFileErrors` where an entry without a file could mean
    claims of several files.
    """
    errors: list[ClaimFileError] = []
    stale: list[StaleAcceptance] = []
    marked = list(report.verdicts)
    places: dict[str, list[int]] = {}
    for position, verdict in enumerate(marked):
        places.setdefault(verdict.id, []).append(position)
    with_file = {(e.claim, p) for e in accepted.entries if e.file is not None for p in _paths(e.file, accepted.path)}
    for entry in accepted.entries:
        here = places.get(entry.claim, [])
        if entry.file is not None:
            meant = _paths(entry.file, accepted.path)
            here = [p for p in here if _real(marked[p].file) in meant]
        else:
            # An entry that names a file speaks for that file's claim alone.
            here = [p for p in here if (entry.claim, _real(marked[p].file)) not in with_file]
        if len(here) > 1:
            files = ", ".join(dict.fromkeys(quoted(marked[p].file or "") for p in here))
            message = (
                f"{len(here)} claims have the id {quoted(entry.claim)} ({files}), so it is not clear which is meant"
            )
            errors.append(
                ClaimFileError(
                    accepted.path,
                    message,
                    line=entry.line,
                    column=entry.column,
                    hint="Name the claim file with file: …, in an entry for each.",
                )
            )
            continue
        if not here:
            why = "no claim with this id was checked"
            like = nearest(entry.claim, list(places))
            if entry.file is not None and entry.claim in places:
                why += f" in {quoted(entry.file)}"
            elif like is not None:
                why += f"; the nearest id is {quoted(like)}"
            stale.append(_stale(entry, accepted, why))
            continue
        verdict = marked[here[0]]
        if verdict.counted is Outcome.PASS:
            met = "gets the verdict it is expected to get" if verdict.expected is not None else "passes"
            stale.append(_stale(entry, accepted, f"the claim {met}"))
        elif entry.verdict is not None and verdict.outcome is not entry.verdict:
            why = f"only {entry.verdict} is accepted, but the verdict is {verdict.outcome}, which counts"
            stale.append(_stale(entry, accepted, why))
        else:
            marked[here[0]] = replace(verdict, accepted=entry.reason)
    if errors:
        raise ClaimFileErrors(errors)
    return replace(report, verdicts=tuple(marked), stale=(*report.stale, *stale))


def _stale(entry: Acceptance, accepted: AcceptedFindings, why: str) -> StaleAcceptance:
    return StaleAcceptance(entry.claim, entry.reason, why, accepted.path, entry.line, entry.column)


def _real(file: str | None) -> str:
    return os.path.realpath(file) if file else ""


def _paths(file: str, accepted_path: str) -> set[str]:
    """What the name of a claim file in an entry can mean."""
    return {os.path.realpath(file), os.path.realpath(Path(accepted_path).parent / file)}


def _entries(reader: Reader, root: Node | None) -> list[Acceptance]:
    example = 'Write "accepted:" and below it "- {claim: server-gain, reason: …}".'
    if not isinstance(root, MappingNode):
        place = root if root is not None else SequenceNode((), 1, 1)
        reader.fault(place, "the file holds no accepted findings; expected a mapping with the key accepted", example)
        return []
    listed = reader.keys(root, ("accepted",), "a key of a file of accepted findings").get("accepted")
    if not isinstance(listed, SequenceNode):
        reader.fault(listed or root, "accepted is no list of findings", example)
        return []
    entries: list[Acceptance] = []
    seen: dict[tuple[str, str | None], Node] = {}
    for number, item in enumerate(listed.items, 1):
        entry = _entry(reader, item, number)
        if entry is None:
            continue
        first = seen.setdefault((entry.claim, entry.file), item)
        if first is not item:
            reader.fault(
                item, f"{quoted(entry.claim)} is accepted twice (first in line {first.line})", "Remove one of both."
            )
        entries.append(entry)
    return entries


def _entry(reader: Reader, item: Node, number: int) -> Acceptance | None:
    if not isinstance(item, MappingNode):
        reader.wrong_type(item, f"entry {number}", "a mapping such as {claim: server-gain, reason: …}")
        return None
    faults = len(reader.errors) + reader.more
    values = reader.values(item, ENTRY_FIELDS, "a field of an accepted finding")
    if len(reader.errors) + reader.more > faults:
        return None
    texts = {name: str(value) for name, value in values.items() if value is not None}
    for name, hint in (("claim", "Give the id of the claim."), ("reason", "Say why the finding is accepted.")):
        if name not in texts:
            reader.fault(item, f"entry {number} has no {name}", hint)
    if texts.get("verdict") == "pass":
        reader.fault(item, f"entry {number} accepts pass, which is no finding", "Expected fail or unverifiable.")
    if len(reader.errors) + reader.more > faults:
        return None
    verdict = Outcome(texts["verdict"]) if "verdict" in texts else None
    place = item.entries[0][0]
    return Acceptance(texts["claim"], texts["reason"], texts.get("file"), verdict, place.line, place.column)
