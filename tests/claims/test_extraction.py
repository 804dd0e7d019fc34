"""Which sentences, list items and table cells of a document are claims, and what context they are given."""

from __future__ import annotations

import time

import pytest

from mlperf_claimcheck.api import check_files
from mlperf_claimcheck.claims.documents import DocumentError
from mlperf_claimcheck.claims.extraction import MAX_CLAIMS, Extraction, FoundClaim
from mlperf_claimcheck.claims.extraction_file import as_claim_file, beside, claim_file_text, extract_document
from mlperf_claimcheck.claims.file_reader import read_claim_text

TITLE = "# CoreWeave in MLPerf Inference v6.1\n\n"


def extract(text: str, name: str = "post.md") -> Extraction:
    return extract_document(name, text.encode())


def texts(text: str, name: str = "post.md") -> list[str]:
    return [claim.text for claim in extract(text, name).claims]


def one(text: str, name: str = "post.md") -> FoundClaim:
    (claim,) = extract(text, name).claims
    return claim


def context(claim: FoundClaim) -> dict[str, str]:
    return {slot: given.value for slot, given in claim.context.items()}


class TestWhatIsAClaim:
    @pytest.mark.parametrize(
        "sentence",
        [
            "GPT-OSS-120B reached 16,635 tokens/s/GPU offline.",
            "It delivered 1.16 million tokens per second.",
            "GPT-OSS-120B on GB300 NVL72: +8% per-GPU server throughput vs v6.0",
            "We posted the highest per-GPU throughput on GPT-OSS-120B Offline.",
            "A total of 30 organizations submitted results.",
            "We submitted GPT-OSS-120B on HGX B200.",
            "B300 outperforms H200 on DeepSeek-R1.",
            "GPT-OSS-120B 离线场景达到每 GPU 每秒 16,635 个 token。",
            "与 v6.0 相比,GPT-OSS-120B 服务器场景吞吐量提升 8%。",
        ],
    )
    def test_sentences_that_state_results(self, sentence: str) -> None:
        assert texts(TITLE + sentence) == [sentence]

    @pytest.mark.parametrize(
        "sentence",
        [
            "Founded in 2017, CoreWeave has 1,500 employees.",
            "GPUs start at $3.20 per GPU hour.",
            "Our revenue grew 40% year over year.",
            "We serve 50,000 users with 99.9% uptime.",
            "Is 2x faster GPT-OSS-120B enough?",
            "MLPerf Inference is designed to measure how fast systems run models.",
            "The Server scenario requires a first token within 2,000 ms.",
            "We took 14 engineers and built a 2x faster loader.",
            "CoreWeave today announced its MLPerf Inference v6.1 results.",
            "该公司成立于2015年,员工超过3000人。",
            "云服务价格低至每小时3.2美元。",
        ],
    )
    def test_sentences_that_state_none(self, sentence: str) -> None:
        assert texts(TITLE + sentence) == []

    def test_page_furniture_and_scripts_are_left_out(self) -> None:
        page = (
            "<html><head><style>p{width:50%}</style><script>'GPT-OSS-120B 9 tokens/s'</script></head><body>"
            "<nav><a>MLPerf v6.1: GPT-OSS-120B 2x faster</a></nav><main><h1>MLPerf Inference v6.1</h1>"
            "<p>GPT-OSS-120B: 7 tokens/s</p></main></body></html>"
        )
        assert texts(page, "post.html") == ["GPT-OSS-120B: 7 tokens/s"]

    def test_a_document_that_never_names_mlperf_needs_model_or_scenario(self) -> None:
        assert texts("We reach 500 tokens/s.") == []
        assert texts("GPT-OSS-120B offline: 500 tokens/s.") == ["GPT-OSS-120B offline: 500 tokens/s."]

    def test_places_are_those_of_the_document(self) -> None:
        claim = one(TITLE + "Hello there. **GPT-OSS-120B** offline: 5 tokens/s.\n")
        assert (claim.line, claim.column) == (3, 16)

    def test_hidden_characters_do_not_hide_a_claim(self) -> None:
        assert len(texts(TITLE + "GPT-OSS-120B: 16,635 to\u202ekens/s.")) == 1

    def test_a_unit_ends_a_sentence(self) -> None:
        text = "DeepSeek-R1 Server ran at 450 ms. GPT-OSS-120B Server ran at 300 ms."
        assert len(texts(TITLE + text)) == 2


