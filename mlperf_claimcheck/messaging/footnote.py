"""A ready footnote for published results (guidelines, sections 3.2, 5, 9 and 11.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Protocol

from mlperf_claimcheck.messaging.rules.mark import LEGEND_TEXT
from mlperf_claimcheck.messaging.rules.verification import UNVERIFIED_LINE


class CitedRow(Protocol):
    """What a footnote says of a published row: `Evidence` and `ResultRow` both have it."""

    @property
    def round(self) -> str:
        """Round id, `inference-v6.0`."""

    @property
    def result_id(self) -> str | None:
        """Published ID, where there is one."""

    @property
    def submitter(self) -> str:
        """As published."""

    @property
    def system(self) -> str:
        """As published."""

    @property
    def accelerators(self) -> int | None:
        """Accelerators used."""

    @property
    def model(self) -> str:
        """Benchmark id."""

    @property
    def scenario(self) -> str:
        """Scenario."""

    @property
    def division(self) -> str:
        """Division."""

    @property
    def availability(self) -> str:
        """Availability."""


_PAGES = {
    "inference": "https://mlcommons.org/benchmarks/inference-datacenter/",
    "inference-edge": "https://mlcommons.org/benchmarks/inference-edge/",
    "training": "https://mlcommons.org/benchmarks/training/",
    "endpoints": "https://mlcommons.org/benchmarks/",
}


def footnote_for(rows: Sequence[CitedRow], retrieved_date: date | str, derived: bool, *, basis: str = "") -> str:
    """A footnote that cites the rows, with all parts that the messaging guidelines ask for.

    `retrieved_date` is the day on which the results were retrieved (a date or ISO text). `derived` adds the statements
    that a figure computed from results needs; `basis` is how it was computed ("system throughput divided by 72 GPUs").
    Where a row has no published ID (round v6.1), the footnote says where to put it in.
    Raises `ValueError` without rows.
    """
    if not rows:
        raise ValueError("a footnote needs at least one published result")
    cited: dict[tuple[str, str], list[CitedRow]] = {}
    for row in rows:
        cited.setdefault((row.round, row.division), []).append(row)
    several = len({(r.submitter, r.system, r.accelerators, r.availability) for r in rows}) > 1
    parts = []
    for (round_id, division), group in cited.items():
        suite, version = _suite(round_id)
        # One entry each, in the order given; the same row twice is cited once.
        entries = list(dict.fromkeys(_entry(r, several) for r in group))
        parts.append(f"MLPerf® v{version} {suite} {division.capitalize()}: {'; '.join(entries)}")
    pages = list(dict.fromkeys(_page(r) for r in rows))
    sentences = [". ".join(parts) + ".", f"Retrieved from {' and '.join(pages)} on {_day(retrieved_date)}."]
    if derived:
        how = basis or _ratio_basis(rows)
        suite = _suite(rows[0].round)[0]
        sentences.append(f"The figure is derived, computed as {how}; it is not a primary metric of MLPerf® {suite}.")
        sentences.append(UNVERIFIED_LINE)
    sentences.append(LEGEND_TEXT)
    return _plain(" ".join(sentences))


def _suite(round_id: str) -> tuple[str, str]:
    suite, _, version = round_id.partition("-v")
    return {"hpc": "HPC"}.get(suite, suite.capitalize()), version


def _entry(row: CitedRow, several: bool) -> str:
    who = ""
    if several:
        count = f", {row.accelerators} accelerators" if row.accelerators else ""
        who = f" ({row.submitter}, {row.system}{count}, {row.availability if row.availability != 'rdi' else 'RDI'})"
    identifier = f"entry {row.result_id}" if row.result_id else "entry [add the result ID from the results page]"
    scenario = f" {row.scenario}" if row.scenario else ""
    return f"{row.model}{scenario}{who}, {identifier}"


def _page(row: CitedRow) -> str:
    suite = row.round.partition("-v")[0]
    if suite == "inference" and getattr(row, "suite", "") == "edge":
        suite = "inference-edge"
    return _PAGES.get(suite, "https://mlcommons.org/benchmarks/")


def _ratio_basis(rows: Sequence[CitedRow]) -> str:
    if len(rows) == 1 and rows[0].accelerators:
        return f"the system's result divided by its {rows[0].accelerators} accelerators"
    return "the ratio of the results cited" if len(rows) > 1 else "a quotient of the result cited"


def _day(value: date | str) -> str:
    day = value if isinstance(value, date) else date.fromisoformat(str(value)[:10])
    return f"{day.day} {day:%B} {day.year}"


def _plain(text: str) -> str:
    """Names come from result files: no control characters, no markup, one line."""
    text = re.sub(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff<>]", " ", text)
    return " ".join(text.split())
