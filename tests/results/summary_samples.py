"""Small summary files in the published forms, with invented submitters and figures."""

from __future__ import annotations

import csv
import io
import json
from typing import Any


def old_row(**changes: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "ID": "v4.1-0001", "Submitter": "Acme", "Availability": "available", "Category": "closed",
        "Suite": "datacenter", "System": "Acme One (8x H100)", "Platform": "8xH100_x", "UsedModel": "resnet50",
        "Model": "resnet", "Scenario": "Offline", "Nodes": 1, "Processor": "CPU", "host_processors_per_node": 2,
        "Accelerator": "NVIDIA H100", "a#": 8.0, "Location": "closed/Acme/results/x/resnet50/Offline",
        "Notes": "a sentence", "version": "v4.1", "inferred": 0, "weight_data_types": "int8",
        "Performance_Result": 1000.5, "Performance_Units": "Samples/s",
    }  # fmt: skip
    return row | changes


def new_row(**changes: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "Organization": "Acme", "Availability": "available", "Division": "closed", "SystemType": "datacenter",
        "SystemName": "Acme Rack", "Platform": "Rack_288GB_aarch64x72_TRT", "Model": "llama3_1-8b",
        "MlperfModel": "llama3.1-8b", "Scenario": "offline", "Result": "7200.0", "number_of_nodes": "18",
        "host_processor_model_name": "CPU", "host_processors_per_node": "2", "accelerator_model_name": "NVIDIA GB300",
        "accelerators_per_node": "4", "total_accelerators": "72",
        "Location": "./closed/Acme/results/Rack/llama3_1-8b/offline/performance/run_1", "notes": "a sentence",
        "version": "v6.1", "inferred": "1", "Units": "Tokens/s", "weight_data_types": "fp4",
    }  # fmt: skip
    return row | changes


def old_file(*rows: dict[str, Any]) -> bytes:
    return json.dumps(rows or (old_row(),)).encode()


def new_csv(*rows: dict[str, Any]) -> bytes:
    rows = rows or (new_row(),)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


def new_json(*rows: dict[str, Any]) -> bytes:
    return json.dumps({str(i): r for i, r in enumerate(rows or (new_row(),))}).encode()
