"""What a claim asserts, once its words are read and its names are resolved.

An assertion refers to things by the ids of the vocabulary (model, hardware, submitter, scenario, round). The
checks decide it against the published rows; they never look at the words again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from mlperf_claimcheck.metrics.number import PrintedNumber, Relation


@dataclass(frozen=True, slots=True)
class Selection:
    """Which published rows a claim speaks of. Everything stated restricts; None or () = not stated."""

    rounds: tuple[str, ...] = ()
    """Round ids (`inference-v6.1`). More than one only where the claim names several."""
    suite: str | None = None
    """`datacenter` or `edge`."""
    division: str | None = None
    """`closed`, `open` or `network`."""
    availability: str | None = None
    """`available`, `preview` or `rdi`."""
    submitters: tuple[str, ...] = ()
    """Vocabulary ids of submitters; a row counts if one of them is a party of it."""
    models: tuple[str, ...] = ()
    """Benchmark ids; accuracy variants are alternatives ("Llama 2 70B" = `llama2-70b-99`, `llama2-70b-99.9`)."""
    scenarios: tuple[str, ...] = ()
    """`Offline`, `Server`, `Interactive`, `SingleStream`, `MultiStream`; alternatives."""
    hardware: tuple[str, ...] = ()
    """Vocabulary ids of hardware families or products; a row must belong to one of them."""
    accelerators: int | None = None
    """Accelerators used by the whole system."""
    nodes: int | None = None
    whole_rack: bool = False
    """`accelerators` was not printed but follows from "one / a single GB300 NVL72"."""
    result_ids: tuple[str, ...] = ()
    """Published IDs without a leading v."""
    data_type: str | None = None
    """`fp4`, `fp8`, …"""
    machines: tuple[str, ...] = ()
    """Servers by series and model as claims write them ("PowerEdge XE9680L"); alternatives. Looked for in the system
    names of the rows."""
    features: tuple[str, ...] = ()
    """Software and equipment with their versions as claims name them ("cuda 13.1"); all must hold. Looked for in the
    published columns of software, system and accelerator."""
    groups: tuple[str, ...] = ()
    """Names of peer or architecture groups that restrict the rows (vocabulary or claim file); all must hold."""
    stated: frozenset[str] = frozenset()
    """Names of the slots that the claim itself states (by its text or own fields); the rest came from `defaults`."""


class Per(StrEnum):
    """What a figure is divided by."""

    SYSTEM = "system"
    ACCELERATOR = "accelerator"
    NODE = "node"
    WATT = "watt"
    """Divided by the measured power of the same result."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a claim together with its relation."""

    number: PrintedNumber
    relation: Relation = Relation.EQUAL
    upper: PrintedNumber | None = None
    """Upper end of a `between`."""
    tolerance: float | None = None
    """Explicit tolerance as a fraction ("± 5%" = 0.05); None = the default of the relation."""
    up_to: bool = False
    """"up to" beside another relation ("up to ~45k"): it is the largest selected value that the relation is about."""


@dataclass(frozen=True, slots=True)
class ValueAssertion:
    """The published (or derived) figure of some row stands in a relation to a number."""

    selection: Selection
    amount: Amount
    unit: str | None = None
    """Canonical unit without the divisor (`tokens/s`, `samples/s`, `ms`, `W`, …); None = the claim gives none."""
    per: Per = Per.SYSTEM
    per_stated: bool = False
    every: bool = False
    """"Every result exceeds …": all rows of the selection have to meet the amount, not one of them."""


class ChangeForm(StrEnum):
    """How a change is expressed."""

    RATIO = "ratio"
    """"2.7x": new ÷ old (old ÷ new where lower is better)."""
    GAIN = "gain"
    """"15% higher": new ÷ old − 1."""
    REDUCTION = "reduction"
    """"31% lower": 1 − new ÷ old."""
    SHARE = "share"
    """"115% of": new ÷ old."""
    DIFFERENCE = "difference"
    """"within 5%", "only 3% difference": |new ÷ old − 1|, no direction."""
    DIRECTION = "direction"
    """"higher than", "outperforms": no number, only which one is larger."""


