"""Checks statements on the availability or the division of results ("appear as Preview", "closed division")."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from mlperf_claimcheck.checks.combine import failed, passed, unverifiable
from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.names import is_joint, is_known_group, namer
from mlperf_claimcheck.checks.ranking import listing
from mlperf_claimcheck.checks.scope import describe_selection, rows_of
from mlperf_claimcheck.checks.selection import diagnose_empty, evidence_of
from mlperf_claimcheck.claims.assertion import StatusAssertion
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Verdict
from mlperf_claimcheck.verdicts.text import clean

_WORDS = {"preview": "Preview", "rdi": "RDI", "available": "available"}


def check_status(assertion: StatusAssertion, context: CheckContext) -> Verdict:
    """All rows of the selection have the availability and the division claimed."""
    selection = assertion.selection
    if assertion.availability is None and assertion.division is None:
        return unverifiable("not-understood", "The claim states neither an availability nor a division")
    unknown = [g for g in selection.groups if not is_known_group(g, context)]
    if unknown:
        groups = ", ".join(f"'{clean(g)}'" for g in unknown)
        return unverifiable("group-unknown", f"Who counts as {groups} is not known: list its members under `groups`")
    if not selection.rounds:
        return unverifiable("round-not-stated", "The claim states no round")
    # What is asserted must not restrict the rows: every row would have it.
    if assertion.availability is not None:
        selection = replace(selection, availability=None)
    if assertion.division is not None:
        selection = replace(selection, division=None)
    rows = list(rows_of(selection, context))
    if not rows:
        return diagnose_empty(selection, context)
    wanted: list[ResultRow] = []
    others: list[ResultRow] = []
    for row in rows:
        fits = assertion.availability in (None, row.availability) and assertion.division in (None, row.division)
        (wanted if fits else others).append(row)
    claimed = " and ".join(_WORDS.get(w, w) for w in (assertion.availability, assertion.division) if w is not None)
    what = describe_selection(selection, context)
    noun = "result" if len(rows) == 1 else "results"
    if not others:
        verb = "is" if len(rows) == 1 else "are"
        message = (
            f"All {len(rows)} {noun} of {what} {verb} {claimed}"
            if len(rows) > 1
            else f"The only result of {what} is {claimed}"
        )
        verdict = passed("status-matches", message, [evidence_of(row) for row in rows])
    else:
        held = Counter(
            (row.submitter, *(getattr(row, slot) for slot in _slots(assertion)), row.system or row.platform)
            for row in others
        )
        told = listing([_group_words(key, count, context) for key, count in held.items()])
        message = f"{len(others)} of {len(rows)} {noun} of {what} are not {claimed}: {told}"
        evidence = [evidence_of(row, role="above") for row in others[:8]] + [evidence_of(row) for row in wanted[:4]]
        verdict = failed("status-differs", message, evidence)
    joint = sorted({row.submitter for row in rows if is_joint(row, context)})
    if joint and selection.submitters:
        names = listing([namer(context)(j) for j in joint])
        verdict = verdict.with_caveats(Caveat("joint-entry", f"Joint entries among them: {names}."))
    owners = sorted({row.submitter for row in rows})
    if not selection.submitters and len(owners) <= 12:
        names = listing([namer(context)(o) for o in owners], 12)
        verdict = verdict.with_caveats(Caveat("submitter-not-named", f"The results are of {names}."))
    return verdict


def _group_words(key: tuple[str, ...], count: int, context: CheckContext) -> str:
    """Whose rows, which system, which status, how many."""
    owner, *statuses, system = key
    status = "/".join(_WORDS.get(word, word) for word in statuses)
    return f"{namer(context)(owner)}, {clean(system)}: {status} ({count})"


def _slots(assertion: StatusAssertion) -> list[str]:
    return [slot for slot in ("availability", "division") if getattr(assertion, slot) is not None]
