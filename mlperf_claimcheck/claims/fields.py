"""The fields of a claim file: one list that the validation, the JSON Schema and the documentation are made from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mlperf_claimcheck.metrics.number import Relation

MAX_TEXT = 4_000
"""Characters of one claim; a longer text is an article, not a claim."""
MAX_NAME = 500
"""Characters of a name, unit or id."""
MAX_COUNT_DIGITS = 9


class FieldKind(StrEnum):
    """What a field takes."""

    TEXT = "text"
    """Text; a bare number is a mistake."""
    LABEL = "label"
    """Text; a bare number is taken as it is printed (`id: 7`, `round: 6.1`)."""
    FIGURE = "figure"
    """A number, or text with a number in it as printed (`1.19 million`)."""
    COUNT = "count"
    """A whole number."""
    CHOICE = "choice"
    """One of a few words."""
    FLAG = "flag"
    """`true` or `false`."""
    BASELINE = "baseline"
    """A mapping of fields: what is compared with."""
    AMONG = "among"
    """Words, or a mapping of fields: the scope of a superlative."""
    PARTS = "parts"
    """A list of two or more mappings of fields: results that are added up."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field."""

    name: str
    kind: FieldKind
    description: str
    """One or two plain sentences, for editors and the documentation."""
    examples: tuple[
        str | int | float | bool | tuple[str, ...] | tuple[Mapping[str, str | int], ...] | Mapping[str, str | int], ...
    ] = ()
    many: bool = False
    """A list is taken too: alternatives, of which a published row must meet one."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Spelling (lower case) -> the word it stands for."""
    minimum: int = 0
    """The least value of a count."""
    longest: int = MAX_NAME
    in_defaults: bool = True
    in_selection: bool = True
    """May stand in `baseline` and in a mapping under `among`."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words that a choice stands for, each once."""
        return tuple(dict.fromkeys(self.choices.values()))


def _same(*words: str) -> dict[str, str]:
    return {word: word for word in words}


CLAIM_KINDS: tuple[str, ...] = (
    "value",
    "change",
    "highest",
    "lowest",
    "top",
    "only",
    "first",
    "count",
    "extent",
    "submitted",
    "not-submitted",
    "status",
    "scaling",
    "sum",
    "arithmetic",
)
"""What `kind` may say."""

OUTCOMES: tuple[str, ...] = ("pass", "fail", "unverifiable")
"""What `expect` may say of a claim."""

RELATIONS: Mapping[str, str] = {
    spelling: relation.value
    for relation, spellings in {
        Relation.EQUAL: ("eq", "=", "==", "equal", "equals", "equal to", "is", "exactly", "等于"),
        Relation.OVER: (
            "gt",
            ">",
            "over",
            "above",
            "more than",
            "greater than",
            "higher than",
            "exceeds",
            "exceeding",
            "tops",
            "surpasses",
            "beyond",
            "超过",
            "超",
            "高于",
            "大于",
        ),
        Relation.AT_LEAST: (
            "ge",
            ">=",
            "≥",
            "at least",
            "no less than",
            "not less than",
            "不低于",
            "至少",
            "不少于",
        ),
        Relation.UNDER: ("lt", "<", "under", "below", "less than", "fewer than", "lower than", "低于", "小于", "不到"),
        Relation.AT_MOST: (
            "le",
            "<=",
            "≤",
            "at most",
            "no more than",
            "not more than",
            "不高于",
            "不超过",
            "至多",
        ),
        Relation.UP_TO: ("max", "up to", "as high as", "as much as", "高达", "最高达"),
        Relation.NEARLY: ("nearly", "almost", "just under", "just below", "近", "接近", "将近"),
        Relation.ABOUT: (
            "about",
            "~",
            "≈",
            "around",
            "approximately",
            "approx",
            "approx.",
            "roughly",
            "circa",
            "ca.",
            "some",
            "约",
            "大约",
            "左右",
        ),
        Relation.BETWEEN: ("between", "介于"),
    }.items()
    for spelling in spellings
}
"""Words and signs that `relation` takes -> the relation (semantics: numbers, relations)."""

