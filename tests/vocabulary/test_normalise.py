"""Spellings of one name have one key; names that differ keep different keys."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.vocabulary import normalise


@pytest.mark.parametrize(
    "text",
    [
        "Llama 2 70B",
        "llama2-70b",
        "LLaMA2_70B",
        "Llama\u20112\u201070B",
        "Ｌｌａｍａ 2 70B",
        "llama-2-70b",
        "Llama® 2 70B",
        "Llama(R) 2 70B",
    ],
)
def test_one_key_for_all_spellings(text: str) -> None:
    assert normalise.key(text) == "llama2 70b"


def test_a_gap_between_digits_tells_names_apart() -> None:
    assert normalise.key("Llama 270B") != normalise.key("Llama 2 70B")


@pytest.mark.parametrize("mark", ["\u200b", "\u202e", "\u2066", "\ufeff", "\u00ad"])
def test_invisible_marks_do_not_count(mark: str) -> None:
    assert normalise.key(f"GB3{mark}00") == "gb300"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("8xMI355X_2xEPYC-9575F", " 8x mi355x 2x epyc 9575f "),
        ("H200x8_MI350Xx8", " h200 x8 mi350x x8 "),
        ("Intel(R) Arc(TM) Pro B70", " intel arc pro b70 "),
        ("2x8xMI355X", " 2x 8x mi355x "),
        ("RTX4090x2", " rtx4090 x2 "),
        ("rtx4090", " rtx4090 "),
        ("", "  "),
    ],
)
def test_words_split_counts_off(text: str, found: str) -> None:
    assert normalise.words(text) == found


@pytest.mark.parametrize(
    "text", ["cloud providers", "Cloud Provider", "the cloud providers", "a cloud-provider", "cloud_providers"]
)
def test_group_key_ignores_number_and_article(text: str) -> None:
    assert normalise.group_key(text) == "cloudprovider"


def test_group_key_of_universities() -> None:
    assert normalise.group_key("universities") == normalise.group_key("University")


def test_slug_makes_a_plain_id() -> None:
    assert normalise.slug("Orrick Industries LLC") == "orrick-industries-llc"
    assert normalise.slug("***") == "unnamed"
