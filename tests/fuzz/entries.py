"""Every way in: how to make hostile input for it, and what to call with it."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import shutil
import struct
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import strategies as st

from .mutation import (
    HOSTILE,
    LIMIT,
    Source,
    any_text,
    apply,
    changes,
    composed,
    encoded,
    listed,
    mutated,
    one_of,
    sampled,
    together,
    whole,
)

TESTS = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Entry:
    """A way in."""

    name: str
    inputs: Source
    run: Callable[[Any], object]
    """Raises nothing but what it must not raise: the errors that are documented are caught in it."""


@cache
def helper(place: str) -> ModuleType:
    """A module of the other tests, by its path below `tests/`."""
    name = "fuzz_helper_" + place.replace("/", "_").removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, TESTS / place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


CLAIMS = (
    "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72",
    "GPT-OSS-120B on GB300 NVL72: +8% per-GPU server throughput vs v6.0",
    "over 1.19 million tokens/s on 72 GPUs in MLPerf Inference v6.1 Offline, closed division",
    "CoreWeave delivers the highest DeepSeek-R1 server throughput of all cloud providers",
    "2.7x faster than H200 on Llama 2 70B, Server and Offline respectively 53.4k and 51,000 tokens/s",
    "first place in 11 of 12 benchmarks; the only submitter of wan-2.2",
    "B200 improved from 10,000 to 12,500 tokens/s between v5.0 and v5.1",
    "1.4 s at p99, 8x MI355X, four nodes",
    "system TPS of 1,234 at concurrency 128 in MLPerf Endpoints v0.7, p95 TTFT 1.2 s",
)
WORDS = (
    "16,635", "1.19 million", "53.4k", "19.8%", "2.7x", "+8%", "10,000–12,000", "±5%", "~3", "$5", "½", "tokens/s",
    "tokens/s/GPU", "samples/s", "queries/s", "ms", "per GPU", "per node", "each", "offline", "server", "interactive",
    "single stream", "GPT-OSS-120B", "Llama 2 70B", "DeepSeek-R1", "llama3.1-8b", "wan-2.2", "GB300 NVL72", "8x B200",
    "MI355X", "72 GPUs", "four nodes", "CoreWeave", "NVIDIA", "v6.1", "MLPerf Inference v5.1", "closed", "open",
    "available", "preview", "over", "up to", "nearly", "about", "between", "and", "or", "not", "than", "vs", "from",
    "to", "respectively", "in both scenarios", "fastest", "highest", "only", "first", "every", "of", "the", "of all",
    "most", "results", "benchmarks", "twice", "half", "by", "a", "¹", "*", ",", ";", ".", "(", ")", "/", "-", "TTFT",
    "p99", "concurrency 128", "is", "beats", "?",
)  # fmt: skip


# ---- claims ----


@cache
def table() -> Any:
    from mlperf_claimcheck import load_results

    return load_results()


def check_text(text: str) -> None:
    """A claim in words, read and checked."""
    from mlperf_claimcheck.api import check_files
    from mlperf_claimcheck.claims.file_errors import ClaimFileErrors
    from mlperf_claimcheck.claims.files import claim_from_text

    try:
        file = claim_from_text(text)
    except ClaimFileErrors:
        return
    (verdict,) = check_files([file], table()).verdicts
    assert verdict.reason.message


CLAIM_FILES = tuple(
    f.read_text("utf-8") for f in sorted((TESTS.parent / "claims").glob("*.yaml")) if f.stat().st_size < 5000
) + (
    "claims: [16635 tokens/s/GPU offline]\n",
    "defaults: {round: v6.1, submitter: CoreWeave}\nclaims:\n  - {id: a, model: GPT-OSS-120B, value: 1.19 million, "
    "unit: tokens/s, baseline: {round: v6.0}, relation: over}\nexpect: {a: pass}\ngroups: {us: [Acme, NVIDIA]}\n",
    "a: &a [x, x]\nb: &b [*a, *a]\nclaims: [*b, *b]\n",
    "source: {title: x, url: 'https://x', published: 2026-09-16}\nclaims:\n- text: |\n    8x B200\n  where: p. 2\n",
)
YAML_WORDS = (
    "claims:", "defaults:", "groups:", "expect:", "source:", "\n", "\n  - ", "text: ", "id: ", "model: ", "value: ",
    "unit: ", "round: v6.1", "baseline: ", "among: ", "kind: ", "{", "}", "[", "]", ", ", "&a ", "*a", "<<: *a", "!!python/object:x ",
    "!!binary |", "? ", "|", ">", "'", '"', "#", "%YAML 1.1", "---", "...", "\t", "0o7", "1:30", "2026-09-16", "~", ".inf",
    "&a [*a]", "- " * 200, "{a: " * 100, "[" * 300,
)  # fmt: skip


def load_yaml(text: str) -> None:
    """A claim file from standard input, then its claims checked."""
    from mlperf_claimcheck.api import check_files
    from mlperf_claimcheck.claims.file_errors import ClaimFileErrors
    from mlperf_claimcheck.claims.files import load_claim_files

    stream = io.TextIOWrapper(io.BytesIO(encoded(text)))
    try:
        files = load_claim_files(["-"], stdin=stream)
    except ClaimFileErrors:
        return
    check_files([f for f in files if len(f.claims) <= 20], table())


# ---- results ----


@cache
def summaries() -> dict[str, tuple[str, ...]]:
    """A few rows in each published form."""
    samples = helper("results/summary_samples.py")
    old = samples.old_file(samples.old_row(), samples.old_row(ID="v4.1-0002", Scenario="Server", Notes=None))
    return {
        "list.json": (old.decode(),),
        "table.csv": (samples.new_csv(samples.new_row(), samples.new_row(Scenario="server", Result="1e3")).decode(),),
        "summary.json": (samples.new_json(samples.new_row(), samples.new_row(Units="Samples/s")).decode(),),
    }


CELLS: tuple[Any, ...] = (
    *HOSTILE, *WORDS[:40], None, True, 0, -1, 1.5, 1e308, 10**400, [], {}, ["x"], {"a": "b"}, "1e400", "nan", "N/A", "-", "72 (x4)",
    "closed", "network", "datacenter,edge", "Offline", "multi-stream", "VLM", "v6.1", "v99.9", "9.9.9", "Joules", "Tokens/s",
    "Power", "Latency (ms)", "./closed/../../x", "ID", "a#", "Units", "Result", "Performance_Result",
)  # fmt: skip
"""Values and names of columns that a summary should not have, or should have elsewhere."""


def rows_inputs(name: str) -> Source:
    """Summaries whose form is right and whose cells are not."""

    def build(given: tuple[list[tuple[int, Any, bool]], list[tuple[int, Any, bool]]]) -> str:
        samples = helper("results/summary_samples.py")
        old = name == "list.json"
        rows = []
        for edits in given:
            row = samples.old_row() if old else samples.new_row()
            columns = list(row)
            for number, cell, rename in edits:
                column = columns[number % len(columns)]
                if rename and isinstance(cell, str):
                    row[cell] = row.pop(column, None)
                else:
                    row[column] = cell
            rows.append(row)
        if old:
            return json.dumps(rows)
        if name == "summary.json":
            return json.dumps({str(i): r for i, r in enumerate(rows)})
        stream = io.StringIO()
        writer = csv.DictWriter(stream, list(rows[0]), extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows(rows)
        return stream.getvalue()[:LIMIT]

    edits = listed(together(whole(0, 99), sampled(CELLS), sampled((False, False, True))), 4)
    return together(edits, edits).map(build)


def parse_summary(name: str) -> Callable[[str], None]:
    def run(text: str) -> None:
        from mlperf_claimcheck.results.errors import ResultsError
        from mlperf_claimcheck.results.readers import parse_results

        with suppress(ResultsError):
            parse_results(encoded(text), name)

    return run


def read_damaged_bundle(given: tuple[str, int, bytes]) -> None:
    """The package's own table, damaged: never read as if it were whole, and no file of its form is taken for one."""
    from mlperf_claimcheck.results import load
    from mlperf_claimcheck.results.errors import ResultsError
    from mlperf_claimcheck.results.readers import parse_results

    name, place, piece = given
    whole = bundle_files()[name]
    start = place % (len(whole) + 1)
    damaged = whole[:start] + piece + whole[start + len(piece) :]
    folder = bundle_folder()
    try:
        parse_results((b"PAR1" + damaged)[:10_000], "x.parquet")
    except ResultsError:
        pass
    else:
        raise AssertionError("a parquet file was taken for a summary")
    (folder / name).write_bytes(damaged)
    own, load.BUNDLE = load.BUNDLE, folder
    try:
        load._bundled()
    except ResultsError:
        return
    finally:
        load.BUNDLE = own
        (folder / name).write_bytes(whole)
    assert damaged == whole or name == "manifest.json"


