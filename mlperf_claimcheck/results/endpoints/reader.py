"""Reading Endpoints results from a folder, in both published layouts.

v0.7: `<Org>/<System>/<Model>/{systems,points,results/point_<N>}` or `<Org>/{systems,pareto/<system>/<model>/…}`;
v1.0: `<Org>/<submission>/results/<system>/<model>/r<N>`. A folder may be the whole repository, one organisation or one
submission.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlperf_claimcheck.results.endpoints.model import EndpointCurve, EndpointPoint, EndpointRepository, Source
from mlperf_claimcheck.results.repository.errors import RepositoryError, UnreadableFile
from mlperf_claimcheck.results.repository.rules import canonical_model
from mlperf_claimcheck.results.repository.tree import MIB, Tree

V07 = "endpoints-v0.7"
V10 = "endpoints-v1.0"
JSON_LIMIT = 32 * MIB
YAML_LIMIT = MIB
MAX_DEPTH = 8
MAX_FOLDERS = 50_000
PERCENTILES = ("50", "90", "95", "99")
STATED_TOLERANCE = 0.01
"""A stated throughput may differ from tokens ÷ seconds by 1% (official submission checker)."""

_V07_POINT = re.compile(r"^point_(\d{1,9})$")
_V10_POINT = re.compile(r"^r(\d{1,9})$")
_DIGITS = re.compile(r"(?<=\d)_(?=\d)")


def looks_like_endpoints(folder: Path | str) -> bool:
    """Whether a folder holds at least one curve of Endpoints results."""
    try:
        tree = Tree(folder)
    except RepositoryError:
        return False
    return next(_curves(tree), None) is not None


def read_endpoints(folder: Path | str | Tree) -> EndpointRepository:
    """Reads every curve of a folder of Endpoints results.

    A point whose files are damaged or contradict themselves is left out and named in `problems`.

    Raises:
        RepositoryError: The folder holds no Endpoints results.
    """
    tree = folder if isinstance(folder, Tree) else Tree(folder)
    problems: list[str] = []
    warnings: list[str] = []
    curves: list[EndpointCurve] = []
    found = list(_curves(tree))
    if not found:
        raise RepositoryError(
            f"{tree.given}: holds no Endpoints results: neither results/<system>/<model>/r<N>/ nor results/point_<N>/ "
            "was found."
        )
    for place in found:
        reader = _V07(tree, place, problems, warnings) if place.round == V07 else _V10(tree, place, problems, warnings)
        curve = reader.curve()
        if curve is not None:
            curves.append(curve)
    return EndpointRepository(tuple(curves), tuple(problems), tuple(warnings))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a curve is."""

    round: str
    folder: str
    """The folder of the model: it holds `points/` and `results/` (v0.7) or `r<N>/` (v1.0)."""
    system_file: str | None
    """v0.7: the system description."""
    organisation: str | None
    """As the path inside the folder tells, where it does."""


def _curves(tree: Tree) -> Iterator[_Place]:
    for folder in _walk(tree):
        names = tree.folders(folder)
        if "pareto" in names and "systems" in names:
            for system in tree.folders(_join(folder, "pareto")):
                for model in tree.folders(_join(folder, f"pareto/{system}")):
                    path = _join(folder, f"pareto/{system}/{model}")
                    if _points(tree, f"{path}/results", _V07_POINT):
                        yield _Place(V07, path, _join(folder, f"systems/{system}.json"), _last(folder, 1, 1))
        elif "systems" in names and "results" in names and _points(tree, _join(folder, "results"), _V07_POINT):
            yield _Place(V07, folder, _only_system(tree, folder), _last(folder, 3, 3))
        if "results" in names:
            for system in tree.folders(_join(folder, "results")):
                for model in tree.folders(_join(folder, f"results/{system}")):
                    path = _join(folder, f"results/{system}/{model}")
                    if _points(tree, path, _V10_POINT):
                        yield _Place(V10, path, None, _last(folder, 2, 2))


def _only_system(tree: Tree, folder: str) -> str | None:
    """The system description of a v0.7 folder: the only one, or the one that is named like the system's folder."""
    names = [n for n in tree.files(_join(folder, "systems")) if n.endswith(".json")]
    if len(names) > 1:
        names = [n for n in names if n == f"{_last(folder, 2, 2)}.json"]
    return _join(folder, f"systems/{names[0]}") if len(names) == 1 else None


