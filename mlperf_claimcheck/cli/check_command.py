"""`check` and `verify`."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from mlperf_claimcheck.claims.accepted import AcceptedFindings
    from mlperf_claimcheck.claims.model import ClaimFile
    from mlperf_claimcheck.reports import ReportOptions
    from mlperf_claimcheck.results.corrections import Corrections
    from mlperf_claimcheck.results.table import ResultsTable
    from mlperf_claimcheck.verdicts.model import Report


class EvidenceKind(StrEnum):
    """What a passed claim is traced to beyond the published table."""

    LOGS = "logs"


Formats = Annotated[
    list[str] | None,
    typer.Option(
        "--format",
        "-f",
        help="table (default), json, jsonl, markdown, html, csv, junit, sarif, github, "
        "claimreview; FORMAT=FILE writes to a file; repeatable.",
    ),
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the report to this file.")]
Round = Annotated[str | None, typer.Option("--round", help="Round of claims that state none, e.g. inference-v6.1.")]
Results = Annotated[
    list[str] | None, typer.Option("--results", help="Use this results file, folder or mirror; repeatable.")
]
Offline = Annotated[bool, typer.Option("--offline", help="Never use the network.")]
Allow = Annotated[
    bool, typer.Option("--allow-unverifiable", help="Exit 0 when claims are unverifiable but none fails.")
]
CorrectionFiles = Annotated[
    list[Path] | None,
    typer.Option("--corrections", help="Count the withdrawals that this YAML file lists as well; repeatable."),
]
Baseline = Annotated[
    str | None,
    typer.Option("--baseline", metavar="FILE", help="Accepted findings: they are shown, but do not fail the run."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only the claims that did not pass.")]
Lock = Annotated[
    Path | None,
    typer.Option(
        "--lock", metavar="FILE", help="Demand the results versions of this file; written where it does not exist."
    ),
]
Suggest = Annotated[
    bool,
    typer.Option(
        "--suggest",
        help="Also suggest wording: a compliant sentence and footnote, or the true figure in the same words.",
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE", help="Use the results that were held at this date, e.g. 2026-11-30."),
]
EvidenceOption = Annotated[
    EvidenceKind | None,
    typer.Option(
        "--evidence",
        help="logs: trace passed figures to the logs of their runs, in a --results repository folder or upstream.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option("--jobs", "-j", min=0, help="Processes that share the work; 0 decides by the number of claims."),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Also the rows and the arithmetic.")]


def check(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Claim files, folders of them, copy (Markdown, HTML, text), or - for standard input.",
        ),
    ] = None,
    format: Formats = None,
    output: Output = None,
    round: Round = None,
    results: Results = None,
    offline: Offline = False,
    allow_unverifiable: Allow = False,
    baseline: Baseline = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    suggest: Suggest = False,
    corrections: CorrectionFiles = None,
    lock: Lock = None,
    as_of: AsOf = None,
    evidence: EvidenceOption = None,
    jobs: Jobs = 0,
) -> None:
    """Check claim files, or the claims found in copy, against the published results.

    Exit codes: 0 all passed, 1 a claim failed, 2 bad usage or claim file, 3 none failed but some are unverifiable,
    4 results not available, or not those of the lock.

    Examples:

      mlperf-claimcheck check claims/

      mlperf-claimcheck check post.yaml --format json --offline

      mlperf-claimcheck check post.md

      mlperf-claimcheck check claims/ --lock mlperf.lock

      mlperf-claimcheck check claims/ --baseline accepted.yaml
    """
    from mlperf_claimcheck.claims.file_errors import ClaimFileErrors
    from mlperf_claimcheck.claims.files import load_accepted, load_claim_files

    if not paths:
        _fail(
            "no claim file given. Name a file or a folder (or - for standard input); `mlperf-claimcheck init` writes "
            "a starter file",
            2,
        )
    _demand_round(round)
    try:
        accepted = None if baseline is None else load_accepted(baseline)
        files = load_claim_files(paths or [], stdin=sys.stdin, round=round, leave_out=baseline)
    except ClaimFileErrors as errors:
        print(str(errors), file=sys.stderr)
        raise typer.Exit(2) from None
    for file in files:
        if not file.claims:
            from mlperf_claimcheck.claims.file_errors import visible

            print(visible(f"warning: {file.path}: no claim about an MLPerf result was found"), file=sys.stderr)
    _run(
        files,
        format,
        output,
        results,
        offline,
        allow_unverifiable,
        quiet,
        verbose,
        suggest,
        lock,
        corrections,
        accepted,
        as_of,
        evidence,
        jobs,
    )


def verify(
    text: Annotated[str, typer.Argument(help="The claim, in quotes.")],
    format: Formats = None,
    output: Output = None,
    round: Round = None,
    results: Results = None,
    offline: Offline = False,
    allow_unverifiable: Allow = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    suggest: Suggest = False,
    corrections: CorrectionFiles = None,
    evidence: EvidenceOption = None,
) -> None:
    """Check one claim given on the command line.

    Example:

      mlperf-claimcheck verify "CoreWeave: 16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72, MLPerf v6.1"
    """
    from mlperf_claimcheck.claims.file_errors import ClaimFileErrors
    from mlperf_claimcheck.claims.files import claim_from_text

    _demand_round(round)
    try:
        files = (claim_from_text(text, round=round),)
    except ClaimFileErrors as errors:
        print(str(errors), file=sys.stderr)
        raise typer.Exit(2) from None
    _run(
        files,
        format,
        output,
        results,
        offline,
        allow_unverifiable,
        quiet,
        verbose,
        suggest,
        None,
        corrections,
        None,
        None,
        evidence,
    )


def _fail(message: str, code: int) -> NoReturn:
    print(f"error: {message}.", file=sys.stderr)
    raise typer.Exit(code)


def _run(
    files: tuple[ClaimFile, ...],
    formats: list[str] | None,
    output: Path | None,
    results: list[str] | None,
    offline: bool,
    allow_unverifiable: bool,
    quiet: bool,
    verbose: bool,
    suggest: bool,
    lock: Path | None = None,
    corrections: list[Path] | None = None,
    accepted: AcceptedFindings | None = None,
    as_of: str | None = None,
    evidence: EvidenceKind | None = None,
    jobs: int = 1,
) -> None:
    from mlperf_claimcheck.api import accept_findings, check_files, load_results
    from mlperf_claimcheck.claims.file_errors import ClaimFileErrors
    from mlperf_claimcheck.reports import names
    from mlperf_claimcheck.results.errors import ResultsError

    wanted: list[tuple[str, Path | None]] = []
    for given in formats or ["table"]:
        name, _, file = given.partition("=")
        if name not in names():
            _fail(f"unknown format “{name}”. Known: {', '.join(names())}", 2)
        wanted.append((name, Path(file) if file else None))
    if output is not None:
        wanted[0] = (wanted[0][0], output)
    if sum(path is None for _, path in wanted) > 1:
        _fail("more than one format for standard output. Give the others a file: -f html=report.html", 2)
    day = _day(as_of) if as_of is not None else None
    try:
        table = load_results(tuple(results or ()), offline=offline, as_of=day)
    except ResultsError as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(4) from None
    for warning in table.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if lock is not None:
        _apply_lock(lock, table)
    processes = jobs or _processes(sum(len(file.claims) for file in files))
    report = check_files(files, table, _corrections(corrections or [], table), suggest=suggest, jobs=processes)
    if evidence is EvidenceKind.LOGS:
        report = _with_logs(report, table, results or [], offline)
    if accepted is not None:
        try:
            report = accept_findings(report, accepted)
        except ClaimFileErrors as errors:
            print(str(errors), file=sys.stderr)
            raise typer.Exit(2) from None
        from mlperf_claimcheck.reports.words import stale_words

        for entry in report.stale:
            print(f"warning: {stale_words(entry)}", file=sys.stderr)
    for name, path in wanted:
        _write(report, name, path, quiet, verbose, allow_unverifiable, table)
    _job_summary(report, allow_unverifiable)
    raise typer.Exit(exit_code(report, allow_unverifiable))


_CLAIMS_A_PROCESS = 4000
"""So many claims take longer than starting another process does."""


def _processes(claims: int) -> int:
    """How many processes are worth while: one for a few thousand claims, then as many as there are processors."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(usable, claims // _CLAIMS_A_PROCESS))