@cache
def bundle_files() -> dict[str, bytes]:
    from mlperf_claimcheck.results import load

    return {n: (Path(str(load.BUNDLE)) / n).read_bytes() for n in ("results.parquet", "rows.jsonl", "manifest.json")}


@lru_cache(maxsize=1)
def bundle_folder() -> Path:
    folder = scratch() / "bundle"
    folder.mkdir()
    for name, data in bundle_files().items():
        (folder / name).write_bytes(data)
    return folder


@lru_cache(maxsize=1)
def scratch() -> Path:
    """A folder of this process, in memory where there is such a place."""
    import atexit

    shm = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="fuzz-", dir=shm if shm.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def tree(kind: str) -> tuple[Path, tuple[tuple[Path, str], ...]]:
    """A small results folder of a kind, and its files."""
    root = scratch() / kind
    if kind == "repository":
        conftest = helper("results/repository/conftest.py")
        root = root / "inference_results_v5.1"
        root.mkdir(parents=True)
        made = conftest.Repo(root)
        for scenario, line in (
            ("Offline", "Tokens per second: 35316.7"),
            ("Server", "Completed tokens per second: 33244.25"),
        ):
            log = conftest.summary_log(scenario, [line], percentiles={"99.00": 5, "50.00": 3}, estimates={"99": 7})
            detail = conftest.detail_log({"effective_scenario": scenario, "result_validity": "VALID", "x": 1})
            made.run("Acme", "A1x8", "llama2-70b-99", scenario, log, value=35316.7, detail=detail)
    elif kind == "training":
        training = helper("results/training/test_reader.py")
        root = root / "training_results_v5.1"
        root.mkdir(parents=True)
        made = training.Builder(root)
        made.system()
        made.runs("llama31_405b", [training.log(30), training.log(10), training.log(20)])
        (root / "Acme/results/sys/llama31_405b/scaling.json").write_text('{"scaling_factor": 1.01}')
    else:
        endpoints = helper("results/endpoints/conftest.py")
        root.mkdir(parents=True)
        made = endpoints.Bundle(root)
        made.write_v07() if kind == "endpoints-v0.7" else made.write_v10()
    files = tuple((p, p.read_text("utf-8")) for p in sorted(root.rglob("*")) if p.is_file())
    return root, files


