"""Scaling efficiency: how much of the growth in accelerators (or nodes) arrives as growth of the result."""

from __future__ import annotations

from mlperf_claimcheck.checks.change import DERIVED
from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.checks.selection import diagnose_empty, evidence_of, row_caveats, select
from mlperf_claimcheck.claims.assertion import Per, ScalingAssertion
from mlperf_claimcheck.metrics.compare import compare, published, shown
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.verdicts.model import Caveat, Claimed, Computed, Outcome, Reading, Reason, Verdict


def check_scaling(assertion: ScalingAssertion, context: CheckContext) -> Verdict:
    """Decide a scaling efficiency: (large ÷ small) ÷ (large count ÷ small count)."""
    number = assertion.amount.number
    claimed = Claimed(assertion.amount.relation.value, float(number.value), assertion.unit, float(number.quantum))
    sides = []
    for selection in (assertion.small, assertion.large):
        rows = select(selection, context)
        if not rows:
            return diagnose_empty(selection, context)
        sides.append(rows)

    def count(row: ResultRow) -> int:
        return (row.nodes if assertion.by is Per.NODE else row.accelerators) or 0

    found = []
    for small in sides[0]:
        for large in sides[1]:
            if small.model != large.model or small.scenario != large.scenario or not count(small) or not count(large):
                continue
            ratio = published(large.value).divided(published(small.value)).scaled(count(small) / count(large) * 100)
            holds = compare(ratio, assertion.amount.relation, number, assertion.amount.upper, context.tolerance).holds
            formula = (
                f"({shown(large.value)} {large.unit} ÷ {shown(small.value)} {small.unit}) ÷ "
                f"({count(large)} ÷ {count(small)})"
            )
            found.append((holds, ratio.value, formula, small, large))
    if not found:
        return Verdict(
            Outcome.FAIL,
            Reason("no-such-result", "No two results of the two sizes share benchmark and scenario."),
            claimed=claimed,
        )
    good = [f for f in found if f[0]]
    if good and len(good) < len(found):
        readings = tuple(Reading(f[2], Outcome.PASS if f[0] else Outcome.FAIL, f"{f[1]:.1f}%") for f in found[:8])
        return Verdict(
            Outcome.UNVERIFIABLE,
            Reason(
                "ambiguous",
                "Several pairs of results fit the claim and give "
                "different efficiencies: " + "; ".join(f"{f[1]:.1f}%" for f in found[:8]) + ".",
            ),
            claimed=claimed,
            readings=readings,
        )
    _holds, value, formula, small, large = found[0]
    caveats = [
        Caveat("derived-metric", f"{DERIVED} Basis: {formula}."),
        *row_caveats(large, assertion.large, context),
        *row_caveats(small, assertion.small, context),
    ]
    word = ", as claimed" if good else f", not {number.text}%"
    return Verdict(
        Outcome.PASS if good else Outcome.FAIL,
        Reason("scaling-matches" if good else "scaling-differs", f"{formula} = {value:.1f}%{word}."),
        claimed=claimed,
        computed=Computed(value, "%", formula),
        evidence=(evidence_of(large), evidence_of(small, role="baseline")),
        caveats=tuple(dict.fromkeys(caveats)),
    )
