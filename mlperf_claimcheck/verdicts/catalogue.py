"""The catalogue of reason and caveat codes: what each means, with an example and where the rule is laid down.

`explain CODE`, the help texts of SARIF rules, the HTML report and the documentation all read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mlperf_claimcheck.files import packaged_yaml
from mlperf_claimcheck.verdicts.model import Outcome, Severity


@dataclass(frozen=True, slots=True)
class Entry:
    """One code and its explanation."""

    code: str
    title: str
    """One line."""
    explanation: str
    """What it means and what to do about it, in plain words."""
    example: str
    source: str
    """The document that lays the rule down."""
    outcomes: tuple[Outcome, ...] = ()
    """For a reason: the verdicts that it can stand for."""
    caveat: Severity | None = None
    """For a caveat: how much it weighs."""

    @property
    def is_reason(self) -> bool:
        """Whether a verdict may have this code as its reason."""
        return bool(self.outcomes)

    @property
    def is_caveat(self) -> bool:
        """Whether a verdict may carry this code as a caveat."""
        return self.caveat is not None

    @property
    def kind(self) -> str:
        """`reason`, `caveat` or `reason and caveat`."""
        return " and ".join(name for name, holds in (("reason", self.is_reason), ("caveat", self.is_caveat)) if holds)

    @property
    def severity(self) -> str:
        """`notice`, `warning` or `error`: a reason weighs as much as the worst verdict that it stands for."""
        if Outcome.FAIL in self.outcomes:
            return "error"
        if Outcome.UNVERIFIABLE in self.outcomes:
            return "warning"
        return str(self.caveat or Severity.NOTICE)


class UnknownCodeError(LookupError):
    """A code that the catalogue does not have."""

    def __init__(self, code: str, suggestions: tuple[str, ...]) -> None:
        self.code = code
        self.suggestions = suggestions
        hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else ""
        super().__init__(f"there is no code {code!r}{hint}")


def get(code: str) -> Entry:
    """The entry of a code. Raises UnknownCodeError, with the nearest codes."""
    found = entries().get(code)
    if found is None:
        raise UnknownCodeError(code, nearest(code, entries()))
    return found


def find(code: str) -> Entry | None:
    """The entry of a code, or None."""
    return entries().get(code)


def codes() -> tuple[str, ...]:
    """All codes: reasons, then caveats."""
    return tuple(entries())


def nearest(code: str, known: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The known codes that a misspelt one may mean, the likeliest first."""
    from rapidfuzz import fuzz, process

    wanted = code.strip().lower().replace("_", "-").replace(" ", "-")
    found = process.extract(wanted, list(known), scorer=fuzz.WRatio, limit=limit, score_cutoff=70)
    return tuple(name for name, _, _ in found)


@lru_cache(maxsize=1)
def entries() -> Mapping[str, Entry]:
    """All entries by code, in the order of the data files."""
    found: dict[str, Entry] = {}
    for code, entry in _load("reasons.yaml").items():
        caveat = entry.get("caveat")
        outcomes = tuple(Outcome(o) for o in entry["outcome"])
        found[code] = _entry(code, entry, outcomes, Severity(caveat) if caveat else None)
    for code, entry in _load("caveats.yaml").items():
        if code in found:
            raise ValueError(f"caveats.yaml: {code} stands in reasons.yaml too; give it a `caveat` there")
        found[code] = _entry(code, entry, (), Severity(entry["severity"]))
    return found


def _entry(code: str, entry: Mapping[str, Any], outcomes: tuple[Outcome, ...], caveat: Severity | None) -> Entry:
    words = {key: " ".join(entry[key].split()) for key in ("title", "explanation", "example", "source")}
    return Entry(code, outcomes=outcomes, caveat=caveat, **words)


def _load(name: str) -> dict[str, Any]:
    data: dict[str, Any] = packaged_yaml("mlperf_claimcheck.verdicts", "data", name)
    return data
