"""`init`: write a claim file to start from, and on request a workflow that checks it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

EXIT_USAGE = 2
DEFAULT_NAME = "claims.yaml"
WORKFLOW = Path(".github", "workflows", "claims.yml")


class _NotWritten(Exception):
    """Why a file was not written; the message is for the user."""


def init(
    path: Annotated[
        str, typer.Argument(metavar="[PATH]", help="Claim file to write, or a folder to write claims.yaml into.")
    ] = DEFAULT_NAME,
    workflow: Annotated[
        bool, typer.Option("--workflow", help="Write a GitHub Actions workflow too (.github/workflows/claims.yml).")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Write a commented claim file to start from.

    Exit code 0: written; 2: a file exists already (see --force), or cannot be written.
    """
    try:
        written = write_starter(path, workflow=workflow, force=force)
    except _NotWritten as error:
        _say(f"error: {error}")
        raise typer.Exit(EXIT_USAGE) from None
    for file in written:
        _say(f"wrote {file}")
    _say(f"check it with: mlperf-claimcheck check {_shell_word(written[0])}")


def write_starter(path: str, *, workflow: bool = False, force: bool = False) -> list[Path]:
    """Write the files, all or none of them unless a disk fails, and return their paths, the claim file first."""
    target = _target(path)
    files = [(target, starter())]
    if workflow:
        files.append((WORKFLOW, workflow_text(_in_project(target))))
    if not force:
        for file, _ in files:
            if os.path.lexists(file):
                raise _exists(file)
    for file, text in files:
        _write(file, text, force=force)
    return [file for file, _ in files]


def starter() -> str:
    """The text of the claim file; its claims hold in the bundled results."""
    return _template("starter.yaml")


def workflow_text(claims: str) -> str:
    """The text of the workflow that checks the claim file at the path `claims`, relative to the repository."""
    return _template("workflow.yml").replace("CLAIM_FILE", _shell_word(claims))


def _template(name: str) -> str:
    from importlib.resources import files

    return (files("mlperf_claimcheck.cli") / "templates" / name).read_text(encoding="utf-8")


# ---- paths ----


def _target(path: str) -> Path:
    if not path or "\0" in path or path == "-":
        raise _NotWritten(f"{path!r} is not the name of a file; give a path such as claims/launch.yaml")
    target = Path(path)
    try:
        folder = target.is_dir() or path.endswith(("/", os.sep))
    except (OSError, ValueError) as error:
        raise _NotWritten(f"{path}: cannot be written ({getattr(error, 'strerror', None) or error})") from None
    if folder or not target.suffix:
        return target / DEFAULT_NAME
    if target.suffix.lower() not in (".yaml", ".yml"):
        raise _NotWritten(f"{path}: the name of a claim file ends in .yaml or .yml")
    return target


def _in_project(target: Path) -> str:
    """The target's path as the workflow needs it: relative to the current folder, with slashes."""
    try:
        relative = Path(os.path.abspath(target)).relative_to(Path.cwd()).as_posix()  # noqa: PTH100 - keeps links
    except ValueError:
        raise _NotWritten(
            f"{target}: a workflow can only check files of its own repository; run this in the repository's folder"
        ) from None
    if "${{" in relative or not relative.isprintable():
        raise _NotWritten(f"{target}: the path cannot stand in a workflow; choose a plainer one")
    return relative


def _shell_word(path: Path | str) -> str:
    import shlex

    word = str(path)
    return shlex.quote(f"./{word}" if word.startswith("-") else word)


# ---- writing ----


def _exists(file: Path) -> _NotWritten:
    return _NotWritten(f"{file}: exists already; nothing was written (--force replaces it)")


def _write(file: Path, text: str, *, force: bool) -> None:
    """Write a file in one step: either all of it is there, or what was there before."""
    import tempfile

    from mlperf_claimcheck.files import new_file_mode

    temporary: Path | None = None
    try:
        # A link is followed, so that --force replaces the file and not the link.
        target = Path(os.path.realpath(file)) if force else file
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(20, "a file stands where its folder would be") from None
        mode = target.stat().st_mode & 0o7777 if force and target.exists() else new_file_mode()
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name[:50]}.", delete=False) as stream:
            temporary = Path(stream.name)
            stream.write(text.encode())
        temporary.chmod(mode)
        if force:
            temporary.replace(target)
            return
        try:
            # Unlike a rename, this fails if the file has come into being meanwhile.
            os.link(temporary, target)
        except FileExistsError:
            raise _exists(file) from None
        except OSError:
            # File systems without hard links.
            with target.open("xb") as stream:
                stream.write(text.encode())
    except FileExistsError:
        raise _exists(file) from None
    except (OSError, ValueError) as error:
        raise _NotWritten(f"{file}: cannot be written ({getattr(error, 'strerror', None) or error})") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _say(message: str) -> None:
    from mlperf_claimcheck.claims.file_errors import visible

    sys.stderr.write(visible(message) + "\n")
