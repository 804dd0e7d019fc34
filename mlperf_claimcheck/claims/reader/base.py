"""What every kind of claim is read with: its items, its names, selections, and which name belongs to which figure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from mlperf_claimcheck.claims.assertion import (
    Amount,
    ArithmeticAssertion,
    Assertion,
    ChangeAssertion,
    CompoundAssertion,
    Countable,
    CountAssertion,
    CoverageAssertion,
    ExtentAssertion,
    Per,
    ScalingAssertion,
    Selection,
    StatusAssertion,
    SumAssertion,
    SuperlativeAssertion,
    SuperlativeKind,
    Term,
    Undecidable,
    ValueAssertion,
)
from mlperf_claimcheck.claims.model import ClaimInput, FieldValue
from mlperf_claimcheck.claims.reader.compose import MENTIONS, Composer, Item
from mlperf_claimcheck.claims.reader.strict import refine, wrong_tasks
from mlperf_claimcheck.claims.reader.tokens import Token, tokenize
from mlperf_claimcheck.claims.reader.training import (
    SUITE as TRAINING,
)
from mlperf_claimcheck.claims.reader.training import (
    in_training,
    names_training,
    says_nothing_more,
    speaks_of_duration,
    task_problem,
    without_chips,
)
from mlperf_claimcheck.metrics.number import PrintedNumber, Relation
from mlperf_claimcheck.metrics.units import is_time
from mlperf_claimcheck.vocabulary.text import UnreadableCharacterError, normalise

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary
    from mlperf_claimcheck.vocabulary.lexicon import Lexicon

COUNTED = frozenset(c.value for c in Countable)


MENTION_SLOTS = {
    "round": "rounds",
    "suite": "suite",
    "division": "division",
    "availability": "availability",
    "submitter": "submitters",
    "model": "models",
    "scenario": "scenarios",
    "hardware": "hardware",
    "result_id": "result_ids",
    "data_type": "data_type",
    "group": "groups",
    "machine": "machines",
    "feature": "features",
}
"""Kind of mention -> the slot of a `Selection` that it restricts."""


_SINGLE_SLOTS = frozenset({"suite", "division", "availability", "data_type"})
"""Slots that hold one word, not alternatives."""


_FIELD_SLOTS = {
    "round": "rounds",
    "suite": "suite",
    "division": "division",
    "availability": "availability",
    "submitter": "submitters",
    "model": "models",
    "scenario": "scenarios",
    "system": "hardware",
    "accelerator": "hardware",
    "accelerators": "accelerators",
    "nodes": "nodes",
    "result_id": "result_ids",
    "data_type": "data_type",
}
"""Field of a claim -> the slot of a `Selection` that it restricts."""


_DECIDING = (
    *("value", "upper", "unit", "per", "relation", "baseline", "among", "kind", "rank", "threshold", "best"),
    *("parts", "operands", "operator", "all_models", "latency", "percentile", "concurrency"),
)
"""Fields that say what is claimed, not of which rows: each has to be accounted for by the claim's reading."""


_KINDS_BY_ASSERTION: Mapping[type, frozenset[str]] = {
    ValueAssertion: frozenset({"value"}),
    ChangeAssertion: frozenset({"change"}),
    CountAssertion: frozenset({"count"}),
    ExtentAssertion: frozenset({"extent"}),
    StatusAssertion: frozenset({"status"}),
    ScalingAssertion: frozenset({"scaling"}),
    SumAssertion: frozenset({"sum"}),
    ArithmeticAssertion: frozenset({"arithmetic"}),
}


_KINDS_BY_RECORD = {SuperlativeKind.ONLY: "only", SuperlativeKind.FIRST: "first"}


_SWEEPING = frozenset({"all", "every", "each", "any"})
"""Last words of phrases such as "in all", "across all"."""
_BARE_BOTH = frozenset({"both", "in both"})
"""Words for two of something that do not say of what."""


class NotUnderstoodError(ValueError):
    """Part of the claim could not be accounted for."""

    def __init__(self, undecidable: Undecidable) -> None:
        super().__init__(undecidable.message)
        self.undecidable = undecidable


MAX_ITEMS = 120
"""Names, figures and signs of one claim. Figures and names are set against each other, which takes time that grows with
more than the square of their number; a claim of a person has a tenth of this."""


