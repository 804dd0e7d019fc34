"""From the run logs of a Training repository to times to train.

The score of a benchmark on a system is the mean of its runs without the fastest and the slowest, in minutes, times the
factor of `scaling.json` where the review committee put one (MLPerf Training rules: Benchmark Results, Score scaling).
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from mlperf_claimcheck.files import packaged_yaml
from mlperf_claimcheck.results.model import TIME_TO_TRAIN, ResultRow
from mlperf_claimcheck.results.repository.errors import RepositoryError, UnreadableFile
from mlperf_claimcheck.results.repository.systems import SystemDescription, read_system
from mlperf_claimcheck.results.repository.tree import MIB, Tree

UNIT = "min"
LOG_LIMIT = 768 * MIB
"""Training logs hold a line for each step; they are read line by line."""

_RESULT = re.compile(r"^result_(\d{1,4})\.txt$")
_ROUND = re.compile(r"training[_-](?:results[_-])?v?(\d+\.\d+)", re.IGNORECASE)
_MARK = b":::MLLOG"


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One run's log."""

    file: str
    minutes: float | None
    """Time from start to the target; None for a run that did not reach it."""
    start_line: int | None = None
    stop_line: int | None = None
    problem: str = ""
    """Why the run does not count."""
    stopped: bool = False
    """Whether it ended without reaching the target, as its log says; it may then be the slowest."""


@dataclass(frozen=True, slots=True)
class TrainingScore:
    """The time to train of one benchmark on one system, and how it came about."""

    benchmark: str
    location: str
    minutes: float
    """The published figure: the mean of the runs that count, times the factor."""
    mean: float
    """Before the factor."""
    factor: float
    factor_file: str | None
    runs: tuple[TrainingRun, ...]
    """All runs, fastest first; those that did not converge last."""
    dropped: int
    """How many are dropped at each end."""

    @property
    def formula(self) -> str:
        """The arithmetic in words."""
        counted = len(self.runs) - 2 * self.dropped
        each = "the fastest and the slowest" if self.dropped == 1 else f"the {self.dropped} fastest and slowest"
        text = f"mean of {counted} of {len(self.runs)} runs, without {each}: {self.mean:.6g} min"
        return text if self.factor_file is None else f"{text} × {self.factor:g} (scaling.json) = {self.minutes:.6g} min"


@dataclass(frozen=True, slots=True)
class Unscored:
    """A result that is there and gives no score."""

    submitter: str
    benchmark: str
    location: str
    message: str
    """Names the file, what is wrong and what is needed."""