def _demand_round(round: str | None) -> None:
    """A default round that is none would only make every claim unverifiable."""
    if round is None:
        return
    from mlperf_claimcheck.results.errors import RoundError
    from mlperf_claimcheck.results.rounds import known_rounds, parse_round_id

    try:
        parse_round_id(round)
    except RoundError as error:
        _fail(f"--round: {error}; known rounds: {', '.join(known_rounds())}", 2)


def _corrections(paths: list[Path], table: ResultsTable) -> Corrections | None:
    """The withdrawals of the user's files and the package's own; None: only those."""
    if not paths:
        return None
    from mlperf_claimcheck.results.corrections import Corrections as KnownCorrections
    from mlperf_claimcheck.results.errors import ResultsError

    try:
        known = KnownCorrections.load(paths)
    except ResultsError as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    for result_id in known.without_rows(table.rows):
        print(f"warning: corrections: no result {result_id} is held, so its entry changes nothing", file=sys.stderr)
    return known


def _with_logs(report: Report, table: ResultsTable, sources: list[str], offline: bool) -> Report:
    """The report traced to logs; how many rows could not be is said at once, since the exit code does not tell it."""
    from mlperf_claimcheck.api import trace_logs
    from mlperf_claimcheck.reports.words import traced_rows
    from mlperf_claimcheck.verdicts.model import Tracing

    report = trace_logs(report, table, sources, offline=offline)
    logs = traced_rows(report.verdicts)
    unchecked = sum(log.outcome is Tracing.NOT_CHECKED for log in logs)
    if unchecked:
        print(
            f"warning: --evidence logs: {unchecked} of {len(logs)} rows could not be traced to a log; see their claims",
            file=sys.stderr,
        )
    return report


