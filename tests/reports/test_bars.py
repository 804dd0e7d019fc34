"""Bars at the terminal: the length says the value, and nothing but text reaches a pipe."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_samples import HOSTILE, OPTIONS, PASSES, report

from mlperf_claimcheck import reports
from mlperf_claimcheck.api import load_results
from mlperf_claimcheck.reports.bars import Bar, draw
from mlperf_claimcheck.reports.results_chart import MOST, chart
from mlperf_claimcheck.results.model import ResultRow

BLOCKS = "█▉▊▋▌▍▎▏"


@pytest.fixture(scope="module")
def rows() -> list[ResultRow]:
    table = load_results()
    return [r for r in table.by_round("inference-v6.1") if r.model == "gpt-oss-120b" and r.scenario == "Offline"]


def length(line: str) -> int:
    return sum(c in BLOCKS for c in line)


def test_a_bar_is_as_long_as_its_value() -> None:
    whole, half, none = draw([Bar("a", 10.0, "10"), Bar("b", 5.0, "5"), Bar("c", 0.0, "0")], 60)
    assert abs(length(half) - length(whole) / 2) <= 1
    assert length(none) == 0
    assert [line.split()[0] for line in (whole, half, none)] == ["a", "b", "c"]


def test_a_mark_stands_where_its_bar_would_end() -> None:
    bar, mark = draw([Bar("published", 8.0, "8"), Bar("the claim says", 8.0, "8", mark=True)], 60)
    assert max(map(bar.rfind, BLOCKS)) == max(map(mark.rfind, BLOCKS))
    assert length(mark) <= 3


def test_nothing_above_nothing_is_no_chart() -> None:
    assert draw([], 80) == []
    assert draw([Bar("a", 0.0, "0")], 80) == []


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("label", ["x" * 300, "word " * 60, "每秒" * 40])
def test_no_line_is_wider_than_the_terminal(width: int, label: str) -> None:
    from rich.cells import cell_len

    lines = draw([Bar(label, 3.0, "3"), Bar("b", 1.0, "1,000,000.00")], width)
    assert max(map(cell_len, lines)) <= width
    assert any(length(line) for line in lines)


def test_colour_only_where_it_is_asked_for() -> None:
    bars = [Bar("a", 10.0, "10", style="cyan"), Bar("the claim says", 9.0, "9", mark=True, style="red")]
    assert "\x1b" not in "".join(draw(bars, 80))
    assert "\x1b[36" in "".join(draw(bars, 80, colour=True))


def test_check_verbose_draws_where_the_claim_stands() -> None:
    text = reports.render(report(PASSES), "table", replace(OPTIONS, verbose=True))
    (line,) = [line for line in text.splitlines() if "the claim says" in line]
    assert "16,635" in line
    assert length(line) <= 3
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
    coloured = reports.render(report(PASSES), "table", replace(OPTIONS, verbose=True, colour=True))
    assert "\x1b[36" in coloured


def test_the_chart_of_results_has_the_best_first_and_says_what_it_leaves_out(rows: list[ResultRow]) -> None:
    text = chart(rows, "accelerator", width=80)
    assert max(map(len, text.splitlines())) <= 80
    heading, _, rest = text.partition("CoreWeave, 72 × NVIDIA GB300 ")
    assert (
        " ".join(heading.split()) == "Inference v6.1, gpt-oss-120b Offline, closed, datacenter, in tokens/s/accelerator"
    )
    assert "16,634.86" in rest.splitlines()[0]
    closed = [r for r in rows if r.division == "closed"]
    undrawn = [r for r in closed if r.heterogeneous or not r.accelerators]
    assert f"{len(undrawn)} results without a figure per accelerator not drawn" in text
    assert f"{len(closed) - len(undrawn) - MOST} more results not drawn" in text


def test_results_that_may_not_be_compared_stand_under_headings_of_their_own(rows: list[ResultRow]) -> None:
    other = [replace(rows[0], scenario="Server"), replace(rows[0], round="inference-v6.0"), rows[0]]
    text = chart(other, "system", width=80)
    assert len([line for line in text.splitlines() if line.startswith("Inference ")]) == 3


def test_less_is_better_is_said_and_ranked_so(rows: list[ResultRow]) -> None:
    slow, fast = replace(rows[0], unit="ms", value=9.0), replace(rows[0], unit="ms", value=3.0, submitter="Quick")
    text = chart([slow, fast], "system", width=120)
    assert "in ms (less is better)" in text
    assert text.index("Quick") < text.index(slow.submitter)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_stay_data(rows: list[ResultRow], text: str) -> None:
    bad = replace(rows[0], submitter=text, accelerator=text, model=text, scenario=text, division=text, unit=text)
    shown = chart([bad], "system", width=80)
    assert all(c.isprintable() or c == "\n" for c in shown)
    assert not any(line.lstrip().startswith(("::", "##[")) for line in shown.splitlines())