def _walk(tree: Tree) -> Iterator[str]:
    """Folders of the tree, breadth first, without those that hold points; each real folder once."""
    queue, seen, visited = [""], set(), 0
    for depth in range(MAX_DEPTH):
        following = []
        for folder in queue:
            real = tree.resolve(folder)
            if real is None or real in seen:
                continue
            seen.add(real)
            visited += 1
            if visited > MAX_FOLDERS:
                return
            yield folder
            if depth + 1 < MAX_DEPTH:
                following += [_join(folder, n) for n in tree.folders(folder) if n not in {"src", "docs", ".git"}]
        queue = following


def _points(tree: Tree, folder: str, pattern: re.Pattern[str]) -> list[tuple[int, str]]:
    return sorted((int(m[1]), name) for name in tree.folders(folder) if (m := pattern.match(name)))


def _last(folder: str, back: int, at_least: int) -> str | None:
    """A part of a path counted from its end, where the path inside the folder is long enough."""
    parts = [p for p in folder.split("/") if p]
    return parts[-back] if len(parts) >= at_least else None


class _Skip(Exception):
    """A point or curve that is left out."""


@dataclass
class _Document:
    """A JSON or YAML file of a point."""

    file: str
    data: dict[str, Any] = field(default_factory=dict)
    text: str = ""

    def line(self, key: str) -> int | None:
        """The line (1-based) on which a key stands first."""
        match = re.search(rf'"?\b{re.escape(key)}\b"?\s*:', self.text)
        return self.text.count("\n", 0, match.start()) + 1 if match else None


class _Reader:
    """What both layouts share."""

    def __init__(self, tree: Tree, place: _Place, problems: list[str], warnings: list[str]) -> None:
        self.tree, self.place, self.problems, self.warnings = tree, place, problems, warnings

    def json(self, path: str) -> _Document:
        text = self._text(path, JSON_LIMIT)
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError) as error:
            where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "the text"
            raise UnreadableFile(path, f"it is not valid JSON ({where})") from error
        if not isinstance(loaded, dict):
            raise UnreadableFile(path, "a JSON object was expected")
        return _Document(path, loaded, text)

    def yaml(self, path: str) -> _Document:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError

        text = self._text(path, YAML_LIMIT)
        try:
            loaded = YAML(typ="safe").load(text)
        except (YAMLError, ValueError, RecursionError) as error:
            raise UnreadableFile(path, "it is not valid YAML") from error
        if not isinstance(loaded, dict):
            raise UnreadableFile(path, "a YAML mapping was expected")
        return _Document(path, loaded, text)

    def _text(self, path: str, limit: int) -> str:
        content = self.tree.read(path, limit=limit)
        if not content.ok:
            raise UnreadableFile(path, content.message)
        try:
            return content.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UnreadableFile(path, "it is not UTF-8 text") from error

    def submitter(self, system: Mapping[str, Any]) -> str:
        stated = system.get("submitter_org_names")
        if isinstance(stated, list):
            stated = "_".join(str(s) for s in stated)
        stated = str(stated).strip() if isinstance(stated, str) else ""
        path = self.place.organisation
        if path and stated and path.casefold() != stated.casefold():
            self.warnings.append(
                f"{self.place.folder}: the path names {path}, the system description {stated}; {path} counts"
            )
        if not path and not stated:
            self.warnings.append(
                f"{self.place.folder}: nothing says whose result it is. Give the folder above the organisation's."
            )
        return path or stated


