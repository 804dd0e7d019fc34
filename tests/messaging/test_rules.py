"""Every messaging rule fires on its bad example and stays silent on its good one."""

from __future__ import annotations

import time
from datetime import date

import pytest

from mlperf_claimcheck.claims.documents import Document, read_document
from mlperf_claimcheck.messaging import Example, Finding, RuleSeverity, lint_document, messaging_rules
from mlperf_claimcheck.messaging.registry import CHECKS
from mlperf_claimcheck.results.model import ResultRow

RULES = messaging_rules()
IMPLEMENTED = [r.id for r in RULES.values() if not r.manual]


def row(**changes: object) -> ResultRow:
    values: dict[str, object] = {
        "round": "inference-v6.0",
        "result_id": "6.0-0042",
        "submitter": "Example",
        "division": "closed",
        "availability": "available",
        "suite": "datacenter",
        "system": "Example B200",
        "platform": "b200",
        "accelerator": "NVIDIA B200",
        "accelerators": 8,
        "accelerators_published": 8,
        "accelerators_platform": 8,
        "accelerators_per_node": 8,
        "nodes": 1,
        "heterogeneous": False,
        "processor": "",
        "processors_per_node": 2,
        "model": "llama2-70b-99",
        "model_used": "llama2-70b-99",
        "scenario": "Offline",
        "value": 12345.2,
        "unit": "tokens/s",
        "power": None,
        "power_unit": None,
        "data_type": "fp4",
        "software": "",
        "inferred": False,
        "location": "closed/Example",
    }
    values.update(changes)
    return ResultRow(**values)  # type: ignore[arg-type]


PUBLISHED = [row(), row(result_id="6.0-0043", value=9999.0)]


def document(text: str, name: str = "post.md") -> Document:
    return read_document(name, text.encode())


def lint(text: str, name: str = "post.md", **options: object) -> list[Finding]:
    return lint_document(document(text, name), **options)  # type: ignore[arg-type]


def ids(findings: list[Finding]) -> list[str]:
    return sorted({f.rule for f in findings})


def run(example: Example, rule: str) -> list[Finding]:
    return lint(
        example.text,
        select=[rule],
        results=PUBLISHED,
        published=date.fromisoformat(example.published) if example.published else None,
        author=example.author,
    )


@pytest.mark.parametrize("rule", IMPLEMENTED)
def test_the_bad_example_is_found(rule: str) -> None:
    bad = RULES[rule].bad
    assert bad is not None, "every rule that is checked has a bad example"
    found = run(bad, rule)
    assert ids(found) == [rule]
    assert all(f.message for f in found)


@pytest.mark.parametrize("rule", IMPLEMENTED)
def test_the_good_example_is_silent(rule: str) -> None:
    good = RULES[rule].good
    assert good is not None, "every rule that is checked has a good example"
    assert "MLPerf" in good.text
    assert run(good, rule) == []


def test_every_rule_is_checked_or_manual_and_explained() -> None:
    for rule in RULES.values():
        assert rule.title
        assert len(rule.explanation) > 15, rule.id
        assert rule.source
        if rule.manual:
            assert rule.id not in CHECKS, rule.id
        elif rule.family != "suppression":
            assert rule.id in CHECKS, rule.id
    assert set(CHECKS) <= set(RULES)


def test_the_ids_of_the_shared_rule_list_are_all_here() -> None:
    import re
    from pathlib import Path

    shared = Path(__file__).parents[3] / "shared" / "domain" / "messaging-rules.md"
    if not shared.is_file():
        pytest.skip("the shared rule list is not at hand")
    listed: set[str] = set()
    for line in shared.read_text("utf-8").splitlines():
        first = line.split("|")[1] if line.startswith("| `") else ""
        listed.update(re.findall(r"`([a-z0-9-]+)`", first))
    assert listed - set(RULES) == set()


