"""The library's own entry points: read claims, check them against results, get verdicts as objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from mlperf_claimcheck.verdicts.model import (
    Caveat,
    Evidence,
    LogTrace,
    Outcome,
    Report,
    ResultsSource,
    Suggestion,
    Verdict,
)

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext
    from mlperf_claimcheck.claims.accepted import AcceptedFindings
    from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput
    from mlperf_claimcheck.claims.stretch import StretchReader
    from mlperf_claimcheck.results.corrections import Corrections
    from mlperf_claimcheck.results.model import ResultRow
    from mlperf_claimcheck.results.table import ResultsTable


def load_results(sources: Sequence[str] = (), *, offline: bool = True, as_of: str | None = None) -> ResultsTable:
    """The published results: the bundled rounds, overridden by downloaded ones, overridden by `sources`.

    `sources` are files, folders or addresses of results; `as_of` (ISO date) takes the bundled and downloaded versions
    that were held then. Raises `results.errors.ResultsError` where they cannot be obtained or are damaged.
    """
    from mlperf_claimcheck.results.load import load_results as load

    return load(sources=tuple(sources), offline=offline, as_of=as_of)


def check(
    claims: str | Iterable[str | ClaimInput], results: ResultsTable | None = None, round: str | None = None
) -> tuple[Verdict, ...]:
    """Verdicts on claims given as text (or as `ClaimInput`), in order.

    `round` is the default round of claims that state none.
    """
    from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput

    given = [claims] if isinstance(claims, str) else list(claims)
    inputs = []
    for number, claim in enumerate(given, 1):
        if isinstance(claim, ClaimInput):
            inputs.append(claim)
        else:
            defaults = {"round": round} if round else {}
            inputs.append(ClaimInput(id=f"claim-{number}", text=claim, defaults=defaults))
    return check_files([ClaimFile(path="<claims>", claims=tuple(inputs))], results).verdicts


def check_files(
    files: Iterable[ClaimFile],
    results: ResultsTable | None = None,
    corrections: Corrections | None = None,
    *,
    suggest: bool = False,
    jobs: int = 1,
) -> Report:
    """A report on all claims of the files. Loads the default results where none are given.

    `corrections` are the withdrawals and changes that count (`Corrections.load`); without them, those that the package
    brings.
    `suggest`: passed claims come with a compliant wording and footnote, failed ones with the true figure in the same
    words, where there is such a wording and it passes.
    `jobs`: processes that share the work; more than one pays from some thousand claims on. The verdicts are the same.
    """
    from mlperf_claimcheck.results.corrections import Corrections as KnownCorrections

    table = results if results is not None else load_results()
    known = KnownCorrections.load() if corrections is None else corrections
    table = known.applied(table)
    given = tuple(files)
    run = _Run(given, table, known, suggest)
    stretches = [
        (number, start, start + _STRETCH)
        for number, file in enumerate(given)
        for start in range(0, len(file.claims), _STRETCH)
    ]
    verdicts: list[Verdict] = []
    several = jobs > 1 and len(stretches) > 1
    for found in _shared_out(run, stretches, jobs) if several else map(run.verdicts, stretches):
        verdicts += found
    claim_sources = {file.path: dict(file.source) for file in given if file.source}
    return Report(tuple(verdicts), _used(verdicts, table.sources), claim_sources)


_STRETCH = 1000
"""Claims that are checked at a time by one of several processes."""


class _Run:
    """All that checking claims needs; a process that helps has its own."""

    def __init__(
        self, files: tuple[ClaimFile, ...], table: ResultsTable, corrections: Corrections, suggest: bool
    ) -> None:
        self.files, self.table, self.corrections, self.suggest = files, table, corrections, suggest

    @cached_property
    def _contexts(self) -> list[CheckContext]:
        from mlperf_claimcheck.checks.interface import CheckContext
        from mlperf_claimcheck.vocabulary import load_vocabulary

        vocabulary = load_vocabulary()
        contexts = []
        for file in self.files:
            groups: dict[str, tuple[str, ...]] = {}
            for name, members in file.groups.items():
                found = []
                for member in members:
                    submitter = vocabulary.find_submitter(member)
                    found.append(submitter.id if submitter else member)
                groups[name.lower()] = tuple(found)
            contexts.append(CheckContext(self.table, vocabulary, self.corrections, groups))
        return contexts

    @cached_property
    def _reader(self) -> StretchReader | None:
        if not self.suggest:
            return None
        from mlperf_claimcheck.claims.stretch import StretchReader
        from mlperf_claimcheck.vocabulary import load_vocabulary

        return StretchReader(load_vocabulary())

    def verdicts(self, stretch: tuple[int, int, int]) -> list[Verdict]:
        """The verdicts on some claims of a file: its number, the first claim, the claim behind the last."""
        number, start, end = stretch
        context, reader = self._contexts[number], self._reader
        found = []
        for claim in self.files[number].claims[start:end]:
            verdict = _verdict_on(claim, context)
            if reader is not None:
                verdict = verdict.changed(suggestion=_suggestion(claim, verdict, context, reader))
            found.append(_labelled(verdict, claim))
        return found


_run: _Run | None = None
"""In a process that helps: what it works on."""


def _shared_out(run: _Run, stretches: Sequence[tuple[int, int, int]], jobs: int) -> Iterator[list[Verdict]]:
    """The verdicts of all stretches in order, found by several processes.

    Raises `concurrent.futures.process.BrokenProcessPool` when one of them dies.
    """
    import multiprocessing
    import sys
    import threading
    from concurrent.futures import ProcessPoolExecutor

    # A copy of this process has all that was loaded. Only without threads is it safe to go on in one.
    plain = sys.platform == "linux" and threading.active_count() == 1 and "polars" not in sys.modules
    context = multiprocessing.get_context("fork" if plain else "spawn")
    workers = min(jobs, len(stretches))
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_help, initargs=(run,)) as pool:
        yield from pool.map(_found, stretches)


def _help(run: _Run) -> None:
    global _run
    import signal

    # The first process is told to stop, and stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _run = run


def _found(stretch: tuple[int, int, int]) -> list[Verdict]:
    assert _run is not None
    return _run.verdicts(stretch)


def _verdict_on(claim: ClaimInput, context: CheckContext) -> Verdict:
    from mlperf_claimcheck.checks.dispatch import check as check_assertion
    from mlperf_claimcheck.claims.reader import read_claim

    reading = read_claim(claim, context.vocabulary, context.results.rounds, tuple(context.groups))
    verdict = check_assertion(reading.assertion, context)
    if reading.footnotes and verdict.outcome is not Outcome.UNVERIFIABLE:
        marks = ", ".join(f"“{m}”" for m in dict.fromkeys(reading.footnotes))
        verdict = verdict.with_caveats(
            Caveat("footnote-mark", f"The mark {marks} stuck to a word was taken for a footnote mark.")
        )
    return verdict


def _suggestion(claim: ClaimInput, verdict: Verdict, context: CheckContext, reader: StretchReader) -> Suggestion | None:
    from datetime import date

    from mlperf_claimcheck.messaging.suggestion import compliant, corrected

    text = claim.text
    if verdict.outcome is Outcome.FAIL:
        found = corrected(verdict, text, reader)
        if found is None:
            return None
        # Only what passes is put forward.
        text, verdict = found, _verdict_on(replace(claim, text=found), context)
        if verdict.outcome is not Outcome.PASS:
            return None
    rounds = {e.round for e in verdict.evidence}
    days = [source.retrieved for source in context.results.sources if source.round in rounds and source.retrieved]
    wording = compliant(verdict, text, max(days, default=date.today().isoformat()), reader.vocabulary)
    if text == claim.text:
        return wording
    return Suggestion(text, "" if wording is None else wording.footnote)


def trace_logs(report: Report, results: ResultsTable, sources: Sequence[str] = (), *, offline: bool = True) -> Report:
    """The report with each passed claim's rows traced to the logs of their own runs.

    Folders among `sources` that are results repositories hold the logs of their rounds; those of other rounds are
    fetched, unless `offline`. A pass that a log contradicts becomes a fail (`log-disagrees`); one whose log could not
    be looked into keeps its verdict and gets a caveat.
    """
    from mlperf_claimcheck.checks.logs import traceable, traced
    from mlperf_claimcheck.results.trace import not_checked, repositories, trace_rows

    rows: dict[Evidence, ResultRow] = {}
    for verdict in report.verdicts:
        for shown in traceable(verdict):
            row = results.find(shown.round, shown.location, shown.model, shown.scenario, shown.value)
            if row is not None:
                rows[shown] = row
    traces = trace_rows(tuple(rows.values()), results, repositories(sources, results), offline=offline)

    def log_of(shown: Evidence) -> LogTrace:
        row = rows.get(shown)
        return not_checked("no-row", "it is no row of the results") if row is None else traces[row]

    return replace(report, verdicts=tuple(traced(verdict, log_of) for verdict in report.verdicts))


def accept_findings(report: Report, accepted: str | AcceptedFindings) -> Report:
    """The report with its known findings marked as accepted, each with its reason.

    `accepted` is a file of accepted findings, or its content. Marked claims keep their outcome and leave the counts
    of `Report.count`; entries whose finding no longer occurs are in `Report.stale`. Raises
    `claims.file_errors.ClaimFileErrors` for a file that is not valid and for an entry that could mean several claims.
    """
    from mlperf_claimcheck.claims.accepted import accept
    from mlperf_claimcheck.claims.files import load_accepted

    return accept(report, load_accepted(accepted) if isinstance(accepted, str) else accepted)


def _labelled(verdict: Verdict, claim: ClaimInput) -> Verdict:
    return verdict.changed(
        id=claim.id,
        text=claim.text or _fields_as_text(claim.fields),
        file=claim.file,
        line=claim.line,
        column=claim.column,
        expected=Outcome(claim.expect) if claim.expect else None,
        note=claim.note,
        where=claim.where,
    )


def _fields_as_text(fields: Mapping[str, object]) -> str:
    def shown(value: object) -> str:
        if isinstance(value, Mapping):
            return "{" + _fields_as_text(value) + "}"
        if isinstance(value, tuple):
            return ", ".join(map(str, value))
        return str(value)

    return ", ".join(f"{name}: {shown(value)}" for name, value in fields.items() if value is not None)


def _used(verdicts: Iterable[Verdict], sources: Sequence[ResultsSource]) -> tuple[ResultsSource, ...]:
    """The versions of the results that were looked into: of the rounds in evidence, or all where there is none."""
    rounds: set[str] = set()

    def visit(verdict: Verdict) -> None:
        rounds.update(e.round for e in verdict.evidence)
        for part in verdict.parts:
            visit(part)

    for verdict in verdicts:
        visit(verdict)
    used = tuple(s for s in sources if s.round in rounds)
    return used or tuple(sources)


__all__ = ["accept_findings", "check", "check_files", "load_results", "trace_logs"]
