"""Recognising the hardware of a published row by its names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from mlperf_claimcheck.vocabulary import normalise


class Row(Protocol):
    """What is looked at in a published row (see `results.model.ResultRow`)."""

    @property
    def accelerator(self) -> str:
        """Accelerator name; empty for a CPU-only system."""

    @property
    def system(self) -> str:
        """System name."""

    @property
    def platform(self) -> str:
        """Platform or system description id."""

    @property
    def processor(self) -> str:
        """Processor name."""

    @property
    def accelerators(self) -> int | None:
        """Accelerators used."""

    @property
    def nodes(self) -> int | None:
        """Nodes."""

    @property
    def submitter(self) -> str:
        """Submitter as published."""


_NO_ACCELERATOR = frozenset({"", "na", "n a", "none", "null", "no accelerator", "cpu", "cpu only"})


def is_cpu_only(row: Row) -> bool:
    """Whether a row's system has no accelerator: neither a name nor a count of one."""
    return not row.accelerators and normalise.words(row.accelerator or "").strip() in _NO_ACCELERATOR


@dataclass(frozen=True, slots=True)
class Rule:
    """One hardware id's rule; every part that is given must hold."""

    id: str
    accelerator: tuple[str, ...]
    system: tuple[str, ...]
    processor: tuple[str, ...]
    among: tuple[str, ...]
    """The row must be one of these as well."""
    cpu_only: bool

    @classmethod
    def parse(cls, hardware_id: str, match: Mapping[str, Any]) -> Rule:
        """The rule of a compiled `match` entry."""
        return cls(
            hardware_id,
            tuple(match.get("accelerator", ())),
            tuple(match.get("system", ())),
            tuple(match.get("processor", ())),
            tuple(match.get("is", ())),
            bool(match.get("cpu_only", False)),
        )


def prepared(phrase: str) -> str:
    """A phrase of a rule as it is looked for: its words with spaces around; `re:` marks a regular expression."""
    return phrase if phrase.startswith("re:") else normalise.words(phrase)


def _found(phrases: Iterable[str], text: str) -> bool:
    return any(re.search(p[3:], text) if p.startswith("re:") else p in text for p in phrases)


class HardwareMatcher:
    """Which hardware ids a row's names stand for. Answers are kept for each distinct set of names."""

    def __init__(self, entries: Mapping[str, Mapping[str, Any]]) -> None:
        self._parents = {hid: tuple(e.get("of", ())) for hid, e in entries.items()}
        rules = [Rule.parse(hid, e["match"]) for hid, e in entries.items() if "match" in e]
        self._first = tuple(r for r in rules if not r.among)
        self._then = tuple(r for r in rules if r.among)
        self._ancestors: dict[str, frozenset[str]] = {}
        self._known: dict[tuple[str, str, str, str, bool], frozenset[str]] = {}

    def ancestors(self, hardware_id: str) -> frozenset[str]:
        """The id itself and every family that contains it."""
        known = self._ancestors.get(hardware_id)
        if known is None:
            known = frozenset({hardware_id}).union(*map(self.ancestors, self._parents.get(hardware_id, ())))
            self._ancestors[hardware_id] = known
        return known

    def classify(self, row: Row) -> frozenset[str]:
        """All hardware ids of a row: what its names match, and the families of that."""
        names = (row.accelerator or "", row.system or "", row.platform or "", row.processor or "", not row.accelerators)
        known = self._known.get(names)
        if known is None:
            known = self._known[names] = self._classify(row)
        return known

    def _classify(self, row: Row) -> frozenset[str]:
        accelerator = normalise.words(row.accelerator or "")
        # System and platform names one after the other, so that no phrase spans both.
        system = normalise.words(row.system or "") + "|" + normalise.words(row.platform or "")
        processor = normalise.words(row.processor or "")
        cpu_only = is_cpu_only(row)
        found: set[str] = set()

        def holds(rule: Rule) -> bool:
            return (
                (not rule.cpu_only or cpu_only)
                and (not rule.accelerator or _found(rule.accelerator, accelerator))
                and (not rule.processor or _found(rule.processor, processor))
                and (not rule.among or not found.isdisjoint(rule.among))
                and (not rule.system or _found(rule.system, system))
            )

        for rule in self._first:
            if holds(rule):
                found |= self.ancestors(rule.id)
        grown = True
        while grown:
            grown = False
            for rule in self._then:
                if rule.id not in found and holds(rule):
                    found |= self.ancestors(rule.id)
                    grown = True
        return frozenset(found)
