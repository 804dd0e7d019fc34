"""The things that have names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class VocabularyError(Exception):
    """A file of names that cannot be read or is not valid. The message names the file, the line and what to do."""


@dataclass(frozen=True, slots=True)
class Model:
    """A benchmark model, or a generic name that stands for several of its accuracy variants."""

    id: str
    name: str
    ids: tuple[str, ...]
    """Inference benchmark ids that the name stands for; empty for a model of other suites only."""
    edge_ids: tuple[str, ...] = ()
    """Ids to use instead in the edge suite, where they differ."""
    other_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Ids in other suites: `{"training": ("llama31_8b",)}`."""
    suites: tuple[str, ...] = ()
    """Suites of MLPerf that have it: `inference`, `training`, `endpoints`."""
    rounds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Inference round (`6.1`) -> `datacenter`, `edge`."""
    spellings: tuple[str, ...] = ()
    note: str | None = None

    def available(self, round_id: str, suite: str | None = None) -> bool:
        """Whether the benchmark was in an Inference round (`inference-v6.1`, `6.1`), in that suite if one is given."""
        suites = self.rounds.get(round_number(round_id), ())
        return bool(suites) if suite is None else suite in suites


@dataclass(frozen=True, slots=True)
class Hardware:
    """An accelerator, a product built with it, a family of them, or a processor (for systems without accelerator)."""

    id: str
    name: str
    kind: str
    """`accelerator`, `product`, `family` or `cpu`."""
    vendor: str | None
    parents: tuple[str, ...]
    """Families that directly contain it."""
    rack_size: int | None
    """Accelerators in exactly one such product, where that is fixed (NVL72: 72, HGX: 8)."""
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Submitter:
    """An organization that submits results."""

    id: str
    name: str
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A group that claims rank among."""

    id: str
    name: str
    kind: str
    """`peer` (a list of submitters) or `architecture` (a rule on the row's hardware and counts)."""
    members: Mapping[str, str] = field(default_factory=dict)
    """Peer groups: submitter id -> why it is a member."""
    date: str | None = None
    """Peer groups: month of the membership list."""
    vendors: tuple[str, ...] = ()
    hardware: tuple[str, ...] = ()
    min_nodes: int | None = None
    max_nodes: int | None = None
    min_accelerators: int | None = None
    max_accelerators: int | None = None
    cpu_only: bool = False
    accelerated: bool = False
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure, without the divisor ("per GPU")."""

    id: str
    kind: str
    """`rate`, `time`, `power`, `energy`, `per-user` or `count`."""
    lower_is_better: bool
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite of MLPerf: Inference, Training, Endpoints …"""

    id: str
    name: str
    rounds: Mapping[str, str | None]
    """Known round numbers -> date of publication (ISO), where it is known."""
    spellings: tuple[str, ...] = ()


def round_number(round_id: str) -> str:
    """The number of a round however it is written: `inference-v6.1`, `v6.1` and `6.1` give `6.1`."""
    return round_id.strip().lower().rsplit("-", 1)[-1].removeprefix("v")