class TestContext:
    def test_of_title_heading_and_earlier_sentence_with_its_line(self) -> None:
        text = (
            TITLE + "## GPT-OSS-120B on GB300 NVL72\n\n"
            "Our Offline result is 5 tokens/s. In the Server scenario it was 4 tokens/s.\n"
        )
        first, second = extract(text).claims
        assert context(first) == {
            "round": "inference-v6.1",
            "submitter": "CoreWeave",
            "model": "GPT-OSS-120B",
            "system": "NVIDIA GB300 NVL72",
        }
        assert context(second) == context(first)
        assert [(g.origin.what, g.origin.line) for g in first.context.values()] == [
            ("title", 1),
            ("title", 1),
            ("heading", 3),
            ("heading", 3),
        ]

    def test_the_sentence_wins(self) -> None:
        text = TITLE + "## GPT-OSS-120B Offline\n\nOn DeepSeek-R1 we reached 5 tokens/s in v6.0.\n"
        # Another model than the heading's: its scenario is not the sentence's either.
        assert context(one(text)) == {"submitter": "CoreWeave"}

    @pytest.mark.parametrize(
        "heading", ["GPT-OSS-120B and DeepSeek-R1", "GPT-OSS-120B, Llama 2 70B", "GPT-OSS-120B vs DeepSeek-R1"]
    )
    def test_two_models_give_none(self, heading: str) -> None:
        assert "model" not in context(one(f"{TITLE}## {heading}\n\nOffline throughput was 5 tokens/s.\n"))

    def test_two_rounds_in_the_title_give_none(self) -> None:
        text = "# MLPerf Inference v6.1 and v6.0 compared\n\nGPT-OSS-120B Offline: 5 tokens/s.\n"
        assert "round" not in context(one(text))

    def test_a_round_of_a_comparison_is_not_the_documents(self) -> None:
        text = "# News\n\nGPT-OSS-120B Offline gained 8% vs v6.0. We ran MLPerf Inference v6.1.\n"
        assert context(one(text))["round"] == "inference-v6.1"

    def test_the_version_of_software_is_no_round(self) -> None:
        assert context(one("# MLPerf results\n\nGPT-OSS-120B Offline: 5 tokens/s. We used ROCm v7.9.\n")) == {}

    def test_a_training_round_is_not_taken_for_an_inference_round(self) -> None:
        text = "# MLPerf Training v5.1\n\nLlama 2 70B took 5 minutes in v5.1.\n\nIt ran GPT-OSS-120B at 7 tokens/s.\n"
        assert [context(c).get("round") for c in extract(text).claims] == [None, "training-v5.1"]

    def test_the_round_of_a_footnote(self) -> None:
        text = "# Results\n\nGPT-OSS-120B Offline: 5 tokens/s.[^1]\n\n[^1]: MLPerf® v6.0 Inference Closed.\n"
        found = one(text).context["round"]
        assert (found.value, found.origin.what) == ("inference-v6.0", "footnote")

    def test_who_speaks_only_where_the_text_says_we(self) -> None:
        third = "# Nebius and others in MLPerf v6.1\n\nGPT-OSS-120B Offline: 5 tokens/s.\n"
        assert "submitter" not in context(one(third))
        assert context(one(third + "\nWe are happy.\n"))["submitter"] == "Nebius"

    def test_a_count_is_not_limited_to_who_speaks_or_to_a_section(self) -> None:
        text = TITLE + "We are proud.\n\n## GPT-OSS-120B\n\nA total of 30 organizations submitted results.\n"
        assert context(one(text)) == {"round": "inference-v6.1"}

    def test_list_items_take_from_their_introduction_and_parent(self) -> None:
        text = TITLE + "On GPT-OSS-120B:\n\n- GB300 NVL72\n  - Offline: 5 tokens/s\n"
        found = context(one(text))
        assert (found["model"], found["system"]) == ("GPT-OSS-120B", "NVIDIA GB300 NVL72")

    def test_an_inherited_subject_makes_a_record_no_easier(self) -> None:
        """The section is about B200; the record is GB300's, so the claim fails although the submitter holds it."""
        text = (
            TITLE + "## HGX B200\n\nWe have the highest per-GPU throughput on GPT-OSS-120B in the Offline scenario.\n"
        )
        (verdict,) = check_files([as_claim_file(extract(text))]).verdicts
        assert verdict.outcome.value == "fail"


