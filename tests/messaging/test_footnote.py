"""A ready footnote holds every part that the linter asks for."""

from __future__ import annotations

from datetime import date

import pytest

from mlperf_claimcheck.claims.documents import read_document
from mlperf_claimcheck.messaging import footnote_for, lint_document
from mlperf_claimcheck.verdicts.model import Evidence


def row(**changes: object) -> Evidence:
    values: dict[str, object] = {
        "round": "inference-v6.0",
        "result_id": "6.0-0042",
        "submitter": "Example",
        "system": "Example B200",
        "platform": "b200",
        "accelerator": "NVIDIA B200",
        "accelerators": 8,
        "nodes": 1,
        "model": "llama2-70b-99",
        "scenario": "Offline",
        "division": "closed",
        "availability": "available",
        "suite": "datacenter",
        "value": 12345.0,
        "unit": "tokens/s",
        "location": "closed/Example",
    }
    values.update(changes)
    return Evidence(**values)  # type: ignore[arg-type]


def lint(main: str, note: str) -> list[tuple[str, str]]:
    document = read_document("a.md", f"{main}[^1]\n\n[^1]: {note}\n".encode())
    return [(f.rule, f.message) for f in lint_document(document)]


def test_a_primary_result() -> None:
    note = footnote_for([row()], date(2026, 4, 20), derived=False)
    assert "MLPerf® v6.0 Inference Closed: llama2-70b-99 Offline, entry 6.0-0042" in note
    assert "20 April 2026" in note
    assert "not verified" not in note
    main = (
        "Example Cloud achieved 12,345 tokens/s in Llama 2 70B Offline of MLPerf® Inference v6.0 Closed on 8 B200 GPUs."
    )
    assert lint(main, note) == []


def test_a_derived_figure() -> None:
    note = footnote_for([row()], "2026-04-20", derived=True)
    assert "divided by its 8 accelerators" in note
    assert "Result not verified by MLCommons Association." in note
    main = (
        "Example Cloud achieved 1,543 tokens/s per GPU (unverified), 12,345 divided by 8 GPUs, in Llama 2 70B "
        "Offline of MLPerf® Inference v6.0 Closed on 8 B200 GPUs."
    )
    assert lint(main, note) == []


def test_a_comparison_of_rounds() -> None:
    old = row(round="inference-v5.1", result_id="5.1-0017", accelerators=72)
    note = footnote_for([row(), old], date(2026, 4, 20), derived=True)
    assert "MLPerf® v5.1 Inference Closed" in note
    assert "72 accelerators" in note
    main = (
        "Example Cloud is 2.0x faster (unverified) in MLPerf® Inference v6.0 with 8 GPUs than in v5.1 with 72 GPUs, "
        "both Closed, Llama 2 70B Offline."
    )
    assert lint(main, note) == []


def test_a_round_without_ids_says_where_to_put_it() -> None:
    note = footnote_for([row(round="inference-v6.1", result_id=None)], date(2026, 9, 20), derived=False)
    assert "[add the result ID" in note


def test_names_from_files_cannot_break_the_footnote() -> None:
    rows = [row(submitter="Evil\n\x1b[31m<script>"), row(result_id="6.0-0043")]
    note = footnote_for(rows, date(2026, 4, 20), derived=False)
    assert not any(c in note for c in "\n\x1b<>")


def test_no_rows_are_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        footnote_for([], date(2026, 4, 20), derived=False)
