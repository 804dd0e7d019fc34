"""What can be wrong with a claim file, said with file, line and column, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class ClaimFileError(Exception):
    """One fault of a claim file.

    `str()` gives `FILE:LINE:COLUMN: message. hint`, safe to print: characters that a terminal would act on are
    written as escapes.
    """

    def __init__(
        self, file: str, message: str, *, line: int | None = None, column: int | None = None, hint: str = ""
    ) -> None:
        super().__init__(file, message, line, column, hint)
        self.file = file
        """As given on the command line; `<stdin>` for standard input, `<text>` for a claim given there."""
        self.line = line
        """1-based; None where the fault has no place (a missing file)."""
        self.column = column
        """1-based, in characters."""
        self.message = message
        """What is wrong, and what was expected; without a full stop."""
        self.hint = hint
        """What to do; may be empty."""

    def __str__(self) -> str:
        place = visible(self.file)
        if self.line is not None:
            place += f":{self.line}"
            if self.column is not None:
                place += f":{self.column}"
        end = f". {self.hint}" if self.hint else ""
        return f"{place}: {visible(self.message)}{visible(end)}"


class ClaimFileErrors(Exception):
    """All faults found in the claim files of one run; `str()` gives one line a fault."""

    def __init__(self, errors: Iterable[ClaimFileError]) -> None:
        self.errors: tuple[ClaimFileError, ...] = tuple(errors)
        """In the order of the files, and within a file in the order in which they were found."""
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(str(error) for error in self.errors)


def visible(text: str) -> str:
    """Text without what a terminal would act on: control characters and direction marks become escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def quoted(text: str, limit: int = 60) -> str:
    """A piece of a file for a message: in quotes, shortened, and visible."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return f'"{visible(short)}"'


def nearest(word: str, known: Sequence[str], cutoff: float = 60.0) -> str | None:
    """The known word that is most like `word`, or None where nothing is."""
    from rapidfuzz import fuzz, process, utils

    # Only the beginning is looked at: a key may be as long as its file.
    found = process.extractOne(
        word[:200], known, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=cutoff
    )
    return None if found is None else str(found[0])


def listed(words: Iterable[str], last: str = "or") -> str:
    """`a, b or c`."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
