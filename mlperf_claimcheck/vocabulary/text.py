"""Normalising a claim's characters, keeping where each came from."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_HYPHENS = dict.fromkeys(map(ord, "‐‑‒–—−﹣－"), "-")
_DROPPED = frozenset("®™©­​‌‍⁠﻿")
_SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_REVERSING = frozenset("‪‫‬‭‮⁦⁧⁨⁩‎‏")


class UnreadableCharacterError(ValueError):
    """The text has characters that change how it looks without changing what it says (direction overrides)."""


def normalise(text: str, traditional: Mapping[str, str]) -> tuple[str, list[int]]:
    """The text in one spelling (NFKC, plain hyphens, simplified Chinese) and, for each of its characters, the offset
    in the original.

    A superscript digit after a letter is a footnote mark and goes; after a digit it would be an exponent, which
    stays visible as `^` so that nothing reads it as a longer number. Raises UnreadableCharacterError.
    """
    if text.isascii() and text.isprintable():
        return text, list(range(len(text)))
    out: list[str] = []
    offsets: list[int] = []
    for offset, char in enumerate(text):
        if char in _REVERSING or (unicodedata.category(char) == "Cc" and char not in "\t\n\r"):
            raise UnreadableCharacterError(f"U+{ord(char):04X}")
        if char in _DROPPED:
            continue
        if char in _SUPERSCRIPTS:
            if out and out[-1].isdigit():
                out.append("^")
                offsets.append(offset)
            continue
        mapped = _HYPHENS.get(ord(char)) or _nfkc(char)
        for piece in mapped:
            piece = traditional.get(piece, piece)
            out.append(" " if piece.isspace() else piece)
            offsets.append(offset)
    return "".join(out), offsets


@lru_cache(maxsize=4096)
def _nfkc(char: str) -> str:
    if char in "…":
        return char
    return unicodedata.normalize("NFKC", char)


def is_cjk(char: str) -> bool:
    """Chinese characters have no word boundaries."""
    return "㐀" <= char <= "鿿" or "豈" <= char <= "﫿"
