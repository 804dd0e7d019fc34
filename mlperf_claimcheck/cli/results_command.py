"""`results list`, `fetch` and `show`: which rounds are known and held, download, query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlperf_claimcheck.cli.results_shared import EXIT_RESULTS, EXIT_USAGE, NOT_VERIFIED, cell, put, say
from mlperf_claimcheck.verdicts.text import printable

if TYPE_CHECKING:
    from mlperf_claimcheck.results.model import ResultRow
    from mlperf_claimcheck.results.table import ResultsTable

app = typer.Typer(no_args_is_help=True, help="The published results: list, download, query, compare, verify.")


class Per(StrEnum):
    """What `results show --per` divides by."""

    ACCELERATOR = "accelerator"
    NODE = "node"
    SYSTEM = "system"


class ShowFormat(StrEnum):
    """Output formats of `results list` and `results show`."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"


_Format = Annotated[ShowFormat, typer.Option("--format", "-f", help="Format of the output.")]
_Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")]
_Results = Annotated[
    list[str] | None,
    typer.Option("--results", metavar="PATH|URL", help="Use this results file, folder or mirror (repeatable)."),
]
_COLUMNS = ("round", "result_id", "submitter", "system", "accelerator", "accelerators", "model", "scenario")


@app.command("list")
def list_rounds(results: _Results = None, output_format: _Format = ShowFormat.TABLE, output: _Output = None) -> None:
    """List the rounds that are known, and which of them are held."""
    table = _load(results)
    from mlperf_claimcheck.results.rounds import known_rounds

    held = [asdict(s) for s in table.sources]
    names = {s.round for s in table.sources}
    missing: dict[str, Any] = {"origin": "not held", "source": "", "sha256": "", "retrieved": "", "rows": 0}
    held += [{"round": r, **missing} for r in known_rounds() if r not in names]
    held.sort(key=lambda s: [int(n) if n.isdecimal() else n for n in re.split(r"(\d+)", s["round"])])
    _finish(held, ("round", "origin", "rows", "retrieved", "source", "sha256"), output_format, output)


@app.command("fetch")
def fetch(
    rounds: Annotated[
        list[str] | None, typer.Argument(metavar="[ROUND]...", help="Rounds such as v6.1; none: all known ones.")
    ] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask again for rounds that are held.")] = False,
) -> None:
    """Download published results into the cache.

    Exit code 0: all are held now; 2: one is no round; 4: one could not be obtained.
    """
    from mlperf_claimcheck.results.errors import ResultsError, RoundError
    from mlperf_claimcheck.results.fetch import fetch_round
    from mlperf_claimcheck.results.rounds import known_rounds, parse_round_id, repository

    try:
        asked = [parse_round_id(r) for r in rounds or known_rounds()]
        for round_id in asked:
            repository(round_id)
    except RoundError as error:
        say(f"error: {error}")
        raise typer.Exit(EXIT_USAGE) from None
    failed = False
    for round_id in dict.fromkeys(asked):
        try:
            done = fetch_round(round_id, refresh=refresh)
        except ResultsError as error:
            say(f"error: {error}")
            failed = True
            continue
        for warning in done.warnings:
            say(f"warning: {warning}")
        words = {"held": "already held", "unchanged": "unchanged upstream", "new": "fetched", "replaced": "replaced"}
        rows = f", {done.rows:,} rows" if done.rows is not None else ""
        line = f"{round_id}: {words[done.outcome]} ({done.held.url}, sha256 {done.held.sha256[:12]}{rows})"
        typer.echo(printable(line))
    if failed:
        raise typer.Exit(EXIT_RESULTS)


