"""`results diff`: what changed between two versions of a round, and which claims that concerns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlperf_claimcheck.cli.held import stored_rows, verdicts_with
from mlperf_claimcheck.cli.results_shared import (
    EXIT_DIFFERENT,
    EXIT_OK,
    EXIT_RESULTS,
    EXIT_USAGE,
    NOT_VERIFIED,
    Loaded,
    cell,
    load_path,
    normal_round,
    put,
    say,
    visible,
)

if TYPE_CHECKING:
    from mlperf_claimcheck.results.diff import ResultsDiff, RowChange, VerdictChange
    from mlperf_claimcheck.results.model import ResultRow
    from mlperf_claimcheck.verdicts.model import Verdict

Stored = Callable[[str], Sequence["ResultRow"] | None]
"""Gives the rows of a held version by the beginning of its hash, None if there is none."""

Judge = Callable[[Sequence[Path], Sequence["ResultRow"]], Sequence["Verdict"]]
"""Checks claim files against rows."""

LISTED = 60
CSV_COLUMNS = (
    *("kind", "round", "result_id", "division", "submitter", "platform", "model", "scenario", "location"),
    *("field", "before", "after"),
)


class DiffFormat(StrEnum):
    """Output formats of `results diff`."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


def results_diff(
    before: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A file or folder of results, a held version (its hash, or v6.1), or a commit of a round's repository "
            "(v6.1@COMMIT) or of a clone (FOLDER@COMMIT).",
        ),
    ],
    after: Annotated[str, typer.Argument(metavar="B", help="The version to compare it with.")],
    claims: Annotated[
        list[Path] | None, typer.Option(help="Show which of these claims get another verdict (repeatable).")
    ] = None,
    round_: Annotated[str | None, typer.Option("--round", help="Compare this round only.", metavar="R")] = None,
    output_format: Annotated[
        DiffFormat, typer.Option("--format", "-f", help="Format of the report.")
    ] = DiffFormat.TABLE,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the report to this file.")] = None,
) -> None:
    """Compare two versions of a round's results, row by row.

    Exit code 0: the versions were compared; 1: a claim of --claims gets another verdict; 2: bad usage; 4: the results
    cannot be read.

    Example:

      mlperf-claimcheck results diff v6.1 v6.1@main --claims claims/
    """
    raise typer.Exit(
        run_diff(
            before,
            after,
            claims=claims or (),
            round_=round_,
            output_format=output_format,
            output=output,
            stored=stored_rows,
            judge=verdicts_with,
        )
    )


def run_diff(
    before: str,
    after: str,
    *,
    claims: Sequence[Path] = (),
    round_: str | None = None,
    output_format: DiffFormat = DiffFormat.TABLE,
    output: Path | None = None,
    stored: Stored | None = None,
    judge: Judge | None = None,
) -> int:
    """Compare the versions, print the report, and return the exit code.

    `stored` finds held versions by hash; `judge` checks claims against the rows of a version.
    """
    from mlperf_claimcheck.results.diff import DiffError, diff_rows, verdict_changes
    from mlperf_claimcheck.results.repository.errors import RepositoryError

    try:
        round_id = normal_round(round_)
    except ValueError as error:
        say(f"error: --round: {error}")
        return EXIT_USAGE
    if claims and judge is None:
        say("error: --claims: claims cannot be checked here")
        return EXIT_USAGE
    try:
        old, new = (_side(name, stored) for name in (before, after))
    except RepositoryError as error:
        say(f"error: {error}")
        return EXIT_RESULTS
    except _NoSuchSide as error:
        say(f"error: {error}")
        return EXIT_USAGE
    for warning in (*old.warnings, *new.warnings):
        say(f"warning: {warning}")
    chosen = [tuple(r for r in side.rows if round_id in (None, r.round)) for side in (old, new)]
    try:
        diff = diff_rows(*chosen)
    except DiffError as error:
        say(f"error: {error}")
        return EXIT_USAGE
    verdicts: tuple[VerdictChange, ...] = ()
    if claims and judge is not None:
        verdicts = verdict_changes(judge(claims, old.rows), judge(claims, new.rows))
    writers = {DiffFormat.TABLE: _table, DiffFormat.JSON: _json, DiffFormat.CSV: _csv}
    if not put(writers[output_format](old.name, new.name, diff, verdicts, bool(claims)), output):
        return EXIT_USAGE
    return EXIT_DIFFERENT if verdicts else EXIT_OK


class _NoSuchSide(Exception):
    """A side that names neither a file nor a held version."""


