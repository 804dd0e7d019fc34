"""Which figures stand on one axis, and which results are comparable at all."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from report_samples import PASSES, row

from mlperf_claimcheck.reports.peers import peers_of
from mlperf_claimcheck.reports.points import MAX_POINTS, comparable
from mlperf_claimcheck.reports.words import (
    arithmetic,
    figure,
    full_round_name,
    own_caveats,
    repository_link,
    round_name,
)
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts import Caveat, Claimed, Computed, Outcome, Reason, Verdict


def published(**changes: Any) -> ResultRow:
    base = ResultRow(
        round="inference-v6.1",
        result_id=None,
        submitter="Peer",
        division="closed",
        availability="available",
        suite="datacenter",
        system="Box",
        platform="box",
        accelerator="NVIDIA B200",
        accelerators=8,
        accelerators_published=8,
        accelerators_platform=8,
        accelerators_per_node=8,
        nodes=2,
        heterogeneous=False,
        processor="",
        processors_per_node=2,
        model="gpt-oss-120b",
        model_used="gpt-oss-120b",
        scenario="Offline",
        value=800.0,
        unit="tokens/s",
        power=None,
        power_unit=None,
        data_type="fp4",
        software="",
        inferred=False,
        location="closed/Peer/box",
    )
    return replace(base, **changes)


def test_derived_figures_are_drawn_where_the_claim_is_about_them() -> None:
    found = comparable(PASSES)
    assert found is not None
    assert found.unit == "tokens/s/accelerator"
    assert found.claimed == 16635
    assert [p.role for p in found.points] == ["excluded", "subject", "nearest"]
    assert [p.preview for p in found.points] == [True, False, False]


def test_published_figures_are_drawn_where_the_claim_is_about_them() -> None:
    found = comparable(replace(PASSES, claimed=Claimed("gt", 1.16e6, "tokens/s", 1e4)))
    assert found is not None
    assert (found.unit, found.claimed) == ("tokens/s", 1.16e6)
    assert found.points[0].value == 2e6


def test_a_ratio_stands_on_no_axis_with_the_figures() -> None:
    evidence = (row(), row(role="baseline", round="inference-v6.0", derived=14226.0))
    found = comparable(replace(PASSES, claimed=Claimed("eq", 17.0, "%", 1.0), evidence=evidence))
    assert found is not None
    assert found.claimed is None
    assert [p.label for p in found.points] == [
        "Example Cloud, 72 × NVIDIA GB300, Inference v6.1",
        "Example Cloud, 72 × NVIDIA GB300, Inference v6.0",
    ]


def test_nothing_to_compare_gives_no_chart() -> None:
    assert comparable(replace(PASSES, evidence=())) is None
    assert comparable(replace(PASSES, evidence=(row(),), claimed=None)) is None
    assert comparable(replace(PASSES, evidence=(row(value=math.inf, derived=None),), claimed=None)) is None


def test_peers_are_of_the_same_round_benchmark_scenario_division_suite_and_unit() -> None:
    rows = [
        published(submitter="Same"),
        published(submitter="Both suites", suite="datacenter,edge"),
        published(submitter="Edge", suite="edge"),
        published(submitter="Open", division="open"),
        published(submitter="Server", scenario="Server"),
        published(submitter="Other model", model="llama2-70b-99"),
        published(submitter="Other unit", unit="samples/s"),
    ]
    peers = peers_of(lambda name: rows if name == "inference-v6.1" else ())
    assert [(e.submitter, e.derived, e.derived_unit) for e in peers(row())] == [
        ("Same", 100.0, "tokens/s/accelerator"),
        ("Both suites", 100.0, "tokens/s/accelerator"),
    ]
    assert [e.derived for e in peers(row(derived_unit="tokens/s/node"))] == [400.0, 400.0]
    assert [e.derived for e in peers(row(derived_unit=None))] == [None, None]
    assert peers(row(round="inference-v6.0")) == []


def test_peers_without_a_figure_per_accelerator_have_none() -> None:
    rows = [published(heterogeneous=True), published(accelerators=0), published(accelerators=None)]
    assert [e.derived for e in peers_of(lambda _: rows)(row())] == [None, None, None]


def test_the_evidence_is_drawn_once_and_the_best_peers_with_it() -> None:
    others = [row(submitter=f"P{n}", platform=f"p{n}", derived=float(n), role="other") for n in range(40)]
    found = comparable(PASSES, lambda _: [*others, row(role="other")])
    assert found is not None
    assert len(found.points) == MAX_POINTS
    assert found.left_out == 43 - MAX_POINTS
    assert sum(p.role == "subject" for p in found.points) == 1
    assert {p.value for p in found.points if p.role == "other"} == {float(n) for n in range(29, 40)}


def test_low_latencies_are_the_best_ones() -> None:
    own = row(value=5.0, unit="ms", derived=None, derived_unit=None)
    others = [replace(own, platform=f"p{n}", value=10.0 + n, role="other") for n in range(40)]
    verdict = replace(PASSES, claimed=Claimed("eq", 5.0, "ms"), evidence=(own,))
    found = comparable(verdict, lambda _: others)
    assert found is not None
    assert max(p.value for p in found.points) == 10.0 + MAX_POINTS - 2


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1197710.0, "1,197,710"),
        (16634.86111, "16,634.86"),
        (0.0, "0"),
        (-5.5, "-5.5"),
        (1.19779, "1.1978"),
        (31.5, "31.5"),
        (0.64, "0.64"),
        (1e-9, "1e-09"),
        (1e20, "1e+20"),
        (math.inf, "inf"),
        (math.nan, "nan"),
    ],
)
def test_figures_for_people(value: float, shown: str) -> None:
    assert figure(value) == shown


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("72 tokens/s ÷ 8 accelerators", "72 tokens/s ÷ 8 accelerators = 9 x"),
        ("72 ÷ 8; place 1 of 52", "72 ÷ 8 = 9 x; place 1 of 52"),
        ("72 ÷ 8 = 9 x", "72 ÷ 8 = 9 x"),
        ("9 x; place 2 of 3", "9 x; place 2 of 3"),
        ("", "9 x"),
    ],
)
def test_arithmetic_has_its_result_once(formula: str, shown: str) -> None:
    assert arithmetic(Verdict(Outcome.PASS, Reason("x", ""), computed=Computed(9.0, "x", formula))) == shown


def test_a_formula_without_a_result_stands_alone() -> None:
    assert arithmetic(Verdict(Outcome.PASS, Reason("x", ""), computed=Computed(None, "", "a ÷ b"))) == "a ÷ b"
    assert arithmetic(Verdict(Outcome.PASS, Reason("x", ""))) == ""


def test_a_caveat_that_a_part_tells_is_not_told_twice() -> None:
    both, alone = Caveat("truncated", "a"), Caveat("truncated", "b")
    part = Verdict(Outcome.PASS, Reason("x", ""), caveats=(both,))
    assert own_caveats(replace(part, caveats=(both, alone), parts=(part,))) == [alone]


def test_links_lead_into_the_results_repository_only() -> None:
    assert repository_link(row(round="training-v6.0", location="Lab/results/x")) == (
        "https://github.com/mlcommons/training_results_v6.0/tree/main/Lab/results/x"
    )
    for changes in ({"location": ""}, {"round": "mine"}, {"location": "a/../../b"}, {"location": "https://x/y"}):
        assert repository_link(row(**changes)) is None


def test_round_names() -> None:
    assert round_name("endpoints-v0.7") == "Endpoints v0.7"
    assert full_round_name("training-v5.0") == "MLPerf® Training v5.0"
    assert full_round_name("my file") == "my file"
