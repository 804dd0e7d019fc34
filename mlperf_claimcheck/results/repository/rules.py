"""Which line of a log holds the published figure, by model, scenario and round."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from mlperf_claimcheck.files import packaged_yaml

Print = Literal["general", "fixed", "exact"]

SCENARIOS = ("Offline", "Server", "Interactive", "SingleStream", "MultiStream")
_SCENARIO_BY_NAME = {name.lower(): name for name in SCENARIOS}

NS_PER = {"ms": Decimal(1_000_000), "s": Decimal(1_000_000_000)}


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a figure stands in the logs, and what it means."""

    summary: tuple[str, ...]
    """Labels in `mlperf_log_summary.txt`, any of which may hold it."""
    detail: str
    """Key in `mlperf_log_detail.txt`."""
    unit: str
    print: Print
    early_stopping: bool = False
    """The figure is an early-stopping estimate, printed in the section of that name."""
    latency: bool = False
    """Given in nanoseconds in the log."""
    factor: int = 1
    inverse: int | None = None
    """The figure is `inverse` ÷ the log's value (in ms)."""
    inferred: str | None = None
    """For a result that is inferred from another scenario's run: the rule in words."""


@cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = packaged_yaml("mlperf_claimcheck.results.repository", "metrics.yaml")
    return tables


def scenario_name(name: str) -> str | None:
    """The scenario that a folder or a log names, in the usual spelling; None if it is none."""
    return _SCENARIO_BY_NAME.get(name.strip().lower().replace("_", "").replace("-", ""))


def canonical_model(directory: str, mapping: dict[str, str] | None = None) -> str:
    """The benchmark that a model directory belongs to.

    The submitter's own `model_mapping.json` decides where it names the directory, then the table of known spellings.
    A directory that neither knows stands for itself.
    """
    aliases: dict[str, str] = _tables()["aliases"]
    name = (mapping or {}).get(directory, directory)
    low = name.strip().lower()
    return aliases.get(low, low)


def figure_rule(model: str, scenario: str, round_id: str | None = None) -> Rule | None:
    """Where the figure of a measured result stands. `scenario` is the published one; None for an unknown scenario."""
    tables = _tables()
    run = "Server" if scenario == "Interactive" else scenario
    entry: dict[str, Any] = tables["models"].get(model, {})
    special = entry.get(run)
    if special is None and run in tables["latency"]:
        special = tables["latency"][run]
    if special is None:
        kind = entry.get("kind", "samples")
        for exception in tables["exceptions"]:
            if round_id in exception["rounds"] and model in exception["models"] and run in exception["scenarios"]:
                kind = exception["kind"]
        special = tables["kinds"][kind].get(run)
    if special is None:
        return None
    latency = run in tables["latency"]
    if "percentile" in special:
        return Rule(
            summary=(f"Early stopping {special['percentile']}th percentile estimate",),
            detail=special["detail"],
            unit=special["unit"],
            print="exact",
            early_stopping=True,
            latency=True,
        )
    return Rule(
        summary=tuple(special["summary"]),
        detail=special["detail"],
        unit=special["unit"],
        print=special["print"],
        latency=latency,
    )


def inferred_rule(run_scenario: str, scenario: str) -> Rule | None:
    """How a result of `scenario` is inferred from a run of `run_scenario`; None where the rules allow no such thing."""
    for entry in _tables()["inferred"]:
        if entry["from"] != run_scenario or entry["to"] != scenario:
            continue
        if "percentile" in entry:
            return Rule(
                summary=(f"Early stopping {entry['percentile']}th percentile estimate",),
                detail=entry["detail"],
                unit="ms",
                print="exact",
                early_stopping=True,
                latency=True,
                factor=entry["factor"],
                inferred=entry["rule"],
            )
        inverse = run_scenario == "MultiStream"
        return Rule(
            summary=tuple(entry["summary"]),
            detail=entry["detail"],
            unit="samples/s",
            print="exact" if inverse else "fixed",
            latency=inverse,
            inverse=8000 if inverse else None,
            inferred=entry["rule"],
        )
    return None
