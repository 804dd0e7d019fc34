"""`schema`: print the JSON Schema of claim files."""

from __future__ import annotations

import sys


def schema() -> None:
    """Print the JSON Schema of claim files, for editors.

    For VS Code's YAML plugin: save it beside the claims, and begin the claim file with the comment
    "# yaml-language-server: $schema=FILE".
    """
    import json

    from mlperf_claimcheck.claims.schema import json_schema

    # ASCII only, so that a terminal or shell of any encoding passes it on unharmed.
    sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