def read_tree(kind: str) -> Callable[[tuple[int, list[Any]]], None]:
    """A results folder, one file of which was changed."""

    def run(given: tuple[int, list[Any]]) -> None:
        from mlperf_claimcheck.results.errors import ResultsError
        from mlperf_claimcheck.results.explicit import read_source

        index, edits = given
        root, files = tree(kind)
        path, text = files[index % len(files)]
        path.write_bytes(encoded(apply(text, edits)))
        try:
            with suppress(ResultsError):
                read_source(str(root), offline=True)
        finally:
            path.write_text(text, encoding="utf-8")

    return run


TREE_WORDS = (
    '{"key": ', ":::MLLOG ", '"value": ', "null", "[", "{", "}", "]", '"', ": ", "run_start", "run_stop", '"time_ms": 1e400',
    "Samples per second: ", "Tokens per second: nan", "Result is : VALID", "Scenario : Offline", "-1", "0", "true", "{}",
    '"number_of_nodes": "x"', "72", "4, 8", "1e309", "99999999999999999999", "- ", "&a [*a, *a]", "*a", "division: closed",
)  # fmt: skip
TREE_INPUTS = together(whole(0, 63), changes(TREE_WORDS))


# ---- copy ----

MARKDOWN = (
    "# Launch\n\nOn MLPerf® Inference v6.1, **GB300 NVL72** reached 16,635 tokens/s/GPU[^1] on GPT-OSS-120B Offline.\n\n"
    "| Model | Offline | Server |\n|---|---:|---:|\n| DeepSeek-R1 | 1,234 tokens/s | 1.2x |\n| wan-2.2 | — | 2 |\n\n"
    "- Up to 8% [faster](https://mlcommons.org) than v6.0\n  - nested `code` <br> &amp;\n\n> quote\n\n```\ncode 5x\n```\n\n"
    "[^1]: MLPerf Inference v6.1 Closed, 6.1-0001. Retrieved from https://mlcommons.org. The MLPerf name and logo are "
    "registered and unregistered trademarks of MLCommons Association. <!-- mlperf-claimcheck: ignore x -- y -->\n",
    "Setext\n======\n\n1. one\n2. two\n\n***bold** it* ~~no~~ ![a](b \"c\") <div>\nhtml\n</div>\n\n[a]: http://b 'c'\n",
)  # fmt: skip
HTML = (
    "<!doctype html><html><head><meta charset=utf-8><title>MLPerf</title><style>x{}</style></head><body><h1>On MLPerf® "
    "Inference v6.1</h1><p>GB300 <b>NVL72</b> reached 16,635&nbsp;tokens/s/GPU<sup>1</sup> on GPT-OSS-120B Offline.</p>"
    "<table><caption>c</caption><tr><th rowspan=2>Model<th colspan=2>Offline</tr><tr><td>1,234 tokens/s<td>2x</table>"
    "<ul><li>a<li>b</ul><script>var x='<p>';</script><!-- c --><p hidden>h</p><sup>1</sup> MLCommons</body></html>",
    "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY a 'b'>]><p>&a; &#x110000; &lt;",
)  # fmt: skip
TEXT = (
    "LAUNCH\n\nOn MLPerf Inference v6.1, GB300 NVL72 reached 16,635 tokens/s/GPU (1) on GPT-OSS-120B Offline.\n\n"
    "* Up to 8% faster than v6.0\n* 2.7x\n\nModel      Offline\nDeepSeek   1,234 tokens/s\n\n(1) MLPerf v6.1 Closed\n",
)
COPY_WORDS = (
    *WORDS, "\n", "\n\n", "# ", "- ", "> ", "| ", "|---|", "```", "~~~", "[^1]", "[^1]: ", "[x](", "](", "**", "_", "`", "<table>",
    "<tr>", "<td rowspan=99999 colspan=99999>", "</td>", "<p>", "</p>", "<div", "<!--", "-->", "<![CDATA[", "<sup>1</sup>",
    "<br/>", "&nbsp;", "&lol;", "MLPerf®", "MLPerf™", "MLCommons", "Retrieved from", "not verified by MLCommons Association",
    "<!-- mlperf-claimcheck: ignore ", "<svg>", "<template>", "<title>", "<textarea>", "<a href=", "\n    ", "1. ", "===", "$$",
)  # fmt: skip


