"""The value types of a verdict. They know nothing of how a verdict came about or how it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """What the published results say of a claim."""

    PASS = "pass"
    FAIL = "fail"
    UNVERIFIABLE = "unverifiable"

    @property
    def badness(self) -> int:
        """Order for compound claims: the whole takes the worst part (fail > unverifiable > pass)."""
        return {"pass": 0, "unverifiable": 1, "fail": 2}[self.value]


class Severity(StrEnum):
    """How much a caveat weighs for a reader."""

    NOTICE = "notice"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the verdict is what it is."""

    code: str
    """A code of the catalogue (`explain CODE`), for example `value-matches`."""
    message: str
    """One plain sentence."""


@dataclass(frozen=True, slots=True)
class Caveat:
    """A limit on what a verdict means, that a careful journalist would add."""

    code: str
    message: str
    severity: Severity = Severity.NOTICE


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the claim says, as numbers."""

    relation: str
    """`eq gt ge lt le max nearly about between` (see `metrics.Relation`)."""
    value: float | None
    unit: str
    """For example `tokens/s/accelerator`, `x` (a ratio), `%`, `submitters`."""
    precision: float | None = None
    """The printed precision: half of it either way is what the printed number can stand for."""
    upper: float | None = None
    """The upper end of a `between` claim."""


@dataclass(frozen=True, slots=True)
class Computed:
    """What the published rows give."""

    value: float | None
    unit: str
    formula: str
    """The arithmetic written out with units: `1,197,710 tokens/s ÷ 72 accelerators`."""


class Tracing(StrEnum):
    """How a published row stands to the log of its own run."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    NOT_CHECKED = "not-checked"
    """There is no such log at hand, or it holds no figure to compare."""


@dataclass(frozen=True, slots=True)
class LogTrace:
    """Where the figure of a published row stands in the files of its own run."""

    outcome: Tracing
    code: str
    """A class of `results verify`, for example `measured` or `value-differs`; or why nothing was checked."""
    message: str
    value: float | None = None
    """The log's figure, in `unit`."""
    unit: str = ""
    text: str = ""
    """The figure as the log prints it."""
    label: str = ""
    """What the log calls it."""
    file: str = ""
    """Path in the results repository: the log, or the file that disagrees."""
    line: int | None = None
    source: str = ""
    """Where that file was read: a path or an address."""
    system_file: str = ""
    """The system description that the accelerators were compared with; empty where it could not be read."""
    system_line: int | None = None
    accelerators: int | None = None
    """Nodes x accelerators per node of the system description."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One published row that a verdict rests on."""

    round: str
    result_id: str | None
    submitter: str
    system: str
    platform: str
    accelerator: str
    accelerators: int | None
    nodes: int | None
    model: str
    scenario: str
    division: str
    availability: str
    suite: str
    value: float
    unit: str
    location: str
    role: str = "subject"
    """`subject`, `baseline`, `above` (stands above the claimed record), `excluded` (above, but outside the
    claim's own scope), `nearest` (closest published value of a failed claim), `member` (counted)."""
    derived: float | None = None
    """The derived value of this row that was compared (per accelerator and so on), where there is one."""
    derived_unit: str | None = None
    log: LogTrace | None = None
    """What the log of the run says, where that was asked for."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read an ambiguous claim, and what it gives."""

    description: str
    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Wording that may be used instead of the claim's."""

    text: str
    """Of a passed claim its words with the facts that the messaging guidelines want; of a failed one the same words
    with the true figure, which pass."""
    footnote: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking one claim."""

    outcome: Outcome
    reason: Reason
    id: str = ""
    text: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None
    claimed: Claimed | None = None
    computed: Computed | None = None
    evidence: tuple[Evidence, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    parts: tuple[Verdict, ...] = ()
    readings: tuple[Reading, ...] = ()
    expected: Outcome | None = None
    """The verdict that the author of the claim file expects, if one is given."""
    note: str | None = None
    where: str | None = None
    suggestion: Suggestion | None = None
    """Where it was asked for and there is one."""
    accepted: str | None = None
    """Why it is accepted that this claim did not pass; None where it is not. The outcome stays what it is."""

    @property
    def counted(self) -> Outcome:
        """The outcome that counts for the summary and the exit code.

        A claim with an expected verdict counts as passed when it gets that verdict and as failed when it gets
        another; any other claim counts as what it is.
        """
        if self.expected is None:
            return self.outcome
        return Outcome.PASS if self.outcome is self.expected else Outcome.FAIL

    def changed(self, **changes: Any) -> Verdict:
        """The same verdict with other values in some fields: `dataclasses.replace`, only quicker.

        Raises TypeError for a name that is no field.
        """
        made = object.__new__(Verdict)
        for name in _VERDICT_FIELDS:
            object.__setattr__(made, name, changes.pop(name) if name in changes else getattr(self, name))
        if changes:
            raise TypeError(f"a verdict has no {', '.join(changes)}")
        return made

    def __reduce__(self) -> tuple[type[Verdict], tuple[Any, ...]]:
        # The way that dataclasses with slots take by themselves sets field by field when a verdict comes from another
        # process.
        return Verdict, tuple(getattr(self, name) for name in _VERDICT_FIELDS)

    def with_caveats(self, *caveats: Caveat) -> Verdict:
        """The same verdict with more caveats; one that is there already (code and message) is not repeated."""
        if not caveats:
            return self
        seen = {(c.code, c.message) for c in self.caveats}
        new = []
        for caveat in caveats:
            if (caveat.code, caveat.message) not in seen:
                seen.add((caveat.code, caveat.message))
                new.append(caveat)
        return self.changed(caveats=(*self.caveats, *new)) if new else self


_VERDICT_FIELDS = tuple(f.name for f in fields(Verdict))


@dataclass(frozen=True, slots=True)
class ResultsSource:
    """One version of one round's published results."""

    round: str
    """Round id, for example `inference-v6.1`."""
    origin: str
    """`bundled`, `cache`, `file`, `folder` or `url`."""
    source: str
    """Upstream address or path the rows were read from."""
    sha256: str
    """SHA-256 of the upstream file."""
    retrieved: str
    """ISO date on which the upstream file was obtained."""
    rows: int


@dataclass(frozen=True, slots=True)
class StaleAcceptance:
    """An accepted finding that no longer occurs, or is no longer the one that was accepted."""

    claim: str
    """Id of the claim."""
    reason: str
    """Why it was accepted."""
    message: str
    """What became of the finding: `the claim passes`."""
    file: str
    """The file of accepted findings, as given."""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All verdicts of one run, and the results they rest on."""

    verdicts: tuple[Verdict, ...]
    sources: tuple[ResultsSource, ...]
    claim_sources: dict[str, dict[str, Any]] = field(default_factory=dict)
    """For each claim file: its `source` block (title, url, published, author …), for reports that cite it."""

    stale: tuple[StaleAcceptance, ...] = ()
    """Accepted findings that no longer occur."""

    def count(self, outcome: Outcome) -> int:
        """How many claims count as `outcome` (see `Verdict.counted`); accepted findings count as neither."""
        return sum(v.counted is outcome and v.accepted is None for v in self.verdicts)

    @property
    def accepted(self) -> int:
        """How many findings are accepted."""
        return sum(v.accepted is not None for v in self.verdicts)
