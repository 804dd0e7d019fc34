"""The user's folder of fetched rounds.

Each round has a folder with the files fetched so far, named by their hash, `current.json`, which says which of them
counts, and `history.json`, which says since when each counted. All are written beside and then moved into place, so a
reader never sees half a file.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlperf_claimcheck.files import replace_file
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable

if TYPE_CHECKING:
    from mlperf_claimcheck.results.explicit import Read
    from mlperf_claimcheck.results.readers import ReadFile

ENVIRONMENT = "MLPERF_CLAIMCHECK_CACHE_DIR"
_ROUND = re.compile(r"(?:inference|training|endpoints)-v\d{1,2}\.\d{1,2}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NAME = re.compile(r"[0-9a-f]{64}\.(?:json|csv|zip)")


def cache_folder() -> Path:
    """The folder: `MLPERF_CLAIMCHECK_CACHE_DIR` if set, else the platform's usual place."""
    if named := os.environ.get(ENVIRONMENT):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("mlperf-claimcheck")


@dataclass(frozen=True, slots=True)
class HeldRound:
    """A fetched round."""

    round: str
    url: str
    sha256: str
    retrieved: str
    """ISO date."""
    etag: str
    name: str
    """The file's name in the round's folder."""

    @property
    def path(self) -> Path:
        """The file."""
        return cache_folder() / self.round / self.name

    def content(self) -> bytes:
        """The file as it was fetched.

        Raises:
            ResultsError: The file is missing, was changed, or cannot be read.
        """
        remedy = f"run `mlperf-claimcheck results fetch {self.round} --refresh`, or remove {self.path.parent}"
        try:
            _refuse_links(self.path)
            data = self.path.read_bytes()
        except OSError as error:
            raise ResultsError(f"{self.path}: cannot be read ({error.strerror or error}); {remedy}") from error
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise ResultsError(f"{self.path}: is damaged (its SHA-256 is not the recorded one); {remedy}")
        return data

    def read(self) -> ReadFile:
        """Its rows.

        Raises:
            ResultsError: See `content`, or the file cannot be read.
        """
        from mlperf_claimcheck.results.readers import ReadFile, parse_results

        if self.is_pack:
            read = self.read_pack()
            rows = tuple(row for found, _ in read.found.values() for row in found)
            return ReadFile(str(self.path), rows, self.sha256, read.warnings)
        return parse_results(self.content(), str(self.path), round_id=self.round)

    @property
    def is_pack(self) -> bool:
        """Whether it is the files of a repository (Training, Endpoints) and no summary."""
        return self.name.endswith(".zip")

    def read_pack(self) -> Read:
        """The rows of a pack, with its curves or scores.

        Raises:
            ResultsError: See `content`, or it holds no results.
        """
        from mlperf_claimcheck.results.explicit import read_pack

        return read_pack(self.content(), str(self.path), self.round)


def held_round(round_id: str) -> HeldRound | None:
    """What the cache holds of a round, None if nothing.

    Raises:
        ResultsError: The record of it is damaged.
    """
    if _ROUND.fullmatch(round_id) is None:
        return None
    path = cache_folder() / round_id / "current.json"
    text = _text(path)
    if text is None:
        return None
    try:
        return _entry(json.loads(text), round_id)
    except (ValueError, TypeError, RecursionError) as error:
        raise ResultsError(f"{path}: is damaged ({error}); remove {path.parent} and fetch again") from error


def history(round_id: str) -> tuple[HeldRound, ...]:
    """The versions of a round that counted so far, in their order, each with the date since which it did.

    A cache that was filled before dates were kept knows the date of its last version only.

    Raises:
        ResultsError: The record of it is damaged.
    """
    current = held_round(round_id)
    if current is None:
        return ()
    path = cache_folder() / round_id / "history.json"
    text = _text(path)
    found: list[HeldRound] = []
    if text is not None:
        try:
            entries = json.loads(text)
            if not isinstance(entries, list):
                raise ValueError("a list was expected")
            found = [_entry(entry, round_id) for entry in entries]
            if not all(_DATE.fullmatch(entry.retrieved) for entry in found):
                raise ValueError("a date is none")
        except (ValueError, TypeError, RecursionError) as error:
            raise ResultsError(f"{path}: is damaged ({error}); remove {path.parent} and fetch again") from error
    if not found or found[-1].sha256 != current.sha256:
        found.append(current)
    return tuple(found)


def held_at(round_id: str, day: str) -> HeldRound | None:
    """The version of a round that counted at the end of a day (ISO, UTC); None if none did yet.

    Raises:
        ResultsError: The record of it is damaged.
    """
    return next((v for v in reversed(history(round_id)) if v.retrieved <= day), None)


