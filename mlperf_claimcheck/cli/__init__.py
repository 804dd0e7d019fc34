"""The command line: typer commands, one module each."""
