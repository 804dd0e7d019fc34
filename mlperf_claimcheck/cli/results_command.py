"""`results list`, `fetch` and `show`: which rounds are known and held, download, query."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mlperf_claimcheck.cli.results_shared import EXIT_RESULTS, EXIT_USAGE, NOT_VERIFIED, cell, put, say
from mlperf_claimcheck.verdicts.text import printable, shorten

if TYPE_CHECKING:
    from mlperf_claimcheck.results.fetch import Progress
    from mlperf_claimcheck.results.lock import LockedRound
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
_AS_PUBLISHED = "MLPerf® {} results © MLCommons, as published."
_FROM_LOGS = "Times to train are computed from the published run logs."
_NEVER_ABOVE = frozenset({"value", "per_accelerator", "per_node", "rows", "sha256"})
_MAY_BE_CUT = ("source", "path", "system", "accelerator", "versions", "submitter")
_COLUMNS = ("round", "result_id", "submitter", "system", "accelerator", "accelerators", "model", "scenario")


def _origin(rows: Iterable[ResultRow]) -> str:
    """Whose figures are shown, and which of them no table of MLCommons holds."""
    suites = sorted({row.round.partition("-")[0] for row in rows})
    told = _AS_PUBLISHED.format(" and ".join(suite.capitalize() for suite in suites) or "Inference")
    return f"{told} {_FROM_LOGS}" if "training" in suites else told


@app.command("list")
def list_rounds(results: _Results = None, output_format: _Format = ShowFormat.TABLE, output: _Output = None) -> None:
    """List the rounds that are known, and which of them are held."""
    table = _load(results)
    from mlperf_claimcheck.results.cache import held_round, history, stored_versions
    from mlperf_claimcheck.results.rounds import known_rounds

    held: list[dict[str, Any]] = []
    for source in table.sources:
        fetched = held_round(source.round) if source.origin == "cache" else None
        path = str(fetched.path) if fetched is not None else ""
        past = [{"sha256": v.sha256, "since": v.retrieved, "path": str(v.path)} for v in history(source.round)]
        versions = list(stored_versions(source.round))
        held.append(asdict(source) | {"path": path, "versions": versions, "history": past})
    names = {s.round for s in table.sources}
    missing: dict[str, Any] = {"origin": "not held", "source": "", "sha256": "", "retrieved": "", "rows": 0}
    missing |= {"path": "", "versions": [], "history": []}
    held += [{"round": r, **missing} for r in known_rounds() if r not in names]
    held.sort(key=lambda s: [int(n) if n.isdecimal() else n for n in re.split(r"(\d+)", s["round"])])
    columns = ("round", "origin", "rows", "retrieved", "sha256", "source", "path", "versions")
    if output_format is ShowFormat.JSON:
        _finish(held, (*columns, "history"), output_format, output)
        return
    for entry in held:
        # What counted last comes first, as among the files; a file whose date is not known has none.
        since = {v["sha256"]: f" (since {v['since']})" for v in entry.pop("history")}
        entry["versions"] = ", ".join(f"{v[:12]}{since.get(v, '')}" for v in entry["versions"])
        if output_format is ShowFormat.TABLE:
            entry["sha256"] = entry["sha256"][:12]
    _finish(held, tuple(c for c in columns if any(e[c] for e in held)), output_format, output)


@app.command("fetch")
def fetch(
    rounds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ROUND]...",
            help="Rounds such as v6.1, training-v5.1 or endpoints-v0.7; none: all known ones of Inference.",
        ),
    ] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask again for rounds that are held.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Ask no server; only tell what is held.")] = False,
    lock: Annotated[
        Path | None, typer.Option("--lock", metavar="FILE", help="Tell what this lock of `check` says against them.")
    ] = None,
) -> None:
    """Download published results into the cache.

    Exit code 0: all are held now; 2: bad usage, such as what is no round; 4: one could not be obtained.
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
    if offline and refresh:
        say("error: --refresh asks the server, which --offline forbids; give one of them")
        raise typer.Exit(EXIT_USAGE)
    locked = _locked(lock)
    if offline:
        _tell_held(dict.fromkeys(asked), locked)
        return
    failed = False
    for round_id in dict.fromkeys(asked):
        try:
            with _progress(round_id) as progress:
                done = fetch_round(round_id, refresh=refresh, progress=progress)
        except ResultsError as error:
            say(f"error: {error}")
            failed = True
            continue
        for warning in done.warnings:
            say(f"warning: {warning}")
        words = {"held": "already held", "unchanged": "unchanged upstream", "new": "fetched", "replaced": "replaced"}
        rows = f", {done.rows:,} rows" if done.rows is not None else ""
        earlier = f"; before: {done.previous[:12]}" if done.previous is not None else ""
        line = f"{round_id}: {words[done.outcome]} ({done.held.url}, sha256 {done.held.sha256[:12]}{rows}{earlier})"
        typer.echo(printable(line))
        _tell_lock(locked, round_id, done.held.sha256)
    if failed:
        raise typer.Exit(EXIT_RESULTS)


