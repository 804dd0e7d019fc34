"""Reading a claim piece by piece gives the tokens of reading it as a whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from mlperf_claimcheck.claims.reader import tokens
from mlperf_claimcheck.vocabulary import load_vocabulary

LEXICON = load_vocabulary().lexicon
NAMES = sorted(LEXICON.keys(("model", "hardware", "submitter", "unit")))[::7]
PIECE = st.one_of(
    st.sampled_from(NAMES),
    st.sampled_from([", ", " | ", "; ", " ", "(", ") ", ",", "1", "v6.1", "x", "over ", "Llama 2", "GPUs1", "\n"]),
    st.integers(1000, 99_999_999).map("{:,}".format),
    st.floats(0, 1e6).map("{:,.2f}".format),
    st.text("aB1 ,.|;x%/-", max_size=4),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECE, max_size=12).map("".join))
def test_pieces_give_the_tokens_of_the_whole(text: str) -> None:
    assert tokens.tokenize(text, LEXICON) == tokens._tokenize(text, LEXICON)


def test_a_group_whose_name_has_a_comma_is_one_name() -> None:
    lexicon = LEXICON.extended(("smith, jones peers",))
    found, _ = tokens.tokenize("among Smith, Jones peers, 16,635 tokens/s", lexicon)
    assert [t.value("group") for t in found if t.has("group")] == ["smith, jones peers"]


def test_kept_tokens_are_not_changed_by_their_users() -> None:
    text = "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72"
    first, _ = tokens.tokenize(text, LEXICON)
    want = list(first)
    first.clear()
    assert tokens.tokenize(text, LEXICON)[0] == want
    for token in want:
        assert text[token.start : token.end] == token.text
