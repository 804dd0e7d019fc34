"""Every code that a verdict can carry is explained."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mlperf_claimcheck
from mlperf_claimcheck.verdicts import Outcome, Severity, catalogue

PACKAGE = Path(mlperf_claimcheck.__file__).parent

NAMED_IN_THE_RULES = [
    "derived-metric",
    "self-defined-scope",
    "rests-on-preview",
    "preview-result",
    "open-division",
    "rdi-result",
    "joint-entry",
    "submitter-not-named",
    "belongs-to-other",
    "partial-system",
    "accelerator-count-conflict",
    "chip-count-differs",
    "submitter-differs",
    "division-differs",
    "availability-differs",
    "round-differs",
    "variant-differs",
    "incomparable-rounds",
    "comparability-unknown",
    "best-of-baselines",
    "truncated",
    "finer-than-source",
    "loose-bound",
    "narrow-margin",
    "round-inferred",
    "x-higher-wording",
    "inferred-result",
    "result-withdrawn",
    "reported-withdrawn",
    "results-may-change",
    "not-mlcommons-verified",
    "unit-label-conflict",
]


def _strings(node: ast.expr) -> set[str]:
    """The string constants that an expression can give."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return _strings(node.body) | _strings(node.orelse)
    return set()


def _codes_in(source: str) -> tuple[set[str], set[str]]:
    """The literal reason and caveat codes that a module makes."""
    reasons: set[str] = set()
    caveats: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        code = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "code"), None)
        if code is None:
            continue
        if name in ("Reason", "Undecidable", "failed", "passed", "unverifiable"):
            reasons |= _strings(code)
        elif name == "Caveat":
            caveats |= _strings(code)
    return reasons, caveats


def test_codes_are_found_in_source() -> None:
    source = 'x = Reason("a-b" if y else "c-d", m)\nCaveat(code="e-f", message="")\nother("g-h")\nfailed("i-j", "")'
    assert _codes_in(source) == ({"a-b", "c-d", "i-j"}, {"e-f"})


def test_every_code_that_the_program_uses_is_explained() -> None:
    missing = []
    for path in sorted(PACKAGE.rglob("*.py")):
        reasons, caveats = _codes_in(path.read_text("utf-8"))
        for kind, codes in (("reason", reasons), ("caveat", caveats)):
            for code in codes:
                entry = catalogue.find(code)
                if entry is None or not (entry.is_reason if kind == "reason" else entry.is_caveat):
                    missing.append(f"{path.relative_to(PACKAGE)}: {kind} {code}")
    assert not missing


@pytest.mark.parametrize("code", NAMED_IN_THE_RULES)
def test_the_codes_of_the_verdict_rules_are_explained(code: str) -> None:
    assert catalogue.get(code).is_caveat


@pytest.mark.parametrize("code", catalogue.codes())
def test_an_entry_is_complete(code: str) -> None:
    entry = catalogue.get(code)
    assert code == code.lower()
    assert set(code) <= set("abcdefghijklmnopqrstuvwxyz-")
    assert len(entry.title) <= 90
    assert not entry.title.endswith(".")
    assert entry.explanation.endswith((".", "?"))
    assert entry.example
    assert entry.source
    assert entry.is_reason or entry.is_caveat
    assert entry.severity in ("notice", "warning", "error")


def test_a_code_may_be_reason_and_caveat() -> None:
    entry = catalogue.get("incomparable-rounds")
    assert entry.outcomes == (Outcome.FAIL,)
    assert entry.caveat is Severity.WARNING
    assert entry.kind == "reason and caveat"
    assert entry.severity == "error"


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("derived-metrik", "derived-metric"), ("Value_Matches", "value-matches"), ("narow-margin", "narrow-margin")],
)
def test_an_unknown_code_suggests_the_nearest(wrong: str, meant: str) -> None:
    with pytest.raises(catalogue.UnknownCodeError) as raised:
        catalogue.get(wrong)
    assert raised.value.suggestions[0] == meant
    assert meant in str(raised.value)


def test_an_unlike_code_suggests_nothing() -> None:
    with pytest.raises(catalogue.UnknownCodeError, match=r"there is no code 'zzqqxx'$"):
        catalogue.get("zzqqxx")
