"""Recomputing a round: each published row against the log of the run behind it."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path

from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.repository import layout
from mlperf_claimcheck.results.repository.errors import RepositoryError
from mlperf_claimcheck.results.repository.evaluate import DETAIL_HEAD, DETAIL_TAIL, Figure, RunResult, evaluate
from mlperf_claimcheck.results.repository.layout import Run
from mlperf_claimcheck.results.repository.systems import SystemDescription, read_system
from mlperf_claimcheck.results.repository.tree import MIB, Tree

Progress = Callable[[int, int], None]
"""Called with runs done and runs in all."""


class Status(StrEnum):
    """How a published row and its log stand to each other."""

    MATCH = "match"
    MISMATCH = "mismatch"
    MISSING = "missing"


CLASSES: dict[str, str] = {
    "measured": "the log's figure is the published one at the log's own printed precision",
    "inferred": "the published figure follows from another scenario's run, as the rules allow for edge systems",
    "endpoints-client": "measured by the Endpoints client; its summary holds the published figure",
    "model-mapped": "the figure matches; the benchmark is the one that the submitter's mapping names",
    "invalid-run-open": "the figure matches; the log says INVALID, which the open division may publish",
    "value-differs": "the log holds another figure",
    "invalid-run": "the log says that the run is INVALID",
    "accelerators-differ": "the system description counts other nodes or accelerators",
    "log-inconsistent": "the logs of the run contradict themselves or each other",
    "scenario-differs": "the log is of a scenario from which the published result may not be taken",
    "unit-differs": "the published unit is not the one of the log's figure",
    "no-submission": "the repository has no such submission",
    "no-log": "the run's folder holds no log",
    "log-truncated": "the log ends before its result",
    "log-empty": "the log is empty",
    "log-binary": "the log is not text",
    "log-too-large": "the log is far larger than a log can be",
    "log-outside": "the log is a link that leads out of the repository",
    "log-unreadable": "the log cannot be opened",
    "no-figure": "the log is of a valid form but lacks the figure",
    "no-comparable-value": "the summary has no figure in this row",
    "location-outside": "the published location leads out of the repository",
    "unknown-scenario": "the folder names no scenario of MLPerf",
    "no-summary": "there is no summary to compare with; the figure is recomputed from the log",
    "summary-row-absent": "the repository has a run that the summary does not list",
}
"""Every class of explanation, and what it means."""


@dataclass(frozen=True, slots=True)
class RowCheck:
    """One published row (or one run without a row) and what became of it."""

    status: Status
    cls: str
    """A class of `CLASSES`."""
    message: str
    """One plain sentence."""
    location: str
    row: ResultRow | None = None
    published_file: str | None = None
    published_line: int | None = None
    figure: Figure | None = None
    """The log's figure, with its file and line."""
    second: Figure | None = None
    """The same figure in the run's other log."""
    unit: str = ""
    file: str | None = None
    """The log (or system description) that the explanation is about."""
    line: int | None = None
    system_file: str | None = None
    accelerators: int | None = None
    """Nodes x accelerators per node of the system description."""
    nodes: int | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The row as it stands in the JSON report."""
        row, figure = self.row, self.figure
        return {
            "status": self.status.value,
            "class": self.cls,
            "message": self.message,
            "round": row.round if row else None,
            "result_id": row.result_id if row else None,
            "division": row.division if row else self.location.split("/", 1)[0],
            "submitter": row.submitter if row else None,
            "platform": row.platform if row else None,
            "model": row.model if row else None,
            "scenario": row.scenario if row else None,
            "location": self.location,
            "file": self.file,
            "line": self.line,
            "published": None
            if row is None
            else {"value": row.value, "unit": row.unit, "file": self.published_file, "line": self.published_line},
            "log": None
            if figure is None
            else {
                "value": float(figure.value),
                "unit": self.unit,
                "text": figure.text,
                "label": figure.label,
                "file": figure.file,
                "line": figure.line,
            },
            "detail_log": None
            if self.second is None
            else {"text": self.second.text, "file": self.second.file, "line": self.second.line},
            "system": {"file": self.system_file, "nodes": self.nodes, "accelerators": self.accelerators},
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """A round, recomputed."""

    repository: str
    round: str | None
    published: str
    """Where the published rows come from."""
    rows: tuple[RowCheck, ...] = ()
    warnings: tuple[str, ...] = ()
    counts: Counter[Status] = field(default_factory=Counter)

    def to_dict(self) -> dict[str, object]:
        """The JSON report."""
        classes = Counter((r.status.value, r.cls) for r in self.rows)
        return {
            "summary": {status.value: self.counts[status] for status in Status},
            "classes": [
                {"status": status, "class": cls, "rows": n, "meaning": CLASSES.get(cls, "")}
                for (status, cls), n in sorted(classes.items())
            ],
            "repository": self.repository,
            "round": self.round,
            "published": self.published,
            "warnings": list(self.warnings),
            "rows": [row.to_dict() for row in self.rows],
        }


def verify_repository(
    folder: Path | str,
    rows: Sequence[ResultRow],
    *,
    published: str = "",
    lines: Sequence[int] = (),
    round_id: str | None = None,
    jobs: int | None = 1,
    progress: Progress | None = None,
) -> Verification:
    """Recomputes published rows from the logs and system descriptions of a results repository.

    Args:
        folder: The repository: `<division>/<submitter>/{results,systems}/…`. Nothing outside it is read.
        rows: The published rows, of one round.
        published: Name of the file that the rows come from.
        lines: Line of each row in that file, by the row's `index`.
        round_id: The round, where rows of one round are to be checked that differ by round (`inference-v5.1`).
        jobs: Processes that read logs; None decides by their size. More than one needs a guarded main module.
        progress: Is told how far it is.

    Raises:
        RepositoryError: The folder is no results repository.
    """
    tree = Tree(folder)
    base = _top(tree)
    runs, warnings = layout.find_runs(tree, base)
    round_id = round_id or layout.round_of(tree, base) or (rows[0].round if rows else None)
    results = evaluate_runs(tree, runs, round_id, jobs=jobs, progress=progress)
    by_location = {result.run.location: result for result in results}
    folded: dict[str, list[RunResult]] = {}
    for result in results:
        folded.setdefault(result.run.location.casefold(), []).append(result)
    systems: dict[str, SystemDescription] = {}
    checks = []
    used: set[str] = set()
    for row in rows:
        line = lines[row.index] if 0 <= row.index < len(lines) else None
        location = layout.location_key(row.location)
        if layout.leaves_tree(row.location):
            checks.append(
                RowCheck(
                    Status.MISSING, "location-outside", CLASSES["location-outside"], location, row, published, line
                )
            )
            continue
        match = by_location.get(location)
        if match is None and len(folded.get(location.casefold(), ())) == 1:
            match = folded[location.casefold()][0]
        if match is None:
            checks.append(_no_run(tree, base, location, row, published, line))
            continue
        used.add(match.run.location)
        path = match.run.system_file
        if path not in systems:
            systems[path] = read_system(tree, path)
        checks.append(compare(row, match, systems[path], published, line))
    for result in results:
        if result.run.location not in used:
            path = result.run.system_file
            if path not in systems:
                systems[path] = read_system(tree, path)
            checks.append(_no_row(result, systems[path], published, compared=bool(rows)))
    return Verification(
        repository=str(tree.given),
        round=round_id,
        published=published,
        rows=tuple(checks),
        warnings=tuple(warnings),
        counts=Counter(check.status for check in checks),
    )


def _top(tree: Tree) -> str:
    base = layout.top(tree)
    if base is None:
        raise RepositoryError(
            f"{tree.given}: holds none of the folders closed/, open/ and network/, so it is no results repository. "
            "Give the top folder of a clone or archive of one."
        )
    return base


def evaluate_runs(
    tree: Tree,
    runs: Sequence[Run],
    round_id: str | None,
    *,
    jobs: int | None = 1,
    progress: Progress | None = None,
) -> list[RunResult]:
    """Reads the logs of all runs, in order, with several workers."""
    chunks = [runs[i : i + 50] for i in range(0, len(runs), 50)]
    workers = min(useful_jobs(tree, runs) if jobs is None else jobs, len(chunks), 32)
    results: list[RunResult] = []

    def collect(parts: Iterable[list[RunResult]]) -> None:
        for part in parts:
            results.extend(part)
            if progress is not None:
                progress(len(results), len(runs))

    if workers <= 1:
        collect(_evaluate_chunk(str(tree.root), chunk, round_id) for chunk in chunks)
        return results
    # Processes, not threads: most of the time goes into finding the result lines of detail logs, which holds the
    # interpreter's lock. A fresh process each, since forking one that has threads may hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        collect(pool.map(_evaluate_chunk, [str(tree.root)] * len(chunks), chunks, [round_id] * len(chunks)))
    return results


def useful_jobs(tree: Tree, runs: Sequence[Run]) -> int:
    """How many processes pay: measured, one is faster below about half a gigabyte of detail logs."""
    budget = 512 * MIB
    for run in runs:
        budget -= min(tree.size(run.file(f"{layout.RUN}/{layout.DETAIL_LOG}")), DETAIL_HEAD + DETAIL_TAIL)
        if budget <= 0:
            return min(os.cpu_count() or 1, 16)
    return 1


def _evaluate_chunk(root: str, runs: Sequence[Run], round_id: str | None) -> list[RunResult]:
    tree = Tree(root)
    return [evaluate(tree, run, round_id) for run in runs]


def published_quantum(value: float) -> Decimal:
    """The worth of the last digit of a published value: six significant digits, or more where more are printed."""
    number = Decimal(repr(value))
    if not number:
        return Decimal(1)
    six = Decimal(1).scaleb(number.adjusted() - 5)
    if number % six == 0:
        return six
    exponent = number.normalize().as_tuple().exponent
    return Decimal(1).scaleb(int(exponent))


NANOSECOND_IN_MS = Decimal("0.000001")


def agree(value: float, figure: Figure) -> bool:
    """Whether a published value and a log's figure are roundings of one number.

    Both are roundings, each to the worth of its own last digit; the coarser of the two decides.
    """
    published = Decimal(repr(value))
    step = max(figure.quantum, published_quantum(value))
    if not figure.quantum and step < Decimal(1).scaleb(published.adjusted() - 5):
        # Whole nanoseconds, published in full: a trailing zero that the table dropped makes it no coarser.
        step = min(step, NANOSECOND_IN_MS)
    return abs(published - figure.value) <= step / 2


_SAME_UNIT = {
    ("queries/s", "samples/s"),
    ("samples/s", "queries/s"),
    ("tokens/s", "samples/s"),
    ("tokens/s", "queries/s"),
    ("samples/s", "tasks/s"),
    ("tasks/s", "samples/s"),
    ("queries/s", "tasks/s"),
    ("tasks/s", "queries/s"),
}
"""Units of a log's figure and labels that tables have used for them: throughputs, the value is not converted."""


