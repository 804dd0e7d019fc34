"""Text from claims and results made harmless: it is data from strangers, and must not act on a terminal or a reader."""

from __future__ import annotations

import re
from functools import lru_cache

_PLAIN = re.compile(r"[ -~]*")
_PLAIN_LINES = re.compile(r"[ -~\n]*")


def printable(text: str, *, keep_lines: bool = False) -> str:
    """`text` without characters that act instead of being shown.

    Escape sequences, other control and formatting characters (bidirectional marks, zero-width ones), lone surrogates
    and unassigned code points become visible escapes such as `\\x1b` and `\\u202e`; white space becomes a plain space.
    With `keep_lines`, line breaks stay, as `\\n`.
    """
    if (_PLAIN_LINES if keep_lines else _PLAIN).fullmatch(text):
        return text
    if keep_lines:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return "\n".join("".join(map(_shown, line)) for line in text.split("\n"))
    return "".join(map(_shown, text))


@lru_cache(maxsize=4096)
def _shown(char: str) -> str:
    if char.isprintable():
        return char
    if char.isspace() and char not in "\x1c\x1d\x1e\x1f":
        return " "
    return escaped(char)


def escaped(char: str) -> str:
    """A character as the visible escape that stands for it."""
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


_COMMAND = re.compile(r"(?m)^([ \t]*)(?:(:)(?=:)|(#)(?=#\[))")
_COMMAND_WORD = re.compile(r"(?<!\S)(?:(:)(?=:)|(#)(?=#\[))")


def no_commands(text: str, *, anywhere: bool = False) -> str:
    """`text` in which no line begins with `::` or `##[`, which CI systems take for commands in a job's output.

    With `anywhere`, no word does, so that breaking lines at spaces makes no command either.
    """
    if "::" not in text and "##[" not in text:
        return text
    if anywhere:
        return _COMMAND_WORD.sub(lambda m: escaped(m[0]), text)
    return _COMMAND.sub(lambda m: m[1] + escaped(m[2] or m[3]), text)


def shorten(text: str, limit: int) -> str:
    """`text` cut to `limit` characters, with an ellipsis in place of what is left out."""
    return text if len(text) <= limit else text[: max(limit - 1, 0)].rstrip() + "…"


def clean(text: str) -> str:
    """A published name for a sentence: no control or direction marks, not too long. Published names are data."""
    shown = text if text.isprintable() else "".join(c for c in text if c.isprintable())
    return shown if len(shown) <= 80 else shown[:79] + "…"


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 claim`, `2 claims`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
