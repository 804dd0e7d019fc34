"""Counts pass under a counting rule that is named, and the other rules' figures are told."""

from __future__ import annotations

from typing import Any

import pytest
from placing import amount, bundled, caveat, codes, context, mi355x, row, told

from mlperf_claimcheck.checks.count import check_count
from mlperf_claimcheck.claims.assertion import Countable, CountAssertion, Selection
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.verdicts.model import Outcome, Verdict

V61 = {"rounds": ("inference-v6.1",)}
V60 = {"rounds": ("inference-v6.0",)}


def count(
    what: Countable, text: str, selection: dict[str, Any], relation: Relation = Relation.EQUAL, rows: Any = None
) -> Verdict:
    assertion = CountAssertion(Selection(**selection), what, amount(text, relation))
    return check_count(assertion, bundled() if rows is None else context(rows))


@pytest.mark.parametrize(
    ("text", "selection", "rule"),
    [
        ("30", V61, "joint entries split into their parties (30)"),
        ("33", V61, "names as published, joint entries as one (33)"),
        ("24", V60, "joint entries split into their parties (24)"),
        ("25", V60, "names as published, joint entries as one (25)"),
    ],
)
def test_submitters_of_a_round(text: str, selection: dict[str, Any], rule: str) -> None:
    verdict = count(Countable.SUBMITTERS, text, selection)
    assert told(verdict) == ("pass", "count-matches")
    assert rule in caveat(verdict, "counting-rule")
    assert "joint-entry" in codes(verdict)


@pytest.mark.parametrize(("text", "selection"), [("31", V61), ("34", V61), ("26", V60), ("22", V60)])
def test_a_count_that_no_rule_gives_fails(text: str, selection: dict[str, Any]) -> None:
    verdict = count(Countable.SUBMITTERS, text, selection)
    assert told(verdict) == ("fail", "count-differs")
    assert "joint entries split" in verdict.reason.message


def test_the_defaults_of_a_file_do_not_restrict_a_round_s_count() -> None:
    """ "30 organizations submitted" in a file with closed and available defaults speaks of the whole round."""
    defaults = {"division": "closed", "availability": "available", "suite": "datacenter", "submitters": ("coreweave",)}
    assert told(count(Countable.SUBMITTERS, "30", {**V61, **defaults})) == ("pass", "count-matches")
    assert count(Countable.SUBMITTERS, "31", {**V61, **defaults}).outcome is Outcome.FAIL


def test_a_count_that_fits_only_an_unstated_restriction_is_ambiguous() -> None:
    verdict = count(Countable.SUBMITTERS, "32", V61)
    assert told(verdict) == ("unverifiable", "ambiguous")
    assert "datacenter" in verdict.reason.message
    stated = {**V61, "suite": "datacenter", "stated": frozenset({"suite"})}
    assert count(Countable.SUBMITTERS, "32", stated).outcome is Outcome.PASS


def test_results_with_variants_once_or_twice() -> None:
    rows = [row("Dell", 1.0, model=m) for m in ("llama2-70b-99", "llama2-70b-99.9")] + [row("Dell", 2.0)]
    for text, rule in (("3", "every published row"), ("2", "two accuracy variants counted once")):
        verdict = count(Countable.RESULTS, text, {**V61, "submitters": ("dell",)}, rows=rows)
        assert verdict.outcome is Outcome.PASS
        assert rule in caveat(verdict, "counting-rule")
    assert count(Countable.RESULTS, "4", {**V61, "submitters": ("dell",)}, rows=rows).outcome is Outcome.FAIL


def test_models_with_variants_as_one() -> None:
    rows = [row("Dell", 1.0, model=m) for m in ("llama2-70b-99", "llama2-70b-99.9", "gpt-oss-120b")]
    assert count(Countable.MODELS, "2", {**V61, "submitters": ("dell",)}, rows=rows).outcome is Outcome.PASS
    assert count(Countable.MODELS, "4", {**V61, "submitters": ("dell",)}, rows=rows).outcome is Outcome.FAIL


def test_platforms_scenarios_systems() -> None:
    rows = [row("Dell", 1.0), row("Dell", 2.0, scenario="Server"), mi355x("Dell", 3.0)]
    mine = {**V61, "submitters": ("dell",)}
    for what in (Countable.PLATFORMS, Countable.SCENARIOS, Countable.SYSTEMS):
        assert count(what, "2", mine, rows=rows).outcome is Outcome.PASS
        assert count(what, "3", mine, rows=rows).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("text", "relation", "outcome"),
    [
        ("500", Relation.OVER, "pass"),
        ("520", Relation.OVER, "fail"),
        ("520", Relation.AT_LEAST, "pass"),
        ("530", Relation.NEARLY, "pass"),
        ("600", Relation.NEARLY, "fail"),
        ("510", Relation.ABOUT, "pass"),
    ],
)
def test_relations(text: str, relation: Relation, outcome: str) -> None:
    assert count(Countable.RESULTS, text, V60, relation).outcome.value == outcome


def test_unknown_group_and_missing_round() -> None:
    verdict = count(Countable.SUBMITTERS, "3", {**V61, "groups": ("our friends",)})
    assert told(verdict) == ("unverifiable", "group-unknown")
    assert told(count(Countable.SUBMITTERS, "3", {})) == ("unverifiable", "round-not-stated")


def test_evidence_is_capped() -> None:
    assert len(count(Countable.SUBMITTERS, "30", V61).evidence) <= 12
