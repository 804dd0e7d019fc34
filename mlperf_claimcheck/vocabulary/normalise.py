"""Bringing spellings of one name to one form.

Two forms are used. A *key* is for looking a whole name up: "Llama 2 70B", "llama2-70b" and "LLaMA2_70B" have one key.
*Words* are for finding a name inside a published text: "8xMI355X_2xEPYC-9575F" has the
words 8x, mi355x, 2x, epyc, 9575f.
"""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile(r"[®™©℠]|\((?:r|tm|c)\)", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s_()\[\]\-‐‑‒–—―−]+")
_BETWEEN_DIGITS = re.compile(r"(?<=\d) (?=\d)")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_WORD = re.compile(r"[^\W_]+")
_COUNT_BEFORE = re.compile(r"^(\d+x)(?=.)")
# No count has four digits, and "rtx4090" ends in no count.
_COUNT_BEHIND = re.compile(r"(?<=.)(?<!rt)(x\d{1,3})$")
_PLURAL_WORD = re.compile(r"\b([a-z]{3,}?)(ies|s)\b")


def _plain(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", _MARKS.sub("", text)))
    if "(" in text:
        text = _MARKS.sub("", text)
    return text.casefold().replace("’", "'")


def key(text: str) -> str:
    """The key of a name: letter case, width, trademark marks, spaces, hyphens, underscores and brackets do not count.

    A gap between two digits is kept as one space, since it tells names apart: "Llama 2 70B" is not "Llama 270B".
    """
    spaced = _SEPARATORS.sub(" ", _plain(text)).strip()
    if " " not in spaced:
        return spaced
    return _BETWEEN_DIGITS.sub("\0", spaced).replace(" ", "").replace("\0", " ")


def group_key(text: str) -> str:
    """The key of a group's name, whatever its number and article: "cloud providers" = "a cloud provider"."""
    spaced = _SEPARATORS.sub(" ", _plain(text)).strip()
    for article in ("the ", "a ", "an "):
        spaced = spaced.removeprefix(article)
    spaced = _PLURAL_WORD.sub(lambda m: m[1] + ("y" if m[2] == "ies" else "") if m[1][-1] != "s" else m[0], spaced)
    return _BETWEEN_DIGITS.sub("\0", spaced).replace(" ", "").replace("\0", " ")


def words(text: str) -> str:
    """The words of a published text, each with a space before and behind, counts split off: `" 8x mi355x "`."""
    found: list[str] = []
    for word in _WORD.findall(_plain(text)):
        rest = word
        while match := _COUNT_BEFORE.match(rest):
            found.append(match[1])
            rest = rest[match.end() :]
        if match := _COUNT_BEHIND.search(rest):
            found += [rest[: match.start()], match[1]]
        else:
            found.append(rest)
    return f" {' '.join(found)} "


def slug(text: str) -> str:
    """An id made from a name that no data file lists: lower case, words joined by hyphens."""
    return "-".join(_WORD.findall(_plain(text))) or "unnamed"
