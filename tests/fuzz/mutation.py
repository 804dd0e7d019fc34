"""Hostile input from good input: a seed, and a few changes to it."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

LIMIT = 10_000
"""Largest input, in characters: the size for which a second is promised."""

HOSTILE = (
    "", "\0", "\t", "\r", "\n", "\r\n", "\x1b[31m", "\x1b]8;;http://x\x07", "\u202e", "\u200b", "\ufeff", "\ud800",
    "\u2028", "\x85", "\U0001f4a5", "\u0301", "ﬁ", "½", "٣", "１６", "🔟", "''", '"', "\\", "`", "<", ">", "&", "&#0;",
    "&amp;", "]]>", "<!--", "-->", "<script>", "</table>", "{{", "{%", "%s", "%0A", "=1+1", "@x", "[x](y)", "![", "|",
    "::error::", "-", "--", "—", "…", "0", "-0", "1e999", "1e-999", "NaN", "inf", "-inf", "9" * 400, "0x10", "1_000",
    "1,000", "1.234,5", "1.2.3", "true", "null", "~", "[]", "{}", "[[", "}}", ":", ": ", "- ", "&a", "*a", "!!x", "?",
    "../../../etc/passwd", "C:\\con", "/dev/zero", "x" * 300, "1e5" * 50, "(" * 60, " " * 80, "a b " * 60,
)  # fmt: skip
"""Pieces that have broken readers before."""

OPERATIONS = ("insert", "replace", "delete", "double", "repeat", "cut", "swap")


def apply(text: str, changes: Sequence[tuple[str, float, float, str]]) -> str:
    """The text after the changes, each an operation, two places as fractions of the length, and a piece."""
    for operation, first, second, piece in changes:
        start, end = sorted((int(first * len(text)), int(second * len(text))))
        if operation == "insert":
            text = text[:start] + piece + text[start:]
        elif operation == "replace":
            text = text[:start] + piece + text[min(end, start + 40) :]
        elif operation == "delete":
            text = text[:start] + text[end:]
        elif operation == "double":
            text = text[:end] + text[start:end] + text[end:]
        elif operation == "repeat":
            part = piece or text[start : start + 8]
            text = text[:start] + part * (LIMIT // (4 * max(1, len(part)))) + text[start:]
        elif operation == "cut":
            text = text[:end]
        else:
            text = text[end:] + text[start:end] + text[:start]
        text = text[: 4 * LIMIT]
    return text[:LIMIT]


def changes(words: Sequence[str], most: int = 6) -> st.SearchStrategy[list[tuple[str, float, float, str]]]:
    """A few changes, whose pieces are hostile ones, the given words, or any text."""
    place = st.integers(0, 1000).map(lambda n: n / 1000)
    piece = st.one_of(st.sampled_from(words), st.sampled_from(HOSTILE), st.text(max_size=6))
    return st.lists(st.tuples(st.sampled_from(OPERATIONS), place, place, piece), max_size=most)


def mutated(seeds: Sequence[str], words: Sequence[str] = HOSTILE) -> st.SearchStrategy[str]:
    """Texts made from one of the seeds."""
    return st.builds(apply, st.sampled_from(seeds), changes(words))


def composed(words: Sequence[str], most: int = 24) -> st.SearchStrategy[str]:
    """Texts made of words alone, in any order."""
    return st.lists(st.one_of(st.sampled_from(words), st.sampled_from(HOSTILE)), max_size=most).map(
        lambda parts: " ".join(parts)[:LIMIT]
    )


def encoded(text: str) -> bytes:
    """The bytes of a text that may hold what UTF-8 does not allow."""
    return text.encode("utf-8", "surrogatepass")
