"""Reading files of a folder that somebody else made: bounded, and never outside the folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mlperf_claimcheck.results.repository.errors import RepositoryError, UnreadableFile

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Content:
    """What was read of a file, and what stood in the way."""

    data: bytes = b""
    size: int = 0
    problem: str | None = None
    """A class of explanation (`no-log`, `log-outside` …) when the file could not be read as a whole."""
    message: str = ""
    skipped: int = 0
    """Bytes between the head and the tail that were not read."""

    @property
    def ok(self) -> bool:
        """Whether there is something to parse."""
        return self.problem is None


class Files(Protocol):
    """Files by their paths inside a repository, wherever they are kept."""

    def exists(self, relative: str) -> bool:
        """Whether something is there."""
        ...

    def read(self, relative: str, *, limit: int, tail: int = 0) -> Content:
        """A file of at most `limit` bytes, or of a larger one its head and tail (see `Tree.read`)."""
        ...


class Tree:
    """A folder whose files are read by paths relative to it.

    Symbolic links are followed only while they stay inside the folder. Anything that is not a regular file (a pipe, a
    device) is not opened.
    """

    def __init__(self, root: Path | str) -> None:
        self.given = Path(root)
        try:
            self.root = Path(os.path.realpath(self.given, strict=True))
        except (OSError, RuntimeError) as error:
            raise RepositoryError(
                f"{self.given}: cannot be opened as a results repository ({_why(error)}). "
                "Give the folder that holds closed/, open/ or network/."
            ) from error
        if not self.root.is_dir():
            raise RepositoryError(
                f"{self.given}: is not a folder. Give the folder that holds closed/, open/ or network/."
            )
        self._prefix = str(self.root).rstrip(os.sep) + os.sep

    def resolve(self, relative: str) -> str | None:
        """The real path of a file or folder of this tree; None if it lies outside or its name is not a plain path."""
        if "\0" in relative or relative.startswith(("/", "\\")) or ".." in relative.split("/"):
            return None
        try:
            real = os.path.realpath(self._prefix + relative)
        except (OSError, ValueError):
            return None
        return real if real == str(self.root) or real.startswith(self._prefix) else None

    def folders(self, relative: str = "") -> list[str]:
        """Names of the sub-folders, sorted; links that leave the tree are left out (see `outside`)."""
        return self._names(relative, want_dir=True)

    def files(self, relative: str = "") -> list[str]:
        """Names of the regular files, sorted; links that leave the tree are left out."""
        return self._names(relative, want_dir=False)

    def outside(self, relative: str = "") -> list[str]:
        """Names of links in a folder that lead out of the tree."""
        real = self.resolve(relative)
        if real is None:
            return []
        try:
            with os.scandir(real) as entries:
                return sorted(
                    e.name for e in entries if e.is_symlink() and self.resolve(_join(relative, e.name)) is None
                )
        except OSError:
            return []

    def _names(self, relative: str, *, want_dir: bool) -> list[str]:
        real = self.resolve(relative)
        if real is None:
            return []
        names = []
        try:
            with os.scandir(real) as entries:
                for entry in entries:
                    try:
                        if entry.is_symlink() and self.resolve(_join(relative, entry.name)) is None:
                            continue
                        if entry.is_dir() if want_dir else entry.is_file():
                            names.append(entry.name)
                    except OSError:
                        continue
        except OSError:
            return []
        return sorted(names)

    def exists(self, relative: str) -> bool:
        """Whether something is there (also a link that leaves the tree)."""
        return os.path.lexists(self._prefix + relative)

    def size(self, relative: str) -> int:
        """Bytes of a file of the tree; 0 for one that is missing or outside."""
        real = self.resolve(relative)
        try:
            return Path(real).stat().st_size if real is not None else 0
        except OSError:
            return 0

    def read(self, relative: str, *, limit: int, tail: int = 0) -> Content:
        """A file of at most `limit` bytes; of a larger one the last `tail` bytes after the head, if `tail` is given.

        At most `limit + tail` bytes are held in memory whatever the file's size. A missing file has the problem
        `missing`, one outside the folder `outside`, one that is too large (and no tail asked for) `too-large`.
        """
        if not self.exists(relative):
            return Content(problem="missing", message="there is no such file")
        real = self.resolve(relative)
        if real is None:
            return Content(problem="outside", message="it is a link that leads out of the folder; it was not read")
        try:
            # O_NONBLOCK: opening a pipe must not wait for a writer.
            descriptor = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        except OSError as error:
            return Content(problem="unreadable", message=_why(error))
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return Content(problem="unreadable", message="it is not a regular file")
            size = status.st_size
            if size == 0:
                return Content(problem="empty", message="the file is empty")
            if size > limit and not tail:
                return Content(
                    size=size,
                    problem="too-large",
                    message=f"it has {size:,} bytes; such a file may have {limit:,} at most, so it was not read",
                )
            with os.fdopen(descriptor, "rb", closefd=False) as stream:
                if size <= limit + tail:
                    return Content(data=stream.read(limit + tail), size=size)
                head = stream.read(limit)
                stream.seek(size - tail)
                end = stream.read(tail)
                return Content(data=head + b"\n" + end, size=size, skipped=size - limit - tail)
        except OSError as error:
            return Content(problem="unreadable", message=_why(error))
        finally:
            os.close(descriptor)

    def lines(self, relative: str, *, limit: int, longest: int = 64 * 1024) -> Iterator[tuple[int, bytes]]:
        """The lines of a file with their numbers, one at a time; of a line longer than `longest` only its beginning.

        Reads `limit` bytes at most and holds one line in memory.

        Raises:
            UnreadableFile: The file is missing, empty, outside the folder, no regular file, or larger than `limit`.
        """
        if not self.exists(relative):
            raise UnreadableFile(relative, "there is no such file")
        real = self.resolve(relative)
        if real is None:
            raise UnreadableFile(relative, "it is a link that leads out of the folder; it was not read")
        try:
            descriptor = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        except OSError as error:
            raise UnreadableFile(relative, _why(error)) from error
        with os.fdopen(descriptor, "rb") as stream:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableFile(relative, "it is not a regular file")
            if status.st_size == 0:
                raise UnreadableFile(relative, "the file is empty")
            if status.st_size > limit:
                raise UnreadableFile(
                    relative, f"it has {status.st_size:,} bytes; such a file may have {limit:,} at most"
                )
            number, continued = 0, False
            while piece := stream.readline(longest):
                if not continued:
                    number += 1
                    yield number, piece
                continued = not piece.endswith(b"\n")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _why(error: BaseException) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
