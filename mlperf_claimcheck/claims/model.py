"""A claim as it was written, before its words are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FieldValue = (
    str
    | int
    | float
    | bool
    | tuple[str, ...]
    | tuple[Mapping[str, "FieldValue"], ...]
    | Mapping[str, "FieldValue"]
    | None
)
"""The value of a field of a claim. Lists become tuples; `baseline` is a mapping of fields, `parts` holds several."""


@dataclass(frozen=True, slots=True)
class ClaimInput:
    """One claim of a claim file (or of the command line)."""

    id: str
    text: str
    """The claim's own words; empty when it is given field by field only."""
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    """The claim's own fields. They win over what the text says. None removes the default of that name."""
    defaults: Mapping[str, FieldValue] = field(default_factory=dict)
    """The file's defaults (without those that the claim removes). The text and the fields win over them."""
    file: str | None = None
    line: int | None = None
    """1-based line of the claim in its file."""
    column: int | None = None
    """1-based column."""
    expect: str | None = None
    """`pass`, `fail` or `unverifiable`: the verdict that the author expects."""
    note: str | None = None
    where: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimFile:
    """A claim file that was read and is valid."""

    path: str
    """As given; `<stdin>` for standard input, `<text>` for the command line."""
    claims: tuple[ClaimInput, ...]
    source: Mapping[str, FieldValue] = field(default_factory=dict)
    """`title`, `url`, `published`, `author`: where the claims were made."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Peer groups that the copy talks of: name -> submitters."""
