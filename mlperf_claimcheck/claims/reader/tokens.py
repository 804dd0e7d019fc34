"""From characters to tokens: every character of a claim ends up in one."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from mlperf_claimcheck.vocabulary.lexicon import Condensed, Lexicon, Meaning
from mlperf_claimcheck.vocabulary.text import is_cjk

_NUMBER = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)"
    r"|\d{1,3}(?:'\d{3})+(?![\d'])|\d{1,3}(?:\.\d{3}){2,}(?![\d.])|\d{1,3}(?: \d{3})+(?![\d.,'] ?\d|\d)"
    r"|\d+(?:\.\d+)?"
)
"""Thousands are set apart by commas; elsewhere by apostrophes, by several dots, or by spaces."""
_PLAIN_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_DECIMAL_COMMA = re.compile(r"(\d{1,3}),(\d{1,2})(?=\s?[x×%倍])")
_RESULT_ID = re.compile(r"v?(\d\.\d-\d{4})(?!\d)", re.IGNORECASE)
_ROUND = re.compile(r"v\.?\s?(\d{1,2}\.\d)(\d?)(?![\d.]*\d)", re.IGNORECASE)
_MODEL_CODE = re.compile(r"[A-Z]{2,}-\d{2,}[A-Z]+(?:-[A-Z0-9]+)+(?![\w-])")
_EDITION = re.compile(r"[MV]\d{1,2}(?!\w)")
"""The M8 of "UCS C880A M8", behind a code; elsewhere it is a million with a footnote mark."""
_PIECE_ENDS = ",;|"
_CUT = re.compile(r"[,;|] (?=\S)|(?<![^ ])\d{1,3}(?:,\d{3})+(?:\.\d+)? (?=[A-Za-z])")
_FOOTNOTE = re.compile(r"\d{1,2}(?![\w.,]*\d)(?![A-Za-z])")
_PUNCTUATION = frozenset(".,;:()[]{}\"'`“”‘’!。;!、·•「」《》【】*†‡|—…")
_BREAKS = frozenset(".;!。")


@lru_cache(maxsize=16384)
def _kinds(meanings: tuple[Meaning, ...]) -> frozenset[str]:
    return frozenset(kind for kind, _ in meanings)


class Token(NamedTuple):
    """A piece of a claim with what it may mean. A claim has many of them, and a tuple is the cheapest thing to make."""

    meanings: tuple[Meaning, ...]
    kinds: frozenset[str]
    """All kinds that the token may be of."""
    text: str
    start: int
    end: int
    spaced: bool
    """There is a space (or the beginning) before it."""
    number: Decimal | None = None
    quantum: Decimal | None = None

    def has(self, kind: str) -> bool:
        """Whether the token may be of this kind."""
        return kind in self.kinds

    def value(self, kind: str) -> str:
        """The value of the token as this kind; empty where it is not of the kind."""
        return next((v for k, v in self.meanings if k == kind), "")

    def values(self, kind: str) -> tuple[str, ...]:
        """All values of the token as this kind."""
        return tuple(v for k, v in self.meanings if k == kind)


def _token(
    meanings: tuple[Meaning, ...],
    text: str,
    start: int,
    end: int,
    spaced: bool,
    number: Decimal | None = None,
    quantum: Decimal | None = None,
) -> Token:
    return Token(meanings, _kinds(meanings), text, start, end, spaced, number, quantum)


def tokenize(text: str, lexicon: Lexicon) -> tuple[list[Token], list[str]]:
    """Tokens of a normalised text, and the footnote marks that were stuck to words.

    The claims of a file repeat their names ("GPT-OSS-120B, GB300 NVL72"). No phrase reaches across a comma, so that the
    tokens of a stretch between two commas, or behind a number with a thousands comma, are the same wherever it stands.
    """
    if not text.isascii() or lexicon.crosses(_PIECE_ENDS):
        return _tokenize(text, lexicon)
    tokens: list[Token] = []
    footnotes: list[str] = []
    start = 0
    for match in _CUT.finditer(text):
        end = match.end() - 1
        if match[0][0].isdigit():
            found, marks = _tokenize(text[start:end], lexicon)
            if not found or found[-1].number is None or found[-1].end != end - start:
                return _tokenize(text, lexicon)
        else:
            found, marks = _tokens_of(text[start:end], lexicon)
        tokens += _moved(found, start) if start else found
        footnotes += marks
        start = end + 1
    found, marks = _tokens_of(text[start:], lexicon)
    tokens += _moved(found, start) if start else found
    footnotes += marks
    return tokens, footnotes


def _moved(tokens: list[Token], by: int) -> list[Token]:
    return [
        Token(meanings, kinds, text, start + by, end + by, spaced, number, quantum)
        for meanings, kinds, text, start, end, spaced, number, quantum in tokens
    ]


@lru_cache(maxsize=4096)
def _tokens_of(piece: str, lexicon: Lexicon) -> tuple[list[Token], list[str]]:
    return _tokenize(piece, lexicon)


def _tokenize(text: str, lexicon: Lexicon) -> tuple[list[Token], list[str]]:
    condensed = Condensed(text)
    tokens: list[Token] = []
    footnotes: list[str] = []
    position = 0
    size = len(text)
    while position < size:
        char = text[position]
        if char.isspace():
            position += 1
            continue
        spaced = position == 0 or text[position - 1].isspace()
        token, end = _token_at(text, position, spaced, lexicon, condensed, tokens, footnotes)
        if token is not None:
            tokens.append(token)
        position = end
    return tokens, footnotes


def _token_at(
    text: str,
    start: int,
    spaced: bool,
    lexicon: Lexicon,
    condensed: Condensed,
    tokens: list[Token],
    footnotes: list[str],
) -> tuple[Token | None, int]:
    char = text[start]
    previous = tokens[-1] if tokens else None
    if (char.isdigit() or char in "vV") and (match := _RESULT_ID.match(text, start)):
        return _token((("result_id", match[1]),), match[0], start, match.end(), spaced), match.end()
    if char in "vV" and (match := _ROUND.match(text, start)):
        end = match.end()
        if match[2]:
            footnotes.append(match[2])
        return _token((("round", match[1]),), match[0], start, end, spaced), end
    found = lexicon.longest(condensed, start)
    # "AS-8126GS-NB3RT" does not begin with the word "as".
    if (match := _MODEL_CODE.match(text, start)) and (found is None or found[1] < match.end()):
        return _token((("unknown", ""),), match[0], start, match.end(), spaced), match.end()
    behind_code = previous is not None and previous.has("unknown") and any(c.isdigit() for c in previous.text)
    if behind_code and (match := _EDITION.match(text, start)):
        return _token((("unknown", ""),), match[0], start, match.end(), spaced), match.end()
    if char.isdigit():
        attached = start > 0 and text[start - 1].isalpha() and not is_cjk(text[start - 1])
        if attached and previous is not None and not spaced and not previous.has("times") and previous.end == start:
            # A digit stuck to a word that is complete without it: a footnote mark ("GPUs1").
            if match := _FOOTNOTE.match(text, start):
                if previous.meanings and not previous.has("unknown"):
                    footnotes.append(match[0])
                    return None, match.end()
        if match := _DECIMAL_COMMA.match(text, start):
            number = Decimal(f"{match[1]}.{match[2]}")
            return _number(number, match[0], start, match.end(), spaced), match.end()
        match = (_PLAIN_NUMBER if attached else _NUMBER).match(text, start)
        assert match is not None
        if found is None or found[1] <= match.end():
            end = match.end()
            if text[end : end + 1] == "^":
                return _token((("unknown", ""),), text[start : end + 1], start, end + 1, spaced), end + 1
            digits = re.sub(r"[,' ]", "", match[0])
            if digits.count(".") > 1:
                digits = digits.replace(".", "")
            return _number(Decimal(digits), match[0], start, end, spaced), end
    if found is not None and char.isalpha() and found[1] == start + 1 and text[start + 1 : start + 2].isdigit():
        if char not in "xXvV" and not is_cjk(char):
            found = None  # "M8" is no million
    if found is not None:
        meanings, end = found
        if (
            meanings[0][0] in ("hardware", "model")
            and text[end : end + 1] in ("s", "S")
            and not text[end + 1 : end + 2].isalnum()
        ):
            end += 1  # a plural: "eight B200s"
        return _token(meanings, text[start:end], start, end, spaced), end
    # "8xB200": the x is a sign between number and name.
    if char in "xX" and previous is not None and previous.number is not None and not spaced:
        return _token((("times", "x"),), char, start, start + 1, spaced), start + 1
    if char in "xX" and text[start + 1 : start + 2].isdigit():
        return _token((("times", "x"),), char, start, start + 1, spaced), start + 1
    if is_cjk(char):
        end = start + 1
        return _token((("unknown", ""),), char, start, end, spaced), end
    if char in _PUNCTUATION:
        kind = "stop" if char in _BREAKS else ("comma" if char in ",:()[]|—" else "mark")
        return _token(((kind, char),), char, start, start + 1, spaced), start + 1
    if char == "-" and spaced and text[start + 1 : start + 2].isdigit():
        return _token((("unknown", ""),), char, start, start + 1, spaced), start + 1  # a negative number
    if char == "#" and text[start + 1 : start + 2].isalpha():
        return _token((("mark", char),), char, start, start + 1, spaced), start + 1  # a hashtag
    if char in "-_~":
        return _token((("dash", char),), char, start, start + 1, spaced), start + 1
    end = start + 1
    if char.isalnum():
        while end < len(text) and text[end].isalnum() and not is_cjk(text[end]):
            end += 1
        while end < len(text) and text[end] in "-_'." and text[end + 1 : end + 2].isalnum():
            end += 1
            while end < len(text) and text[end].isalnum() and not is_cjk(text[end]):
                end += 1
    return _token((("unknown", ""),), text[start:end], start, end, spaced), end


def _number(value: Decimal, text: str, start: int, end: int, spaced: bool) -> Token:
    exponent = value.as_tuple().exponent
    quantum = Decimal(1).scaleb(int(exponent)) if isinstance(exponent, int) and exponent < 0 else Decimal(1)
    return _token((("number", text),), text, start, end, spaced, value, quantum)
