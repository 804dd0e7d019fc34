"""`results verify`: recompute a round from the logs in its results repository."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlperf_claimcheck.cli.held import held_rows
from mlperf_claimcheck.cli.results_shared import (
    EXIT_DIFFERENT,
    EXIT_OK,
    EXIT_RESULTS,
    EXIT_USAGE,
    NOT_VERIFIED,
    Loaded,
    load_path,
    normal_round,
    put,
    say,
    visible,
)

if TYPE_CHECKING:
    from mlperf_claimcheck.results.model import ResultRow
    from mlperf_claimcheck.results.repository.verify import Progress, RowCheck, Verification

Held = Callable[[str], Sequence["ResultRow"] | None]
"""Gives the held rows of a round (cached or bundled), None if it is not held."""

LISTED = 50
"""Rows of a kind that the table lists; the JSON has all."""


class VerifyFormat(StrEnum):
    """Output formats of `results verify`."""

    TABLE = "table"
    JSON = "json"


def results_verify(
    repo: Annotated[Path, typer.Argument(metavar="REPO", help="Folder of a results repository (closed/, open/ …).")],
    round_: Annotated[
        str | None, typer.Option("--round", help="The round, where the folder's name does not tell.", metavar="R")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(help="Compare with this summary file instead of the repository's own.")
    ] = None,
    output_format: Annotated[
        VerifyFormat, typer.Option("--format", "-f", help="Format of the report.")
    ] = VerifyFormat.TABLE,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes that read logs (default: as many as pay).")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the report to this file.")] = None,
) -> None:
    """Recompute each row of a round from its logs and system descriptions.

    Exit code 0: no row is contradicted by its log; 1: one is; 2: bad usage; 4: the results cannot be read.
    """
    raise typer.Exit(
        run_verify(
            repo, round_=round_, results=results, output_format=output_format, jobs=jobs, output=output, held=held_rows
        )
    )


def run_verify(
    repo: Path,
    *,
    round_: str | None = None,
    results: Path | None = None,
    output_format: VerifyFormat = VerifyFormat.TABLE,
    jobs: int | None = None,
    output: Path | None = None,
    held: Held | None = None,
) -> int:
    """Recompute the round, print the report, and return the exit code.

    `held` gives the rows to compare with where the repository has no summary of its own and none is given.
    """
    from mlperf_claimcheck.results.repository.errors import RepositoryError
    from mlperf_claimcheck.results.repository.verify import Status, verify_repository

    try:
        round_id = normal_round(round_)
    except ValueError as error:
        say(f"error: --round: {error}")
        return EXIT_USAGE
    if not repo.exists():
        say(f"error: {repo}: no such folder; give the folder of a results repository")
        return EXIT_USAGE
    try:
        published = _published(repo, results, round_id, held)
        for warning in published.warnings:
            say(f"warning: {warning}")
        with _progress() as progress:
            verification = verify_repository(
                repo,
                published.rows,
                published=published.name,
                lines=published.lines,
                round_id=round_id,
                jobs=jobs,
                progress=progress,
            )
    except RepositoryError as error:
        say(f"error: {error}")
        return EXIT_RESULTS
    for warning in verification.warnings:
        say(f"warning: {warning}")
    report = _json(verification) if output_format is VerifyFormat.JSON else _table(verification)
    if not put(report, output):
        return EXIT_USAGE
    return EXIT_DIFFERENT if verification.counts[Status.MISMATCH] else EXIT_OK


def _published(repo: Path, results: Path | None, round_id: str | None, held: Held | None) -> Loaded:
    """The rows to compare with: those given, the repository's own, else the held ones of the round."""
    from mlperf_claimcheck.results.repository import layout
    from mlperf_claimcheck.results.repository.errors import RepositoryError
    from mlperf_claimcheck.results.repository.source import read_summary
    from mlperf_claimcheck.results.repository.tree import Tree

    tree = Tree(repo)
    base = layout.top(tree)
    if base is None:
        raise RepositoryError(
            f"{repo}: holds none of the folders closed/, open/ and network/, so it is no results repository; give the "
            "top folder of a clone or archive of one"
        )
    stated = round_id or layout.round_of(tree, base)
    if results is not None:
        loaded = load_path(results)
        rounds = {row.round for row in loaded.rows}
        if stated is not None and rounds and stated not in rounds:
            raise RepositoryError(
                f"{results}: holds {', '.join(sorted(rounds))}, the repository is of {stated}; give the summary of "
                "that round, or the repository's round with --round"
            )
        if stated is None and len(rounds) > 1:
            raise RepositoryError(f"{results}: holds {len(rounds)} rounds; say with --round which one is meant")
        rows = tuple(row for row in loaded.rows if stated is None or row.round == stated)
        # Lines are known for a single file, whose rows keep their place.
        return Loaded(loaded.name, rows, loaded.lines, loaded.warnings)
    own = read_summary(repo, round_id=round_id)
    if own is not None:
        return Loaded(own.name, own.rows, own.lines, own.warnings)
    rows = tuple(held(stated) or ()) if held is not None and stated is not None else ()
    if not rows:
        lacks = f"{repo}: has no summary file ({', '.join(layout.SUMMARY_FILES)})"
        if stated is None:
            raise RepositoryError(
                f"{lacks}, and its round is not known; give a summary with --results, or the round with --round"
            )
        message = f"{lacks}, and {stated} is not held: the figures are recomputed, and compared with nothing"
        return Loaded("", (), (), (f"{message}; give a summary with --results",))
    return Loaded(f"held results of {stated}", rows)


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A progress bar on standard error where a person sees it, else nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("reading logs"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("logs", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _json(verification: Verification) -> str:
    import json

    return json.dumps(verification.to_dict(), ensure_ascii=False, indent=1) + "\n"


def _table(verification: Verification) -> str:
    from collections import Counter

    from mlperf_claimcheck.results.repository.verify import CLASSES, Status

    counts = verification.counts
    against = verification.published or "no summary"
    lines = [
        f"{verification.round or 'unknown round'}: {verification.repository} against {against}",
        f"  match {counts[Status.MATCH]}   mismatch {counts[Status.MISMATCH]}   missing {counts[Status.MISSING]}",
        "",
    ]
    classes = Counter((row.status, row.cls) for row in verification.rows)
    for status in (Status.MISMATCH, Status.MISSING, Status.MATCH):
        for (of, cls), n in sorted(classes.items(), key=lambda item: -item[1]):
            if of is status:
                lines.append(f"  {status.value:<9} {n:>6}  {cls:<20} {CLASSES.get(cls, '')}")
    for status in (Status.MISMATCH, Status.MISSING):
        rows = [row for row in verification.rows if row.status is status]
        if rows:
            lines += ["", f"{status.value}:"]
            lines += [_line(row) for row in rows[:LISTED]]
            if len(rows) > LISTED:
                lines.append(f"  … and {len(rows) - LISTED} more (--format json lists all)")
    lines += ["", NOT_VERIFIED]
    return "\n".join(visible(line) for line in lines) + "\n"


def _line(row: RowCheck) -> str:
    where = f"{row.file or row.location}{f':{row.line}' if row.line else ''}"
    text = f"  {where}: [{row.cls}] {row.message}"
    if row.published_file and row.published_line:
        text += f" ({row.published_file}:{row.published_line})"
    return text