def not_understood(
    message: str, words: Sequence[str] = (), suggestions: Sequence[str] = (), code: str = "not-understood"
) -> NotUnderstoodError:
    """The error that makes a claim undecidable, with the words it is about."""
    return NotUnderstoodError(Undecidable(code, message, tuple(words), tuple(suggestions)))


@dataclass
class Slots:
    """What a stretch of the claim restricts."""

    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    accelerators: int | None = None
    whole_rack: bool = False
    nodes: int | None = None

    def merged(self, other: Slots) -> Slots:
        """Both, the other winning."""
        return Slots(
            {**self.values, **other.values},
            other.accelerators if other.accelerators is not None else self.accelerators,
            other.whole_rack if other.accelerators is not None else self.whole_rack,
            other.nodes if other.nodes is not None else self.nodes,
        )


def printed_count(count: int) -> PrintedNumber:
    """A count as an exact number."""
    return PrintedNumber(Decimal(count), Decimal(1), str(count))


def _kinds_of(assertion: Assertion) -> frozenset[str]:
    """The values of the field `kind` that an assertion answers to; of several parts, those that all answer to."""
    if isinstance(assertion, CompoundAssertion):
        return frozenset.intersection(*(_kinds_of(part) for part in assertion.parts))
    if isinstance(assertion, SuperlativeAssertion):
        if assertion.lowest:
            return frozenset({"lowest"})
        record = _KINDS_BY_RECORD.get(assertion.kind)
        return frozenset({record}) if record else frozenset({"highest", "top"})
    if isinstance(assertion, CoverageAssertion):
        return frozenset({"not-submitted" if assertion.negated else "submitted"})
    return _KINDS_BY_ASSERTION.get(type(assertion), frozenset())


def as_good(amount: Amount | None, unit: str | None = None) -> Amount | None:
    """ "The only one with 1.2 million" means with that much or more; with 12 minutes, in that time or less."""
    if amount is not None and amount.relation is Relation.EQUAL:
        return replace(amount, relation=Relation.AT_MOST if is_time(unit) else Relation.AT_LEAST)
    return amount


