"""Published files say the same facts in different ways; the table says each in one way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.normalise import stated_count
from mlperf_claimcheck.results.readers import parse_results, read_file
from tests.results.summary_samples import new_csv, new_json, new_row, old_file, old_row


def one_old(**changes: Any) -> Any:
    return parse_results(old_file(old_row(**changes)), "s.json").rows[0]


def one_new(**changes: Any) -> Any:
    return parse_results(new_csv(new_row(**changes)), "s.csv").rows[0]


def test_json_row_is_normalised() -> None:
    row = one_old()
    assert (row.round, row.result_id, row.division, row.model, row.model_used) == (
        "inference-v4.1", "4.1-0001", "closed", "resnet", "resnet50",
    )  # fmt: skip
    assert (row.accelerators, row.accelerators_published, row.accelerators_platform) == (8, 8, 8)
    assert (row.value, row.unit, row.scenario) == (1000.5, "samples/s", "Offline")


def test_csv_and_object_json_give_the_same_rows() -> None:
    assert parse_results(new_csv(), "s").rows == parse_results(new_json(), "s").rows
    row = one_new()
    assert (row.result_id, row.model, row.model_used, row.scenario) == (None, "llama3.1-8b", "llama3_1-8b", "Offline")
    assert row.location == "closed/Acme/results/Rack/llama3_1-8b/offline/performance/run_1"
    assert not row.inferred, "a datacenter result cannot be inferred, whatever the file's flag says"


def test_rows_of_an_object_are_in_the_order_of_their_numbers() -> None:
    data = json.dumps({str(i): new_row(Result=str(float(i))) for i in (10, 2, 1)}).encode()
    assert [r.value for r in parse_results(data, "s").rows] == [1.0, 2.0, 10.0]


@pytest.mark.parametrize(
    ("directory", "mapped", "division", "model"),
    [
        ("qwen3-vl-235b-a22b", "VLM", "closed", "qwen3-vl-235b-a22b"),
        ("wan-2.2-t2v-a14b", "text_to_video", "closed", "wan-2.2-t2v-a14b"),
        ("e2e-rag-db", "end to end vector-database", "closed", "e2e-rag-db"),
        ("own-name", "agentic edge", "open", "qwen3.6-27b"),
        ("gpt-oss-120b", "resnet", "open", "resnet"),
    ],
)
def test_closed_model_is_the_directory_and_open_model_the_mapping(
    directory: str, mapped: str, division: str, model: str
) -> None:
    row = one_new(Model=directory, MlperfModel=mapped, Division=division)
    assert (row.model, row.model_used) == (model, directory)


@pytest.mark.parametrize(
    ("name", "total", "used", "mixed"),
    [
        ("AMD X (x87)", "88", 87, False),
        ("AMD X (x32), AMD Y (x16)", "48", 48, True),
        ("AMD X (x2x8) and AMD Y (x2x8)", "32", 32, True),
        ("NVIDIA X + AMD Y", "16", 16, True),
        ("N/A", "0", 0, False),
        ("", "", 0, False),
    ],
)
def test_count_in_the_accelerators_own_name_decides(name: str, total: str, used: int, mixed: bool) -> None:
    per_node = "" if not total else "8"
    row = one_new(accelerator_model_name=name, total_accelerators=total, accelerators_per_node=per_node)
    assert (row.accelerators, row.heterogeneous) == (used, mixed)


def test_unknown_count_is_none_not_zero() -> None:
    assert one_old(**{"a#": ""}).accelerators is None


@pytest.mark.parametrize(
    ("platform", "count"),
    [
        ("8xMI300X_2xEPYC", 8), ("9x8xMI355X_2xEPYC", 72), ("Rack_288GB_aarch64x72_TRT", 72), ("XE8640_4xH100_vLLM", 4),
        ("XE9712x18", None), ("GB300-NVL72", None), ("1-node-2S-Xeon", None), ("2xEPYC_9575F", None),
    ],
)  # fmt: skip
def test_platform_count_only_where_it_is_clear(platform: str, count: int | None) -> None:
    assert stated_count(platform, "", count) == count


def test_the_name_that_contradicts_the_count_is_kept() -> None:
    assert stated_count("aarch64x288_TRT", "GB300 NVL72 (72x GB300-288GB)", 288) == 72


def test_inferred_needs_edge_a_scenario_that_can_be_and_the_flag() -> None:
    assert one_old(Suite="edge", Scenario="MultiStream", inferred=1).inferred
    assert not one_old(Suite="edge", Scenario="SingleStream", inferred=1).inferred
    assert not one_old(Suite="edge", Scenario="MultiStream", inferred=0).inferred


def test_power_units() -> None:
    assert (one_old(Power_Result=10.5, Power_Units="Watts").power_unit) == "W"
    assert (one_old(Power_Result=3, Power_Units="millijoules").power_unit) == "mJ"
    assert one_old().power is None


def test_unknown_spellings_are_warned_of_and_kept_as_published() -> None:
    read = parse_results(old_file(old_row(Scenario="Batch", Performance_Units="Frames/s", Extra=1)), "s.json")
    assert (read.rows[0].scenario, read.rows[0].unit) == ("Batch", "frames/s")
    assert len(read.warnings) == 3
    assert any("'Extra'" in w for w in read.warnings)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (old_file(old_row(Performance_Result="fast")), "row 1: Performance_Result / Result is 'fast', a number"),
        (old_file(old_row(Performance_Result="NaN")), "a number was expected"),
        (old_file(old_row(), old_row(Submitter="")), "row 2: Submitter / Organization is empty"),
        (new_csv({k: v for k, v in new_row().items() if k != "Units"}), "row 1, line 2: has no column"),
        (old_file(old_row(Category="sealed")), "division is 'sealed'"),
        (old_file()[:-20], "is not valid JSON"),
        (new_csv() + b"Acme,available\n", "has 2 cells"),
        (b"<!DOCTYPE html><html>", "is a web page"),
        (b"[]", "holds no rows"),
        (b"", "header was expected"),
        (b"\xff\xfe", "is not UTF-8"),
        (b'{"a": 1}', "numbered rows"),
        (b"[1]", "row 1: an object"),
        (b"[" * 100_000, "is not valid JSON"),
    ],
)
def test_damaged_files_are_refused_with_the_place(data: bytes, words: str) -> None:
    with pytest.raises(ResultsError, match=r"^s\.file") as error:
        parse_results(data, "s.file")
    assert words in str(error.value)


def test_a_file_of_another_round_is_refused() -> None:
    with pytest.raises(ResultsError, match=r"belongs to inference-v4\.1, inference-v6\.1 was expected"):
        parse_results(old_file(), "s", round_id="inference-v6.1")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"absent\.csv: cannot be read"):
        read_file(tmp_path / "absent.csv")


def test_a_warning_is_given_once_with_its_rows() -> None:
    """A round that spells a unit anew must not bury its reader in one line per row."""
    read = parse_results(old_file(*[old_row(Performance_Units="Frames/s")] * 5), "s.json")
    assert read.warnings == ("s.json: unit 'Frames/s' is not known (row 1 and 4 more)",)


@pytest.mark.parametrize("shown", ["eight", "-8", "8.5", "1_0", "1e99", "inf"])
def test_a_count_that_is_none_is_reported_and_unknown(shown: str) -> None:
    read = parse_results(old_file(old_row(**{"a#": shown})), "s.json")
    assert read.rows[0].accelerators is None
    assert "is no count (row 1); it was taken as unknown" in read.warnings[0]


@pytest.mark.parametrize(("shown", "count"), [(8, 8), (8.0, 8), ("8", 8), ("8.0", 8), (" 8 ", 8)])
def test_counts_may_be_numbers_or_text(shown: Any, count: int) -> None:
    assert one_old(**{"a#": shown}).accelerators == count


def test_an_unknown_suite_and_power_unit_are_reported() -> None:
    read = parse_results(old_file(old_row(Suite="cloud", Power_Result=1, Power_Units="horses")), "s.json")
    assert read.rows[0].power is None
    assert [w.partition(" is not known")[0] for w in read.warnings] == [
        "s.json: suite 'cloud'",
        "s.json: power unit 'horses'",
    ]


@pytest.mark.parametrize(
    ("shown", "software"),
    [
        ("TensorRT 10.2, CUDA 12.4", "TensorRT 10.2, CUDA 12.4"),
        ("vLLM 0.2 (a remark)  , X", "vLLM 0.2, X"),
        ("TODO", ""),
    ],
)
def test_software_is_names_and_versions(shown: str, software: str) -> None:
    assert one_old(Software=shown).software == software


def test_a_hostile_file_is_an_error_with_a_bounded_message() -> None:
    for data in (
        json.dumps([old_row() | {"x" * 100_000: 1}]).encode(),
        json.dumps([old_row(Performance_Result="9" * 100_000)]).encode(),
        json.dumps({"9" * 5_000: new_row()}).encode(),
        json.dumps([old_row(Submitter=["a"])]).encode(),
        b'[{"a": 1, "a": 2}]',
        b"a,b\n" + b'"' + b"x" * 200_000,
    ):
        try:
            said = "".join(parse_results(data, "s.file").warnings)
        except ResultsError as error:
            said = str(error)
        assert 0 < len(said) < 600


def test_a_quoted_cell_may_hold_line_breaks() -> None:
    read = parse_results(new_csv(new_row(notes="one\ntwo, three"), new_row(Result="5")), "s.csv")
    assert [r.value for r in read.rows] == [7200.0, 5.0]
