"""Finding the claims about MLPerf results in a document: sentences, list items and table cells, each with its context.

What counts as a claim is decided by what the claim reader sees in the words: a figure with a unit of a benchmark, a
change, a place, a count, a submission. The words that tell other figures apart stand in `data/extraction.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.documents import Block, BlockKind, Document, DocumentError, MappedText, Table, sentences
from mlperf_claimcheck.claims.extraction_context import (
    Given,
    Origin,
    RoundNames,
    Source,
    as_fields,
    comparing,
    document_round,
    document_submitter,
    nearest_topics,
)
from mlperf_claimcheck.claims.extraction_tables import CellClaim, TableTooLargeError, cell_claims, unit_of_figures
from mlperf_claimcheck.claims.fields import MAX_TEXT
from mlperf_claimcheck.claims.stretch import THROUGHPUT_UNITS, Stretch, StretchReader, rules

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary

__all__ = ["Extraction", "FoundClaim", "extract_claims"]

MAX_CLAIMS = 5_000
"""Claims of one document."""
_PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CAPTION, BlockKind.BLOCKQUOTE, BlockKind.HEADING)
_COUNTED = frozenset({"results", "submitters", "models", "scenarios", "platforms", "rounds"})
_SUPERLATIVES = ("superlative", "rank", "top_n")
_CHANGES = (
    "change_up",
    "change_down",
    "difference",
    "direction_up",
    "direction_down",
    "compare",
    "scaling",
    "prior_round",
)


@dataclass(frozen=True, slots=True)
class FoundClaim:
    """A claim found in a document."""

    text: str
    """As it stands; of a table cell the names of its row and column, and the figure with its unit."""
    line: int
    """1-based, in the document."""
    column: int
    context: Mapping[str, Given] = field(default_factory=dict)
    """Field of a claim -> what the document says of it elsewhere."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found in one document."""

    document: Document
    claims: tuple[FoundClaim, ...]
    warnings: tuple[str, ...] = ()