def extract(name: str) -> Callable[[str], None]:
    """The claims of a document as a claim file, read back."""

    def run(text: str) -> None:
        from mlperf_claimcheck.claims.documents import DocumentError
        from mlperf_claimcheck.claims.extraction_file import claim_file_text, extract_document
        from mlperf_claimcheck.claims.file_reader import read_claim_text

        try:
            found = extract_document(name, encoded(text))
        except DocumentError:
            return
        written = claim_file_text([found])
        if found.claims:
            again = read_claim_text(written, "x.yaml")
            assert len(again.claims) == len(found.claims)

    return run


def lint(text: str) -> None:
    """A document linted, and its fixes applied."""
    from mlperf_claimcheck.claims.documents import DocumentError, read_document
    from mlperf_claimcheck.messaging.engine import apply_fixes, lint_document

    for name in ("x.md", "x.html"):
        try:
            document = read_document(name, encoded(text))
        except DocumentError:
            continue
        apply_fixes(document.source, lint_document(document, results=table().rows[:50]), unsafe=True)


def copy_inputs(seeds: tuple[str, ...]) -> Source:
    return one_of(mutated(seeds, COPY_WORDS), composed(COPY_WORDS, 40))


# ---- formats ----


def write_report(name: str) -> Callable[[tuple[str, bool, int, float]], None]:
    """A report with hostile text at every place, written and read back by a program that is not ours."""

    def run(given: tuple[str, bool, int, float]) -> None:
        from dataclasses import replace

        from mlperf_claimcheck import reports
        from mlperf_claimcheck.verdicts.model import Claimed, Computed, Report

        from .foreign import READ_BACK

        text, verbose, width, value = given
        samples = helper("reports/report_samples.py")
        made = samples.hostile_report(text)
        verdict = replace(
            made.verdicts[0],
            claimed=Claimed("eq", value, text, abs(value)),
            computed=Computed(value, text, text),
        )
        made = Report((verdict, *samples.ALL.verdicts[:2]), made.sources, made.claim_sources)
        options = replace(samples.OPTIONS, verbose=verbose, width=width, charts=False)
        READ_BACK[name](reports.render(made, name, options), made)

    return run