class _V07(_Reader):
    def curve(self) -> EndpointCurve | None:
        if self.place.system_file is None:
            self.problems.append(
                f"{_join(self.place.folder, 'systems')}: exactly one system description was expected, or one that is "
                "named like the system's folder; the curve was left out"
            )
            return None
        try:
            system = self.json(self.place.system_file)
        except UnreadableFile as error:
            self.problems.append(f"{error}; the curve {self.place.folder} was left out")
            return None
        points = []
        for concurrency, name in _points(self.tree, f"{self.place.folder}/results", _V07_POINT):
            try:
                points.append(self._point(system, concurrency, name))
            except (UnreadableFile, _Skip) as error:
                self.problems.append(f"{error}; the point was left out")
        folder = self.place.folder.rsplit("/", 1)[-1]
        model = _text(system.data, "model_name") or folder
        return EndpointCurve(
            round=V07,
            submitter=self.submitter(system.data),
            system=_text(system.data, "system_name"),
            platform=self.place.system_file.rsplit("/", 1)[-1].removesuffix(".json"),
            model=model_id(model),
            model_used=model,
            dataset=_text(system.data, "dataset_name") or _text(system.data, "dataset_id"),
            location=self.place.folder,
            points=tuple(points),
            software=_text(system.data, "serving_framework"),
        )

    def _point(self, system: _Document, concurrency: int, name: str) -> EndpointPoint:
        folder = f"{self.place.folder}/results/{name}"
        run = self.json(f"{folder}/run_metadata.json")
        data = run.data
        stated = number(data.get("concurrency"))
        if stated is not None and stated != concurrency:
            raise _Skip(f"{run.file}: its concurrency is {stated:g}, the folder says {concurrency}")
        tokens, seconds = number(data.get("measured_total_output_tokens")), number(data.get("measured_run_duration"))
        tps, formula = throughput(run.file, number(data.get("system_tps")), tokens, seconds)
        config: dict[str, Any] = {}
        cautions = []
        path = f"{self.place.folder}/points/{name}.yaml"
        if self.tree.exists(path):
            try:
                config = self.yaml(path).data
            except UnreadableFile as error:
                self.warnings.append(f"{error}; the point's settings were not used")
        accelerators, nodes, names = hardware(system.data)
        issued, done = number(data.get("measured_total_requests_issued")), number(data.get("measured_total_requests"))
        failed = number(data.get("measured_total_requests_failed"))
        if failed:
            cautions.append(f"{failed:g} requests failed")
        elif issued and done and issued != done:
            cautions.append(f"{done:g} of {issued:g} requests were completed")
        per_user = tps / concurrency if tps is not None and concurrency else None
        stated_user = number(data.get("tps_per_user"))
        if stated_user is not None and per_user and abs(stated_user - per_user) > STATED_TOLERANCE * per_user:
            cautions.append(f"tps_per_user is given as {stated_user:g}, system TPS ÷ concurrency is {per_user:g}")
        return EndpointPoint(
            concurrency=concurrency,
            system_tps=tps,
            system_tps_formula=formula,
            tps_per_user=stated_user if stated_user is not None else per_user,
            qps=number(data.get("qps")),
            ttft_ms=_flat_percentiles(data, "ttft"),
            tpot_ms=_flat_percentiles(data, "tpot"),
            output_tokens=tokens,
            output_tokens_average=tokens / done if tokens and done else None,
            duration_s=seconds,
            accelerators=accelerators,
            accelerators_engaged=None,
            nodes=nodes,
            accelerator_names=names,
            availability=status(system),
            division=(_text(system.data, "division") or _text(config, "division")).lower(),
            available_by=_text(system.data, "target_availability_date"),
            steady_state="",
            steady_verdict="",
            region=_text(config, "region") or _text(data, "config_region"),
            offline="",
            precision=_text(system.data, "model_precision"),
            location=folder,
            source=Source(run.file, run.line("system_tps") or run.line("measured_total_output_tokens")),
            cautions=tuple(cautions),
        )


