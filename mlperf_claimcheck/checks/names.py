"""Names in the words of a report, and what the vocabulary and the corrections know of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.ranking import benchmark_of
from mlperf_claimcheck.claims.assertion import Selection
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.text import clean
from mlperf_claimcheck.vocabulary import round_number
from mlperf_claimcheck.vocabulary.compatibility import comparable


def namer(context: CheckContext) -> Callable[[str], str]:
    """Writes a published submitter name: its usual spelling, the parties of a joint entry joined by a plus sign."""

    def name(published: str) -> str:
        parties = context.vocabulary.parties(published)
        return clean(" + ".join(context.vocabulary.submitter_display(party) for party in parties) or published)

    return name


def submitter_name(submitter: str, context: CheckContext) -> str:
    """How reports write a submitter id."""
    return clean(context.vocabulary.submitter_display(submitter))


def submitter_known(submitter: str, context: CheckContext) -> bool:
    """Whether the vocabulary, or a row of any held round, knows a submitter id."""
    return submitter in context.vocabulary.submitters


def parties_of(published: str, context: CheckContext) -> tuple[str, ...]:
    """Submitter ids of a published name."""
    return context.vocabulary.parties(published)


def is_joint(row: ResultRow, context: CheckContext) -> bool:
    """Whether a row is a joint entry of several submitters."""
    return context.vocabulary.is_joint(row.submitter)


def hardware_name(hardware: str, context: CheckContext) -> str:
    """How reports write a hardware id."""
    return clean(context.vocabulary.hardware_display(hardware))


def accelerator_kind(row: ResultRow, context: CheckContext) -> str | None:
    """The kind of accelerator of a row by name; several joined for a mixed system; None without any."""
    if not row.accelerator:
        return None
    known = context.vocabulary.hardware
    kinds = [h for h in context.vocabulary.classify(row) if known[h].kind == "accelerator"]
    if not kinds:
        return clean(row.accelerator)
    return " and ".join(sorted(known[h].name for h in kinds))


def model_name(models: Sequence[str], context: CheckContext) -> str:
    """How reports write a benchmark, given its ids; a generic name where it stands for all of them."""
    wanted = set(models)
    for model in context.vocabulary.models.values():
        if wanted == set(model.ids):
            return model.name
    if len(models) > 1 and len({benchmark_of(m) for m in models}) == 1:
        for model in context.vocabulary.models.values():
            if wanted <= set(model.ids):
                return model.name
    return clean(" / ".join(context.vocabulary.model_display(m) for m in models))


def is_known_group(group: str, context: CheckContext) -> bool:
    """Whether a group is known to the claim file or to the bundled list."""
    return context.vocabulary.group_known(group, context.groups)


def is_peer_group(group: str, context: CheckContext) -> bool:
    """Whether a group is one of organizations, not of hardware. The claim file's own groups always are."""
    if context.vocabulary.file_group(group, context.groups) is not None:
        return True
    bundled = context.vocabulary.groups.get(group) or context.vocabulary.find_group(group)
    return bundled is None or bundled.kind == "peer"


def group_name(group: str, context: CheckContext) -> str:
    """How reports write a group."""
    own = context.vocabulary.file_group(group, context.groups)
    if own is not None:
        return clean(own[0])
    bundled = context.vocabulary.groups.get(group) or context.vocabulary.find_group(group)
    return clean(bundled.name if bundled is not None else group)


def group_origin(group: str, context: CheckContext) -> str:
    """On whose word an organization is in a group."""
    if context.vocabulary.file_group(group, context.groups) is not None:
        return "membership as given in the claim file"
    bundled = context.vocabulary.groups.get(group) or context.vocabulary.find_group(group)
    date = bundled.date if bundled is not None else None
    return f"bundled list of {date}, from each organization's public description of its business"


def in_group(group: str, row: ResultRow, context: CheckContext) -> bool:
    """Whether a row is within a group."""
    return context.vocabulary.group_matches(group, row, context.groups)


def unit_is_published(unit: str | None, context: CheckContext) -> bool:
    """Whether a unit is one of a published rate, as against a latency, a per-user rate or a price."""
    found = context.vocabulary.units.get(unit or "")
    return found is not None and found.kind == "rate"


# --- rounds ---------------------------------------------------------------------------------------------------------


def round_order(round_id: str) -> tuple[str, tuple[int, ...]]:
    """The suite of a round and its number, for putting rounds of one suite in order."""
    suite = round_id.rpartition("-v")[0]
    return suite, tuple(int(part) if part.isdigit() else 0 for part in round_number(round_id).split("."))


def round_name(round_id: str, context: CheckContext) -> str:
    """`Inference v6.1` for `inference-v6.1`."""
    suite = round_order(round_id)[0]
    return clean(f"{suite.capitalize()} v{round_number(round_id)}" if suite else round_id)


def held_rounds(context: CheckContext) -> tuple[str, ...]:
    """The rounds whose results are held, oldest first."""
    return tuple(sorted(context.results.rounds, key=round_order))


def known_rounds(suite: str, context: CheckContext) -> tuple[str, ...]:
    """All rounds of a suite that are known to exist, oldest first."""
    found = context.vocabulary.suites.get(suite)
    if found is None:
        return ()
    return tuple(sorted((f"{suite}-v{number}" for number in found.rounds), key=round_order))


def had_benchmark(round_id: str, models: Sequence[str], context: CheckContext) -> bool:
    """Whether a round had one of the benchmarks (any round had some)."""
    if not models:
        return True
    wanted = set(models)
    return any(
        model.available(round_id)
        for model in context.vocabulary.models.values()
        if wanted & {*model.ids, *model.edge_ids}
    )


def compatibility(earlier: str, current: str, base: Selection, context: CheckContext) -> str:
    """Whether a benchmark's results of two rounds may be compared: `comparable`, `incomparable` or `unknown`."""
    scenario = base.scenarios[0] if len(base.scenarios) == 1 else None
    statuses = {
        comparable(
            model, base.suite or "datacenter", earlier, current, scenario=scenario, vocabulary=context.vocabulary
        ).status
        for model in base.models
    }
    for status in ("incomparable", "unknown"):
        if status in statuses:
            return status
    return "comparable"


# --- corrections ----------------------------------------------------------------------------------------------------


def is_withdrawn(row: ResultRow, context: CheckContext) -> bool:
    """Whether MLCommons itself withdrew a result after publication. What others only report changes no verdict."""
    return any(c.kind == "withdrawn" and c.official for c in context.corrections.for_row(row))
