"""The scope of a claim: the widest set of rows its words allow, and what each scope word leaves out.

A ranking starts from the round, the benchmark, the scenario, the suite and the division; everything else (hardware,
submitters, availability, peer groups) narrows it only as far as the claim's own words do (semantics: superlatives).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.names import (
    group_name,
    group_origin,
    hardware_name,
    in_group,
    is_known_group,
    is_peer_group,
    model_name,
    namer,
    round_name,
    submitter_name,
)
from mlperf_claimcheck.checks.ranking import Figure, RowKey, key_of, listing
from mlperf_claimcheck.checks.selection import select
from mlperf_claimcheck.claims.assertion import Selection
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat
from mlperf_claimcheck.verdicts.text import clean

_IDENTITY = ("submitters", "hardware", "accelerators", "nodes", "result_ids", "machines", "features", "groups")


@dataclass(frozen=True, slots=True)
class ScopeWord:
    """One restriction that the claim's own words put on a ranking."""

    slot: str
    """The slot of the selection: `hardware`, `groups`, `availability` …"""
    words: str
    """The restriction in words: `cloud providers`, `NVIDIA GB300 NVL72`."""
    keys: frozenset[RowKey]
    """The rows that satisfy it."""
    group: str | None = None
    """The group's name, for peer and architecture groups."""
    is_peer: bool = False
    """A group of organizations: who is in it is not in the published results."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A widest set of rows and the words that narrow it."""

    rows: tuple[ResultRow, ...]
    words: tuple[ScopeWord, ...]
    unknown_groups: tuple[str, ...] = ()
    """Groups that neither the claim file nor the bundled list knows. They narrow nothing."""

    def inside(self, key: RowKey) -> bool:
        """Whether a row is within the claim's own scope."""
        return all(key in word.keys for word in self.words)

    def why_outside(self, key: RowKey) -> str:
        """Which scope words leave a row out."""
        return "not within " + " and ".join(f"'{w.words}'" for w in self.words if key not in w.keys)

    def by_peers_only(self, key: RowKey) -> bool:
        """Whether nothing but groups of organizations leaves a row out."""
        return all(word.is_peer for word in self.words if key not in word.keys)

    @property
    def description(self) -> str:
        """The scope words in one phrase."""
        return ", ".join(w.words for w in self.words)


def narrowed(selection: Selection, base: Selection) -> Selection:
    """`selection` within the ranking that `base` describes: base's round, benchmark, scenario, suite and division."""
    return replace(
        selection,
        rounds=base.rounds,
        models=base.models,
        scenarios=base.scenarios,
        suite=base.suite,
        division=base.division,
    )


def rows_of(selection: Selection, context: CheckContext) -> tuple[ResultRow, ...]:
    """The rows of a selection; of every division where it names none.

    Counts and coverage speak of all that was submitted, so an unstated division is no restriction there.
    """
    return tuple(select(selection, context, drop=frozenset({"division"} if selection.division is None else ())))


def keys_of(rows: Iterable[ResultRow]) -> frozenset[RowKey]:
    """The identities of rows."""
    return frozenset(key_of(row) for row in rows)


def build_scope(scope: Selection, base: Selection, context: CheckContext) -> Scope:
    """The rows of `base`, and for each restriction of `scope` beyond it the rows that satisfy it."""
    rows = tuple(select(base, context))
    words: list[ScopeWord] = []
    unknown: list[str] = []
    for slot, text, part in _restrictions(scope, context):
        if slot == "groups" and not is_known_group(part["groups"][0], context):
            unknown.append(part["groups"][0])
            continue
        chosen = keys_of(select(replace(base, **part), context))
        group = part["groups"][0] if slot == "groups" else None
        peer = slot == "submitters" or (group is not None and is_peer_group(group, context))
        words.append(ScopeWord(slot, text, chosen, group, peer))
    return Scope(rows, tuple(words), tuple(unknown))


