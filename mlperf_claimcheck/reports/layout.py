"""Plain text in columns: breaking lines by the width that a terminal gives each character."""

from __future__ import annotations


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at spaces, or within a word that is wider than a line.

    Line breaks in `text` stay. Characters of East Asian scripts count two cells, as terminals draw them.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        if len(paragraph) <= width and paragraph.isascii():
            lines.append(paragraph)
        else:
            lines.extend(_wrap_paragraph(paragraph, width))
    return lines


def _wrap_paragraph(text: str, width: int) -> list[str]:
    from rich.cells import cell_len

    lines: list[str] = []
    line = ""
    used = 0
    for word in text.split(" "):
        size = len(word) if word.isascii() else cell_len(word)
        if line and used + 1 + size <= width:
            line += " " + word
            used += 1 + size
            continue
        # A word of a script without spaces may go on in the rest of the line instead of leaving it empty.
        if line and size > width and width - used > 10:
            line += " "
            used += 1
        elif line:
            lines.append(line)
            line, used = "", 0
        if used + size <= width:
            line += word
            used += size
            continue
        for char in word:
            cells = 1 if char.isascii() else cell_len(char)
            if used + cells > width:
                lines.append(line)
                line, used = "", 0
            line += char
            used += cells
    lines.append(line)
    return [one.rstrip() for one in lines]