class _V10(_Reader):
    def curve(self) -> EndpointCurve | None:
        points: list[EndpointPoint] = []
        system: dict[str, Any] = {}
        config: dict[str, Any] = {}
        for concurrency, name in _points(self.tree, self.place.folder, _V10_POINT):
            folder = f"{self.place.folder}/{name}"
            try:
                described = self.json(f"{folder}/system_desc.json")
                settings = self.yaml(f"{folder}/point.yaml")
                points.append(self._point(folder, concurrency, described, settings))
            except (UnreadableFile, _Skip) as error:
                self.problems.append(f"{error}; the point was left out")
                continue
            system, config = system or described.data, config or settings.data
        if not points:
            return None
        folders = self.place.folder.split("/")
        model = _text(config, "model_name") or folders[-1]
        return EndpointCurve(
            round=V10,
            submitter=self.submitter(system),
            system=_text(system, "system_name") or folders[-2],
            platform=folders[-2],
            model=model_id(model),
            model_used=model,
            dataset=_text(config, "dataset") or _text(config, "dataset_name"),
            location=self.place.folder,
            points=tuple(points),
            software=_text(system, "serving_framework"),
        )

    def _point(self, folder: str, concurrency: int, system: _Document, config: _Document) -> EndpointPoint:
        summary = self.json(f"{folder}/result_summary.json")
        data = summary.data
        stated = number(config.data.get("concurrency"))
        if stated is not None and stated != concurrency:
            raise _Skip(f"{config.file}: its concurrency is {stated:g}, the folder says {concurrency}")
        if data.get("complete") is False or str(data.get("state", "complete")).lower() not in {"complete", "completed"}:
            raise _Skip(f"{summary.file}: the run is not complete, its figures are partial")
        nanoseconds = number(data.get("duration_ns"))
        seconds = nanoseconds / 1e9 if nanoseconds else None
        cautions = []
        lengths = data.get("output_sequence_lengths")
        tokens = number(lengths.get("total")) if isinstance(lengths, dict) else None
        if "output_sequence_lengths_full_run" in data:
            # The plain block is that of the window then: dividing it by the run's duration would be wrong.
            whole = data["output_sequence_lengths_full_run"]
            tokens = number(whole.get("total")) if isinstance(whole, dict) else None
        tps, formula = throughput(summary.file, number(data.get("system_tps")), tokens, seconds)
        ttft, tpot = percentiles(data.get("ttft")), percentiles(data.get("tpot"))
        done, failed = number(data.get("n_samples_completed")), number(data.get("n_samples_failed"))
        if failed:
            cautions.append(f"{failed:g} requests failed")
        steady = config.data.get("steady_state")
        steady = steady if isinstance(steady, dict) else {}
        if _text(steady, "status") == "windowable":
            cautions.append("the official figures are those of the steady-state window; these are of the whole run")
        if _text(steady, "verdict").startswith("drifting"):
            cautions.append(
                f"the run was {_text(steady, 'verdict').replace('_', ' ')}; its figures may be given as a range only"
            )
        accelerators, nodes, names = hardware(system.data)
        engaged = engaged_accelerators(system.data, config.data)
        if engaged is not None and accelerators is not None and engaged != accelerators:
            cautions.append(f"{engaged} of {accelerators} accelerators were used")
        per_user = 1000 / tpot["90"] if tpot.get("90") else None
        stated_user = number(data.get("tps_per_user"))
        if (
            stated_user is not None
            and per_user is not None
            and abs(stated_user - per_user) > STATED_TOLERANCE * per_user
        ):
            raise _Skip(f"{summary.file}: tps_per_user is given as {stated_user:g}, TPOT P90 makes it {per_user:g}")
        return EndpointPoint(
            concurrency=concurrency,
            system_tps=tps,
            system_tps_formula=formula,
            tps_per_user=stated_user if stated_user is not None else per_user,
            qps=done / seconds if done and seconds else None,
            ttft_ms=ttft,
            tpot_ms=tpot,
            output_tokens=tokens,
            output_tokens_average=tokens / done if tokens and done else None,
            duration_s=seconds,
            accelerators=accelerators,
            accelerators_engaged=engaged,
            nodes=nodes,
            accelerator_names=names,
            availability=status(system),
            division=(_text(config.data, "division") or _text(system.data, "division")).lower(),
            available_by=_text(system.data, "target_availability_date"),
            steady_state=_text(steady, "status"),
            steady_verdict=_text(steady, "verdict"),
            region=_text(config.data, "region"),
            offline=_text(config.data, "offline") if _text(config.data, "offline") != "none" else "",
            precision=_text(config.data, "model_precision"),
            location=folder,
            source=Source(summary.file, summary.line("system_tps") or summary.line("output_sequence_lengths")),
            cautions=tuple(cautions),
        )


def throughput(file: str, stated: float | None, tokens: float | None, seconds: float | None) -> tuple[float, str]:
    """System TPS as stated, or output tokens ÷ seconds; both must agree within 1% where both are there.

    Raises:
        _Skip: They differ, or there is neither.
    """
    derived = tokens / seconds if tokens is not None and seconds else None
    if stated is not None and derived is not None and abs(stated - derived) > STATED_TOLERANCE * derived:
        raise _Skip(f"{file}: system_tps is given as {stated:g}, output tokens ÷ seconds is {derived:g}")
    if stated is not None:
        return stated, f"system_tps {stated:,.10g} tokens/s as stated"
    if derived is None:
        raise _Skip(f"{file}: gives neither system_tps nor output tokens and seconds")
    return derived, f"{tokens:,.0f} output tokens ÷ {seconds:,.10g} s = {derived:,.10g} tokens/s"


