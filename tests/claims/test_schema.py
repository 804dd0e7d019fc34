"""The JSON Schema of claim files says what the loader says."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from mlperf_claimcheck.claims.fields import CLAIM_FIELDS, FIELDS, FILE_FIELDS, MEANT, RELATIONS, SOURCE_FIELDS
from mlperf_claimcheck.claims.file_errors import ClaimFileErrors
from mlperf_claimcheck.claims.files import load_claim_files
from mlperf_claimcheck.claims.schema import json_schema
from mlperf_claimcheck.metrics.number import Relation

VALIDATOR = Draft7Validator(json_schema())


def accepted(document: Any) -> bool:
    # JSON is YAML; characters beyond ASCII are written as they are.
    text = json.dumps(document, ensure_ascii=False)
    try:
        load_claim_files(["-"], stdin=io.StringIO(text))
    except ClaimFileErrors:
        return False
    return True


def test_schema_is_valid_and_describes_every_field() -> None:
    schema = json_schema()
    Draft7Validator.check_schema(schema)
    assert set(schema["properties"]) == set(FILE_FIELDS)
    fields = schema["definitions"]["claim"]["anyOf"][1]["properties"]
    assert set(fields) == set(CLAIM_FIELDS)
    for shape in fields.values():
        assert shape["title"]
        assert shape["description"].endswith(".")
        assert shape["examples"]
    assert json.loads(json.dumps(schema)) == schema


def test_editors_are_offered_the_plain_words() -> None:
    fields = json_schema()["definitions"]["claim"]["anyOf"][1]["properties"]
    assert fields["division"]["anyOf"][0]["enum"] == ["closed", "open", "network"]
    assert set(fields["relation"]["anyOf"][0]["enum"]) == {r.value for r in Relation}


def test_interface_fields_are_all_there() -> None:
    named = (
        "id text round suite division availability submitter model scenario system accelerator accelerators nodes "
        "result_id value unit per relation baseline among kind note where"
    )
    assert set(named.split()) <= set(CLAIM_FIELDS)


def test_words_that_are_meant_lead_to_fields() -> None:
    known = {*CLAIM_FIELDS, *SOURCE_FIELDS}
    assert all(meant.split()[0] in known for meant in MEANT.values())
    assert not set(MEANT) & known


def test_every_relation_takes_its_own_name() -> None:
    assert all(RELATIONS[r.value] == r.value for r in Relation)
    assert all(word == " ".join(word.casefold().split()) for word in RELATIONS)


@pytest.mark.parametrize("spec", FIELDS, ids=lambda s: s.name)
def test_examples_of_fields_validate_and_load(spec: Any) -> None:
    for example in spec.examples:
        value = list(example) if isinstance(example, tuple) else example
        claim = {"text": "a", "value": 1, spec.name: value}
        if spec.name == "upper":
            claim["relation"] = "between"
        document = {"claims": [claim]}
        assert VALIDATOR.is_valid(document), document
        assert accepted(document), document


@pytest.mark.parametrize(
    "document",
    [
        {"claims": ["a"], "source": None, "defaults": None, "groups": None, "expect": None},
        {"claims": ["a"], "groups": {"cloud providers": ["A", "B"], "x": "A"}, "expect": {"claim-1": "Pass"}},
        {"defaults": {"kind": "submitted"}, "claims": [{"model": "A"}, "b"]},
        {"claims": [{"kind": "NOT submitted", "model": ["A"]}]},
        {"claims": [{"value": 5, "relation": "More  Than", "per": "GPU"}]},
        {"claims": [{"id": 7, "text": "a", "accelerators": "1,024", "submitter": None}]},
        {"claims": [{"kind": "change", "baseline": {"round": 6.0, "submitter": None}}]},
        {"claims": [{"kind": "sum", "value": 1, "parts": [{"scenario": "Offline"}, {"round": None}]}]},
        {"claims": [{"kind": "arithmetic", "value": 1, "operands": ["8 GPUs", 2], "operator": "Divided  by"}]},
        {"claims": [{"kind": "submitted", "all_models": True}]},
        {"claims": [{"kind": "highest", "among": ["a", "b"]}, {"kind": "only", "among": {"division": "closed"}}]},
    ],
)
def test_good_files(document: Any) -> None:
    assert VALIDATOR.is_valid(document)
    assert accepted(document)


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        "text",
        {"claims": []},
        {"claims": None},
        {"claims": "a"},
        {"claims": [""]},
        {"claims": [" "]},
        {"claims": [5]},
        {"claims": [True]},
        {"claims": [["a"]]},
        {"claims": ["a"], "more": 1},
        {"claims": [{}]},
        {"claims": [{"model": "A"}]},
        {"claims": [{"text": None}]},
        {"claims": [{"text": "a", "txt": "b"}]},
        {"claims": [{"text": "x" * 4001}]},
        {"claims": [{"text": "a", "model": 5}]},
        {"claims": [{"text": "a", "model": []}]},
        {"claims": [{"text": "a", "model": [None]}]},
        {"claims": [{"text": "a", "division": "half-open"}]},
        {"claims": [{"text": "a", "accelerators": -1}]},
        {"claims": [{"text": "a", "accelerators": 7.5}]},
        {"claims": [{"text": "a", "accelerators": "many"}]},
        {"claims": [{"kind": "top", "rank": 0}]},
        {"claims": [{"kind": "top", "rank": "0"}]},
        {"claims": [{"value": "lots"}]},
        {"claims": [{"value": False}]},
        {"claims": [{"value": 1, "best": "yes"}]},
        {"claims": [{"value": 1, "baseline": "v6.0"}]},
        {"claims": [{"value": 1, "baseline": {}}]},
        {"claims": [{"value": 1, "baseline": {"baseline": {"round": "a"}}}]},
        {"claims": [{"value": 1, "parts": {"scenario": "Offline"}}]},
        {"claims": [{"value": 1, "parts": "Offline"}]},
        {"claims": [{"value": 1, "parts": [{"scenario": "Offline"}]}]},
        {"claims": [{"value": 1, "parts": [{"scenario": "Offline"}, {}]}]},
        {"claims": [{"value": 1, "parts": [{"scenario": "Offline"}, "Server"]}]},
        {"claims": [{"value": 1, "parts": [{"scenario": "Offline"}, {"best": True}]}]},
        {"claims": [{"value": 1, "parts": [{"nodes": 1}] * 13}]},
        {"claims": [{"value": 1, "operator": "minus"}]},
        {"claims": [{"value": 1, "operands": []}]},
        {"claims": [{"kind": "submitted", "all_models": "yes"}]},
        {"claims": ["a"], "defaults": {"id": "a"}},
        {"claims": ["a"], "groups": {"a": []}},
        {"claims": ["a"], "groups": {"a": None}},
        {"claims": ["a"], "expect": {"claim-1": "maybe"}},
        {"claims": ["a"], "expect": {"claim-1": None}},
        {"claims": ["a"], "source": {"titel": "a"}},
    ],
)
def test_bad_files(document: Any) -> None:
    assert not VALIDATOR.is_valid(document)
    assert not accepted(document)


_WORDS = st.sampled_from(
    [
        "",
        " ",
        "a",
        "Closed",
        "open",
        "over",
        "≥",
        "GPU",
        "72",
        "0",
        "1.19 million",
        "highest",
        "true",
        "null",
        "6.1",
        "-3",
    ]
)
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10**10),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    _WORDS,
    st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=5),
)
_KEYS = st.sampled_from([name for name in CLAIM_FIELDS if name not in ("id", "upper", "relation")] + ["txt"])
_SELECTIONS = st.dictionaries(_KEYS, _SCALARS, max_size=3)
_VALUES = st.one_of(_SCALARS, st.lists(_SCALARS, max_size=2), _SELECTIONS)
_RELATION = st.fixed_dictionaries(
    {}, optional={"relation": st.sampled_from(["over", "EQ", "~", "soon", 5, None, ["eq"]])}
)
_FIELDS = st.builds(lambda a, b: {**a, **b}, st.dictionaries(_KEYS, _VALUES, max_size=4), _RELATION)
_DOCUMENTS = st.fixed_dictionaries(
    {"claims": st.lists(st.one_of(_SCALARS, _FIELDS, _FIELDS), max_size=3)},
    optional={
        "defaults": st.one_of(_SCALARS, st.dictionaries(_KEYS.filter(lambda k: k not in ("kind", "value")), _VALUES)),
        "source": st.dictionaries(st.sampled_from([*SOURCE_FIELDS, "x"]), _SCALARS),
        "groups": st.dictionaries(st.sampled_from(["clouds", "hyperscalers"]), _VALUES),
    },
)


@settings(max_examples=400, deadline=None)
@given(_DOCUMENTS)
def test_schema_and_loader_agree(document: Any) -> None:
    """Whatever a file holds, the editor and `check` agree on whether it is a claim file."""
    assert VALIDATOR.is_valid(document) == accepted(document)
