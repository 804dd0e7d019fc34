"""From a claim to what it asserts. What cannot be accounted for makes the claim unverifiable, never a guess."""

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
    ChangeForm,
    CompoundAssertion,
    Countable,
    CountAssertion,
    CoverageAssertion,
    ExtentAssertion,
    Per,
    ReadClaim,
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
from mlperf_claimcheck.claims.reader.endpoints import concerns_endpoints, read_endpoints
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
from mlperf_claimcheck.vocabulary.text import UnreadableCharacterError, is_cjk, normalise

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary
    from mlperf_claimcheck.vocabulary.lexicon import Lexicon

_COUNTED = frozenset(c.value for c in Countable)
_MENTION_SLOTS = {
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
    *("parts", "operands", "operator", "all_models"),
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
_SLOW = frozenset({"slower", "trails", "trailed", "trailing", "lags", "lagged", "behind", "慢", "落后于"})
"""Words that say that something takes longer, not that a figure is lower."""
_LEAST_WITHOUT_UNIT = 100
"""Smaller numbers without a unit count things."""
_RECORDS = frozenset({"highest", "lowest", "top", "only", "first"})
_KINDS_BY_RECORD = {SuperlativeKind.ONLY: "only", SuperlativeKind.FIRST: "first"}


class NotUnderstoodError(ValueError):
    """Part of the claim could not be accounted for."""

    def __init__(self, undecidable: Undecidable) -> None:
        super().__init__(undecidable.message)
        self.undecidable = undecidable


def _not_understood(
    message: str, words: Sequence[str] = (), suggestions: Sequence[str] = (), code: str = "not-understood"
) -> NotUnderstoodError:
    return NotUnderstoodError(Undecidable(code, message, tuple(words), tuple(suggestions)))


def read_claim(
    claim: ClaimInput, vocabulary: Vocabulary, rounds: Iterable[str], groups: Iterable[str] = ()
) -> ReadClaim:
    """What a claim asserts.

    `rounds` are the ids of the rounds that are held; `groups` the names of the claim file's own peer groups. Never
    raises for a claim that is not understood: the assertion is then an `Undecidable` that quotes the words.
    """
    held, own_groups = tuple(rounds), tuple(groups)
    if concerns_endpoints(claim, held):
        endpoints = _read_endpoints(claim, vocabulary, held, own_groups)
        if endpoints is not None:
            return endpoints
    return _read_plain(claim, vocabulary, held, own_groups)


def _read_endpoints(
    claim: ClaimInput, vocabulary: Vocabulary, rounds: tuple[str, ...], groups: tuple[str, ...]
) -> ReadClaim | None:
    marks: tuple[str, ...] = ()

    def read(rest: ClaimInput) -> Assertion:
        nonlocal marks
        plain = _read_plain(rest, vocabulary, rounds, groups)
        marks = plain.footnotes
        return plain.assertion

    try:
        own = _Reader(replace(claim, text=""), vocabulary, rounds, groups).selection(_Slots())
    except NotUnderstoodError as error:
        return ReadClaim(error.undecidable)
    assertion = read_endpoints(claim, read, own)
    return None if assertion is None else ReadClaim(assertion, footnotes=marks)


def _read_plain(
    claim: ClaimInput, vocabulary: Vocabulary, rounds: tuple[str, ...], groups: tuple[str, ...]
) -> ReadClaim:
    try:
        reader = _Reader(claim, vocabulary, rounds, groups)
        assertion = reader.assertion()
        if reader.training:
            assertion = reader.in_training(assertion)
        reader.demand_fields(assertion)
        return ReadClaim(assertion, footnotes=tuple(reader.footnotes))
    except NotUnderstoodError as error:
        return ReadClaim(error.undecidable)


@dataclass
class _Slots:
    """What a stretch of the claim restricts."""

    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    accelerators: int | None = None
    whole_rack: bool = False
    nodes: int | None = None

    def merged(self, other: _Slots) -> _Slots:
        """Both, the other winning."""
        return _Slots(
            {**self.values, **other.values},
            other.accelerators if other.accelerators is not None else self.accelerators,
            other.whole_rack if other.accelerators is not None else self.whole_rack,
            other.nodes if other.nodes is not None else self.nodes,
        )


def _printed_count(count: int) -> PrintedNumber:
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


def _at_least(amount: Amount | None) -> Amount | None:
    """ "The only one with 1.2 million" means with that much or more."""
    if amount is not None and amount.relation is Relation.EQUAL:
        return replace(amount, relation=Relation.AT_LEAST)
    return amount


class _Reader:
    def __init__(
        self, claim: ClaimInput, vocabulary: Vocabulary, rounds: tuple[str, ...], groups: tuple[str, ...]
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
            raise _not_understood(
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

    def _compose(self, text: str, lexicon: Lexicon) -> None:
        self.tokens, self.footnotes = tokenize(text, lexicon)
        self.items = Composer(self.tokens, self.vocabulary).compose()

    # ---------------------------------------------------------------- Training
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
                raise _not_understood(problem, [self.words(item)])
        own += [i for i in self.items if i.kind == "leftover" and says_nothing_more(i.value)]
        self.items = [i for i in self.items if i not in own]

    def in_training(self, assertion: Assertion) -> Assertion:
        """The assertion as one on times to train."""
        signs = self.of("change_up", "change_down", "direction_up", "direction_down", "superlative")
        words = [self.words(i).lower() for i in signs]
        return in_training(assertion, chip_time=self.chip_time, text=self.normal, words=words)

    # ---------------------------------------------------------------- helpers
    def _server_machines(self) -> None:
        """ "an 8-GPU server": a machine, where another scenario is named and an article or a count stands before, and
        behind the model of a machine: "the PowerEdge XE9680L server"."""
        several = len({i.value for i in self.items if i.kind == "scenario"}) > 1
        named = {i.last + 1 for i in self.items if i.kind == "machine"}
        hardware = {i.last + 1 for i in self.items if i.kind == "hardware"}
        kept = []
        for item in self.items:
            word = self.tokens[item.first].text
            before = self.tokens[item.first - 1].text.lower() if item.first else ""
            after = self.tokens[item.last + 1] if item.last + 1 < len(self.tokens) else None
            carried = item.first in hardware and word == "server" and after is not None and after.has("filler")
            machine = (
                item.kind == "scenario"
                and word.lower() in ("server", "servers")
                and (
                    (several and carried)
                    or (several and (before in ("a", "an", "one", "single", "gpu", "per") or word.lower() == "servers"))
                    or (item.first in named and (word in ("server", "servers", "Servers") or several))
                )
            )
            if not machine:
                kept.append(item)
        self.items = kept

    def words(self, item: Item) -> str:
        start, end = self.tokens[item.first].start, self.tokens[item.last].end
        return self.text[self.offsets[start] : self.offsets[end - 1] + 1]

    def of(self, *kinds: str) -> list[Item]:
        return [i for i in self.items if i.kind in kinds]

    def _ignorable(self, item: Item) -> bool:
        return all(self.tokens[t].has("filler") for t in range(item.first, item.last + 1))

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
        return _not_understood(
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
            raise _not_understood(
                f"The field {quoted} has no part in a claim of this kind, so the claim was not fully understood. "
                "Leave it out, or state it in words.",
                left,
            )

    def field(self, name: str) -> FieldValue:
        if name in self.fields:
            return self.fields[name]
        return self.defaults.get(name)

    # ---------------------------------------------------------------- names
    def round_id(self, text: str) -> str:
        match = re.search(r"(\d+\.\d+)", text)
        if match is None:
            raise _not_understood(f"“{text}” is not a round.", [text], self.rounds, "unknown-name")
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
                raise _not_understood("The claim names more than one MLPerf suite.", suites)
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
                raise _not_understood(
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
                raise _not_understood(
                    f"The {field_name} “{name}” is not known.",
                    [name],
                    self.vocabulary.suggest(kind, name),
                    "unknown-name",
                )
            found.extend(ids)
        return tuple(found)

    def model_ids(self, ids: Iterable[str]) -> tuple[str, ...]:
        out: list[str] = []
        for identifier in ids:
            model = self.vocabulary.models[identifier]
            # A name that the suite does not have selects nothing there.
            ids = model.other_ids.get(TRAINING, (identifier,)) if self.training else model.ids
            out.extend(x for x in ids if x not in out)
        return tuple(out)

    # ---------------------------------------------------------------- selections
    def slots(self, items: Iterable[Item]) -> _Slots:
        """The restrictions that these items state; each slot may be stated once."""
        slots = _Slots()
        for item in items:
            if item.kind in ("accelerators", "count"):
                if item.value in ("accelerators",):
                    if slots.accelerators not in (None, item.count):
                        raise _not_understood("Two accelerator counts are given for one figure.", [self.words(item)])
                    slots.accelerators, slots.whole_rack = item.count, "rack" in item.options
                elif item.value == "nodes":
                    if slots.nodes not in (None, item.count):
                        raise _not_understood("Two node counts are given for one figure.", [self.words(item)])
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
                    if item.kind == "group":
                        slots.values["group"] = (*known, value)
                        continue
                    raise _not_understood(
                        f"The claim names more than one {item.kind} for one figure.", [self.words(item)]
                    )
                if known is None:
                    slots.values[item.kind] = (value,)
        return slots

    def _related(self, a: str, b: str) -> bool:
        return self._within(a, b) or self._within(b, a)

    def _within(self, a: str, b: str) -> bool:
        return a == b or self.vocabulary.hardware_within(a, b)

    def selection(self, slots: _Slots, *, defaults: bool = True) -> Selection:
        """A selection from what the text states, the claim's fields (which win) and the file's defaults."""
        values: dict[str, Any] = {}
        stated: set[str] = set()
        for kind, ids in slots.values.items():
            slot = _MENTION_SLOTS[kind]
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
            raise _not_understood(
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
            raise _not_understood(
                f"“{others[0]}” under “{name}” has no part in the claim, so the claim was not fully understood.", others
            )
        values: dict[str, Any] = {}
        stated: set[str] = set()
        self._apply_fields(fields, values, stated, own=True)
        self.accounted.add(name)
        return values, stated

    # ---------------------------------------------------------------- dispatch
    def assertion(self) -> Assertion:
        guard = self._guard()
        if guard is not None:
            return guard
        if not self.claim.text.strip():
            return self._from_fields()
        kind = self.field("kind")
        if self.of("largest"):
            return self._extent()
        if self.of("scaling") and self.of("percent"):
            return self._scaling()
        figures = self.of("ratio", "percent")
        superlatives = self.of("superlative", "rank", "top_n")
        if figures and all(s.value == "top" for s in superlatives):
            return self._change(figures, best=bool(superlatives))
        if superlatives and not figures:
            return self._superlative(superlatives)
        if self.of("direction_up", "direction_down") and not self.of("value"):
            return self._change([], best=False)
        values = self.of("value")
        counted = [i for i in self.of("count", "counted") if i.value in _COUNTED - {"systems", "platforms", "models"}]
        if not values and (self.of("submit_negation") or (self.of("negation") and self.of("submit"))):
            return self._coverage(negated=True)
        if not values and counted:
            return self._count(counted)
        if values:
            return self._two_sided(values) or self._arithmetic() or self._values(values)
        bare = self._bare_figure()
        if bare is not None:
            return self._values([bare])
        if len(self.of("count")) >= 3 and not self.of("model"):
            found = self._arithmetic()
            if found is not None:
                return found
        if self.of("availability") and not figures and self.of("submit"):
            return self._status()
        if self.of("submit") and not figures:
            return self._coverage(negated=False)
        if kind:
            return self._from_fields()
        leftovers = [i for i in self.items if i.kind == "leftover"]
        if leftovers:
            raise self._leftover(leftovers)
        raise _not_understood("The claim states no figure, place or coverage that the results could decide.")

    def _guard(self) -> Undecidable | None:
        if not self.claim.text:
            return None
        unsupported = self.of("unsupported")
        for code, message, items in (
            (
                "self-declared-unverified",
                "The claim calls its own result unverified; MLCommons has not published it.",
                self.of("unverified"),
            ),
            (
                "power-not-measured",
                "Rated or thermal design power is no measured power: the messaging rules allow only "
                "power that was measured with the result.",
                [i for i in unsupported if i.value == "tdp"],
            ),
            ("quantity-not-published", "The results do not publish this quantity.", unsupported),
            (
                "not-an-assertion",
                "The claim is a question, a plan or a supposition, not a statement of a result.",
                self.of("question", "plan", "hypothetical"),
            ),
            ("not-understood", "The claim has a part that limits or turns what it says.", self.of("break")),
        ):
            real = [i for i in items if not self._ignorable(i)]
            if real:
                words = tuple(self.words(i) for i in real[:5])
                return Undecidable(code, f"{message} ({', '.join(f'“{w}”' for w in words)})", words)
        turned = self._inverted()
        if turned is not None:
            word = self.text[self.offsets[turned.start] : self.offsets[turned.end - 1] + 1]
            return Undecidable(
                "not-an-assertion",
                f"The claim is a question or a condition, not a statement of a result (“{word}”)",
                (word,),
            )
        if self.of("leftover"):
            raise self._leftover(self.of("leftover"))
        negations = [i for i in self.of("negation") if not self._ignorable(i)]
        submitted = self.of("submit", "submit_negation")
        if negations and not submitted:
            return Undecidable(
                "not-understood",
                "The claim has a negation that is not understood.",
                tuple(self.words(i) for i in negations),
            )
        return None

    def _inverted(self) -> Token | None:
        """A verb at the head of a clause: "Did CoreWeave reach …", "…, were NVIDIA to use …"."""
        for index, token in enumerate(self.tokens):
            if not token.has("inverted"):
                continue
            if is_cjk(token.text[0]):
                return token
            head = index == 0 or self.tokens[index - 1].text in ".;:!,(—"
            name = index + 1 < len(self.tokens) and any(
                self.tokens[index + 1].has(kind) for kind in ("submitter", "hardware", "model", "group")
            )
            if head and (index == 0 or name):
                return token
        return None

    # ---------------------------------------------------------------- alignment
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
            raise _not_understood(
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
            raise _not_understood(
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
        both = self.of("both", "all_scenarios")
        if both and "scenario" not in slots:
            names = ["Offline", "Server"] + (["Interactive"] if any(b.kind == "all_scenarios" for b in both) else [])
            slots["scenario"] = [replace(both[0], kind="scenario", value=n, options=(n,)) for n in names]
        if len(slots.get("group", ())) > 1:
            groups = slots.pop("group")
        else:
            groups = []
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

    def _merge_hardware(self, items: list[Item]) -> list[Item]:
        """ "B200 … HGX B200": of two mentions where one contains the other, the narrower counts."""
        kept: list[Item] = []
        for item in items:
            if any(k.value != item.value and self._within(k.value, item.value) for k in items):
                continue
            kept.append(item)
        return kept or items

    # ---------------------------------------------------------------- kinds
    def _adopt(self, values: list[Item]) -> list[Item]:
        """Numbers without a unit that stand in a list with a value share its unit."""
        numbers = self.of("number")
        if not numbers:
            return values
        adopted = []
        for number in numbers:
            before = next((v for v in reversed(values) if v.first < number.first), None)
            if before is not None and self._second_of_list(before, number):
                adopted.append(replace(number, kind="value", unit=before.unit, per=before.per))
                continue
            donor = next((v for v in values if v.first > number.first), None)
            chain = [n for n in numbers if n.first > number.first and donor and n.first < donor.first]
            if donor is None or not self._is_run([number, *chain, donor]):
                raise _not_understood(f"The number “{self.words(number)}” has no unit.", [self.words(number)])
            adopted.append(replace(number, kind="value", unit=donor.unit, per=donor.per))
        self.items = [next((a for a in adopted if a.first == i.first), i) for i in self.items]
        return sorted([*values, *adopted], key=lambda i: i.first)

    def _second_of_list(self, value: Item, number: Item) -> bool:
        """Whether a number goes on with the unit before it: "1,183,327 tokens/s Offline and 1,175,890 in Server"."""
        amount = number.amount
        if amount is None or amount.number.value < _LEAST_WITHOUT_UNIT:
            return False
        between = [i for i in self._between(value, number) if not self._ignorable(i)]
        mentions = self._mentions()
        return any(i.kind in ("list", "comma") for i in between) and all(
            i in mentions or i.kind in ("list", "comma", "value", "number") for i in between
        )

    def _bare_figure(self) -> Item | None:
        """The one figure of "Nebius, DeepSeek-R1, Offline: 689,961", whose unit is the benchmark's own."""
        numbers = self.of("number")
        named = all(self.of(kind) or self.field(kind) for kind in ("model", "scenario"))
        if len(numbers) != 1 or not named or numbers[0].last + 1 < len(self.tokens):
            return None
        before = self.tokens[numbers[0].first - 1].text if numbers[0].first else ""
        if before not in (":", "："):
            return None
        value = replace(numbers[0], kind="value")
        self.items = [value if i is numbers[0] else i for i in self.items]
        return value

    def _free_per(self, values: Sequence[Item] = ()) -> Per | None:
        if any(v.per is not None for v in values):
            return None
        found = {i.value for i in self.of("per")} - {"system"}
        if len(found) > 1:
            raise _not_understood("The claim names more than one divisor.", sorted(found))
        if found:
            value = found.pop()
            if value == "user":
                raise _not_understood(
                    "Figures per user are not published.", ["per user"], code="quantity-not-published"
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

    def _universal(self, values: Sequence[Item]) -> bool:
        """Whether the claim speaks of each result: "every result exceeds …"; not "16,635 on each GPU"."""
        covered = {t for i in (*values, *self.of("per")) for t in range(i.first, i.last + 1)}
        for index, token in enumerate(self.tokens):
            if not token.has("universal") or index in covered:
                continue
            before = self.tokens[index - 1] if index else None
            after = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
            # "72 GPUs each" tells the size of every system.
            sized = before is not None and before.has("count_noun") and not before.has("filler")
            if not (sized or (after is not None and after.has("divisor"))):
                return True
        return False

    def _of_results(self) -> bool:
        """Whether the claim's own words speak of results: "all … results", "所有…结果"."""
        return any(t.has("count_noun") and t.value("count_noun") == "results" for t in self.tokens) or any(
            t.has("universal") and t.has("scope") for t in self.tokens
        )

    def _values(self, values: list[Item]) -> Assertion:
        every = self._universal(values)
        quantifiers = [
            i
            for i in self.of("scope", "any_hardware")
            if all(self.tokens[t].has("universal") for t in range(i.first, i.last + 1))
        ]
        self.items = [i for i in self.items if i not in quantifiers]
        timed = all(v.unit in ("s", "ms", "min") or v.unit is None for v in values)
        timed = timed or bool({i.value for i in self.of("scenario")} & {"SingleStream", "MultiStream"})
        self.demand(
            *("value", "number", "count", "both", "all_scenarios", "submit", "noun", "verified"),
            *(("latency",) if timed else ()),
        )
        bounds = (Relation.OVER, Relation.AT_LEAST, Relation.UNDER, Relation.AT_MOST, Relation.EQUAL)
        if every and any(v.amount is None or v.amount.relation not in bounds or v.amount.up_to for v in values):
            raise _not_understood("What is said of every result is not understood.", [self.words(v) for v in values])
        values = self._adopt(values)
        per = self._free_per(values)
        combos = self.distribute(values, self._mentions())
        if every and sum(map(len, combos)) > 1 and not self._of_results():
            every = False  # "GB200 and GB300 each exceed …": each of those named, not each of their results
        parts: list[ValueAssertion] = []
        for value, sets in zip(values, combos, strict=True):
            assert value.amount is not None
            for chosen in sets:
                selection = self.selection(self.slots(chosen))
                unit, divisor, amount = self._value_fields(
                    value.unit, value.per or per, value.amount, alone=len(values) == 1
                )
                parts.append(ValueAssertion(selection, amount, unit, divisor or Per.SYSTEM, divisor is not None, every))
        return self._compound(parts)

    def _two_sided(self, values: list[Item]) -> Assertion | None:
        """A change that is told by two figures: "improved from X to Y", "A beats B with X against Y"."""
        figures = sorted([*values, *self.of("number")], key=lambda i: i.first)
        if len(figures) != 2 or self.of("superlative", "rank", "top_n", "scope", "both", "all_scenarios"):
            return None
        first, second = figures
        if second.kind == "number" or second.amount is None or first.amount is None:
            return None
        if first.kind == "number":
            first = replace(first, kind="value", unit=second.unit, per=second.per)
        found = self._from_to(first, second) or self._against(first, second)
        if found is None:
            return None
        new, old, base, higher = found
        self.demand(
            *("value", "number", "count", "noun", "submit", "compare", "from_to", "prior_round"),
            *("change_up", "change_down", "direction_up", "direction_down"),
        )
        if first.unit != second.unit or first.per != second.per:
            raise _not_understood("The two figures differ in unit.", [self.words(first), self.words(second)])
        if self._about_latency() or {i.value for i in self.of("scenario")} & {"SingleStream", "MultiStream"}:
            raise _not_understood("Which of two latencies is the better one is not read from these words.")
        per = first.per or self._free_per(figures) or Per.SYSTEM
        mentions = self._mentions()
        subject_items = [i for i in mentions if i not in base]
        keys = {self._key(i) for i in subject_items} | ({"round"} if self.field("round") is not None else set())
        shared = [i for i in base if self._key(i) not in keys and i.kind in ("model", "scenario", "division", "suite")]
        own = [i for i in base if i not in shared]
        if not own or any(
            i.kind not in ("round", "hardware", "submitter", "count", "prior_round", "availability") for i in own
        ):
            raise _not_understood("The claim does not say what the change is measured against.")
        (sets,) = self.distribute([second], [*subject_items, *shared])
        if len(sets) != 1:
            raise _not_understood("It is not clear which of the names belongs to which figure.")
        return self._one_change(second, list(sets[0]), own, per, False, new, old, None, higher)

    def _from_to(self, first: Item, second: Item) -> tuple[Item, Item, list[Item], bool] | None:
        """The figures of "from X to Y" (new, old), the names of the old side, whether it is a rise."""
        ups, downs = self.of("change_up", "direction_up"), self.of("change_down", "direction_down")
        if bool(ups) == bool(downs) or self.of("ratio", "percent"):
            return None
        opens = [t for t in range(first.first) if self.tokens[t].has("change_from")]
        turns = [t for t in range(first.last + 1, second.first) if self.tokens[t].has("change_to")]
        if len(opens) != 1 or len(turns) != 1:
            return None
        names = [*self._mentions(), *self.of("prior_round")]
        return second, first, [i for i in names if opens[0] < i.first < turns[0]], bool(ups)

    def _against(self, first: Item, second: Item) -> tuple[Item, Item, list[Item], bool] | None:
        """The figures of "A beats B with X against Y" (new, old), the names of B, whether A is ahead."""
        markers = self.of("direction_up", "direction_down")
        if len(markers) != 1 or self.of("ratio", "percent", "change_up", "change_down"):
            return None
        (marker,) = markers
        if first.last < marker.first < second.first:
            # "A (121,818 tokens/s) beat B (109,368 tokens/s)"
            rest = [*self._mentions(), *self.of("prior_round")]
            base = [i for i in rest if marker.last < i.first < second.first]
            return first, second, base, marker.kind == "direction_up"
        between = [i for i in self._between(first, second) if not self._ignorable(i)]
        if marker.last > first.first or [i.kind for i in between] != ["compare"]:
            return None
        names = [*self._mentions(), *self.of("prior_round")]
        return first, second, [i for i in names if marker.last < i.first < first.first], marker.kind == "direction_up"

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
            raise _not_understood(f"The value “{text}” is not a number as it would be printed.", [text])
        return items[0].amount

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
                    Term(_printed_count(count), "accelerators"),
                    Term(each[0].amount.number, f"{each[0].unit or ''}/accelerator", each[0].amount.relation),
                )
            )
        return CompoundAssertion(tuple(parts), tuple(arithmetic), tuple(labels))

    def _arithmetic(self) -> Assertion | None:
        """ "17 nodes of 4 GPUs each are 68 GPUs": counts alone."""
        counts = [i for i in self.items if i.kind == "count" and i.count is not None]
        if self.of("value") or self.of("ratio", "percent"):
            return None
        nodes = [c for c in counts if c.value == "nodes"]
        gpus = [c for c in counts if c.value == "accelerators"]
        if len(nodes) != 1 or len(gpus) != 2:
            return None
        self.demand("count", "noun")

        low, high = sorted(int(c.count or 0) for c in gpus)
        return ArithmeticAssertion(
            Term(_printed_count(int(nodes[0].count or 0)), "nodes"),
            "×",
            Term(_printed_count(low), "accelerators per node"),
            Term(_printed_count(high), "accelerators"),
        )

    def _extent(self) -> Assertion:
        self.demand("largest", "count", "superlative")
        amounts = {i.value: i.amount or Amount(_printed_count(i.count or 0)) for i in self.of("count")}
        if not amounts or set(amounts) - {"nodes", "accelerators"}:
            raise _not_understood("The claim gives no size of the largest system.")
        rest = [i for i in self._mentions() if i.kind != "count"]
        return ExtentAssertion(self.selection(self.slots(rest)), amounts.get("accelerators"), amounts.get("nodes"))

    def _count(self, counted: list[Item]) -> Assertion:
        self.demand("count", "counted", "submit", "noun", "scope")
        parts: list[Assertion] = []
        rest = [i for i in self._mentions() if i not in counted]
        for item in counted:
            amount = item.amount or Amount(_printed_count(item.count or 0))
            parts.append(CountAssertion(self.selection(self.slots(rest)), Countable(item.value), amount))
        return self._compound(parts)

    def _status(self) -> Assertion:
        self.demand("submit", "noun", "scope")
        rest = [i for i in self._mentions() if i.kind != "availability"]
        wanted = {i.value for i in self.of("availability")}
        if len(wanted) != 1 or self.of("count"):
            raise _not_understood("The claim names more than one availability.", sorted(wanted))
        selection = replace(self.selection(self.slots(rest)), availability=None)
        return StatusAssertion(selection, availability=wanted.pop())

    def _coverage(self, *, negated: bool) -> Assertion:
        self.demand(
            "submit",
            "noun",
            "scope",
            "count",
            "both",
            "all_scenarios",
            "submit_negation",
            *(("negation",) if negated else ()),
        )
        hardware = list(dict.fromkeys(i.value for i in self.of("hardware")))
        models = list(dict.fromkeys(i.value for i in self.of("model")))
        scenarios = list(dict.fromkeys(i.value for i in self.of("scenario")))
        if self.of("both"):
            scenarios = scenarios or ["Offline", "Server"]
        counts = {i.value: i.count for i in self.of("count")}
        if set(counts) - {"platforms", "models", "scenarios", "systems"} or not (hardware or models or counts):
            raise _not_understood("The claim does not say what was submitted.")
        rest = [i for i in self._mentions() if i.kind not in ("hardware", "model", "scenario", "count")]
        every = any(i.kind == "scope" and self.words(i).lower() in ("all", "every", "所有", "全部") for i in self.items)
        each = any(t.text.lower() == "each" for t in self.tokens)
        submitters = list({i.value: i for i in rest if i.kind == "submitter"}.values())
        shared = [i for i in rest if i.kind != "submitter"]
        # "Giga Computing and QCT submitted Whisper": each of them did.
        return self._compound(
            [
                CoverageAssertion(
                    self.selection(self.slots([*shared, *whose])),
                    tuple(hardware),
                    tuple(self.model_ids((m,)) for m in models),
                    tuple(scenarios),
                    product=not negated and bool(models and hardware) and (every or each or not counts),
                    negated=negated,
                    hardware_count=counts.get("platforms") or counts.get("systems"),
                    model_count=counts.get("models"),
                )
                for whose in ([[s] for s in submitters] or [[]])
            ]
        )

    def _scaling(self) -> Assertion:
        self.demand("scaling", "percent", "count", "number", "from_to", "compare")
        sizes = sorted(
            {int(i.count) for i in self.of("count") if i.count and i.value in ("accelerators", "nodes")}
            | {int(i.amount.number.value) for i in self.of("number") if i.amount}
        )
        if len(sizes) != 2:
            raise _not_understood("A scaling claim needs the size of the small and of the large system.")
        by = Per.NODE if any(i.value == "nodes" for i in self.of("count")) else Per.ACCELERATOR
        figures = self.of("percent")
        mentions = [i for i in self._mentions() if i.kind != "count"]
        parts: list[Assertion] = []
        for figure, sets in zip(figures, self.distribute(figures, mentions), strict=True):
            for chosen in sets:
                base = self.selection(self.slots(chosen))
                stated = base.stated | {"nodes" if by is Per.NODE else "accelerators"}
                small, large = (
                    replace(base, nodes=n, stated=stated)
                    if by is Per.NODE
                    else replace(base, accelerators=n, stated=stated)
                    for n in sizes
                )
                assert figure.amount is not None
                parts.append(ScalingAssertion(small, large, figure.amount, by))
        return self._compound(parts)

    # ---------------------------------------------------------------- change
    def _change(self, figures: list[Item], *, best: bool) -> Assertion:
        self.demand(
            "ratio",
            "percent",
            "value",
            "number",
            "count",
            "change_up",
            "change_down",
            "difference",
            "compare",
            "direction_up",
            "direction_down",
            "both",
            "all_scenarios",
            "prior_round",
            "noun",
            "scope",
            "superlative" if best else "ratio",
            "submit",
            "from_to",
            "own_side",
        )
        if any(i.kind == "from_to" and not self._ignorable(i) for i in self.items):
            raise self._leftover([i for i in self.items if i.kind == "from_to"])
        marker, begin, end = self._baseline_range(figures)
        before = [i for i in self.items if not begin <= i.first < end]
        inside = [i for i in self.items if begin <= i.first < end]
        subject_slots = {self._key(i) for i in before if i in self._mentions()}
        first_group = True
        shared: list[Item] = []
        baseline: list[Item] = []
        in_mentions = set(map(id, self._mentions()))
        for item in inside:
            if item.kind == "prior_round":
                baseline.append(item)
                continue
            if item.kind == "own_side" and not any(i.kind == "submitter" for i in inside):
                baseline.append(self._own_side(item, subject_slots))
                continue
            if id(item) not in in_mentions:
                if item.kind not in ("list", "comma", "noun") and baseline:
                    first_group = False
                continue
            key = self._key(item)
            filled = key in subject_slots or (key == "round" and self.field("round") is not None)
            if (not baseline and first_group) or filled or (key.startswith("count") and not shared):
                baseline.append(item)
            else:
                shared.append(item)
        if not baseline and not isinstance(self.field("baseline"), Mapping):
            raise _not_understood("The claim does not say what the change is measured against.")
        values = self.of("value")
        numbers = self.of("number")
        if numbers:
            if len(values) != 1 or len(numbers) != 1:
                raise _not_understood("A number has no unit.", [self.words(n) for n in numbers])
            numbers = [replace(numbers[0], kind="value", unit=values[0].unit, per=values[0].per)]
            values = sorted([*values, *numbers], key=lambda i: i.first)
        if len(values) > 2 or (
            len(values) == 1
            and not self._goes_with(values[0], figures, before)
            and not self._bracketed(values[0], begin, end)
        ):
            raise _not_understood(
                "It is not clear what the figures beside the comparison belong to.", [self.words(v) for v in values]
            )
        subject_value = next((v for v in values if not begin <= v.first < end), None)
        baseline_value = next((v for v in values if begin <= v.first < end), None)
        if len(values) == 2 and (subject_value is None or baseline_value is None):
            raise _not_understood(
                "It is not clear which figure belongs to which side.", [self.words(v) for v in values]
            )
        per = self._free_per(values)
        if values and values[0].per is not None:
            per = values[0].per
        subject_mentions = [i for i in before if id(i) in in_mentions] + shared
        parts: list[Assertion] = []
        targets = figures or [self.of("direction_up", "direction_down")[0]]
        for figure, sets in zip(targets, self.distribute(targets, subject_mentions), strict=True):
            for chosen in sets:
                parts.append(
                    self._one_change(figure, list(chosen), baseline, per, best, subject_value, baseline_value, marker)
                )
        return self._compound(parts)

    def _bracketed(self, value: Item, begin: int, end: int) -> bool:
        """Whether a lone figure stands in brackets behind the baseline: "twice that of GB300 (596,944 tokens/s)"."""
        opens = value.first and self.tokens[value.first - 1].text in ("(", "（")
        return bool(opens) and any(i.last == value.first - 2 for i in self._mentions()) and begin <= value.first < end

    def _own_side(self, item: Item, subject: set[str]) -> Item:
        """ "ours" as the baseline of another submitter's result: whoever the text speaks for."""
        speaker = self.defaults.get("submitter")
        if not isinstance(speaker, str) or "submitter" not in subject:
            raise _not_understood("Whose result the change is measured against is not said.", [self.words(item)])
        (own,) = self.names("submitter", speaker)
        return replace(item, kind="submitter", value=own, options=(own,))

    def _goes_with(self, value: Item, figures: Sequence[Item], subject: Sequence[Item]) -> bool:
        """Whether a lone figure is of the same result as the ratio: "1,183,327 tokens/s, 1.74x GB300 NVL72"."""
        mentions = self._mentions()
        several = {(i.kind, i.value) for i in subject if i in mentions and i.kind in ("model", "scenario")}
        kinds = [kind for kind, _ in several]
        return (
            len(figures) == 1
            and value.first < figures[0].first
            and len(kinds) == len(set(kinds))
            and not self.of("both", "all_scenarios")
        )

    def _baseline_range(self, figures: list[Item]) -> tuple[Item | None, int, int]:
        """Tokens [begin, end) of the baseline's own words, and the sign that opens it."""
        size = len(self.tokens)
        mentions = self._mentions()
        opening = [
            i
            for i in self.of("compare", "direction_up", "direction_down")
            if not (self._ignorable(i) or self.words(i).lower() == "from")
        ]
        ends = self._ends()
        if ends is not None:
            return None, ends.first, ends.last + 1
        for figure in figures:
            run = self._chinese_baseline(figure)
            if run is not None:
                return None, run.first, figure.first
        for marker in opening:
            # "与 v6.0 相比": the baseline stands before the sign.
            if self.words(marker) in ("相比", "相比之下", "相较", "比较", "对比"):
                opener = next(
                    (
                        i
                        for i in reversed(self.items)
                        if i.kind == "list" and i.first < marker.first and self.words(i) in ("与", "和", "跟")
                    ),
                    None,
                )
                between = [i for i in self.items if opener and opener.last < i.first < marker.first]
                if opener is not None and between and all(i in mentions or i.kind == "prior_round" for i in between):
                    return marker, opener.last + 1, marker.first
            following = [i for i in self.items if i.first > marker.last and i.kind not in ("comma",)]
            target = next((i for i in following if i in mentions or i.kind in ("prior_round", "own_side")), None)
            if target is None:
                continue
            if any(i.kind in ("ratio", "percent") for i in following[: following.index(target)]):
                continue
            end = size
            later = [f for f in figures if f.first > target.first]
            changes = [i for i in self.of("change_up", "change_down") if i.first > target.last]
            if later:
                end = min([later[0].first, *(c.first for c in changes)])
            if not any(i in mentions for i in self.items if i.first < marker.first):
                comma = next((i for i in self.of("comma") if i.first > target.last), None)
                if comma is not None:
                    end = min(end, comma.first)
            return marker, marker.last + 1, end
        for figure in figures:
            position = self.items.index(figure)
            if position + 1 < len(self.items):
                following_item = self.items[position + 1]
                if following_item in mentions and following_item.kind in ("hardware", "round", "count", "submitter"):
                    return None, figure.last + 1, size
                if following_item.kind == "prior_round":
                    return None, figure.last + 1, size
                # "1.74x the DeepSeek-R1 Offline throughput of GB300 NVL72"
                for item in self.items[position + 1 :]:
                    if item.kind in ("model", "scenario", "per"):
                        continue
                    if (
                        item in mentions
                        and item.kind in ("hardware", "submitter")
                        and (self.tokens[item.first - 1].text.lower() == "of")
                    ):
                        return None, item.first, size
                    break
        return None, size, size

    def _ends(self) -> Item | None:
        """The first of the two names in "from v6.0 to v6.1"."""
        for token, after in pairwise(i for i in self.items if i.kind not in ("comma",) and not self._ignorable(i)):
            if token.kind != after.kind or token.kind not in ("round", "hardware"):
                continue
            opens = token.first and self.tokens[token.first - 1].has("change_from")
            turns = [t for t in range(token.last + 1, after.first) if self.tokens[t].has("change_to")]
            if opens and turns:
                return token
        return None

    def _chinese_baseline(self, figure: Item) -> Item | None:
        """The first name of the baseline in "是其 GB200 NVL72 的 1.3 倍"."""
        if figure.kind != "ratio" or not is_cjk(self.tokens[figure.last].text[0]):
            return None
        run: Item | None = None
        for item in reversed(self.items[: self.items.index(figure)]):
            if item.kind not in ("hardware", "round", "submitter", "count", "prior_round"):
                break
            run = item
            before = self.tokens[item.first - 1] if item.first else None
            if before is not None and before.has("is_words"):
                return run if self.tokens[figure.first - 1].text == "的" else None
        return None

    def _one_change(
        self,
        figure: Item,
        chosen: list[Item],
        baseline_items: list[Item],
        per: Per | None,
        best: bool,
        subject_value: Item | None,
        baseline_value: Item | None,
        marker: Item | None,
        rise: bool | None = None,
    ) -> ChangeAssertion:
        """One change. `rise` is given where two figures tell it and no ratio does."""
        slots = self.slots(chosen)
        subject = self.selection(slots)
        own = self.slots([i for i in baseline_items if i.kind != "prior_round"])
        if "scenario" in own.values and "scenario" not in slots.values:
            slots.values["scenario"] = own.values["scenario"]
        merged = slots.merged(own)
        stated: set[str] = set()
        if "hardware" in own.values and own.accelerators is None and slots.whole_rack:
            merged.accelerators, merged.whole_rack = None, False
        baseline = self.selection(merged)
        if any(i.kind == "prior_round" for i in baseline_items):
            baseline = replace(baseline, rounds=(self._prior(subject),))
            stated.add("rounds")
        stated |= {_MENTION_SLOTS[k] for k in own.values}
        if own.accelerators is not None:
            stated.add("accelerators")
        if own.nodes is not None:
            stated.add("nodes")
        extra = self.field("baseline")
        if isinstance(extra, Mapping):
            values, own_stated = self._restrictions("baseline", extra)
            stated |= own_stated
            baseline = replace(baseline, **values)
        if "rounds" in stated and "round" in own.values:
            baseline = replace(baseline, rounds=own.values["round"])
        if "submitters" in stated and "submitter" in own.values:
            baseline = replace(baseline, submitters=own.values["submitter"])
        if "accelerators" in stated and "accelerators" in self.fields and own.accelerators is not None:
            baseline = replace(baseline, accelerators=own.accelerators)
        form, higher, wording = self._form(figure, marker) if rise is None else (ChangeForm.DIRECTION, rise, False)
        amount = figure.amount if rise is None else None
        bounding = any(self.words(i).lower() in ("within", "以内") for i in self.of("difference"))
        if form is ChangeForm.DIFFERENCE and amount is not None and bounding and amount.relation is Relation.EQUAL:
            amount = replace(amount, relation=Relation.AT_MOST)
        return ChangeAssertion(
            subject,
            baseline,
            form,
            amount,
            per,
            best,
            higher,
            frozenset(stated),
            wording,
            subject_value.amount if subject_value else None,
            baseline_value.amount if baseline_value else None,
            subject_value.unit if subject_value else None,
            any(v is not None and v.per is not None for v in (subject_value, baseline_value)),
        )

    def _prior(self, selection: Selection) -> str:
        """The round before: of those that are known to exist and those that are held."""
        if len(selection.rounds) != 1:
            raise _not_understood("“The previous round” of which round is not said.", code="round-not-stated")
        suite, number = selection.rounds[0].rsplit("-v", 1)
        known = self.vocabulary.suites.get(suite)
        numbers = {*(known.rounds if known is not None else ())}
        numbers |= {r.rsplit("-v", 1)[-1] for r in self.rounds if r.startswith(f"{suite}-v")}
        order = sorted(numbers, key=lambda n: [int(part) for part in n.split(".")])
        if number not in order or order.index(number) == 0:
            raise _not_understood("The round before this one is not known.", code="round-not-stated")
        return f"{suite}-v{order[order.index(number) - 1]}"

    def _form(self, figure: Item, marker: Item | None) -> tuple[ChangeForm, bool, bool]:
        up, down, difference = self.of("change_up"), self.of("change_down"), self.of("difference")
        if figure.kind in ("direction_up", "direction_down"):
            return ChangeForm.DIRECTION, figure.kind == "direction_up", False
        if self._about_latency() and up and not difference:
            words = [self.words(i) for i in up if self.words(i).lower() not in ("faster", "better", "快", "更快")]
            if words:
                raise _not_understood("A latency that goes up is not understood as a change.", words)
        if up and down and not difference:
            raise _not_understood("The claim speaks of a rise and of a fall.", [self.words(i) for i in (*up, *down)])
        if figure.kind == "ratio":
            below = [*down, *self.of("direction_down")]
            if below:
                raise _not_understood("“x lower” is not understood.", [self.words(i) for i in below])
            higher_words = any(
                self.words(i).lower() in ("higher", "faster", "more", "better", "greater", "高", "快", "高出")
                for i in up
            )
            return ChangeForm.RATIO, True, higher_words
        if difference:
            return ChangeForm.DIFFERENCE, True, False
        behind = [i for i in (*down, *self.of("direction_down")) if self.words(i).lower().split()[0] in _SLOW]
        if behind and not {i.value for i in self.of("scenario")} & {"Offline", "Server", "Interactive"}:
            # Of a latency, slower is more.
            raise _not_understood(
                "Slower is understood of a throughput only: name its scenario.", [self.words(behind[0])]
            )
        if up and self.of("direction_down"):
            raise _not_understood("The claim speaks of a rise and of a fall.", [self.words(figure)])
        if down or self.of("direction_down"):
            return ChangeForm.REDUCTION, False, False
        if up or self.of("direction_up"):
            return ChangeForm.GAIN, True, False
        after = self.tokens[figure.last + 1].text.lower() if figure.last + 1 < len(self.tokens) else ""
        if after in ("of", "的"):
            return ChangeForm.SHARE, True, False
        if marker is not None and self.words(marker).lower() == "over":
            return ChangeForm.GAIN, True, False
        raise _not_understood(
            "It is not clear whether the percentage is a share, a gain or a loss.", [self.words(figure)]
        )

    # ---------------------------------------------------------------- superlatives
    def _superlative(self, signs: list[Item]) -> Assertion:
        self.demand(
            "superlative",
            "rank",
            "top_n",
            "scope",
            "any_hardware",
            "value",
            "count",
            "both",
            "all_scenarios",
            "noun",
            "latency",
            "submit",
            "compare",
            "direction_up",
        )
        compares = [i for i in self.of("compare", "direction_up") if not self._ignorable(i)]
        if compares and not self.of("scope", "any_hardware"):
            raise self._leftover(compares)
        sign = signs[0]
        machines = self.of("machine")
        if machines and {s.value for s in signs} & {"only", "first"}:
            raise self._leftover(machines)
        self._poor_end(signs)
        names = {s.value for s in signs if s.kind == "superlative"}
        kind = SuperlativeKind.TOP
        if "only" in names:
            kind = SuperlativeKind.ONLY
        elif "first" in names:
            kind = SuperlativeKind.FIRST
        rank = next((int(s.value) for s in signs if s.kind in ("rank", "top_n")), 1)
        scope_at = next((i.first for i in self.of("scope", "group", "any_hardware") if i.first > sign.first), None)
        subject_items: list[Item] = []
        scope_items: list[Item] = []
        for item in self._mentions():
            after = item.first > sign.first
            in_scope = scope_at is not None and after and item.first > scope_at
            if item.kind == "group":
                scope_items.append(item)
            elif item.kind in ("hardware", "count"):
                if not after:
                    subject_items.append(item)
                elif in_scope:
                    scope_items.append(item)
                else:
                    subject_items.append(item)
                    scope_items.append(item)
            elif item.kind in ("submitter", "machine"):
                subject_items.append(item)
            else:
                subject_items.append(item)
                scope_items.append(item)
        values = self.of("value")
        if len(values) > 1:
            raise _not_understood(
                "A place in a ranking with several figures is not understood.", [self.words(v) for v in values]
            )
        per = self._free_per(values)
        if values and values[0].per is not None:
            per = values[0].per
        parts: list[Assertion] = []
        hardware = [i for i in subject_items if i.kind == "hardware"]
        siblings = tuple(dict.fromkeys(i.value for i in self._merge_hardware(hardware))) if len(hardware) > 1 else ()
        scope_hardware = [i for i in scope_items if i.kind == "hardware"]
        for sets in self.distribute([sign], subject_items):
            for chosen in sets:
                subject = self.selection(self.slots(chosen))
                shared = [i for i in chosen if i.kind not in ("hardware", "submitter", "machine", "count")]
                own_hardware = [i for i in chosen if i.kind in ("hardware", "count") and i in scope_items]
                others = [i for i in scope_hardware if i not in subject_items]
                scope = self.selection(
                    self.slots([*shared, *own_hardware, *others, *(i for i in scope_items if i.kind == "group")]),
                    defaults=False,
                )
                scope = self._among(self._scope_defaults(scope, subject))
                amount = values[0].amount if values else None
                parts.append(
                    SuperlativeAssertion(
                        subject,
                        scope,
                        kind,
                        rank,
                        any(s.kind == "rank" for s in signs),
                        "lowest" in names,
                        per,
                        _at_least(amount) if kind is not SuperlativeKind.TOP else None,
                        amount if kind is SuperlativeKind.TOP else None,
                        values[0].unit if values else None,
                        bool(self.of("any_hardware")),
                        "record" in names or kind is SuperlativeKind.FIRST,
                        **({"siblings": siblings} if siblings else {}),
                    )
                )
        return self._compound(parts)

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

    def _about_latency(self) -> bool:
        if self.training and speaks_of_duration(self.normal):
            return True
        return any(word in self.normal.lower() for word in ("latenc", "response time", "延迟", "时延"))

    def _poor_end(self, signs: list[Item]) -> None:
        """The slow end of a ranking is not ranked, and "highest" of a latency is not the best."""
        words = {self.words(s).lower() for s in signs}
        latency = self._about_latency() or bool(
            {i.value for i in self.of("scenario")} & {"SingleStream", "MultiStream"}
        )
        poor = words & {"slowest", "最慢"}
        high = words & {"highest", "greatest", "most", "top", "peak", "max", "maximum", "最高", "最大"}
        if poor or (latency and high):
            raise _not_understood(
                "Which end of the ranking is meant is not understood where less is better.", sorted(poor or high)
            )
        submits = self.of("submit")
        only = [s for s in signs if s.value == "only"]
        if only and submits and only[0].first > submits[0].last:
            raise _not_understood("What “only” limits is not understood.", [self.words(only[0])])

    def _scope_defaults(self, scope: Selection, subject: Selection) -> Selection:
        """Round, suite, division, model and scenario say what is ranked, wherever they were stated."""
        return replace(
            scope,
            rounds=scope.rounds or subject.rounds,
            suite=scope.suite or subject.suite,
            division=scope.division or subject.division,
            models=scope.models or subject.models,
            scenarios=scope.scenarios or subject.scenarios,
            submitters=(),
            result_ids=(),
        )

    # ---------------------------------------------------------------- field form
    def _from_fields(self) -> Assertion:
        """A claim given field by field."""
        kind = str(self.field("kind") or ("change" if isinstance(self.field("baseline"), Mapping) else "value"))
        build = {
            "value": self._value_from_fields,
            "change": self._change_from_fields,
            "count": self._count_from_fields,
            "submitted": self._coverage_from_fields,
            "not-submitted": self._coverage_from_fields,
            "extent": self._extent_from_fields,
            "status": self._status_from_fields,
            "scaling": self._scaling_from_fields,
            "sum": self._sum_from_fields,
            "arithmetic": self._arithmetic_from_fields,
        }.get(kind, self._superlative_from_fields if kind in _RECORDS else None)
        if build is None:
            raise self._no_field_form(kind)
        # Words that stand beside the fields and that no other reading took must not be passed over.
        if self.items:
            raise self._leftover(self.items)
        return build(kind, self.selection(_Slots()))

    def _no_field_form(self, kind: str) -> NotUnderstoodError:
        return _not_understood(
            f"Claims of the kind “{kind}” are not supported in this form.", [kind], code="kind-not-supported"
        )

    def _use(self, name: str) -> FieldValue:
        """A field's value, which thereby has its part in the claim."""
        self.accounted.add(name)
        return self.field(name)

    def _amount_from_fields(self) -> Amount | None:
        """`value` with its `relation` and `upper`."""
        value = self._use("value")
        if value is None:
            return None
        amount = self._amount_of(str(value))
        relation, upper = self._use("relation"), self._use("upper")
        if relation:
            amount = replace(amount, relation=Relation(str(relation)))
        if upper is not None:
            amount = replace(amount, upper=self._amount_of(str(upper)).number)
        return amount

    def _measure_from_fields(self) -> tuple[str | None, Per | None]:
        """`unit` and `per`; the unit may bring its divisor."""
        unit, per = None, None
        text = self._use("unit")
        if text is not None and self.training:
            text, self.chip_time = without_chips(str(text))
        if text is not None:
            unit, per = self._unit_of(str(text))
        divisor = self._use("per")
        return unit, Per(str(divisor)) if divisor else per

    def _value_from_fields(self, kind: str, selection: Selection) -> Assertion:
        amount = self._amount_from_fields()
        if amount is None:
            raise _not_understood("The claim has no value.")
        unit, per = self._measure_from_fields()
        return ValueAssertion(selection, amount, unit, per or Per.SYSTEM, per is not None)

    def _change_from_fields(self, kind: str, selection: Selection) -> Assertion:
        extra, value = self._use("baseline"), self.field("value")
        amount = self._amount_from_fields()
        if not isinstance(extra, Mapping) or value is None:
            raise _not_understood("A change needs a value and a baseline.")
        values, stated = self._restrictions("baseline", extra)
        unit = str(self.field("unit"))
        percent = "%" in str(value) or unit in ("%", "percent")
        if unit in ("%", "percent") or (unit in ("x", "×", "times") and not percent):
            self.accounted.add("unit")
        per = self._use("per")
        return ChangeAssertion(
            selection,
            replace(selection, **values),
            ChangeForm.GAIN if percent else ChangeForm.RATIO,
            amount,
            Per(str(per)) if per else None,
            bool(self._use("best")),
            True,
            frozenset(stated),
        )

    def _superlative_from_fields(self, kind: str, selection: Selection) -> Assertion:
        scope = Selection(
            rounds=selection.rounds,
            suite=selection.suite,
            division=selection.division,
            models=selection.models,
            scenarios=selection.scenarios,
        )
        threshold = self._use("threshold")
        limit = self._amount_of(str(threshold)) if threshold is not None else None
        relation = self.field("relation")
        if limit is not None and relation:
            limit = replace(limit, relation=Relation(str(relation)))
            self.accounted.add("relation")
        unit, per = self._measure_from_fields()
        return SuperlativeAssertion(
            selection,
            self._among(scope),
            {"only": SuperlativeKind.ONLY, "first": SuperlativeKind.FIRST}.get(kind, SuperlativeKind.TOP),
            int(str(self._use("rank") or 1)),
            False,
            kind == "lowest",
            per,
            _at_least(limit),
            self._amount_from_fields(),
            unit,
            False,
            kind == "first",
        )

    def _count_from_fields(self, kind: str, selection: Selection) -> Assertion:
        amount, what = self._amount_from_fields(), str(self._use("unit"))
        if amount is None or what not in _COUNTED:
            raise self._no_field_form(kind)
        return CountAssertion(selection, Countable(what), amount)

    def _coverage_from_fields(self, kind: str, selection: Selection) -> Assertion:
        models = self.field("model")
        hardware = self.field("system") or self.field("accelerator")
        every = bool(self._use("all_models"))
        if every and (models or kind != "submitted"):
            raise _not_understood("all_models says that every benchmark was submitted; name no model beside it.")
        if self.field("value") is not None:
            return self._covered_count(selection, every=every)
        listed = models if isinstance(models, tuple) else ((str(models),) if models else ())
        return CoverageAssertion(
            replace(selection, models=(), hardware=(), scenarios=()),
            self.names("system", hardware) if hardware else (),
            tuple(self.model_ids(self.names("model", m)) for m in listed),
            selection.scenarios,
            product=bool(models and hardware),
            negated=kind == "not-submitted",
            all_models=every,
        )

    def _own_counts(self) -> dict[str, Amount]:
        """The claim's own `accelerators` and `nodes` as figures that it claims, with its `relation`."""
        given = {name: self.fields.get(name) for name in ("accelerators", "nodes")}
        amounts = {name: Amount(_printed_count(int(str(n)))) for name, n in given.items() if n is not None}
        relation = self._use("relation") if amounts else None
        if relation:
            amounts = {name: replace(amount, relation=Relation(str(relation))) for name, amount in amounts.items()}
        return amounts

    def _extent_from_fields(self, kind: str, selection: Selection) -> Assertion:
        """The size of the largest system: `accelerators` and `nodes` are claimed and do not restrict."""
        amounts = self._own_counts()
        if not amounts:
            raise _not_understood("The extent of the largest system needs accelerators, nodes or both.")
        free = replace(selection, accelerators=None, nodes=None, stated=selection.stated - {"accelerators", "nodes"})
        return ExtentAssertion(free, amounts.get("accelerators"), amounts.get("nodes"))

    def _status_from_fields(self, kind: str, selection: Selection) -> Assertion:
        """Own `availability` and `division` are claimed; those of the defaults restrict the rows."""
        availability, division = self.fields.get("availability"), self.fields.get("division")
        if availability is None and division is None:
            raise _not_understood("A status needs availability or division, in the claim itself.")
        return StatusAssertion(
            selection,
            str(availability).lower() if availability is not None else None,
            str(division).lower() if division is not None else None,
        )

    def _scaling_from_fields(self, kind: str, selection: Selection) -> Assertion:
        """The claim's size is the large system's, that of `baseline` the small one's."""
        extra, amount = self.field("baseline"), self._amount_from_fields()
        if not isinstance(extra, Mapping) or amount is None:
            raise _not_understood("A scaling needs a value, and the small system under baseline.")
        values, stated = self._restrictions("baseline", extra)
        others = sorted(stated - {"accelerators", "nodes", "hardware", "result_ids"})
        if others:
            raise _not_understood("The two sizes of a scaling differ in nothing but their size.", others)
        divisor = self._use("per")
        sizes = [name for name in ("accelerators", "nodes") if values.get(name) and getattr(selection, name)]
        by = {"accelerators": Per.ACCELERATOR, "nodes": Per.NODE}
        if not sizes or (divisor and Per(str(divisor)) not in by.values()):
            raise _not_understood("A scaling needs accelerators (or nodes) of the large and of the small system.")
        counted = next((name for name in sizes if by[name] == (divisor or by[sizes[0]])), None)
        if counted is None or values[counted] >= getattr(selection, counted):
            raise _not_understood("The system under baseline has to be the smaller one.")
        small = replace(selection, **{"accelerators": None, "nodes": None, **values})
        return ScalingAssertion(small, selection, amount, by[counted], self._percent_or_factor())

    def _percent_or_factor(self) -> str:
        """The unit of a scaling: `%` of the ideal, or `x` for the growth itself."""
        signs = [i.kind for text in (self.field("value"),) for i in self._items_of(str(text))]
        unit = self._use("unit")
        if unit is not None:
            signs += [i.kind for i in self._items_of(f"1 {unit}")]
        found = {"percent": "%", "ratio": "x"}
        known = {found[sign] for sign in signs if sign in found}
        if len(known) != 1 or (unit is not None and signs[-1] not in found):
            raise _not_understood("A scaling is a percentage (%) or a factor (x).")
        return known.pop()

    def _sum_from_fields(self, kind: str, selection: Selection) -> Assertion:
        amount, parts = self._amount_from_fields(), self._use("parts")
        if amount is None or not isinstance(parts, tuple) or len(parts) < 2:
            raise _not_understood("A sum needs a value and parts, the results that are added up.")
        unit, per = self._measure_from_fields()
        if per not in (None, Per.SYSTEM):
            raise _not_understood("A sum adds up the results of whole systems; it has no divisor.", ["per"])
        chosen = []
        for part in parts:
            if not isinstance(part, Mapping):
                raise _not_understood("A part of a sum is a mapping of fields.", [str(part)])
            values, stated = self._restrictions("parts", part)
            chosen.append(replace(selection, **values, stated=selection.stated | stated))
        return SumAssertion(tuple(chosen), amount, unit)

    def _arithmetic_from_fields(self, kind: str, selection: Selection) -> Assertion:
        amount, operands, operator = self._amount_from_fields(), self._use("operands"), self._use("operator")
        if amount is None or operator is None or not isinstance(operands, tuple) or len(operands) != 2:
            raise _not_understood("Arithmetic needs a value, two operands and an operator.")
        if amount.upper is not None or amount.relation is Relation.BETWEEN:
            raise _not_understood("The result of a calculation is one figure.", ["relation"])
        left, right = (self._term(str(operand)) for operand in operands)
        unit = self._use("unit")
        share, gain = operator == "share", operator == "gain"
        result = Term(amount.number, "%" if share or gain else str(unit or ""), amount.relation)
        if (share or gain) and unit not in (None, "%", "percent"):
            raise _not_understood("A share or a gain is a percentage.", [str(unit)])
        return ArithmeticAssertion(left, "×" if operator == "multiply" else "÷", right, result, share, gain)

    def _term(self, text: str) -> Term:
        """An operand as printed: a figure, perhaps with a unit or the name of what is counted."""
        items = self._items_of(text)
        if len(items) == 1:
            (item,) = items
            amount = item.amount or (Amount(_printed_count(item.count)) if item.count is not None else None)
            if amount is not None and amount.upper is None:
                unit = {"number": "", "percent": "%", "ratio": "x", "value": item.unit}.get(item.kind, item.value)
                divisor = f"/{item.per.value}" if item.per is not None else ""
                return Term(amount.number, f"{unit or ''}{divisor}", amount.relation)
        raise _not_understood(f"The operand “{text}” is not a figure as it would be printed.", [text])

    def _covered_count(self, selection: Selection, *, every: bool) -> Assertion:
        """ "On four platforms": how many models or platforms results exist for."""
        amount, what = self._amount_from_fields(), str(self._use("unit"))
        whole = amount is not None and amount.number.value == int(amount.number.value)
        if every or amount is None or not whole or amount.relation is not Relation.EQUAL:
            raise _not_understood("How many models or platforms were submitted is one whole number.")
        if what not in ("models", "platforms") or selection.models or selection.hardware or selection.scenarios:
            raise _not_understood(
                "Of what was submitted, models and platforms are counted, over all that the submitter has.", [what]
            )
        count = int(amount.number.value)
        return CoverageAssertion(
            selection,
            hardware_count=count if what == "platforms" else None,
            model_count=count if what == "models" else None,
        )

    def _unit_of(self, text: str) -> tuple[str, Per | None]:
        items = self._items_of(f"1 {text}")
        if len(items) != 1 or items[0].unit is None:
            raise _not_understood(f"The unit “{text}” is not known.", [text], self.vocabulary.suggest("unit", text))
        return items[0].unit, items[0].per