class TestTables:
    def test_a_claim_a_cell_from_row_and_column(self) -> None:
        text = TITLE + (
            "| Model | Scenario | System | GPUs | Tokens/s | Tokens/s/GPU | vs v6.0 |\n|---|---|---|---|---|---|---|\n"
            "| GPT-OSS-120B | Offline | GB300 NVL72 | 72 | 1,197,710 | 16,635 | +8% |\n"
            "| GPT-OSS-120B | Server | GB300 NVL72 | 72 | – | n/a | |\n"
        )
        keys = "GPT-OSS-120B, Offline, GB300 NVL72, 72 accelerators: "
        assert texts(text) == [keys + "1,197,710 Tokens/s", keys + "16,635 Tokens/s/GPU", keys + "+8% vs v6.0"]

    def test_scenarios_as_columns_and_the_unit_in_the_caption(self) -> None:
        page = (
            "<h1>MLPerf Inference v6.1</h1><h2>DeepSeek-R1</h2><table><caption>Throughput, tokens/s/GPU</caption>"
            "<tr><th></th><th>Offline</th><th>Server</th></tr>"
            "<tr><th rowspan=2>GB200 NVL72</th><td>7,361</td><td>5,830</td></tr><tr><td>1</td><td>2</td></tr></table>"
        )
        found = extract(page, "a.html").claims
        assert [c.text for c in found] == [
            "GB200 NVL72, Offline: 7,361 tokens/s/GPU",
            "GB200 NVL72, Server: 5,830 tokens/s/GPU",
            "GB200 NVL72, Offline: 1 tokens/s/GPU",
            "GB200 NVL72, Server: 2 tokens/s/GPU",
        ]
        assert context(found[0])["model"] == "DeepSeek-R1"

    def test_the_unit_in_the_row(self) -> None:
        text = TITLE + "| | GB300 NVL72 |\n|---|---|\n| GPT-OSS-120B Offline (tokens/s) | 5 |\n| Price per hour | 3 |\n"
        assert texts(text) == ["GPT-OSS-120B Offline, GB300 NVL72: 5 tokens/s"]

    def test_other_columns_are_no_claims(self) -> None:
        text = TITLE + (
            "| System | Price per hour | Founded | GPT-OSS-120B Offline (tokens/s) |\n|---|---|---|---|\n"
            "| GB300 NVL72 | 4.20 | 2017 | 5 |\n"
        )
        assert texts(text) == ["GB300 NVL72, GPT-OSS-120B Offline: 5 tokens/s"]

    def test_an_unknown_name_stays_in_the_claim(self) -> None:
        """It must not pass as if the row named nothing."""
        text = TITLE + "| System | GPT-OSS-120B Offline (tokens/s/GPU) |\n|---|---|\n| SuperNet-9000 | 16,635 |\n"
        (verdict,) = check_files([as_claim_file(extract(text))]).verdicts
        assert verdict.outcome.value == "unverifiable"


