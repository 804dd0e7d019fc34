"""Claims on MLPerf Endpoints: which metric, percentile and concurrency their words name.

These words are taken out of the text, the rest is read as any claim is, and its figures and places become those of
points of a curve. A word that is not taken out stays what it is elsewhere: an unpublished quantity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from mlperf_claimcheck.claims.assertion import (
    Amount,
    ArithmeticAssertion,
    Assertion,
    CompoundAssertion,
    Concurrencies,
    CoverageAssertion,
    EndpointAssertion,
    EndpointMetric,
    ExtentAssertion,
    Per,
    Selection,
    StatusAssertion,
    SuperlativeAssertion,
    SuperlativeKind,
    Undecidable,
    ValueAssertion,
)
from mlperf_claimcheck.claims.model import ClaimInput
from mlperf_claimcheck.files import packaged_yaml

PREFIX = "endpoints-"
_TIMES = frozenset({"s", "ms", "us"})


_FIELDS = ("latency", "percentile", "concurrency")
"""Fields that only claims on Endpoints have."""


class _NotRead(Exception):
    """Why a claim on Endpoints cannot be read."""

    def __init__(self, message: str, code: str = "not-understood") -> None:
        super().__init__(message)
        self.undecidable = Undecidable(code, message)


@dataclass(frozen=True, slots=True)
class _Words:
    """What the words taken out of a text name."""

    text: str
    """The text with spaces in their place, so that positions stay."""
    metrics: tuple[tuple[EndpointMetric, str | None], ...]
    """Latency metrics in order, each with its percentile."""
    concurrency: int | None
    concurrencies: Concurrencies


def concerns_endpoints(claim: ClaimInput, rounds: Iterable[str]) -> bool:
    """Whether a claim may be about a round of Endpoints that is held."""
    if not any(r.startswith(PREFIX) for r in rounds):
        return False
    stated = f"{claim.fields.get('round', '')} {claim.defaults.get('round', '')} {claim.text}"
    return "endpoint" in stated.lower()


def read_endpoints(claim: ClaimInput, read: Callable[[ClaimInput], Assertion], own: Selection) -> Assertion | None:
    """What a claim on an Endpoints round asserts; None where it is about another suite.

    `read` reads the text without the words of Endpoints; `own` is what the claim's fields and defaults select.
    """
    try:
        words = _with_fields(_take_out(claim.text), claim)
        fields = {k: v for k, v in claim.fields.items() if k not in _FIELDS}
        defaults = {k: v for k, v in claim.defaults.items() if k not in _FIELDS}
        assertion = read(replace(claim, text=words.text, fields=fields, defaults=defaults))
        rounds = _rounds(assertion) or own.rounds
        if not rounds or not all(r.startswith(PREFIX) for r in rounds):
            return None
        return _Converter(words, own).convert(assertion)
    except _NotRead as error:
        return error.undecidable


class _Converter:
    def __init__(self, words: _Words, own: Selection) -> None:
        self.words, self.own = words, own
        self.left = list(words.metrics)

    def convert(self, assertion: Assertion) -> Assertion:
        if isinstance(assertion, Undecidable):
            return assertion
        found = self._part(assertion)
        if self.left:
            raise _NotRead("The claim names a latency for which it gives neither a time nor a place.")
        return found

    def _part(self, assertion: Assertion) -> Assertion:
        if isinstance(assertion, CompoundAssertion):
            return replace(assertion, parts=tuple(self._part(part) for part in assertion.parts))
        if isinstance(assertion, ValueAssertion):
            return self._value(assertion)
        if isinstance(assertion, SuperlativeAssertion) and assertion.kind is SuperlativeKind.TOP:
            return self._place(assertion)
        named = self.words.concurrency is not None or self.words.concurrencies is not Concurrencies.ANY
        if isinstance(assertion, ArithmeticAssertion) and not named:
            return self._arithmetic(assertion)
        if isinstance(assertion, CoverageAssertion | StatusAssertion | ExtentAssertion) and not named:
            return assertion
        raise _NotRead(
            "Of MLPerf Endpoints only figures at a concurrency, places, coverage, status and sizes are checked.",
            "kind-not-supported",
        )

    def _arithmetic(self, assertion: ArithmeticAssertion) -> Assertion:
        """Nodes and accelerators of a calculation have to be those of the system, too."""
        if assertion.left.unit != "nodes" or assertion.result.unit != "accelerators":
            return assertion
        accelerators = Amount(assertion.result.number, assertion.result.relation)
        extent = ExtentAssertion(self.own, accelerators, Amount(assertion.left.number, assertion.left.relation))
        return CompoundAssertion((extent,), (assertion,))

    def _value(self, value: ValueAssertion) -> EndpointAssertion:
        percentile, metric = None, EndpointMetric.SYSTEM_TPS
        if value.unit in _TIMES:
            if not self.left:
                raise _NotRead("The claim gives a time without saying of what: TTFT or TPOT, and which percentile.")
            metric, percentile = self.left.pop(0)
            if value.per is not Per.SYSTEM:
                raise _NotRead("A latency is not divided by accelerators or nodes.")
        elif value.unit == "tokens/s/user":
            metric = EndpointMetric.USER_TPS
        elif value.unit != "tokens/s":
            raise _NotRead(
                f"The results of MLPerf Endpoints have no figure in {value.unit or 'a number without unit'}.",
                "quantity-not-published",
            )
        return EndpointAssertion(
            value.selection,
            metric,
            value.amount,
            value.unit,
            percentile,
            value.per,
            self.words.concurrency,
            self.words.concurrencies,
        )

    def _place(self, place: SuperlativeAssertion) -> EndpointAssertion:
        if place.historical or place.threshold is not None or place.siblings:
            raise _NotRead("A record over several rounds of Endpoints is not checked.", "kind-not-supported")
        metric, percentile = self.left.pop(0) if self.left else (EndpointMetric.SYSTEM_TPS, None)
        if metric is not EndpointMetric.SYSTEM_TPS and not place.lowest:
            raise _NotRead(f"Say “lowest {metric.upper()}”: whether the shortest or the longest is meant is not clear.")
        if metric is EndpointMetric.SYSTEM_TPS and place.unit not in (None, "tokens/s"):
            raise _NotRead(f"Places in {place.unit} are not checked.", "kind-not-supported")
        return EndpointAssertion(
            place.subject,
            metric,
            place.amount,
            place.unit,
            percentile,
            place.per or Per.SYSTEM,
            self.words.concurrency,
            self.words.concurrencies,
            place.scope,
            place.rank,
            place.exact_rank,
            place.lowest,
        )


def _rounds(assertion: Assertion) -> tuple[str, ...]:
    if isinstance(assertion, CompoundAssertion):
        return tuple(r for part in assertion.parts for r in _rounds(part))
    found: list[str] = []
    for name in ("selection", "subject", "scope", "baseline"):
        held = getattr(assertion, name, None)
        if isinstance(held, Selection):
            found += held.rounds
    return tuple(found)


# --- words ------------------------------------------------------------------------------------------------------------

_NUMBER = r"(?<![\w.,–—-])(?P<n{}>\d{{1,3}}(?:,\d{{3}})+|\d{{1,9}})(?![\w%]|[.,–—-]\s?\d)"


def _any_of(phrases: Iterable[str]) -> str:
    ordered = sorted(phrases, key=len, reverse=True)
    return "(?:" + "|".join(r"[\s-]+".join(map(re.escape, str(p).split())) for p in ordered) + ")"


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], Mapping[str, str]]:
    data = packaged_yaml("mlperf_claimcheck.claims.reader", "data", "endpoints.yaml")
    named = {p.lower(): rank for rank, phrases in data["percentiles"].items() for p in phrases}
    rank = rf"(?:p\d{{1,2}}|\d{{1,2}}(?:th|st|nd|rd)[\s-]+percentile|{_any_of(named)})"
    metric = "|".join(f"(?P<{key}>{_any_of(phrases)})" for key, phrases in data["metrics"].items())
    before, after = rf"(?:\b(?P<before>{rank})[\s-]+(?:of\s+)?)?", rf"(?:\s*\(?\s*(?:at\s+)?(?P<after>{rank})\b\)?)?"
    latency = rf"{before}\b(?:{metric})\b(?:\s+latency\b)?{after}"
    ends = "|".join(rf"(?P<{key}>{_any_of(data[key])})" for key in ("every", "highest", "lowest"))
    lead = rf"(?:(?:^|[,;:(@])\s*|\b{_any_of(data['lead'])}\s+)"
    where = (
        rf"{lead}(?:{_NUMBER.format(1)}[\s-]+{_any_of(data['things'])}"
        rf"|{_any_of(data['levels'])}\s*[:=]?\s*{_NUMBER.format(2)}"
        rf"|(?:{ends})\s+{_any_of(['concurrency', 'concurrency level'])})(?![\w])"
    )
    averages = rf"\b{_any_of(data['averages'])}\b"
    flags = re.IGNORECASE
    return re.compile(latency, flags), re.compile(where, flags), re.compile(averages, flags), named


def _with_fields(words: _Words, claim: ClaimInput) -> _Words:
    """What the words name, with the claim's fields in place of it; defaults where neither says it."""

    def given(name: str) -> str | None:
        value = claim.fields.get(name)
        return None if value is None else str(value)

    def default(name: str) -> str | None:
        value = claim.defaults.get(name)
        return None if value is None else str(value)

    place = given("concurrency")
    if place is None and words.concurrency is None and words.concurrencies is Concurrencies.ANY:
        place = default("concurrency")
    if place is not None:
        concurrency, concurrencies = _place_of(place)
        words = replace(words, concurrency=concurrency, concurrencies=concurrencies)
    latency = given("latency")
    if latency is not None:
        kind = EndpointMetric(latency)
        if words.metrics and {found for found, _ in words.metrics} != {kind}:
            raise _NotRead(f"The claim's words name another latency than its field, {latency}.")
        if not words.metrics:
            words = replace(words, metrics=((kind, None),))
    rank = given("percentile")
    if rank is not None and not words.metrics:
        raise _NotRead("The field “percentile” is of a latency: name it in “latency”, ttft or tpot.")
    if rank is not None:
        return replace(words, metrics=tuple((found, rank) for found, _ in words.metrics))
    rank = default("percentile")
    return replace(words, metrics=tuple((found, own or rank) for found, own in words.metrics))


