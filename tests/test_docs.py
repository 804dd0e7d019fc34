"""The documentation says what the program does: its examples are run, its lists are those of the program."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from mlperf_claimcheck.api import check_files
from mlperf_claimcheck.claims.accepted import ENTRY_FIELDS, read_accepted_text
from mlperf_claimcheck.claims.fields import FIELDS, FILE_FIELDS, OUTCOMES, RELATIONS
from mlperf_claimcheck.claims.files import load_claim_files
from mlperf_claimcheck.cli.main import app
from mlperf_claimcheck.reports import names

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CLAIM_FILES = (ROOT / "docs" / "claim-files.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```", CLAIM_FILES, re.MULTILINE | re.DOTALL)
README_BLOCKS = [b for b in re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL) if "claims:" in b]


def run(*arguments: str, code: int | None = 0) -> str:
    result = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "100"})
    assert code is None or result.exit_code == code, result.output
    return result.stdout


@pytest.mark.parametrize("block", BLOCKS + README_BLOCKS, ids=range(len(BLOCKS) + len(README_BLOCKS)))
def test_an_example_gets_the_verdict_it_states(block: str) -> None:
    (file,) = load_claim_files(["-"], stdin=io.StringIO(block))
    expected = yaml.safe_load(block)["expect"]
    assert {c.id for c in file.claims} == set(expected), "every claim of an example states its verdict"
    found = {v.id: v.outcome.value for v in check_files([file]).verdicts}
    assert found == expected


def test_the_examples_are_found() -> None:
    assert len(BLOCKS) >= 8
    assert README_BLOCKS


def test_every_field_and_relation_is_described() -> None:
    for spec in FIELDS:
        assert re.search(rf"^\| `{spec.name}`.*{re.escape(spec.description)} \|$", CLAIM_FILES, re.MULTILINE), spec.name
    for name, text in FILE_FIELDS.items():
        assert f"| `{name}` | {text} |" in CLAIM_FILES
    for spelling in RELATIONS:
        assert f"`{spelling}`" in CLAIM_FILES, spelling


def test_the_readme_shows_what_the_program_prints() -> None:
    """Every `$ mlperf-claimcheck …` in a console block is run; the lines shown below it are lines of its output."""
    shown = 0
    for block in re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        command, *lines = block.strip().splitlines()
        assert command.startswith("$ mlperf-claimcheck ")
        output = [line.rstrip() for line in run(*shlex.split(command)[2:], code=None).splitlines()]
        for line in lines:
            assert line.rstrip() in output, line
            shown += 1
    assert shown >= 5
    assert "PASS " in README
    assert "16,634.86" in README
    assert "16,635" in README


def test_the_python_example_prints_what_its_comment_says(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip() == block.rsplit("# ", 1)[1].strip()


def test_the_bundled_rounds_are_those_that_the_readme_names() -> None:
    held = re.findall(r"^inference-(v[0-9.]+) +bundled", run("results", "list"), re.MULTILINE)
    assert f"results of Inference {', '.join(held[:-1])} and {held[-1]}." in README


def test_the_formats_are_those_of_the_program() -> None:
    section = README.split("## Reports")[1].split("##")[0].split("It may")[0]
    assert re.findall(r"`([a-z]+)`", section) == list(names())


def test_the_exit_codes_of_the_documentation_are_those_of_the_program(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([0-9]) \| .* \|$", text.split("##")[1], re.MULTILINE)
    assert rows == ["0", "1", "2", "3", "4"]
    claim = "CoreWeave: {} tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72, MLPerf v6.1"
    run("verify", claim.format("16,635"), code=0)
    run("verify", claim.format("16,653"), code=1)
    run("verify", "", code=2)
    run("verify", "More tokens from each GPU lower the cost of a token", code=3)
    run("verify", "More tokens from each GPU lower the cost of a token", "--allow-unverifiable", code=0)
    run("verify", claim.format("16,635"), "--results", str(tmp_path / "absent.json"), code=4)
    assert set(OUTCOMES) == {"pass", "fail", "unverifiable"}


def test_every_command_has_its_exit_codes_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "exit-codes.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"^  ([a-z]+) ", run("--help").split("Commands:")[1], re.MULTILINE)) - {"results"}
    commands |= {
        f"results {name}"
        for name in re.findall(r"^  ([a-z]+) ", run("results", "--help").split("Commands:")[1], re.MULTILINE)
    }
    rows = {
        name for row in re.findall(r"^\| (`[a-z ,`]+`) \|", text, re.MULTILINE) for name in re.findall("`([^`]+)`", row)
    }
    assert rows | {"check", "verify"} == commands
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bare.md").write_text("In MLPerf v6.1 we reached 1,000 tokens/s.\n", encoding="utf-8")
    (tmp_path / "none.md").write_text("Nothing of note.\n", encoding="utf-8")
    run("lint", "none.md", code=0)
    run("lint", "bare.md", code=1)
    run("lint", "absent.md", code=2)
    run("extract", "none.md", code=0)
    run("extract", "absent.md", code=2)
    run("schema", code=0)
    run("explain", "derived-metric", code=0)
    run("explain", "no-such-code", code=2)
    run("init", "a.yaml", code=0)
    run("init", "a.yaml", code=2)
    run("results", "list", code=0)
    run("results", "show", "--submitter", "Nobody", code=0)
    run("results", "show", "--round", "six", code=2)
    run("results", "show", "--results", "absent.csv", code=4)
    (tmp_path / "bad.csv").write_text("no results", encoding="utf-8")
    run("results", "diff", "absent.csv", "bad.csv", code=2)
    run("results", "diff", "bad.csv", "bad.csv", code=4)
    run("results", "verify", ".", code=4)


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("check",),
        ("verify",),
        ("lint",),
        ("extract",),
        ("explain",),
        ("schema",),
        ("init",),
        ("results",),
        ("results", "list"),
        ("results", "fetch"),
        ("results", "show"),
        ("results", "verify"),
        ("results", "diff"),
    ],
    ids=" ".join,
)
def test_help_exits_with_0(command: tuple[str, ...]) -> None:
    assert "Usage:" in run(*command, "--help")


def test_commands_that_the_documents_name_exist() -> None:
    listed = set(re.findall(r"^  ([a-z]+) ", run("--help").split("Commands:")[1], re.MULTILINE))
    for document in (README, CLAIM_FILES, (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        for name in re.findall(r"mlperf-claimcheck ([a-z]+)\b", document):
            assert name in listed, name


def test_links_between_documents_lead_somewhere() -> None:
    for document in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").glob("*.md"),
    ):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_make_targets_that_the_documents_name_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for document in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"`?make ([a-z]+)", (ROOT / document).read_text(encoding="utf-8")):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_action_and_the_hook_run_commands_that_exist() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    assert set(action["inputs"]) == {"paths", "format", "version", "fail-on", "upload-sarif"}
    # Inputs reach the shell as variables, never pasted into the script.
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] == "mlperf-claimcheck"
    assert hook["entry"] == "mlperf-claimcheck check"
    assert re.search(hook["files"], "claims/a.yaml")
    assert not re.search(hook["files"], "claims/README.md")


def test_the_fields_of_accepted_findings_are_described_and_the_example_is_valid() -> None:
    text = (ROOT / "docs" / "accepted-findings.md").read_text(encoding="utf-8")
    for spec in ENTRY_FIELDS.values():
        assert f"| `{spec.name}` | {spec.description} |" in text
    (block,) = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (entry,) = read_accepted_text(block, "accepted.yaml").entries
    assert entry.claim == "digits"
