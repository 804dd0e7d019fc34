"""Claim files: what they may hold, where each claim stands, and how their faults are told."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest

from mlperf_claimcheck.claims.file_errors import ClaimFileError, ClaimFileErrors
from mlperf_claimcheck.claims.files import claim_from_text, load_claim_files
from mlperf_claimcheck.claims.model import ClaimFile, ClaimInput

SHARED = Path(__file__).parents[3] / "shared" / "claims"

FULL = """\
source:
  title: GPT-OSS-120B on GB300 NVL72
  url: https://example.com/post
  published: 2026-09-16
defaults:
  round: inference-v6.1
  division: Closed
  submitter: CoreWeave
claims:
  - "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72"
  - id: server-gain
    text: "GPT-OSS-120B on GB300 NVL72: +8% per-GPU server throughput vs v6.0"
  - id: rack-total
    model: GPT-OSS-120B
    scenario: Offline
    system: GB300 NVL72
    accelerators: 72
    value: 1.19 million
    relation: over
    unit: tokens/s
    where: 3
groups:
  cloud providers: [CoreWeave, Nebius]
expect: {server-gain: pass}
"""


def load(text: str, **options: object) -> ClaimFile:
    (found,) = load_claim_files(["-"], stdin=io.StringIO(text), **options)  # type: ignore[arg-type]
    return found


def one(text: str) -> ClaimInput:
    (claim,) = load(text).claims
    return claim


def faults(text: str) -> tuple[ClaimFileError, ...]:
    with pytest.raises(ClaimFileErrors) as caught:
        load(text)
    assert all(e.file == "<stdin>" for e in caught.value.errors)
    return caught.value.errors


def fault(text: str) -> ClaimFileError:
    found = faults(text)
    assert len(found) == 1, [str(e) for e in found]
    return found[0]


class TestWhatIsRead:
    def test_all_parts_of_a_file(self) -> None:
        file = load(FULL)
        assert file.path == "<stdin>"
        assert file.source == {
            "title": "GPT-OSS-120B on GB300 NVL72",
            "url": "https://example.com/post",
            "published": "2026-09-16",
        }
        assert file.groups == {"cloud providers": ("CoreWeave", "Nebius")}
        line, gain, total = file.claims
        assert (line.id, line.text) == ("claim-1", "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72")
        assert (line.line, line.column) == (10, 5)
        assert (gain.line, gain.column, gain.expect) == (11, 5, "pass")
        assert total.fields == {
            "model": "GPT-OSS-120B",
            "scenario": "Offline",
            "system": "GB300 NVL72",
            "accelerators": 72,
            "value": "1.19 million",
            "relation": "gt",
            "unit": "tokens/s",
        }
        assert (total.text, total.where, total.expect) == ("", "3", None)
        assert (total.line, total.column) == (13, 5)
        assert dict(total.defaults) == {"round": "inference-v6.1", "division": "closed", "submitter": "CoreWeave"}

    def test_position_of_a_mapping_in_braces_is_its_first_key(self) -> None:
        claim = one('claims:\n  - {id: a, text: "x 1"}\n')
        assert (claim.line, claim.column) == (2, 6)

    def test_columns_count_characters_not_bytes(self) -> None:
        claims = load('claims: ["离线场景达到每 GPU 16,635", "b 😀", "c"]').claims
        assert [c.column for c in claims] == [10, 32, 39]

    def test_rare_line_breaks_inside_text_do_not_shift_lines(self) -> None:
        claims = load('claims:\n  - "a\u2028b\x85c"\n  - "d"\n').claims
        assert [(c.line, c.column) for c in claims] == [(2, 5), (3, 5)]

    @pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
    def test_line_ends_of_any_system(self, end: str) -> None:
        claims = load(FULL.replace("\n", end)).claims
        assert [c.line for c in claims] == [10, 11, 13]

    @pytest.mark.parametrize("printed", ["16635.0", "16635", "1.190", "53400", "1e6", '"53.4k"', "19.8%", '" 116 万 "'])
    def test_a_figure_keeps_its_printed_form(self, printed: str) -> None:
        assert one(f"claims: [{{value: {printed}}}]").fields["value"] == printed.strip('" ')

    def test_dates_and_yaml_1_1_words_are_text(self) -> None:
        claim = one("claims: [{text: a 1, note: 2026-09-16, where: 12:30, submitter: Yes}]")
        assert (claim.note, claim.where, claim.fields["submitter"]) == ("2026-09-16", "12:30", "Yes")

    @pytest.mark.parametrize(
        ("printed", "count"), [("72", 72), ('"72"', 72), ('"1,024"', 1024), ("0", 0), ("72.0", 72)]
    )
    def test_counts(self, printed: str, count: int) -> None:
        assert one(f"claims: [{{text: a, accelerators: {printed}}}]").fields["accelerators"] == count

    @pytest.mark.parametrize(
        ("written", "relation"),
        [
            ("over", "gt"),
            ("More  than", "gt"),
            ("'>'", "gt"),
            ("'>='", "ge"),
            ("at least", "ge"),
            ("up to", "max"),
            ("nearly", "nearly"),
            ("'~'", "about"),
            ("eq", "eq"),
            ("不低于", "ge"),
            ("超过", "gt"),
            ("under", "lt"),
            ("at most", "le"),
        ],
    )
    def test_relations_in_words_and_signs(self, written: str, relation: str) -> None:
        assert one(f"claims: [{{value: 5, relation: {written}}}]").fields["relation"] == relation

    def test_names_may_be_lists(self) -> None:
        claim = one("claims: [{kind: submitted, model: [A, B], hardware_: 1}]".replace(", hardware_: 1", ""))
        assert claim.fields == {"kind": "submitted", "model": ("A", "B")}

    def test_a_baseline_and_a_scope_are_fields_again(self) -> None:
        claim = one(
            "claims:\n  - kind: change\n    per: GPU\n    baseline: {round: 6.0, accelerators: 64, submitter: null}\n"
            "    among: {division: open}\n"
        )
        assert claim.fields == {
            "kind": "change",
            "per": "accelerator",
            "baseline": {"round": "6.0", "accelerators": 64, "submitter": None},
            "among": {"division": "open"},
        }

    def test_null_removes_a_default_and_only_for_that_claim(self) -> None:
        defaults = "defaults: {round: v6.1, submitter: A, note: n}\n"
        text = defaults + "claims:\n  - {text: x, submitter: null, note: null}\n  - y\n"
        first, second = load(text).claims
        assert first.defaults == {"round": "v6.1"}
        assert first.fields == {"submitter": None}
        assert first.note is None
        assert second.defaults == {"round": "v6.1", "submitter": "A"}
        assert second.note == "n"

    def test_a_default_makes_a_claim_whole(self) -> None:
        claims = load("defaults: {kind: submitted}\nclaims: [{model: A}, {model: B}]").claims
        assert [c.defaults["kind"] for c in claims] == ["submitted", "submitted"]

    def test_the_run_s_round_yields_to_the_file_s(self) -> None:
        assert load("claims: [x]", round="v6.1").claims[0].defaults == {"round": "v6.1"}
        assert load("defaults: {round: v6.0}\nclaims: [x]", round="v6.1").claims[0].defaults == {"round": "v6.0"}
        assert load("claims: [{text: x, round: null}]", round="v6.1").claims[0].defaults == {}

    def test_addresses_in_braces(self) -> None:
        assert load("source: {url: https://example.com/a?b}\nclaims: [x]").source == {"url": "https://example.com/a?b"}

    def test_block_text_is_one_claim(self) -> None:
        assert one("claims:\n  - >\n    16,635 tokens/s\n    offline\n").text == "16,635 tokens/s offline"

    def test_expect_finds_claims_without_an_id(self) -> None:
        first, second = load("claims: [a, b]\nexpect: {claim-2: FAIL}").claims
        assert (first.expect, second.expect) == (None, "fail")

    def test_aliases_and_merge_keys(self) -> None:
        text = "claims:\n  - &a {text: x, model: M}\n  - {<<: *a, model: N}\n  - *a\n"
        first, second, third = load(text).claims
        assert (first.fields, second.fields) == ({"model": "M"}, {"model": "N"})
        assert (second.text, third.text) == ("x", "x")
        assert third.line == 4

    def test_hostile_text_stays_data(self) -> None:
        text = 'claims: ["\\e[31mred\\x07 [bold] <script> =cmd|x ::error:: \\u202e"]'
        assert one(text).text == "\x1b[31mred\x07 [bold] <script> =cmd|x ::error:: \u202e"

    def test_ten_thousand_claims_in_well_under_a_second(self) -> None:
        pytest.importorskip("yaml._yaml")
        text = "claims:\n" + '  - "16,635 tokens/s/GPU offline, GPT-OSS-120B"\n' * 10_000
        start = time.process_time()
        assert len(load(text).claims) == 10_000
        assert time.process_time() - start < 10

    @pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not there")
    def test_given_example_files(self) -> None:
        files = load_claim_files([str(SHARED)])
        assert len(files) >= 5
        assert all(c.expect in {"pass", "fail", "unverifiable"} for f in files for c in f.claims)


class TestFaults:
    @pytest.mark.parametrize(
        ("text", "line", "column", "said"),
        [
            ("claims: [{text: a, scenarioo: Offline}]", 1, 20, "Did you mean scenario?"),
            ("claims: [{text: a, gpus: 8}]", 1, 20, "Did you mean accelerators?"),
            ("claims: [{text: a, hardware: B200}]", 1, 20, "Did you mean system or accelerator?"),
            ("claims: [{text: a, zzzzqqq: 8}]", 1, 20, "Known are id, text"),
            ("claims: [{text: a, scenario:Offline}]", 1, 20, "a space after the colon"),
            ("claim: [a]\nclaims: [b]", 1, 1, "Did you mean claims?"),
            ("source: {titel: x}\nclaims: [a]", 1, 10, "Did you mean title?"),
            ("defaults: {divison: open}\nclaims: [a]", 1, 12, "Did you mean division?"),
            ("defaults: {text: b}\nclaims: [a]", 1, 12, "text"),
            ("round: v6.1\nclaims: [a]", 1, 1, "under defaults"),
            ("claims: [{text: a, expect: pass}]", 1, 20, "top of the file"),
            ("claims: [{value: 1, baseline: {baseline: {round: a}}}]", 1, 32, "baseline"),
            ("claims: [{text: a, text: b}]", 1, 20, "twice"),
            ("claims: [a]\nclaims: [b]", 2, 1, "line 1"),
            ("expect: {a: pass, a: fail}\nclaims: [{id: a, text: b}]", 1, 19, "twice"),
            ("claims: [{id: a, text: x}, {id: a, text: y}]", 1, 29, 'id "a"'),
            ("claims: [{id: claim-2, text: x}, y]", 1, 34, 'id "claim-2"'),
            ("claims: [{id: total, text: x}]\nexpect: {totl: pass}", 2, 10, 'nearest id is "total"'),
            ("claims: [a]\nexpect: {claim-1: maybe}", 2, 19, "pass, fail or unverifiable"),
            ("claims: [a]\nexpect: {claim-1: }", 2, 19, "pass, fail or unverifiable"),
            ("claims: [a]\nexpect: [pass]", 2, 9, "a mapping"),
            ("claims: [42]", 1, 10, 'put it in quotes: "42"'),
            ("claims: [true]", 1, 10, "text"),
            ("claims: [{text: 42}]", 1, 17, "put it in quotes"),
            ("claims: [{text: [a]}]", 1, 17, "a list"),
            ("claims: [[a]]", 1, 10, "a list"),
            ('claims: [""]', 1, 10, "empty"),
            ("claims:\n  -\n", 2, 4, "empty"),
            ("claims: []", 1, 9, "nothing would be checked"),
            ("claims:", 1, 8, "a list of claims"),
            ("claims: text", 1, 9, "a list of claims"),
            ("source: {title: a}", 1, 1, "claims is missing"),
            ("- a\n- b", 1, 1, 'Write "claims:" above'),
            ("just text", 1, 1, "a mapping"),
            ("claims: [{text: a, accelerators: many}]", 1, 34, "a whole number"),
            ("claims: [{text: a, accelerators: -1}]", 1, 34, "a whole number"),
            ("claims: [{text: a, accelerators: 7.5}]", 1, 34, "a whole number"),
            ("claims: [{text: a, nodes: 99999999999999999999}]", 1, 27, "a whole number"),
            ("claims: [{kind: top, rank: 0}]", 1, 28, "of 1 or more"),
            ("claims: [{text: a, division: opened}]", 1, 30, "closed, open or network. Did you mean open?"),
            ("claims: [{text: a, availability: soon}]", 1, 34, "available, preview or rdi"),
            ("claims: [{text: a, suite: cloud}]", 1, 27, "datacenter or edge"),
            ("claims: [{kind: best}]", 1, 17, "highest"),
            ("claims: [{value: lots}]", 1, 18, "expected a number"),
            ("claims: [{value: [1, 2]}]", 1, 18, "a list"),
            ("claims: [{value: .nan}]", 1, 18, "expected a number"),
            ("claims: [{value: true}]", 1, 18, "truth value"),
            ("claims: [{value: 1, best: yes}]", 1, 27, "true or false"),
            ("claims: [{text: a, model: 70}]", 1, 27, "number 70"),
            ("claims: [{text: a, model: []}]", 1, 27, "empty list"),
            ("claims: [{text: a, model: [a, {b: c}]}]", 1, 31, "a mapping"),
            ("claims: [{text: a, model: ''}]", 1, 27, "empty"),
            ("claims: [{value: 1, baseline: v6.0}]", 1, 31, "baseline: {round: v6.0}"),
            ("claims: [{model: a}]", 1, 11, "neither text nor a value nor a kind"),
            ("claims: [{value: 1, upper: 2, relation: over}]", 1, 11, "relation: between"),
            ("claims: [{value: 1, relation: between}]", 1, 11, "upper is missing"),
            ("claims: [a]\ngroups: {x: []}", 2, 13, "empty list"),
            ("claims: [a]\ngroups: {x: }", 2, 13, "no members"),
            ("claims: [a]\ngroups: {Clouds: A, clouds: B}", 2, 21, "upper and lower case"),
            ("claims: [a]\ngroups: [a]", 2, 9, "a mapping"),
            ("claims: [a]\nsource: x", 2, 9, "a mapping"),
            ("defaults: x\nclaims: [a]", 1, 11, "a mapping"),
            ("claims:\n\t- a", 2, 1, "a tab"),
            ("claims:\n  - Offline: a: b\n", 2, 15, "in quotes"),
            ("claims:\n  - @a\n", 2, 5, "begins with @"),
            ('claims:\n  - "a\n  - b\n', 2, 5, "opened and not closed"),
            ("claims: [a\n", 2, 1, "not valid YAML"),
            ("claims: [a]\n---\nclaims: [b]", 2, 1, "second YAML document"),
            ("claims: [!!python/object/apply:os.system [ls]]", 1, 10, "tag"),
            ("claims: [!x a]", 1, 10, "tag"),
            ("claims: [*a]", 1, 10, "no anchor"),
            ("claims: &a [*a]", 1, 13, "inside of what it refers to"),
            ("claims: [a]\n[x]: b", 2, 1, "a key"),
            ("claims: [a\x00]", 1, 11, "NUL"),
            ("claims: [a\x1b[31m]", 1, 11, "U+001B"),
            ("claims:\n  - We are #1 in v6.1\n", 2, 5, '"#1 in v6.1"'),
            ("claims:\n  - kind: top\n    among: GPUs #all\n", 3, 12, "a space after #"),
            ("claims: [{<<: a, text: b}]", 1, 15, "what << brings in"),
            ("source: [a]\nclaims: [b]", 1, 9, "a mapping"),
            ("'': a\nclaims: [b]", 1, 1, "a key is empty"),
            ("claims: [{text: a, model: null, scenario: [null]}]", 1, 44, "an item of scenario"),
            ("claims: [{text: a, where: [1]}]", 1, 27, "a list"),
            ("claims: [{text: a, note: '" + "x" * 4001 + "'}]", 1, 26, "4,001"),
            ("claims: [{text: a, suite: ''}]", 1, 27, "empty"),
            ("claims: [a]\ngroups: {'': A}", 2, 10, "the name of a group is empty"),
            ("claims: [{value: 1, upper: 2, relation: between, text: }, {upper: 2, text: a}]", 1, 60, "without value"),
            ('claims: ["\\d"]', 1, 11, "a backslash"),
            ("claims: [a, *]", 1, 14, "begins with * or &"),
            ("claims:\n  - a\n  b: c\n", 3, 3, "indented alike"),
            ("claims: [a\ufffe]", 1, 11, "U+FFFE"),
            ("claims: [a\ud800]", 1, 11, "U+D800"),
            ("", 1, 1, "empty"),
            ("# nothing\n", 1, 1, "empty"),
            ("---\n...\n", 2, 1, "empty"),
        ],
    )
    def test_place_and_advice(self, text: str, line: int, column: int, said: str) -> None:
        error = fault(text)
        shown = str(error)
        assert said in shown
        assert (error.line, error.column) == (line, column), shown
        assert shown.startswith(f"<stdin>:{line}:{column}: ")

    def test_all_faults_of_a_file_are_told(self) -> None:
        found = faults("sorce: {}\ndefaults: {divison: x}\nclaims: [{txt: a}, '', {text: a, text: b}]\n")
        assert [e.line for e in found] == [1, 2, 3, 3, 3, 3][: len(found)]
        assert len(found) >= 5

    def test_a_flood_of_faults_is_cut_off(self) -> None:
        found = faults("claims: [" + "'', " * 5000 + "]")
        assert len(found) == 101
        assert "4,900 more" in str(found[-1])

    def test_comment_after_a_space_is_a_comment(self) -> None:
        assert one("claims:\n  - Over 1 million tokens/s  # 1,197,710\n").text == "Over 1 million tokens/s"
        assert one('claims:\n  - "We are #1 in v6.1"\n').text == "We are #1 in v6.1"

    def test_message_is_safe_to_print(self) -> None:
        shown = str(fault('claims: [{text: a, "\\e[31m\\u202ex\\n": 1}]'))
        assert shown.isprintable()

    def test_text_has_a_limit(self) -> None:
        assert one(f"claims: ['{'x' * 4000}']").text == "x" * 4000
        assert "4,001 characters; the most is 4,000" in str(fault(f"claims: ['{'x' * 4001}']"))
        assert "4,001" in str(fault(f"claims: [{{text: '{'x' * 4001}'}}]"))


class TestLimits:
    def test_alias_bomb(self) -> None:
        lines = ["source: &a0 [x, x, x, x, x, x, x, x, x]"]
        lines = ["defaults:"]
        lines.append("  k0: &a0 [x, x, x, x, x, x, x, x, x]")
        lines += [f"  k{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
        start = time.process_time()
        assert "1,000,000 values" in str(fault("\n".join(lines)))
        assert time.process_time() - start < 20

    @pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
    def test_nesting(self, opening: str) -> None:
        assert "50 deep" in str(fault("claims: " + opening * 100_000 if opening in "[{a: " else opening * 100_000))

    def test_nesting_by_aliases(self) -> None:
        lines = ["claims:", "  - &a0 [x]"] + [f"  - &a{i} [*a{i - 1}]" for i in range(1, 60)]
        assert "50 deep" in str(fault("\n".join(lines)))

    def test_aliases_that_multiply_faults_stay_quick(self) -> None:
        lines = ["claims:", "  - &a0 [[], [], [], [], [], []]"]
        lines += [f"  - &a{i} [{', '.join([f'*a{i - 1}'] * 6)}]" for i in range(1, 6)]
        start = time.process_time()
        assert faults("\n".join(lines))
        assert time.process_time() - start < 20

    def test_size(self, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        path.write_text("claims: [a]" + " " * 100)
        with pytest.raises(ClaimFileErrors, match="larger than 50 bytes"):
            load_claim_files([str(path)], max_bytes=50)
        with pytest.raises(ClaimFileErrors, match="larger than 50 bytes"):
            load_claim_files(["-"], stdin=io.StringIO("x" * 51), max_bytes=50)
        with path.open("r+b") as file:
            file.truncate(20 * 1024 * 1024)
        with pytest.raises(ClaimFileErrors, match="larger than 16 MB"):
            load_claim_files([str(path)])


class TestWithoutTheCPart:
    @pytest.fixture(autouse=True)
    def _no_c_part(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delattr("yaml.CSafeLoader", raising=False)

    def test_same_claims_and_places(self) -> None:
        claims = load(FULL).claims
        assert [(c.id, c.line, c.column) for c in claims] == [
            ("claim-1", 10, 5),
            ("server-gain", 11, 5),
            ("rack-total", 13, 5),
        ]

    @pytest.mark.parametrize(
        ("text", "place"),
        [("claims: [a", "1:11"), ("claims:\n\t- a", "2:1"), ("claims: ['a", "1:10"), ("claims: [*a]", "1:10")],
    )
    def test_faults(self, text: str, place: str) -> None:
        assert str(fault(text)).startswith(f"<stdin>:{place}: ")

    def test_surrogates_by_escapes(self) -> None:
        fault('claims: ["\\ud800"]')

    def test_nesting(self) -> None:
        assert "50 deep" in str(fault("claims: " + "[" * 100_000))


class TestPaths:
    def test_folder_is_read_in_order_and_depth(self, tmp_path: Path) -> None:
        for name in ("b.yml", "a.YAML", "sub/c.yaml", "sub/deep/d.yaml", "zz.txt", ".hidden.yaml", ".git/x.yaml"):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("claims: [x]" if path.suffix != ".txt" else "no claims")
        found = [str(Path(f.path).relative_to(tmp_path)) for f in load_claim_files([str(tmp_path)])]
        assert found == ["a.YAML", "b.yml", str(Path("sub/c.yaml")), str(Path("sub/deep/d.yaml"))]

    def test_folder_without_claim_files(self, tmp_path: Path) -> None:
        with pytest.raises(ClaimFileErrors, match="holds no claim file"):
            load_claim_files([str(tmp_path)])

    def test_links_do_not_lead_out_or_in_circles(self, tmp_path: Path) -> None:
        inside, outside = tmp_path / "in", tmp_path / "out"
        inside.mkdir()
        outside.mkdir()
        (outside / "o.yaml").write_text("claims: [o]")
        (inside / "a.yaml").write_text("claims: [a]")
        (inside / "loop").symlink_to(inside, target_is_directory=True)
        (inside / "elsewhere").symlink_to(outside, target_is_directory=True)
        assert [c.text for f in load_claim_files([str(inside)]) for c in f.claims] == ["a"]
        (inside / "link.yaml").symlink_to(outside / "o.yaml")
        with pytest.raises(ClaimFileErrors, match="a link to a file outside"):
            load_claim_files([str(inside)])

    def test_a_file_named_twice_is_read_once(self, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        path.write_text("claims: [x]")
        assert len(load_claim_files([str(path), str(tmp_path), str(path)])) == 1

    def test_the_same_id_in_two_files_is_fine(self, tmp_path: Path) -> None:
        for name in ("a.yaml", "b.yaml"):
            (tmp_path / name).write_text("claims: [{id: x, text: y}]")
        assert [f.claims[0].id for f in load_claim_files([str(tmp_path)])] == ["x", "x"]

    def test_faults_of_all_files_are_told(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text("claims: [{txt: y}]")
        (tmp_path / "b.yaml").write_text("claims: 1")
        with pytest.raises(ClaimFileErrors) as caught:
            load_claim_files([str(tmp_path), str(tmp_path / "c.yaml")])
        shown = str(caught.value)
        assert "a.yaml:1:11: " in shown
        assert "b.yaml:1:9: " in shown
        assert "c.yaml: no such file" in shown

    def test_missing_file_names_the_nearest(self, tmp_path: Path) -> None:
        (tmp_path / "claims.yaml").write_text("claims: [x]")
        with pytest.raises(ClaimFileErrors, match=r"no such file. Did you mean .*claims\.yaml"):
            load_claim_files([str(tmp_path / "claim.yaml")])

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
    def test_unreadable_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        path.write_text("claims: [x]")
        path.chmod(0)
        with pytest.raises(ClaimFileErrors, match="cannot be read"):
            load_claim_files([str(path)])

    @pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "a\ud800"])
    def test_impossible_names(self, name: str) -> None:
        with pytest.raises(ClaimFileErrors):
            load_claim_files([name])

    @pytest.mark.parametrize(("name", "said"), [("t.xlsx", "plain text"), ("t.pdf", "no PDF")])
    def test_other_kinds_of_file(self, tmp_path: Path, name: str, said: str) -> None:
        (tmp_path / name).write_text("claims: [x]")
        with pytest.raises(ClaimFileErrors, match=said):
            load_claim_files([str(tmp_path / name)])

    @pytest.mark.parametrize("name", ["post.md", "post.HTML", "post.txt"])
    def test_claims_of_a_document_stand_at_its_lines(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_text("<p>Hello.</p>\n\n<p>GPT-OSS-120B Offline in MLPerf v6.1: 9 tokens/s</p>\n")
        (file,) = load_claim_files([str(tmp_path / name)])
        assert [(c.line, c.file) for c in file.claims] == [(3, str(tmp_path / name))]


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    def test_byte_order_marks(self, tmp_path: Path, encoding: str) -> None:
        path = tmp_path / "a.yaml"
        path.write_bytes('claims: ["离线 16,635"]'.encode(encoding))
        (file,) = load_claim_files([str(path)])
        assert (file.claims[0].text, file.claims[0].column) == ("离线 16,635", 10)

    @pytest.mark.parametrize(
        ("data", "place"),
        [
            (b"claims:\n  - \xe9t\xe9", ":2:5: "),
            (b"\xff\xfec\x00l", ":1:2: "),
            ("claims: [离线]".encode("gbk"), ":1:10: "),
        ],
    )
    def test_other_encodings_are_told_with_their_place(self, tmp_path: Path, data: bytes, place: str) -> None:
        path = tmp_path / "a.yaml"
        path.write_bytes(data)
        with pytest.raises(ClaimFileErrors, match="Save it as UTF-8") as caught:
            load_claim_files([str(path)])
        assert place in str(caught.value)

    def test_standard_input_is_read_as_bytes(self) -> None:
        stdin = io.TextIOWrapper(io.BytesIO("claims: [离线]".encode()), encoding="ascii")
        assert load_claim_files(["-"], stdin=stdin)[0].claims[0].text == "离线"

    def test_closed_standard_input(self) -> None:
        stdin = io.StringIO()
        stdin.close()
        with pytest.raises(ClaimFileErrors, match="cannot be read"):
            load_claim_files(["-"], stdin=stdin)


class TestOneText:
    def test_claim_from_text(self) -> None:
        file = claim_from_text("  16,635 tokens/s ", round="v6.1")
        assert file.path == "<text>"
        (claim,) = file.claims
        assert (claim.id, claim.text, claim.defaults, claim.line) == (
            "claim-1",
            "16,635 tokens/s",
            {"round": "v6.1"},
            None,
        )

    @pytest.mark.parametrize("text", ["", "  \n", "x" * 4001, "a\udcff"])
    def test_what_is_no_claim(self, text: str) -> None:
        with pytest.raises(ClaimFileErrors, match="<text>: the claim"):
            claim_from_text(text)