PER: Mapping[str, str] = {
    **dict.fromkeys(("accelerator", "gpu", "chip", "tpu", "card", "npu", "xpu"), "accelerator"),
    "node": "node",
    "server": "node",
    "host": "node",
    "system": "system",
    "watt": "watt",
    "w": "watt",
}
"""Words that `per` takes -> what the figure is divided by."""

OPERATORS: Mapping[str, str] = {
    **dict.fromkeys(("divide", "divided by", "÷", "/", "除以"), "divide"),
    **dict.fromkeys(("multiply", "multiplied by", "times", "×", "*", "x", "乘以"), "multiply"),
    **dict.fromkeys(("share", "percent of", "% of"), "share"),
    **dict.fromkeys(("gain", "percent more", "% more"), "gain"),
}
"""Words and signs that `operator` takes -> what is calculated from the two operands."""

MAX_PARTS = 12
"""Results that one sum adds up."""

FIGURE_SIGNS = "0123456789０１２３４５６７８９〇零一二两三四五六七八九十百千万亿"
"""A figure holds at least one of these."""
COUNT_PATTERN = r"^\s*(?:[0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2})\s*$"
"""A count written as text."""
COUNT = re.compile(COUNT_PATTERN)

FIELDS: tuple[FieldSpec, ...] = (
    FieldSpec(
        "id",
        FieldKind.LABEL,
        "Name of the claim in reports and under expect; unique in its file. Without one it is claim-1, claim-2 and so "
        "on, by its place in the file.",
        ("offline-per-gpu",),
        in_defaults=False,
        in_selection=False,
    ),
    FieldSpec(
        "text",
        FieldKind.TEXT,
        "The claim in its own words. The fields beside it win over what it says.",
        ("16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72",),
        longest=MAX_TEXT,
        in_defaults=False,
        in_selection=False,
    ),
    FieldSpec(
        "round",
        FieldKind.LABEL,
        "MLPerf round that the claim speaks of.",
        ("inference-v6.1", "MLPerf Inference v6.1", "v6.1"),
        many=True,
    ),
    FieldSpec(
        "suite",
        FieldKind.CHOICE,
        "Only results of this suite count.",
        ("datacenter",),
        choices={**_same("datacenter", "edge"), "data center": "datacenter", "data centre": "datacenter"},
    ),
    FieldSpec(
        "division",
        FieldKind.CHOICE,
        "Only results of this division count.",
        ("closed",),
        choices=_same("closed", "open", "network"),
    ),
    FieldSpec(
        "availability",
        FieldKind.CHOICE,
        "Only results of this availability category count.",
        ("available",),
        choices=_same("available", "preview", "rdi"),
    ),
    FieldSpec(
        "submitter",
        FieldKind.TEXT,
        "Organization whose results count; a list gives alternatives.",
        ("CoreWeave",),
        many=True,
    ),
    FieldSpec(
        "model",
        FieldKind.TEXT,
        "Benchmark model, in any known spelling; a list gives alternatives.",
        ("GPT-OSS-120B", "Llama 2 70B"),
        many=True,
    ),
    FieldSpec(
        "scenario",
        FieldKind.TEXT,
        "Offline, Server, Interactive, SingleStream or MultiStream; a list gives alternatives.",
        ("Offline", "Server"),
        many=True,
    ),
    FieldSpec(
        "system",
        FieldKind.TEXT,
        "System or platform; a list gives alternatives.",
        ("GB300 NVL72", "HGX B200"),
        many=True,
    ),
    FieldSpec(
        "accelerator",
        FieldKind.TEXT,
        "Accelerator; a list gives alternatives. How many there are is said by accelerators.",
        ("NVIDIA B300", "MI355X"),
        many=True,
    ),
    FieldSpec("accelerators", FieldKind.COUNT, "Accelerators that the whole system used; 0 for none.", (72,)),
    FieldSpec("nodes", FieldKind.COUNT, "Nodes that the whole system used.", (18,)),
    FieldSpec("result_id", FieldKind.LABEL, "Published ID of the result.", ("6.1-0035",), many=True),
    FieldSpec(
        "data_type",
        FieldKind.TEXT,
        "Only results in this number format count.",
        ("fp4", "fp8"),
        many=True,
    ),
    FieldSpec(
        "value",
        FieldKind.FIGURE,
        "The figure claimed. It is as precise as it is printed: 1.19 million stands for 1,185,000 to 1,195,000. "
        "An unquoted number is read as it stands in the file.",
        ("1.19 million", "53.4k", "19.8%", 16635),
    ),
    FieldSpec(
        "upper",
        FieldKind.FIGURE,
        "The upper end of a range; value is the lower one, relation is between.",
        ("1.2 million",),
    ),
    FieldSpec("unit", FieldKind.TEXT, "Unit of the figure.", ("tokens/s", "samples/s", "ms", "x", "%")),
    FieldSpec(
        "per",
        FieldKind.CHOICE,
        "What the figure is divided by; system is the figure as published.",
        ("accelerator",),
        choices=PER,
    ),
    FieldSpec(
        "relation",
        FieldKind.CHOICE,
        "How the published value stands to the figure. Without it they must be equal, to the printed precision.",
        ("over", "up to", "nearly", ">="),
        choices=RELATIONS,
    ),
    FieldSpec(
        "baseline",
        FieldKind.BASELINE,
        "What a change is measured from: the fields in which it differs from the claim. A field set to null there does "
        "not restrict the baseline.",
        ({"round": "v6.0", "accelerators": 64},),
        in_selection=False,
    ),
    FieldSpec(
        "context",
        FieldKind.BASELINE,
        "What the copy says around the claim (`extract` writes it): fields that hold where the claim's own words and "
        "fields state none. They win over defaults.",
        ({"round": "v6.1", "model": "GPT-OSS-120B"},),
        in_defaults=False,
        in_selection=False,
    ),
    FieldSpec(
        "best",
        FieldKind.FLAG,
        "The best result of the claim's rows is compared with the best one of the baseline's rows.",
        (True,),
        in_selection=False,
    ),
    FieldSpec(
        "among",
        FieldKind.AMONG,
        "Scope of a superlative: words or names of groups, all of which must hold, or a mapping of fields.",
        ("cloud providers", ("HGX", "cloud providers"), {"division": "closed", "model": "GPT-OSS-120B"}),
        in_selection=False,
    ),
    FieldSpec(
        "kind",
        FieldKind.CHOICE,
        "What kind of claim it is, where its fields alone do not tell.",
        ("value", "highest"),
        choices={
            **_same(*CLAIM_KINDS),
            "not submitted": "not-submitted",
            "not_submitted": "not-submitted",
        },
        in_selection=False,
    ),
    FieldSpec(
        "rank",
        FieldKind.COUNT,
        "The last place that still counts as top: 3 for top three.",
        (3,),
        minimum=1,
        in_selection=False,
    ),
    FieldSpec(
        "threshold",
        FieldKind.FIGURE,
        "For only and first: the figure that no other result reaches.",
        ("1 million",),
        in_selection=False,
    ),
    FieldSpec(
        "latency",
        FieldKind.CHOICE,
        "MLPerf Endpoints: the latency that the figure is of, time to first token or time per output token.",
        ("ttft",),
        choices={**_same("ttft", "tpot"), "time to first token": "ttft", "time per output token": "tpot"},
        in_defaults=False,
        in_selection=False,
    ),
    FieldSpec(
        "percentile",
        FieldKind.COUNT,
        "MLPerf Endpoints: the percentile of a latency, 50 for the median.",
        (95,),
        minimum=1,
        in_selection=False,
    ),
    FieldSpec(
        "concurrency",
        FieldKind.LABEL,
        "MLPerf Endpoints: the submitted point, a number of requests in flight; or every, highest or lowest.",
        (16384, "every"),
        in_selection=False,
    ),
    FieldSpec(
        "parts",
        FieldKind.PARTS,
        "For a sum: the results that are added up, each by the fields in which it differs from the claim.",
        (({"scenario": "Offline"}, {"scenario": "Server"}),),
        in_selection=False,
    ),
    FieldSpec(
        "operands",
        FieldKind.LABEL,
        "For arithmetic: the two figures that the claim calculates with, in order, as printed.",
        (("1,197,710 tokens/s", "72 GPUs"),),
        many=True,
        in_selection=False,
    ),
    FieldSpec(
        "operator",
        FieldKind.CHOICE,
        "For arithmetic: how the operands make the value. share is the first as a percentage of the second, gain by "
        "how many percent the first is more than the second.",
        ("divide",),
        choices=OPERATORS,
        in_selection=False,
    ),
    FieldSpec(
        "all_models",
        FieldKind.FLAG,
        "For submitted: there is a result on every benchmark of the suite.",
        (True,),
        in_selection=False,
    ),
    FieldSpec(
        "note",
        FieldKind.LABEL,
        "A remark that is carried into the reports.",
        ("From the slide deck",),
        longest=MAX_TEXT,
        in_selection=False,
    ),
    FieldSpec(
        "where",
        FieldKind.LABEL,
        "Page, line or paragraph of the copy in which the claim stands.",
        ("page 2", 14),
        in_selection=False,
    ),
)
"""Every field of a claim, in the order of the documentation."""

