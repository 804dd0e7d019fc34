"""Charts of a claim among comparable results, drawn by altair and vl-convert (the `charts` extra)."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, Literal

from mlperf_claimcheck.reports.points import ROLE_WORDS, Points
from mlperf_claimcheck.reports.words import figure

_WITHIN = ("subject", "above", "next", "member")
"""Roles of rows that are known to lie within the scope of a claim."""

WIDTH = 440
BARS = WIDTH - 86
"""Where the longest bar ends: its figure stands at its right, so that the label above has the whole width."""
ROW = 40

# The library writes these colours; the page puts its own in their place, for light, dark and print.
_COLOURS = {
    "#010101": "var(--chart-subject)",
    "#020202": "var(--chart-other)",
    "#030303": "var(--chart-scope)",
    "#040404": "var(--text)",
    "#050505": "var(--chart-claim)",
    "#060606": "var(--line)",
    "#070707": "var(--muted)",
    "#080808": "HATCH",
}
_SUBJECT, _OTHER, _SCOPE, _TEXT, _CLAIM, _LINE, _MUTED, _HATCH = _COLOURS


@lru_cache(maxsize=1)
def available() -> bool:
    """Whether charts can be drawn: the extra is installed."""
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        return False
    return True


def chart(found: Points, number: int) -> str:
    """The chart as an SVG element. `number` keeps the ids of several charts in one page apart."""
    return _for_page(_drawn(found), number)


@lru_cache(maxsize=256)
def _drawn(found: Points) -> str:
    import vl_convert

    return str(vl_convert.vegalite_to_svg(specification(found)))


def words(found: Points) -> str:
    """The chart told in words, for those who do not see it."""
    bars = "; ".join(f"{p.label}: {figure(p.value)}{_spoken(p.role)}" for p in found.points)
    claimed = f" The claim says {figure(found.claimed)}." if found.claimed is not None else ""
    return f"Bar chart in {found.unit}. {bars}.{claimed}"


def legend(found: Points) -> str:
    """What the marks of the chart mean."""
    parts = [f"Figures in {found.unit}"]
    if found.claimed is not None:
        parts.append(f"vertical line: the claimed {figure(found.claimed)}")
    if _has_scope(found):
        parts.append("shaded rows: named by the check as within the claim's own scope")
        parts.append("hatched: above it, but outside that scope")
        if any(p.role == "other" for p in found.points):
            parts.append("plain: other comparable results")
    if any(p.preview for p in found.points):
        parts.append("dashed outline: Preview")
    if found.left_out:
        parts.append(f"{found.left_out} more comparable results are not drawn")
    return "; ".join(parts) + "."


def specification(found: Points) -> dict[str, Any]:
    """The chart in Vega-Lite: a bar with its label above it for each result, and a line where the claim stands."""
    top = max([p.value for p in found.points] + [found.claimed or 0.0]) or 1.0
    rows = [
        {
            "i": i,
            "value": p.value,
            "label": p.label + _role(p.role),
            "shown": figure(p.value),
            "fill": {"subject": _SUBJECT, "excluded": _HATCH}.get(p.role, _OTHER),
            "edge": _TEXT if p.preview else "transparent",
            "scope": p.role in _WITHIN,
        }
        for i, p in enumerate(found.points)
    ]
    claim = []
    if found.claimed is not None:
        claim.append({"claimed": found.claimed, "shown": f"claimed {figure(found.claimed)}"})
    right = found.claimed is not None and found.claimed > top / 2
    made: dict[str, Any] = json.loads(_design(_has_scope(found), bool(claim), right).replace(_TOP, repr(top)))
    made["datasets"] = {"rows": rows, "claim": claim}
    made["height"] = ROW * len(rows)
    return made


_TOP = '"TOP"'


@lru_cache(maxsize=8)
def _design(scope: bool, claimed: bool, right: bool) -> str:
    """The chart without its data. The library takes long to put it together, so each kind is made once."""
    import altair as alt

    rows = alt.Chart(alt.NamedData(name="rows")).encode(y=alt.Y("i:O", axis=None, sort="ascending"))
    x = alt.X(
        "value:Q",
        scale=alt.Scale(domain=[0, "TOP"], range=[0, BARS], nice=False),
        axis=alt.Axis(title=None, labelExpr="format(datum.value, '~s')", tickCount=5, domain=False),
    )
    layers: list[Any] = []
    if scope:
        shade = rows.transform_filter("datum.scope").mark_rect(fill=_SCOPE)
        layers.append(shade.encode(x=alt.value(0), x2=alt.value(WIDTH)))
    layers += [
        rows.mark_bar(height=12, yOffset=10, strokeDash=[3, 2]).encode(
            x=x, fill=alt.Fill("fill:N", scale=None), stroke=alt.Stroke("edge:N", scale=None)
        ),
        # The browser's font may be wider than the one that measures the limit here.
        rows.mark_text(align="left", dy=-8, limit=WIDTH - 60, fill=_TEXT).encode(x=alt.value(4), text="label:N"),
        rows.mark_text(align="right", dy=11, fontWeight="bold", fill=_TEXT).encode(
            x=alt.value(WIDTH - 2), text="shown:N"
        ),
    ]
    if claimed:
        mark = alt.Chart(alt.NamedData(name="claim"))
        side: Literal["left", "right"] = "right" if right else "left"
        layers += [
            mark.mark_rule(stroke=_CLAIM, strokeWidth=2).encode(x=alt.X("claimed:Q")),
            mark.mark_text(align=side, dy=-8, fill=_CLAIM, fontWeight="bold").encode(
                x=alt.X("claimed:Q"), y=alt.value(0), text="shown:N"
            ),
        ]
    made = (
        alt.layer(*layers)
        .properties(width=WIDTH, background="transparent")
        .configure(aria=False, font="sans-serif", padding=4)
        .configure_view(stroke=None)
        .configure_text(fontSize=13.5)
        .configure_axis(gridColor=_LINE, tickColor=_LINE, labelColor=_MUTED, labelFontSize=12)
    )
    # What stands for the largest figure is no number yet, so that the library could not approve of it.
    return json.dumps(made.to_dict(validate=False))


def _has_scope(found: Points) -> bool:
    return any(p.role == "excluded" for p in found.points)


def _role(role: str) -> str:
    return "" if role in ("subject", "other", "excluded") else f" ({ROLE_WORDS.get(role, role)})"


def _spoken(role: str) -> str:
    return f" ({ROLE_WORDS['excluded']})" if role == "excluded" else _role(role)


def _for_page(svg: str, number: int) -> str:
    svg = svg[svg.index("<svg") :]
    head, _, body = svg.partition(">")
    box = re.search(r'viewBox="[^"]*"', head)
    # Ids are unique within a page; a page without a size of its own lets the chart shrink with it.
    body = re.sub(r'(id="|url\(#)(?=\w)', rf"\g<1>v{number}-", body)
    for written, wanted in _COLOURS.items():
        body = body.replace(f'"{written}"', f'"{wanted}"')
    hatch = f"v{number}-hatch"
    body = body.replace('"HATCH"', f'"url(#{hatch})"')
    pattern = (
        f'<defs><pattern id="{hatch}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<rect width="6" height="6" fill="var(--chart-scope)"/><rect width="2.5" height="6" fill="var(--chart-other)"/>'
        "</pattern></defs>"
    )
    size = f" {box[0]}" if box else ""
    return f'<svg{size} xmlns="http://www.w3.org/2000/svg" aria-hidden="true" focusable="false">{pattern}{body}'
