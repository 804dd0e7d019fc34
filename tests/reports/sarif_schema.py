"""The part of the SARIF 2.1.0 schema that the report uses, written down from the standard.

Objects take no other properties, as in the published schema.
"""

from __future__ import annotations

from typing import Any


def _object(required: list[str] | None = None, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": required or [],
    }


_TEXT = {"type": "string"}
_BAG = {
    "type": "object",
    "additionalProperties": True,
    "properties": {"tags": {"type": "array", "uniqueItems": True, "items": _TEXT}},
}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_MULTIFORMAT = _object(["text"], text=_TEXT, markdown=_TEXT, properties=_BAG)
_DESCRIPTOR = _object(
    ["id"],
    id=_TEXT,
    name=_TEXT,
    shortDescription=_MULTIFORMAT,
    fullDescription=_MULTIFORMAT,
    help=_MULTIFORMAT,
    helpUri={"type": "string", "format": "uri"},
    defaultConfiguration=_object(
        None, enabled={"type": "boolean"}, level=_LEVEL, rank={"type": "number"}, properties=_BAG
    ),
    properties=_BAG,
)
_REGION = _object(
    None,
    startLine={"type": "integer", "minimum": 1},
    startColumn={"type": "integer", "minimum": 1},
    endLine={"type": "integer", "minimum": 1},
    endColumn={"type": "integer", "minimum": 1},
    properties=_BAG,
)
_LOCATION = _object(
    None,
    id={"type": "integer", "minimum": -1},
    physicalLocation=_object(
        None,
        artifactLocation=_object(
            None,
            uri={"type": "string", "format": "uri-reference"},
            uriBaseId=_TEXT,
            index={"type": "integer", "minimum": -1},
            properties=_BAG,
        ),
        region=_REGION,
        properties=_BAG,
    ),
    properties=_BAG,
)
_RESULT = _object(
    ["message"],
    ruleId=_TEXT,
    ruleIndex={"type": "integer", "minimum": -1},
    kind={"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
    level=_LEVEL,
    message={**_object(None, text=_TEXT, markdown=_TEXT, id=_TEXT), "anyOf": [{"required": ["text"]}]},
    locations={"type": "array", "items": _LOCATION},
    suppressions={
        "type": "array",
        "uniqueItems": True,
        "items": _object(
            ["kind"],
            kind={"enum": ["inSource", "external"]},
            status={"enum": ["accepted", "underReview", "rejected"]},
            justification=_TEXT,
            properties=_BAG,
        ),
    },
    partialFingerprints={"type": "object", "additionalProperties": _TEXT},
    properties=_BAG,
)
_INVOCATION = _object(
    ["executionSuccessful"],
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications={
        "type": "array",
        "items": _object(
            ["message"],
            message={**_object(None, text=_TEXT, markdown=_TEXT, id=_TEXT), "anyOf": [{"required": ["text"]}]},
            level=_LEVEL,
            locations={"type": "array", "items": _LOCATION},
            properties=_BAG,
        ),
    },
    properties=_BAG,
)
_DRIVER = _object(
    ["name"],
    name=_TEXT,
    version=_TEXT,
    semanticVersion=_TEXT,
    informationUri={"type": "string", "format": "uri"},
    rules={"type": "array", "uniqueItems": True, "items": _DESCRIPTOR},
    properties=_BAG,
)
_RUN = _object(
    ["tool"],
    tool=_object(["driver"], driver=_DRIVER, properties=_BAG),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": _RESULT},
    invocations={"type": "array", "items": _INVOCATION},
    properties=_BAG,
)
SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    **_object(
        ["version", "runs"],
        **{"$schema": {"type": "string", "format": "uri"}},
        version={"enum": ["2.1.0"]},
        runs={"type": "array", "items": _RUN},
        properties=_BAG,
    ),
}