CLAIM_FIELDS: Mapping[str, FieldSpec] = {spec.name: spec for spec in FIELDS}
DEFAULTS_FIELDS: Mapping[str, FieldSpec] = {spec.name: spec for spec in FIELDS if spec.in_defaults}
SELECTION_FIELDS: Mapping[str, FieldSpec] = {spec.name: spec for spec in FIELDS if spec.in_selection}
"""Fields of `baseline` and of a mapping under `among`."""

SOURCE_FIELDS: Mapping[str, FieldSpec] = {
    spec.name: spec
    for spec in (
        FieldSpec("title", FieldKind.LABEL, "Title of the post, release or page.", ("GPT-OSS-120B on GB300 NVL72",)),
        FieldSpec("url", FieldKind.TEXT, "Address of the copy.", ("https://example.com/post",), longest=MAX_TEXT),
        FieldSpec("published", FieldKind.LABEL, "Date on which the copy was published.", ("2026-09-16",)),
        FieldSpec("author", FieldKind.LABEL, "Who published it.", ("CoreWeave",)),
    )
}
"""Fields of `source`."""

FILE_FIELDS: Mapping[str, str] = {
    "source": "Where the claims were made; reports cite it.",
    "defaults": "Fields that hold for every claim that does not state its own. field: null in a claim removes one.",
    "claims": "The claims. A line of text is a whole claim; a mapping gives its text, its fields, or both.",
    "groups": "Peer groups that the copy talks of, such as cloud providers: name -> submitters.",
    "expect": "The verdict that the author expects, by the claim's id. A claim that gets it counts as passed, one that "
    "gets another as failed.",
}
"""Keys of a claim file -> what they hold."""

