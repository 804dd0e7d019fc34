"""The field's names and spellings, as data files, and resolving a spelling to a name."""

from __future__ import annotations

from mlperf_claimcheck.vocabulary.lexicon import KINDS
from mlperf_claimcheck.vocabulary.model import (
    Group,
    Hardware,
    Model,
    Submitter,
    Suite,
    Unit,
    VocabularyError,
    round_number,
)
from mlperf_claimcheck.vocabulary.store import Vocabulary, load_vocabulary

__all__ = [
    "KINDS",
    "Group",
    "Hardware",
    "Model",
    "Submitter",
    "Suite",
    "Unit",
    "Vocabulary",
    "VocabularyError",
    "load_vocabulary",
    "round_number",
]