@dataclass(frozen=True, slots=True)
class ChangeAssertion:
    """A ratio between two selections."""

    subject: Selection
    baseline: Selection
    """Complete: what the claim does not restate for the baseline has been copied from the subject."""
    form: ChangeForm
    amount: Amount | None
    """The ratio ("2.7") or the percent number ("19.8"); None for DIRECTION."""
    per: Per | None = None
    """None = unstated (system totals, see `per_stated`)."""
    best: bool = False
    """"Best ... result": the best of the subject rows against the best of the baseline rows."""
    higher: bool = True
    """DIRECTION: the subject performs better / is higher (True) or lower (False). GAIN/REDUCTION: their sign."""
    baseline_stated: frozenset[str] = frozenset()
    """The slots that the claim states for the baseline itself."""
    higher_wording: bool = False
    """"2.7x higher": read as 2.7x (caveat `x-higher-wording`)."""
    subject_amount: Amount | None = None
    """Figure that the claim gives for the subject, if any (also checked)."""
    baseline_amount: Amount | None = None
    unit: str | None = None
    divided_amounts: bool = False
    """The figures of both sides are printed with the divisor ("16,635 tokens/s per GPU"); they are no system totals."""


class SuperlativeKind(StrEnum):
    """What kind of record is claimed."""

    TOP = "top"
    """Highest / fastest / #1 / lowest latency: stands within the first `rank` places."""
    ONLY = "only"
    """The only submission (of the scope) with such a result, perhaps above a threshold."""
    FIRST = "first"
    """The first ever: no earlier held round has such a result."""


@dataclass(frozen=True, slots=True)
class SuperlativeAssertion:
    """A place in a ranking."""

    subject: Selection
    """Whose result stands at the top (submitter, hardware, …)."""
    scope: Selection
    """Over what the claim's own words rank: round, model, scenario, suite, division, availability, hardware and
    `groups` as far as the words state them as scope. Subject restrictions that are not scope are absent."""
    kind: SuperlativeKind = SuperlativeKind.TOP
    rank: int = 1
    """"top-3" = 3; "second" = 2 with `exact_rank`."""
    exact_rank: bool = False
    lowest: bool = False
    """Lowest is claimed (latency, or the poorest)."""
    per: Per | None = None
    """None = unstated."""
    threshold: Amount | None = None
    """ONLY / FIRST "… above 1 million tokens/s"."""
    amount: Amount | None = None
    """The figure that the claim gives for the record, if any (also checked)."""
    unit: str | None = None
    any_hardware: bool = False
    """"any chip", "of all submissions": the words ask for the widest scope."""
    historical: bool = False
    """"record", "ever", "first": reaches back over the earlier rounds held."""
    siblings: tuple[str, ...] = ()
    """Hardware ids that the claim names together with the subject's ("HGX B200 and HGX B300 lead …"): each is the first
    of its own class."""


class Countable(StrEnum):
    """What is counted."""

    SUBMITTERS = "submitters"
    RESULTS = "results"
    SYSTEMS = "systems"
    MODELS = "models"
    SCENARIOS = "scenarios"
    ROUNDS = "rounds"
    PLATFORMS = "platforms"
    """Kinds of accelerator."""


@dataclass(frozen=True, slots=True)
class CountAssertion:
    """How many distinct things the selection holds."""

    selection: Selection
    what: Countable
    amount: Amount


@dataclass(frozen=True, slots=True)
class ExtentAssertion:
    """Nodes and accelerators of the largest system of a selection ("72 nodes with 288 accelerators")."""

    selection: Selection
    accelerators: Amount | None = None
    nodes: Amount | None = None


@dataclass(frozen=True, slots=True)
class CoverageAssertion:
    """Results exist (or do not) for the items listed."""

    subject: Selection
    """Whose results, in which round."""
    hardware: tuple[str, ...] = ()
    models: tuple[tuple[str, ...], ...] = ()
    """One entry a model named; each entry lists the benchmark ids that it may stand for."""
    scenarios: tuple[str, ...] = ()
    product: bool = False
    """Every combination of the lists must exist ("each on all four platforms"); else each item once."""
    negated: bool = False
    """"did not submit": no row may exist for any item."""
    all_models: bool = False
    """"on every benchmark of the suite"."""
    hardware_count: int | None = None
    """"on four platforms" with a list: the list must have that many items; without a list: distinct kinds used."""
    model_count: int | None = None
    only: bool = False
    """Nothing beside the items may exist."""


