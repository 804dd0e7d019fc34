"""The console script: one typer application, its commands in modules of their own."""

from __future__ import annotations

import os
import sys

import typer

from mlperf_claimcheck.cli.check_command import check, verify

app = typer.Typer(
    name="mlperf-claimcheck",
    help="Check public claims about MLPerf® results against the results that MLCommons published. "
    "An independent tool, not affiliated with MLCommons.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(check)
app.command("verify")(verify)


def _version(value: bool) -> None:
    if value:
        from mlperf_claimcheck import __version__

        typer.echo(f"mlperf-claimcheck {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Check public claims about MLPerf results against the results that MLCommons published."""


def _register() -> None:
    """The other commands."""
    from mlperf_claimcheck.cli.explain_command import explain
    from mlperf_claimcheck.cli.extract_command import extract
    from mlperf_claimcheck.cli.init_command import init
    from mlperf_claimcheck.cli.lint_command import lint
    from mlperf_claimcheck.cli.results_app import app as results
    from mlperf_claimcheck.cli.schema_command import schema

    app.add_typer(results, name="results")
    app.command("extract")(extract)
    app.command("lint")(lint)
    app.command("explain")(explain)
    app.command("schema")(schema)
    app.command("init")(init)


_register()


def run() -> None:
    """Run the command line; no traceback reaches a user unless MLPERF_CLAIMCHECK_DEBUG is set."""
    try:
        app()
    except BrokenPipeError:
        # The reader of our output went away; nothing is left to say, and the interpreter must not say it either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (SystemExit, KeyboardInterrupt):
        raise
    except Exception as error:
        if os.environ.get("MLPERF_CLAIMCHECK_DEBUG"):
            raise
        print(
            f"error: {type(error).__name__}: {error}. This is a fault of mlperf-claimcheck; set "
            "MLPERF_CLAIMCHECK_DEBUG=1 to see where it happened, and report it.",
            file=sys.stderr,
        )
        sys.exit(2)
