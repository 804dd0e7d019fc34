"""One published result, normalised."""

from __future__ import annotations

from dataclasses import dataclass

TIME_TO_TRAIN = "time to train"
"""The scenario of every MLPerf Training result, which has none of its own."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One row of the normalised results table: one system, benchmark and scenario of one submission."""

    round: str
    """Round id: `inference-v6.1`."""
    result_id: str | None
    """Public ID without a leading v (`6.0-0001`); None where the round's file has none (v6.1)."""
    submitter: str
    """As published; `Dell_MangoBoost` is a joint entry."""
    division: str
    """`closed`, `open` or `network`."""
    availability: str
    """`available`, `preview` or `rdi`."""
    suite: str
    """`datacenter`, `edge` or `datacenter,edge`."""
    system: str
    """System name as published."""
    platform: str
    """Platform / system description id as published."""
    accelerator: str
    """Accelerator model name as published; empty for a CPU-only system."""
    accelerators: int | None
    """Accelerators used, the number that per-accelerator figures divide by: the count inside the accelerator's own
    name ("(x87)", sum over several kinds) decides over the published count. 0 for CPU-only; None where unknown."""
    accelerators_published: int | None
    """The row's own total: nodes x accelerators per node, or the file's total column."""
    accelerators_platform: int | None
    """The count that the platform or system name states (`4xH100` -> 4), where it states one clearly."""
    accelerators_per_node: int | None
    nodes: int | None
    heterogeneous: bool
    """More than one kind of accelerator: a per-accelerator figure means little."""
    processor: str
    processors_per_node: int | None
    model: str
    """Canonical benchmark id: `llama2-70b-99.9`, `gpt-oss-120b`, `qwen3-vl-235b-a22b`, `resnet` …"""
    model_used: str
    """The submitter's own model directory name (matters in the open division)."""
    scenario: str
    """`Offline`, `Server`, `Interactive`, `SingleStream` or `MultiStream`; `time to train` in MLPerf Training."""
    value: float
    unit: str
    """Canonical unit of `value`: `tokens/s`, `samples/s`, `queries/s`, `tasks/s`, `ms`, `s` (the label as published,
    except for spelling; known wrong labels are left as published, see `vocabulary` unit conflicts)."""
    power: float | None
    power_unit: str | None
    """`W` or `mJ`."""
    data_type: str
    """Weight data types as published."""
    software: str
    inferred: bool
    """Recomputed, not the file's flag: edge MultiStream/Offline results inferred from another scenario's run."""
    location: str
    """Path inside the results repository, without a leading `./`."""
    index: int = 0
    """Position of the row in its round's upstream file (0-based)."""

    @property
    def is_time_to_train(self) -> bool:
        """Whether `value` is a time to train: less is better, and on more accelerators it is shorter."""
        return self.scenario == TIME_TO_TRAIN
