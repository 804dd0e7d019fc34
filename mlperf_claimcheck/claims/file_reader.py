"""From the tree of a claim file to its claims: every key and value is checked against the list of fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mlperf_claimcheck.claims.fields import (
    CLAIM_FIELDS,
    COUNT,
    DEFAULTS_FIELDS,
    FIGURE_SIGNS,
    FILE_FIELDS,
    MAX_PARTS,
    MAX_TEXT,
    MEANT,
    OUTCOMES,
    SELECTION_FIELDS,
    SOURCE_FIELDS,
    FieldKind,
    FieldSpec,
)
from mlperf_claimcheck.claims.file_errors import ClaimFileError, ClaimFileErrors, listed, nearest, quoted
from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput, FieldValue
from mlperf_claimcheck.claims.yaml_positions import (
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    parse_yaml,
    scalar_type,
)

MAX_ERRORS = 100
"""Faults reported of one file; the rest are counted."""

_ATTRIBUTES = frozenset({"id", "text", "note", "where"})
"""Fields that have a place of their own in `ClaimInput`."""


def read_claim_text(text: str, file: str, round: str | None = None) -> ClaimFile:
    """The claims of the YAML text of a claim file.

    `round` is the default round where the file's defaults give none. Raises `ClaimFileErrors` with all that is wrong.
    """
    try:
        root = parse_yaml(text, file)
    except ClaimFileError as error:
        raise ClaimFileErrors([error]) from None
    reader = Reader(file)
    found = reader.read(root, round)
    if reader.errors:
        raise ClaimFileErrors(reader.all_errors())
    assert found is not None
    return found


@dataclass(slots=True)
class Reader:
    """Collects the faults of one file while its keys and values are read."""

    file: str
    errors: list[ClaimFileError] = field(default_factory=list)
    more: int = 0

    # ---- faults ----

    def fault(self, node: Node, message: str, hint: str = "") -> None:
        """Note a fault at the place of `node`; beyond `MAX_ERRORS` they are only counted."""
        if len(self.errors) >= MAX_ERRORS:
            self.more += 1
            return
        self.errors.append(ClaimFileError(self.file, message, line=node.line, column=node.column, hint=hint))

    def all_errors(self) -> list[ClaimFileError]:
        """The faults, with how many more there are."""
        if not self.more:
            return self.errors
        return [*self.errors, ClaimFileError(self.file, f"{self.more:,} more faults are not listed")]

    def wrong_type(self, node: Node, what: str, expected: str, hint: str = "") -> None:
        """Note that `what` is of another type than expected."""
        self.fault(node, f"{what} is {_described(node)}; expected {expected}", hint)

    # ---- the file ----

    def read(self, root: Node | None, round: str | None) -> ClaimFile | None:
        """The claim file, or None where its root is no mapping."""
        start = ScalarNode("", True, 1, 1) if root is None else root
        if root is None or _empty(root):
            self.fault(
                start, "the file is empty; expected a claim file", 'Write "claims:" and below it "- " and a claim.'
            )
            return None
        if not isinstance(root, MappingNode):
            hint = 'Write "claims:" above the list.' if isinstance(root, SequenceNode) else 'Begin with "claims:".'
            self.wrong_type(root, "the file", "a mapping with the key claims", hint)
            return None
        keys = self.keys(root, tuple(FILE_FIELDS), "a key of a claim file")
        source = self.source(keys.get("source"))
        defaults = self.defaults(keys.get("defaults"))
        if round is not None and defaults.get("round") is None:
            defaults["round"] = round
        groups = self.groups(keys.get("groups"))
        expect = self.expect(keys.get("expect"))
        claims = self.claims(keys.get("claims"), root, defaults, expect)
        return ClaimFile(self.file, tuple(claims), source, groups)

    def source(self, node: Node | None) -> dict[str, FieldValue]:
        """The `source` block."""
        if node is None or _empty(node):
            return {}
        if not isinstance(node, MappingNode):
            self.wrong_type(node, "source", "a mapping such as {title: …, url: …, published: …}")
            return {}
        found = self.values(node, SOURCE_FIELDS, "a key of source")
        return {name: value for name, value in found.items() if value is not None}

    def defaults(self, node: Node | None) -> dict[str, FieldValue]:
        """The `defaults` block."""
        if node is None or _empty(node):
            return {}
        if not isinstance(node, MappingNode):
            self.wrong_type(node, "defaults", "a mapping of fields such as {round: v6.1, division: closed}")
            return {}
        return self.values(node, DEFAULTS_FIELDS, "a field of defaults")

    def groups(self, node: Node | None) -> dict[str, tuple[str, ...]]:
        """The `groups` block: name -> submitters."""
        groups: dict[str, tuple[str, ...]] = {}
        if node is None or _empty(node):
            return groups
        if not isinstance(node, MappingNode):
            self.wrong_type(node, "groups", "a mapping such as {cloud providers: [CoreWeave, Nebius]}")
            return groups
        seen: dict[str, str] = {}
        spec = FieldSpec("members", FieldKind.TEXT, "", many=True)
        for key, value in self.entries(node, "groups"):
            name = key.value.strip()
            what = f"the group {quoted(name)}"
            other = seen.get(name.casefold())
            if not name:
                self.fault(key, "the name of a group is empty")
            elif other is not None and other != key.value:
                self.fault(key, f"{what} and {quoted(other)} differ in upper and lower case only")
            seen[name.casefold()] = key.value
            members = self.value(value, spec, what)
            if members is None:
                if _empty(value):
                    self.fault(value, f"{what} has no members", "List its submitters: [CoreWeave, Nebius].")
            else:
                groups[name] = tuple(map(str, members)) if isinstance(members, tuple) else (str(members),)
        return groups

    def expect(self, node: Node | None) -> dict[str, tuple[str, ScalarNode]]:
        """The `expect` block: id -> expected verdict and the place of the id."""
        expect: dict[str, tuple[str, ScalarNode]] = {}
        if node is None or _empty(node):
            return expect
        if not isinstance(node, MappingNode):
            self.wrong_type(node, "expect", "a mapping such as {claim-1: pass}")
            return expect
        spec = FieldSpec("expect", FieldKind.CHOICE, "", choices={word: word for word in OUTCOMES})
        for key, value in self.entries(node, "expect"):
            outcome = self.value(value, spec, f"the expected verdict of {quoted(key.value)}")
            if isinstance(outcome, str):
                expect[key.value.strip()] = (outcome, key)
            else:
                expect[key.value.strip()] = ("", key)
                if _empty(value):
                    self.wrong_type(value, f"the expected verdict of {quoted(key.value)}", listed(OUTCOMES))
        return expect

    # ---- claims ----

    def claims(
        self,
        node: Node | None,
        root: MappingNode,
        defaults: Mapping[str, FieldValue],
        expect: Mapping[str, tuple[str, ScalarNode]],
    ) -> list[ClaimInput]:
        """The list of claims."""
        claims: list[ClaimInput] = []
        if node is None:
            self.fault(root, "the key claims is missing", 'Write "claims:" and below it "- " and a claim.')
            return claims
        if not isinstance(node, SequenceNode):
            hint = 'Begin each claim on a line of its own with "- ".'
            self.wrong_type(node, "claims", "a list of claims", hint)
            return claims
        if not node.items:
            self.fault(node, "claims is an empty list; nothing would be checked", 'Add a claim: - "…".')
            return claims
        ids: dict[str, int] = {}
        note, where = _text_or_none(defaults.get("note")), _text_or_none(defaults.get("where"))
        shared = {name: value for name, value in defaults.items() if value is not None and name not in _ATTRIBUTES}
        no_fields: Mapping[str, FieldValue] = {}
        for position, item in enumerate(node.items, 1):
            if isinstance(item, ScalarNode):
                text = self.text(item, "the claim")
                name = f"claim-{position}"
                self.new_id(name, item, ids)
                outcome = expect.get(name)
                claims.append(
                    ClaimInput(
                        name,
                        text,
                        no_fields,
                        shared,
                        self.file,
                        item.line,
                        item.column,
                        outcome[0] if outcome is not None else None,
                        note,
                        where,
                    )
                )
            elif isinstance(item, MappingNode):
                claims.append(self.claim(item, position, shared, defaults, expect, ids))
            else:
                self.wrong_type(
                    item, f"claim {position}", "a line of text or a mapping", "Put text that begins with [ in quotes."
                )
        for name, (_, key) in expect.items():
            if name not in ids:
                like = nearest(name, list(ids))
                hint = f"The nearest id is {quoted(like)}." if like else "Claims without an id are claim-1, claim-2 …"
                self.fault(key, f"expect names the id {quoted(name)}, which no claim of this file has", hint)
        return claims

    def claim(
        self,
        node: MappingNode,
        position: int,
        shared: Mapping[str, FieldValue],
        defaults: Mapping[str, FieldValue],
        expect: Mapping[str, tuple[str, ScalarNode]],
        ids: dict[str, int],
    ) -> ClaimInput:
        """One claim that is a mapping."""
        first: Node = node.entries[0][0] if node.entries else node
        if (first.line, first.column) < (node.line, node.column):
            first = node  # An alias: its keys stand elsewhere.
        faults = len(self.errors) + self.more
        values = self.values(node, CLAIM_FIELDS, "a field of a claim")
        name = _text_or_none(values.get("id")) or f"claim-{position}"
        self.new_id(name, first, ids)
        text = _text_or_none(values.get("text")) or ""
        fields = {key: value for key, value in values.items() if key not in _ATTRIBUTES}
        context = fields.pop("context", None)
        if isinstance(context, Mapping):
            shared = {key: value for key, value in {**shared, **context}.items() if value is not None}
        removed = [key for key, value in fields.items() if value is None and key in shared]
        kept = {key: value for key, value in shared.items() if key not in removed} if removed else shared
        if len(self.errors) + self.more == faults:
            self.whole(first, text, {**kept, **fields})
        outcome = expect.get(name)
        return ClaimInput(
            name,
            text,
            fields,
            kept,
            self.file,
            first.line,
            first.column,
            outcome[0] if outcome is not None else None,
            _text_or_none(values.get("note", defaults.get("note"))),
            _text_or_none(values.get("where", defaults.get("where"))),
        )

    def whole(self, node: Node, text: str, fields: Mapping[str, FieldValue]) -> None:
        """Whether the fields of a claim, each good in itself, make a claim together."""
        if not text and fields.get("value") is None and fields.get("kind") is None:
            self.fault(
                node,
                "the claim has neither text nor a value nor a kind, so it says nothing",
                'Add text: "…", or value: …, or kind: highest.',
            )
        upper, relation = fields.get("upper"), fields.get("relation")
        if upper is not None and fields.get("value") is None:
            self.fault(node, "upper is given without value", "Give the lower end of the range as value.")
        elif upper is not None and relation not in (None, "between"):
            self.fault(node, "upper is given, but relation is not between", "Write relation: between.")
        elif relation == "between" and upper is None and fields.get("value") is not None:
            self.fault(node, "relation is between, but upper is missing", "Give the upper end of the range as upper.")

    def new_id(self, name: str, node: Node, ids: dict[str, int]) -> None:
        """Note the id of a claim; one that stands twice is a fault."""
        if name not in ids:
            ids[name] = node.line
            return
        self.fault(
            node,
            f"two claims have the id {quoted(name)} (first in line {ids[name]})",
            "Give each claim an id of its own; a claim without one is claim-N by its place in the file.",
        )

    # ---- keys and values ----

    def entries(self, node: MappingNode, what: str) -> Iterable[tuple[ScalarNode, Node]]:
        """Keys and values, each key once; `<<` brings in the keys of other mappings that are not there."""
        own: dict[str, tuple[ScalarNode, Node]] = {}
        merged: list[Node] = []
        for key, value in node.entries:
            if key.value == "<<" and key.plain:
                merged.extend(value.items if isinstance(value, SequenceNode) else [value])
                continue
            earlier = own.get(key.value)
            if earlier is None:
                own[key.value] = (key, value)
            else:
                self.fault(
                    key,
                    f"the key {quoted(key.value)} stands twice in {what} (first in line {earlier[0].line})",
                    "Remove one of the two.",
                )
        for other in merged:
            if not isinstance(other, MappingNode):
                self.wrong_type(other, "what << brings in", "a mapping")
                continue
            for key, value in self.entries(other, what):
                own.setdefault(key.value, (key, value))
        return own.values()

    def keys(self, node: MappingNode, known: tuple[str, ...], what: str) -> dict[str, Node]:
        """The keys of the file itself, each one of `known`."""
        found: dict[str, Node] = {}
        for key, value in self.entries(node, "the file"):
            if key.value in known:
                found[key.value] = value
            else:
                self.unknown_key(key, known, what)
        return found

    def values(self, node: MappingNode, known: Mapping[str, FieldSpec], what: str) -> dict[str, FieldValue]:
        """The fields of a mapping, each of the type that `known` gives it."""
        found: dict[str, FieldValue] = {}
        for key, value in self.entries(node, what.replace("a key of ", "").replace("a field of ", "")):
            spec = known.get(key.value)
            if spec is None:
                self.unknown_key(key, tuple(known), what)
            else:
                found[key.value] = self.value(value, spec, key.value)
        return found

    def unknown_key(self, key: ScalarNode, known: tuple[str, ...], what: str) -> None:
        """Note a key that does not exist, with what was probably meant."""
        word = key.value.strip()
        if not word:
            self.fault(key, f"a key is empty; expected {what}", f"Known are {listed(known, 'and')}.")
            return
        message = f"{quoted(word)} is not {what}"
        if word == "expect":
            self.fault(key, message, "Put it at the top of the file, by id: expect: {claim-1: pass}.")
            return
        if word in CLAIM_FIELDS and "claims" not in known:
            self.fault(key, f"the field {word} cannot stand here: {message}")
            return
        if word in CLAIM_FIELDS:
            self.fault(key, message, "Put it under defaults, or into a claim.")
            return
        before, colon, _ = word.partition(":")
        if colon and before.strip() in known:
            self.fault(key, message, f'Write a space after the colon: "{before.strip()}: …".')
            return
        meant = MEANT.get(word.lower().replace("-", "_").replace(" ", "_"))
        like = nearest(word, known)
        if meant is not None and meant.split()[0] in known and (like is None or not _alike(word, like)):
            self.fault(key, message, f"Did you mean {meant}?")
        elif like is not None:
            self.fault(key, message, f"Did you mean {like}?")
        else:
            self.fault(key, message, f"Known are {listed(known, 'and')}.")

    def value(self, node: Node, spec: FieldSpec, what: str) -> FieldValue:
        """The value of a field; None for null, and for what is reported as a fault."""
        if isinstance(node, ScalarNode):
            if scalar_type(node) == "null":
                return None
            return self.scalar(node, spec, what)
        if isinstance(node, SequenceNode) and spec.kind is FieldKind.PARTS:
            return self.parts(node, what)
        if isinstance(node, SequenceNode) and (spec.many or spec.kind is FieldKind.AMONG):
            return self.list_of(node, spec, what)
        if isinstance(node, MappingNode) and spec.kind in (FieldKind.BASELINE, FieldKind.AMONG):
            if not node.entries:
                self.fault(node, f"{what} is an empty mapping")
                return None
            return self.values(node, SELECTION_FIELDS, f"a field of {what}")
        self.wrong_type(node, what, _EXPECTED[spec.kind] + (" or a list of such" if spec.many else ""))
        return None

    def parts(self, node: SequenceNode, what: str) -> FieldValue:
        """The results that a sum adds up, each a mapping of fields."""
        if not 2 <= len(node.items) <= MAX_PARTS:
            self.fault(node, f"{what} has {len(node.items)} items; a sum has 2 to {MAX_PARTS}")
            return None
        found: list[Mapping[str, FieldValue]] = []
        for item in node.items:
            if not isinstance(item, MappingNode):
                self.wrong_type(item, f"an item of {what}", "a mapping of fields such as {scenario: Offline}")
            elif not item.entries:
                self.fault(item, f"an item of {what} is an empty mapping")
            else:
                found.append(self.values(item, SELECTION_FIELDS, f"a field of {what}"))
        return tuple(found)

    def list_of(self, node: SequenceNode, spec: FieldSpec, what: str) -> FieldValue:
        """The items of a list of words."""
        if not node.items:
            self.fault(node, f"{what} is an empty list", "Remove it, or name at least one.")
            return None
        words: list[str] = []
        for item in node.items:
            if not isinstance(item, ScalarNode) or scalar_type(item) == "null":
                self.wrong_type(item, f"an item of {what}", "text")
                continue
            word = self.scalar(item, spec, f"an item of {what}")
            if isinstance(word, str):
                words.append(word)
        return tuple(words)

    def scalar(self, node: ScalarNode, spec: FieldSpec, what: str) -> FieldValue:
        """A single value of the kind that the field is of."""
        kind, given = spec.kind, scalar_type(node)
        word = node.value.strip()
        if kind is FieldKind.FLAG:
            if given == "boolean":
                return word.lower() == "true"
        elif kind is FieldKind.COUNT:
            return self.count(node, spec, what)
        elif kind is FieldKind.PARTS:
            self.wrong_type(node, what, _EXPECTED[kind], "Write parts: [{scenario: Offline}, {scenario: Server}].")
            return None
        elif kind is FieldKind.BASELINE:
            fields = "the fields that differ: " if spec.name == "baseline" else "fields: "
            self.wrong_type(node, what, _EXPECTED[kind], f"Write {fields}{spec.name}: {{round: v6.0}}.")
            return None
        elif given == "boolean" or (given == "number" and kind in (FieldKind.TEXT, FieldKind.AMONG)):
            pass
        elif kind is FieldKind.CHOICE:
            return self.choice(node, spec, what)
        elif kind is FieldKind.FIGURE:
            if not any(c in FIGURE_SIGNS for c in word):
                self.fault(
                    node,
                    f"{what} is {quoted(word)}; expected a number",
                    'Write it in digits, as printed: "1.19 million".',
                )
                return None
            return self.bounded(node, word, spec, what)
        else:
            return self.bounded(node, word, spec, what)
        hint = f'If it is meant, put it in quotes: "{word}".' if given != "text" and kind is not FieldKind.FLAG else ""
        self.wrong_type(node, what, _EXPECTED[kind], hint)
        return None

    def bounded(self, node: ScalarNode, word: str, spec: FieldSpec, what: str) -> str | None:
        """Text that is neither empty nor too long."""
        if not word:
            self.fault(node, f"{what} is empty", "Remove it, or write null to remove a default.")
            return None
        if len(word) > spec.longest:
            self.too_long(node, what, len(word), spec.longest)
            return None
        if node.cut_by:
            self.cut(node)
        return word

    def text(self, node: ScalarNode, what: str) -> str:
        """The text of a claim that is a line of its own."""
        if node.plain and scalar_type(node) != "text":
            if scalar_type(node) == "null":
                self.fault(node, f"{what} is empty", 'Write its text after the dash: - "…".')
            else:
                self.wrong_type(node, what, "text", f'If it is meant, put it in quotes: "{node.value}".')
            return ""
        word = node.value.strip()
        if not word:
            self.fault(node, f"{what} is empty", 'Write its text after the dash: - "…".')
        elif len(word) > MAX_TEXT:
            self.too_long(node, what, len(word), MAX_TEXT)
        elif node.cut_by:
            self.cut(node)
        return word

    def too_long(self, node: ScalarNode, what: str, length: int, longest: int) -> None:
        """Note a text that is too long."""
        hint = "Split it into single claims." if longest == MAX_TEXT else ""
        self.fault(node, f"{what} has {length:,} characters; the most is {longest:,}", hint)

    def cut(self, node: ScalarNode) -> None:
        """Note a text that ends in what YAML takes for a comment."""
        self.fault(
            node,
            f"the text ends before {quoted(node.cut_by, 30)}, which YAML takes for a comment",
            "Put the text in quotes; or, if a comment is meant, write a space after #.",
        )

    def choice(self, node: ScalarNode, spec: FieldSpec, what: str) -> str | None:
        """The word that a choice stands for."""
        word = " ".join(node.value.casefold().split())
        found = spec.choices.get(word)
        if found is not None:
            return found
        if not word:
            self.fault(node, f"{what} is empty", "Remove it, or write null to remove a default.")
            return None
        like = nearest(word, tuple(spec.choices))
        hint = f"Did you mean {like}?" if like is not None else ""
        self.fault(node, f"{what} is {quoted(node.value)}; expected {listed(spec.words)}", hint)
        return None

    def count(self, node: ScalarNode, spec: FieldSpec, what: str) -> int | None:
        """A whole number."""
        word = node.value.strip()
        if scalar_type(node) == "number" and word.endswith(".0"):
            word = word[:-2]
        if COUNT.match(word) and int(word.replace(",", "")) >= spec.minimum:
            return int(word.replace(",", ""))
        least = f"of {spec.minimum} or more"
        self.fault(node, f"{what} is {quoted(node.value)}; expected a whole number {least}, such as 72")
        return None


_EXPECTED: Mapping[FieldKind, str] = {
    FieldKind.TEXT: "text",
    FieldKind.LABEL: "text",
    FieldKind.FIGURE: "a number, or text as printed such as 1.19 million",
    FieldKind.COUNT: "a whole number",
    FieldKind.CHOICE: "one word",
    FieldKind.FLAG: "true or false",
    FieldKind.BASELINE: "a mapping of fields such as {round: v6.0}",
    FieldKind.PARTS: "a list of mappings of fields",
    FieldKind.AMONG: "text, a list of texts, or a mapping of fields",
}


def _described(node: Node) -> str:
    if isinstance(node, SequenceNode):
        return "a list"
    if isinstance(node, MappingNode):
        return "a mapping"
    kind = scalar_type(node)
    if kind == "null":
        return "empty"
    if kind == "text":
        return f"the text {quoted(node.value)}"
    return f"the {'number' if kind == 'number' else 'truth value'} {quoted(node.value)[1:-1]}"


def _empty(node: Node) -> bool:
    return isinstance(node, ScalarNode) and scalar_type(node) == "null"


def _text_or_none(value: FieldValue) -> str | None:
    return value if isinstance(value, str) else None


def _alike(word: str, like: str) -> bool:
    """Whether two keys differ by a slip of the hand only."""
    from rapidfuzz.distance import OSA

    return OSA.distance(word[:200].lower(), like) <= 2
