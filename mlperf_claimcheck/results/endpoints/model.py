"""A curve of MLPerf Endpoints: what one system gave at each concurrency that was submitted.

The curve is a step function and is never interpolated (Endpoints rules: Pareto curve), so every figure belongs to one
point, which is named by its concurrency.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mlperf_claimcheck.results.model import ResultRow


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure stands."""

    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class EndpointPoint:
    """One measurement: one system, one model, one concurrency."""

    concurrency: int
    """Requests in flight that the client kept up."""
    system_tps: float | None
    """Output tokens per second over all users; None where the files do not give it."""
    system_tps_formula: str
    """How it was had: as stated in the file, or the division that gives it."""
    tps_per_user: float | None
    """tokens/s/user. In v0.7 system TPS ÷ concurrency, from v1.0 1000 ÷ TPOT P90 in ms: never compare the two."""
    qps: float | None
    """Completed requests per second."""
    ttft_ms: Mapping[str, float]
    """Time to first token by percentile ("50", "90", "95", "99"), in ms."""
    tpot_ms: Mapping[str, float]
    """Time per output token by percentile, in ms."""
    output_tokens: float | None
    """Output tokens of the whole run."""
    output_tokens_average: float | None
    duration_s: float | None
    """Length of the whole run in seconds."""
    accelerators: int | None
    """Installed: nodes x accelerators per node, over all kinds of nodes. Per-accelerator figures divide by it."""
    accelerators_engaged: int | None
    """Those that the point says it used, where it says so."""
    nodes: int | None
    accelerator_names: tuple[str, ...]
    availability: str
    """`available`, `preview` or `rdi`: the publication status."""
    division: str
    """`standardized`, `serviced` or `rdi` (v1.0); as written in v0.7."""
    available_by: str
    """Date by which a Preview system has to be available, as written."""
    steady_state: str
    """Status of the steady-state window (v1.0): from a `windowable` run the window's figures are the official ones."""
    steady_verdict: str
    region: str
    offline: str
    """`dedicated`, `elected` or empty."""
    precision: str
    location: str
    """Path of the point inside the repository."""
    source: Source
    """The file (and line) that the throughput comes from."""
    cautions: tuple[str, ...] = ()
    """What a reader must know before quoting the point; each a plain sentence."""

    @property
    def tps_per_accelerator(self) -> float | None:
        """System TPS ÷ installed accelerators: derived, not verified by MLCommons; None if either is unknown."""
        if self.system_tps is None or not self.accelerators or len(set(self.accelerator_names)) > 1:
            return None
        return self.system_tps / self.accelerators

    @property
    def whole_run_only(self) -> bool:
        """The figures are whole-run ones although the official ones are those of the steady-state window."""
        return self.steady_state == "windowable"


@dataclass(frozen=True, slots=True)
class EndpointCurve:
    """All points of one system and model of one submission."""

    round: str
    """`endpoints-v0.7` or `endpoints-v1.0`."""
    submitter: str
    system: str
    platform: str
    """The system's id or folder."""
    model: str
    """Canonical id: `deepseek-r1`, `llama3.1-8b` …"""
    model_used: str
    """As written."""
    dataset: str
    location: str
    points: tuple[EndpointPoint, ...]
    """By rising concurrency."""
    software: str = ""
    processor: str = ""

    def at(self, concurrency: int) -> EndpointPoint | None:
        """The point of exactly this concurrency; there is nothing between points."""
        return next((p for p in self.points if p.concurrency == concurrency), None)

    @property
    def peak(self) -> EndpointPoint | None:
        """The point of the highest system TPS."""
        known = [p for p in self.points if p.system_tps is not None]
        return max(known, key=lambda p: (p.system_tps or 0.0, -p.concurrency)) if known else None

    def row(self, point: EndpointPoint, index: int = 0) -> ResultRow | None:
        """A point's system TPS as a row of the results table; None where it is not known.

        The scenario is `Concurrency N`: two points are never the same benchmark.
        """
        if point.system_tps is None:
            return None
        return ResultRow(
            round=self.round,
            result_id=None,
            submitter=self.submitter,
            division=point.division,
            availability=point.availability,
            suite="",
            system=self.system,
            platform=self.platform,
            accelerator=" + ".join(dict.fromkeys(point.accelerator_names)),
            accelerators=point.accelerators,
            accelerators_published=point.accelerators,
            accelerators_platform=None,
            accelerators_per_node=None,
            nodes=point.nodes,
            heterogeneous=len(set(point.accelerator_names)) > 1,
            processor=self.processor,
            processors_per_node=None,
            model=self.model,
            model_used=self.model_used,
            scenario=f"Concurrency {point.concurrency}",
            value=point.system_tps,
            unit="tokens/s",
            power=None,
            power_unit=None,
            data_type=point.precision,
            software=self.software,
            inferred=False,
            location=point.location,
            index=index,
        )


@dataclass(frozen=True, slots=True)
class EndpointRepository:
    """What a folder of Endpoints results holds."""

    curves: tuple[EndpointCurve, ...]
    problems: tuple[str, ...] = ()
    """Points or curves that were left out, each with its file and why."""
    warnings: tuple[str, ...] = field(default=())

    def joined(self, other: EndpointRepository, name: str) -> EndpointRepository:
        """The curves of both; the same curve counts once.

        A place that both have is told apart by `name`, that of the other.
        """
        taken = {curve.location for curve in self.curves}
        same = {_without_place(curve) for curve in self.curves}
        added = []
        for curve in other.curves:
            if _without_place(curve) in same:
                continue
            while curve.location in taken:
                curve = _placed(curve, name)
            taken.add(curve.location)
            added.append(curve)
        return EndpointRepository(
            (*self.curves, *added),
            tuple(dict.fromkeys((*self.problems, *other.problems))),
            tuple(dict.fromkeys((*self.warnings, *other.warnings))),
        )

    def rows(self) -> list[ResultRow]:
        """Every point's system TPS as rows of the results table."""
        found: list[ResultRow] = []
        for curve in self.curves:
            for point in curve.points:
                row = curve.row(point, len(found))
                if row is not None:
                    found.append(row)
        return found


def _placed(curve: EndpointCurve, name: str) -> EndpointCurve:
    """The curve as one below another folder."""
    points = tuple(replace(p, location=f"{name}/{p.location}") for p in curve.points)
    return replace(curve, location=f"{name}/{curve.location}", points=points)


def _without_place(curve: EndpointCurve) -> str:
    """All that a curve says, without where it stands."""
    points = tuple(replace(p, location="", source=Source(""), system_tps_formula="") for p in curve.points)
    return repr(replace(curve, location="", points=points))
