"""Records: the ranking over the widest scope, the claim's own scope words, and what a reader has to be told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from placing import ROUND, amount, bundled, caveat, chosen, codes, context, gb300, mi355x, row, told

from mlperf_claimcheck.checks.superlative import check_superlative
from mlperf_claimcheck.claims.assertion import Per, Selection, SuperlativeAssertion, SuperlativeKind
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.results.corrections import Correction, Corrections
from mlperf_claimcheck.verdicts.model import Outcome, Verdict

CLOUDS = {"cloud providers": ("coreweave", "nebius", "oracle", "azure", "google", "lambda", "crusoe")}


def top(
    rows: list[Any],
    subject: dict[str, Any],
    scope: dict[str, Any] | None = None,
    *,
    groups: dict[str, tuple[str, ...]] | None = None,
    base: dict[str, Any] | None = None,
    **claim: Any,
) -> Verdict:
    base = base or {}
    claim.setdefault("per", Per.SYSTEM)
    assertion = SuperlativeAssertion(chosen(**base, **subject), chosen(**base, **(scope or {})), **claim)
    return check_superlative(assertion, context(rows, groups))


def roles(verdict: Verdict, role: str) -> list[str]:
    return [e.submitter for e in verdict.evidence if e.role == role]


# --- synthetic tables: one rule each ---


def test_top_of_everything_passes() -> None:
    verdict = top([row("CoreWeave", 90_000.0), row("Dell", 80_000.0)], {"submitters": ("coreweave",)})
    assert told(verdict) == ("pass", "top-of-all")
    assert "narrow-margin" not in codes(verdict)
    assert roles(verdict, "subject") == ["CoreWeave"]


def test_a_higher_result_inside_the_scope_fails_and_is_named() -> None:
    verdict = top([row("CoreWeave", 90_000.0), row("Dell", 91_000.0)], {"submitters": ("coreweave",)})
    assert told(verdict) == ("fail", "not-top")
    assert "Dell" in verdict.reason.message
    assert "91,000" in verdict.reason.message
    assert roles(verdict, "above") == ["Dell"]


def test_a_result_left_out_by_a_group_passes_with_the_scope_named() -> None:
    rows = [row("CoreWeave", 90_000.0), row("Dell", 91_000.0), row("Nebius", 80_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",)}, {"groups": ("cloud providers",)}, groups=CLOUDS)
    assert told(verdict) == ("pass", "top-in-scope")
    text = caveat(verdict, "self-defined-scope")
    assert "Dell" in text
    assert "cloud providers" in text
    assert "above 91,000 tokens/s" in text
    assert roles(verdict, "excluded") == ["Dell"]
    members = caveat(verdict, "group-membership")
    assert "Counted as cloud providers: CoreWeave; Nebius" in members
    assert "not counted: Dell" in members


def test_a_group_member_above_still_fails() -> None:
    rows = [row("CoreWeave", 90_000.0), row("Dell", 95_000.0), row("Nebius", 91_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",)}, {"groups": ("cloud providers",)}, groups=CLOUDS)
    assert told(verdict) == ("fail", "not-top")
    assert roles(verdict, "above") == ["Nebius"]


def test_the_bundled_group_states_its_date() -> None:
    rows = [row("CoreWeave", 90_000.0), row("Dell", 91_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",)}, {"groups": ("cloud-providers",)})
    assert told(verdict) == ("pass", "top-in-scope")
    assert "2026-" in caveat(verdict, "group-membership")


def test_hardware_in_the_scope_leaves_out_other_hardware() -> None:
    rows = [gb300("CoreWeave", 1_190_000.0), mi355x("Crusoe", 5_700_000.0, 512), gb300("Nebius", 1_100_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",)}, {"groups": ("nvidia-based",)})
    assert told(verdict) == ("pass", "top-in-scope")
    assert "Crusoe 5,700,000" in caveat(verdict, "self-defined-scope")


def test_unknown_group_is_unverifiable_unless_top_of_everything() -> None:
    rows = [row("CoreWeave", 90_000.0), row("Dell", 91_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",)}, {"groups": ("our friends",)})
    assert told(verdict) == ("unverifiable", "group-unknown")
    verdict = top([row("CoreWeave", 95_000.0), *rows[1:]], {"submitters": ("coreweave",)}, {"groups": ("our friends",)})
    assert told(verdict) == ("pass", "top-of-all")
    assert "group-unknown" in codes(verdict)


def test_subject_outside_its_own_scope() -> None:
    rows = [mi355x("Crusoe", 5_700_000.0, 512), gb300("Nebius", 1_100_000.0)]
    verdict = top(rows, {"submitters": ("crusoe",)}, {"groups": ("nvidia-based",)})
    assert told(verdict) == ("fail", "subject-outside-scope")
    verdict = top(
        rows, {"submitters": ("crusoe",)}, {"groups": ("cloud providers",)}, groups={"cloud providers": ("nebius",)}
    )
    assert told(verdict) == ("unverifiable", "subject-outside-scope")


def test_a_tie_at_the_top_passes_and_is_told() -> None:
    verdict = top([row("CoreWeave", 90_000.0), row("Dell", 90_000.0)], {"submitters": ("coreweave",)})
    assert verdict.outcome is Outcome.PASS
    assert "tie" in caveat(verdict, "narrow-margin").lower()
    assert "Dell" in caveat(verdict, "narrow-margin")


@pytest.mark.parametrize(("second", "narrow"), [(89_500.0, True), (89_200.0, True), (88_000.0, False)])
def test_margins_below_one_percent_are_told(second: float, narrow: bool) -> None:
    verdict = top([row("CoreWeave", 90_000.0), row("Dell", second)], {"submitters": ("coreweave",)})
    assert ("narrow-margin" in codes(verdict)) is narrow


def test_own_other_results_do_not_dethrone_a_submitter() -> None:
    rows = [row("CoreWeave", 90_000.0), gb300("CoreWeave", 1_190_000.0), row("Dell", 80_000.0)]
    assert told(top(rows, {"submitters": ("coreweave",)})) == ("pass", "top-of-all")


def test_own_higher_result_of_other_hardware_dethrones_a_product() -> None:
    rows = [row("CoreWeave", 90_000.0), gb300("CoreWeave", 1_190_000.0), row("Dell", 80_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",), "hardware": ("hgx-b200",)})
    assert told(verdict) == ("fail", "not-top")


def test_a_default_availability_does_not_disown_a_preview_result() -> None:
    rows = [
        row("CoreWeave", 90_000.0),
        row("CoreWeave", 95_000.0, availability="preview", system="x"),
        row("Dell", 80_000.0),
    ]
    verdict = top(rows, {"submitters": ("coreweave",), "availability": "available"})
    assert told(verdict) == ("pass", "top-of-all")


def test_products_claimed_together_are_each_ranked_in_their_class() -> None:
    b300 = {"accelerator": "NVIDIA B300-SXM-270GB", "system": "8x B300", "platform": "b300"}
    rows = [
        row("CoreWeave", 91_000.0),
        row("Nebius", 88_000.0),
        row("CoreWeave", 112_000.0, **b300),
        row("Nebius", 108_000.0, **b300),
    ]
    claim = {"submitters": ("coreweave",), "hardware": ("hgx-b200",)}
    scope = {"hardware": ("hgx",), "groups": ("cloud providers",)}
    verdict = top(rows, claim, scope, groups=CLOUDS)
    assert told(verdict) == ("fail", "not-top")
    verdict = top(rows, claim, scope, groups=CLOUDS, siblings=("hgx-b300",))
    assert told(verdict) == ("pass", "top-in-scope")
    assert "scope-class-assumed" in codes(verdict)


def test_per_accelerator_is_derived_and_skips_what_cannot_be_divided() -> None:
    rows = [
        gb300("CoreWeave", 1_197_710.0),
        gb300("Nebius", 132_236.0, 8),
        row("Dell_MangoBoost", 285_454.0, accelerators=32, heterogeneous=True, accelerator="MI300X and MI355X"),
        row("Intel", 900_000.0, accelerator="", accelerators=0),
    ]
    verdict = top(rows, {"submitters": ("coreweave",)}, per=Per.ACCELERATOR)
    assert told(verdict) == ("pass", "top-of-all")
    assert {"derived-metric", "narrow-margin", "not-ranked"} <= codes(verdict)
    assert verdict.computed is not None
    assert verdict.computed.value == pytest.approx(16_634.861, abs=0.001)
    assert verdict.computed.unit == "tokens/s/accelerator"
    assert "÷ 72 accelerators" in verdict.computed.formula
    assert verdict.evidence[0].derived == pytest.approx(16_634.861, abs=0.001)


def test_unstated_metric_takes_the_total_and_tells_the_other() -> None:
    rows = [gb300("CoreWeave", 1_100_000.0), gb300("Oracle", 140_000.0, 8)]
    verdict = top(rows, {"submitters": ("coreweave",)}, per=None)
    assert told(verdict) == ("pass", "top-of-all")
    assert "Oracle" in caveat(verdict, "metric-assumed")
    verdict = top(rows, {"submitters": ("oracle",)}, per=None)
    assert told(verdict) == ("unverifiable", "ambiguous")
    assert [r.outcome.value for r in verdict.readings] == ["fail", "pass"]


def test_a_figure_decides_which_metric_is_meant() -> None:
    rows = [gb300("CoreWeave", 1_100_000.0), gb300("Oracle", 140_000.0, 8)]
    verdict = top(rows, {"submitters": ("oracle",)}, per=None, amount=amount("17,500"))
    assert told(verdict) == ("pass", "top-of-all")
    assert "metric-assumed" in codes(verdict)


def test_a_preview_result_on_top() -> None:
    rows = [row("CoreWeave", 90_000.0), row("NVIDIA", 99_000.0, availability="preview")]
    verdict = top(rows, {"submitters": ("coreweave",)})
    assert told(verdict) == ("fail", "not-top")
    assert "would hold" in caveat(verdict, "rests-on-preview")
    verdict = top(rows, {"submitters": ("nvidia",)})
    assert told(verdict) == ("pass", "top-of-all")
    assert "CoreWeave" in caveat(verdict, "rests-on-preview")
    verdict = top(rows, {"submitters": ("coreweave",)}, {"availability": "available"})
    assert told(verdict) == ("pass", "top-in-scope")
    assert "Preview" in caveat(verdict, "self-defined-scope")


def test_a_default_availability_is_no_scope() -> None:
    """Defaults restrict the subject only: a Preview result above still counts."""
    rows = [row("CoreWeave", 90_000.0), row("NVIDIA", 99_000.0, availability="preview")]
    verdict = top(rows, {"submitters": ("coreweave",), "availability": "available"})
    assert told(verdict) == ("fail", "not-top")


def test_higher_open_results_are_told() -> None:
    rows = [row("CoreWeave", 90_000.0), row("Krai", 99_000.0, division="open")]
    verdict = top(rows, {"submitters": ("coreweave",)})
    assert told(verdict) == ("pass", "top-of-all")
    assert "99,000" in caveat(verdict, "open-division")


def test_one_run_under_two_variants_counts_once() -> None:
    variants = ("llama2-70b-99", "llama2-70b-99.9")
    rows = [row("Dell", 99_000.0, model=m) for m in variants]
    rows += [row("CoreWeave", 90_000.0, model=m) for m in variants]
    verdict = top(rows, {"submitters": ("coreweave",)}, rank=2, base={"models": variants})
    assert verdict.outcome is Outcome.PASS
    assert "second" in verdict.reason.message


def test_top_n_and_exact_places() -> None:
    rows = [row("Dell", 99_000.0), row("HPE", 98_000.0), row("CoreWeave", 90_000.0), row("Cisco", 80_000.0)]
    subject = {"submitters": ("coreweave",)}
    assert told(top(rows, subject, rank=3)) == ("pass", "top-of-all")
    assert told(top(rows, subject, rank=2)) == ("fail", "not-top")
    assert told(top(rows, subject, rank=3, exact_rank=True)) == ("pass", "top-of-all")
    assert told(top(rows, subject, rank=2, exact_rank=True)) == ("fail", "not-top")
    assert told(top(rows, {"submitters": ("dell",)}, rank=2, exact_rank=True)) == ("fail", "not-top")


def test_an_exact_place_is_a_place_in_the_scope() -> None:
    rows = [row("Dell", 99_000.0), row("CoreWeave", 90_000.0), row("Nebius", 80_000.0)]
    scope = {"groups": ("cloud providers",)}
    verdict = top(rows, {"submitters": ("coreweave",)}, scope, groups=CLOUDS, rank=2, exact_rank=True)
    assert verdict.outcome is Outcome.FAIL
    verdict = top(rows, {"submitters": ("nebius",)}, scope, groups=CLOUDS, rank=2, exact_rank=True)
    assert told(verdict) == ("pass", "top-in-scope")


def test_a_place_among_submitters_only_is_ambiguous() -> None:
    rows = [row("Dell", 99_000.0), row("Dell", 98_000.0, system="other", platform="other"), row("CoreWeave", 90_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",)}, rank=2)
    assert told(verdict) == ("unverifiable", "ambiguous")
    assert len(verdict.readings) == 2


def test_latency_is_better_when_lower() -> None:
    base = {"scenarios": ("SingleStream",), "suite": "edge", "models": ("resnet",)}
    rows = [
        row(s, v, unit="ms", scenario="SingleStream", suite="edge", model="resnet")
        for s, v in (("NVIDIA", 0.3), ("Krai", 0.5))
    ]
    assert told(top(rows, {"submitters": ("nvidia",)}, base=base)) == ("pass", "top-of-all")
    assert told(top(rows, {"submitters": ("nvidia",)}, base=base, lowest=True)) == ("pass", "top-of-all")
    assert told(top(rows, {"submitters": ("krai",)}, base=base, lowest=True)) == ("fail", "not-top")


def test_lowest_latency_of_a_throughput_result_is_not_published() -> None:
    rows = [row("CoreWeave", 90_000.0), row("Dell", 91_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",)}, lowest=True)
    assert told(verdict) == ("unverifiable", "quantity-not-published")
    verdict = top(rows, {"submitters": ("coreweave",)}, lowest=True, unit="ms")
    assert told(verdict) == ("unverifiable", "quantity-not-published")


def test_the_wrong_unit_fails() -> None:
    verdict = top([row("CoreWeave", 90_000.0)], {"submitters": ("coreweave",)}, unit="queries/s")
    assert told(verdict) == ("fail", "wrong-unit")


def test_an_unstated_scenario_must_hold_in_each() -> None:
    rows = [row("CoreWeave", 90_000.0), row("Dell", 80_000.0)]
    rows += [row("CoreWeave", 70_000.0, scenario="Server"), row("Dell", 60_000.0, scenario="Server")]
    base = {"scenarios": ()}
    verdict = top(rows, {"submitters": ("coreweave",)}, base=base)
    assert verdict.outcome is Outcome.PASS
    assert "reading-assumed" in codes(verdict)
    rows[3] = replace(rows[3], value=71_000.0)
    verdict = top(rows, {"submitters": ("coreweave",)}, base=base)
    assert told(verdict) == ("unverifiable", "ambiguous")
    assert "scenario" in verdict.reason.message


def test_joint_entries_belong_to_each_party_and_are_told() -> None:
    rows = [row("Dell_MangoBoost", 99_000.0), row("Dell", 90_000.0), row("HPE", 95_000.0)]
    verdict = top(rows, {"submitters": ("dell",)})
    assert told(verdict) == ("pass", "top-of-all")
    assert "second" in caveat(verdict, "joint-entry")


def test_a_figure_is_checked_as_well() -> None:
    rows = [row("CoreWeave", 90_123.0), row("Dell", 80_000.0)]
    subject = {"submitters": ("coreweave",)}
    assert told(top(rows, subject, amount=amount("90,123"))) == ("pass", "top-of-all")
    assert told(top(rows, subject, amount=amount("90,000", Relation.OVER))) == ("pass", "top-of-all")
    verdict = top(rows, subject, amount=amount("91,000"))
    assert told(verdict) == ("fail", "value-differs")
    assert "90,123" in verdict.reason.message


def test_a_record_without_a_subject_is_its_figure() -> None:
    rows = [row("CoreWeave", 90_123.0), row("Dell", 80_000.0)]
    assert told(top(rows, {}, amount=amount("90,123"))) == ("pass", "top-of-all")
    assert told(top(rows, {}, amount=amount("80,000"))) == ("fail", "value-differs")
    assert told(top(rows, {})) == ("unverifiable", "subject-not-stated")


def test_hardware_alone_may_be_the_subject() -> None:
    rows = [gb300("CoreWeave", 1_190_000.0), row("Dell", 80_000.0)]
    assert told(top(rows, {"hardware": ("gb300-nvl72",)})) == ("pass", "top-of-all")
    assert told(top(rows, {"hardware": ("b200",)})) == ("fail", "not-top")


def test_a_record_reaches_back_over_the_rounds_held() -> None:
    rows = [
        row("CoreWeave", 90_000.0, model="llama2-70b-99.9"),
        row("Dell", 95_000.0, model="llama2-70b-99.9", round="inference-v6.0"),
    ]
    base = {"models": ("llama2-70b-99.9",)}
    assert told(top(rows, {"submitters": ("coreweave",)}, base=base)) == ("pass", "top-of-all")
    verdict = top(rows, {"submitters": ("coreweave",)}, base=base, historical=True)
    assert told(verdict) == ("fail", "not-top")
    assert "6.0" in verdict.reason.message
    assert "rounds-held" in codes(verdict)
    assert "comparability-unknown" in codes(verdict)
    rows[1] = replace(rows[1], model="whisper")
    verdict = top(rows, {"submitters": ("coreweave",)}, base=base, historical=True)
    assert told(verdict) == ("pass", "top-of-all")
    assert "comparability-unknown" not in codes(verdict)


def test_a_name_without_results_is_diagnosed() -> None:
    rows = [row("CoreWeave", 90_000.0), row("Dell", 80_000.0, scenario="Server")]
    assert top(rows, {"submitters": ("dell",)}).outcome is Outcome.FAIL
    assert top(rows, {"submitters": ("nebius",)}).outcome is Outcome.UNVERIFIABLE


def test_what_a_ranking_needs() -> None:
    rows = [row("CoreWeave", 90_000.0)]
    assert told(top(rows, {"submitters": ("coreweave",)}, base={"rounds": ()})) == ("unverifiable", "round-not-stated")
    assert told(top(rows, {"submitters": ("coreweave",)}, base={"models": ()})) == ("unverifiable", "model-not-stated")


def test_evidence_is_capped_and_counts_are_honest() -> None:
    rows = [row("CoreWeave", 1.0)] + [row("Dell", 100.0 + n, system=f"s{n}", platform=f"p{n}") for n in range(40)]
    verdict = top(rows, {"submitters": ("coreweave",)})
    assert len(verdict.evidence) <= 12
    assert "and 37 more" in verdict.reason.message
    assert "41st" in verdict.reason.message


# --- only, first ---


def test_only_with_a_threshold() -> None:
    rows = [gb300("CoreWeave", 1_100_000.0), gb300("Oracle", 130_000.0, 8), row("Dell", 90_000.0)]
    claim: dict[str, Any] = {"kind": SuperlativeKind.ONLY, "threshold": amount("1,000,000", Relation.OVER)}
    verdict = top(rows, {"submitters": ("coreweave",)}, {"hardware": ("gb300",)}, **claim)
    assert told(verdict) == ("pass", "only-one")
    rows.append(mi355x("AMD", 1_040_000.0, 72))
    verdict = top(rows, {"submitters": ("coreweave",)}, {"hardware": ("gb300",)}, **claim)
    assert told(verdict) == ("pass", "only-in-scope")
    assert "AMD" in caveat(verdict, "self-defined-scope")
    verdict = top(rows, {"submitters": ("coreweave",)}, **claim)
    assert told(verdict) == ("fail", "not-only")
    assert roles(verdict, "above") == ["AMD"]
    verdict = top(rows, {"submitters": ("oracle",)}, **claim)
    assert told(verdict) == ("fail", "threshold-not-reached")


def test_only_submitter_with_such_hardware() -> None:
    rows = [gb300("CoreWeave", 1_100_000.0), mi355x("AMD", 1_040_000.0, 72), row("Dell", 90_000.0)]
    verdict = top(rows, {"submitters": ("coreweave",)}, {"hardware": ("gb300",)}, kind=SuperlativeKind.ONLY)
    assert told(verdict) == ("pass", "only-one")
    rows.append(gb300("NVIDIA", 130_000.0, 8))
    verdict = top(rows, {"submitters": ("coreweave",)}, {"hardware": ("gb300",)}, kind=SuperlativeKind.ONLY)
    assert told(verdict) == ("fail", "not-only")
    scope = {"hardware": ("gb300",), "groups": ("cloud providers",)}
    verdict = top(rows, {"submitters": ("coreweave",)}, scope, kind=SuperlativeKind.ONLY, groups=CLOUDS)
    assert told(verdict) == ("pass", "only-in-scope")
    verdict = top(
        rows, {"submitters": ("coreweave",)}, {**scope, "groups": ("our friends",)}, kind=SuperlativeKind.ONLY
    )
    assert told(verdict) == ("unverifiable", "group-unknown")


def test_first_searches_the_earlier_rounds() -> None:
    now = {"model": "llama2-70b-99.9"}
    rows = [gb300("CoreWeave", 1_100_000.0, **now), row("Dell", 90_000.0, round="inference-v6.0", **now)]
    claim: dict[str, Any] = {
        "kind": SuperlativeKind.FIRST,
        "threshold": amount("1,000,000", Relation.OVER),
        "base": {"models": ("llama2-70b-99.9",)},
    }
    verdict = top(rows, {"submitters": ("coreweave",)}, **claim)
    assert told(verdict) == ("pass", "first-held")
    assert "rounds-held" in codes(verdict)
    beside = [*rows, mi355x("AMD", 1_040_000.0, 72, **now)]
    assert told(top(beside, {"submitters": ("coreweave",)}, **claim)) == ("unverifiable", "same-round")
    before = [*rows, mi355x("AMD", 1_040_000.0, 72, round="inference-v6.0", **now)]
    verdict = top(before, {"submitters": ("coreweave",)}, **claim)
    assert told(verdict) == ("fail", "not-first")
    assert "AMD" in verdict.reason.message
    verdict = top([rows[0]], {"submitters": ("coreweave",)}, **claim)
    assert told(verdict) == ("unverifiable", "round-not-held")


# --- claims on the published rounds: figures are the rounds' own, wordings ours ---

GPT = ("gpt-oss-120b",)
LLAMA = ("llama2-70b-99", "llama2-70b-99.9")
QWEN = ("qwen3-vl-235b-a22b",)
R1 = ("deepseek-r1",)
DEFAULTS: dict[str, Any] = {
    "suite": "datacenter",
    "division": "closed",
    "availability": "available",
    "submitters": ("coreweave",),
}


def claim(
    models: tuple[str, ...], scenario: str, subject: dict[str, Any], scope: dict[str, Any], **more: Any
) -> Verdict:
    what: dict[str, Any] = {"rounds": (ROUND,), "models": models, "scenarios": (scenario,)}
    assertion = SuperlativeAssertion(Selection(**{**DEFAULTS, **what, **subject}), Selection(**what, **scope), **more)
    return check_superlative(assertion, bundled(CLOUDS))


HGX: dict[str, Any] = {"hardware": ("hgx",), "groups": ("cloud providers",)}
RECORDS: dict[str, tuple[tuple[str, ...], dict[str, Any], dict[str, Any], dict[str, Any], str, set[str]]] = {
    "per-accelerator": (
        GPT,
        {},
        {},
        {"per": Per.ACCELERATOR, "any_hardware": True},
        "top-of-all",
        {"narrow-margin", "derived-metric"},
    ),
    "nvidia-total": (
        GPT,
        {},
        {"groups": ("nvidia-based",)},
        {"per": Per.SYSTEM},
        "top-in-scope",
        {"self-defined-scope"},
    ),
    "gb200-racks": (
        GPT,
        {"hardware": ("gb200-nvl72",)},
        {"hardware": ("gb200",), "groups": ("rack-scale",)},
        {"per": Per.SYSTEM},
        "top-in-scope",
        {"self-defined-scope"},
    ),
    "hgx-b200": (
        GPT,
        {"hardware": ("hgx-b200",)},
        HGX,
        {"siblings": ("hgx-b300",)},
        "top-in-scope",
        {"self-defined-scope", "scope-class-assumed", "group-membership"},
    ),
    "hgx-b300": (
        GPT,
        {"hardware": ("hgx-b300",)},
        HGX,
        {"siblings": ("hgx-b200",)},
        "top-in-scope",
        {"self-defined-scope", "group-membership"},
    ),
    "llama": (
        LLAMA,
        {"hardware": ("gb300-nvl72",)},
        {"hardware": ("gb300-nvl72",), "groups": ("cloud providers",)},
        {},
        "top-of-all",
        {"metric-assumed"},
    ),
}


@pytest.mark.parametrize("scenario", ["Offline", "Server"])
@pytest.mark.parametrize("name", RECORDS)
def test_true_records_of_the_round(name: str, scenario: str) -> None:
    models, subject, scope, more, code, caveats = RECORDS[name]
    verdict = claim(models, scenario, subject, scope, **more)
    assert told(verdict) == ("pass", code)
    assert caveats <= codes(verdict)


@pytest.mark.parametrize(("scenario", "figure"), [("Offline", "114,569"), ("Server", "113,685")])
def test_hgx_b300_names_what_its_scope_leaves_out(scenario: str, figure: str) -> None:
    scope = {"hardware": ("hgx",), "groups": ("cloud providers",)}
    text = caveat(claim(GPT, scenario, {"hardware": ("hgx-b300",)}, scope), "self-defined-scope")
    assert f"HPE {figure} tokens/s" in text


def test_vlm_among_cloud_providers() -> None:
    verdict = claim(QWEN, "Server", {}, {"groups": ("cloud providers",)})
    assert told(verdict) == ("pass", "top-in-scope")
    text = caveat(verdict, "self-defined-scope")
    assert "1,210.49" in text
    assert "2,323.27" in text
    assert "Preview" in text


def test_only_gb300_result_of_a_cloud_provider_above_a_million() -> None:
    scope = {"hardware": ("gb300",), "groups": ("cloud providers",)}
    threshold = amount("1 million".replace(" million", "000000"), Relation.OVER)
    verdict = claim(LLAMA, "Offline", {}, scope, kind=SuperlativeKind.ONLY, threshold=threshold)
    assert told(verdict) == ("pass", "only-one")


def test_not_the_highest_per_accelerator() -> None:
    verdict = claim(R1, "Server", {}, {}, per=Per.ACCELERATOR)
    assert told(verdict) == ("fail", "not-top")
    assert "Nebius 16,426.9" in verdict.reason.message
    assert roles(verdict, "above")[:2] == ["Nebius", "NVIDIA"]


@pytest.mark.parametrize("lowest", [False, True])
def test_a_round_that_is_not_held(lowest: bool) -> None:
    what: dict[str, Any] = {"rounds": ("endpoints-v0.7",), "models": R1}
    assertion = SuperlativeAssertion(
        Selection(submitters=("coreweave",), **what), Selection(**what), per=Per.ACCELERATOR, lowest=lowest
    )
    assert check_superlative(assertion, bundled()).outcome is Outcome.UNVERIFIABLE


@pytest.mark.parametrize(("authority", "expected"), [("mlcommons", "pass"), ("reported", "fail")])
def test_an_officially_withdrawn_result_leaves_the_ranking(authority: str, expected: str) -> None:
    rows = [row("CoreWeave", 90_000.0), row("Dell", 91_000.0, result_id="6.1-0001")]
    gone = Corrections([Correction("6.1-0001", "withdrawn", authority, "2026-10-01", "withdrawn", "change log")])
    subject = chosen(submitters=("coreweave",))
    verdict = check_superlative(SuperlativeAssertion(subject, chosen(), per=Per.SYSTEM), context(rows, None, gone))
    assert verdict.outcome.value == expected
    subject = chosen(submitters=("dell",))
    verdict = check_superlative(SuperlativeAssertion(subject, chosen(), per=Per.SYSTEM), context(rows, None, gone))
    assert verdict.reason.code == ("result-withdrawn" if authority == "mlcommons" else "top-of-all")
