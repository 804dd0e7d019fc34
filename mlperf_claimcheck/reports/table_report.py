"""The report for people at a terminal. Words carry the meaning; colour only helps the eye."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlperf_claimcheck.reports.bars import Bar, draw, drawn
from mlperf_claimcheck.reports.interface import ReportOptions
from mlperf_claimcheck.reports.layout import wrap
from mlperf_claimcheck.reports.points import ROLE_WORDS, Points, comparable
from mlperf_claimcheck.reports.words import (
    NOT_VERIFIED,
    TRADEMARK,
    arithmetic,
    claimed_words,
    count_words,
    figure,
    has_derived,
    log_words,
    needs_attention,
    own_caveats,
    own_evidence,
    part_name,
    place,
    reading_words,
    round_name,
    source_words,
    stale_words,
)
from mlperf_claimcheck.verdicts.model import Evidence, Report, Severity, Verdict
from mlperf_claimcheck.verdicts.text import no_commands, printable, shorten

LABEL = 14
"""Columns of the labels at the left: as wide as the longest verdict."""

MAX_CLAIM = 600
"""Characters of a claim that are shown."""

_BAR_STYLES = {"subject": "cyan", "excluded": "yellow", "above": "yellow", "baseline": "blue"}

_STYLES = {"pass": "bold green", "fail": "bold red", "unverifiable": "bold yellow"}


class TableReporter:
    """A block of labelled lines for each claim, a summary, and the results used."""

    name = "table"
    extension = ".txt"

    def render(self, report: Report, options: ReportOptions) -> str:
        """The report in `options.width` columns."""
        return "".join(self.pieces(report, options))

    def pieces(self, report: Report, options: ReportOptions) -> Iterator[str]:
        """The lines of a claim at a time."""
        page = _Page(max(options.width, 40), options)
        shown = [v for v in report.verdicts if needs_attention(v)] if options.quiet else report.verdicts
        if options.quiet and not shown and not report.stale and report.verdicts:
            return
        for verdict in shown:
            page.claim(verdict)
            page.gap()
            yield page.text()
        for entry in report.stale:
            page.line("gone", stale_words(entry), label_style="yellow")
        if report.stale:
            page.gap()
        page.line("summary", count_words(report), style="bold")
        for source in report.sources:
            page.line("results", source_words(source))
            page.line("", printable(source.source), style="dim")
        page.gap()
        if has_derived(report.verdicts):
            page.paragraph(NOT_VERIFIED)
        page.paragraph(TRADEMARK)
        yield page.text()


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    style: str = ""


class _Page:
    """Lines of a label and a text."""

    def __init__(self, width: int, options: ReportOptions) -> None:
        self.width = width
        self.options = options
        self._lines: list[str] = []
        self._rendered: dict[str, tuple[str, str]] = {"": ("", "")}

    def text(self) -> str:
        """The lines since the last call."""
        lines, self._lines = self._lines, []
        return no_commands("\n".join(lines) + "\n")

    def gap(self) -> None:
        self._lines.append("")

    def line(self, label: str, text: str, *, style: str = "", label_style: str = "dim", indent: int = 0) -> None:
        """A labelled text, broken into as many lines as it needs. The text is made printable here."""
        left = LABEL + indent
        lines = wrap(no_commands(printable(text), anywhere=True), self.width - left)
        first = " " * indent + label
        self._lines.append(
            (self.styled(first, label_style) + " " * (left - len(first)) + self.styled(lines[0], style)).rstrip()
        )
        self._lines.extend((" " * left + self.styled(line, style)).rstrip() for line in lines[1:])

    def paragraph(self, text: str) -> None:
        self._lines.extend(self.styled(line, "dim") for line in wrap(text, self.width))

    def raw(self, lines: Iterator[str] | Sequence[str], indent: int) -> None:
        self._lines.extend((" " * indent + line).rstrip() for line in lines)

    def styled(self, text: str, style: str) -> str:
        if not self.options.colour or not style or not text:
            return text
        if style not in self._rendered:
            from rich.style import Style

            before, _, after = Style.parse(style).render("\0").partition("\0")
            self._rendered[style] = (before, after)
        before, after = self._rendered[style]
        return before + text + after

    # ---- a claim ----

    def claim(self, verdict: Verdict, *, indent: int = 0, name: str = "") -> None:
        head = verdict.id or "claim"
        if verdict.expected is not None:
            right = verdict.outcome is verdict.expected
            head += " (as expected)" if right else f" (expected: {verdict.expected})"
        if verdict.accepted is not None:
            head += " (accepted)"
        where = place(verdict)
        if where and not indent:
            head += f"  {where}"
        style = _STYLES[verdict.outcome]
        if not indent:
            self.line(verdict.outcome.upper(), head, style="dim", label_style=style)
            self.line(
                "claim", shorten(verdict.text or claimed_words(verdict) or "(given by fields)", MAX_CLAIM), style="bold"
            )
        else:
            self.line(verdict.outcome.upper(), shorten(name, MAX_CLAIM), label_style=style, indent=indent)
        if verdict.accepted is not None:
            self.line("accepted", verdict.accepted, indent=indent)
        self.line("found", verdict.reason.message or verdict.reason.code, indent=indent)
        sums = arithmetic(verdict)
        if sums:
            self.line("arithmetic", sums, indent=indent)
        for log in log_words(verdict):
            self.line("log", log, indent=indent)
        for reading in verdict.readings:
            self.line("reading", reading_words(reading), indent=indent)
        for caveat in own_caveats(verdict):
            warning = caveat.severity is Severity.WARNING
            self.line(
                "warning" if warning else "note",
                f"{caveat.message} [{caveat.code}]",
                label_style="yellow" if warning else "dim",
                indent=indent,
            )
        if verdict.suggestion is not None:
            self.line("suggested", verdict.suggestion.text, style="bold", indent=indent)
            if verdict.suggestion.footnote:
                self.line("footnote", verdict.suggestion.footnote, indent=indent)
        if self.options.verbose:
            self._details(verdict, indent)
        for number, part in enumerate(verdict.parts, 1):
            self.claim(part, indent=indent + 2, name=part_name(part, number))

    def _details(self, verdict: Verdict, indent: int) -> None:
        self.line("reason", verdict.reason.code, indent=indent)
        said = claimed_words(verdict)
        if said:
            precision = verdict.claimed.precision if verdict.claimed is not None else None
            exact = f" (printed to {figure(precision)})" if precision else ""
            self.line("claimed", said + exact, indent=indent)
        if verdict.note:
            self.line("author's note", verdict.note, indent=indent)
        if verdict.where:
            self.line("where", verdict.where, indent=indent)
        evidence = own_evidence(verdict)
        if evidence:
            self.line("rows", "", indent=indent)
            self.raw(_rows(evidence, self.width - 2 - indent), 2 + indent)
            bars = _bars(comparable(verdict, self.options.peers), self.width - 2 - indent, self.options.colour)
            self.raw(bars, 2 + indent)


def _rows(evidence: Sequence[Evidence], width: int) -> list[str]:
    """The published rows as a table."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, width=width, padding=(0, 1), pad_edge=False, show_edge=False)
    table.add_column("row", width=8)
    table.add_column("result of", ratio=5)
    table.add_column("benchmark", ratio=4)
    table.add_column("figure", ratio=5)
    for row in evidence:
        count = f"{row.accelerators} × " if row.accelerators else ""
        nodes = f", {row.nodes} nodes" if row.nodes and row.nodes > 1 else ""
        whose = [
            printable(row.submitter),
            printable(row.system),
            f"{count}{printable(row.accelerator) or 'no accelerator'}{nodes}",
        ]
        task = [
            f"{printable(row.model)} {printable(row.scenario)}",
            ", ".join(printable(x) for x in (row.division, row.availability, row.suite) if x),
            round_name(printable(row.round)) + (f", ID {printable(row.result_id)}" if row.result_id else ""),
        ]
        value = [f"{figure(row.value)} {printable(row.unit)}"]
        if row.derived is not None:
            value.append(f"{figure(row.derived)} {printable(row.derived_unit or '')}".strip())
        table.add_row(
            Text(printable(row.role), overflow="fold"),
            Text("\n".join(x for x in whose if x), overflow="fold"),
            Text("\n".join(x for x in task if x), overflow="fold"),
            Text("\n".join(value), overflow="fold"),
        )
    return drawn(table, width)


def _bars(found: Points | None, width: int, colour: bool) -> list[str]:
    """Where the claimed figure stands among the comparable ones."""
    if found is None:
        return []
    bars = [
        Bar(
            p.label + ("" if p.role == "other" else f" ({ROLE_WORDS.get(p.role, p.role)})"),
            p.value,
            figure(p.value),
            style=_BAR_STYLES.get(p.role, ""),
        )
        for p in found.points
    ]
    if found.claimed is not None:
        # The claimed figure is drawn as a mark, not as a bar: it is no result.
        bars.append(Bar("the claim says", found.claimed, figure(found.claimed), mark=True, style="red"))
    lines = draw(sorted(bars, key=lambda bar: -bar.value), width, colour=colour)
    rest = f" ({found.left_out} more not drawn)" if found.left_out else ""
    return [*wrap(f"{found.unit}{rest}:", width), *lines] if lines else []


REPORTER = TableReporter()
