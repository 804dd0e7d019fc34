"""A results repository as a source of results: its own summary file, or the table that its logs alone give."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.normalise import Normaliser
from mlperf_claimcheck.results.readers.read import LIMIT
from mlperf_claimcheck.results.repository import layout
from mlperf_claimcheck.results.repository.errors import RepositoryError
from mlperf_claimcheck.results.repository.evaluate import RunResult
from mlperf_claimcheck.results.repository.records import Summary, parse_summary_file
from mlperf_claimcheck.results.repository.systems import SystemDescription, read_system
from mlperf_claimcheck.results.repository.tree import MIB, Tree
from mlperf_claimcheck.results.repository.verify import evaluate_runs

_LABELS = {
    "tokens/s": "Tokens/s",
    "samples/s": "Samples/s",
    "queries/s": "Queries/s",
    "tasks/s": "Tasks/s",
    "ms": "Latency (ms)",
    "s": "Latency (s)",
}


def looks_like_repository(path: Path | str) -> bool:
    """Whether a path is a folder laid out as an Inference results repository (with or without a summary file)."""
    try:
        tree = Tree(path)
    except RepositoryError:
        return False
    base = layout.top(tree)
    if base is None:
        return False
    for division in layout.DIVISIONS:
        home = f"{base}/{division}" if base else division
        for submitter in tree.folders(home):
            if "results" in tree.folders(f"{home}/{submitter}"):
                return True
    return False


def summary_file(path: Path | str) -> str | None:
    """The name of a repository's own summary file inside its folder; None if it has none."""
    tree = Tree(path)
    base = layout.top(tree) or ""
    for name in layout.SUMMARY_FILES:
        relative = f"{base}/{name}" if base else name
        if tree.exists(relative):
            return relative
    return None


def read_summary(path: Path | str, *, round_id: str | None = None) -> Summary | None:
    """A repository's own summary file; None if it has none.

    Raises:
        RepositoryError: The folder or its summary file cannot be read.
    """
    tree = Tree(path)
    relative = summary_file(path)
    if relative is None:
        return None
    base = layout.top(tree) or ""
    content = tree.read(relative, limit=LIMIT)
    return parse_summary_file(content, relative, round_id=round_id or layout.round_of(tree, base))


def read_repository(
    path: Path | str, *, round_id: str | None = None, jobs: int | None = 1
) -> tuple[list[ResultRow], list[str]]:
    """Builds the results table of a round from logs and system descriptions alone.

    A run that gives no usable figure, that is INVALID in the closed or network division, whose logs contradict
    themselves, or that has no readable system description gives no row: it is named in the warnings with its file and
    the reason. Rows have no result IDs (MLCommons assigns them in the summary) and carry the figure's true unit.

    Args:
        path: The repository's folder.
        round_id: The round, where the folder's name does not tell (`inference_results_v6.1`).
        jobs: Processes that read logs (see `verify.useful_jobs`).

    Returns:
        The rows in path order, and the warnings.

    Raises:
        RepositoryError: The folder is no results repository, or its round is not known.
    """
    tree = Tree(path)
    base = layout.top(tree)
    if base is None:
        raise RepositoryError(
            f"{tree.given}: holds none of the folders closed/, open/ and network/, so it is no results repository."
        )
    round_id = round_id or layout.round_of(tree, base)
    if round_id is None:
        raise RepositoryError(
            f"{tree.given}: the folder's name does not say which round it is. "
            "Name it inference_results_vX.Y, or give the round with --round."
        )
    runs, warnings = layout.find_runs(tree, base)
    systems: dict[str, SystemDescription] = {}
    rows: list[ResultRow] = []
    normaliser = Normaliser(str(tree.given), round_id, advice="see the submission's system description")
    for result in evaluate_runs(tree, runs, round_id, jobs=jobs):
        reason = _unusable(result)
        if reason is not None:
            warnings.append(reason)
            continue
        path_ = result.run.system_file
        if path_ not in systems:
            systems[path_] = read_system(tree, path_)
        described = systems[path_]
        if described.problem:
            warnings.append(f"{result.run.location}: left out: {described.file}: {described.problem}")
            continue
        try:
            row = normaliser.row(_record(tree, result, described), len(rows), result.run.location)
        except ResultsError as error:
            warnings.append(f"left out: {error}")
            continue
        rows.append(replace(row, inferred=result.inferred is not None))
        warnings += result.notes
        figure = min(result.figures, key=lambda f: f.quantum)
        if figure.quantum > Decimal(1).scaleb(figure.value.adjusted() - 3):
            warnings.append(
                f"{figure.file}{f':{figure.line}' if figure.line else ''}: “{figure.label}” is printed to "
                f"{figure.quantum} only ({figure.text})"
            )
    return rows, [*warnings, *normaliser.warnings]


def _unusable(result: RunResult) -> str | None:
    where = f"{result.run.location}: left out: {result.file}"
    if result.problem is not None or not result.figures:
        return f"{where}: {result.message or 'there is no usable figure'}"
    if result.contradictions:
        message, file, line = result.contradictions[0]
        return f"{result.run.location}: left out: {file}{f':{line}' if line else ''}: {message}"
    if result.valid is False and result.run.division != "open":
        return f"{where}: the log says that the run is INVALID"
    return None


def _record(tree: Tree, result: RunResult, system: SystemDescription) -> dict[str, Any]:
    run = result.run
    return {
        "Organization": run.submitter,
        "Division": run.division,
        "Availability": system.text("status"),
        "SystemType": system.text("system_type"),
        "SystemName": system.text("system_name"),
        "Platform": run.system,
        "Model": run.model,
        "MlperfModel": result.model,
        "Scenario": result.scenario,
        "Result": _best(result),
        "Units": _LABELS[result.unit],
        "number_of_nodes": system.nodes,
        "host_processor_model_name": system.text("host_processor_model_name"),
        "host_processors_per_node": system.number("host_processors_per_node"),
        "accelerator_model_name": system.text("accelerator_model_name"),
        "accelerators_per_node": system.accelerators_per_node,
        "framework": system.text("framework"),
        "weight_data_types": _data_types(tree, result),
        "Location": run.location,
    }


def _best(result: RunResult) -> str:
    """The most precise of the logs' figures that agree: the summary of a slow Server run has three digits only."""
    figure = min(result.figures, key=lambda f: f.quantum)
    whole = figure.value == figure.value.to_integral_value()
    return str(int(figure.value)) if whole else f"{figure.value:.12g}"


def _data_types(tree: Tree, result: RunResult) -> str:
    """`weight_data_types` of the run's measurements: beside the run from v6.0, in `measurements/` before."""
    run = result.run
    old = f"{run.division}/{run.submitter}/measurements/{run.system}/{run.model}/{run.scenario}"
    old = f"{run.base}/{old}" if run.base else old
    candidates = [run.file("measurements.json")]
    names = [n for n in tree.files(old) if n.endswith(".json")]
    candidates += [f"{old}/{n}" for n in names if n.startswith(run.system)]
    for path in candidates:
        content = tree.read(path, limit=MIB)
        if not content.ok:
            continue
        try:
            loaded = json.loads(content.data)
        except (ValueError, RecursionError):
            continue
        value = loaded.get("weight_data_types") if isinstance(loaded, dict) else None
        if isinstance(value, str):
            return value.strip()
    return ""
