"""Hostile input from good input: a seed, and a few changes to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

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

Change = tuple[str, float, float, str]
OPERATIONS = ("insert", "replace", "delete", "double", "repeat", "cut", "swap")


def apply(text: str, changes: Sequence[Change]) -> str:
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


@dataclass(frozen=True)
class Source:
    """Where inputs come from: a strategy for hypothesis, which makes a finding small, and a fast twin by chance."""

    strategy: Callable[[], st.SearchStrategy[Any]]
    chance: Callable[[Random], Any]

    def map(self, function: Callable[[Any], Any]) -> Source:
        """The inputs after the function."""
        return Source(lambda: self.strategy().map(function), lambda r: function(self.chance(r)))


def any_text(most: int) -> Source:
    """Text of any characters, also those that UTF-8 does not allow."""

    def chance(random: Random) -> str:
        planes = (0x7F, 0x2FF, 0xFFFF, 0x10FFFF)
        return "".join(chr(random.randint(0, random.choice(planes))) for _ in range(random.randint(0, most)))

    return Source(lambda: st.text(max_size=most), chance)


def one_of(*sources: Source) -> Source:
    """Inputs of any of the sources."""
    return Source(
        lambda: st.one_of(*(s.strategy() for s in sources)), lambda random: random.choice(sources).chance(random)
    )


def together(*sources: Source) -> Source:
    """Tuples of an input of each source."""
    return Source(
        lambda: st.tuples(*(s.strategy() for s in sources)), lambda random: tuple(s.chance(random) for s in sources)
    )


def sampled(values: Sequence[Any]) -> Source:
    """One of the values."""
    return Source(lambda: st.sampled_from(values), lambda random: random.choice(values))


def listed(source: Source, most: int) -> Source:
    """Lists of inputs of the source."""
    return Source(
        lambda: st.lists(source.strategy(), max_size=most),
        lambda random: [source.chance(random) for _ in range(random.randint(0, most))],
    )


def whole(low: int, high: int) -> Source:
    """Whole numbers."""
    return Source(lambda: st.integers(low, high), lambda random: random.randint(low, high))


def changes(words: Sequence[str], most: int = 6) -> Source:
    """A few changes, whose pieces are hostile ones, the given words, or any text."""
    place = whole(0, 1000).map(lambda n: n / 1000)
    piece = one_of(sampled(words), sampled(HOSTILE), any_text(6))
    return listed(together(sampled(OPERATIONS), place, place, piece), most)


def mutated(seeds: Sequence[str], words: Sequence[str] = HOSTILE) -> Source:
    """Texts made from one of the seeds."""
    return together(sampled(seeds), changes(words)).map(lambda given: apply(*given))


def composed(words: Sequence[str], most: int = 24) -> Source:
    """Texts made of words alone, in any order."""
    return listed(one_of(sampled(words), sampled(words), sampled(HOSTILE)), most).map(
        lambda parts: " ".join(parts)[:LIMIT]
    )


def encoded(text: str) -> bytes:
    """The bytes of a text that may hold what UTF-8 does not allow."""
    return text.encode("utf-8", "surrogatepass")