@app.command("show")
def show(
    round_: Annotated[str | None, typer.Option("--round", metavar="R", help="Only this round.")] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Only this benchmark (or the beginning of its id).")
    ] = None,
    scenario: Annotated[str | None, typer.Option("--scenario", help="Only this scenario.")] = None,
    submitter: Annotated[str | None, typer.Option("--submitter", help="Only submitters whose name holds this.")] = None,
    system: Annotated[
        str | None, typer.Option("--system", help="Only systems whose name, platform or accelerator holds this.")
    ] = None,
    division: Annotated[str | None, typer.Option("--division", help="closed, open or network.")] = None,
    availability: Annotated[str | None, typer.Option("--availability", help="available, preview or rdi.")] = None,
    top: Annotated[
        int | None, typer.Option("--top", min=1, metavar="N", help="The best N of each round, benchmark and scenario.")
    ] = None,
    per: Annotated[
        Per, typer.Option("--per", help="Compare throughput per accelerator, node or whole system.")
    ] = Per.SYSTEM,
    output_format: _Format = ShowFormat.TABLE,
    output: _Output = None,
    results: _Results = None,
) -> None:
    """Show published results.

    Exit code 0: shown, even if no row matches; 2: bad usage; 4: the results cannot be read.
    """
    from mlperf_claimcheck.results.errors import RoundError
    from mlperf_claimcheck.results.rounds import parse_round_id

    try:
        round_id = parse_round_id(round_) if round_ is not None else None
    except RoundError as error:
        say(f"error: --round: {error}")
        raise typer.Exit(EXIT_USAGE) from None
    for name, given, allowed in (
        ("--scenario", scenario, ("Offline", "Server", "Interactive", "SingleStream", "MultiStream")),
        ("--division", division, ("closed", "open", "network")),
        ("--availability", availability, ("available", "preview", "rdi")),
    ):
        if given is not None and _plain(given) not in {_plain(a) for a in allowed}:
            say(f"error: {name}: {given!r} is not one of {', '.join(allowed)}")
            raise typer.Exit(EXIT_USAGE)
    table = _load(results)
    if round_id is not None and round_id not in table.rounds:
        say(f"error: {round_id} is not held ({', '.join(table.rounds)} are); run `results fetch {round_id}`")
        raise typer.Exit(EXIT_RESULTS)
    chosen = [
        row
        for row in (table.rows if round_id is None else table.by_round(round_id))
        if _is(model, row.model, whole=_plain(model or "") in {_plain(r.model) for r in table.rows}, start=True)
        and _is(scenario, row.scenario, whole=True)
        and _is(submitter, row.submitter)
        and (_is(system, row.system) or _is(system, row.platform) or _is(system, row.accelerator))
        and _is(division, row.division, whole=True)
        and _is(availability, row.availability, whole=True)
    ]
    if top is not None:
        chosen = _best(chosen, top, per)
    records = [_record(row, per) for row in chosen]
    derived = () if per is Per.SYSTEM else (f"per_{per}",)
    columns = (*_COLUMNS, "division", "availability", "value", "unit", *derived)
    if output_format is not ShowFormat.TABLE:
        columns = tuple(records[0]) if records else columns
    _finish(records, columns, output_format, output)
    if not records:
        say("no published result matches")
    say(NOT_VERIFIED if derived else "MLPerf® results © MLCommons, as published.")


def _load(sources: list[str] | None) -> ResultsTable:
    from mlperf_claimcheck.results.errors import ResultsError
    from mlperf_claimcheck.results.load import load_results

    try:
        table = load_results(sources=sources or (), offline=False)
    except ResultsError as error:
        say(f"error: {error}")
        raise typer.Exit(EXIT_RESULTS) from None
    for warning in table.warnings:
        say(f"warning: {warning}")
    return table


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text.casefold())


def _is(asked: str | None, found: str, *, whole: bool = False, start: bool = False) -> bool:
    if asked is None:
        return True
    want, have = _plain(asked), _plain(found)
    return want == have if whole else have.startswith(want) if start else want in have


def _lower_is_better(row: ResultRow) -> bool:
    return row.unit in {"ms", "s"}


def _divided(row: ResultRow, per: Per) -> float | None:
    """Throughput per part; None where it has no meaning: latencies, several kinds of accelerator, unknown counts."""
    if per is Per.SYSTEM:
        return row.value
    if _lower_is_better(row):
        return None
    if per is Per.NODE:
        return row.value / row.nodes if row.nodes else None
    return None if row.heterogeneous or not row.accelerators else row.value / row.accelerators


def _best(rows: Iterable[ResultRow], top: int, per: Per) -> list[ResultRow]:
    groups: dict[tuple[str, ...], list[tuple[float, ResultRow]]] = {}
    for row in rows:
        value = _divided(row, per)
        if value is not None:
            groups.setdefault((row.round, row.model, row.scenario, row.unit), []).append((value, row))
    best = []
    for _, found in sorted(groups.items()):
        sign = 1 if _lower_is_better(found[0][1]) else -1
        best += [row for _, row in sorted(found, key=lambda item: (sign * item[0], item[1].index))[:top]]
    return best


def _record(row: ResultRow, per: Per) -> dict[str, Any]:
    record = asdict(row)
    if per is not Per.SYSTEM:
        record[f"per_{per}"] = _divided(row, per)
        record["note"] = "derived; not verified by MLCommons Association"
    return record


def _finish(
    records: Sequence[dict[str, Any]], columns: Sequence[str], output_format: ShowFormat, output: Path | None
) -> None:
    write: Callable[[Sequence[dict[str, Any]], Sequence[str]], str] = {
        ShowFormat.TABLE: _table,
        ShowFormat.JSON: _json,
        ShowFormat.CSV: _csv,
    }[output_format]
    if not put(write(records, columns), output):
        raise typer.Exit(EXIT_USAGE)


def _json(records: Sequence[dict[str, Any]], columns: Sequence[str]) -> str:
    import json

    # ASCII only: no character of the files can act on a terminal.
    return json.dumps(list(records), indent=1) + "\n"


def _csv(records: Sequence[dict[str, Any]], columns: Sequence[str]) -> str:
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    for record in records:
        writer.writerow([cell(v) if isinstance(v, str) else "" if v is None else v for v in map(record.get, columns)])
    return stream.getvalue()


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{value:.6g}"
    if isinstance(value, int):
        return f"{value:,}"
    return "–" if value in (None, "") else printable(str(value))


def _table(records: Sequence[dict[str, Any]], columns: Sequence[str]) -> str:
    lines = [[c.replace("_", " ") for c in columns]] + [[_shown(r.get(c)) for c in columns] for r in records]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    numbers = [any(isinstance(r.get(c), int | float) for r in records) for c in columns]
    text = [
        "  ".join(v.rjust(w) if n else v.ljust(w) for v, w, n in zip(line, widths, numbers, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join(text) + "\n"
