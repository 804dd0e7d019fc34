"""From the stream of a repository's tar.gz to the few files of it that count.

Everything in an archive is untrusted: only regular files whose whole path has a known form are kept, links and devices
never, and names, sizes and counts are bounded. Memory holds one file at a time besides what is kept, and nothing is
written to the disk.
"""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mlperf_claimcheck.results.errors import ResultsUnavailable
from mlperf_claimcheck.results.pack import LIMIT, LOG_SUFFIX, MOST_FILES
from mlperf_claimcheck.results.repository.tree import MIB

MOST_ENTRIES = 3_000_000
MOST_BYTES = 256 * 1024 * MIB
"""Of the unpacked archive: a repository of Training logs has some gigabytes."""
FILE_LIMIT = 32 * MIB
LOG_LIMIT = 768 * MIB
_LOG_LINES = 64
_LONGEST_LINE = 64 * 1024
_LONGEST_NAME = 64 * 1024
_PIECE = 256 * 1024
_BLOCK = 512
_DROPPED_FOLDERS = frozenset({"src", "docs", ".git"})

_PART = r"[^/\x00-\x1f\\]{1,255}"
_WANTED = {
    "training": (
        re.compile(rf"{_PART}/systems/{_PART}\.json"),
        re.compile(rf"{_PART}/results/{_PART}/{_PART}/(?:scaling\.json|result_\d{{1,4}}\.txt)"),
    ),
    "endpoints": (
        re.compile(rf"(?:{_PART}/){{1,6}}systems/{_PART}\.json"),
        re.compile(rf"(?:{_PART}/){{1,7}}points/point_\d{{1,9}}\.yaml"),
        re.compile(rf"(?:{_PART}/){{1,7}}results/point_\d{{1,9}}/(?:run_metadata|results?_summary)\.json"),
        re.compile(
            rf"(?:{_PART}/){{1,6}}results/{_PART}/{_PART}/r\d{{1,9}}/"
            r"(?:point\.yaml|config\.yaml|system_desc\.json|result_summary\.json|accuracy_results\.json)"
        ),
        re.compile(rf"(?:{_PART}/){{1,6}}results/{_PART}/system_power\.json"),
        re.compile(rf"(?:{_PART}/){{1,4}}cli_metadata\.json"),
    ),
}
_LOG = re.compile(r".*/result_\d{1,4}\.txt")


class ArchiveError(ResultsUnavailable):
    """An archive that is damaged, cut short, or no archive of a results repository."""


@dataclass(slots=True)
class Kept:
    """What was kept of an archive."""

    files: dict[str, bytes] = field(default_factory=dict)
    """By path inside the repository; of a run log the numbered lines, below its name and `.lines`."""
    warnings: list[str] = field(default_factory=list)
    size: int = 0

    def add(self, path: str, data: bytes) -> None:
        """Keeps a file.

        Raises:
            ArchiveError: The path was there before, or all together are too much.
        """
        if path in self.files:
            raise ArchiveError(f"{path} stands in the archive twice")
        self.size += len(data)
        if self.size > LIMIT or len(self.files) >= MOST_FILES:
            raise ArchiveError(f"its results are larger than {LIMIT // MIB} MB or {MOST_FILES:,} files")
        self.files[path] = data


def keep_results(chunks: Iterable[bytes], suite: str) -> Kept:
    """The files of a results repository's tar.gz that count in a suite (`training` or `endpoints`).

    Raises:
        ArchiveError: It is no such archive, is cut short, or is larger than any repository.
    """
    stream = _Unpacked(chunks)
    kept = Kept()
    links = 0
    for entry in _entries(stream):
        if entry.linked:
            links += 1
            continue
        path = _inside(entry.name)
        if not entry.regular or path is None or not _wanted(path, suite):
            continue
        if _LOG.fullmatch(path):
            kept.add(path + LOG_SUFFIX, _log_lines(stream, entry))
        elif entry.size > FILE_LIMIT:
            kept.warnings.append(f"{path}: has {entry.size:,} bytes, more than such a file may have; it was left out")
        else:
            kept.add(path, stream.read(entry.size))
    if links:
        kept.warnings.append(f"{links} links of the archive were left out")
    if not kept.files:
        raise ArchiveError(f"it holds no results of MLPerf {suite.capitalize()}")
    return kept


def _inside(name: str) -> str | None:
    """The path below the archive's one folder; None for a name that is no plain path."""
    parts = name.split("/")
    if parts[:1] == ["."]:
        parts = parts[1:]
    if len(parts) < 2 or any(part in ("", ".", "..") for part in parts):
        return None
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return None
    return "/".join(parts[1:])


def _wanted(path: str, suite: str) -> bool:
    if suite == "endpoints" and not _DROPPED_FOLDERS.isdisjoint(path.split("/")[:-1]):
        return False
    return any(pattern.fullmatch(path) for pattern in _WANTED[suite])


