"""Charts of a claim among comparable results, drawn by altair and vl-convert (the `charts` extra)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from mlperf_claimcheck.reports.points import ROLE_WORDS, Points
from mlperf_claimcheck.reports.words import figure
from mlperf_claimcheck.verdicts.text import shorten

WIDTH = 440
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
    import vl_convert

    svg = vl_convert.vegalite_to_svg(specification(found))
    return _for_page(svg, number)


def words(found: Points) -> str:
    """The chart told in words, for those who do not see it."""
    bars = "; ".join(f"{p.label}: {figure(p.value)}{_role(p.role)}" for p in found.points)
    claimed = f" The claim says {figure(found.claimed)}." if found.claimed is not None else ""
    return f"Bar chart in {found.unit}. {bars}.{claimed}"


def legend(found: Points) -> str:
    """What the marks of the chart mean."""
    roles = {p.role for p in found.points}
    parts = [f"Figures in {found.unit}"]
    if found.claimed is not None:
        parts.append(f"vertical line: the claimed {figure(found.claimed)}")
    if "excluded" in roles:
        parts.append("shaded rows: within the claim's own scope")
        parts.append("hatched: outside it")
    if any(p.preview for p in found.points):
        parts.append("dashed outline: Preview")
    if found.left_out:
        parts.append(f"{found.left_out} more comparable results are not drawn")
    return "; ".join(parts) + "."


def specification(found: Points) -> dict[str, Any]:
    """The chart in Vega-Lite: a bar with its label above it for each result, and a line where the claim stands."""
    import altair as alt

    top = max([p.value for p in found.points] + [found.claimed or 0.0]) or 1.0
    values = [
        {
            "i": i,
            "value": p.value,
            "label": shorten(f"{p.label}{_role(p.role)}", 80),
            "shown": figure(p.value),
            "fill": {"subject": _SUBJECT, "excluded": _HATCH}.get(p.role, _OTHER),
            "edge": _TEXT if p.preview else "transparent",
            "scope": p.role != "excluded",
        }
        for i, p in enumerate(found.points)
    ]
    rows = alt.Chart(alt.InlineData(values=values)).encode(y=alt.Y("i:O", axis=None, sort="ascending"))
    x = alt.X(
        "value:Q",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(title=None, format="~s", tickCount=5, domain=False),
    )
    layers: list[Any] = []
    if any(p.role == "excluded" for p in found.points):
        layers.append(
            rows.transform_filter("datum.scope").mark_rect(fill=_SCOPE).encode(x=alt.value(0), x2=alt.value(WIDTH))
        )
    layers += [
        rows.mark_bar(height=12, yOffset=10, strokeDash=[3, 2]).encode(
            x=x, fill=alt.Fill("fill:N", scale=None), stroke=alt.Stroke("edge:N", scale=None)
        ),
        rows.mark_text(align="left", dy=-8, limit=WIDTH - 90, fill=_TEXT).encode(x=alt.value(4), text="label:N"),
        rows.mark_text(align="right", dy=-8, fontWeight="bold", fill=_TEXT).encode(
            x=alt.value(WIDTH - 4), text="shown:N"
        ),
    ]
    if found.claimed is not None:
        mark = alt.Chart(
            alt.InlineData(values=[{"claimed": found.claimed, "shown": f"claimed {figure(found.claimed)}"}])
        )
        right = found.claimed > top / 2
        layers += [
            mark.mark_rule(stroke=_CLAIM, strokeWidth=2).encode(x=alt.X("claimed:Q")),
            mark.mark_text(align="right" if right else "left", dy=-8, fill=_CLAIM, fontWeight="bold").encode(
                x=alt.X("claimed:Q"), y=alt.value(0), text="shown:N"
            ),
        ]
    made = (
        alt.layer(*layers)
        .properties(width=WIDTH, height=ROW * len(found.points), background="transparent")
        .configure(aria=False, font="sans-serif", padding=4)
        .configure_view(stroke=None)
        .configure_text(fontSize=13.5)
        .configure_axis(gridColor=_LINE, tickColor=_LINE, labelColor=_MUTED, labelFontSize=12)
    )
    return dict(made.to_dict())


def _role(role: str) -> str:
    return "" if role in ("subject", "other") else f" ({ROLE_WORDS.get(role, role)})"


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
