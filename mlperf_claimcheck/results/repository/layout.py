"""Where a results repository keeps its runs: `<division>/<submitter>/results/<system>/<model>/<scenario>/…`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from mlperf_claimcheck.results.repository.tree import MIB, Files, Tree

DIVISIONS = ("closed", "open", "network")
RUN = "performance/run_1"
SUMMARY_LOG = "mlperf_log_summary.txt"
DETAIL_LOG = "mlperf_log_detail.txt"
ENDPOINTS_SUMMARY = "performance/result_summary.json"
SUMMARY_FILES = ("summary_results.json", "summary.csv", "summary.json")
_ROUND = re.compile(r"inference[_-](?:results[_-])?v?(\d+\.\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """One scenario folder of one submission."""

    base: str
    """Path of the repository's top inside the tree: empty, or the one folder of an unpacked archive."""
    division: str
    submitter: str
    system: str
    model: str
    """Name of the model directory."""
    scenario: str
    """Name of the scenario directory, in its own spelling."""
    mapped: str | None = None
    """The benchmark that the submitter's `model_mapping.json` names for the directory."""

    @property
    def location(self) -> str:
        """Path of the scenario folder inside the repository."""
        return f"{self.division}/{self.submitter}/results/{self.system}/{self.model}/{self.scenario}"

    def file(self, name: str) -> str:
        """A file of the scenario folder, as a path inside the tree."""
        return _join(self.base, f"{self.location}/{name}")

    @property
    def system_file(self) -> str:
        """The system description, as a path inside the tree."""
        return _join(self.base, f"{self.division}/{self.submitter}/systems/{self.system}.json")


def top(tree: Tree) -> str | None:
    """Where the divisions are: the folder itself (empty), or the one folder in it; None if there are none."""
    names = tree.folders()
    if any(n in DIVISIONS for n in names):
        return ""
    visible = [n for n in names if not n.startswith(".")]
    if len(visible) == 1 and any(n in DIVISIONS for n in tree.folders(visible[0])):
        return visible[0]
    return None


def round_of(tree: Tree, base: str) -> str | None:
    """The round that the folder's name states (`inference_results_v5.1`), as a round id."""
    for name in (base, tree.given.name, tree.root.name):
        match = _ROUND.search(name)
        if match:
            return f"inference-v{match[1]}"
    return None


def location_key(location: str) -> str:
    """A published location without what the rounds write differently: a leading `./`, the run's own folder."""
    path = location.strip().replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    path = path.rstrip("/")
    return path.removesuffix(f"/{RUN}").removesuffix("/performance")


def leaves_tree(location: str) -> bool:
    """Whether a published location is no path inside a repository."""
    path = location.strip().replace("\\", "/")
    return path.startswith("/") or ".." in path.split("/") or "\0" in path


def find_runs(tree: Tree, base: str) -> tuple[list[Run], list[str]]:
    """Every scenario folder with a performance run, in path order, and what was left out and why."""
    runs: list[Run] = []
    warnings: list[str] = []

    def inside(folder: str) -> list[str]:
        for name in tree.outside(folder):
            warnings.append(f"{folder}/{name}: is a link that leads out of the repository; it was not followed")
        return tree.folders(folder)

    for division in DIVISIONS:
        for submitter in inside(_join(base, division)):
            home = _join(base, f"{division}/{submitter}")
            mapping = model_mapping(tree, f"{home}/model_mapping.json", warnings)
            results = f"{home}/results"
            for system in inside(results):
                for model in inside(f"{results}/{system}"):
                    for scenario in inside(f"{results}/{system}/{model}"):
                        if "performance" in inside(f"{results}/{system}/{model}/{scenario}"):
                            runs.append(Run(base, division, submitter, system, model, scenario, mapping.get(model)))
    return runs, warnings


def run_at(location: str, base: str = "") -> Run | None:
    """The run of a location (see `location_key`); None where it is no path of a scenario folder."""
    match location.split("/"):
        case [division, submitter, "results", system, model, scenario] if division in DIVISIONS:
            names = (submitter, system, model, scenario)
            if all(name not in {"", ".", ".."} for name in names):
                return Run(base, division, submitter, system, model, scenario)
    return None


def model_mapping(tree: Files, path: str, warnings: list[str]) -> dict[str, str]:
    """The benchmarks that a submitter's `model_mapping.json` names for model directories; empty where there is none.

    Why one that is there was not used is added to `warnings`.
    """
    if not tree.exists(path):
        return {}
    content = tree.read(path, limit=MIB)
    if not content.ok:
        warnings.append(f"{path}: the model mapping was not used: {content.message}")
        return {}
    try:
        loaded = json.loads(content.data)
    except (ValueError, RecursionError):
        warnings.append(f"{path}: the model mapping was not used: it is not valid JSON")
        return {}
    if not isinstance(loaded, dict):
        warnings.append(f"{path}: the model mapping was not used: an object of model names was expected")
        return {}
    mapping = {}
    for name, target in loaded.items():
        if isinstance(target, str):
            mapping[name] = target
        elif isinstance(target, dict):
            # Older rounds: one mapping for each system.
            mapping.update({k: v for k, v in target.items() if isinstance(v, str)})
    return mapping


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
