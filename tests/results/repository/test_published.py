"""Lines of rows in summary files."""

from __future__ import annotations

import json

import pytest

from mlperf_claimcheck.results.repository.published import row_lines


def test_rows_of_an_array_begin_where_their_brace_stands() -> None:
    text = json.dumps([{"a": 1}, {"a": {"b": [1, 2]}}, {"a": "}\n{"}], indent=1)
    assert [text.splitlines()[n - 1] for n in row_lines(text)] == [" {"] * 3
    assert row_lines(json.dumps([{"a": 1}, {"a": 2}])) == [1, 1]


def test_rows_of_an_object_begin_at_their_value() -> None:
    assert row_lines('{"0": {"a": 1},\n "1": {\n"a": 2}\n}') == [1, 2]


def test_rows_of_a_table_begin_after_the_header_also_with_line_breaks_in_cells() -> None:
    assert row_lines('a,b\n1,"x\ny"\n2,z\n\n3,w\n') == [2, 4, 6]


@pytest.mark.parametrize("text", ["", "[", "[{]", "{1}", "[" * 100_000])
def test_a_damaged_file_has_no_lines(text: str) -> None:
    assert row_lines(text) in ([], [1])