def compare(
    row: ResultRow, result: RunResult, system: SystemDescription, published: str = "", line: int | None = None
) -> RowCheck:
    """One published row against one run."""
    figure = result.figures[0] if result.figures else None
    notes = list(result.notes)
    if system.problem:
        notes.append(f"{system.file}: the system description was not used: {system.problem}")

    def check(status: Status, cls: str, message: str, file: str | None = None, at: int | None = None) -> RowCheck:
        return RowCheck(
            status=status,
            cls=cls,
            message=message,
            location=result.run.location,
            row=row,
            published_file=published or None,
            published_line=line,
            figure=figure,
            second=result.figures[1] if len(result.figures) > 1 else None,
            unit=result.unit,
            file=file if file is not None else (figure.file if figure else result.file),
            line=at if file is not None else (figure.line if figure else None),
            system_file=system.file,
            accelerators=system.accelerators,
            nodes=system.nodes,
            notes=tuple(notes),
        )

    if result.problem == "scenario-differs":
        return check(Status.MISMATCH, "scenario-differs", result.message, result.file)
    if result.problem is not None or figure is None:
        cls = result.problem or "no-figure"
        return check(Status.MISSING, cls, result.message, result.file)
    if not row.value > 0:
        return check(Status.MISSING, "no-comparable-value", "the summary has no figure in this row")
    if row.unit != result.unit and (result.unit, row.unit) not in _SAME_UNIT:
        return check(
            Status.MISMATCH,
            "unit-differs",
            f"published in {row.unit}, the log's figure ({figure.label}) is in {result.unit}",
        )
    for other in result.figures:
        if not agree(row.value, other):
            return check(
                Status.MISMATCH,
                "value-differs",
                _differs(row, result, other),
                other.file,
                other.line,
            )
    if result.contradictions:
        message, file, at = result.contradictions[0]
        return check(Status.MISMATCH, "log-inconsistent", message, file, at)
    if result.valid is False and row.division != "open":
        return check(
            Status.MISMATCH, "invalid-run", "the log says that the run is INVALID", result.file, result.valid_line
        )
    different = _counts_differ(row, system)
    if different is not None:
        name, message = different
        return check(Status.MISMATCH, "accelerators-differ", message, system.file, system.lines.get(name))
    if result.valid is False:
        return check(Status.MATCH, "invalid-run-open", CLASSES["invalid-run-open"])
    if result.inferred:
        return check(Status.MATCH, "inferred", f"inferred from the {result.run_scenario} run: {result.inferred}")
    if result.endpoints:
        return check(Status.MATCH, "endpoints-client", CLASSES["endpoints-client"])
    if result.run.mapped:
        return check(
            Status.MATCH, "model-mapped", f"model “{result.run.model}” runs for the benchmark {result.run.mapped}"
        )
    return check(Status.MATCH, "measured", CLASSES["measured"])


