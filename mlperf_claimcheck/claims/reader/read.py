"""From a claim to what it asserts. What cannot be accounted for makes the claim unverifiable, never a guess."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from mlperf_claimcheck.claims.assertion import (
    Assertion,
    ReadClaim,
    Undecidable,
)
from mlperf_claimcheck.claims.model import ClaimInput
from mlperf_claimcheck.claims.reader.base import (
    COUNTED,
    NotUnderstoodError,
    Slots,
    not_understood,
)
from mlperf_claimcheck.claims.reader.changes import ChangeReading
from mlperf_claimcheck.claims.reader.compose import Item
from mlperf_claimcheck.claims.reader.endpoints import concerns_endpoints, read_endpoints
from mlperf_claimcheck.claims.reader.from_fields import FieldReading
from mlperf_claimcheck.claims.reader.submissions import SubmissionReading
from mlperf_claimcheck.claims.reader.tokens import Token
from mlperf_claimcheck.claims.reader.values import ValueReading
from mlperf_claimcheck.vocabulary.text import is_cjk

if TYPE_CHECKING:
    from mlperf_claimcheck.vocabulary import Vocabulary


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
        own = _Reader(replace(claim, text=""), vocabulary, rounds, groups).selection(Slots())
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


class _Reader(ValueReading, ChangeReading, SubmissionReading, FieldReading):
    """Finds the kind of a claim. Each kind has a module of its own."""

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
        self._only_so_many()
        limited = self._limited() if not figures and not self.of("value") else None
        if limited in ("availability", "division"):
            return self._status()
        if limited is not None:
            return self._coverage(negated=False, only=limited)
        self._topped_rankings()
        superlatives = self.of("superlative", "rank", "top_n")
        if figures and all(s.value == "top" for s in superlatives):
            return self._change(figures, best=bool(superlatives))
        if superlatives and not figures:
            return self._superlative(superlatives)
        if self.of("direction_up", "direction_down") and not self.of("value"):
            return self._change([], best=False)
        values = self.of("value")
        counted = [i for i in self.of("count", "counted") if i.value in COUNTED - {"systems", "platforms", "models"}]
        denied = self.of("negation") and (self.of("submit") or self._no_results())
        if not values and (self.of("submit_negation") or denied):
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
        if not figures and self._told_status():
            return self._status()
        if self.of("submit") and not figures:
            return self._coverage(negated=False)
        ran = any(t.has("ran") for t in self.tokens) and self.of("submitter")
        if ran and self.of("model", "hardware") and not figures:
            return self._coverage(negated=False)
        if kind:
            return self._from_fields()
        leftovers = [i for i in self.items if i.kind == "leftover"]
        if leftovers:
            raise self._leftover(leftovers)
        raise not_understood("The claim states no figure, place or coverage that the results could decide.")

    def _topped_rankings(self) -> None:
        """ "Tops the DeepSeek-R1 ranking" is a first place."""
        if self.of("ranking") and not self.of("superlative", "rank", "top_n"):
            top = [i for i in self.of("direction_up") if self.tokens[i.first].has("tops")]
            self.items = [replace(i, kind="superlative", value="top") if i in top else i for i in self.items]

    def _only_so_many(self) -> None:
        """ "Only three results" are three results, "in only 5.8 s" is in 5.8 s: the sign is dropped.

        "Only 72-GPU systems exceed …" is another matter: there the sign shuts out others.
        """
        for sign, figure in pairwise(self.items):
            if not self.tokens[sign.first].has("limit"):
                continue
            means = sign.first > 0 and self.tokens[sign.first - 1].has("means")
            counted = figure.kind == "count" and (means or figure.value in ("results", "submitters", "models"))
            if counted or figure.kind in ("value", "percent", "ratio"):
                self.items = [i for i in self.items if i is not sign]
                return

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
        refused = [*self.refused, *self._wrong_tasks()]
        if refused:
            raise self._leftover(refused)
        negations = [i for i in self.of("negation") if not self._ignorable(i)]
        submitted = self.of("submit", "submit_negation")
        denied = sorted([*negations, *self.of("submit_negation")], key=lambda i: i.first)
        denials = [self.words(i).lower() for i in denied]
        listed = all(self._listed_denial(i) for i in denied[1:])
        if len(denied) > 1 and not listed:
            return Undecidable("not-understood", "The claim has several negations.", tuple(denials))
        if negations and not submitted and not self._no_results():
            return Undecidable(
                "not-understood",
                "The claim has a negation that is not understood.",
                tuple(self.words(i) for i in negations),
            )
        return None

    def _listed_denial(self, item: Item) -> bool:
        """Whether a further negation only goes on with a list: "neither A nor B", "no A and no B"."""
        word = self.words(item).lower()
        before = [i for i in self.items if i.last < item.first and not self._ignorable(i)]
        return word == "nor" or (word == "no" and bool(before) and before[-1].kind in ("list", "comma"))

    def _no_results(self) -> bool:
        """ "There were no Mixtral results": nothing but names between the negation and the results."""
        negations = self.of("negation")
        if len(negations) != 1 or not self.tokens[negations[0].first].has("none_of"):
            return False
        behind = range(negations[0].last + 1, len(self.tokens))
        nouns = [
            t for t in behind if self.tokens[t].value("count_noun") == "results" or self.tokens[t].has("result_noun")
        ]
        noun = nouns[0] if nouns else None
        names = [i for i in self.items if noun is not None and negations[0].last < i.first < noun]
        return bool(names) and all(i in self._mentions() for i in names)

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
