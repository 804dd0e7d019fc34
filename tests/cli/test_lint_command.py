"""`lint` on the command line: formats, exit codes, fixes."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from mlperf_claimcheck.cli.lint_command import lint

APP = typer.Typer()
APP.command()(lint)

LEGEND = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United States "
    "and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org for more "
    "information."
)
GOOD = f"We took part in MLPerf® Inference v6.0.\n\n{LEGEND}\n"
BAD = f"We took part in **MLPerf** Inference v6.0\nand in MLPERF™ Training.\n\n{LEGEND}\n"


def run(*arguments: str | Path, data: str | bytes | None = None) -> Result:
    return CliRunner().invoke(APP, [str(a) for a in arguments], input=data)


def file(folder: Path, text: str, name: str = "post.md") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_a_clean_file_exits_0(tmp_path: Path) -> None:
    result = run(file(tmp_path, GOOD))
    assert result.exit_code == 0
    assert result.stdout == "no findings in 1 file\n"


def test_a_broken_must_rule_exits_1_and_names_the_place(tmp_path: Path) -> None:
    path = file(tmp_path, BAD)
    result = run(path)
    assert result.exit_code == 1
    assert f"{path}:1:19: must [registered-symbol]" in result.stdout
    assert f"{path}:2:8: must [no-alteration]" in result.stdout


def test_should_alone_exits_0(tmp_path: Path) -> None:
    text = f"We believe in MLPerf®, the MLPerf® Inference benchmark.\n\n{LEGEND}\n"
    result = run(file(tmp_path, text), "--ignore", "full-benchmark-name")
    assert "should [no-verb-noun]" in result.stdout
    assert result.exit_code == 0


def test_json_has_the_documented_keys(tmp_path: Path) -> None:
    path = file(tmp_path, BAD)
    result = run(path, "--format", "json", "--select", "registered-symbol")
    assert result.exit_code == 1
    (finding,) = json.loads(result.stdout)["findings"]
    documented = {"rule", "severity", "file", "line", "column", "message", "fix"}
    assert documented <= set(finding)
    assert (finding["rule"], finding["severity"], finding["file"]) == ("registered-symbol", "must", str(path))
    assert (finding["line"], finding["column"], finding["end_line"], finding["end_column"]) == (1, 19, 1, 25)
    assert finding["fix"]["safe"] is True


def test_github_annotations(tmp_path: Path) -> None:
    path = file(tmp_path, BAD)
    result = run(path, "-f", "github", "--select", "registered-symbol")
    assert result.stdout.startswith(
        f"::error file={path},line=1,col=19,endLine=1,endColumn=25,title=registered-symbol::"
    )
    assert result.stdout.count("\n") == 1


def test_sarif_names_rules_and_regions(tmp_path: Path) -> None:
    result = run(file(tmp_path, BAD), "-f", "sarif")
    (sarif_run,) = json.loads(result.stdout)["runs"]
    rules = [r["id"] for r in sarif_run["tool"]["driver"]["rules"]]
    for entry in sarif_run["results"]:
        assert rules[entry["ruleIndex"]] == entry["ruleId"]
        assert entry["locations"][0]["physicalLocation"]["region"]["startLine"] >= 1


def test_standard_input(tmp_path: Path) -> None:
    result = run("-", "--select", "registered-symbol", data=f"# T\n\nMLPerf Inference\n\n{LEGEND}\n")
    assert result.exit_code == 1
    assert "<stdin>:3:1:" in result.stdout


def test_output_goes_to_the_file(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    result = run(file(tmp_path, BAD), "-f", "json", "-o", report)
    assert result.stdout == ""
    assert json.loads(report.read_text("utf-8"))["findings"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("missing.md", None, "no such file"),
        ("a.md", "提升 19.8%".encode("gb18030"), "not UTF-8"),
        ("a.pdf", b"%PDF-1.7", "a PDF"),
    ],
)
def test_an_unreadable_file_exits_2_and_the_others_are_checked(
    tmp_path: Path, name: str, data: bytes | None, message: str
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    result = run(tmp_path / name, file(tmp_path, BAD, "other.md"))
    assert result.exit_code == 2
    assert message in result.stderr
    assert "registered-symbol" in result.stdout
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--select", "registerd-symbol"], "did you mean registered-symbol?"),
        (["--published", "April 1"], "expected the form"),
        (["--write"], "--write needs --fix"),
    ],
)
def test_bad_usage_exits_2(tmp_path: Path, arguments: list[str], message: str) -> None:
    result = run(file(tmp_path, BAD), *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_folder_is_refused(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "is a folder" in result.stderr


def test_fix_shows_a_diff_and_writes_nothing(tmp_path: Path) -> None:
    path = file(tmp_path, BAD)
    result = run(path, "--fix")
    assert result.exit_code == 1
    assert "-We took part in **MLPerf** Inference v6.0" in result.stdout
    assert "+We took part in **MLPerf®** Inference v6.0" in result.stdout
    assert path.read_text("utf-8") == BAD


@pytest.mark.parametrize(
    ("encoding", "newline", "name"),
    [("utf-8", "\n", "a.md"), ("utf-8-sig", "\r\n", "a.md"), ("utf-16", "\r\n", "a.txt"), ("utf-8", "\r\n", "a.html")],
)
def test_fix_and_write_keep_encoding_line_ends_and_mode(tmp_path: Path, encoding: str, newline: str, name: str) -> None:
    path = tmp_path / name
    text = f"We took part in MLPerf Inference v6.0.\n\n{LEGEND}\n".replace("\n", newline)
    path.write_bytes(text.encode(encoding))
    path.chmod(0o640)
    result = run(path, "--fix", "--write")
    assert result.exit_code == 0, result.output
    expected = text.replace("in MLPerf", "in MLPerf®")
    assert path.read_bytes() == expected.encode(encoding)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_fixing_twice_changes_nothing_more(tmp_path: Path) -> None:
    path = file(tmp_path, BAD)
    run(path, "--fix", "--write")
    once = path.read_bytes()
    assert "**MLPerf®** Inference" in once.decode()
    assert "MLPerf® Training" in once.decode()
    result = run(path, "--fix", "--write")
    assert path.read_bytes() == once
    assert "@@" not in result.stdout


def test_an_old_encoding_gets_an_entity(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    page = f'<meta charset="shift_jis"><p>MLPerf Inference は速い</p><p>{LEGEND}</p>'
    path.write_bytes(page.encode("cp932"))
    assert run(path, "--fix", "--write").exit_code == 0
    assert path.read_bytes() == page.replace("MLPerf I", "MLPerf&reg; I").encode("cp932")


def test_standard_input_cannot_be_written() -> None:
    result = run("-", "--fix", "--write", data=BAD)
    assert result.exit_code == 2
    assert "standard input cannot be written" in result.stderr


def test_hostile_text_cannot_reach_the_terminal(tmp_path: Path) -> None:
    text = "MLPerf\x1b[31m\u202e® is \x1b]0;x\x07MLPERF here\n"
    for output_format in ("text", "github"):
        result = run(file(tmp_path, text), "-f", output_format, "--fix")
        assert "\x1b" not in result.output
        assert "\u202e" not in result.output


def test_the_published_date_is_taken_from_the_document(tmp_path: Path) -> None:
    text = f"---\npublished: 2026-03-01\n---\nWe reach 12 tokens/s in MLPerf® Inference v6.0.\n\n{LEGEND}\n"
    path = file(tmp_path, text)
    assert "submitter-embargo" in run(path).stdout
    assert "submitter-embargo" not in run(path, "--published", "2026-05-01").stdout
