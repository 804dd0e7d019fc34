"""Writes the compiled table of names: `python -m mlperf_claimcheck.vocabulary.build [--check]`."""

from __future__ import annotations

import json
import sys

from mlperf_claimcheck.vocabulary.compiler import compile_vocabulary
from mlperf_claimcheck.vocabulary.model import VocabularyError
from mlperf_claimcheck.vocabulary.store import COMPILED, DATA_FOLDER


def render() -> str:
    """The compiled table as text: JSON, one section a line."""
    data = compile_vocabulary([DATA_FOLDER])
    lines = (f"{json.dumps(k)}:{json.dumps(v, ensure_ascii=False, separators=(',', ':'))}" for k, v in data.items())
    return "{" + ",\n".join(lines) + "}\n"


def main(arguments: list[str]) -> int:
    """Writes the table, or with `--check` only says whether it is current (exit code 1 if not)."""
    try:
        text = render()
    except VocabularyError as error:
        print(error, file=sys.stderr)
        return 2
    if "--check" in arguments:
        current = COMPILED.is_file() and COMPILED.read_text(encoding="utf-8") == text
        if not current:
            print(f"{COMPILED} is not current: run 'python -m mlperf_claimcheck.vocabulary.build'.", file=sys.stderr)
        return 0 if current else 1
    COMPILED.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