COMPLIANT = """# Example Cloud in MLPerf® Inference v6.0

{main}

Divided by 8 GPUs, the same result is 1,543 tokens/s per GPU (unverified).[^2]

| System | Benchmark | tokens/s |
|---|---|---|
| Example Cloud, 8x NVIDIA B200 | Llama 2 70B Offline | 12,345 |

Run it yourself with `mlperf run` from https://github.com/mlcommons/inference, or see mlperf_log_summary.txt.

```sh
./run_mlperf.sh --mlperf MLPerf
```

{note}

[^2]: MLPerf® v6.0 Inference Closed, Llama 2 70B Offline. Retrieved from https://mlcommons.org/benchmarks/ on
    20 April 2026, entry 6.0-0042. Per-GPU throughput was computed by dividing the result by 8 GPUs; it is not a
    primary metric of MLPerf® Inference. Result not verified by MLCommons Association.
"""


def compliant() -> str:
    good = RULES["footnote-present"].good
    assert good is not None
    main, note = good.text.strip().split("\n\n")
    return COMPLIANT.format(main=main, note=note)


def test_a_compliant_document_has_no_finding() -> None:
    found = lint(compliant(), results=PUBLISHED, published=date(2026, 4, 20))
    assert [(f.rule, f.line, f.message) for f in found] == []


def test_a_compliant_html_document_has_no_finding() -> None:
    good = RULES["footnote-present"].good
    assert good is not None
    main, note = good.text.strip().split("\n\n")
    main = main.replace("[^1]", "<sup>1</sup>")
    page = (
        f"<html><head><title>MLPerf</title></head><body><nav>MLPerf results</nav><main><h1>News</h1><p>{main}</p>"
        f"<p><sup>1</sup> {note.removeprefix('[^1]:')}</p></main></body></html>"
    ).replace("®", "&reg;")
    found = lint(page, "post.html", results=PUBLISHED)
    assert [(f.rule, f.message) for f in found] == []


@pytest.mark.parametrize(
    "text",
    [
        "# News\n\nWe reach 12,345 tokens/s with vLLM on 8 B200 GPUs, 2x faster than before.\n",
        "Run `mlperf run`, then read mlperf_log_summary.txt at https://mlperf.org/results and mail a@mlperf.org.\n",
        "```\nMLPerf MLPERF ml-perf\n```\n",
        "",
    ],
)
def test_a_document_that_does_not_speak_of_mlperf_has_no_finding(text: str) -> None:
    assert lint(text) == []


def test_a_document_that_names_no_result_needs_no_footnote() -> None:
    good = RULES["attribution-legend"].good
    assert good is not None
    assert lint(good.text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MLPerf™ Inference", ["registered-symbol"]),
        ("MLPerf&trade; Inference", ["registered-symbol"]),
        ("MLPerf (R) Inference", ["registered-symbol"]),
        ("MLPerf® Inference", []),
        ("MLPerf ® Inference", []),
        ("MLPerf&reg; Inference", []),
        ("MLPerf<sup>®</sup> Inference", []),
        ("**MLPerf**® *Inference*", []),
        ("MLPERF® Inference", ["no-alteration"]),
        ("ML Perf® Inference", ["no-alteration"]),
        ("mlperf® Inference", ["no-alteration"]),
        ("see mlcommons/inference and mlperf-inference", []),
        ("MLPerf® v6.1 Inference", []),
        ("MLPerf® Closed Inference", []),
        ("the MLPerf® submission", ["full-benchmark-name"]),
        ("MLPerf® Inference v6.0 and the other MLPerf® benchmarks", []),
        ("MLPerf® is hard", ["full-benchmark-name", "no-verb-noun"]),
        ("MLPerfs", ["no-possessive-plural", "registered-symbol"]),
        ("the MLPerf’s rules", ["no-possessive-plural", "registered-symbol"]),
        ("MLPerf® Inference is not endorsed by MLCommons", []),
        ("MLPerf 推理 v6.1", ["registered-symbol"]),
        ("在MLPerf®推理v6.1中", []),
    ],
)
def test_the_mark(text: str, expected: list[str]) -> None:
    assert ids(lint(text, ignore=["attribution-legend"])) == expected


