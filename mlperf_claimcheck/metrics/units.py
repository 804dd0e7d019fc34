"""Units of one kind and their sizes, and how numbers are written in sentences and formulas."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

_SIZES: tuple[dict[str, Decimal], ...] = (
    {
        "us": Decimal("0.000001"),
        "ms": Decimal("0.001"),
        "s": Decimal(1),
        "min": Decimal(60),
        "h": Decimal(3600),
    },
    {"W": Decimal(1), "kW": Decimal(1000), "MW": Decimal(1000000)},
    {"mJ": Decimal("0.001"), "J": Decimal(1), "kWh": Decimal(3600000)},
)


def factor(source: str, target: str) -> Decimal | None:
    """What a figure in `source` is multiplied by to be in `target`; None for units of different kinds."""
    if source == target:
        return Decimal(1)
    for sizes in _SIZES:
        if source in sizes and target in sizes:
            return sizes[source] / sizes[target]
    return None


def is_time(unit: str | None) -> bool:
    """Whether a unit measures time."""
    return unit in _SIZES[0]


def is_power(unit: str | None) -> bool:
    """Whether a unit measures power or energy."""
    return unit in _SIZES[1] or unit in _SIZES[2]


def lower_is_better(unit: str | None) -> bool:
    """Whether the better result is the smaller one: times, power and energy."""
    return is_time(unit) or is_power(unit)


@lru_cache(maxsize=4096)
def written(value: Decimal | float | int, digits: int = 6) -> str:
    """A number for a sentence: thousands separated, at least six significant digits, no trailing zeros."""
    number = value if isinstance(value, Decimal) else Decimal(repr(value))
    if not number.is_finite():
        return str(number)
    if number == 0:
        return "0"
    places = max(0, digits - 1 - number.adjusted())
    if number.adjusted() >= 3:
        places = max(places, 2)
    text = f"{round(number, places):,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
