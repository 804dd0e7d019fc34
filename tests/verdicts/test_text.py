"""Text from strangers is shown, never obeyed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlperf_claimcheck.verdicts.text import no_commands, plural, printable, shorten


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 16,635 tokens/s", "plain 16,635 tokens/s"),
        ("每秒 16,635 个 token – “quoted”", "每秒 16,635 个 token – “quoted”"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("\x1b]8;;http://x\x07link", "\\x1b]8;;http://x\\x07link"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("nul\0", "nul\\x00"),
        ("two\nlines\tand\rmore", "two lines and more"),
        ("no\u00a0break\u2028here", "no break here"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_acting_characters_become_visible(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_line_breaks_stay_on_request() -> None:
    assert printable("a\r\nb\rc\n\x1bd", keep_lines=True) == "a\nb\nc\n\\x1bd"


@given(st.text())
def test_every_text_becomes_printable_and_encodable(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    shown.encode()
    assert printable(shown) == shown


def test_shorten_never_exceeds_its_limit() -> None:
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"


def test_plural() -> None:
    assert [plural(n, "claim") for n in (0, 1, 1200)] == ["0 claims", "1 claim", "1,200 claims"]
    assert plural(2, "entry", "entries") == "2 entries"


def test_no_line_is_a_command_of_a_ci_system() -> None:
    assert no_commands("a\n  ::error::x\n##[group]\nb::c") == "a\n  \\x3a:error::x\n\\x23#[group]\nb::c"
    assert no_commands("a ::error::x", anywhere=True) == "a \\x3a:error::x"
    assert no_commands("a ::error::x") == "a ::error::x"
