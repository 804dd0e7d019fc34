"""Endpoints results made by the tests, in both published layouts, with figures of our own around one known result."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PEAK = 16384
CONCURRENCIES = (1, 16, 64, 512, 1024, 4096, PEAK)
WITHOUT_ACCURACY = (512, 4096)
"""Further points of a region: one in each is measured for accuracy."""
SECONDS = 1500
PEAK_TPS = 441_740
TTFT_P95_MS = 5770.0


def tps_at(concurrency: int) -> int:
    """A rising throughput that ends at the known one."""
    return round(PEAK_TPS * (concurrency / PEAK) ** 0.5)


NODE = {
    "system_node_ensemble_id": 1,
    "number_of_nodes": 17,
    "host_processor_core_count": 72,
    "host_memory_configuration": "16x 60 GB",
    "host_network_card_count": "4",
    "driver": "1.0",
    "filesystem": "ext4",
    "cooling": "liquid",
}


@dataclass
class Bundle:
    """Writes one curve."""

    root: Path
    node: dict[str, Any] = field(default_factory=lambda: copy.deepcopy(NODE))
    system: dict[str, Any] = field(default_factory=dict)
    point: dict[str, Any] = field(default_factory=dict)
    summary: dict[str, Any] = field(default_factory=dict)
    """Fields to change in every file of the kind."""

    def write_v07(self, organisation: str = "Acme", *, pareto: bool = False) -> Path:
        """The published v0.7 form; with `pareto` the one that the checker of the time took."""
        if pareto:
            home = self.root / organisation
            folder, systems = home / "pareto" / "rack" / "deepseek-r1", home / "systems"
        else:
            folder = self.root / organisation / "rack" / "DeepSeek-R1"
            systems = folder / "systems"
        systems.mkdir(parents=True)
        described = {
            "submitter_org_names": organisation,
            "system_name": "Demo rack",
            "system_availability_status": "Available",
            "model_name": "deepseek-ai/DeepSeek-R1",
            "dataset_name": "Demo set",
            "division": "Standardized",
            "node_types": [{**self.node, "accelerators_per_node": "4", "accelerator_model_name": "Example A1"}],
        }
        (systems / "rack.json").write_text(json.dumps(described | self.system, indent=1))
        for concurrency in CONCURRENCIES:
            results = folder / "results" / f"point_{concurrency}"
            results.mkdir(parents=True)
            tps = tps_at(concurrency)
            metadata = {
                "concurrency": concurrency,
                "system_tps": str(tps),
                "tps_per_user": tps / concurrency,
                "qps": 100.5,
                "ttft": 1.0,
                "measured_total_requests": 80208,
                "measured_total_requests_issued": 80208,
                "measured_total_requests_failed": 0,
                "measured_run_duration": SECONDS,
                "measured_total_output_tokens": tps * SECONDS,
                "measured_latency_ttft_p50": 900.0,
                "measured_latency_ttft_p95": str(TTFT_P95_MS if concurrency == PEAK else 1000.0 + concurrency),
                "measured_latency_tpot_p95": 45.5,
            }
            (results / "run_metadata.json").write_text(json.dumps(metadata | self.summary, indent=1))
            points = folder / "points"
            points.mkdir(exist_ok=True)
            (points / f"point_{concurrency}.yaml").write_text("region: high_throughput\n")
        return folder

    def write_v10(self, organisation: str = "Acme", submission: str = "0001-demo") -> Path:
        """A v1.0 bundle that the official checker takes."""
        home = self.root / organisation / submission
        (home / "src" / "vllm").mkdir(parents=True)
        (home / "src" / "vllm" / "README.md").write_text("How the demo was run.\n")
        (home / "docs").mkdir()
        (home / "docs" / "README.md").write_text("The demo.\n")
        folder = home / "results" / "rack" / "deepseek-r1"
        folder.mkdir(parents=True)
        watts = {"value_w": 1000, "source_type": "vendor_spec", "source": "https://vendor.example/a1"}
        power = {
            "system_desc_id": "rack",
            "cooling": "liquid",
            "scale_out": {"present": False},
            "node_sets": [
                {
                    "node_set_id": 1,
                    "system_node_ensemble_id": 1,
                    "nodes_provisioned": self.node["number_of_nodes"],
                    "power_method": "component_sum",
                    "components": {
                        "cpu": {"model": "Example 72-core", "count_per_node": 2, "tdp_per_unit": watts},
                        "accelerator": {"model": "Example A1", "count_per_node": 4, "tdp_per_unit": watts},
                        "scale_up_network": {"method": "declared_tdp", "switch_count": 1, "tdp_per_switch": watts},
                    },
                }
            ],
        }
        (folder.parent / "system_power.json").write_text(json.dumps(power))
        for concurrency in CONCURRENCIES:
            self._point_v10(folder / f"r{concurrency}", concurrency)
        return folder

    def _point_v10(self, folder: Path, concurrency: int) -> None:
        folder.mkdir()
        tps = tps_at(concurrency)
        point: dict[str, Any] = {
            "concurrency": concurrency,
            "dataset": "demo_set",
            "dataset_name": "Demo set",
            "dataset_type": "Performance" if concurrency in WITHOUT_ACCURACY else "Accuracy + Performance",
            "dataset_link": "https://data.example/demo",
            "division": "Standardized",
            "max_supported_concurrency": PEAK,
            "model_name": "deepseek-r1",
            "model_precision": "fp4",
            "link_to_model": "https://models.example/r1",
            "runtime_settings": {
                "load_pattern": "concurrency",
                "min_duration_ms": 600000,
                "runtime": {
                    "scheduler_rng_seed": 10487924139932647040,
                    "sample_index_rng_seed": 586478644936801402,
                    "model_seed": 9315206023656308754,
                },
            },
            "warmup": {
                "duration_s": 60,
                "requests_issued": 500,
                "requests_completed": 500,
                "data_source": "random",
                "concurrency": concurrency,
                "logs_retained": True,
            },
            "steady_state": {
                "status": "windowable",
                "verdict": "STEADY STATE",
                "window": {
                    "super_pass_start": 1,
                    "super_pass_end": 5,
                    "super_pass_size": 4388,
                    "n_samples": 21940,
                    "duration_s": 1300.0,
                },
                "state": {"tpot_p50": "Plateau", "tpot_p90": "Plateau"},
            },
            "seed_set": "A",
            "target_cohort": "2026-10-C1",
            "shared_src": "src/vllm",
            "shared_docs": "docs",
        }
        if concurrency == PEAK:
            point["offline"] = "elected"
        (folder / "point.yaml").write_text(json.dumps(point | self.point, indent=1))
        system = {
            "division": "Standardized",
            "submitter_org_names": "",
            "system_name": "Demo rack, 68 x A1",
            "shortened_system_name": "Demo-68xA1",
            "system_availability_status": "Available",
            "availability_url": "https://vendor.example/buy",
            "max_supported_concurrency": PEAK,
            "system_size": "1 rack",
            "system_node_ensemble_count": 1,
            "system_node_ensemble_total": 17,
            "node_types": [
                {
                    **self.node,
                    "accelerator_info": [{"accelerator_model_name": "Example A1", "accelerators_per_node": 4}],
                }
            ],
            "tensor_parallel": 4,
            "pipeline_parallel": 1,
            "expert_parallel": 1,
            "data_parallel": 17,
            "disaggregated": False,
            "tps_utilization": tps / PEAK_TPS,
        }
        (folder / "system_desc.json").write_text(json.dumps(system | self.system, indent=1))
        ttft_95 = TTFT_P95_MS if concurrency == PEAK else 1000.0 + concurrency
        summary = {
            "n_samples_issued": 80208,
            "n_samples_completed": 80208,
            "n_samples_failed": 0,
            "duration_ns": SECONDS * 10**9,
            "ttft": {
                "total": 16041600000000,
                "percentiles": {"50.0": 900e6, "90.0": ttft_95 * 0.9 * 1e6, "95": ttft_95 * 1e6},
            },
            "tpot": {"total": 721872000000, "percentiles": {"50.0": 20e6, "90.0": 40e6}},
            "output_sequence_lengths": {"total": tps * SECONDS, "percentiles": {}},
        }
        (folder / "result_summary.json").write_text(json.dumps(summary | self.summary, indent=1))
        if concurrency not in WITHOUT_ACCURACY:
            scores = {"accuracy_scores": [{"dataset_name": "math500", "score": 0.9}]}
            (folder / "accuracy_results.json").write_text(json.dumps(scores))
        (folder / "config.yaml").write_text("type: online\n")


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """A bundle in an empty folder."""
    return Bundle(tmp_path / "endpoints")