class ReaderBase:
    """One claim under the reader's eyes."""

    def __init__(
        self,
        claim: ClaimInput,
        vocabulary: Vocabulary,
        rounds: tuple[str, ...],
        groups: tuple[str, ...],
    ) -> None:
        self.claim = claim
        self.vocabulary = vocabulary
        self.rounds = rounds
        self.footnotes: list[str] = []
        self.fields = claim.fields
        self.defaults = claim.defaults
        self.accounted: set[str] = set()
        """Deciding fields that the reading has made use of."""
        lexicon = vocabulary.lexicon.extended(groups)
        self.text = claim.text
        try:
            text, self.offsets = normalise(claim.text, lexicon.traditional)
        except UnreadableCharacterError as error:
            raise not_understood(
                f"The text holds a character that changes how it is displayed ({error}); it is not read."
            ) from None
        for old, new in lexicon.simplified_words:
            if old in text:
                text = text.replace(old, new)
        self.normal = text
        self.chip_time = False
        """Whether a time is one on all chips together: "GPU-hours"."""
        self.tokens: list[Token]
        self._compose(text, lexicon)
        self.training = self._about_training()
        if self.training:
            plain, self.chip_time = without_chips(text)
            if self.chip_time:
                self._compose(plain, lexicon)
            self._take_out_training()
        self._server_machines()
        self._mere_figures()

    def _compose(self, text: str, lexicon: Lexicon) -> None:
        self.tokens, self.footnotes = tokenize(text, lexicon)
        composed = Composer(self.tokens, self.vocabulary).compose()
        if len(composed) > MAX_ITEMS:
            raise not_understood(
                f"The text has {len(composed):,} names and figures, more than one claim can be about (at most "
                f"{MAX_ITEMS}); split it into single claims."
            )
        stated = [(name, self.field(name)) for name in ("system", "accelerator")]
        hardware = [i for name, value in stated if value is not None for i in self.names(name, value)]
        refined = refine(composed, self.tokens, self.vocabulary, hardware)
        self.items, self.refused, self.understood = refined.items, refined.refused, refined.understood

    @property
    def items(self) -> list[Item]:
        """What the text says, in order. Replaced as a whole, never changed in place: it is kept by kind as well."""
        return self._items

    @items.setter
    def items(self, items: list[Item]) -> None:
        self._items = items
        self._by_kind: dict[str, list[Item]] = {}
        for item in items:
            self._by_kind.setdefault(item.kind, []).append(item)

    def _about_training(self) -> bool:
        """Whether the claim is about MLPerf Training: its text says so, or names no suite and its round is one."""
        suites = {i.value for i in self.of("mlperf_suite")} | ({TRAINING} if names_training(self.normal) else set())
        if suites:
            return suites == {TRAINING}
        stated = self.field("round")
        names = stated if isinstance(stated, tuple) else (stated,)
        return all(isinstance(name, str) and TRAINING in name.lower() for name in names)

    def _take_out_training(self) -> None:
        """In a claim on Training its own words limit nothing, except those of a task that the benchmark has to do."""
        own = [i for i in self.items if i.kind == "unsupported" and i.value == TRAINING]
        models = {i.value for i in self.of("model")}
        if not models and isinstance(self.field("model"), str):
            models = set(self.names("model", self.field("model")))
        for item in own:
            problem = task_problem(self.words(item), models)
            if problem is not None:
                raise not_understood(problem, [self.words(item)])
        own += [i for i in self.items if i.kind == "leftover" and says_nothing_more(i.value)]
        self.items = [i for i in self.items if i not in own]

    def in_training(self, assertion: Assertion) -> Assertion:
        """The assertion as one on times to train."""
        signs = self.of("change_up", "change_down", "direction_up", "direction_down", "superlative")
        words = [self.words(i).lower() for i in signs]
        return in_training(assertion, chip_time=self.chip_time, text=self.normal, words=words)

    def _server_machines(self) -> None:
        """ "an 8-GPU server": a machine, where another scenario is named and an article or a count stands before, and
        behind the model of a machine: "the PowerEdge XE9680L server".

        So is "B300 server" or "8 卡服务器" behind hardware, unless it is listed beside the other scenario.
        """
        several = len({i.value for i in self.items if i.kind == "scenario"}) > 1
        named = {i.last + 1 for i in self.items if i.kind == "machine"}
        hardware = {i.last + 1 for i in self.items if i.kind == "hardware"}
        listed = self._listed_scenarios()
        kept = []
        for item in self.items:
            word = self.tokens[item.first].text
            # "tokens/s/GPU server": there the word before belongs to the unit.
            measured = any(v.kind in ("value", "per") and v.last == item.first - 1 for v in self.items)
            before = self.tokens[item.first - 1].text.lower() if item.first and not measured else ""
            after = self.tokens[item.last + 1] if item.last + 1 < len(self.tokens) else None
            carried = item.first in hardware and word == "server" and after is not None and after.has("filler")
            machine = (
                item.kind == "scenario"
                and word.lower() in ("server", "servers", "服务器")
                and (
                    (several and carried)
                    or (several and (before in ("a", "an", "one", "single", "gpu", "per") or word.lower() == "servers"))
                    or (item.first in named and (word in ("server", "servers", "Servers") or several))
                    or (
                        several
                        and item.first not in listed
                        and item.first
                        and not measured
                        and self._sized(item.first - 1)
                    )
                )
            )
            if not machine:
                kept.append(item)
        self.items = kept

    def _listed_scenarios(self) -> frozenset[int]:
        """Where the scenarios stand that a sign of a list joins to another one."""
        found: set[int] = set()
        named = [i for i in self.items if not self._ignorable(i)]
        for one, sign, other in zip(named, named[1:], named[2:], strict=False):
            if one.kind == other.kind == "scenario" and sign.kind in ("list", "comma"):
                found |= {one.first, other.first}
        return frozenset(found)

    def _sized(self, place: int) -> bool:
        """Whether a word is of hardware or of how much of it."""
        token = self.tokens[place]
        return token.has("hardware") or (token.has("count_noun") and token.value("count_noun") == "accelerators")

    def _mere_figures(self) -> None:
        """ "in only 12 minutes", "only 12 minutes": no more than that; "the only one with" speaks of the results."""
        figures = {item.first for item in self.items if item.kind in ("value", "ratio", "percent", "number")}
        self.items = [
            item
            for item in self.items
            if not (
                item.kind == "superlative"
                and item.value == "only"
                and self.words(item).lower() == "only"
                and item.last + 1 in figures
            )
        ]

    def words(self, item: Item) -> str:
        """The claim's own words of an item."""
        start, end = self.tokens[item.first].start, self.tokens[item.last].end
        return self.text[self.offsets[start] : self.offsets[end - 1] + 1]

    def of(self, *kinds: str) -> list[Item]:
        """The items of these kinds, in order."""
        present = [kind for kind in kinds if kind in self._by_kind]
        if len(present) == 1:
            return list(self._by_kind[present[0]])
        return [i for i in self._items if i.kind in kinds] if present else []

    def _ignorable(self, item: Item) -> bool:
        return all(self.tokens[t].has("filler") for t in range(item.first, item.last + 1))

    def demand_no_sweep(self) -> None:
        """ "In all rounds", "on every model": what holds of all of them is not read from one."""
        for index, token in enumerate(self.tokens[1:], 1):
            before = self.tokens[index - 1]
            swept = before.has("universal") or before.text.lower().split()[-1] in _SWEEPING
            if swept and token.value("count_noun") in ("rounds", "scenarios", "models", "platforms"):
                raise not_understood("What is said of all of them is not understood.", [f"{before.text} {token.text}"])

    def demand(self, *allowed: str) -> None:
        """Every item must be of an allowed kind, or be a word that changes nothing."""
        known = {*allowed, *MENTIONS, "list", "comma", "stop", "mlperf", "mlperf_suite", "respectively", "this_round"}
        bad = [i for i in self.items if i.kind not in known and not self._ignorable(i)]
        if bad:
            raise self._leftover(bad)

    def _leftover(self, items: Sequence[Item]) -> NotUnderstoodError:
        words = [self.words(i) for i in items]
        suggestions: list[str] = []
        for word in words[:3]:
            if len(word) > 2:
                suggestions.extend(self.vocabulary.suggest(None, word, 2))
        quoted = ", ".join(f"“{w}”" for w in words[:5])
        return not_understood(
            f"The claim was not fully understood: {quoted} could not be accounted for.", words, suggestions
        )

    def demand_fields(self, assertion: Assertion) -> None:
        """Every field that says what is claimed must have had a part in the assertion; none is passed over."""
        given = [name for name in _DECIDING if self.fields.get(name) is not None]
        kind = self.fields.get("kind")
        if kind is not None and str(kind) in _kinds_of(assertion):
            self.accounted.add("kind")
        left = [name for name in given if name not in self.accounted]
        if left and not isinstance(assertion, Undecidable):
            quoted = ", ".join(f"“{name}”" for name in left)
            raise not_understood(
                f"The field {quoted} has no part in a claim of this kind, so the claim was not fully understood. "
                "Leave it out, or state it in words.",
                left,
            )

    def field(self, name: str) -> FieldValue:
        """A field of the claim, or else of the file's defaults."""
        if name in self.fields:
            return self.fields[name]
        return self.defaults.get(name)

    def round_id(self, text: str) -> str:
        """The id of a round that a field names; of Inference where it names no suite."""
        match = re.search(r"(\d+\.\d+)", text)
        if match is None:
            raise not_understood(f"“{text}” is not a round.", [text], self.rounds, "unknown-name")
        suite = next(
            (
                s
                for s in ("training", "endpoints", "inference", "hpc", "storage", "tiny", "client", "mobile")
                if s in text.lower()
            ),
            "inference",
        )
        return f"{suite}-v{match[1]}"

    def _suite_of_text(self) -> str | None:
        suites = [i.value for i in self.of("mlperf_suite")]
        if suites:
            if len(set(suites)) > 1:
                raise not_understood("The claim names more than one MLPerf suite.", suites)
            return suites[0]
        return TRAINING if self.training else None

    def text_round(self, number: str) -> str:
        """The round id of a round number in the text: its suite is named, or follows from what is measured."""
        suite = self._suite_of_text()
        if suite is None:
            default = self.field("round")
            if isinstance(default, str):
                suite = self.round_id(default).rsplit("-v", 1)[0]
        if suite is None and self.of("mlperf"):
            units = {i.unit for i in self.of("value")}
            inference = bool(self.of("scenario")) or bool(units & {"tokens/s", "samples/s", "queries/s", "tasks/s"})
            if units & {"min", "h"}:
                inference = False
            if not inference:
                raise not_understood(
                    f"“MLPerf {number}” does not say which suite (Inference, Training): name it.",
                    [f"MLPerf {number}"],
                    code="ambiguous",
                )
        return f"{suite or 'inference'}-v{number}"

    def names(self, field_name: str, value: FieldValue) -> tuple[str, ...]:
        """A field's names as ids of the vocabulary."""
        raw = value if isinstance(value, tuple) else (str(value),)
        found: list[str] = []
        for name in map(str, raw):
            if field_name == "submitter":
                submitter = self.vocabulary.find_submitter(name)
                ids: tuple[str, ...] | None = (submitter.id,) if submitter else None
            elif field_name == "model":
                model = self.vocabulary.find_model(name)
                ids = (model.id,) if model else None
            elif field_name in ("system", "accelerator"):
                hardware = self.vocabulary.find_hardware(name)
                ids = (hardware.id,) if hardware else None
            elif field_name == "scenario":
                scenario = self.vocabulary.find_scenario(name)
                ids = (scenario,) if scenario else None
            elif field_name == "round":
                ids = (self.round_id(name),)
            elif field_name == "result_id":
                ids = (name.lower().removeprefix("v"),)
            else:
                ids = (name.lower(),)
            if ids is None:
                kind = {"system": "hardware", "accelerator": "hardware"}.get(field_name, field_name)
                raise not_understood(
                    f"The {field_name} “{name}” is not known.",
                    [name],
                    self.vocabulary.suggest(kind, name),
                    "unknown-name",
                )
            found.extend(ids)
        return tuple(found)

    def _wrong_tasks(self) -> list[Item]:
        """Words for what a benchmark does, where the claim is on none that does it."""
        if not any(t.has("task") for t in self.tokens):
            return []
        models = {i.value for i in self.of("model")}
        stated = self.field("model")
        if not models and stated is not None:
            models = set(self.names("model", stated))
        return wrong_tasks(self.items, self.tokens, models, self.vocabulary)

    def _no_features(self, behind: int = -1) -> None:
        """Software and equipment are free text in the results: what has none of them cannot be told from it."""
        named = [i for i in self.of("feature") if i.first > behind]
        if named:
            raise self._leftover(named)

    def model_ids(self, ids: Iterable[str]) -> tuple[str, ...]:
        """The benchmark ids that models stand for."""
        out: list[str] = []
        for identifier in ids:
            model = self.vocabulary.models[identifier]
            # A name that the suite does not have selects nothing there.
            ids = model.other_ids.get(TRAINING, ()) if self.training else model.ids
            ids = ids or (identifier,)
            out.extend(x for x in ids if x not in out)
        return tuple(out)

    def slots(self, items: Iterable[Item]) -> Slots:
        """The restrictions that these items state; each slot may be stated once."""
        slots = Slots()
        for item in items:
            if item.kind in ("accelerators", "count"):
                if item.value in ("accelerators",):
                    if slots.accelerators not in (None, item.count):
                        raise not_understood("Two accelerator counts are given for one figure.", [self.words(item)])
                    slots.accelerators, slots.whole_rack = item.count, "rack" in item.options
                elif item.value == "nodes":
                    if slots.nodes not in (None, item.count):
                        raise not_understood("Two node counts are given for one figure.", [self.words(item)])
                    slots.nodes = item.count
                elif item.value == "systems" and item.count == 1:
                    continue
                else:
                    raise self._leftover([item])
            elif item.kind in MENTIONS and item.kind != "per":
                value = item.value
                if item.kind == "round":
                    value = self.text_round(item.value)
                known = slots.values.get(item.kind)
                if known is not None and value not in known:
                    if item.kind == "hardware" and self._related(known[0], value):
                        value = known[0] if self._within(known[0], value) else value
                        slots.values["hardware"] = (value,)
                        continue
                    if item.kind in ("group", "feature"):
                        slots.values[item.kind] = (*known, value)
                        continue
                    raise not_understood(
                        f"The claim names more than one {item.kind} for one figure.", [self.words(item)]
                    )
                if known is None:
                    slots.values[item.kind] = (value,)
        return slots

    def _related(self, a: str, b: str) -> bool:
        return self._within(a, b) or self._within(b, a)

    def _within(self, a: str, b: str) -> bool:
        return a == b or self.vocabulary.hardware_within(a, b)

    def selection(self, slots: Slots, *, defaults: bool = True) -> Selection:
        """A selection from what the text states, the claim's fields (which win) and the file's defaults."""
        values: dict[str, Any] = {}
        stated: set[str] = set()
        for kind, ids in slots.values.items():
            slot = MENTION_SLOTS[kind]
            values[slot] = ids[0] if slot in _SINGLE_SLOTS else (self.model_ids(ids) if slot == "models" else ids)
            stated.add(slot)
        if slots.accelerators is not None:
            values["accelerators"], values["whole_rack"] = slots.accelerators, slots.whole_rack
            stated.add("accelerators")
        if slots.nodes is not None:
            values["nodes"] = slots.nodes
            stated.add("nodes")
        for own, source in ((False, self.defaults if defaults else {}), (True, self.fields)):
            self._apply_fields(source, values, stated, own=own)
        suite = self._suite_of_text()
        if suite is not None and any(not str(r).startswith(f"{suite}-") for r in values.get("rounds", ())):
            raise not_understood(
                f"The claim speaks of MLPerf {suite.capitalize()}, and its round is of another suite.",
                [*values["rounds"]],
                code="ambiguous",
            )
        return Selection(**values, stated=frozenset(stated))

    def _apply_fields(
        self, source: Mapping[str, FieldValue], values: dict[str, Any], stated: set[str], *, own: bool
    ) -> None:
        for name, slot in _FIELD_SLOTS.items():
            value = source.get(name)
            if value is None or (not own and slot in values):
                continue
            if name in ("accelerators", "nodes"):
                values[slot] = int(str(value))
            elif slot in _SINGLE_SLOTS:
                values[slot] = str(value).lower()
            else:
                ids = self.names(name, value)
                values[slot] = self.model_ids(ids) if slot == "models" else ids
            if own:
                stated.add(slot)

    def _restrictions(self, name: str, fields: Mapping[str, FieldValue]) -> tuple[dict[str, Any], set[str]]:
        """The slots that a mapping under `baseline` or `among` restricts, and their names. It has no other part."""
        others = [key for key, value in fields.items() if value is not None and key not in _FIELD_SLOTS]
        if others:
            raise not_understood(
                f"“{others[0]}” under “{name}” has no part in the claim, so the claim was not fully understood.", others
            )
        values: dict[str, Any] = {}
        stated: set[str] = set()
        self._apply_fields(fields, values, stated, own=True)
        self.accounted.add(name)
        return values, stated

    def _between(self, a: Item, b: Item) -> list[Item]:
        return [i for i in self.items if a.last < i.first < b.first]

    def _is_run(self, items: Sequence[Item]) -> bool:
        """Whether the items form one list (only signs of lists between them)."""
        return all(
            all(x.kind in ("list", "comma") or self._ignorable(x) for x in self._between(a, b))
            for a, b in pairwise(items)
        )

    def align(self, mentions: list[Item], figures: list[Item]) -> list[list[Item]]:
        """For each figure, the mentions of one slot that it is about (several = it holds for each of them)."""
        distinct = list({(m.value, m.count): m for m in mentions}.values())
        if len(distinct) <= 1:
            return [distinct for _ in figures]
        if len(figures) == 1:
            return [distinct]
        if len(mentions) == len(figures) and self._is_run(mentions) and self._is_run(figures):
            return [[m] for m in mentions]
        clauses = self._clauses(mentions, figures)
        if clauses is not None:
            return clauses
        ordered = sorted([*mentions, *figures], key=lambda i: i.first)
        kinds = ["f" if i in figures else "m" for i in ordered]
        result: list[list[Item]] = []
        if kinds[0] == "m" and kinds[-1] == "f":
            pass
        elif kinds[0] == "f" and kinds[-1] == "m":
            ordered.reverse()
            kinds.reverse()
        else:
            raise not_understood(
                "It is not clear which of the names belongs to which figure.", [self.words(m) for m in mentions]
            )
        current: list[Item] = []
        fresh = True
        for item, kind in zip(ordered, kinds, strict=True):
            if kind == "m":
                if fresh:
                    current = []
                    fresh = False
                current.append(item)
            else:
                fresh = True
                result.append(list(current))
        if any(len(r) > 1 for r in result):
            raise not_understood(
                "It is not clear which of the names belongs to which figure.", [self.words(m) for m in mentions]
            )
        if ordered[0].first > ordered[-1].first:
            result.reverse()
        return result

    def _clauses(self, mentions: list[Item], figures: list[Item]) -> list[list[Item]] | None:
        """Figures with the mention of their own clause, where commas part the text so that each has one of both."""
        edges = [i.first for i in self.of("comma", "list", "stop")]

        def clause(item: Item) -> int:
            return sum(edge < item.first for edge in edges)

        by_clause = {clause(m): m for m in mentions}
        places = [clause(f) for f in figures]
        if len(mentions) != len(figures) or len(by_clause) != len(mentions) or set(places) != set(by_clause):
            return None
        return [[by_clause[place]] for place in places]

    def _key(self, item: Item) -> str:
        """What an item is one of several of: mentions of a kind, counts of one thing."""
        return item.kind if item.kind != "count" else f"count-{item.value}"

    def distribute(self, figures: list[Item], mentions: list[Item]) -> list[list[tuple[Item, ...]]]:
        """For each figure, the combinations of mentions that it is about."""
        slots: dict[str, list[Item]] = {}
        for item in mentions:
            slots.setdefault(self._key(item), []).append(item)
        if "hardware" in slots:
            slots["hardware"] = self._merge_hardware(slots["hardware"])
        both = self._both()
        if both and "scenario" not in slots:
            names = ["Offline", "Server"] + (["Interactive"] if any(b.kind == "all_scenarios" for b in both) else [])
            slots["scenario"] = [replace(both[0], kind="scenario", value=n, options=(n,)) for n in names]
        if len(slots.get("group", ())) > 1:
            groups = slots.pop("group")
        else:
            groups = []
        groups += slots.pop("feature", [])
        aligned: dict[str, list[list[Item]]] = {}
        if len(figures) > 1 and "machine" in slots and len({i.value for i in slots.get("submitter", ())}) > 1:
            # "Dell's XE9680L reached X and NVIDIA Y": the server is Dell's alone.
            machines = slots.pop("machine")
            starts = [-1, *(f.first for f in figures[:-1])]
            aligned["machine"] = [
                [m for m in machines if start < m.first < figure.first]
                for start, figure in zip(starts, figures, strict=True)
            ]
            if sum(map(len, aligned["machine"])) != len(machines):
                raise self._leftover(machines)
        aligned |= {key: self.align(items, figures) for key, items in slots.items()}
        out = []
        for index in range(len(figures)):
            lists = [found[index] for found in aligned.values() if found[index]]
            out.append([(*combination, *groups) for combination in product(*lists)])
        return out

    def _both(self) -> list[Item]:
        """ "Both scenarios", "all three"; not "both" that stands beside two names ("GB200 and GB300 both exceed")."""
        found = self.of("both", "all_scenarios")
        if not found:
            return []
        pairs = {kind for kind in MENTIONS if kind != "scenario" and len({i.value for i in self.of(kind)}) == 2}
        bare = [i for i in found if self.words(i).lower() in _BARE_BOTH]
        return [i for i in found if i not in bare] if pairs else found

    def _merge_hardware(self, items: list[Item]) -> list[Item]:
        """ "B200 … HGX B200": of two mentions where one contains the other, the narrower counts."""
        kept: list[Item] = []
        for item in items:
            if any(k.value != item.value and self._within(k.value, item.value) for k in items):
                continue
            kept.append(item)
        return kept or items

    def _free_per(self, values: Sequence[Item] = ()) -> Per | None:
        own = {v.per for v in values if v.per is not None}
        if own:
            others = {i.value for i in self.of("per")} - {"system", *(str(per) for per in own if per is not None)}
            if others:
                raise not_understood("A figure is divided twice.", sorted(others))
            return None
        found = {i.value for i in self.of("per")} - {"system"}
        if len(found) > 1:
            raise not_understood("The claim names more than one divisor.", sorted(found))
        if found:
            value = found.pop()
            if value == "user":
                raise not_understood("Figures per user are not published.", ["per user"], code="quantity-not-published")
            if value not in set(Per):
                raise not_understood(
                    f"Figures per {value} are not published.", [f"per {value}"], code="quantity-not-published"
                )
            return Per(value)
        return Per.SYSTEM if self.of("per") else None

    def _mentions(self) -> list[Item]:
        return [
            i
            for i in self.items
            if (i.kind in MENTIONS and i.kind != "per")
            or (i.kind == "count" and i.value in ("accelerators", "nodes", "racks", "systems"))
        ]

    def _value_fields(
        self, unit: str | None, per: Per | None, amount: Amount, *, alone: bool
    ) -> tuple[str | None, Per | None, Amount]:
        """A figure of the text, with the claim's fields in place of what it says. One value field is of one figure."""
        if self.fields.get("unit"):
            unit, own_per = self._unit_of(str(self.fields["unit"]))
            per = own_per or per
            self.accounted.add("unit")
        if self.fields.get("per"):
            per = Per(str(self.fields["per"]))
            self.accounted.add("per")
        if self.fields.get("value") and alone:
            amount = self._amount_of(str(self.fields["value"]))
            self.accounted.add("value")
        if self.fields.get("relation"):
            amount = replace(amount, relation=Relation(str(self.fields["relation"])))
            self.accounted.add("relation")
        return unit, per, amount

    def _items_of(self, text: str) -> list[Item]:
        """The items of a field's text."""
        lexicon = self.vocabulary.lexicon
        tokens, _ = tokenize(normalise(text, lexicon.traditional)[0], lexicon)
        return Composer(tokens, self.vocabulary).compose()

    def _amount_of(self, text: str) -> Amount:
        items = self._items_of(text)
        if len(items) != 1 or items[0].amount is None:
            raise not_understood(f"The value “{text}” is not a number as it would be printed.", [text])
        return items[0].amount

    def _unit_of(self, text: str) -> tuple[str, Per | None]:
        items = self._items_of(f"1 {text}")
        if len(items) != 1 or items[0].unit is None:
            raise not_understood(f"The unit “{text}” is not known.", [text], self.vocabulary.suggest("unit", text))
        return items[0].unit, items[0].per

    def _compound(self, parts: Sequence[Assertion], labels: Sequence[str] = ()) -> Assertion:
        if len(parts) == 1:
            return parts[0]
        arithmetic: list[ArithmeticAssertion] = []
        values = [p for p in parts if isinstance(p, ValueAssertion)]
        totals = [v for v in values if v.per is Per.SYSTEM]
        each = [v for v in values if v.per is Per.ACCELERATOR]
        if len(totals) == 1 and len(each) == 1 and len(parts) == 2 and totals[0].selection.accelerators:
            count = totals[0].selection.accelerators
            arithmetic.append(
                ArithmeticAssertion(
                    Term(totals[0].amount.number, totals[0].unit or "", totals[0].amount.relation),
                    "÷",
                    Term(printed_count(count), "accelerators"),
                    Term(each[0].amount.number, f"{each[0].unit or ''}/accelerator", each[0].amount.relation),
                )
            )
        return CompoundAssertion(tuple(parts), tuple(arithmetic), tuple(labels))

    def _about_latency(self) -> bool:
        if self.training and speaks_of_duration(self.normal):
            return True
        return any(word in self.normal.lower() for word in ("latenc", "response time", "延迟", "时延"))

    def _among(self, scope: Selection) -> Selection:
        """The scope with the restrictions of the field `among`: names of groups, or fields of its own."""
        among = self.field("among")
        if among is None:
            return scope
        if isinstance(among, Mapping):
            return replace(scope, **self._restrictions("among", among)[0])
        self.accounted.add("among")
        groups = among if isinstance(among, tuple) else (str(among),)
        return replace(scope, groups=tuple(dict.fromkeys((*scope.groups, *groups))))

    def _use(self, name: str) -> FieldValue:
        """A field's value, which thereby has its part in the claim."""
        self.accounted.add(name)
        return self.field(name)
