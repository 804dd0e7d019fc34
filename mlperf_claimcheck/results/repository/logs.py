"""The two logs that LoadGen writes for a run: the summary for people and the detail log for programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from mlperf_claimcheck.results.repository.rules import Rule, scenario_name

_LINE = re.compile(r"^[ \t]*+(?:\*[ \t]*+)?(?P<label>[^:]{1,80}?)[ \t]*+:[ \t]*+(?P<value>.{0,200}?)[ \t]*+$")
_NUMBER = re.compile(r"^-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?$")
_SECTION = re.compile(r"^(?P<which>(?:TTFT |TPOT )?)Early Stopping Result:\s*$")
_PERCENTILE = re.compile(r"^(?P<rank>\d{1,2}\.\d\d) (?P<rest>percentile .+)$")
_TARGET = re.compile(r"^(?P<rank>\d{1,2}\.\d+)th percentile latency \(ns\)$")
# A quote inside a JSON string is escaped, so this cannot match within a value.
_DETAIL = re.compile(
    rb'"key": ?"(?P<key>(?:result_|early_stopping_|effective_scenario)[\w.]{0,80})", ?'
    rb'"value": ?(?P<value>"[^"\n]{0,200}"|[^,}\s"]{1,64})'
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A value as it is printed in a log, and its line (1-based; None where the part before it was not read)."""

    text: str
    line: int | None


@dataclass(frozen=True, slots=True)
class SummaryLog:
    """`mlperf_log_summary.txt`, label by label."""

    entries: dict[str, list[Entry]] = field(default_factory=dict)
    estimates: dict[str, list[Entry]] = field(default_factory=dict)
    """Early-stopping estimates of the run's own latency (those of TTFT and TPOT are in `entries`)."""
    complete: bool = False
    """The closing lines on warnings and errors are there."""

    def first(self, label: str) -> Entry | None:
        """The first value under a label."""
        values = self.entries.get(label)
        return values[0] if values else None

    @property
    def scenario(self) -> str | None:
        """The scenario that was run."""
        entry = self.first("Scenario")
        return scenario_name(entry.text) if entry else None

    @property
    def validity(self) -> Entry | None:
        """`VALID` or `INVALID`."""
        return self.first("Result is")

    def figure(self, rule: Rule) -> tuple[str, Entry] | None:
        """The published figure's label and value."""
        table = self.estimates if rule.early_stopping else self.entries
        for label in rule.summary:
            values = table.get(label)
            if values:
                return label, values[0]
        return None


@dataclass(frozen=True, slots=True)
class DetailLog:
    """`mlperf_log_detail.txt`: the keys that state results and what the run was."""

    entries: dict[str, list[Entry]] = field(default_factory=dict)

    def first(self, key: str) -> Entry | None:
        """The first value of a key: the one that the official checker takes."""
        values = self.entries.get(key)
        return values[0] if values else None

    @property
    def scenario(self) -> str | None:
        """The scenario that was run."""
        entry = self.first("effective_scenario")
        return scenario_name(entry.text) if entry else None


def is_binary(data: bytes) -> bool:
    """A log is text: a zero byte means that it is something else."""
    return b"\0" in data


def parse_summary(data: bytes) -> SummaryLog:
    """Reads a summary log. Lines that are no `label : value` are passed over."""
    entries: dict[str, list[Entry]] = {}
    estimates: dict[str, list[Entry]] = {}
    section: str | None = None
    complete = False
    for number, raw in enumerate(data.decode("utf-8", errors="replace").splitlines(), start=1):
        line = raw[:400]
        opening = _SECTION.match(line)
        if opening:
            section = opening["which"].strip()
            continue
        if line.startswith("="):
            section = None
            continue
        if "errors encountered" in line or "error encountered" in line or "ERRORS encountered" in line:
            complete = True
        match = _LINE.match(line)
        if match is None:
            continue
        label = " ".join(match["label"].split())
        entry = Entry(match["value"], number)
        if section == "" and label.startswith("Early stopping ") and label.endswith("estimate"):
            estimates.setdefault(label, []).append(entry)
        else:
            if section:
                label = f"{section} {label}"
            entries.setdefault(label, []).append(entry)
    return SummaryLog(entries, estimates, complete)


def parse_detail(data: bytes, *, gap_after: int | None = None) -> DetailLog:
    """Reads the `:::MLLOG {"key": …, "value": …}` lines that state results.

    Args:
        data: The log, or its head and tail.
        gap_after: Length of the head where a part was left out; lines behind it have no number.
    """
    entries: dict[str, list[Entry]] = {}
    line, position = 1, 0
    for match in _DETAIL.finditer(data):
        start = match.start()
        line += data.count(b"\n", position, start)
        position = start
        text = match["value"].decode("utf-8", errors="replace").strip('"')
        known = gap_after is None or start <= gap_after
        entries.setdefault(match["key"].decode("ascii", errors="replace"), []).append(
            Entry(text, line if known else None)
        )
    return DetailLog(entries)


def number(text: str) -> Decimal | None:
    """A number as logs print it, None for anything else (also for infinities and not-a-number)."""
    if not _NUMBER.match(text):
        return None
    try:
        return Decimal(text)
    except InvalidOperation:  # pragma: no cover - the pattern admits decimals only
        return None


def quantum(value: Decimal, style: str) -> Decimal:
    """The worth of the last digit that a log prints.

    `general` is six significant digits of which trailing zeros are dropped, `fixed` the digits that are printed.
    """
    exponent = value.as_tuple().exponent
    printed = int(exponent) if isinstance(exponent, int) else 0
    if style == "general" and value:
        printed = min(printed, value.adjusted() - 5)
    return Decimal(1).scaleb(printed)


def contradictions(log: SummaryLog) -> Iterator[tuple[str, int | None]]:
    """Places where a summary log disagrees with itself, which no run of LoadGen writes: a sign of a changed digit."""
    for label, values in log.entries.items():
        if len(values) > 1 and len({v.text for v in values}) > 1 and all(number(v.text) is not None for v in values):
            listed = " and ".join(v.text for v in values[:3])
            yield f"“{label}” is given as {listed}", values[-1].line
    groups: dict[str, list[tuple[Decimal, Decimal, int | None]]] = {}
    for label, values in log.entries.items():
        match = _PERCENTILE.match(label)
        value = number(values[0].text)
        if match and value is not None:
            groups.setdefault(match["rest"], []).append((Decimal(match["rank"]), value, values[0].line))
        target = _TARGET.match(label)
        if target and value is not None:
            twin = log.first(f"{Decimal(target['rank']):.2f} percentile latency (ns)")
            if twin is not None and number(twin.text) not in (None, value):
                yield f"“{label}” is given as {values[0].text} and as {twin.text}", twin.line
    for rest, ranks in groups.items():
        ranks.sort()
        for (low, below, _), (high, above, line) in pairwise(ranks):
            if above < below:
                yield f"the {high} {rest} ({above}) is below the {low} {rest} ({below})", line