def test_positions_are_exact() -> None:
    text = "# Title\n\nWe ran **MLPerf** Inference,\nthen MLPerf™ Training.\n"
    found = lint(text, select=["registered-symbol"])
    assert [(f.line, f.column, f.end) for f in found] == [(3, 10, (3, 16)), (4, 6, (4, 13))]
    assert [text[f.start_offset : f.end_offset] for f in found] == ["MLPerf", "MLPerf™"]


def test_result_ids_are_looked_up() -> None:
    text = compliant().replace("entry 6.0-0042. Result verified", "entry 6.0-0099. Result verified")
    found = lint(text, results=PUBLISHED)
    assert [f.rule for f in found] == ["footnote-result-id"]
    assert "6.0-0099" in found[0].message
    assert lint(text) == [], "without results, existence is not judged"


def test_a_malformed_result_id_is_named() -> None:
    text = compliant().replace("entry 6.0-0042. Result verified", "entry 60042. Result verified")
    found = lint(text)
    assert [f.rule for f in found] == ["footnote-result-id"]
    assert "60042" in found[0].message


def test_compared_rows_that_differ_must_be_disclosed() -> None:
    bad = RULES["disclose-chip-count-diff"].bad
    assert bad is not None
    text = bad.text.replace(", 72 GPUs and 8 GPUs", "")
    rows = [row(accelerators=72), row(result_id="6.0-0043", availability="preview")]
    found = ids(lint(text, results=rows))
    assert {"disclose-category-diff", "disclose-chip-count-diff"} <= set(found)


def test_the_author_decides_who_waits_two_weeks() -> None:
    bad = RULES["non-submitter-two-weeks"].bad
    assert bad is not None
    rule = ["non-submitter-two-weeks"]
    day = date(2026, 4, 8)
    assert lint(bad.text, select=rule, published=day, results=PUBLISHED, author="Example") == []
    assert ids(lint(bad.text, select=rule, published=day, results=PUBLISHED, author="Other Press")) == rule


def test_guesses_are_no_must() -> None:
    found = lint("MLPerf® Inference v6.0 is a benchmark of MLPerf®.", select=["no-verb-noun"])
    assert [f.severity for f in found] == [RuleSeverity.SHOULD]


def test_figures_silence_what_they_may_hold() -> None:
    text = "We reach 12,345 tokens/s in MLPerf® Inference.\n"
    assert "main-text-system" in ids(lint(text))
    assert not any(i.startswith("main-text") for i in ids(lint(text + "\n![Chart](chart.png)\n")))


def test_chinese_copy() -> None:
    text = "示例云在 MLPerf 推理 v6.1 的 Llama 2 70B 离线场景中每秒处理 12345 个 token，每 GPU 1543 个 token/秒。\n"
    found = ids(lint(text, "a.txt"))
    assert {"registered-symbol", "attribution-legend", "footnote-present", "unverified-label"} <= set(found)


@pytest.mark.parametrize(
    "text",
    [
        "MLPerf got 5 tokens/s faster than x. " * 1000,
        "MLPerf " * 5000,
        "MLPerf " + "a-" * 10000,
        "MLPerf " + "A/" * 10000,
        "MLPerf " + "1," * 10000,
        "MLPerf " + "a." * 10000,
        "[^1]: MLPerf v6.0 x 6.0-0012\n" * 300,
    ],
    ids=["figures", "marks", "dashes", "paths", "numbers", "dots", "notes"],
)
def test_hostile_copy_takes_bounded_time(text: str) -> None:
    begin = time.process_time()
    lint(text)
    assert time.process_time() - begin < 40