def extract_claims(document: Document, vocabulary: Vocabulary) -> Extraction:
    """The claims about MLPerf results in a document, in reading order.

    Raises `DocumentError` for a document that holds more than `MAX_CLAIMS`.
    """
    return _Extractor(document, vocabulary).run()


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a block."""

    source: Source
    text: str
    place: tuple[int, int]
    marks: tuple[str, ...]


def classify(stretch: Stretch, *, about: bool, topic: bool) -> str | None:
    """What kind of MLPerf result a sentence states; None where it states none.

    `about`: the document is about MLPerf; `topic`: the section or an earlier sentence names a model or scenario.
    """
    words = rules()
    if stretch.readable and not stretch.items:
        return None
    if not stretch.readable:
        # Nobody can tell what it says; it is shown as not understood rather than passed over.
        return "unreadable" if about and any(c.isdigit() for c in stretch.text) else None
    if stretch.has("question") and stretch.text.rstrip().endswith(("?", "？")):
        return None
    named = stretch.has("mlperf", "mlperf_suite", "result_id") or (about and stretch.has("round"))
    anchor = named or stretch.has("model", "scenario")
    other = not named and words.other_figures.within(stretch.text)
    values = stretch.of("value")
    if not other and any(v.unit in THROUGHPUT_UNITS for v in values) and (anchor or about or topic):
        return "value"
    if values and words.limits.within(stretch.text):
        return None
    if values and anchor and not other:
        return "value"
    changes = stretch.has(*_CHANGES)
    if stretch.has("ratio", "percent") and not other:
        compared = stretch.has("hardware", "submitter", "prior_round", "per") or words.measured.within(stretch.text)
        related = anchor or (about and compared and (topic or changes))
        if related and (changes or stretch.has("ratio")):
            return "change"
    if words.definitions.within(stretch.text):
        return None
    if stretch.has(*_SUPERLATIVES) and anchor and not other:
        if stretch.has("model", "scenario", "per") or words.measured.within(stretch.text):
            return "superlative"
    if stretch.has("direction_up", "direction_down") and anchor and stretch.has("hardware", "submitter", "prior_round"):
        return "direction"
    if about and not other:
        if stretch.has("largest") and stretch.has("count", "counted"):
            return "extent"
        counted = {i.value for i in stretch.of("count", "counted")} & _COUNTED
        if counted and stretch.has("submit", "submit_negation"):
            return "count"
        # Organizations are counted for many ends: members, customers, partners.
        counted -= {"rounds"}
        if (counted - {"submitters"} and named) or (counted and stretch.has("round")):
            return "count"
        if stretch.has("submit", "submit_negation") and stretch.has("model", "hardware", "scenario"):
            return "coverage"
    return None


class _Extractor:
    def __init__(self, document: Document, vocabulary: Vocabulary) -> None:
        self.document = document
        self.vocabulary = vocabulary
        self.reader = StretchReader(vocabulary)
        self.about = "mlperf" in document.source.lower()
        self.headings: list[tuple[int, Source]] = []
        self.parents: list[tuple[int, list[Source]]] = []
        self.intro: list[Source] = []
        self.next: list[Source] = []
        self.found: list[FoundClaim] = []
        self.warnings: list[str] = list(document.warnings)

    def _add(self, text: str, place: tuple[int, int], context: Mapping[str, Given]) -> None:
        if len(self.found) >= MAX_CLAIMS:
            raise DocumentError(
                self.document.name, f"holds more than {MAX_CLAIMS:,} claims; split it into smaller documents"
            )
        self.found.append(FoundClaim(text, *place, context))

    # ---- reading ----

    def run(self) -> Extraction:
        self.sentences = {id(b): list(self._sentences_of(b)) for b in self.document.blocks}
        everything = [s.source for b in self.document.blocks for s in self.sentences[id(b)]]
        for block in self.document.blocks:
            if block.table is not None and block.table.caption is not None:
                everything.append(self._source(block.table.caption, "caption"))
        stretches = [s.stretch for s in everything]
        self.rounds = RoundNames(self.vocabulary, stretches)
        self.round = document_round(everything, self.rounds)
        self.submitter = document_submitter(everything)
        self.notes = self._notes()
        blocks = self.document.blocks
        for number, block in enumerate(blocks):
            after = blocks[number + 1] if number + 1 < len(blocks) else None
            self.next = (
                [] if after is None or after.table is not None else [s.source for s in self.sentences[id(after)]]
            )
            self._block(block)
        return Extraction(self.document, tuple(self.found), tuple(self.warnings))

    def _source(self, content: MappedText, what: str) -> Source:
        return Source(self.reader.read(content.text), Origin(what, content.text, content.position(0)[0]))

    def _sentences_of(self, block: Block) -> Iterator[_Sentence]:
        if block.kind not in _PROSE:
            return
        what = "earlier sentence"
        if block.kind is BlockKind.HEADING:
            what = "title" if block.level == 1 else "heading"
            spans = [(0, len(block.text))] if block.text else []
        else:
            spans = sentences(block)
        for start, end in spans:
            text = block.text[start:end].replace("\n", " ")
            place = block.position(start)
            marks = tuple(m.label for m in block.marks if start < m.offset <= end)
            yield _Sentence(Source(self.reader.skim(text), Origin(what, text, place[0])), text, place, marks)

    def _notes(self) -> dict[str, Source]:
        notes: dict[str, Source] = {}
        for block in self.document.blocks:
            if block.kind is BlockKind.FOOTNOTE and block.label is not None and block.text:
                notes.setdefault(block.label, self._source(block.content, "footnote"))
        return notes

    # ---- blocks ----

    def _block(self, block: Block) -> None:
        if block.kind is BlockKind.LIST_ITEM:
            while self.parents and self.parents[-1][0] >= block.level:
                self.parents.pop()
        elif block.kind is not BlockKind.TABLE:
            self.parents.clear()
        own = self.sentences[id(block)]
        if block.kind is BlockKind.HEADING:
            self._heading(block, own)
        elif block.kind is BlockKind.TABLE:
            self._table(block)
        elif block.kind in _PROSE:
            around = [s for _, sources in reversed(self.parents) for s in sources]
            if block.kind is BlockKind.LIST_ITEM:
                around += self.intro
            self._prose(own, around)
            earlier = [s.source for s in reversed(own)]
            if block.kind is BlockKind.LIST_ITEM:
                self.parents.append((block.level, earlier))
            else:
                # A list or table that follows a paragraph goes with its last sentence, or with all of "…:".
                self.intro = earlier if block.text.rstrip().endswith((":", "：")) else earlier[:1]

    def _heading(self, block: Block, own: Sequence[_Sentence]) -> None:
        while self.headings and self.headings[-1][0] >= block.level:
            self.headings.pop()
        self.intro = []
        for sentence in own:
            # Headings announce; they state a result where they give its figure.
            if sentence.source.stretch.has("value", "ratio", "percent"):
                self._prose([sentence], [])
            self.headings.append((block.level, sentence.source))

    def _outer(self) -> list[Source]:
        return [source for _, source in reversed(self.headings)]

    def _prose(self, own: Sequence[_Sentence], around: Sequence[Source]) -> None:
        for number, sentence in enumerate(own):
            stretch = sentence.source.stretch
            earlier = [s.source for s in reversed(own[:number])]
            sources = [*earlier, *around, *self._outer()]
            topic = any(s.stretch.has("model", "scenario") for s in sources)
            kind = classify(stretch, about=self.about, topic=topic)
            if kind is None:
                continue
            if len(sentence.text) > MAX_TEXT:
                size = f"{len(sentence.text):,} characters"
                self.warnings.append(f"line {sentence.place[0]}: a sentence of {size} is too long to be checked")
                continue
            context = self._context(stretch, kind, sources, sentence.marks)
            self._add(sentence.text, sentence.place, context)

    def _table(self, block: Block) -> None:
        if block.table is None:
            return
        try:
            self._cells(block.table)
        except TableTooLargeError as error:
            raise DocumentError(self.document.name, str(error), *block.position()) from None

    def _cells(self, table: Table) -> None:
        caption = [] if table.caption is None else [self._source(table.caption, "caption")]
        sources = [*caption, *self.intro, *self._outer()]
        beside = (unit_of_figures(self.reader.read(s.stretch.text)) for s in (*self.next[:2], *self.intro[:2]))
        unit = next((found for found in beside if found), "")
        for cell in cell_claims(table, self.reader, unit):
            if self._cell_counts(cell, sources) and len(cell.text) <= MAX_TEXT:
                stretch = self.reader.read(cell.text)
                context = self._context(stretch, "value", sources, ())
                self._add(cell.text, cell.place, context)

    def _cell_counts(self, cell: CellClaim, sources: Sequence[Source]) -> bool:
        stretch = self.reader.read(cell.text)
        named = stretch.has("model", "scenario")
        topic = any(s.stretch.has("model", "scenario") for s in sources)
        if not cell.unit:
            # The benchmark gives the unit.
            model = stretch.has("model") or any(s.stretch.has("model") for s in sources)
            return model and stretch.has("scenario") and (self.about or stretch.has("round"))
        return (self.about and (named or topic or stretch.has("hardware", "round"))) or (
            stretch.has("model") and stretch.has("scenario")
        )

    # ---- context ----

    def _context(
        self, stretch: Stretch, kind: str, sources: Sequence[Source], marks: Sequence[str]
    ) -> dict[str, Given]:
        given: dict[str, Given] = {}
        found = self._round_for(stretch, sources, marks)
        if found is not None:
            given["round"] = found
        submitter = self._submitter_for(stretch, kind, sources)
        if submitter is not None:
            given["submitter"] = submitter
        if kind not in ("count", "coverage", "extent"):
            # A section's topic does not limit what is counted or listed.
            given.update(nearest_topics(stretch, sources, self.vocabulary))
        return as_fields(given, self.vocabulary)

    def _round_for(self, stretch: Stretch, sources: Sequence[Source], marks: Sequence[str]) -> Given | None:
        if self.rounds.of(stretch) and not comparing(stretch):
            return None
        notes = [self.notes[m] for m in marks if m in self.notes]
        for source in [*notes, *sources]:
            names = self.rounds.of(source.stretch)
            if not names or (comparing(source.stretch) and source.origin.what != "footnote"):
                continue
            if len(names) == 1:
                return Given(names[0], source.origin)
            # A footnote or title lists all that it stands for; the round that the text is about is the claim's.
            listed = (
                source.origin.what in ("footnote", "title") and self.round is not None and self.round.value in names
            )
            if not listed:
                return None
        return self.round

    def _submitter_for(self, stretch: Stretch, kind: str, sources: Sequence[Source]) -> Given | None:
        if stretch.has("submitter") and not comparing(stretch):
            return None
        mine = rules().first_person.within(stretch.text)
        if kind == "count" and not mine:
            return None
        for source in sources:
            names = source.stretch.names("submitter")
            # A title that names a vendor speaks for it only where the text says "we".
            if not names or source.origin.what == "title":
                continue
            if mine and self.submitter is not None:
                break
            if len(names) != 1 or comparing(source.stretch):
                return None
            return Given(names[0], source.origin)
        return self.submitter