def _locked(path: Path | None) -> Mapping[str, LockedRound] | None:
    if path is None:
        return None
    from mlperf_claimcheck.results.lock import LockError, read_lock

    try:
        locked = read_lock(path)
    except LockError as error:
        say(f"error: {error}")
        raise typer.Exit(EXIT_USAGE) from None
    if locked is None:
        say(f"error: {path}: there is no such lock; `mlperf-claimcheck check PATH --lock {path}` writes it")
        raise typer.Exit(EXIT_USAGE)
    return locked


def _tell_lock(locked: Mapping[str, LockedRound] | None, round_id: str, sha256: str) -> None:
    if locked is None:
        return
    from mlperf_claimcheck.results.lock import change

    differs = change(locked, round_id, sha256)
    typer.echo(printable(f"  the lock would change: {differs}" if differs else "  as in the lock"))


def _tell_held(rounds: Iterable[str], locked: Mapping[str, LockedRound] | None) -> None:
    sources = {s.round: s for s in _load(None).sources}
    absent = False
    for round_id in rounds:
        source = sources.get(round_id)
        if source is None:
            say(f"error: {round_id} is not held, and --offline forbids the network; leave it out to fetch the round")
            absent = True
            continue
        line = f"{round_id}: held, {source.origin} ({source.source}, sha256 {source.sha256[:12]}, {source.rows:,} rows)"
        typer.echo(printable(line))
        _tell_lock(locked, round_id, source.sha256)
    if absent:
        raise typer.Exit(EXIT_RESULTS)


