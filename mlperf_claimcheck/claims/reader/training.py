"""Claims on MLPerf Training: minutes to a target, where less is better, and no scenario and no throughput.

Source: MLPerf Training rules, results; the project's semantics, numbers (a speed-up of a time is old / new).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

from mlperf_claimcheck.claims.assertion import (
    Assertion,
    ChangeAssertion,
    ChangeForm,
    CompoundAssertion,
    Per,
    Selection,
    SumAssertion,
    SuperlativeAssertion,
    SuperlativeKind,
    Undecidable,
    ValueAssertion,
)
from mlperf_claimcheck.files import packaged_yaml
from mlperf_claimcheck.metrics.units import factor, is_time

SUITE = "training"
_NAMED = re.compile(r"\btraining[\s-]+(?:round[\s-]+)?v?\d{1,2}\.\d", re.IGNORECASE)


@cache
def _data() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = packaged_yaml("mlperf_claimcheck.claims.reader", "data", "training.yaml")
    return loaded


def names_training(text: str) -> bool:
    """Whether a text names a round of Training without MLPerf before it: "Training v5.1"."""
    return _NAMED.search(text) is not None


def speaks_of_duration(text: str) -> bool:
    """Whether a text names the time itself, so that "higher" and "2x the …" may be of it and not of the speed."""
    return _any_word(text, _data()["duration"])


def _any_word(text: str, words: Iterable[str]) -> bool:
    own = set(re.findall(r"[a-z]+", text.lower()))
    return any(word in own if word.isascii() else word in text for word in words)


def says_nothing_more(word: str) -> bool:
    """Whether a verb says no more than that a run took so long."""
    return word.lower() in _data()["verbs"]


@cache
def _chip_times() -> re.Pattern[str]:
    one, times = ("|".join(map(re.escape, _data()[key])) for key in ("chips", "times"))
    return re.compile(rf"\b(?:{one})[\s-](?=(?:{times})\b)", re.IGNORECASE)


def without_chips(text: str) -> tuple[str, bool]:
    """The text with spaces in place of the chip in "GPU-hours", and whether it has such a time."""
    found = _chip_times().sub(lambda match: " " * len(match[0]), text)
    return found, found != text


def task_problem(word: str, models: Iterable[str]) -> str | None:
    """Why a benchmark of these models cannot be what a word of training says ("fine-tuning"); None if it can."""
    plain = " ".join(word.lower().replace("-", " ").split())
    named = list(models)
    for task in _data()["tasks"]:
        if plain in task["words"] and not (named and set(named) <= set(task["models"])):
            return f"“{word}” is what other benchmarks of MLPerf Training do; name the benchmark."
    return None


def in_training(assertion: Assertion, *, chip_time: bool, text: str, words: Iterable[str]) -> Assertion:
    """The assertion as one on times to train, or why it cannot be read as such.

    `words` are the claim's words of change, direction and place.
    """
    problem = _problem(assertion, chip_time=chip_time, text=text, words=tuple(words))
    if problem is not None:
        return problem
    return _each_chip(assertion) if chip_time else assertion


def _each_chip(assertion: Assertion) -> Assertion:
    if isinstance(assertion, CompoundAssertion):
        return replace(assertion, parts=tuple(_each_chip(part) for part in assertion.parts))
    if isinstance(assertion, ValueAssertion | SuperlativeAssertion | ChangeAssertion):
        return replace(assertion, per=Per.ACCELERATOR)
    return assertion


def _problem(assertion: Assertion, *, chip_time: bool, text: str, words: tuple[str, ...]) -> Undecidable | None:
    if isinstance(assertion, Undecidable):
        return None
    duration = speaks_of_duration(text)
    if isinstance(assertion, CompoundAssertion):
        found = (_problem(p, chip_time=chip_time, text=text, words=words) for p in assertion.parts)
        return next((problem for problem in found if problem is not None), None) or _sum_of_units(assertion)
    for name in ("selection", "subject", "scope", "baseline", "small", "large"):
        selection = getattr(assertion, name, None)
        if isinstance(selection, Selection):
            if not selection.rounds and name != "scope":
                return Undecidable(
                    "round-not-stated", "The claim does not say which round of MLPerf Training it is about."
                )
            if any(not r.startswith(f"{SUITE}-") for r in selection.rounds):
                return Undecidable(
                    "ambiguous", "The claim speaks of MLPerf Training and of another suite; they never mix."
                )
            if selection.scenarios or selection.suite:
                return Undecidable(
                    "not-understood", "MLPerf Training has no scenarios, and no datacenter or edge suite."
                )
    if isinstance(assertion, SumAssertion):
        return Undecidable("kind-not-supported", "Times to train of several systems are not added up.")
    unit = getattr(assertion, "unit", None)
    if isinstance(assertion, ValueAssertion | SuperlativeAssertion | ChangeAssertion):
        if unit is not None and not is_time(unit):
            return Undecidable(
                "quantity-not-published",
                f"MLPerf Training publishes times to train in minutes, nothing in {unit}.",
            )
        if chip_time and assertion.per not in (None, Per.SYSTEM):
            return Undecidable("not-understood", "A time on all chips together is not divided once more.")
    if isinstance(assertion, ValueAssertion) and assertion.per is not Per.SYSTEM:
        return Undecidable(
            "not-understood",
            "A time to train is that of the whole system and is not divided; say GPU-minutes for time x accelerators.",
        )
    if isinstance(assertion, SuperlativeAssertion):
        if assertion.per is Per.WATT:
            return Undecidable("power-not-measured", "Results by power are not checked for MLPerf Training.")
        if unit not in (None, "min"):
            return Undecidable("kind-not-supported", "Places are checked with times in minutes.")
        if not text and unit is not None and not assertion.lowest and assertion.kind is SuperlativeKind.TOP:
            return Undecidable(
                "ambiguous", "Of a time, say lowest: whether the shortest or the longest is meant is open."
            )
        if set(words) & set(_data()["high"]) and not _any_word(text, _data()["performance"]):
            return Undecidable("ambiguous", "Of a time to train it is not clear which end is the highest; say fastest.")
        if text and assertion.lowest and not duration:
            return Undecidable("not-understood", "What is lowest is not said: name the time to train.")
    if isinstance(assertion, ChangeAssertion):
        return _change_problem(assertion, duration=duration, words=words)
    return None


def _sum_of_units(compound: CompoundAssertion) -> Undecidable | None:
    """ "12 minutes 15 seconds" is one time and not two: the smaller unit has less than one of the larger."""
    values = [p for p in compound.parts if isinstance(p, ValueAssertion) and p.unit is not None]
    for large, small in pairwise(values):
        scale = factor(large.unit or "", small.unit or "")
        if scale is not None and scale > 1 and small.amount.number.value < scale:
            return Undecidable("not-understood", "Give the time in one unit, as 12.25 minutes.")
    return None


def _change_problem(change: ChangeAssertion, *, duration: bool, words: tuple[str, ...]) -> Undecidable | None:
    """Of a time and of a speed the same words say the opposite, so the claim has to be clear about which it means."""
    speed = {word for word in words if word in _data()["speed"]}
    other = [word for word in words if word not in _data()["speed"]]
    message = "It is not clear whether the claim compares times or speeds: write “2.1x faster” or “31% less time”."
    if change.per is Per.WATT:
        return Undecidable("power-not-measured", "Results by power are not checked for MLPerf Training.")
    if change.form in (ChangeForm.RATIO, ChangeForm.GAIN):
        if (duration and (other or not speed)) or any(word in _data()["more"] for word in other):
            return Undecidable("ambiguous", message, tuple(other))
    elif change.form is ChangeForm.DIRECTION:
        if other or not words:
            return Undecidable("ambiguous", message, tuple(other))
    elif change.form in (ChangeForm.REDUCTION, ChangeForm.SHARE) and (not duration or speed):
        return Undecidable("ambiguous", message, tuple(other))
    return None
