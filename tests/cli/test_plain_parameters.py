"""Parameters of text come as they were given; the rest is typer's."""

# ruff: noqa: B008

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import typer
from typer.testing import CliRunner

from mlperf_claimcheck.cli.main import COMMANDS, app, make_app
from mlperf_claimcheck.cli.plain_parameters import PlainCommand, PlainGroup


def _sample(cls: type) -> typer.Typer:
    made = typer.Typer()

    @made.callback(cls=PlainGroup if cls is PlainCommand else None)
    def root(level: int = typer.Option(1)) -> None:
        typer.echo(repr(level))

    @made.command(cls=cls if cls is PlainCommand else None)
    def go(
        names: list[str] | None = typer.Argument(None),
        text: str | None = typer.Option(None),
        many: list[str] | None = typer.Option(None),
        path: Path | None = typer.Option(None),
        paths: list[Path] | None = typer.Option(None),
        count: int = typer.Option(3, min=1),
        flag: bool = typer.Option(False),
        maybe: bool | None = typer.Option(None),
    ) -> None:
        typer.echo(repr((names, text, many, path, paths, count, flag, maybe)))

    return made


def test_every_value_is_that_of_an_ordinary_command() -> None:
    plain, ordinary = _sample(PlainCommand), _sample(typer.core.TyperCommand)
    for words in (
        [],
        ["a", "b"],
        ["--text", "x", "--many", "1", "--many", "2"],
        ["--path", "p", "--paths", "q", "--paths", "r"],
        ["--count", "7", "--flag", "--no-maybe"],
        ["--count", "0"],
        ["--count", "x"],
        ["--nosuch"],
    ):
        got, want = CliRunner().invoke(plain, ["go", *words]), CliRunner().invoke(ordinary, ["go", *words])
        assert (got.exit_code, got.output) == (want.exit_code, want.output), words
    again = [CliRunner().invoke(plain, ["--level", n, "go"]).output.split("\n")[0] for n in ("2", "4")]
    assert again == ["2", "4"]


def test_an_application_of_one_command_is_that_command_of_the_whole() -> None:
    for name in COMMANDS:
        alone = CliRunner().invoke(make_app(name), [name, "--help"])
        whole = CliRunner().invoke(app, [name, "--help"])
        assert (alone.exit_code, alone.output) == (0, whole.output)


def test_a_check_loads_no_validators_and_no_data_frames() -> None:
    program = (
        "import sys\nfrom mlperf_claimcheck.cli.main import run\n"
        "sys.argv = ['x', 'verify', 'GPT-OSS-120B is nice', '--offline']\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('pydantic', 'polars', 'httpx') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