def _place_of(text: str) -> tuple[int | None, Concurrencies]:
    plain = text.strip().lower()
    if re.fullmatch(r"\d{1,9}|\d{1,3}(?:,\d{3}){1,2}", plain, re.ASCII):
        return int(plain.replace(",", "")), Concurrencies.ANY
    if plain in (Concurrencies.EVERY.value, Concurrencies.HIGHEST.value, Concurrencies.LOWEST.value):
        return None, Concurrencies(plain)
    raise _NotRead(f"The concurrency “{text[:40]}” is no whole number, and not every, highest or lowest.")


def _percentile(text: str | None, named: Mapping[str, str]) -> str | None:
    if text is None:
        return None
    digits = re.search(r"\d+", text)
    return str(int(digits[0])) if digits else named[" ".join(text.lower().split())]


def _take_out(text: str) -> _Words:
    latency, where, averages, named = _patterns()
    metrics: list[tuple[EndpointMetric, str | None]] = []
    places: list[tuple[int | None, Concurrencies]] = []

    def metric(match: re.Match[str]) -> str:
        kind = next(k for k in (EndpointMetric.TTFT, EndpointMetric.TPOT) if match[k.value])
        ranks = {_percentile(match[g], named) for g in ("before", "after") if match[g]}
        if len(ranks) > 1:
            raise _NotRead(f"“{match[0].strip()}” names two percentiles.")
        metrics.append((kind, ranks.pop() if ranks else None))
        return " " * len(match[0])

    def place(match: re.Match[str]) -> str:
        digits = match["n1"] or match["n2"]
        if digits:
            places.append((int(digits.replace(",", "")), Concurrencies.ANY))
        else:
            word = next(c for c in (Concurrencies.EVERY, Concurrencies.HIGHEST, Concurrencies.LOWEST) if match[c.value])
            places.append((None, word))
        # An opening sign stays, so that signs stay in pairs.
        opening = match[0][0] if match[0][0] in ",;:(" else " "
        return opening + " " * (len(match[0]) - 1)

    rest = where.sub(place, latency.sub(metric, text))
    if metrics and averages.search(rest):
        raise _NotRead("Averages of latencies are not published, percentiles are.", "quantity-not-published")
    if len(set(places)) > 1:
        raise _NotRead("The claim names more than one concurrency; make it one claim for each.")
    concurrency, concurrencies = places[0] if places else (None, Concurrencies.ANY)
    return _Words(rest, tuple(metrics), concurrency, concurrencies)
