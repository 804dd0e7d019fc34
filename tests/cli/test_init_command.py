"""`init` and `schema` on the command line."""

from __future__ import annotations

import io
import json
import os
import shlex
import stat
import sys
from pathlib import Path

import pytest
import typer
import yaml
from jsonschema import Draft7Validator
from typer.testing import CliRunner, Result

from mlperf_claimcheck.claims.files import load_claim_files
from mlperf_claimcheck.claims.schema import json_schema
from mlperf_claimcheck.cli.init_command import init, starter, workflow_text
from mlperf_claimcheck.cli.schema_command import schema

INIT = typer.Typer()
INIT.command()(init)
SCHEMA = typer.Typer()
SCHEMA.command()(schema)


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(INIT, list(arguments))


def test_starter_is_a_valid_claim_file() -> None:
    (file,) = load_claim_files(["-"], stdin=io.StringIO(starter()))
    assert [c.id for c in file.claims] == ["claim-1", "server-per-gpu", "rack-total"]
    assert all(c.defaults["round"] == "inference-v6.1" for c in file.claims)
    assert "MLPerf®" in starter().splitlines()[0]


def test_starter_agrees_with_the_schema() -> None:
    assert Draft7Validator(json_schema()).is_valid(yaml.load(starter(), Loader=yaml.BaseLoader))


def test_parts_that_are_commented_out_are_valid_too() -> None:
    lines = []
    for line in starter().splitlines():
        bare = line.lstrip()
        comment = bare.startswith("# ") and bare[2:3] != "#"
        key = bare[2:].lstrip("- ").split(":")[0]
        known = {"id", "text", "submitter", "kind", "model", "scenario", "system", "per", "value", "baseline"}
        known |= {"groups", "cloud providers", "expect", "rack-total", "url", "published", "author"}
        lines.append(line.replace("# ", "", 1) if comment and key in known else line)
    (file,) = load_claim_files(["-"], stdin=io.StringIO("\n".join(lines)))
    assert [c.id for c in file.claims][3:] == ["any-submitter", "gain"]
    assert file.claims[3].fields == {"submitter": None}
    assert file.groups
    assert file.source["url"]
    assert file.claims[2].expect == "pass"


def test_writes_claims_yaml() -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "wrote claims.yaml" in result.stderr
    assert Path("claims.yaml").read_text(encoding="utf-8") == starter()
    assert os.listdir() == ["claims.yaml"]  # noqa: PTH208


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("a.yml", "a.yml"),
        ("new/deep/a.yaml", "new/deep/a.yaml"),
        ("claims", "claims/claims.yaml"),
        ("x/", "x/claims.yaml"),
    ],
)
def test_paths(path: str, written: str) -> None:
    assert run(path).exit_code == 0
    assert Path(written).is_file()


def test_a_folder_gets_a_file_inside() -> None:
    Path("some.folder").mkdir()
    assert run("some.folder").exit_code == 0
    assert Path("some.folder/claims.yaml").is_file()


def test_never_overwrites_without_force() -> None:
    Path("claims.yaml").write_text("mine")
    result = run()
    assert result.exit_code == 2
    assert "claims.yaml: exists already" in result.stderr
    assert Path("claims.yaml").read_text() == "mine"
    assert run("--force").exit_code == 0
    assert Path("claims.yaml").read_text(encoding="utf-8") == starter()


def test_one_file_that_exists_stops_both() -> None:
    workflow = Path(".github/workflows/claims.yml")
    workflow.parent.mkdir(parents=True)
    workflow.write_text("mine")
    result = run("--workflow")
    assert result.exit_code == 2
    assert str(workflow) in result.stderr
    assert not Path("claims.yaml").exists()


def test_a_dangling_link_is_not_overwritten_and_force_follows_a_link() -> None:
    Path("claims.yaml").symlink_to("elsewhere.yaml")
    assert run().exit_code == 2
    assert not Path("elsewhere.yaml").exists()
    assert run("--force").exit_code == 0
    assert Path("claims.yaml").is_symlink()
    assert Path("elsewhere.yaml").read_text(encoding="utf-8") == starter()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX systems")
def test_permissions() -> None:
    before = os.umask(0o027)
    try:
        run("new.yaml")
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("new.yaml").stat().st_mode) == 0o640
    Path("new.yaml").chmod(0o600)
    run("new.yaml", "--force")
    assert stat.S_IMODE(Path("new.yaml").stat().st_mode) == 0o600


@pytest.mark.parametrize("path", ["", "-", "claims.txt", "a\0.yaml", "x" * 5000 + ".yaml"])
def test_paths_that_cannot_be(path: str) -> None:
    result = run(path)
    assert result.exit_code == 2
    assert "error: " in result.stderr
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_file_in_place_of_the_folder() -> None:
    Path("a").write_text("mine")
    result = run("a/claims.yaml")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_workflow_runs_the_check_on_the_file() -> None:
    result = run("docs/my claims.yaml", "--workflow")
    assert result.exit_code == 0
    workflow = yaml.safe_load(Path(".github/workflows/claims.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["check"]["steps"]
    assert workflow["permissions"] == {"contents": "read"}
    words = shlex.split(steps[-1]["run"])
    assert words == ["mlperf-claimcheck", "check", "--format", "github", "docs/my claims.yaml"]


@pytest.mark.parametrize("path", ["-a'b$(id).yaml", 'a "b`c`.yaml', "a: #b.yaml", "*x.yaml"])
def test_odd_paths_stay_one_word(path: str) -> None:
    workflow = yaml.safe_load(workflow_text(path))
    (word,) = shlex.split(workflow["jobs"]["check"]["steps"][-1]["run"])[4:]
    assert word == (f"./{path}" if path.startswith("-") else path)


@pytest.mark.parametrize("path", ["../outside.yaml", "a${{ secrets.X }}.yaml", "a\nb.yaml"])
def test_paths_that_no_workflow_can_check(path: str) -> None:
    result = run(path, "--workflow")
    assert result.exit_code == 2
    assert not Path(".github").exists()


def test_schema_command_prints_the_schema() -> None:
    result = CliRunner().invoke(SCHEMA, [])
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert json.loads(result.stdout) == json_schema()
