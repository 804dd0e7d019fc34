"""The lock: the exact versions of the results that a check must rest on, so that a gate does not change its mind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mlperf_claimcheck.files import new_file_mode, replace_file
from mlperf_claimcheck.results.cache import cache_folder, stored_versions
from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.verdicts.model import ResultsSource

VERSION = 1
_LIMIT = 1024**2
_ROUND = re.compile(r"[a-z0-9][a-z0-9.-]{0,79}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class LockError(ValueError):
    """A lock file that cannot be read or written; the message names it and what to do."""


class LockMismatch(ResultsError):
    """The results at hand are not the locked ones."""


@dataclass(frozen=True, slots=True)
class LockedRound:
    """One round's version as locked."""

    round: str
    source: str
    """Where it was read from when it was locked: tells a reader where to look, and is not demanded."""
    sha256: str


def read_lock(path: Path) -> Mapping[str, LockedRound] | None:
    """The locked versions by round; None if there is no such file.

    Raises:
        LockError: It cannot be read, or is no lock of this version.
    """
    remedy = "restore it, or remove it to lock the results at hand"
    if not path.exists() and not path.is_symlink():
        return None
    try:
        if not path.is_file():
            raise LockError(f"{path}: is no file; name a lock file")
        with path.open("rb") as file:
            data = file.read(_LIMIT + 1)
    except OSError as error:
        raise LockError(f"{path}: cannot be read ({error.strerror or error}); {remedy}") from error
    if len(data) > _LIMIT:
        raise LockError(f"{path}: is no lock file (larger than 1 MB); {remedy}")
    try:
        content = json.loads(data.decode("utf-8"))
        if not isinstance(content, dict) or not isinstance(content.get("rounds"), list):
            raise ValueError("“rounds”, a list, was expected")
        if content.get("version") != VERSION:
            raise ValueError(f"its version is not {VERSION}")
        rounds = [_locked(entry) for entry in content["rounds"]]
        if not rounds or len({r.round for r in rounds}) != len(rounds):
            raise ValueError("it must name at least one round, and each round once")
    except (ValueError, RecursionError) as error:
        raise LockError(f"{path}: is no lock file ({error}); {remedy}") from error
    return {r.round: r for r in rounds}


def _locked(entry: object) -> LockedRound:
    if not isinstance(entry, dict):
        raise ValueError("a round is an object with round, source and sha256")
    name, source, digest = entry.get("round"), entry.get("source"), entry.get("sha256")
    if not isinstance(name, str) or not _ROUND.fullmatch(name):
        raise ValueError("“round” is no id of a round")
    if not isinstance(source, str) or not isinstance(digest, str) or not _SHA256.fullmatch(digest):
        raise ValueError(f"“source” or “sha256” of {name} is missing or malformed")
    return LockedRound(name, source, digest)


def write_lock(path: Path, sources: Iterable[ResultsSource]) -> None:
    """Writes the versions of the results at hand, all rounds: a claim may turn on the presence of any of them.

    Raises:
        LockError: It cannot be written.
    """
    rounds = [{"round": s.round, "source": s.source, "sha256": s.sha256} for s in sources]
    text = json.dumps({"version": VERSION, "rounds": rounds}, indent=2, ensure_ascii=False) + "\n"
    try:
        replace_file(path, text.encode("utf-8"), mode=new_file_mode())
    except (OSError, ValueError) as error:
        raise LockError(f"{path}: the lock cannot be written ({getattr(error, 'strerror', None) or error})") from error


def change(locked: Mapping[str, LockedRound], round_id: str, sha256: str | None) -> str | None:
    """What a lock says against a version of a round (None: the round is not at hand); None if it agrees."""
    before = locked.get(round_id)
    if before is None:
        return None if sha256 is None else f"{round_id}: not in the lock, now {sha256[:12]}"
    if before.sha256 == sha256:
        return None
    now = "not held" if sha256 is None else sha256[:12]
    return f"{round_id}: locked {before.sha256[:12]}, now {now}"


def demand(path: Path, locked: Mapping[str, LockedRound], sources: Iterable[ResultsSource]) -> None:
    """Demands that the results at hand are those locked: the same rounds, each with the same SHA-256.

    Raises:
        LockMismatch: They are not; the message names each round that differs, and the ways out.
    """
    held = {s.round: s.sha256 for s in sources}
    found = [
        line + _kept(locked.get(name), name)
        for name in dict.fromkeys([*locked, *held])
        if (line := change(locked, name, held.get(name))) is not None
    ]
    if found:
        raise LockMismatch(
            f"{path}: the results are not the locked ones, so no claim was checked:\n  "
            + "\n  ".join(found)
            + "\nGive the locked files with --results, or, to accept the new results, remove the lock and check again"
        )


def _kept(locked: LockedRound | None, round_id: str) -> str:
    """Where the cache still has the locked version, if it does."""
    if locked is None or locked.sha256 not in stored_versions(round_id):
        return ""
    places = (cache_folder() / round_id / f"{locked.sha256}.{suffix}" for suffix in ("json", "csv"))
    return next((f" (the cache keeps the locked one: --results {p})" for p in places if p.is_file()), "")
