"""A calculation that the claim writes out itself: "441,740 tokens/s on 68 GPUs is 6,496 tokens/s/GPU".

It is checked without results: inconsistent fails, consistent stays unverifiable, since the figures are not proven.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from mlperf_claimcheck.checks.quantity import claimed_of, meets
from mlperf_claimcheck.claims.assertion import Amount, ArithmeticAssertion, Term
from mlperf_claimcheck.metrics.interval import HUNDRED, ONE, Interval
from mlperf_claimcheck.metrics.number import Relation
from mlperf_claimcheck.metrics.units import written
from mlperf_claimcheck.verdicts.model import Computed, Outcome, Reason, Verdict

if TYPE_CHECKING:
    from mlperf_claimcheck.checks.interface import CheckContext

_COUNTS = ("accelerator", "node", "gpu", "rack", "system")
_VAGUE = {Relation.ABOUT, Relation.NEARLY}
_ABOVE = {Relation.OVER, Relation.AT_LEAST}
_BELOW = {Relation.UNDER, Relation.AT_MOST, Relation.UP_TO}


def check_arithmetic(assertion: ArithmeticAssertion, context: CheckContext) -> Verdict:
    """Whether the claim's own figures fit together, within their printed precision."""
    left, right = _interval(assertion.left, context), _interval(assertion.right, context)
    shown = assertion.operator
    try:
        outcome = left * right if assertion.operator in ("×", "*", "x") else left / right
    except ZeroDivisionError:
        message = "The claim's calculation divides by zero."
        return Verdict(Outcome.FAIL, Reason("arithmetic-wrong", message))
    unit = assertion.result.unit
    if assertion.share:
        outcome = outcome * HUNDRED
    elif assertion.gain:
        outcome = (outcome - ONE) * HUNDRED
    formula = f"{_term(assertion.left)} {shown} {_term(assertion.right)}"
    amount = Amount(assertion.result.number, assertion.result.relation)
    fits = meets(amount, outcome, context).holds or _covers(assertion, outcome)
    found = f"{formula} = {written(outcome.value)} {unit}".strip()
    said = f"{assertion.result.number.text} {unit}".strip()
    if fits:
        reason = Reason("arithmetic-consistent", f"The claim's own figures fit together: {found}.")
        verdict = Outcome.UNVERIFIABLE
    else:
        reason = Reason("arithmetic-wrong", f"The claim's own figures do not fit together: {found}, not {said}.")
        verdict = Outcome.FAIL
    return Verdict(
        verdict, reason, claimed=claimed_of(amount, unit), computed=Computed(float(outcome.value), unit, formula)
    )


def _term(term: Term) -> str:
    return f"{written(term.number.value)} {term.unit}".strip()


def _interval(term: Term, context: CheckContext) -> Interval:
    value, quantum = term.number.value, term.number.quantum
    if term.relation in _VAGUE:
        return Interval.around(value, max(abs(value) * Decimal(str(context.tolerance)), quantum / 2))
    if term.relation is Relation.EQUAL and value == value.to_integral_value() and quantum == 1 and _is_count(term.unit):
        return Interval.exact(value)
    return Interval.around(value, quantum / 2)


def _is_count(unit: str) -> bool:
    return unit.lower().startswith(_COUNTS)


def _covers(assertion: ArithmeticAssertion, outcome: Interval) -> bool:
    """A bound on an operand bounds the result: "over 1.16 million on 72" is more than what 1.16 million gives."""
    n, loose = assertion.result.number.value, Decimal("0.2") * abs(outcome.value)
    relation = assertion.left.relation
    if relation in _ABOVE:
        return outcome.low <= n <= outcome.value + loose
    if relation in _BELOW:
        return outcome.value - loose <= n <= outcome.high
    return False
