"""Rows by name: known names as such, others as a part of a name; the best only among what may be compared."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.query import Query, best, divided, matching, unmatched
from mlperf_claimcheck.results.readers import parse_results
from mlperf_claimcheck.vocabulary import load_vocabulary
from tests.results.summary_samples import new_csv, new_row, old_file, old_row

VOCABULARY = load_vocabulary()


def table(*changes: dict[str, str]) -> tuple[ResultRow, ...]:
    return parse_results(new_csv(*[new_row(**c) for c in changes]), "s").rows


SYSTEMS = table(
    {"accelerator_model_name": "NVIDIA B200-SXM-180GB", "Platform": "B200-SXM-180GBx8_TRT", "SystemName": "One"},
    {
        "accelerator_model_name": "NVIDIA GB200",
        "Platform": "GB200-NVL72_GB200-186GB_aarch64x4_TRT",
        "SystemName": "Two",
    },
    {
        "accelerator_model_name": "NVIDIA GB300",
        "Platform": "GB300-NVL72_GB300-288GB_aarch64x4_TRT",
        "SystemName": "Three",
    },
)


@pytest.mark.parametrize(
    ("asked", "found"),
    [("B200", ["One"]), ("GB200", ["Two"]), ("gb300 nvl72", ["Three"]), ("aarch64", ["Two", "Three"]), ("tw", ["Two"])],
)
def test_a_known_name_is_not_found_inside_another(asked: str, found: list[str]) -> None:
    assert [r.system for r in matching(SYSTEMS, Query(system=asked), VOCABULARY)] == found


def test_models_and_submitters_in_any_spelling() -> None:
    rows = table(
        {"Model": "gpt-oss-120b", "MlperfModel": "gpt-oss-120b", "Organization": "Dell_MangoBoost"},
        {"Model": "llama2-70b-99.9", "MlperfModel": "llama2-70b-99.9", "Organization": "Acme"},
    )

    def indexes(**asked: str) -> list[int]:
        return [r.index for r in matching(rows, Query(**asked), VOCABULARY)]

    assert indexes(model="GPT OSS 120B") == [0]
    assert indexes(model="Llama 2 70B") == [1]
    assert indexes(model="llama") == [1]
    assert indexes(submitter="dell technologies") == [0], "a joint entry belongs to each of its parties"
    assert indexes(submitter="acm") == [1]
    assert indexes(model="gpt-oss-120b", submitter="Acme") == []


def test_what_matches_nothing_is_told_with_the_nearest_names() -> None:
    (part,) = unmatched(SYSTEMS, Query(submitter="Acne", system="GB300"), VOCABULARY)
    assert (part.name, part.asked, part.nearest) == ("submitter", "Acne", ("Acme",))


def test_divided() -> None:
    (row,) = table({"Result": "720", "total_accelerators": "72", "number_of_nodes": "18"})
    assert (divided(row, "system"), divided(row, "accelerator"), divided(row, "node")) == (720.0, 10.0, 40.0)
    (mixed,) = table({"accelerator_model_name": "A X (x36) and B Y (x36)"})
    assert divided(mixed, "accelerator") is None
    (cpu,) = table({"accelerator_model_name": "N/A", "accelerators_per_node": "0", "total_accelerators": "0"})
    assert divided(cpu, "accelerator") is None
    (latency,) = table({"Units": "Latency (ms)", "Scenario": "SingleStream"})
    assert divided(latency, "accelerator") is None


def test_best_is_highest_throughput_lowest_latency_and_stable() -> None:
    rows = table(*({"Result": r} for r in ("1", "3", "3", "2")))
    assert [r.index for r in best(rows, 3, "system")] == [1, 2, 3]
    slow = table(*({"Result": r, "Units": "Latency (s)", "Scenario": "SingleStream"} for r in ("5", "4")))
    assert [r.value for r in best(slow, 1, "system")] == [4.0]


def test_best_never_compares_what_may_not_be_compared() -> None:
    rows = table({"Result": "1"}, {"Result": "2", "Division": "open"}, {"Result": "3", "SystemType": "edge"})
    assert {r.value for r in best(rows, 1, "system")} == {1.0, 2.0, 3.0}
    power = old_row(Performance_Result=9.0, Power_Result=1.0, Power_Units="Watts")
    both = parse_results(old_file(old_row(Performance_Result=8.0), power), "s").rows
    assert {r.value for r in best(both, 1, "system")} == {8.0, 9.0}


def test_of_times_to_train_the_shortest_is_the_best() -> None:
    from dataclasses import replace

    row = table({})[0]
    rows = [replace(row, unit="min", value=value, index=n) for n, value in enumerate((12.0, 10.0, 11.0))]
    assert [r.value for r in best(rows, 2, "system")] == [10.0, 11.0]
    assert divided(rows[0], "accelerator") is None