def report_inputs() -> Source:
    words = (*HOSTILE, *WORDS[:20])
    text = one_of(sampled(words), mutated(CLAIMS, words), composed(words, 6), any_text(20)).map(lambda t: t[:2000])
    value = Source(st.floats, lambda random: struct.unpack("<d", random.randbytes(8))[0])
    return together(text, sampled((False, True)), whole(40, 120), one_of(value, whole(-(10**20), 10**20).map(float)))


FORMATS = ("table", "json", "jsonl", "markdown", "html", "csv", "junit", "sarif", "github", "claimreview")

ENTRIES: dict[str, Entry] = {
    e.name: e
    for e in (
        Entry("claim-text", one_of(mutated(CLAIMS, WORDS), composed(WORDS)), check_text),
        Entry("claim-file", mutated(CLAIM_FILES, (*YAML_WORDS, *WORDS)), load_yaml),
        *(
            Entry(f"results-{n}", one_of(mutated(summaries()[n], TREE_WORDS), rows_inputs(n)), parse_summary(n))
            for n in ("list.json", "table.csv", "summary.json")
        ),
        Entry(
            "results-bundled",
            together(
                sampled(("results.parquet", "rows.jsonl", "manifest.json")),
                whole(0, 10**6),
                one_of(any_text(12), sampled(HOSTILE)).map(lambda t: encoded(t) or b"\xff"),
            ),
            read_damaged_bundle,
        ),
        *(
            Entry(f"results-{k}", TREE_INPUTS, read_tree(k))
            for k in ("repository", "training", "endpoints-v0.7", "endpoints-v1.0")
        ),
        Entry("extract-markdown", copy_inputs(MARKDOWN), extract("x.md")),
        Entry("extract-html", copy_inputs(HTML), extract("x.html")),
        Entry("extract-text", copy_inputs(TEXT), extract("x.txt")),
        Entry("lint", copy_inputs(MARKDOWN + HTML), lint),
        *(Entry(f"write-{f}", report_inputs(), write_report(f)) for f in FORMATS),
    )
}