def _text(path: Path) -> str | None:
    try:
        _refuse_links(path)
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path}: cannot be read ({error}); remove {path.parent} and fetch again") from error


def _entry(values: dict[str, str], round_id: str) -> HeldRound:
    held = HeldRound(**values)
    if not all(isinstance(v, str) for v in asdict(held).values()):
        raise ValueError("unexpected values")
    if held.round != round_id or not _NAME.fullmatch(held.name):
        raise ValueError("unexpected values")
    return held


def held_rounds() -> list[HeldRound]:
    """All rounds that the cache holds.

    Raises:
        ResultsError: The record of one is damaged.
    """
    folder = cache_folder()
    try:
        names = sorted(p.name for p in folder.iterdir() if _ROUND.fullmatch(p.name)) if folder.is_dir() else []
    except OSError as error:
        raise ResultsError(f"{folder}: cannot be read ({error.strerror or error})") from error
    return [held for name in names if (held := held_round(name)) is not None]


def stored_versions(round_id: str) -> tuple[str, ...]:
    """SHA-256 of every file fetched of a round so far, the newest first; earlier ones stay for `results diff`."""
    folder = cache_folder() / round_id
    if _ROUND.fullmatch(round_id) is None or folder.is_symlink() or not folder.is_dir():
        return ()
    files = [p for p in folder.iterdir() if _NAME.fullmatch(p.name) and not p.is_symlink()]
    return tuple(p.name[:64] for p in sorted(files, key=lambda p: (-p.stat().st_mtime_ns, p.name)))


def stored_version(prefix: str) -> ReadFile | None:
    """A file fetched at any time, by the beginning (at least 7 digits) of its SHA-256; None if there is not just one.

    Raises:
        ResultsError: The file was changed, or cannot be read.
    """
    if re.fullmatch(r"[0-9a-f]{7,64}", prefix) is None or not cache_folder().is_dir():
        return None
    found = [
        p
        for folder in sorted(cache_folder().iterdir())
        if _ROUND.fullmatch(folder.name) and folder.is_dir()
        for p in sorted(folder.iterdir())
        if _NAME.fullmatch(p.name) and p.name.startswith(prefix)
    ]
    if len(found) != 1:
        return None
    path = found[0]
    return HeldRound(path.parent.name, "", path.name[:64], "", "", path.name).read()


@contextmanager
def locked(round_id: str) -> Iterator[None]:
    """Keeps other processes from storing the same round.

    Raises:
        ResultsUnavailable: The cache folder cannot be written, or another process holds the lock for long.
    """
    from filelock import FileLock, Timeout

    lock = None
    try:
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f"{round_id}.lock", timeout=120)
        lock.acquire()
    except (OSError, Timeout) as error:
        raise ResultsUnavailable(
            f"{cache_folder()}: the cache folder cannot be used ({error}); name another one in {ENVIRONMENT}"
        ) from error
    try:
        yield
    finally:
        lock.release()


def store(round_id: str, data: bytes, *, url: str, etag: str, retrieved: str) -> HeldRound:
    """Stores a round's file, which then counts. Older files stay, for comparing versions and for `held_at`.

    Raises:
        ResultsUnavailable: It cannot be written.
    """
    digest = hashlib.sha256(data).hexdigest()
    suffix = (
        "zip"
        if data.startswith(b"PK")
        else "json"
        if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{")
        else "csv"
    )
    held = HeldRound(round_id, url, digest, retrieved, etag, f"{digest}.{suffix}")
    try:
        past = history(round_id)
    except ResultsError:
        past = ()  # Damaged: what is fetched now is whole, and its date is known.
    if not past or past[-1].sha256 != digest:
        past = (*past, held)
    try:
        held.path.parent.mkdir(parents=True, exist_ok=True)
        _refuse_links(held.path)
        replace_file(held.path, data, mode=0o600)
        current = (json.dumps(asdict(held), indent=1) + "\n").encode()
        replace_file(held.path.with_name("current.json"), current, mode=0o600)
        known = json.dumps([asdict(v) for v in past], indent=1) + "\n"
        replace_file(held.path.with_name("history.json"), known.encode(), mode=0o600)
    except OSError as error:
        raise ResultsUnavailable(
            f"{held.path.parent}: cannot be written ({error.strerror or error}); name another folder in {ENVIRONMENT}"
        ) from error
    return held


def _refuse_links(path: Path) -> None:
    # The folder may be shared: a link in it must not make us read or write somewhere else.
    for place in (path, path.parent):
        if place.is_symlink():
            raise OSError(f"{place} is a symbolic link")