@contextmanager
def _progress(round_id: str) -> Iterator[Progress | None]:
    """A bar on standard error while a file comes in, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(round_id, total=None)
        yield lambda _, done, expected: bar.update(task, completed=done, total=expected)


@app.command("show")
def show(
    round_: Annotated[str | None, typer.Option("--round", metavar="R", help="Only this round.")] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Only this benchmark, or those whose id holds this.")
    ] = None,
    scenario: Annotated[str | None, typer.Option("--scenario", help="Only this scenario.")] = None,
    submitter: Annotated[
        str | None, typer.Option("--submitter", help="Only this submitter, or those whose name holds this.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="Only this hardware, or systems, platforms, accelerators whose name holds this."),
    ] = None,
    suite: Annotated[str | None, typer.Option("--suite", help="datacenter or edge.")] = None,
    division: Annotated[str | None, typer.Option("--division", help="closed, open or network.")] = None,
    availability: Annotated[str | None, typer.Option("--availability", help="available, preview or rdi.")] = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            min=1,
            metavar="N",
            help="The best N of each round, benchmark and scenario; closed division if not said otherwise.",
        ),
    ] = None,
    per: Annotated[
        Per, typer.Option("--per", help="Compare throughput per accelerator, node or whole system.")
    ] = Per.SYSTEM,
    chart: Annotated[
        bool, typer.Option("--chart", help="Draw bars, results that may be compared under one heading.")
    ] = False,
    output_format: _Format = ShowFormat.TABLE,
    output: _Output = None,
    results: _Results = None,
) -> None:
    """Show published results.

    Exit code 0: shown, even if no row matches; 2: bad usage; 4: the results cannot be read.
    """
    from mlperf_claimcheck.results.errors import RoundError
    from mlperf_claimcheck.results.query import Query, best, divided, matching, plain, unmatched
    from mlperf_claimcheck.results.rounds import parse_round_id
    from mlperf_claimcheck.vocabulary import load_vocabulary

    try:
        round_id = parse_round_id(round_) if round_ is not None else None
    except RoundError as error:
        say(f"error: --round: {error}")
        raise typer.Exit(EXIT_USAGE) from None
    for name, given, allowed in (
        ("--scenario", scenario, ("Offline", "Server", "Interactive", "SingleStream", "MultiStream")),
        ("--suite", suite, ("datacenter", "edge")),
        ("--division", division, ("closed", "open", "network")),
        ("--availability", availability, ("available", "preview", "rdi")),
    ):
        if given is not None and plain(given) not in {plain(a) for a in allowed}:
            say(f"error: {name}: {given!r} is not one of {', '.join(allowed)}")
            raise typer.Exit(EXIT_USAGE)
    if chart and output_format is not ShowFormat.TABLE:
        say(f"error: --chart draws at the terminal; leave out --format {output_format}, or --chart")
        raise typer.Exit(EXIT_USAGE)
    if top is not None and division is None:
        division = "closed"
    table = _load(results)
    if round_id is not None and round_id not in table.rounds:
        say(f"error: {round_id} is not held ({', '.join(table.rounds)} are); run `results fetch {round_id}`")
        raise typer.Exit(EXIT_RESULTS)
    rows = table.rows if round_id is None else table.by_round(round_id)
    query = Query(model, scenario, submitter, system, suite, division, availability)
    vocabulary = load_vocabulary()
    chosen = matching(rows, query, vocabulary)
    if not chosen:
        alone = unmatched(rows, query, vocabulary)
        say("no published result matches" + ("" if alone else " all of these together"))
        for part in alone:
            near = f"; nearest: {', '.join(part.nearest)}" if part.nearest else ""
            say(f"--{part.name}: {part.asked!r} occurs in none of the rows{near}")
    if top is not None:
        chosen = best(chosen, top, per)
    derived = () if per is Per.SYSTEM else (f"per_{per}",)
    closing = f"Figures per {per} are derived and not verified by MLCommons Association.\n" if derived else ""
    closing += _origin(chosen)
    if chart:
        _draw(chosen, per, closing, output)
        return
    records = []
    for row in chosen:
        record = asdict(row)
        if derived:
            record[f"per_{per}"] = divided(row, per)
            record["note"] = "derived; not verified by MLCommons Association"
        records.append(record)
    columns = (*_COLUMNS, "division", "availability", "value", "unit", *derived)
    if output_format is not ShowFormat.TABLE:
        columns = tuple(records[0]) if records else columns
        _finish(records, columns, output_format, output)
        say(NOT_VERIFIED if derived else _origin(chosen))
        return
    _finish(records, columns, output_format, output, closing=closing)


def _draw(rows: Sequence[ResultRow], per: Per, closing: str, output: Path | None) -> None:
    """The rows as bars: colours at a terminal only, 80 columns where there is none."""
    from mlperf_claimcheck.reports import terminal_width, wants_colour
    from mlperf_claimcheck.reports.results_chart import chart

    drawn = chart(rows, per, width=terminal_width(), colour=output is None and wants_colour(sys.stdout))
    if not put(f"{drawn}\n{closing}\n" if drawn else "", output):
        raise typer.Exit(EXIT_USAGE)


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


def _finish(
    records: Sequence[dict[str, Any]],
    columns: Sequence[str],
    output_format: ShowFormat,
    output: Path | None,
    *,
    closing: str = "",
) -> None:
    if output_format is ShowFormat.TABLE:
        terminal = output is None and sys.stdout.isatty()
        report = _table(records, columns, width=get_terminal_size().columns if terminal else None)
        report = f"{report}\n{closing}\n" if closing and records else report if records else ""
    else:
        report = (_json if output_format is ShowFormat.JSON else _csv)(records, columns)
    if not put(report, output):
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


def _table(records: Sequence[dict[str, Any]], columns: Sequence[str], *, width: int | None = None) -> str:
    """Aligned columns. What all of several rows share stands once above them; long names are cut to `width`."""
    text = ""
    if len(records) > 1:
        same = [c for c in columns if c not in _NEVER_ABOVE and len({str(r.get(c)) for r in records}) == 1]
        columns = [c for c in columns if c not in same]
        shared = {c: records[0].get(c) for c in same}
        words = {c: f" {c}" if c == "accelerators" else "" for c in same}
        above = " · ".join(f"{_shown(v)}{words[c]}" for c, v in shared.items() if v not in (None, ""))
        text = f"{above}\n\n" if above else ""
    lines = [[c.replace("_", " ") for c in columns]] + [[_shown(r.get(c)) for c in columns] for r in records]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    if width is not None:
        for name in _MAY_BE_CUT:
            over = sum(widths) + 2 * (len(widths) - 1) - width
            if over > 0 and name in columns:
                at = columns.index(name)
                widths[at] = max(widths[at] - over, min(widths[at], 12))
    numbers = [any(isinstance(r.get(c), int | float) for r in records) for c in columns]
    for line in lines:
        cells = (shorten(v, w) for v, w in zip(line, widths, strict=True))
        row = (v.rjust(w) if n else v.ljust(w) for v, w, n in zip(cells, widths, numbers, strict=True))
        text += "  ".join(row).rstrip() + "\n"
    return text
