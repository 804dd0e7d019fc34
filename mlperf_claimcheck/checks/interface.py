"""What every check gets to work with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlperf_claimcheck.results.corrections import Corrections
    from mlperf_claimcheck.results.table import ResultsTable
    from mlperf_claimcheck.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class CheckContext:
    """Results, names and options of one run."""

    results: ResultsTable
    vocabulary: Vocabulary
    corrections: Corrections
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Peer groups of the claim file: name (lower case) -> vocabulary ids of submitters."""
    tolerance: float = 0.05
    """How far "about" and "nearly" reach, as a fraction."""
