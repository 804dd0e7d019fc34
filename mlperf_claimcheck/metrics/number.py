"""Numbers as they are printed in a claim: a value, and the precision that its digits claim."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class Relation(StrEnum):
    """How a claim relates its number to the published value (semantics: numbers, relations)."""

    EQUAL = "eq"
    OVER = "gt"
    AT_LEAST = "ge"
    UNDER = "lt"
    AT_MOST = "le"
    UP_TO = "max"
    """The largest selected value equals the number."""
    NEARLY = "nearly"
    """Below the number, and within 5% of it."""
    ABOUT = "about"
    """Within 5% (or an explicit tolerance) of the number."""
    BETWEEN = "between"


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number with its printed precision, scaled to the unit (`1.16 million` = 1,160,000 ± 5,000)."""

    value: Decimal
    quantum: Decimal
    """The worth of the last printed digit: 1 for `16,635`, 10000 for `1.16 million`, 0.1 for `2.7`."""
    text: str
    """As it stands in the claim."""