def _log_lines(stream: _Unpacked, entry: _Entry) -> bytes:
    """The lines of a run log that tell its start and its end, with their numbers; or why it was not read."""
    if entry.size > LOG_LIMIT:
        return f"it has {entry.size:,} bytes; such a file may have {LOG_LIMIT:,} at most".encode()
    if entry.size == 0:
        return b""
    found: list[bytes] = []
    number, rest, left = 1, b"", entry.size
    while left and len(found) < _LOG_LINES:
        piece = stream.read(min(_PIECE, left))
        left -= len(piece)
        whole, ended, rest = (rest + piece).rpartition(b"\n")
        if not left and rest:
            whole, ended, rest = (whole + ended + rest), b"\n", b""
        rest = rest[:_LONGEST_LINE]
        if not ended:
            continue
        # Most pieces are steps alone: their lines are only counted.
        if b"run_st" in whole:
            for place, line in enumerate(whole.split(b"\n")):
                begun = line[:_LONGEST_LINE]
                if b"run_st" in begun and b":::MLLOG" in begun and len(found) < _LOG_LINES:
                    found.append(b"%d:%s\n" % (number + place, begun.rstrip(b"\r")))
        number += whole.count(b"\n") + 1
    return b"".join(found) or b"0:\n"


# --- tar --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    size: int
    regular: bool
    linked: bool


def _entries(stream: _Unpacked) -> Iterator[_Entry]:
    """The entries of a tar stream. What a caller leaves of a file is passed over."""
    long_name: str | None = None
    size_of_next: int | None = None
    for _ in range(MOST_ENTRIES):
        block = stream.read(_BLOCK)
        if not block.strip(b"\0"):
            stream.drain()
            return
        try:
            info = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.TarError as error:
            raise ArchiveError(f"it is no tar archive, or is damaged ({error})") from error
        if info.size < 0:
            raise ArchiveError("it is damaged (a file of negative size)")
        size = info.size if size_of_next is None else size_of_next
        end = stream.position + size + -size % _BLOCK
        if info.type in (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME):
            if info.size > _LONGEST_NAME:
                raise ArchiveError("it is damaged (a name of more than 64 kB)")
            data = stream.read(info.size)
            if info.type == tarfile.GNUTYPE_LONGNAME:
                long_name = data.rstrip(b"\0").decode("utf-8", "surrogateescape")
            elif info.type != tarfile.XGLTYPE:
                values = _extended(data)
                long_name = values.get("path", long_name)
                if "size" in values:
                    if not values["size"].isdecimal() or len(values["size"]) > 15:
                        raise ArchiveError("it is damaged (a size is no number)")
                    size_of_next = int(values["size"])
            stream.skip_to(stream.position + -info.size % _BLOCK)
            continue
        linked = info.type in (tarfile.SYMTYPE, tarfile.LNKTYPE)
        regular = info.type in (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE) and not info.name.endswith("/")
        name = long_name if long_name is not None else info.name
        long_name = size_of_next = None
        if not (regular or linked or info.type in tarfile.SUPPORTED_TYPES):
            raise ArchiveError("it has an entry of a kind that is not known")
        if linked or info.type in (tarfile.DIRTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE):
            end = stream.position  # Entries of these kinds have no content, whatever they say.
        yield _Entry(name, size, regular, linked)
        stream.skip_to(end)
    raise ArchiveError(f"it has more than {MOST_ENTRIES:,} entries")


def _extended(data: bytes) -> dict[str, str]:
    """The records of an extended header: `<length> <key>=<value>` with a line feed at the end."""
    found = {}
    while data:
        digits, space, rest = data.partition(b" ")
        if not space or not digits.isdigit() or len(digits) > 6 or not len(digits) + 1 < int(digits) <= len(data):
            raise ArchiveError("it is damaged (an extended header)")
        record = rest[: int(digits) - len(digits) - 1]
        key, _, value = record.rstrip(b"\n").partition(b"=")
        found[key.decode("utf-8", "replace")] = value.decode("utf-8", "surrogateescape")
        data = data[int(digits) :]
    return found


class _Unpacked:
    """The bytes that a stream of gzip data stands for, unpacked piece by piece."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._gzip = zlib.decompressobj(wbits=31)
        self._buffer = bytearray()
        self._packed = b""
        self._ended = False
        self.position = 0

    def _more(self) -> bool:
        """Unpacks another piece into the buffer; False at the end."""
        while not self._ended:
            if not self._packed:
                self._packed = next(self._chunks, b"")
                if not self._packed:
                    raise ArchiveError("it is cut short")
            try:
                piece = self._gzip.decompress(self._packed, _PIECE)
            except zlib.error as error:
                raise ArchiveError(f"it is no gzip file, or is damaged ({error})") from error
            self._packed = self._gzip.unconsumed_tail
            if self._gzip.eof:
                self._packed = self._gzip.unused_data.lstrip(b"\0")
                self._packed = self._packed or next(self._chunks, b"").lstrip(b"\0")
                self._gzip = zlib.decompressobj(wbits=31)
                self._ended = not self._packed
            if piece:
                self._buffer += piece
                return True
        return False

    def read(self, size: int) -> bytes:
        """Just so many bytes.

        Raises:
            ArchiveError: The stream ends before.
        """
        while len(self._buffer) < size:
            if not self._more():
                raise ArchiveError("it is cut short")
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        self._advance(size)
        return data

    def skip_to(self, position: int) -> None:
        """Passes over what stands before a position."""
        while (left := position - self.position) > 0:
            if not self._buffer and not self._more():
                raise ArchiveError("it is cut short")
            step = min(left, len(self._buffer))
            del self._buffer[:step]
            self._advance(step)

    def drain(self) -> None:
        """Reads to the end, so that a damaged or cut stream is noticed by its checksum."""
        while self._buffer or self._more():
            self._advance(len(self._buffer))
            self._buffer.clear()

    def _advance(self, size: int) -> None:
        self.position += size
        if self.position > MOST_BYTES:
            raise ArchiveError(f"it unpacks to more than {MOST_BYTES // MIB // 1024} GB")
