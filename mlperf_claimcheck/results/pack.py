"""The files of a results repository that count, in one file of the cache.

A pack is an uncompressed ZIP file with the paths of the repository: equal files give an equal hash. Of a run log
it holds the lines that give the time, each with its number. Nothing of a pack is ever written to the disk as a file.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.repository.errors import UnreadableFile
from mlperf_claimcheck.results.repository.tree import MIB, Content, Tree

LIMIT = 256 * MIB
"""Bytes of all files of a pack together."""
MOST_FILES = 200_000
LOG_SUFFIX = ".lines"
"""Behind the name of a run log of which only numbered lines are kept."""
_DATE = (1980, 1, 1, 0, 0, 0)


def write_pack(files: Mapping[str, bytes]) -> bytes:
    """A pack of files by path. The same files always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(files):
            archive.writestr(zipfile.ZipInfo(path, _DATE), files[path])
    return buffer.getvalue()


class PackTree(Tree):
    """The files of a pack, read as those of a folder are."""

    def __init__(self, data: bytes, name: str) -> None:
        """Reads the pack's table.

        Raises:
            ResultsError: It is no pack, or a larger one than is ever written.
        """
        self.given = self.root = Path(name)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            entries = self._archive.infolist()
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise ResultsError(f"{name}: is no pack of results ({error})") from error
        if len(entries) > MOST_FILES or sum(e.file_size for e in entries) > LIMIT:
            raise ResultsError(f"{name}: is larger than a pack of results may be")
        self._sizes = {e.filename: e.file_size for e in entries}
        self._below: dict[str, dict[str, bool]] = {"": {}}
        for path in self._sizes:
            parts = path.removesuffix(LOG_SUFFIX).split("/")
            for depth in range(len(parts)):
                folder = "/".join(parts[:depth])
                self._below.setdefault(folder, {}).setdefault(parts[depth], depth + 1 < len(parts))

    def resolve(self, relative: str) -> str | None:
        """The path itself if it is a file or folder of the pack."""
        return relative if relative in self._below or self.exists(relative) else None

    def outside(self, relative: str = "") -> list[str]:
        """No links are kept."""
        return []

    def _names(self, relative: str, *, want_dir: bool) -> list[str]:
        return sorted(name for name, folder in self._below.get(relative, {}).items() if folder is want_dir)

    def exists(self, relative: str) -> bool:
        """Whether the pack has such a file or folder."""
        return relative in self._sizes or relative + LOG_SUFFIX in self._sizes or relative in self._below

    def size(self, relative: str) -> int:
        """Bytes that the pack holds of a file."""
        return self._sizes.get(relative, 0)

    def read(self, relative: str, *, limit: int, tail: int = 0) -> Content:
        """A file of at most `limit` bytes (see `Tree.read`)."""
        if relative not in self._sizes:
            return Content(problem="missing", message="there is no such file")
        size = self._sizes[relative]
        if size == 0:
            return Content(problem="empty", message="the file is empty")
        if size > limit + tail:
            message = f"it has {size:,} bytes; such a file may have {limit:,} at most, so it was not read"
            return Content(size=size, problem="too-large", message=message)
        return Content(data=self._data(relative), size=size)

    def lines(self, relative: str, *, limit: int, longest: int = 64 * 1024) -> Iterator[tuple[int, bytes]]:
        """The lines of a run log that are kept, with the numbers that they have in the whole log.

        Raises:
            UnreadableFile: There is no such log, it was empty, or it was not read (its first line then says why).
        """
        name = relative + LOG_SUFFIX
        if name not in self._sizes:
            raise UnreadableFile(relative, "there is no such file")
        data = self._data(name)
        if not data:
            raise UnreadableFile(relative, "the file is empty")
        for line in data.splitlines(keepends=True):
            number, _, text = line.partition(b":")
            if not number.isdigit():
                raise UnreadableFile(relative, line.decode("utf-8", "replace").strip())
            yield int(number), text

    def _data(self, name: str) -> bytes:
        try:
            return self._archive.read(name)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise ResultsError(f"{self.given}: is damaged ({error})") from error
