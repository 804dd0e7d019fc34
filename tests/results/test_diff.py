"""Two versions of a round: what came, went, changed or was renamed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mlperf_claimcheck.results.diff import ChangeKind, DiffError, diff_rows, verdict_changes
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Outcome, Reason, Verdict

SHARED = Path(__file__).parents[3] / "shared" / "results"


def row(**fields: object) -> ResultRow:
    base = ResultRow(
        round="inference-v5.1",
        result_id="5.1-0001",
        submitter="Acme",
        division="closed",
        availability="available",
        suite="datacenter",
        system="Acme One",
        platform="one-8x",
        accelerator="A1",
        accelerators=8,
        accelerators_published=8,
        accelerators_platform=None,
        accelerators_per_node=8,
        nodes=1,
        heterogeneous=False,
        processor="C1",
        processors_per_node=2,
        model="retinanet",
        model_used="retinanet",
        scenario="Offline",
        value=1000.5,
        unit="samples/s",
        power=None,
        power_unit=None,
        data_type="fp8",
        software="s 1.0",
        inferred=False,
        location="",
    )
    changed = replace(base, **fields)  # type: ignore[arg-type]
    place = f"{changed.division}/{changed.submitter}/results/{changed.platform}/{changed.model_used}/{changed.scenario}"
    return replace(changed, location=place)


def test_equal_versions_have_no_changes_wherever_the_rows_stand() -> None:
    rows = [row(), row(scenario="Server", index=1)]
    diff = diff_rows(rows, [replace(rows[1], index=0), replace(rows[0], index=1)])
    assert diff.changes == ()
    assert (diff.rows_before, diff.rows_after) == (2, 2)


def test_added_removed_and_changed_rows_are_told_apart() -> None:
    before = [row(), row(scenario="Server", value=900.0)]
    after = [row(value=1000.6, power=5.5), row(platform="two", system="Two", result_id="5.1-0009", value=4.0)]
    diff = diff_rows(before, after)
    assert [(c.kind, [f.name for f in c.fields]) for c in diff.changes] == [
        (ChangeKind.ADDED, []),
        (ChangeKind.REMOVED, []),
        (ChangeKind.CHANGED, ["value", "power"]),
    ]
    assert diff.values_changed == 1
    assert diff.counts == {"added": 1, "removed": 1, "changed": 1, "renamed": 0}
    json.dumps(diff.to_dict())


def test_a_row_under_another_name_is_a_rename() -> None:
    before = [row(), row(model="rgat", model_used="rgat", value=5.0)]
    after = [
        row(submitter="Acme_Beta", platform="v-one"),
        row(model="rgat", model_used="rgat", value=5.0),
    ]
    (change,) = diff_rows(before, after).changes
    assert change.kind is ChangeKind.RENAMED
    assert [f.name for f in change.fields] == ["submitter", "platform", "location"]


def test_an_equal_figure_of_an_unlike_system_is_no_rename() -> None:
    other = row(
        submitter="Beta",
        platform="b",
        system="B",
        accelerator="B9",
        accelerators_published=2,
        nodes=2,
        result_id=None,
        software="t",
        model_used="net",
    )
    assert {c.kind for c in diff_rows([row()], [other]).changes} == {ChangeKind.ADDED, ChangeKind.REMOVED}


def test_of_several_equal_figures_the_most_alike_are_paired() -> None:
    before = [row(platform="a", system="A"), row(platform="b", system="B")]
    after = [row(platform="b2", system="B"), row(platform="a2", system="A")]
    diff = diff_rows(before, after)
    assert sorted((c.before.platform, c.after.platform) for c in diff.changes if c.before and c.after) == [
        ("a", "a2"),
        ("b", "b2"),
    ]


def test_several_rows_of_one_key_are_paired_by_likeness() -> None:
    before = [row(suite="datacenter", value=1.0), row(suite="edge", value=2.0)]
    after = [row(suite="edge", value=2.0), row(suite="datacenter", value=1.5)]
    (change,) = diff_rows(before, after).changes
    assert [(f.name, f.before, f.after) for f in change.fields] == [("value", 1.0, 1.5)]


def test_rounds_of_one_side_only_are_named_not_compared() -> None:
    diff = diff_rows([row(), row(round="inference-v6.0")], [row()])
    assert (diff.changes, diff.only_before, diff.rounds) == ((), ("inference-v6.0",), ("inference-v5.1",))
    with pytest.raises(DiffError, match=r"inference-v6\.0"):
        diff_rows([row()], [row(round="inference-v6.0")])


def test_claims_whose_verdict_changes_are_listed() -> None:
    def verdict(id: str, outcome: Outcome, code: str) -> Verdict:
        return Verdict(outcome, Reason(code, f"because {code}"), id=id, file="a.yaml", line=3)

    first = [verdict("x", Outcome.PASS, "value-matches"), verdict("y", Outcome.PASS, "value-matches")]
    second = [verdict("x", Outcome.PASS, "value-matches"), verdict("y", Outcome.FAIL, "value-differs")]
    (change,) = verdict_changes(first, second)
    assert (change.id, change.before, change.after) == ("y", Outcome.PASS, Outcome.FAIL)
    assert change.after_reason == "because value-differs"
    assert [c.after for c in verdict_changes(first, second[:1])] == [None]
