"""Checks the size of the largest system of a selection, in nodes and accelerators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mlperf_claimcheck.checks.combine import failed, merge_readings, passed, unverifiable
from mlperf_claimcheck.checks.figures import compare_count
from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.names import namer
from mlperf_claimcheck.checks.quantity import amount_words, claimed_of
from mlperf_claimcheck.checks.ranking import status_of
from mlperf_claimcheck.checks.scope import describe_selection, rows_of
from mlperf_claimcheck.checks.selection import diagnose_empty, evidence_of, row_caveats
from mlperf_claimcheck.claims.assertion import ExtentAssertion, Selection
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Computed, Outcome, Severity, Verdict
from mlperf_claimcheck.verdicts.text import clean


def check_extent(assertion: ExtentAssertion, context: CheckContext) -> Verdict:
    """Decides how large the largest system of a selection is.

    The largest system is the one with the most accelerators used; the node count is that system's. Restrictions that
    come from the file's defaults (a submitter, say) are one reading, the whole round the other.
    """
    selection = assertion.selection
    if assertion.accelerators is None and assertion.nodes is None:
        return unverifiable("not-understood", "The claim gives neither accelerators nor nodes of the largest system")
    if not selection.rounds:
        return unverifiable("round-not-stated", "The claim states no round, so there is no largest system to look for")
    narrow = _judge(assertion, selection, context)
    wide_selection = _without_defaults(selection)
    if wide_selection == selection or narrow.outcome is Outcome.PASS:
        return narrow
    wide = _judge(assertion, wide_selection, context)
    if wide.outcome is not Outcome.PASS:
        return narrow
    if selection.submitters == wide_selection.submitters:
        # Division, suite and availability of the defaults do not limit "the largest system".
        return wide
    return merge_readings(
        [("the submitter's own systems", narrow), ("all systems of the round", wide)], "systems it ranges over"
    )


def _without_defaults(selection: Selection) -> Selection:
    """The selection as the claim's own words restrict it."""
    changes: dict[str, object] = {
        slot: None for slot in ("division", "availability", "suite") if slot not in selection.stated
    }
    if not {"submitter", "submitters"} & selection.stated:
        changes["submitters"] = ()
    return replace(selection, **changes)  # type: ignore[arg-type]


def _judge(assertion: ExtentAssertion, selection: Selection, context: CheckContext) -> Verdict:
    rows = list(rows_of(selection, context))
    if not rows:
        return diagnose_empty(selection, context)
    sized = [row for row in rows if row.accelerators]
    if not sized:
        if assertion.accelerators is not None:
            return unverifiable("no-derived-figure", "No system of the selection has accelerators")
        sized = [row for row in rows if row.nodes]
        if not sized:
            return unverifiable("no-derived-figure", "The node counts of the selection are not published")
    largest = _largest(sized)
    where = describe_selection(selection, context)
    fitting = [row for row in largest if _fits(assertion, row, context)]
    row = (fitting or largest)[0]
    words = _claim_words(assertion)
    size = _size_words(row)
    name = f"{namer(context)(row.submitter)} ({clean(row.system or row.platform)})"
    evidence = [evidence_of(r, role="subject") for r in _one_each(fitting or largest)]
    computed = Computed(
        float(row.accelerators or row.nodes or 0), "accelerators" if row.accelerators else "nodes", size
    )
    amount = assertion.accelerators or assertion.nodes
    assert amount is not None
    claimed = claimed_of(amount, "accelerators" if assertion.accelerators is not None else "nodes")
    if fitting:
        verdict = passed("extent-matches", f"The largest system of {where} is {name}: {size}", evidence)
    else:
        verdict = failed(
            "extent-differs", f"The claim says {words}, but the largest system of {where} is {name}: {size}", evidence
        )
    verdict = replace(verdict, claimed=claimed, computed=computed)
    caveats = list(row_caveats(row, context))
    owners = sorted({r.submitter for r in largest})
    if len(owners) > 1:
        names = ", ".join(namer(context)(o) for o in owners)
        caveats.append(Caveat("narrow-margin", f"{len(owners)} submitters have systems of that size: {names}."))
    if row.accelerators_published not in (None, row.accelerators):
        caveats.append(
            Caveat(
                "accelerator-count-conflict",
                f"The row counts {row.accelerators_published} accelerators, its own names say {row.accelerators}.",
                Severity.WARNING,
            )
        )
    by_nodes = max((r for r in rows if r.nodes), key=lambda r: r.nodes or 0, default=None)
    if by_nodes is not None and (by_nodes.nodes or 0) > (row.nodes or 0):
        text = f"By nodes the largest is {namer(context)(by_nodes.submitter)} with {by_nodes.nodes} nodes."
        caveats.append(Caveat("counting-rule", text))
    if row.availability != "available":
        smaller = [r for r in sized if r.availability == "available"]
        if smaller:
            text = f"The system is {status_of(row)}; the largest available one has {_size_words(_largest(smaller)[0])}."
            caveats.append(Caveat("rests-on-preview", text, Severity.WARNING))
    return verdict.with_caveats(*caveats)


def _largest(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows of the systems with the most accelerators used (nodes where there are none)."""

    def size(row: ResultRow) -> int:
        return row.accelerators or row.nodes or 0

    most = max(size(row) for row in rows)
    return [row for row in rows if size(row) == most]


def _fits(assertion: ExtentAssertion, row: ResultRow, context: CheckContext) -> bool:
    """Whether a largest system has the size claimed; a published count that differs from the used one counts too."""
    counts = {row.accelerators, row.accelerators_published} - {None}
    if assertion.accelerators is not None and not any(
        compare_count(assertion.accelerators, c, context) for c in counts if c is not None
    ):
        return False
    return assertion.nodes is None or (row.nodes is not None and compare_count(assertion.nodes, row.nodes, context))


def _one_each(rows: Sequence[ResultRow]) -> list[ResultRow]:
    first: dict[tuple[str, str], ResultRow] = {}
    for row in rows:
        first.setdefault((row.submitter, row.platform), row)
    return list(first.values())


def _size_words(row: ResultRow) -> str:
    parts = []
    if row.nodes:
        parts.append(f"{row.nodes} node{'s' if row.nodes != 1 else ''}")
    if row.accelerators:
        parts.append(f"{row.accelerators} accelerator{'s' if row.accelerators != 1 else ''}")
    return " with ".join(parts)


def _claim_words(assertion: ExtentAssertion) -> str:
    parts = []
    if assertion.nodes is not None:
        parts.append(f"{amount_words(assertion.nodes)} nodes")
    if assertion.accelerators is not None:
        parts.append(f"{amount_words(assertion.accelerators)} accelerators")
    return " with ".join(parts)
