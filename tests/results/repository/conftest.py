"""A results repository made by the tests: invented submissions in the published layout."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mlperf_claimcheck.results.model import ResultRow

UNITS = {"Tokens/s": "tokens/s", "Samples/s": "samples/s", "Queries/s": "queries/s", "Latency (ms)": "ms"}


def summary_log(
    scenario: str,
    lines: list[str],
    *,
    estimates: dict[str, int] | None = None,
    valid: bool = True,
    percentiles: dict[str, int] | None = None,
    extra: list[str] | None = None,
) -> str:
    """A LoadGen summary log with invented figures."""
    bar = "=" * 48
    out = [
        bar,
        "MLPerf Results Summary",
        bar,
        "SUT name : Demo",
        f"Scenario : {scenario}",
        "Mode     : PerformanceOnly",
    ]
    out += lines
    out += [f"Result is : {'VALID' if valid else 'INVALID'}", "  Min duration satisfied : Yes"]
    if estimates:
        out += ["Early Stopping Result:", " * Processed at least 64 queries (5000)."]
        out += [f" * Early stopping {rank}th percentile estimate: {value}" for rank, value in estimates.items()]
    out += ["", bar, "Additional Stats", bar, *(extra or [])]
    for rank, value in (percentiles or {}).items():
        out.append(f"{rank} percentile latency (ns)   : {value}")
    out += ["", bar, "Test Parameters Used", bar, "samples_per_query : 1", ""]
    out += ["No warnings encountered during test.", "", "No errors encountered during test."]
    return "\n".join(out) + "\n"


def detail_log(entries: dict[str, object]) -> str:
    """A LoadGen detail log with the given keys."""
    return "".join(
        f':::MLLOG {{"key": "{key}", "value": {json.dumps(value) if isinstance(value, str) else value}, '
        f'"time_ms": 1.5, "metadata": {{"is_error": false}}}}\n'
        for key, value in entries.items()
    )


@dataclass
class Repo:
    """Builds a repository folder and the summary rows that belong to it."""

    root: Path
    rows: list[dict[str, Any]] = field(default_factory=list)

    def system(self, submitter: str, name: str, *, division: str = "closed", **fields: Any) -> None:
        path = self.root / division / submitter / "systems" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        described = {
            "submitter": submitter,
            "division": division,
            "status": "available",
            "system_type": "datacenter",
            "system_name": f"Demo {name}",
            "number_of_nodes": 2,
            "accelerators_per_node": "4",
            "accelerator_model_name": "Example A1",
            "host_processor_model_name": "Example C1",
            "host_processors_per_node": 2,
            "framework": "demo 1.0",
        } | fields
        path.write_text(json.dumps(described, indent=2), encoding="utf-8")

    def folder(self, submitter: str, system: str, model: str, scenario: str, division: str = "closed") -> Path:
        return self.root / division / submitter / "results" / system / model / scenario / "performance" / "run_1"

    def run(
        self,
        submitter: str,
        system: str,
        model: str,
        scenario: str,
        log: str,
        *,
        value: float | None = None,
        unit: str = "Tokens/s",
        division: str = "closed",
        published: str | None = None,
        used: str | None = None,
        detail: str | None = None,
        **row: Any,
    ) -> Path:
        """A run with its log, and its summary row where a value is given. Returns the log's path."""
        if not (self.root / division / submitter / "systems" / f"{system}.json").exists():
            self.system(submitter, system, division=division)
        folder = self.folder(submitter, system, used or model, scenario, division)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "mlperf_log_summary.txt"
        path.write_text(log, encoding="utf-8")
        if detail is not None:
            (folder / "mlperf_log_detail.txt").write_text(detail, encoding="utf-8")
        if value is not None:
            self.rows.append(
                {
                    "ID": f"5.1-{len(self.rows) + 1:04}",
                    "Submitter": submitter,
                    "Availability": "available",
                    "Category": division,
                    "Suite": "datacenter",
                    "System": f"Demo {system}",
                    "Platform": system,
                    "UsedModel": used or model,
                    "Model": model,
                    "Scenario": published or scenario,
                    "Nodes": 2,
                    "Processor": "Example C1",
                    "host_processors_per_node": 2,
                    "Accelerator": "Example A1",
                    "a#": 4,
                    "Location": f"{division}/{submitter}/results/{system}/{used or model}/{scenario}",
                    "Software": "demo 1.0",
                    "version": "v5.1",
                    "inferred": 0,
                    "weight_data_types": "fp8",
                    "Performance_Result": value,
                    "Performance_Units": unit,
                }
                | row
            )
        return path

    def write_summary(self, name: str = "summary_results.json") -> Path:
        path = self.root / name
        path.write_text(json.dumps(self.rows, indent=1), encoding="utf-8")
        return path

    def result_rows(self) -> list[ResultRow]:
        """The summary rows, normalised without the readers under test elsewhere."""
        out = []
        for index, row in enumerate(self.rows):
            each, nodes = row["a#"], row["Nodes"]
            out.append(
                ResultRow(
                    round="inference-v5.1",
                    result_id=row["ID"],
                    submitter=row["Submitter"],
                    division=row["Category"],
                    availability=row["Availability"],
                    suite=row["Suite"],
                    system=row["System"],
                    platform=row["Platform"],
                    accelerator=row["Accelerator"],
                    accelerators=each * nodes,
                    accelerators_published=each * nodes,
                    accelerators_platform=None,
                    accelerators_per_node=each,
                    nodes=nodes,
                    heterogeneous=False,
                    processor=row["Processor"],
                    processors_per_node=2,
                    model=row["Model"],
                    model_used=row["UsedModel"],
                    scenario=row["Scenario"],
                    value=row["Performance_Result"],
                    unit=UNITS[row["Performance_Units"]],
                    power=None,
                    power_unit=None,
                    data_type="fp8",
                    software="demo 1.0",
                    inferred=bool(row["inferred"]),
                    location=row["Location"],
                    index=index,
                )
            )
        return out


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository folder."""
    root = tmp_path / "inference_results_v5.1"
    root.mkdir()
    return Repo(root)


@pytest.fixture
def small_repo(repo: Repo) -> Repo:
    """One row of each kind: all match."""
    repo.run(
        "Acme",
        "A1x8",
        "llama2-70b-99",
        "Offline",
        summary_log("Offline", ["Samples per second: 120.831", "Tokens per second: 35316.7"]),
        value=35316.7,
    )
    repo.run(
        "Acme",
        "A1x8",
        "llama2-70b-99",
        "Server",
        summary_log(
            "Server",
            ["Completed samples per second    : 113.35", "Completed tokens per second: 33244.25"],
            extra=["Completed tokens per second                 : 33244.25"],
        ),
        value=33244.2,
    )
    repo.run(
        "Acme",
        "A1x8",
        "llama2-70b-99",
        "Interactive",
        summary_log("Server", ["Completed tokens per second: 21915.57"]),
        value=21915.6,
    )
    repo.run(
        "Beta",
        "B1",
        "retinanet",
        "Server",
        summary_log("Server", ["Completed samples per second    : 428.12"]),
        value=428.115,
        unit="Queries/s",
    )
    edge = {"system_type": "edge"}
    repo.system("Beta", "E1", **edge)
    stream = summary_log(
        "SingleStream",
        ["90.0th percentile latency (ns) : 513380"],
        estimates={"90.0": 513395, "99.0": 528172},
        percentiles={"90.00": 513380, "99.00": 528022},
        extra=["QPS w/ loadgen overhead         : 1945.71", "QPS w/o loadgen overhead        : 1973.57"],
    )
    repo.run(
        "Beta",
        "E1",
        "resnet",
        "SingleStream",
        stream,
        value=0.513395,
        unit="Latency (ms)",
        used="resnet50",
        Suite="edge",
    )
    repo.run(
        "Beta",
        "E1",
        "resnet",
        "multistream",
        stream,
        value=4.225376,
        unit="Latency (ms)",
        published="MultiStream",
        used="resnet50",
        Suite="edge",
        inferred=1,
    )
    repo.run(
        "Beta",
        "E1",
        "retinanet",
        "MultiStream",
        summary_log(
            "MultiStream",
            ["99.0th percentile latency (ns) : 1482562"],
            estimates={"99.0": 1482812},
            percentiles={"90.00": 1470054, "99.00": 1482562},
        ),
        value=1.482812,
        unit="Latency (ms)",
        Suite="edge",
    )
    return repo
