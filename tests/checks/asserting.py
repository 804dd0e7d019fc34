"""Hand-built assertions against the bundled results."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any

from mlperf_claimcheck.checks.interface import CheckContext
from mlperf_claimcheck.claims.assertion import Amount, Per, Selection, ValueAssertion
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation
from mlperf_claimcheck.verdicts.model import Verdict

MODELS = {
    "oss": ("gpt-oss-120b",),
    "r1": ("deepseek-r1",),
    "vlm": ("qwen3-vl-235b-a22b",),
    "llama": ("llama2-70b-99", "llama2-70b-99.9"),
}


@cache
def bundled_context() -> CheckContext:
    from mlperf_claimcheck.results.corrections import Corrections
    from mlperf_claimcheck.results.load import load_results
    from mlperf_claimcheck.vocabulary import load_vocabulary

    return CheckContext(load_results(use_cache=False), load_vocabulary(), Corrections.load())


def printed(text: str) -> PrintedNumber:
    """`53.4k`, `1.16M`, `19.8`, `16,635` with the precision of the digits."""
    scale = {"k": 3, "M": 6}.get(text[-1], 0)
    digits = Decimal(text.rstrip("kM").replace(",", ""))
    exponent = digits.as_tuple().exponent
    assert isinstance(exponent, int)
    return PrintedNumber(digits.scaleb(scale), Decimal(1).scaleb(min(exponent, 0) + scale), text)


def amount(text: str, relation: Relation = Relation.EQUAL, **more: Any) -> Amount:
    return Amount(printed(text), relation, **more)


def chosen(version: str | None, model: str | None = None, scenario: str | None = None, **more: Any) -> Selection:
    """A selection; names of hardware and submitters are looked up."""
    vocabulary = bundled_context().vocabulary
    if version is not None:
        more["rounds"] = (f"inference-v{version}",)
    if model is not None:
        found = MODELS.get(model)
        if found is None:
            known = vocabulary.find_model(model)
            assert known is not None, model
            found = known.ids
        more["models"] = found
    if scenario is not None:
        more["scenarios"] = (scenario,)
    for slot, find in (("hardware", vocabulary.find_hardware), ("submitters", vocabulary.find_submitter)):
        if isinstance(more.get(slot), str):
            item = find(more[slot])
            assert item is not None, more[slot]
            more[slot] = (item.id,)
    if isinstance(more.get("result_ids"), str):
        more["result_ids"] = (more["result_ids"],)
    more.setdefault("stated", frozenset(more))
    return Selection(**more)


def value(
    selection: Selection,
    text: str,
    unit: str | None = "tokens/s",
    per: Per = Per.SYSTEM,
    relation: Relation = Relation.EQUAL,
    **more: Any,
) -> ValueAssertion:
    return ValueAssertion(selection, amount(text, relation, **more), unit, per, per is not Per.SYSTEM)


def codes(verdict: Verdict) -> set[str]:
    return {c.code for c in verdict.caveats}


def told(verdict: Verdict) -> tuple[str, str]:
    return verdict.outcome.value, verdict.reason.code
