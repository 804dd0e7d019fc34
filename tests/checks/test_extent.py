"""The largest system of a selection, by accelerators used."""

from __future__ import annotations

from typing import Any

from placing import amount, bundled, codes, context, gb300, mi355x, told

from mlperf_claimcheck.checks.extent import check_extent
from mlperf_claimcheck.claims.assertion import ExtentAssertion, Selection
from mlperf_claimcheck.verdicts.model import Verdict

V60 = Selection(rounds=("inference-v6.0",))
V61 = Selection(rounds=("inference-v6.1",))


def extent(selection: Selection, accelerators: str | None, nodes: str | None, rows: Any = None) -> Verdict:
    assertion = ExtentAssertion(
        selection,
        amount(accelerators) if accelerators is not None else None,
        amount(nodes) if nodes is not None else None,
    )
    return check_extent(assertion, bundled() if rows is None else context(rows))


def test_largest_system_of_v6_0() -> None:
    assert told(extent(V60, "288", "72")) == ("pass", "extent-matches")
    assert told(extent(V60, "288", "18")) == ("fail", "extent-differs")
    assert told(extent(V60, "72", None)) == ("fail", "extent-differs")
    assert told(extent(V60, None, "72")) == ("pass", "extent-matches")


def test_largest_system_of_v6_1() -> None:
    verdict = extent(V61, "512", "64")
    assert told(verdict) == ("pass", "extent-matches")
    assert "counting-rule" in codes(verdict)  # 72 nodes of another system are more nodes


def test_used_and_published_counts_both_stand() -> None:
    rows = [mi355x("AMD", 1.0, 87, accelerators_published=88, nodes=11)]
    assert told(extent(V61, "87", "11", rows)) == ("pass", "extent-matches")
    verdict = extent(V61, "88", None, rows)
    assert told(verdict) == ("pass", "extent-matches")
    assert "accelerator-count-conflict" in codes(verdict)


def test_a_submitter_that_only_the_defaults_name_is_one_reading() -> None:
    rows = [gb300("CoreWeave", 1.0, 72), mi355x("Crusoe", 1.0, 512)]
    by_default = Selection(rounds=("inference-v6.1",), submitters=("coreweave",))
    assert told(extent(by_default, "72", None, rows)) == ("pass", "extent-matches")
    assert told(extent(by_default, "512", None, rows)) == ("unverifiable", "ambiguous")
    stated = Selection(rounds=("inference-v6.1",), submitters=("coreweave",), stated=frozenset({"submitters"}))
    assert told(extent(stated, "512", None, rows)) == ("fail", "extent-differs")


def test_nothing_claimed_and_no_round() -> None:
    assert told(extent(V61, None, None)) == ("unverifiable", "not-understood")
    assert told(extent(Selection(), "72", None)) == ("unverifiable", "round-not-stated")
