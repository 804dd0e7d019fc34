"""From a raw record (a row of a summary file, or what the folders and logs say) to a row of the results table.

The rounds write the same facts under different names; the same name even means opposite things (`Model` is the
benchmark up to v6.0 and the submitter's own directory in v6.1), so every record is told apart by its columns.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.repository.errors import RepositoryError
from mlperf_claimcheck.results.repository.layout import location_key
from mlperf_claimcheck.results.repository.published import row_lines
from mlperf_claimcheck.results.repository.rules import canonical_model, scenario_name
from mlperf_claimcheck.results.repository.tree import MIB, Content, Tree

SUMMARY_LIMIT = 128 * MIB

_FIELDS: dict[str, tuple[str, ...]] = {
    "result_id": ("ID",),
    "submitter": ("Submitter", "Organization"),
    "division": ("Category", "Division"),
    "availability": ("Availability",),
    "suite": ("Suite", "SystemType"),
    "system": ("System", "SystemName"),
    "platform": ("Platform",),
    "accelerator": ("Accelerator", "accelerator_model_name"),
    "per_node": ("a#", "accelerators_per_node"),
    "total": ("Total Accelerators", "total_accelerators"),
    "nodes": ("Nodes", "number_of_nodes"),
    "processor": ("Processor", "host_processor_model_name"),
    "processors_per_node": ("host_processors_per_node",),
    "scenario": ("Scenario",),
    "value": ("Performance_Result", "Result"),
    "unit": ("Performance_Units", "Units"),
    "power": ("Power_Result",),
    "power_unit": ("Power_Units",),
    "data_type": ("weight_data_types",),
    "software": ("Software", "framework"),
    "inferred": ("inferred",),
    "location": ("Location",),
    "version": ("version",),
}
"""A field of the table: the columns that hold it."""

_UNITS = {
    "tokens/s": "tokens/s",
    "samples/s": "samples/s",
    "queries/s": "queries/s",
    "tasks/s": "tasks/s",
    "latency (ms)": "ms",
    "latency (s)": "s",
    "ms": "ms",
    "s": "s",
}
_POWER_UNITS = {"watts": "W", "w": "W", "millijoules": "mJ", "mj": "mJ"}
_COUNT = re.compile(r"\(x\s?(\d{1,6})\)", re.IGNORECASE)
_VERSION = re.compile(r"v?(\d+\.\d+)")


class RecordError(ValueError):
    """A record that is no row of results."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The rows of a published summary file."""

    name: str
    """Path as shown to a reader."""
    rows: tuple[ResultRow, ...]
    lines: tuple[int, ...]
    """The line of each row, by the row's `index`; empty where it is not known."""
    warnings: tuple[str, ...] = ()


def read_summary_file(path: Path | str, *, round_id: str | None = None) -> Summary:
    """Reads a summary file in any of the published forms (JSON array, JSON object of rows, CSV).

    Raises:
        RepositoryError: The file cannot be read or holds no rows.
    """
    path = Path(path)
    tree = Tree(path.parent if str(path.parent) else Path())
    # The user names this very file: a link is followed wherever it leads.
    content = tree.read(path.name, limit=SUMMARY_LIMIT)
    if content.problem == "outside":
        real = path.resolve()
        content = Tree(real.parent).read(real.name, limit=SUMMARY_LIMIT)
    return parse_summary_file(content, str(path), round_id=round_id)


