"""What a reader of one published form is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

Record = tuple[Mapping[str, Any], str]
"""A record's columns as published, and its place in the file as told to a reader (`row 3, line 4`)."""


class Reader(Protocol):
    """Takes a file of one form apart into records; nothing is interpreted here (see `normalise`)."""

    form: str
    """What the form is called in messages."""

    def recognises(self, text: str) -> bool:
        """Whether the text begins like this form."""
        ...

    def records(self, text: str, name: str) -> Iterator[Record]:
        """The records in the order of the file.

        Args:
            text: The file's content.
            name: How to name the file to a reader.

        Raises:
            ResultsError: It is damaged.
        """
        ...
