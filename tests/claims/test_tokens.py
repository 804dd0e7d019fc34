"""From characters to tokens: numbers with their precision, and what stands stuck to them."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlperf_claimcheck.claims.reader.tokens import Token, tokenize
from mlperf_claimcheck.vocabulary import load_vocabulary

LEXICON = load_vocabulary().lexicon


def tokens(text: str) -> list[Token]:
    return tokenize(text, LEXICON)[0]


def seen(text: str) -> list[tuple[str, str]]:
    """Text and first meaning of each token."""
    return [(t.text, t.meanings[0][0]) for t in tokens(text)]


@pytest.mark.parametrize(
    ("text", "value", "quantum"),
    [
        ("16,635", "16635", "1"),
        ("1,197,710", "1197710", "1"),
        ("1,197,710.25", "1197710.25", "0.01"),
        ("16635", "16635", "1"),
        ("2.7", "2.7", "0.1"),
        ("2.70", "2.70", "0.01"),
        ("0.059", "0.059", "0.001"),
        ("100", "100", "1"),
        ("2,5x", "2.5", "0.1"),
        ("12,34 %", "12.34", "0.01"),
        ("2,5倍", "2.5", "0.1"),
    ],
)
def test_a_number_has_its_value_and_the_worth_of_its_last_digit(text: str, value: str, quantum: str) -> None:
    first = tokens(text)[0]
    assert (first.number, first.quantum) == (Decimal(value), Decimal(quantum))
    assert first.has("number")
    assert first.text == text[: first.end]
    assert (first.start, first.spaced) == (0, True)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,2345", ["1", "2345"]),
        ("1234,567", ["1234", "567"]),
        ("1,234,56", ["1,234", "56"]),
        ("2,5 tokens", ["2", "5"]),
        ("1.2.3", ["1.2", "3"]),
        ("10,000,12", ["10,000", "12"]),
    ],
)
def test_commas_that_part_no_thousands_part_numbers(text: str, numbers: list[str]) -> None:
    assert [t.text for t in tokens(text) if t.number is not None] == numbers


def test_result_ids_and_rounds_are_no_figures() -> None:
    (found,) = list(tokens("5.1-0123"))
    assert (found.meanings, found.number) == ((("result_id", "5.1-0123"),), None)
    assert tokens("v5.1-0123")[0].meanings == (("result_id", "5.1-0123"),)
    assert tokens("V5.1-0123")[0].text == "V5.1-0123"
    assert not tokens("5.1-01234")[0].has("result_id")
    for text in ("v6.1", "V6.1", "v.6.1", "v 6.1"):
        (found,) = tokens(text)
        assert found.meanings == (("round", "6.1"),), text
        assert (found.start, found.end) == (0, len(text))
    assert not any(t.has("round") for t in tokens("v6.1.2"))


def test_a_footnote_mark_stuck_to_a_round_or_a_word_is_told_and_left_out() -> None:
    found, marks = tokenize("v6.12", LEXICON)
    assert ([t.value("round") for t in found], marks) == (["6.1"], ["2"])
    found, marks = tokenize("GPUs1 v6.1", LEXICON)
    assert ([t.text for t in found], marks) == (["GPUs", "v6.1"], ["1"])
    found, marks = tokenize("tokens/s12, fast", LEXICON)
    assert marks == ["12"]
    assert "12" not in [t.text for t in found]


@pytest.mark.parametrize("text", ["GPUs1.5", "GPUs123", "abcd1", "GPUs 1", "x1"])
def test_other_digits_are_no_footnote_marks(text: str) -> None:
    assert tokenize(text, LEXICON)[1] == []


def test_an_x_between_number_and_name_is_a_sign() -> None:
    found = tokens("8xB200")
    assert [(t.text, t.has("times")) for t in found[:2]] == [("8", False), ("x", True)]
    assert found[2].has("hardware")
    assert [t.has("times") for t in tokens("x8")] == [True, False]
    assert [t.has("times") for t in tokens("8X B200")][1]
    assert not tokens("xylophone")[0].has("times")


def test_a_letter_before_a_digit_multiplies_nothing() -> None:
    assert not any(t.has("multiplier") for t in tokens("M8"))
    assert tokens("5 M")[1].has("multiplier")
    assert any(t.has("multiplier") for t in tokens("5M"))


def test_a_power_is_not_read_as_its_base() -> None:
    first = tokens("10^6 tokens/s")[0]
    assert (first.text, first.meanings, first.number) == ("10^", (("unknown", ""),), None)


def test_names_take_their_plural_and_nothing_longer() -> None:
    (found,) = tokens("B200s")
    assert (found.text, found.has("hardware")) == ("B200s", True)
    assert tokens("B200S")[0].text == "B200S"
    assert tokens("B200sx")[0].text != "B200s"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (".", "stop"), (";", "stop"), ("!", "stop"), ("。", "stop"),
        (",", "comma"), ("(", "comma"), (")", "comma"), ("[", "comma"), ("]", "comma"), ("|", "comma"), ("—", "comma"),
        ('"', "mark"), ("“", "mark"), ("*", "mark"), ("†", "mark"), ("…", "mark"),
        ("_", "dash"),
    ],
)  # fmt: skip
def test_signs(text: str, kinds: str) -> None:
    (found,) = tokens(text)
    assert found.meanings[0][0] == kinds
    assert found.meanings[0][1] == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("qwortz", ["qwortz"]),
        ("qwortz-plix", ["qwortz-plix"]),
        ("qwortz_plix's", ["qwortz_plix's"]),
        ("qwortz.", ["qwortz", "."]),
        ("qwortz- plix", ["qwortz", "-", "plix"]),
        ("qwortz鑫鑫", ["qwortz", "鑫", "鑫"]),
    ],
)
def test_words_that_nobody_knows_stay_whole(text: str, words: list[str]) -> None:
    assert [t.text for t in tokens(text)] == words
    assert tokens(text)[0].meanings == (("unknown", ""),)


def test_places_and_spaces() -> None:
    found = tokens("  5 tokens/s,  8x")
    assert next((t.start, t.end) for t in found) == (2, 3)
    assert [t.spaced for t in found] == [True, True, False, True, False]


@given(st.text(alphabet="0123456789,.xv%- qGPUs°鑫^'\t", max_size=40))
def test_every_character_ends_up_in_one_token_or_mark(text: str) -> None:
    found, marks = tokenize(text, LEXICON)
    covered = sum(len(t.text) for t in found) + sum(len(m) for m in marks)
    inside = sum(m in t.text for t in found for m in marks if t.has("round"))
    assert covered - inside * 2 <= len(text)
    for token in found:
        assert text[token.start : token.end] == token.text
    for first, second in itertools.pairwise(found):
        assert first.end <= second.start
    for token in found:
        if token.number is not None:
            assert token.quantum is not None
            assert token.number.as_tuple().exponent == token.quantum.as_tuple().exponent
