"""Whether one of a list of words stands in a text: Latin words whole, Chinese words and signs anywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlperf_claimcheck.claims.stretch import Words

LIST = ("revenue", "power draw", "per cent", "co2", "2u", "50%", "%", "能效", "e-mail", "m2 chip")


def plainly(text: str) -> bool:
    """The rule as one expression."""
    letter = re.compile("[a-z]")
    return any(
        re.search(
            ("(?<![a-z0-9])" if letter.match(w[0]) else "")
            + re.escape(w)
            + ("(?![a-z0-9])" if letter.match(w[-1]) else ""),
            text.lower(),
        )
        for w in LIST
    )


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("Revenue rose", True),
        ("revenues rose", False),
        ("the power draw of", True),
        ("power drawn", False),
        ("4co23", False),
        ("12u 5", True),
        ("高能效系统", True),
        ("", False),
    ],
)
def test_words_are_found_whole_and_signs_anywhere(text: str, stands: bool) -> None:
    assert Words.of(LIST).within(text) is stands


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(LIST), st.text("aco2uM %-能é", max_size=3)), max_size=6).map("".join))
def test_the_shortcuts_change_nothing(text: str) -> None:
    assert Words.of(LIST).within(text) is plainly(text)
