"""The examples of docs/ci.md and action.yml are run: as they stand, in a folder with claims, without a network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from machine import ROOT, Machine

GUIDE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
SCRIPTS = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
FILES = [yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)]
FAILING = 'claims: [{id: a, text: "Nebius: 16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72, MLPerf v6.1"}]\n'
UNDECIDED = 'claims: [{id: a, text: "More tokens from each GPU lower the cost of a token"}]\n'


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_there_are_examples_of_each_kind() -> None:
    assert len(SCRIPTS) >= 3
    assert [sorted(map(str, file)) for file in FILES] == [
        ["True", "jobs", "name", "permissions"],  # YAML 1.1 takes the key "on" for true
        ["permissions", "steps"],
        ["claims"],
        ["repos"],
    ]


@pytest.mark.parametrize("script", SCRIPTS, ids=range(len(SCRIPTS)))
def test_a_shell_example_works(machine: Machine, script: str) -> None:
    done = machine.run(script)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_shell_example_tells_failed_from_unverifiable_from_broken(machine: Machine) -> None:
    script = next(s for s in SCRIPTS if "case $code" in s)
    machine.claims(FAILING)
    assert machine.run(script).returncode == 1
    machine.claims(UNDECIDED)
    done = machine.run(script)
    assert done.returncode == 0
    assert "need a look" in done.stdout
    machine.claims("claims: 3\n")
    assert machine.run(script).returncode == 2


def test_the_workflow_works(machine: Machine) -> None:
    (job,) = FILES[0]["jobs"].values()
    follow(machine, job["steps"])
    assert (machine.folder / "installed.txt").read_text() == "mlperf-claimcheck\n"
    assert "claims" in Path(machine.env["GITHUB_STEP_SUMMARY"]).read_text(encoding="utf-8")


def follow(machine: Machine, steps: list[dict[str, Any]]) -> None:
    """Run the steps of a job; the files that it hands on must be there."""
    for step in steps:
        assert ("run" in step) != ("uses" in step)
        if "run" in step:
            done = machine.run(step["run"], **step.get("env", {}))
            assert done.returncode == 0, done.stdout + done.stderr
        for name in ("sarif_file", "path"):
            if name in step.get("with", {}):
                assert (machine.folder / step["with"][name]).stat().st_size > 100


def test_the_gitlab_example_works(machine: Machine) -> None:
    job = FILES[2]["claims"]
    for line in job["script"]:
        done = machine.run(line)
        assert done.returncode == 0, done.stdout + done.stderr
    for file in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]:
        assert (machine.folder / file).stat().st_size > 100


def test_the_example_of_the_action_uses_inputs_that_it_has() -> None:
    (used,) = [step["with"] for step in FILES[1]["steps"] if "mlperf-claimcheck@" in step["uses"]]
    assert set(used) <= set(ACTION["inputs"])
    for name, spec in ACTION["inputs"].items():
        default = f"`{spec['default']}`" if spec["default"] else "none"
        assert f"| `{name}` | {spec['description']} | {default} |" in GUIDE


def test_the_hook_of_the_example_exists() -> None:
    (repository,) = FILES[3]["repos"]
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [h["id"] for h in repository["hooks"]] == [hook["id"]]


def step(name: str) -> str:
    (found,) = [s["run"] for s in ACTION["runs"]["steps"] if s.get("name") == name]
    return str(found)


def act(machine: Machine, fail_on: str = "unverifiable", form: str = "", paths: str = "claims\n") -> int:
    done = machine.run(step("Check"), PATHS=paths, FORMAT=form, FAIL_ON=fail_on)
    machine.said = done.stdout + done.stderr  # type: ignore[attr-defined]
    return done.returncode


def test_the_action_installs_itself_or_a_version(machine: Machine) -> None:
    assert machine.run(step("Install"), VERSION="", HERE="/the action").returncode == 0
    assert machine.run(step("Install"), VERSION="0.1.0", HERE="/the action").returncode == 0
    assert (machine.folder / "installed.txt").read_text() == "--quiet /the action\n--quiet mlperf-claimcheck==0.1.0\n"


def test_the_action_writes_reports_summary_and_sarif(machine: Machine) -> None:
    assert act(machine, form="html=a b.html\njunit=x.xml\n") == 0
    assert (machine.folder / "a b.html").exists()
    assert (machine.folder / "x.xml").exists()
    output = Path(machine.env["GITHUB_OUTPUT"]).read_text()
    assert output == f"sarif={machine.env['RUNNER_TEMP']}/mlperf-claimcheck.sarif\n"
    assert Path(machine.env["GITHUB_STEP_SUMMARY"]).stat().st_size > 100


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (FAILING, {"unverifiable": 1, "fail": 1, "never": 0}),
        (UNDECIDED, {"unverifiable": 3, "fail": 0, "never": 0}),
        ("claims: 3\n", {"unverifiable": 2, "fail": 2, "never": 2}),
    ],
    ids=["failing", "undecided", "broken"],
)
def test_what_fails_the_job_is_what_fail_on_says(machine: Machine, text: str, codes: dict[str, int]) -> None:
    machine.claims(text)
    assert {name: act(machine, name) for name in codes} == codes


def test_a_wrong_input_fails_the_job(machine: Machine) -> None:
    assert act(machine, "sometimes") == 2
    assert act(machine, paths="") == 2


def test_inputs_are_data_and_no_script(machine: Machine) -> None:
    act(machine, paths="$(touch hacked)\n`touch hacked`\n; touch hacked\n--lock=hacked\n", form="$(touch hacked)")
    assert not (machine.folder / "hacked").exists()
    for one in ACTION["runs"]["steps"]:
        assert "${{" not in one.get("run", "")


def test_code_scanning_cannot_fail_the_job() -> None:
    (upload,) = [s for s in ACTION["runs"]["steps"] if "upload-sarif" in s.get("uses", "")]
    assert upload["continue-on-error"] is True
    assert upload["if"].startswith("always()")
    assert upload["with"]["sarif_file"] == "${{ steps.check.outputs.sarif }}"