def _restrictions(scope: Selection, context: CheckContext) -> Iterable[tuple[str, str, dict[str, Any]]]:
    """Slot, words and the selection fields of every restriction of a scope."""
    if scope.hardware:
        yield "hardware", " or ".join(hardware_name(h, context) for h in scope.hardware), {"hardware": scope.hardware}
    for group in scope.groups:
        yield "groups", group_name(group, context), {"groups": (group,)}
    if scope.availability:
        yield "availability", f"{scope.availability} systems", {"availability": scope.availability}
    if scope.submitters:
        names = " or ".join(submitter_name(s, context) for s in scope.submitters)
        yield "submitters", names, {"submitters": scope.submitters}
    if scope.accelerators is not None:
        part: dict[str, Any] = {"accelerators": scope.accelerators, "whole_rack": scope.whole_rack}
        yield "accelerators", f"{scope.accelerators} accelerators", part
    if scope.nodes is not None:
        yield "nodes", f"{scope.nodes} node{'s' if scope.nodes != 1 else ''}", {"nodes": scope.nodes}
    if scope.data_type:
        yield "data_type", scope.data_type, {"data_type": scope.data_type}
    if scope.result_ids:
        yield "result_ids", "result " + ", ".join(scope.result_ids), {"result_ids": scope.result_ids}


def has_identity(subject: Selection) -> bool:
    """Whether a claim says whose or which result it speaks of."""
    return any(getattr(subject, slot) not in (None, ()) for slot in _IDENTITY)


def subject_selection(subject: Selection, base: Selection) -> Selection:
    """The subject's rows within a ranking."""
    return narrowed(subject, base)


def own_selection(subject: Selection, base: Selection) -> Selection:
    """Rows that are the subject's own as the claim's words describe it.

    A default availability only says which of its rows a claim is about; a higher Preview result of the same submitter
    is still its own.
    """
    own = narrowed(subject, base)
    if "availability" not in subject.stated:
        own = replace(own, availability=None)
    return own


def describe_ranking(base: Selection, context: CheckContext) -> str:
    """A selection without its submitters: `GPT-OSS-120B Offline, Inference v6.1, closed, datacenter`."""
    parts = []
    about = " ".join(
        part for part in (model_name(base.models, context) if base.models else "", "/".join(base.scenarios)) if part
    )
    if about:
        parts.append(about)
    if base.hardware:
        parts.append(" or ".join(hardware_name(h, context) for h in base.hardware))
    parts += [group_name(group, context) for group in base.groups]
    if base.accelerators is not None:
        parts.append(f"{base.accelerators} accelerator{'s' if base.accelerators != 1 else ''}")
    if base.nodes is not None:
        parts.append(f"{base.nodes} node{'s' if base.nodes != 1 else ''}")
    if base.machines:
        parts.append(" or ".join(map(clean, base.machines)))
    if base.features:
        parts.append(" and ".join(map(clean, base.features)))
    if base.result_ids:
        parts.append("result " + ", ".join(base.result_ids))
    parts += [round_name(r, context) for r in base.rounds]
    parts += [part for part in (base.division, base.suite, base.availability, base.data_type) if part]
    return ", ".join(parts)


def describe_selection(selection: Selection, context: CheckContext) -> str:
    """A selection in words, whose results first."""
    names = [submitter_name(s, context) for s in selection.submitters]
    return ", ".join(part for part in (" and ".join(names), describe_ranking(selection, context)) if part)


def membership_caveats(scope: Scope, figures: Sequence[Figure], context: CheckContext) -> list[Caveat]:
    """For each peer group of the scope: who counted, who did not, and on whose word."""
    caveats = []
    for word in scope.words:
        if word.group is None or not word.is_peer:
            continue
        rows = {f.row.submitter: f.row for f in figures}
        inside = sorted(s for s, row in rows.items() if in_group(word.group, row, context))
        outside = sorted(set(rows) - set(inside))
        display = namer(context)
        caveats.append(
            Caveat(
                "group-membership",
                f"Counted as {word.words}: {listing([display(s) for s in inside], 12) or 'none'}; not counted: "
                f"{listing([display(s) for s in outside], 12) or 'none'} ({group_origin(word.group, context)}).",
            )
        )
    return caveats
