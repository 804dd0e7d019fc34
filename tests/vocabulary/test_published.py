"""The names in the real results tables are all known."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from mlperf_claimcheck.vocabulary import load_vocabulary

from .rows import FakeRow

V = load_vocabulary()
SHARED = Path(__file__).resolve().parents[3] / "shared" / "results"


def _count(value: Any) -> int | None:
    return int(float(value)) if str(value).strip() not in ("", "None", "N/A") else None


def _published() -> list[tuple[str, FakeRow]]:
    if not SHARED.is_dir():
        pytest.skip("the published results (../shared/results) are not here")
    rows = []
    for path in sorted(SHARED.glob("*.json")):
        for e in json.loads(path.read_text(encoding="utf-8")):
            count = _count(e.get("Total Accelerators", e["a#"]))
            names = (e["Accelerator"] or "", e["System"], e["Platform"], e["Processor"])
            rows.append((e["Model"], FakeRow(*names, count, e["Nodes"], e["Submitter"])))
    for path in sorted(SHARED.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for e in csv.DictReader(file):
                names = (e["accelerator_model_name"], e["SystemName"], e["Platform"], e["host_processor_model_name"])
                counts = (_count(e["total_accelerators"]), _count(e["number_of_nodes"]))
                model = e["Model"] if e["Division"] == "closed" else e["MlperfModel"]
                rows.append((model, FakeRow(*names, *counts, e["Organization"])))
    return rows


def test_every_row_has_known_hardware() -> None:
    unknown = {row for _, row in _published() if not any(V.hardware[h].kind != "family" for h in V.classify(row))}
    assert unknown == set()


def test_every_submitter_is_known() -> None:
    assert {p for _, row in _published() for p in V.parties(row.submitter)} <= set(V.submitters)


def test_every_model_is_known() -> None:
    assert {m for m, _ in _published() if V.find_model(m) is None} == set()


def test_accelerator_kinds_of_a_row_are_those_its_own_accelerator_name_states() -> None:
    for _, row in _published():
        kinds = {h for h in V.classify(row) if V.hardware[h].kind == "accelerator"}
        mixed = any(mark in row.accelerator for mark in (" and ", "+", "), "))
        if mixed:
            assert len(kinds) > 1, row
            continue
        none = not row.accelerators and row.accelerator in ("", "N/A")
        assert len(kinds) == (0 if none else 1), row
