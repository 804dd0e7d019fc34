"""Files below everything else: the package's own data, and replacing a file in one step."""

from __future__ import annotations

import errno
import os
from importlib import resources
from pathlib import Path
from typing import Any

WRITE_FAILURES = frozenset(
    getattr(errno, name) for name in ("ENOSPC", "EFBIG", "EDQUOT", "EROFS", "EIO") if hasattr(errno, name)
)
"""Numbers of the errors of a disk that is full, read-only or broken."""


def packaged_yaml(package: str, *names: str) -> Any:
    """A YAML file of the package, read: `packaged_yaml("mlperf_claimcheck.verdicts", "data", "x.yaml")`.

    For the package's own files only: of a stranger's file nothing is limited here.
    """
    import yaml

    text = resources.files(package).joinpath(*names).read_text("utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def new_file_mode() -> int:
    """The permissions that a new file of this process gets."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def replace_file(path: Path, data: bytes, *, mode: int) -> None:
    """Write a file in one step: it holds either all of `data` or what it held before, and nothing else is left.

    Raises OSError or ValueError where it cannot be written.
    """
    import tempfile

    temporary: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name[:40]}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
        temporary = None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
