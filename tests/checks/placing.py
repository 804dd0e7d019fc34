"""Small tables and short-hands for the tests of records, counts, coverage, status and extent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any

from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.claims.assertion import Amount, Selection
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation
from mlperf_claimcheck.results.corrections import Corrections
from mlperf_claimcheck.results.load import load_results
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.table import ResultsTable
from mlperf_claimcheck.verdicts.model import Verdict
from mlperf_claimcheck.vocabulary import load_vocabulary

ROUND = "inference-v6.1"


def number(text: str, quantum: str = "1") -> PrintedNumber:
    return PrintedNumber(Decimal(text.replace(",", "")), Decimal(quantum), text)


def amount(text: str, relation: Relation = Relation.EQUAL, quantum: str = "1") -> Amount:
    return Amount(number(text, quantum), relation)


def row(submitter: str, value: float, **changes: Any) -> ResultRow:
    """An 8-GPU B200 result of GPT-OSS-120B Offline; anything may be changed."""
    count = changes.get("accelerators", 8)
    fields: dict[str, Any] = {
        "round": ROUND,
        "result_id": None,
        "submitter": submitter,
        "division": "closed",
        "availability": "available",
        "suite": "datacenter",
        "system": f"{submitter} {count}x B200-SXM-180GB",
        "platform": f"{submitter}-{count}xB200",
        "accelerator": "NVIDIA B200-SXM-180GB",
        "accelerators": 8,
        "accelerators_published": count,
        "accelerators_platform": None,
        "accelerators_per_node": 8,
        "nodes": 1,
        "heterogeneous": False,
        "processor": "Intel Xeon",
        "processors_per_node": 2,
        "model": "gpt-oss-120b",
        "model_used": "gpt-oss-120b",
        "scenario": "Offline",
        "value": value,
        "unit": "tokens/s",
        "power": None,
        "power_unit": None,
        "data_type": "fp4",
        "software": "TensorRT-LLM",
        "inferred": False,
        "location": f"closed/{submitter}/results/x/gpt-oss-120b/Offline",
    }
    fields.update(changes)
    return ResultRow(**fields)


def gb300(submitter: str, value: float, count: int = 72, **changes: Any) -> ResultRow:
    return row(
        submitter,
        value,
        **{
            "system": f"{submitter} GB300 NVL72 ({count}x GB300-288GB_aarch64)",
            "platform": f"{submitter}-GB300-NVL72_GB300-288GB_aarch64x{count}",
            "accelerator": "NVIDIA GB300",
            "accelerators": count,
            "accelerators_per_node": 4,
            "nodes": count // 4,
            **changes,
        },
    )


def mi355x(submitter: str, value: float, count: int = 8, **changes: Any) -> ResultRow:
    return row(
        submitter,
        value,
        **{
            "system": f"{submitter} {count}x MI355X",
            "platform": f"{count}xMI355X_2xEPYC_9575F",
            "accelerator": "AMD Instinct MI355X 288GB HBM3e",
            "accelerators": count,
            "nodes": max(1, count // 8),
            **changes,
        },
    )


def chosen(**changes: Any) -> Selection:
    """GPT-OSS-120B Offline in the round; the subject or the scope is added."""
    fields: dict[str, Any] = {"rounds": (ROUND,), "models": ("gpt-oss-120b",), "scenarios": ("Offline",)}
    fields.update(changes)
    return Selection(**fields)


def codes(verdict: Verdict) -> set[str]:
    return {caveat.code for caveat in verdict.caveats}


def caveat(verdict: Verdict, code: str) -> str:
    """The text of all caveats with this code."""
    return " ".join(c.message for c in verdict.caveats if c.code == code)


def told(verdict: Verdict) -> tuple[str, str]:
    return verdict.outcome.value, verdict.reason.code


def numbered(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows with a position of their own, as a table gives them."""
    return [replace(r, index=place) for place, r in enumerate(rows)]


def context(
    rows: Sequence[ResultRow],
    groups: Mapping[str, tuple[str, ...]] | None = None,
    corrections: Corrections | None = None,
) -> CheckContext:
    """A table of these rows and nothing else."""
    by_round: dict[str, list[ResultRow]] = {}
    for r in sorted(numbered(rows), key=lambda r: r.round):
        by_round.setdefault(r.round, []).append(r)
    return CheckContext(ResultsTable(by_round), load_vocabulary(), corrections or Corrections(), groups or {})


@cache
def _published() -> ResultsTable:
    return load_results(use_cache=False)


def bundled(groups: Mapping[str, tuple[str, ...]] | None = None) -> CheckContext:
    """The table that the package brings."""
    return CheckContext(_published(), load_vocabulary(), Corrections(), groups or {})
