"""Suggested wording: for a claim that holds, its own words with all that the messaging guidelines ask for; for one
that does not, the same words with the true figure.

A corrected wording is only ever a proposal: who offers it must check it again, and show it only where it passes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.stretch import Stretch, StretchReader
from mlperf_claimcheck.messaging.footnote import footnote_for
from mlperf_claimcheck.verdicts.model import Evidence, Outcome, Suggestion, Verdict
from mlperf_claimcheck.verdicts.text import clean

if TYPE_CHECKING:
    from mlperf_claimcheck.claims.reader.compose import Item
    from mlperf_claimcheck.vocabulary import Vocabulary

MAX_ROWS = 6
"""Rows that a footnote cites; a claim that rests on more gets none."""
_CITED = ("subject", "baseline")
_FIGURES = ("value", "ratio", "percent", "number", "count", "counted")
_BARE_MARK = re.compile(r"MLPerf(?!\s*[®™])", re.IGNORECASE)
_DOWN = frozenset({"gt", "ge"})
_UP = frozenset({"lt", "le", "nearly"})


def compliant(verdict: Verdict, text: str, retrieved: date | str, vocabulary: Vocabulary) -> Suggestion | None:
    """The sentence of a passed claim with the facts that the guidelines want in the text, and its footnote.

    None for a claim without words, and for one that rests on no single rows (counts, coverage).
    """
    rows = list(dict.fromkeys(_cited(verdict)))
    if verdict.outcome is not Outcome.PASS or not text.strip() or not 1 <= len(rows) <= MAX_ROWS:
        return None
    derived = _derived(verdict)
    facts = [_facts(row, vocabulary) for row in rows]
    stated = " against ".join(facts) if len(facts) == 2 and rows[1].role == "baseline" else "; ".join(facts)
    stated += "; unverified, derived from published results" if derived else ""
    words = _BARE_MARK.sub("MLPerf®", text.strip())
    words = words.rstrip(".。") if words.endswith((".", "。")) else words
    formulas = dict.fromkeys(v.computed.formula for v in _leaves(verdict) if v.computed is not None)
    footnote = footnote_for(rows, retrieved, derived, basis=" and ".join(formulas))
    return Suggestion(clean_sentence(f"{words} ({stated})."), footnote)


def corrected(verdict: Verdict, text: str, reader: StretchReader) -> str | None:
    """The words of a failed claim with the true figures, rounded as the claim's own are printed; None where it is not
    a figure that is wrong, or where it is not one row that gives the true one."""
    wrong = [leaf for leaf in _leaves(verdict) if leaf.outcome is Outcome.FAIL]
    if verdict.outcome is not Outcome.FAIL or not wrong or not text.strip():
        return None
    for leaf in wrong:
        new = _with_true_figure(leaf, text, reader)
        if new is None:
            return None
        text = new
    return text


def clean_sentence(text: str) -> str:
    """One line without characters that act; names in it come from strangers."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _leaves(verdict: Verdict) -> Iterator[Verdict]:
    if not verdict.parts:
        yield verdict
    for part in verdict.parts:
        yield from _leaves(part)


def _cited(verdict: Verdict) -> Iterator[Evidence]:
    for leaf in _leaves(verdict):
        yield from (e for role in _CITED for e in leaf.evidence if e.role == role)


def _derived(verdict: Verdict) -> bool:
    leaves = list(_leaves(verdict))
    return any(c.code == "derived-metric" for v in (verdict, *leaves) for c in v.caveats) or any(
        e.derived is not None for e in _cited(verdict)
    )


def _facts(row: Evidence, vocabulary: Vocabulary) -> str:
    suite, _, version = row.round.partition("-v")
    availability = row.availability.upper() if row.availability == "rdi" else row.availability.capitalize()
    count = "" if row.accelerators is None else f", {row.accelerators} accelerators"
    return (
        f"MLPerf® {suite.capitalize()} v{version} {row.division.capitalize()}, {availability}: "
        f"{vocabulary.model_display(row.model)} {row.scenario}, {clean(row.submitter)}, {clean(row.system)}{count}"
    )


def _with_true_figure(leaf: Verdict, text: str, reader: StretchReader) -> str | None:
    claimed, computed = leaf.claimed, leaf.computed
    if claimed is None or computed is None or claimed.value is None or computed.value is None:
        return None
    if claimed.unit != computed.unit or claimed.relation == "between" or computed.value < 0:
        return None
    subjects = {e.location or e.system for e in leaf.evidence if e.role != "baseline"}
    if len(subjects) != 1:
        return None  # Of several rows, or counting rules, nobody can tell whose figure is meant.
    stretch = reader.read(text)
    if stretch.text != text:
        # Places in the folded text are not those of the words; a figure there cannot be replaced safely.
        return None
    found = [i for i in stretch.of(*_FIGURES) if _stands_for(i, claimed.value)]
    if len(found) != 1:
        return None
    token = _number_token(stretch, found[0])
    if token is None:
        return None
    printed = stretch.tokens[token]
    if printed.number is None or printed.quantum is None or not printed.number:
        return None
    factor = claimed.value / float(printed.number)
    new = _rounded(computed.value / factor, float(printed.quantum), claimed.relation)
    if new <= 0:
        return None
    decimals = max(0, -int(printed.quantum.as_tuple().exponent))
    shown = f"{new:,.{decimals}f}" if "," in printed.text or new >= 10_000 else f"{new:.{decimals}f}"
    return text[: printed.start] + shown + text[printed.end :]


def _stands_for(item: Item, value: float) -> bool:
    if item.amount is not None:
        return math.isclose(float(item.amount.number.value), value, rel_tol=1e-12)
    return item.count is not None and item.count == value


def _number_token(stretch: Stretch, item: Item) -> int | None:
    numbers = [n for n in range(item.first, item.last + 1) if stretch.tokens[n].number is not None]
    return numbers[0] if len(numbers) == 1 else None


def _rounded(value: float, quantum: float, relation: str) -> float:
    steps = value / quantum
    if relation in _DOWN:
        down = math.floor(steps)
        # "over" is strictly above.
        return (down - 1 if relation == "gt" and down == steps else down) * quantum
    if relation in _UP:
        up = math.ceil(steps)
        return (up + 1 if relation in ("lt", "nearly") and up == steps else up) * quantum
    return math.floor(steps + 0.5) * quantum