@dataclass(frozen=True, slots=True)
class StatusAssertion:
    """All rows of the selection have this availability or division."""

    selection: Selection
    availability: str | None = None
    division: str | None = None


@dataclass(frozen=True, slots=True)
class ScalingAssertion:
    """Scaling efficiency: (large value ÷ small value) ÷ (large count ÷ small count)."""

    small: Selection
    large: Selection
    amount: Amount
    """Percent ("93%"); or a factor when `factor` is set."""
    by: Per = Per.ACCELERATOR
    """Count that efficiency divides by: used accelerators or nodes."""
    unit: str = "%"


@dataclass(frozen=True, slots=True)
class SumAssertion:
    """The sum over several systems' figures."""

    parts: tuple[Selection, ...]
    amount: Amount
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """An operand of a calculation that the claim writes out."""

    number: PrintedNumber
    unit: str
    relation: Relation = Relation.EQUAL


@dataclass(frozen=True, slots=True)
class ArithmeticAssertion:
    """`left operator right = result`, all three given by the claim ("441,740 on 68 GPUs is 6,496 per GPU")."""

    left: Term
    operator: str
    """`÷` or `×`."""
    right: Term
    result: Term
    share: bool = False
    """The result is a percentage: left ÷ right × 100."""
    gain: bool = False
    """The result is a percentage gain: (left ÷ right − 1) × 100."""


class EndpointMetric(StrEnum):
    """What MLPerf Endpoints measures at a point of a curve."""

    SYSTEM_TPS = "system-tps"
    USER_TPS = "user-tps"
    TTFT = "ttft"
    """Time to first token, by percentile."""
    TPOT = "tpot"
    """Time per output token after the first, by percentile."""


class Concurrencies(StrEnum):
    """Which points of a curve a claim without a number names."""

    ANY = "any"
    """None are named."""
    HIGHEST = "highest"
    LOWEST = "lowest"
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class EndpointAssertion:
    """A figure of MLPerf Endpoints at a concurrency, or its place among the curves of a round."""

    selection: Selection
    """Whose curve."""
    metric: EndpointMetric
    amount: Amount | None = None
    """The figure; None for a place alone."""
    unit: str | None = None
    """As claimed, without a divisor: `tokens/s`, `ms`, `s`."""
    percentile: str | None = None
    """`50`, `95` …; None = the claim gives none."""
    per: Per = Per.SYSTEM
    concurrency: int | None = None
    concurrencies: Concurrencies = Concurrencies.ANY
    """Where no number is given."""
    scope: Selection | None = None
    """For a place: which curves are ranked."""
    rank: int = 1
    exact_rank: bool = False
    lowest: bool = False
    """The place counts from the lowest figure."""


@dataclass(frozen=True, slots=True)
class CompoundAssertion:
    """Several assertions that must all hold; the whole takes the worst."""

    parts: tuple[Assertion, ...]
    arithmetic: tuple[ArithmeticAssertion, ...] = ()
    """Calculations between the claim's own figures; an inconsistent one fails the claim."""
    labels: tuple[str, ...] = ()
    """A short name for each part."""


@dataclass(frozen=True, slots=True)
class Undecidable:
    """A claim that the results cannot decide whatever they hold: not understood, or not a published quantity."""

    code: str
    """Reason code: `not-understood`, `not-an-assertion`, `quantity-not-published`, `self-declared-unverified`, …"""
    message: str
    words: tuple[str, ...] = ()
    """The words that could not be accounted for."""
    suggestions: tuple[str, ...] = ()


Assertion = (
    ValueAssertion
    | ChangeAssertion
    | SuperlativeAssertion
    | CountAssertion
    | ExtentAssertion
    | CoverageAssertion
    | StatusAssertion
    | ScalingAssertion
    | SumAssertion
    | ArithmeticAssertion
    | EndpointAssertion
    | CompoundAssertion
    | Undecidable
)


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim and what it asserts."""

    assertion: Assertion
    alternatives: tuple[tuple[str, Assertion], ...] = ()
    """Other readings (description, assertion); if their verdicts differ the claim is ambiguous."""
    footnotes: tuple[str, ...] = field(default_factory=tuple)
    """Marks stuck to words that were taken for footnotes ("GPUs1")."""
    declared_unverified: bool = False