class TestClaimFile:
    TEXT = (
        TITLE
        + '## GPT-OSS-120B\n\nOffline: our GB300 NVL72 reached 16,635 tokens/s/GPU "easily\\". It hit 5 tokens/s.\n'
    )

    def test_reads_back_as_the_same_claims(self) -> None:
        extraction = extract(self.TEXT)
        written = read_claim_text(claim_file_text([extraction]), "a.yaml")
        direct = as_claim_file(extraction)
        assert [(c.id, c.text, c.defaults) for c in written.claims] == [
            (c.id, c.text, c.defaults) for c in direct.claims
        ]
        assert [c.where for c in written.claims] == [f"post.md:{c.line}:{c.column}" for c in direct.claims]

    def test_hostile_text_stays_text(self) -> None:
        text = (
            "# MLPerf v6.1 \x1b[31m\n\n## GPT-OSS-120B #: {a}\n\nOffline: 5 tokens/s \x85 \u2028 \x9b31m: - [x] # y.\n"
        )
        written = claim_file_text([extract(text, "a\x1bb.md")])
        assert not set(written) & set("\x1b\x85\u2028\x9b")
        assert len(read_claim_text(written, "a.yaml").claims) == 1

    def test_several_documents_have_ids_of_their_own(self) -> None:
        written = claim_file_text([extract(self.TEXT), extract(self.TEXT, "b.md")])
        ids = [c.id for c in read_claim_text(written, "a.yaml").claims]
        assert ids == ["line-5", "line-5-2", "line-5-3", "line-5-4"]

    def test_the_file_beside_overrides_and_adds(self) -> None:
        found = as_claim_file(extract(self.TEXT))
        own = read_claim_text(
            "claims:\n  - {id: line-5-2, scenario: Server}\n  - {id: mine, text: '7 tokens/s'}\n"
            "groups: {us: [CoreWeave]}\nexpect: {line-5-2: fail}\n".replace(
                "scenario: Server", "value: 5, unit: tokens/s"
            ),
            "post.claims.yaml",
        )
        merged = beside(found, own)
        assert [(c.id, c.expect, c.line) for c in merged.claims] == [
            ("line-5", None, 5),
            ("line-5-2", "fail", 5),
            ("mine", None, 3),
        ]
        assert merged.claims[1].text == "It hit 5 tokens/s."
        assert merged.claims[1].defaults["model"] == "GPT-OSS-120B"
        assert merged.groups == {"us": ("CoreWeave",)}


class TestBounds:
    def test_too_many_claims(self) -> None:
        text = TITLE + "\n\n".join(f"GPT-OSS-120B: {n} tokens/s." for n in range(MAX_CLAIMS + 1))
        with pytest.raises(DocumentError, match="more than 5,000 claims"):
            extract(text)

    def test_a_huge_table(self) -> None:
        rows = "".join(f"<tr><td rowspan=90000>GB300</td><td>{n}</td></tr>" for n in range(20_000))
        with pytest.raises(DocumentError, match="300,000 cells"):
            extract(f"<h1>MLPerf</h1><table><tr><th colspan=900000>tokens/s</th></tr>{rows}</table>", "a.html")

    def test_deep_nesting(self) -> None:
        page = "<div>" * 100_000 + "MLPerf v6.1 GPT-OSS-120B Offline: 5 tokens/s" + "</div>" * 100_000
        assert len(extract(page, "a.html").claims) == 1

    def test_five_megabytes_of_html(self) -> None:
        """Under 3 s on an idle machine; the limit here is for a busy one."""
        sentence = "<p class='text'>The new platform of our partner {} stores data {} times closer to the network.</p>"
        page = "<h1>MLPerf v6.1</h1>" + "".join(sentence.format(n, n % 7) for n in range(55_000))
        assert len(page) > 5_000_000
        start = time.process_time()
        assert extract(page, "a.html").claims == ()
        assert time.process_time() - start < 9


class TestUnitsOfTables:
    """A table's unit may stand beside it, or be the benchmark's own."""

    TABLE = (
        "| Submitter | System | Offline | Server |\n|---|---|---|---|\n| Nebius | GB300 NVL72 | 689,961 | 603,023 |\n"
    )

    def test_a_sentence_gives_it(self) -> None:
        text = f"# MLPerf Inference v6.1\n\n## DeepSeek-R1\n\n{self.TABLE}\nAll figures in tokens/s.\n"
        assert [c.text for c in extract(text).claims] == [
            "Nebius, GB300 NVL72, Offline: 689,961 tokens/s",
            "Nebius, GB300 NVL72, Server: 603,023 tokens/s",
        ]

    def test_the_benchmark_has_one(self) -> None:
        text = f"# MLPerf Inference v6.1\n\n## DeepSeek-R1\n\n{self.TABLE}"
        assert [c.text for c in extract(text).claims] == [
            "Nebius, GB300 NVL72, Offline: 689,961",
            "Nebius, GB300 NVL72, Server: 603,023",
        ]