def _differs(row: ResultRow, result: RunResult, figure: Figure) -> str:
    shown = figure.text if not result.inferred and figure.quantum else f"{float(figure.value)!r}"
    unit = f" {result.unit}" if result.unit else ""
    source = f" (“{figure.label}”: {figure.text})" if shown != figure.text else f" (“{figure.label}”)"
    return f"published {row.value!r} {row.unit}, the log gives {shown}{unit}{source}"


def _counts_differ(row: ResultRow, system: SystemDescription) -> tuple[str, str] | None:
    pairs = (
        ("number_of_nodes", "nodes", row.nodes, system.nodes),
        ("accelerators_per_node", "accelerators per node", row.accelerators_per_node, system.accelerators_per_node),
        ("accelerators_per_node", "accelerators", row.accelerators_published, system.accelerators),
    )
    for name, words, published, described in pairs:
        if published is not None and described is not None and published != described:
            return name, f"published with {published} {words}, the system description gives {described}"
    return None


def _no_run(tree: Tree, base: str, location: str, row: ResultRow, published: str, line: int | None) -> RowCheck:
    folder = f"{base}/{location}" if base else location
    if not tree.exists(folder):
        cls, message = "no-submission", "there is no such folder in the repository"
    elif tree.resolve(folder) is None:
        cls, message = "log-outside", "it is a link that leads out of the folder; it was not read"
    else:
        cls, message = "no-log", "there is no performance run"
    return RowCheck(Status.MISSING, cls, message, location, row, published or None, line, file=folder)


def _no_row(result: RunResult, system: SystemDescription, published: str, *, compared: bool) -> RowCheck:
    figure = result.figures[0] if result.figures else None
    file, line = (figure.file, figure.line) if figure else (result.file, None)
    if compared:
        where = f" of {published}" if published else ""
        cls, message = "summary-row-absent", f"no row{where} is of this run"
        message += f" ({result.message})" if result.message else ""
    elif figure is None:
        cls, message = result.problem or "no-figure", result.message
    else:
        cls = "no-summary"
        count = f" on {system.accelerators} accelerators" if system.accelerators else ""
        message = f"recomputed: {float(figure.value):,.12g} {result.unit}{count} (“{figure.label}”: {figure.text})"
        if result.contradictions:
            cls = "log-inconsistent"
            message, file, line = result.contradictions[0]
        elif result.valid is False:
            message += "; the log says that the run is INVALID"
    return RowCheck(
        Status.MISSING,
        cls,
        message,
        result.run.location,
        published_file=published or None,
        figure=figure,
        second=result.figures[1] if len(result.figures) > 1 else None,
        unit=result.unit,
        file=file,
        line=line,
        system_file=result.run.system_file,
        accelerators=system.accelerators,
        nodes=system.nodes,
        notes=result.notes,
    )
