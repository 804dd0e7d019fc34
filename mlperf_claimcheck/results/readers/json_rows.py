"""JSON: a list of rows (v4.1 to v6.0), or an object of numbered rows (v6.1)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.readers.interface import Record


class JsonList:
    """`summary_results.json` of v4.1 to v6.0, with and without `Total Accelerators`."""

    form = "a JSON list of rows"

    def recognises(self, text: str) -> bool:
        """Whether it begins with a bracket."""
        return text.startswith("[")

    def records(self, text: str, name: str) -> Iterator[Record]:
        """The list's objects.

        Raises:
            ResultsError: It is no list of objects.
        """
        return _records(_loaded(text, name), name)


class JsonNumbered:
    """`summary.json` of v6.1: the rows of `summary.csv` under the keys "0", "1" and so on."""

    form = "a JSON object of numbered rows"

    def recognises(self, text: str) -> bool:
        """Whether it begins with a brace."""
        return text.startswith("{")

    def records(self, text: str, name: str) -> Iterator[Record]:
        """The rows in the order of their numbers.

        Raises:
            ResultsError: It is no object of numbered rows.
        """
        loaded = _loaded(text, name)
        if not all(key.isascii() and key.isdecimal() and len(key) < 10 for key in loaded):
            raise ResultsError(f"{name}: a JSON array of rows, or an object of numbered rows, was expected")
        return _records([loaded[key] for key in sorted(loaded, key=int)], name)


def _loaded(text: str, name: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        raise ResultsError(
            f"{name}:{error.lineno}:{error.colno}: is not valid JSON ({error.msg}); fetch it again"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"{name}: is not valid JSON ({error}); fetch it again") from error


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return found


def _records(items: list[Any], name: str) -> Iterator[Record]:
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise ResultsError(f"{name}: row {number}: an object of columns was expected")
        yield item, f"row {number}"
