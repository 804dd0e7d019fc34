"""The console script: one typer application, its commands in modules of their own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import typer

from mlperf_claimcheck.cli.plain_parameters import PlainCommand, PlainGroup

COMMANDS = {
    "check": "check_command",
    "verify": "check_command",
    "results": "results_app",
    "extract": "extract_command",
    "lint": "lint_command",
    "explain": "explain_command",
    "schema": "schema_command",
    "init": "init_command",
}
"""Commands in the order of the help, and their modules. `results` has commands of its own."""


def make_app(only: str | None = None) -> typer.Typer:
    """The application with all commands, or with `only` this one: a run needs one, and loading all takes its time."""
    made = typer.Typer(
        name="mlperf-claimcheck",
        help="Check public claims about MLPerf® results against the results that MLCommons published. "
        "An independent tool, not affiliated with MLCommons.",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback(cls=PlainGroup)(main)
    for name, module_name in COMMANDS.items():
        if only in (None, name):
            module = import_module(f"mlperf_claimcheck.cli.{module_name}")
            if name == "results":
                made.add_typer(module.app, name=name)
            else:
                command: Callable[..., Any] = getattr(module, name)
                made.command(name, cls=PlainCommand)(command)
    return made


def _version(value: bool) -> None:
    if value:
        from mlperf_claimcheck import __version__

        typer.echo(f"mlperf-claimcheck {__version__}")
        raise typer.Exit


def main(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Check public claims about MLPerf results against the results that MLCommons published."""


def __getattr__(name: str) -> typer.Typer:
    """`app`, the whole application, is made when it is asked for."""
    if name == "app":
        globals()["app"] = made = make_app()
        return made
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def run() -> None:
    """Run the command line; no traceback reaches a user unless MLPERF_CLAIMCHECK_DEBUG is set."""
    from mlperf_claimcheck.files import WRITE_FAILURES

    _set_streams()
    try:
        try:
            named = sys.argv[1] if len(sys.argv) > 1 else None
            make_app(named if named in COMMANDS else None)()
        finally:
            # Here, where a full disk can still be told; at the interpreter's end it would be a traceback.
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output went away; nothing is left to say, and the interpreter must not say it either.
        _drop_output()
        sys.exit(1)
    except SystemExit:
        raise
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if os.environ.get("MLPERF_CLAIMCHECK_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in WRITE_FAILURES:
            print(f"error: the output cannot be written ({error.strerror})", file=sys.stderr)
            _drop_output()
            sys.exit(2)
        from mlperf_claimcheck.results.errors import ResultsError

        if isinstance(error, ResultsError):
            print(f"error: {error}", file=sys.stderr)
            sys.exit(4)
        print(
            f"error: {type(error).__name__}: {error}. This is a fault of mlperf-claimcheck; set "
            "MLPERF_CLAIMCHECK_DEBUG=1 to see where it happened, and report it.",
            file=sys.stderr,
        )
        sys.exit(2)


def _set_streams() -> None:
    """A terminal gets what it can show; a file or a program gets UTF-8, whatever the platform's code page is."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            encoding = None if stream.isatty() or stream is sys.stderr else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
