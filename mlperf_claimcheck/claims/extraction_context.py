"""What a document says around a claim: round, submitter, model, scenario, hardware, and where it says so.

Context only ever fills what the claim's own words leave open, as defaults do. Whatever is ambiguous (a heading with two
models, a paragraph that names two submitters) gives nothing, and what stands further away does not take its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.stretch import Stretch, rules

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary

TOPICS = ("model", "scenario", "hardware")
"""Kinds of mention that a section, a table header or an earlier sentence is about."""
SLOTS = ("round", "submitter", *TOPICS)
FIELD_OF = {"hardware": "system"}
"""Kind of mention -> field of a claim, where they differ."""
_COMPARING = ("compare", "direction_up", "direction_down", "prior_round")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a piece of context stands."""

    what: str
    """`title`, `heading`, `table header`, `row header`, `caption`, `footnote`, `earlier sentence`, `document`."""
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Given:
    """A piece of context: the value of a field and where it comes from."""

    value: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Source:
    """A stretch from which context may come."""

    stretch: Stretch
    origin: Origin

    def one(self, kind: str) -> tuple[str, ...]:
        """The names of a kind that it states; of nested hardware ("GB300" and "GB300 NVL72") see `narrowest`."""
        return self.stretch.names(kind)


class RoundNames:
    """Which rounds a stretch names, with their suite."""

    def __init__(self, vocabulary: Vocabulary, stretches: Iterable[Stretch]) -> None:
        self._known = {
            f"{suite_id}-v{number}" for suite_id, suite in vocabulary.suites.items() for number in suite.rounds
        }
        named = {suite for s in stretches for suite in _suites(s)}
        # A bare "v6.1" is of the suite that the document is about; of two, nobody can tell.
        self._suite = next(iter(named)) if len(named) == 1 else ("inference" if not named else None)

    def of(self, stretch: Stretch) -> tuple[str, ...]:
        """Round ids, in order; versions of software are none."""
        suites = _suites(stretch)
        suite = suites[0] if len(suites) == 1 else (None if suites else self._suite)
        if suite is None:
            return ()
        ids = (f"{suite}-v{i.value}" for i in stretch.of("round"))
        return tuple(dict.fromkeys(i for i in ids if i in self._known))


def _suites(stretch: Stretch) -> tuple[str, ...]:
    """The suites that a stretch names: "MLPerf Training", "Inference v6.1"; the word "training" alone is none."""
    rounds = {i.first for i in stretch.of("round")}
    suites = [i for i in stretch.of("mlperf_suite") if i.last + 1 in rounds or "mlperf" in stretch.words(i).lower()]
    return tuple(dict.fromkeys(i.value for i in suites))


def comparing(stretch: Stretch) -> bool:
    """Whether the stretch sets one thing against another, so that a name in it may be that of the other side."""
    return stretch.has(*_COMPARING, "ratio")


def document_round(sources: Sequence[Source], names: RoundNames) -> Given | None:
    """The round that a document is about: its title's; else the only one that it names outside of comparisons.

    Of a title such as "From v6.0 to v6.1" the one that the text names outside of comparisons.
    """
    title = next((s for s in sources if s.origin.what == "title" and names.of(s.stretch)), None)
    titled = names.of(title.stretch) if title is not None else ()
    if title is not None and len(titled) == 1:
        return Given(titled[0], title.origin)
    plain = [s for s in sources if s is not title and names.of(s.stretch) and not s.stretch.has(*_COMPARING)]
    every = {name for s in plain for name in names.of(s.stretch)}
    if len(every) != 1 or (titled and not every <= set(titled)):
        return None
    return Given(every.pop(), plain[0].origin)


def document_submitter(sources: Sequence[Source]) -> Given | None:
    """Who speaks in a text that says "we": the submitter of its title, else of the first sentence that names one."""
    words = rules().first_person
    if not any(words.within(s.stretch.text) for s in sources):
        return None
    ordered = sorted(sources, key=lambda s: s.origin.what != "title")
    first = next((s for s in ordered if s.stretch.has("submitter")), None)
    if first is None:
        return None
    found = first.stretch.names("submitter")
    return Given(found[0], first.origin) if len(found) == 1 else None


def narrowest(vocabulary: Vocabulary, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Of hardware within one another the narrowest; several where they are apart."""
    return vocabulary.narrowest(ids) if len(ids) > 1 else ids


def nearest_topics(
    claim: Stretch, sources: Iterable[Source], vocabulary: Vocabulary, slots: Iterable[str] = TOPICS
) -> dict[str, Given]:
    """What the sources, nearest first, say of the slots that the claim leaves open.

    A source that is about another model than the claim ends the search: what stands there, or further out, is not the
    claim's own context.
    """
    # The text of a comparison may name its other side alone; defaults fill the side that it leaves open.
    open_slots = [slot for slot in slots if comparing(claim) or not claim.has(slot)]
    given: dict[str, Given] = {}
    for source in sources:
        if _other_model(claim, source):
            break
        for slot in list(open_slots):
            found = source.one(slot)
            if slot == "hardware":
                found = narrowest(vocabulary, found)
            if not found:
                continue
            open_slots.remove(slot)
            # A comparison names two sides; which of them goes on is not said.
            if len(found) == 1 and not source.stretch.has(*_COMPARING):
                given[slot] = Given(found[0], source.origin)
        if not open_slots:
            break
    return given


def _other_model(claim: Stretch, source: Source) -> bool:
    own, theirs = set(claim.names("model")), set(source.one("model"))
    return bool(own and theirs and not own & theirs) and not comparing(claim)


def as_fields(given: Mapping[str, Given], vocabulary: Vocabulary) -> dict[str, Given]:
    """By the names of a claim's fields, with names for people where these are read back as the same thing."""
    return {
        FIELD_OF.get(slot, slot): Given(_displayed(slot, found.value, vocabulary), found.origin)
        for slot, found in given.items()
    }


def _displayed(slot: str, name_id: str, vocabulary: Vocabulary) -> str:
    if slot == "model":
        name = vocabulary.model_display(name_id)
        model = vocabulary.find_model(name)
        return name if model is not None and model.id == name_id else name_id
    if slot == "hardware":
        name = vocabulary.hardware_display(name_id)
        hardware = vocabulary.find_hardware(name)
        return name if hardware is not None and hardware.id == name_id else name_id
    if slot == "submitter":
        name = vocabulary.submitter_display(name_id)
        submitter = vocabulary.find_submitter(name)
        return name if submitter is not None and submitter.id == name_id else name_id
    return name_id