def _side(name: str, stored: Stored | None) -> Loaded:
    from mlperf_claimcheck.results.errors import ResultsError
    from mlperf_claimcheck.results.repository.errors import RepositoryError

    path = Path(name)
    if path.exists():
        return load_path(path)
    place, at, reference = name.rpartition("@")
    if at and place:
        from mlperf_claimcheck.results.commits import read_commit

        try:
            read = read_commit(place, reference)
        except ResultsError as error:
            raise RepositoryError(str(error)) from error
        return Loaded(name, read.rows, (), read.warnings)
    if stored is not None and 4 <= len(name) <= 64 and all(c in "0123456789abcdef" for c in name.lower()):
        rows = stored(name.lower())
        if rows is not None:
            return Loaded(name, tuple(rows))
    held = _held(name)
    if held is not None:
        return held
    raise _NoSuchSide(
        f"{name}: is neither a file or folder, nor the hash of a held version (`results list` shows these), nor a "
        "round that is held (v6.1), nor a commit (v6.1@COMMIT, or FOLDER@COMMIT of a clone)"
    )


def _held(name: str) -> Loaded | None:
    """The version of a round that claims are checked against; None if the name is no round that is held."""
    from mlperf_claimcheck.results.errors import ResultsError, RoundError
    from mlperf_claimcheck.results.load import load_results
    from mlperf_claimcheck.results.repository.errors import RepositoryError
    from mlperf_claimcheck.results.rounds import parse_round_id

    try:
        rows = load_results().by_round(parse_round_id(name))
    except RoundError:
        return None
    except ResultsError as error:
        raise RepositoryError(str(error)) from error
    return Loaded(name, rows) if rows else None


def _verdict_dict(change: VerdictChange) -> dict[str, object]:
    return {
        "id": change.id,
        "text": change.text,
        "file": change.file,
        "line": change.line,
        "before": change.before.value if change.before else None,
        "after": change.after.value if change.after else None,
        "before_reason": change.before_reason,
        "after_reason": change.after_reason,
    }


def _json(old: str, new: str, diff: ResultsDiff, verdicts: Sequence[VerdictChange], asked: bool) -> str:
    import json

    report: dict[str, object] = {"before": old, "after": new, **diff.to_dict()}
    if asked:
        report["verdicts"] = [_verdict_dict(change) for change in verdicts]
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"


def _csv(old: str, new: str, diff: ResultsDiff, verdicts: Sequence[VerdictChange], asked: bool) -> str:
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for change in diff.changes:
        row = change.row
        head = [change.kind.value, row.round, row.result_id or "", row.division, row.submitter, row.platform]
        head += [row.model, row.scenario, row.location]
        for field in change.fields or (None,):
            tail = ["", "", ""] if field is None else [field.name, _shown(field.before), _shown(field.after)]
            writer.writerow([cell(text) for text in head + tail])
    for verdict in verdicts:
        tail = ["verdict", verdict.before.value if verdict.before else "", verdict.after.value if verdict.after else ""]
        name = f"{verdict.file or ''}#{verdict.id}"
        writer.writerow([cell(text) for text in ["claim", "", "", "", "", "", "", "", name, *tail]])
    return stream.getvalue()


def _table(old: str, new: str, diff: ResultsDiff, verdicts: Sequence[VerdictChange], asked: bool) -> str:
    counts = diff.counts
    lines = [
        f"{', '.join(diff.rounds) or 'no round'}: {old} ({diff.rows_before} rows) → {new} ({diff.rows_after} rows)",
        "  " + "   ".join(f"{kind} {n}" for kind, n in counts.items()) + f"   values changed {diff.values_changed}",
    ]
    for side, only in ((old, diff.only_before), (new, diff.only_after)):
        if only:
            lines.append(f"  only in {side}, not compared: {', '.join(only)}")
    if diff.field_counts:
        lines.append("  fields: " + ", ".join(f"{name} {n}" for name, n in diff.field_counts.items()))
    kind = None
    for change in diff.changes[:LISTED]:
        if change.kind is not kind:
            kind = change.kind
            lines += ["", f"{kind.value}:"]
        lines.append("  " + _describe(change))
    if len(diff.changes) > LISTED:
        lines.append(f"  … and {len(diff.changes) - LISTED} more (--format json lists all)")
    if asked:
        lines += ["", "claims whose verdict changes:" if verdicts else "no claim's verdict changes"]
        for verdict in verdicts:
            before = verdict.before.value if verdict.before else "not checked"
            after = verdict.after.value if verdict.after else "not checked"
            where = f"{verdict.file}:{verdict.line}: " if verdict.file and verdict.line else ""
            lines.append(f"  {where}{verdict.id}: {before} → {after}: {verdict.after_reason or verdict.before_reason}")
    lines += ["", NOT_VERIFIED]
    return "\n".join(visible(line) for line in lines) + "\n"


def _describe(change: RowChange) -> str:
    row = change.row
    name = f"{row.result_id + ' ' if row.result_id else ''}{row.submitter}, {row.platform}, {row.model}, {row.scenario}"
    if change.kind.value in {"added", "removed"}:
        return f"{name}: {row.value!r} {row.unit} ({row.location})"
    fields = "; ".join(f"{f.name} {_shown(f.before)!r} → {_shown(f.after)!r}" for f in change.fields)
    return f"{name}: {fields}"


def _shown(value: object) -> str:
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else str(value)
