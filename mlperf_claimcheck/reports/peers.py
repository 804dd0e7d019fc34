"""All published results that a row may be compared with, for charts of where a claim stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Evidence

ROLE = "other"


def peers_of(rows: Callable[[str], Iterable[ResultRow]]) -> Callable[[Evidence], Sequence[Evidence]]:
    """A function that gives, for a row, the rows of its round, benchmark, scenario, division and suite.

    `rows` gives the rows of a round (`ResultsTable.by_round`). Each result carries the derived figure of the same kind
    as the row's own (per accelerator or per node), where it has one.
    """
    index: dict[str, dict[tuple[str, str, str, str], list[ResultRow]]] = {}

    def peers(row: Evidence) -> Sequence[Evidence]:
        if row.round not in index:
            groups = index[row.round] = {}
            for one in rows(row.round):
                groups.setdefault((one.model, one.scenario, one.division, one.unit), []).append(one)
        same = index[row.round].get((row.model, row.scenario, row.division, row.unit), ())
        suites = set(row.suite.split(","))
        per = (row.derived_unit or "").removeprefix(row.unit)
        return [_evidence(one, per) for one in same if suites & set(one.suite.split(","))]

    return peers


def _evidence(row: ResultRow, per: str) -> Evidence:
    count = {"/accelerator": 0 if row.heterogeneous else row.accelerators, "/node": row.nodes}.get(per)
    return Evidence(
        round=row.round,
        result_id=row.result_id,
        submitter=row.submitter,
        system=row.system,
        platform=row.platform,
        accelerator=row.accelerator,
        accelerators=row.accelerators,
        nodes=row.nodes,
        model=row.model,
        scenario=row.scenario,
        division=row.division,
        availability=row.availability,
        suite=row.suite,
        value=row.value,
        unit=row.unit,
        location=row.location,
        role=ROLE,
        derived=row.value / count if count else None,
        derived_unit=row.unit + per if count else None,
    )