def parse_summary_file(content: Content, name: str, *, round_id: str | None = None) -> Summary:
    """Reads the content of a summary file.

    Raises:
        RepositoryError: It holds no rows.
    """
    if not content.ok:
        raise RepositoryError(f"{name}: {content.message}")
    try:
        text = content.data.decode("utf-8-sig")
        records = _records(text)
    except (ValueError, csv.Error, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise RepositoryError(
            f"{name}: is not a results summary{where}: a JSON array or object of rows, or CSV with a header, "
            "was expected"
        ) from error
    rows = []
    warnings = []
    for index, record in enumerate(records):
        try:
            rows.append(row_of(record, round_id=round_id, index=index))
        except RecordError as error:
            warnings.append(f"{name}: row {index + 1}: {error}")
    if not rows:
        raise RepositoryError(
            f"{name}: holds no row of MLPerf Inference results{': ' + warnings[0] if warnings else ''}"
        )
    lines = row_lines(text)
    return Summary(name, tuple(rows), tuple(lines) if len(lines) == len(records) else (), tuple(warnings))


def _records(text: str) -> list[Mapping[str, Any]]:
    if text.lstrip()[:1] in {"[", "{"}:
        loaded = json.loads(text)
        items = list(loaded.values()) if isinstance(loaded, dict) else loaded
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise ValueError("no rows")
        return items
    return [record for record in csv.DictReader(io.StringIO(text, newline="")) if any(record.values())]


def row_of(record: Mapping[str, Any], *, round_id: str | None = None, index: int = 0) -> ResultRow:
    """One row of the results table.

    Args:
        record: The facts under any of the published column names.
        round_id: The round, where the record's own `version` does not tell.
        index: Position in the file.

    Raises:
        RecordError: A column that every row needs is missing, or is not of its kind.
    """

    def raw(name: str) -> Any:
        return next((record[c] for c in _FIELDS[name] if record.get(c) not in (None, "")), None)

    def text(name: str) -> str:
        value = raw(name)
        return "" if value is None else str(value).strip()

    def whole(name: str) -> int | None:
        value = text(name)
        try:
            number = float(value)
        except ValueError:
            return None
        return int(number) if number == number // 1 and 0 <= number < 10_000_000 else None

    def real(name: str) -> float | None:
        try:
            return float(text(name))
        except ValueError:
            return None

    scenario = scenario_name(text("scenario"))
    value, unit = real("value"), _UNITS.get(text("unit").lower())
    for name, found in (("Scenario", scenario), ("result", value), ("unit", unit), ("Location", text("location"))):
        if found in (None, ""):
            raise RecordError(f"its {name} is missing or not known")
    assert scenario is not None
    assert value is not None
    assert unit is not None
    version = _VERSION.fullmatch(text("version"))
    if round_id is None and version is None:
        raise RecordError("its round is not known; give it with --round")
    # Up to v6.0 UsedModel/Model, from v6.1 Model/MlperfModel: the submitter's directory and the benchmark.
    new = "MlperfModel" in record
    used = str(record.get("Model" if new else "UsedModel") or "").strip()
    benchmark = str(record.get("MlperfModel" if new else "Model") or "").strip()
    division = text("division").lower()
    accelerator = text("accelerator")
    accelerator = "" if accelerator.lower() in {"n/a", "none"} else accelerator
    nodes, per_node, total = whole("nodes"), whole("per_node"), whole("total")
    if per_node is None and not accelerator:
        per_node = 0
    if total is None and nodes is not None and per_node is not None:
        total = nodes * per_node
    named = [int(n) for n in _COUNT.findall(accelerator)]
    suite = text("suite").lower().replace(" ", "")
    return ResultRow(
        round=round_id or f"inference-v{version[1] if version else ''}",
        result_id=text("result_id").removeprefix("v") or None,
        submitter=text("submitter"),
        division=division,
        availability=text("availability").lower(),
        suite=suite,
        system=text("system"),
        platform=text("platform"),
        accelerator=accelerator,
        accelerators=sum(named) if named else total,
        accelerators_published=total,
        accelerators_platform=None,
        accelerators_per_node=per_node,
        nodes=nodes,
        heterogeneous=len(named) > 1,
        processor=text("processor"),
        processors_per_node=whole("processors_per_node"),
        model=canonical_model(benchmark if division == "open" or not used else used),
        model_used=used or benchmark,
        scenario=scenario,
        value=value,
        unit=unit,
        power=real("power"),
        power_unit=_POWER_UNITS.get(text("power_unit").lower()),
        data_type=text("data_type"),
        software=text("software"),
        inferred=text("inferred").lower() in {"1", "true", "1.0"}
        and "edge" in suite
        and scenario in {"MultiStream", "Offline"},
        location=location_key(text("location")),
        index=index,
    )
