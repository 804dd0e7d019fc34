"""The JSON Schema of claim files, for editors, made from the list of fields that the validation uses.

Draft 7, which VS Code's YAML plugin reads. What a schema cannot say (ids that occur twice, an id in `expect` that no
claim has, `upper` without `relation: between`) is left to `check`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlperf_claimcheck.claims.fields import (
    CLAIM_FIELDS,
    COUNT_PATTERN,
    DEFAULTS_FIELDS,
    FIGURE_SIGNS,
    FILE_FIELDS,
    MAX_COUNT_DIGITS,
    MAX_PARTS,
    MAX_TEXT,
    OUTCOMES,
    SELECTION_FIELDS,
    SOURCE_FIELDS,
    FieldKind,
    FieldSpec,
)

_NOT_BLANK = r"\S"


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a claim file, as a new dictionary of JSON values."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "mlperf-claimcheck claim file",
        "description": "Public claims about MLPerf results, to be checked against the results that were published.",
        "type": "object",
        "required": ["claims"],
        "additionalProperties": False,
        "properties": {
            "source": {
                "title": "Source",
                "description": FILE_FIELDS["source"],
                "type": ["object", "null"],
                "additionalProperties": False,
                "properties": _properties(SOURCE_FIELDS),
            },
            "defaults": {
                "title": "Defaults",
                "description": FILE_FIELDS["defaults"],
                "type": ["object", "null"],
                "additionalProperties": False,
                "properties": _properties(DEFAULTS_FIELDS),
                "examples": [{"round": "inference-v6.1", "division": "closed", "submitter": "CoreWeave"}],
            },
            "claims": {
                "title": "Claims",
                "description": FILE_FIELDS["claims"],
                "type": "array",
                "minItems": 1,
                "items": {"$ref": "#/definitions/claim"},
            },
            "groups": {
                "title": "Groups",
                "description": FILE_FIELDS["groups"],
                "type": ["object", "null"],
                "propertyNames": {"pattern": _NOT_BLANK},
                "additionalProperties": _one_or_more(_text(FieldSpec("member", FieldKind.TEXT, ""))),
                "examples": [{"cloud providers": ["CoreWeave", "Nebius"]}],
            },
            "expect": {
                "title": "Expected verdicts",
                "description": FILE_FIELDS["expect"],
                "type": ["object", "null"],
                "additionalProperties": _choice({word: word for word in OUTCOMES}),
                "examples": [{"claim-1": "pass"}],
            },
        },
        # A claim needs text, a value or a kind, unless the defaults bring one.
        "if": {
            "properties": {"defaults": {"type": "object", "anyOf": [_given("value"), _given("kind")]}},
            "required": ["defaults"],
        },
        "else": {"properties": {"claims": {"items": {"anyOf": [{"not": {"type": "object"}}, *_says_something()]}}}},
        "definitions": {
            "claim": {
                "anyOf": [
                    {
                        "title": "Claim as a line of text",
                        "type": "string",
                        "maxLength": MAX_TEXT,
                        "pattern": _NOT_BLANK,
                        "examples": list(CLAIM_FIELDS["text"].examples),
                    },
                    {
                        "title": "Claim with fields",
                        "type": "object",
                        "additionalProperties": False,
                        "properties": _properties(CLAIM_FIELDS),
                    },
                ]
            },
            "selection": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": False,
                "properties": _properties(SELECTION_FIELDS),
            },
        },
    }


def _says_something() -> list[dict[str, Any]]:
    return [_given("text"), _given("value"), _given("kind")]


def _given(name: str) -> dict[str, Any]:
    return {"required": [name], "properties": {name: {"not": {"type": "null"}}}}


def _properties(fields: Mapping[str, FieldSpec]) -> dict[str, Any]:
    return {name: _field(spec) for name, spec in fields.items()}


def _field(spec: FieldSpec) -> dict[str, Any]:
    shape = _SHAPES[spec.kind](spec)
    if spec.many:
        shape = _one_or_more(shape)
    return {
        "title": spec.name.replace("_", " ").capitalize(),
        "description": spec.description,
        **_or_null(shape),
        "examples": [list(example) if isinstance(example, tuple) else example for example in spec.examples],
    }


def _or_null(shape: dict[str, Any]) -> dict[str, Any]:
    """The shape, or null, which removes a default."""
    if "anyOf" in shape:
        return {**shape, "anyOf": [*shape["anyOf"], {"type": "null"}]}
    if "type" in shape:
        types = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
        return {**shape, "type": [*types, "null"]}
    return {"anyOf": [shape, {"type": "null"}]}


def _one_or_more(shape: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [shape, {"type": "array", "minItems": 1, "items": shape}]}


def _text(spec: FieldSpec) -> dict[str, Any]:
    return {"type": "string", "maxLength": spec.longest, "pattern": _NOT_BLANK}


def _label(spec: FieldSpec) -> dict[str, Any]:
    return {**_text(spec), "type": ["string", "number"]}


def _figure(spec: FieldSpec) -> dict[str, Any]:
    return {"type": ["string", "number"], "maxLength": spec.longest, "pattern": f"[{FIGURE_SIGNS}]"}


def _count(spec: FieldSpec) -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string", "pattern": COUNT_PATTERN}
    if spec.minimum > 0:
        text = {"type": "string", "allOf": [{"pattern": COUNT_PATTERN}, {"pattern": "[1-9]"}]}
    return {"anyOf": [{"type": "integer", "minimum": spec.minimum, "maximum": 10**MAX_COUNT_DIGITS - 1}, text]}


def _choice_field(spec: FieldSpec) -> dict[str, Any]:
    return _choice(spec.choices)


def _choice(choices: Mapping[str, str]) -> dict[str, Any]:
    """The words for an editor to offer; and all spellings of them, in upper or lower case."""
    words = list(dict.fromkeys(choices.values()))
    spellings = "|".join(_any_case(spelling) for spelling in choices)
    return {"anyOf": [{"enum": words}, {"type": "string", "pattern": rf"^\s*(?:{spellings})\s*$"}]}


def _any_case(word: str) -> str:
    # JSON Schema patterns know no flags.
    parts = []
    for c in word:
        if c == " ":
            parts.append(r"\s+")
        elif c.lower() != c.upper():
            parts.append(f"[{c.lower()}{c.upper()}]")
        else:
            parts.append(f"\\{c}" if c in ".^$*+?()[]{}|\\/" else c)
    return "".join(parts)


def _flag(spec: FieldSpec) -> dict[str, Any]:
    return {"type": "boolean"}


def _baseline(spec: FieldSpec) -> dict[str, Any]:
    return {"anyOf": [{"$ref": "#/definitions/selection"}]}


def _among(spec: FieldSpec) -> dict[str, Any]:
    words = _one_or_more(_text(spec))
    return {"anyOf": [*words["anyOf"], {"$ref": "#/definitions/selection"}]}


def _parts(spec: FieldSpec) -> dict[str, Any]:
    return {"type": "array", "minItems": 2, "maxItems": MAX_PARTS, "items": {"$ref": "#/definitions/selection"}}


_SHAPES = {
    FieldKind.TEXT: _text,
    FieldKind.LABEL: _label,
    FieldKind.FIGURE: _figure,
    FieldKind.COUNT: _count,
    FieldKind.CHOICE: _choice_field,
    FieldKind.FLAG: _flag,
    FieldKind.BASELINE: _baseline,
    FieldKind.AMONG: _among,
    FieldKind.PARTS: _parts,
}