MEANT: Mapping[str, str] = {
    "gpu": "accelerator",
    "gpus": "accelerators",
    "chips": "accelerators",
    "cards": "accelerators",
    "accelerator_count": "accelerators",
    "hardware": "system or accelerator",
    "platform": "system",
    "server": "system",
    "benchmark": "model",
    "task": "model",
    "organization": "submitter",
    "organisation": "submitter",
    "company": "submitter",
    "vendor": "submitter",
    "mode": "scenario",
    "version": "round",
    "number": "value",
    "figure": "value",
    "result": "value",
    "metric": "unit",
    "units": "unit",
    "claim": "text",
    "statement": "text",
    "quote": "text",
    "name": "id",
    "category": "availability",
    "status": "availability",
    "scope": "among",
    "summands": "parts",
    "operand": "operands",
    "operation": "operator",
    "every_model": "all_models",
    "all_benchmarks": "all_models",
    "versus": "baseline",
    "vs": "baseline",
    "compared_to": "baseline",
    "type": "kind",
    "comment": "note",
    "page": "where",
    "line": "where",
    "precision": 'value (text as printed keeps its precision: value: "1.19 million")',
    "dtype": "data_type",
    "node": "nodes",
    "date": "published",
    "link": "url",
    "publisher": "author",
}
"""Keys that people write -> the field that they mean, where the spelling is no help."""