def _day(text: str) -> str:
    """A date as given on the command line, if it is one and not in the future, when other results may be held."""
    import re
    from datetime import UTC, date, datetime

    try:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
            raise ValueError
        day = date.fromisoformat(text)
    except ValueError:
        _fail(f"--as-of: {text[:40]!r} is no date; expected the form 2026-11-30", 2)
    if day > datetime.now(UTC).date():
        _fail(f"--as-of: {text} is in the future", 2)
    return text


def _apply_lock(path: Path, table: ResultsTable) -> None:
    """Demands the locked versions of the results, or locks those at hand where there is no lock yet."""
    from mlperf_claimcheck.cli.results_shared import EXIT_RESULTS, EXIT_USAGE, say
    from mlperf_claimcheck.results.lock import LockError, LockMismatch, demand, read_lock, write_lock

    try:
        locked = read_lock(path)
        if locked is None:
            write_lock(path, table.sources)
            say(f"{path}: written; it locks the results of {len(table.sources)} rounds")
        else:
            demand(path, locked, table.sources)
    except LockError as error:
        say(f"error: {error}")
        raise typer.Exit(EXIT_USAGE) from None
    except LockMismatch as error:
        say(f"error: {error}")
        raise typer.Exit(EXIT_RESULTS) from None


def exit_code(report: Report, allow_unverifiable: bool) -> int:
    """0 all passed or accepted, 1 a failure, 3 unverifiable only (0 where that is allowed)."""
    from mlperf_claimcheck.verdicts.model import Outcome

    if report.count(Outcome.FAIL):
        return 1
    if report.count(Outcome.UNVERIFIABLE) and not allow_unverifiable:
        return 3
    return 0


def _options(quiet: bool, verbose: bool, allow_unverifiable: bool, *, terminal: bool) -> ReportOptions:
    from datetime import date

    from mlperf_claimcheck.reports import ReportOptions, terminal_width, wants_colour

    return ReportOptions(
        verbose=verbose,
        quiet=quiet,
        width=terminal_width(),
        colour=terminal and wants_colour(sys.stdout),
        allow_unverifiable=allow_unverifiable,
        date=date.today().isoformat(),
    )


def _write(
    report: Report,
    name: str,
    path: Path | None,
    quiet: bool,
    verbose: bool,
    allow_unverifiable: bool,
    table: ResultsTable,
) -> None:
    from dataclasses import replace

    from mlperf_claimcheck.reports import pieces, render, write_report

    options = _options(quiet, verbose, allow_unverifiable, terminal=path is None)
    if name == "html" or (name == "table" and verbose):
        from mlperf_claimcheck.reports.peers import peers_of

        options = replace(options, peers=peers_of(table.by_round))
    if path is None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")
        end = "\n"
        for piece in pieces(report, name, options):
            sys.stdout.write(piece)
            end = piece[-1:] or end
        if end != "\n":
            sys.stdout.write("\n")
        return
    try:
        write_report(render(report, name, options), path)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(2) from None


def _job_summary(report: Report, allow_unverifiable: bool) -> None:
    """Where a CI service offers a page for the job's summary, the report goes there too."""
    target = os.environ.get("GITHUB_STEP_SUMMARY")
    if not target:
        return
    from mlperf_claimcheck.reports.github_report import job_summary

    text = job_summary(report, _options(False, False, allow_unverifiable, terminal=False))
    try:
        with Path(target).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        print(f"warning: {target}: the job summary could not be written ({error.strerror})", file=sys.stderr)
