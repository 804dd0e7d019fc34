"""Rounds: their ids, and where MLCommons publishes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mlperf_claimcheck.files import packaged_yaml
from mlperf_claimcheck.results.errors import RoundError

_ROUND = re.compile(
    r"(?:mlperf®?[\s_-]*)?(?:(inference|training|endpoints)[\s_-]*)?v?(\d{1,2}\.\d{1,2})", re.IGNORECASE
)
_LAST_WITH_RESULTS_JSON = (6, 0)


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = packaged_yaml("mlperf_claimcheck.results", "data", "rounds.yaml")
    return loaded


def parse_round_id(text: str) -> str:
    """The id of a round: `v6.1`, `6.1`, `MLPerf Inference v6.1` and `inference-v6.1` all give `inference-v6.1`.

    Raises:
        RoundError: It is no round.
    """
    match = _ROUND.fullmatch(text.strip()) if text.isascii() or "®" in text else None
    if match is None:
        raise RoundError(f"{text[:60]!r} is no round; expected the form inference-v6.1 or v6.1{_nearest(text)}")
    major, minor = match[2].split(".")
    return f"{(match[1] or 'inference').lower()}-v{int(major)}.{int(minor)}"


def _nearest(text: str) -> str:
    from difflib import get_close_matches

    # Compared without what every round has, so that the digits decide.
    wanted = re.sub(r"mlperf|inference|[^0-9.]", "", text[:60].lower())
    names = {r.rpartition("-v")[2]: r for r in reversed(known_rounds())}
    found = get_close_matches(wanted, names, n=2, cutoff=0.5)
    return f"; nearest: {', '.join(names[n] for n in found)}" if found else ""


def known_rounds() -> tuple[str, ...]:
    """Ids of the rounds that are known to be published, oldest first."""
    return tuple(_data()["rounds"])


def repository(round_id: str) -> str:
    """Name of a round's repository: `inference_results_v6.1`, `training_results_v5.1`.

    Raises:
        RoundError: It is no round.
    """
    suite, _, version = parse_round_id(round_id).partition("-v")
    return f"{suite}_results_v{version}"


def has_summary(round_id: str) -> bool:
    """Whether a round is published with a summary file; of Training and Endpoints there are only the runs."""
    return round_id.startswith("inference-")


def candidate_files(round_id: str) -> tuple[str, ...]:
    """Names under which a round's summary may be published, most likely first."""
    data = _data()
    if round_id in data["rounds"]:
        return tuple(data["rounds"][round_id]["files"])
    version = tuple(int(n) for n in round_id.rpartition("-v")[2].split("."))
    return tuple(data["older"] if version <= _LAST_WITH_RESULTS_JSON else data["unknown"])