@dataclass(frozen=True, slots=True)
class TrainingRepository:
    """What a Training repository holds."""

    round: str
    rows: tuple[ResultRow, ...]
    scores: dict[str, TrainingScore] = field(default_factory=dict)
    """By the row's location."""
    unscored: tuple[Unscored, ...] = ()
    """Results that could not be scored."""
    warnings: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the results that could not be scored, each with its file and what is needed."""
        return tuple(result.message for result in self.unscored)

    def joined(self, other: TrainingRepository) -> TrainingRepository:
        """The results of both; one that stands in both has to be the same.

        Raises:
            RepositoryError: The two have the same result with different runs.
        """
        places = {row.location for row in self.rows} | {result.location for result in self.unscored}
        rows, unscored = list(self.rows), list(self.unscored)
        for row in other.rows:
            if row.location not in places:
                rows.append(replace(row, index=len(rows)))
            elif self.scores.get(row.location) != other.scores[row.location]:
                raise RepositoryError(f"{row.location}: stands in two of the folders given, with different runs")
        for result in other.unscored:
            if result.location not in places:
                unscored.append(result)
            elif result.location in self.scores:
                raise RepositoryError(f"{result.location}: stands in two of the folders given, with different runs")
        warnings = tuple(dict.fromkeys((*self.warnings, *other.warnings)))
        scores = self.scores | {k: v for k, v in other.scores.items() if k not in self.scores}
        return TrainingRepository(self.round, tuple(rows), scores, tuple(unscored), warnings)


class ScoreError(Exception):
    """A result folder that gives no score; the message names the folder, what is there and what is needed."""


@cache
def _benchmarks() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = packaged_yaml("mlperf_claimcheck.results.training", "benchmarks.yaml")[
        "benchmarks"
    ]
    return table


def looks_like_training(folder: Path | str) -> bool:
    """Whether a folder is laid out as a Training results repository."""
    try:
        tree = Tree(folder)
    except RepositoryError:
        return False
    return bool(_submitters(tree))


def read_training(folder: Path | str | Tree, *, round_id: str | None = None) -> TrainingRepository:
    """Reads every result of a Training repository.

    A result that cannot be scored (a run too few, two runs without convergence, a damaged log) is left out and named in
    `problems`; the others stand.

    Args:
        folder: The repository or a tree of its files: `<submitter>/{systems,results}/…`. Nothing outside it is read.
        round_id: The round, where the folder's name does not tell (`training_results_v5.1`).

    Raises:
        RepositoryError: The folder is no Training repository, or its round is not known.
    """
    tree = folder if isinstance(folder, Tree) else Tree(folder)
    submitters = _submitters(tree)
    if not submitters:
        raise RepositoryError(
            f"{tree.given}: holds no folder with systems/ and results/<system>/<benchmark>/result_0.txt, so it is no "
            "Training results repository."
        )
    if round_id is None:
        match = next((m for n in (tree.given.name, tree.root.name) if (m := _ROUND.search(n))), None)
        if match is None:
            raise RepositoryError(
                f"{tree.given}: the folder's name does not say which round it is. "
                "Name it training_results_vX.Y, or give the round."
            )
        round_id = f"training-v{match[1]}"
    rows: list[ResultRow] = []
    scores: dict[str, TrainingScore] = {}
    unscored: list[Unscored] = []
    warnings: list[str] = []
    for submitter in submitters:
        results = f"{submitter}/results"
        for system in tree.folders(results):
            described = read_system(tree, f"{submitter}/systems/{system}.json")
            for benchmark in tree.folders(f"{results}/{system}"):
                location = f"{results}/{system}/{benchmark}"
                try:
                    score = score_folder(tree, location, benchmark, round_id)
                except ScoreError as error:
                    unscored.append(Unscored(submitter, benchmark, location, str(error)))
                    continue
                if described.problem:
                    message = (
                        f"{described.file}: {described.problem}; without the system description the result "
                        f"{location} has no division and no accelerators, so it is left out"
                    )
                    unscored.append(Unscored(submitter, benchmark, location, message))
                    continue
                scores[location] = score
                rows.append(_row(round_id, submitter, system, benchmark, location, score, described, len(rows)))
    return TrainingRepository(round_id, tuple(rows), scores, tuple(unscored), tuple(warnings))


def score_folder(tree: Tree, location: str, benchmark: str, round_id: str) -> TrainingScore:
    """Scores the runs of one benchmark on one system.

    Raises:
        ScoreError: Runs are missing, damaged, or did not converge.
    """
    rules = _benchmarks().get(benchmark)
    if rules is None:
        raise ScoreError(f"{location}: “{benchmark}” is not a benchmark of MLPerf Training that is known here")
    version = round_id.rpartition("-v")[2]
    if version not in rules["rounds"]:
        raise ScoreError(f"{location}: {benchmark} was not part of {round_id}")
    names = sorted((int(m[1]), n) for n in tree.files(location) if (m := _RESULT.match(n)))
    needed, dropped = int(rules["runs"]), int(rules.get("dropped", 1))
    if len(names) < needed:
        raise ScoreError(
            f"{location}: has {len(names)} run logs (result_0.txt …), {needed} are needed for {benchmark}; "
            f"{needed - len(names)} missing"
        )
    if len(names) > needed:
        # Of more runs the rules let a window of them count, and the folder does not say which.
        raise ScoreError(
            f"{location}: has {len(names)} run logs, {needed} count for {benchmark}; which of them is not said"
        )
    runs = [_run(tree, f"{location}/{name}") for _, name in names]
    damaged = [run for run in runs if run.minutes is None and not run.stopped]
    if damaged:
        # What such a run took is not known: it may be the fastest as well as the slowest.
        listed = "; ".join(f"{run.file}: {run.problem}" for run in damaged[:5])
        raise ScoreError(
            f"{location}: {len(damaged)} of {len(runs)} run logs tell no time, {needed} are needed ({listed})"
        )
    failed = [run for run in runs if run.minutes is None]
    if len(failed) > dropped:
        listed = "; ".join(f"{run.file}: {run.problem}" for run in failed[:5])
        raise ScoreError(
            f"{location}: {len(failed)} of {len(runs)} runs do not count, {dropped} may be dropped as the slowest "
            f"({listed})"
        )
    ranked = sorted(runs, key=lambda run: math.inf if run.minutes is None else run.minutes)
    counted = [run.minutes for run in ranked[dropped : len(ranked) - dropped] if run.minutes is not None]
    mean = math.fsum(counted) / len(counted)
    factor, factor_file = _factor(tree, f"{location}/scaling.json")
    return TrainingScore(benchmark, location, mean * factor, mean, factor, factor_file, tuple(ranked), dropped)


def _factor(tree: Tree, path: str) -> tuple[float, str | None]:
    if not tree.exists(path):
        return 1.0, None
    content = tree.read(path, limit=MIB)
    if not content.ok:
        raise ScoreError(f"{path}: {content.message}; without the factor the score is not known")
    try:
        value = json.loads(content.data)["scaling_factor"]
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise ScoreError(f'{path}: a JSON object {{"scaling_factor": number}} was expected') from error
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1000:
        raise ScoreError(f"{path}: the scaling_factor {value!r} is not a usable number")
    return float(value), path


def _run(tree: Tree, path: str) -> TrainingRun:
    """First `run_start` and first `run_stop` of a log."""
    start: tuple[int, float] | None = None
    try:
        for number, line in tree.lines(path, limit=LOG_LIMIT):
            # Most lines are steps: look into those alone that can matter.
            if b"run_st" not in line or _MARK not in line:
                continue
            entry = _entry(line)
            if entry is None:
                continue
            key, time = entry.get("key"), entry.get("time_ms")
            if key not in {"run_start", "run_stop"} or isinstance(time, bool) or not isinstance(time, int | float):
                continue
            if key == "run_start":
                start = start or (number, float(time))
                continue
            if start is None:
                return TrainingRun(path, None, problem=f"run_stop in line {number} comes before run_start")
            metadata = entry.get("metadata")
            status = metadata.get("status") if isinstance(metadata, dict) else None
            if status != "success":
                return TrainingRun(
                    path,
                    None,
                    start[0],
                    number,
                    f"its status in line {number} is {status!r}, not success",
                    stopped=isinstance(status, str),
                )
            minutes = (float(time) - start[1]) / 60_000
            if not 0 < minutes < 10_000_000:
                return TrainingRun(path, None, start[0], number, f"run_stop in line {number} is not after run_start")
            return TrainingRun(path, minutes, start[0], number)
    except UnreadableFile as error:
        return TrainingRun(path, None, problem=error.message)
    missing = "run_start" if start is None else "run_stop"
    return TrainingRun(path, None, start[0] if start else None, problem=f"it has no {missing}; the log is cut short")


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        loaded = json.loads(line[line.index(_MARK) + len(_MARK) :])
    except (ValueError, RecursionError):
        return None
    return loaded if isinstance(loaded, dict) else None


def _submitters(tree: Tree) -> list[str]:
    found = []
    for name in tree.folders():
        if name.startswith(".") or not {"systems", "results"} <= set(tree.folders(name)):
            continue
        results = f"{name}/results"
        if any(
            _RESULT.match(file)
            for system in tree.folders(results)[:20]
            for benchmark in tree.folders(f"{results}/{system}")[:20]
            for file in tree.files(f"{results}/{system}/{benchmark}")[:50]
        ):
            found.append(name)
    return found


def _row(
    round_id: str,
    submitter: str,
    system: str,
    benchmark: str,
    location: str,
    score: TrainingScore,
    described: SystemDescription,
    index: int,
) -> ResultRow:
    return ResultRow(
        round=round_id,
        result_id=None,
        submitter=submitter,
        division=described.text("division").lower(),
        availability=availability(described.text("status")),
        suite="",
        system=described.text("system_name") or system,
        platform=system,
        accelerator=described.text("accelerator_model_name"),
        accelerators=described.accelerators,
        accelerators_published=described.accelerators,
        accelerators_platform=None,
        accelerators_per_node=described.accelerators_per_node,
        nodes=described.nodes,
        heterogeneous=False,
        processor=described.text("host_processor_model_name"),
        processors_per_node=described.number("host_processors_per_node"),
        model=benchmark,
        model_used=benchmark,
        scenario=TIME_TO_TRAIN,
        value=score.minutes,
        unit=UNIT,
        power=None,
        power_unit=None,
        data_type="",
        software=described.text("framework"),
        inferred=False,
        location=location,
        index=index,
    )


def availability(status: str) -> str:
    """`available`, `preview` or `rdi` for the many spellings of a system's status; an unknown one as written."""
    low = status.lower()
    if "preview" in low:
        return "preview"
    if "research" in low or "rdi" in low or "internal" in low:
        return "rdi"
    if "available" in low or "onprem" in low or "on-prem" in low or "cloud" in low:
        return "available"
    return low
