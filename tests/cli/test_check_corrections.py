"""`check --corrections`: a result that its user knows to be withdrawn proves nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from mlperf_claimcheck.cli.main import app
from mlperf_claimcheck.results.load import load_results

ROW = next(
    r
    for r in load_results(use_cache=False).rows
    if r.round == "inference-v6.0" and r.result_id and r.model == "llama3.1-8b"
)
CLAIM = f"{{kind: value, result_id: {ROW.result_id}, model: {ROW.model}, scenario: {ROW.scenario}, value: {ROW.value}}}"
ENTRY = f"result_id: v{ROW.result_id}, kind: withdrawn, date: 2026-10-01, what: w, source: s"


def run(folder: Path, corrections: str | None, *options: str) -> tuple[int, str, str]:
    (folder / "claims.yaml").write_text(f"defaults: {{round: inference-v6.0}}\nclaims: [{CLAIM}]\n")
    given = []
    if corrections is not None:
        (folder / "own.yaml").write_text(corrections)
        given = ["--corrections", str(folder / "own.yaml")]
    result = CliRunner().invoke(app, ["check", str(folder / "claims.yaml"), "--offline", *given, *options])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(
    ("more", "code", "word"),
    [
        ("authority: official", 1, "result-withdrawn"),
        ("authority: reported", 0, "reported-withdrawn"),
        ("authority: official, model: Llama 3.1 8B", 1, "result-withdrawn"),
        (f"authority: official, scenario: {ROW.scenario.lower()}", 1, "result-withdrawn"),
        ("authority: official, model: Whisper", 0, '"verdict": "pass"'),
    ],
)
def test_a_withdrawn_result_proves_nothing(tmp_path: Path, more: str, code: int, word: str) -> None:
    assert run(tmp_path, None)[0] == 0
    exit_code, out, _ = run(tmp_path, f"corrections: [{{{ENTRY}, {more}}}]", "-f", "json")
    assert (exit_code, word in out) == (code, True), out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("corrections: {", "cannot be read as YAML"),
        ("- a", "a list `corrections:`"),
        ("corrections: [5]", "result_id, kind"),
        ("corrections: [{null: 5, b: 6}]", "missing"),
        (f"corrections: [{{{ENTRY}, authority: official, model: Lama}}]", "“Lama” is not known"),
        (f"corrections: [{{{ENTRY}, authority: official, scenario: Sever}}]", "“Sever” is not known"),
        (f"corrections: [{{{ENTRY}, authority: me}}]", "authority one of"),
        (f"corrections: [{{{ENTRY}, authority: official, extra: 1}}]", "extra not known"),
        (f"corrections: [{{{ENTRY}, authority: [official]}}]", "authority has to be text"),
        ("corrections: [&a {result_id: 1}, *a]", "aliases"),
        (
            "corrections: [{result_id: soon, kind: withdrawn, authority: official, date: d, what: w, source: s}]",
            "“soon”",
        ),
        ("[" * 5000, "cannot be read"),
        ("corrections: [] #" + "x" * (1 << 20), "larger than"),
    ],
)
def test_a_damaged_file_is_bad_usage(tmp_path: Path, text: str, message: str) -> None:
    code, out, errors = run(tmp_path, text)
    assert (code, out) == (2, "")
    assert message in errors
    assert "Traceback" not in errors


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["verify", "x", "--offline", "--corrections", str(tmp_path / "none.yaml")])
    assert result.exit_code == 2
    assert "none.yaml: cannot be read (No such file" in result.stderr


def test_an_entry_that_changes_nothing_is_named(tmp_path: Path) -> None:
    entry = ENTRY.replace(str(ROW.result_id), "6.0-9999")
    code, _, errors = run(tmp_path, f"corrections: [{{{entry}, authority: official}}]")
    assert code == 0
    assert "no result 6.0-9999 is held" in errors


CHANGED = f"result_id: v{ROW.result_id}, kind: changed, date: 2026-10-01, what: figure corrected, source: s"
ONE = f"model: {ROW.model}, scenario: {ROW.scenario}, value: {ROW.value * 2}"


@pytest.mark.parametrize(
    ("more", "code", "word"),
    [
        (f"authority: official, {ONE}", 1, "result-changed"),
        (f"authority: reported, {ONE}", 0, "reported-changed"),
        ("authority: official", 0, "result-changed"),
    ],
)
def test_a_changed_figure_decides_where_mlcommons_changed_it(tmp_path: Path, more: str, code: int, word: str) -> None:
    exit_code, out, _ = run(tmp_path, f"corrections: [{{{CHANGED}, {more}}}]", "-f", "json")
    assert (exit_code, word in out) == (code, True), out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("value: 5", "name its model and its scenario"),
        (f"model: {ROW.model}, scenario: {ROW.scenario}, value: many", "is no figure"),
        (f"model: {ROW.model}, scenario: {ROW.scenario}, value: -1", "is no figure"),
        ("model: Llama 2 70B, scenario: Offline, value: 5", "name its model and its scenario"),
    ],
)
def test_a_new_figure_is_of_one_result(tmp_path: Path, more: str, message: str) -> None:
    code, _, errors = run(tmp_path, f"corrections: [{{{CHANGED}, authority: official, {more}}}]")
    assert code == 2
    assert message in errors
