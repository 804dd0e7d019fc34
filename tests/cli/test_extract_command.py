"""`extract`, and `check` on copy, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from mlperf_claimcheck.claims.file_reader import read_claim_text
from mlperf_claimcheck.cli.main import app

POST = (
    "# CoreWeave in MLPerf Inference v6.1\n\n## GPT-OSS-120B\n\n"
    "Our GB300 NVL72 delivered 16,635 tokens/s/GPU offline. Its server result is 1 tokens/s.\n"
)


def run(*arguments: str | Path, data: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, [str(a) for a in arguments], input=data)


def post(folder: Path, name: str = "post.md", text: str = POST) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_extract_writes_a_claim_file_to_standard_output(tmp_path: Path) -> None:
    result = run("extract", post(tmp_path))
    assert result.exit_code == 0
    assert [c.id for c in read_claim_text(result.stdout, "a.yaml").claims] == ["line-5", "line-5-2"]


def test_extract_reads_standard_input() -> None:
    result = run("extract", "-", data=POST)
    assert 'where: "<stdin>:5:1"' in result.stdout


def test_extract_writes_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.yaml"
    result = run("extract", post(tmp_path), "--output", target)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "2 claims" in result.stderr
    assert len(read_claim_text(target.read_text(encoding="utf-8"), "a.yaml").claims) == 2


@pytest.mark.parametrize("case", ["missing", "folder", "binary", "unwritable"])
def test_what_cannot_be_read_or_written_exits_2_without_a_traceback(tmp_path: Path, case: str) -> None:
    source = tmp_path if case == "folder" else tmp_path / "a.md"
    if case in ("binary", "unwritable"):
        source.write_bytes(b"%PDF-1.4" if case == "binary" else POST.encode())
    result = run("extract", source, "-o", tmp_path / "no" / "out.yaml")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.output
    assert not (tmp_path / "no").exists()


def test_no_claim_found_is_said(tmp_path: Path) -> None:
    path = post(tmp_path, text="Hello.\n")
    result = run("extract", path)
    assert result.exit_code == 0
    assert "claims: []" in result.stdout
    assert "no claim" in result.stderr
    assert "no claim" in run("check", path, "--offline").stderr


def test_check_on_copy_has_the_places_of_the_document(tmp_path: Path) -> None:
    path = post(tmp_path)
    result = run("check", path, "--offline", "-f", "json")
    assert result.exit_code == 1
    claims = json.loads(result.stdout)["claims"]
    assert [(c["file"], c["line"], c["column"], c["verdict"]) for c in claims] == [
        (str(path), 5, 1, "pass"),
        (str(path), 5, 56, "fail"),
    ]


def test_the_claim_file_beside_says_what_is_expected(tmp_path: Path) -> None:
    path = post(tmp_path)
    post(
        tmp_path,
        "post.claims.yaml",
        "claims: [{id: line-5-2, text: Its server result is 1 tokens/s.}]\nexpect: {line-5-2: fail}\n",
    )
    assert run("check", path, "--offline").exit_code == 0


def test_a_fault_in_the_file_beside_is_its_own(tmp_path: Path) -> None:
    path = post(tmp_path)
    post(tmp_path, "post.claims.yaml", "claims: [{modle: x}]\n")
    result = run("check", path, "--offline")
    assert result.exit_code == 2
    assert "post.claims.yaml:1:" in result.stderr