def number(value: object) -> float | None:
    """A number, also one that is written as text; None for anything else, for infinities and negatives."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        try:
            value = float(value.strip().replace(",", ""))
        except ValueError:
            return None
    if not isinstance(value, int | float):
        return None
    try:
        result = float(value)
    except OverflowError:
        return None
    return result if math.isfinite(result) and result >= 0 else None


def percentiles(block: object) -> dict[str, float]:
    """Percentiles of a block in ns, as ms; keys come as `90` and as `90.0`."""
    if not isinstance(block, dict) or not isinstance(block.get("percentiles"), dict):
        return {}
    found = {}
    for key, value in block["percentiles"].items():
        rank, amount = number(key), number(value)
        if rank is not None and amount is not None:
            found[f"{rank:g}"] = amount / 1e6
    return found


def _flat_percentiles(data: Mapping[str, Any], name: str) -> dict[str, float]:
    """v0.7's `measured_latency_<name>_p<N>` in ms. Its bare `ttft` is not used: submitters filled it differently."""
    found = {}
    for rank in PERCENTILES:
        value = number(data.get(f"measured_latency_{name}_p{rank}"))
        if value is not None:
            found[rank] = value
    return found


def hardware(system: Mapping[str, Any]) -> tuple[int | None, int | None, tuple[str, ...]]:
    """Installed accelerators, nodes, and the names of the accelerators; None where a count is missing."""
    kinds = system.get("node_types")
    if not isinstance(kinds, list) or not kinds:
        return None, None, ()
    total: int | None = 0
    nodes: int | None = 0
    names: list[str] = []
    for kind in kinds:
        if not isinstance(kind, dict):
            return None, None, ()
        count = _whole(kind.get("number_of_nodes"))
        each, found = _per_node(kind)
        names += found
        nodes = nodes + count if nodes is not None and count is not None else None
        total = total + count * each if total is not None and count is not None and each is not None else None
    return total, nodes, tuple(names)


def _per_node(kind: Mapping[str, Any]) -> tuple[int | None, list[str]]:
    info = kind.get("accelerator_info")
    if isinstance(info, list) and info:
        total: int | None = 0
        names: list[str] = []
        for entry in info:
            if not isinstance(entry, dict):
                return None, names
            each = _whole(entry.get("accelerators_per_node"))
            total = total + each if total is not None and each is not None else None
            if _text(entry, "accelerator_model_name"):
                names.append(_text(entry, "accelerator_model_name"))
        return total, names
    name = _text(kind, "accelerator_model_name")
    each = _whole(kind.get("accelerators_per_node"))
    if each is None and not name and "accelerators_per_node" not in kind and "accelerator_model_name" in kind:
        each = 0
    return each, [name] if name and each != 0 else []


def engaged_accelerators(system: Mapping[str, Any], config: Mapping[str, Any]) -> int | None:
    """Accelerators of the nodes that a point says it used; None where it does not say."""
    used = config.get("nodes_used")
    kinds = system.get("node_types")
    if not isinstance(used, list) or not used or not isinstance(kinds, list):
        return None
    each = {_whole(kind.get("system_node_ensemble_id")): _per_node(kind)[0] for kind in kinds if isinstance(kind, dict)}
    total = 0
    for entry in used:
        if not isinstance(entry, dict):
            return None
        nodes, per_node = _whole(entry.get("nodes")), each.get(_whole(entry.get("system_node_ensemble_id")))
        if nodes is None or per_node is None:
            return None
        total += nodes * per_node
    return total


def status(system: _Document) -> str:
    """The publication status, under any of its three names.

    Raises:
        _Skip: Two of them contradict each other.
    """
    names = ("system_availability_status", "publication_status", "availability_status")
    found = {_text(system.data, name).lower() for name in names} - {""}
    if len(found) > 1:
        raise _Skip(f"{system.file}: the publication status is given as {' and as '.join(sorted(found))}")
    text = next(iter(found), "")
    for word in ("preview", "rdi", "research"):
        if word in text:
            return "rdi" if word == "research" else word
    return "available" if text.startswith("available") else text


def model_id(name: str) -> str:
    """The canonical id of a model's name: without an organisation's prefix, dots between digits."""
    return canonical_model(_DIGITS.sub(".", name.rsplit("/", 1)[-1].strip().lower()))


def _whole(value: object) -> int | None:
    amount = number(value)
    return int(amount) if amount is not None and amount == int(amount) and amount < 10_000_000 else None


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
