"""Bars for the terminal: figures of one unit, one a line, and a mark where a claim stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

LEAST = 8
"""Columns that a bar has at least."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a chart."""

    label: str
    """Printable text."""
    value: float
    """Finite and not negative, in the unit of the chart."""
    shown: str
    """The value as it is written."""
    mark: bool = False
    """Draw where the value stands and no bar up to it: it is no result (the figure that a claim states)."""
    style: str = ""
    """Colour, used only where colour is allowed; the label must say the same in words."""


def draw(bars: Sequence[Bar], width: int, *, colour: bool = False) -> list[str]:
    """The chart as lines of at most `width` columns, in the order given; none where no value is above 0."""
    from rich.bar import Bar as RichBar
    from rich.table import Table
    from rich.text import Text

    top = max((bar.value for bar in bars), default=0.0)
    if top <= 0 or not all(isfinite(bar.value) for bar in bars):
        return []
    figures = max(len(bar.shown) for bar in bars)
    labels = min(max(len(bar.label) for bar in bars), max(width - figures - LEAST - 4, width * 45 // 100))
    table = Table(box=None, width=width, padding=(0, 1), pad_edge=False, show_header=False)
    table.add_column(width=labels)
    table.add_column(min_width=LEAST, ratio=1)
    table.add_column(justify="right", max_width=max(width // 3, 10))
    for bar in bars:
        begin = max(bar.value - top / 40, 0.0) if bar.mark else 0.0
        table.add_row(
            Text(bar.label, overflow="fold"),
            # As shares of the longest: rich multiplies, which no figure near the largest float survives.
            RichBar(1.0, begin / top, bar.value / top, color=bar.style or "default"),
            Text(bar.shown, overflow="fold", style=bar.style if bar.mark else ""),
        )
    return drawn(table, width, colour=colour)


def drawn(table: object, width: int, *, colour: bool = False) -> list[str]:
    """What rich draws, as lines; escape sequences only with `colour`."""
    import io

    from rich.console import Console

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        legacy_windows=False,
        no_color=not colour,
    )
    console.print(table)
    return [line.rstrip() for line in stream.getvalue().rstrip("\n").split("\n")]
