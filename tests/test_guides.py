"""The guides in docs/: files that they show are written, commands are run, output and results are compared.

- `Save this as X:` before a block puts the block into the file X.
- `Part of X:` before a block: its lines are lines of X, in order.
- A `console` block is a command (`$ …`) and lines of its output, in order; lines may be left out.
- A `sh` block is a list of commands, each of which must do its work (exit code 0, or 1 or 3 for what it found), or else
  a script that must end with 0.
- A `python` block prints what the comments at its end say.
- The generated pages are those that the program would write now.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from machine import ROOT, Machine

from mlperf_claimcheck.cli import explain_pages

DOCS = ROOT / "docs"
BLOCK = re.compile(r"(?:(Save this as|Part of) `([^`]+)`:\n\n)?^```([a-z]+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
GUIDES = [
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
    if path.name not in explain_pages.NAMES and re.search("^```(console|sh)", path.read_text("utf-8"), re.MULTILINE)
]
# Scripts that set the tool up, or need what no test can have; other tests run them (test_ci_examples) or CI does.
NOT_HERE = ("make demo", "python3 -m venv", "results fetch")


@pytest.mark.parametrize("name", GUIDES)
def test_commands_work_and_print_what_is_shown(name: str, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    ran = 0
    for what, file, kind, text in BLOCK.findall((ROOT / name).read_text(encoding="utf-8")):
        if what == "Part of":
            written = iter((machine.folder / file).read_text(encoding="utf-8").splitlines())
            for line in text.splitlines():
                assert line in written, line
        elif file:
            (machine.folder / file).write_text(text, encoding="utf-8")
        elif kind == "console":
            command, *shown = text.rstrip().splitlines()
            assert command.startswith("$ mlperf-claimcheck "), command
            done = machine.run(command.removeprefix("$ "))
            assert done.returncode in (0, 1, 3), done.stderr
            lines = iter(line.rstrip() for line in done.stdout.splitlines())
            for line in shown:
                # `in` goes through the output up to the line, so that the order counts.
                assert line.rstrip() in lines, f"{command}\n{line}\nis not in\n{done.stdout}"
            ran += 1
        elif kind == "sh" and not any(words in text for words in NOT_HERE):
            commands = [line for line in text.splitlines() if line.strip()]
            single = all(line.startswith("mlperf-claimcheck ") for line in commands)
            for script in commands if single else [text]:
                done = machine.run(script)
                assert done.returncode in ((0, 1, 3) if single else (0,)), script + done.stdout + done.stderr
            ran += 1
    assert ran


def test_the_guides_are_found() -> None:
    assert {"README.md", "docs/quick-start.md", "docs/ci.md", "docs/results.md"} <= set(GUIDES)


def python_blocks() -> list[tuple[str, str]]:
    text = (DOCS / "python-api.md").read_text(encoding="utf-8")
    return [(kind, block) for _, _, kind, block in BLOCK.findall(text) if kind == "python"]


@pytest.mark.parametrize("block", [block for _, block in python_blocks()], ids=range(len(python_blocks())))
def test_a_python_example_prints_what_its_comments_say(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Machine(tmp_path).folder)
    monkeypatch.setenv("MLPERF_CLAIMCHECK_CACHE_DIR", str(tmp_path / "cache"))
    wanted = re.findall(r"^# (.*)$", block, re.MULTILINE)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block, "python-api.md", "exec"), {})
    assert wanted
    assert printed.getvalue().splitlines() == wanted


@pytest.mark.parametrize("name", explain_pages.NAMES)
def test_generated_pages_are_current(name: str) -> None:
    current = explain_pages.documents()[name]
    assert (DOCS / name).read_text(encoding="utf-8") == current, (
        "run `make docs` (python -m mlperf_claimcheck.cli.explain_pages docs/) and commit what it changes"
    )


def test_generated_pages_hold_every_code_once() -> None:
    from mlperf_claimcheck.cli.explain_command import pages

    for code, page in pages().items():
        names = [n for n, text in explain_pages.documents().items() if f"\n### `{code}`\n" in text]
        assert len(names) == page.kind.count(" and ") + 1, code


def test_the_index_leads_to_every_page() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    for path in DOCS.glob("*.md"):
        assert path.name == "index.md" or f"({path.name}" in index, path.name
    assert "(docs/index.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_links_to_headings_lead_somewhere() -> None:
    def anchors(path: Path) -> set[str]:
        headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}

    for path in (ROOT / "README.md", *DOCS.glob("*.md")):
        for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text(encoding="utf-8")):
            assert anchor in anchors(path.parent / target if target else path), f"{path.name}: {target}#{anchor}"
