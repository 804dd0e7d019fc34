"""The system description that comes with a submission: what the run was made on."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from mlperf_claimcheck.results.repository.tree import MIB, Files

LIMIT = 4 * MIB


@dataclass(frozen=True, slots=True)
class SystemDescription:
    """`systems/<system>.json`, read leniently: numbers may be text, `N/A` or missing."""

    file: str
    fields: dict[str, str] = field(default_factory=dict)
    """Text and number fields, as text."""
    lines: dict[str, int] = field(default_factory=dict)
    problem: str | None = None
    """Why the file could not be used."""

    def text(self, name: str) -> str:
        """A field as text; empty for a missing one and for `N/A`."""
        value = self.fields.get(name, "").strip()
        return "" if value.lower() in {"n/a", "na", "none", "null", "-"} else value

    def number(self, name: str) -> int | None:
        """A field as a whole number; None if it is missing or is none."""
        value = self.text(name)
        try:
            number = float(value)
        except ValueError:
            return None
        return int(number) if number == number // 1 and 0 <= number < 10_000_000 else None

    @property
    def nodes(self) -> int | None:
        """Number of nodes."""
        return self.number("number_of_nodes")

    @property
    def accelerators_per_node(self) -> int | None:
        """Accelerators in a node; 0 for a system that names no accelerator and gives no number."""
        number = self.number("accelerators_per_node")
        if number is None and self.problem is None and not self.text("accelerator_model_name"):
            return 0
        return number

    @property
    def accelerators(self) -> int | None:
        """Nodes x accelerators per node (the official count); None if either is unknown."""
        nodes, each = self.nodes, self.accelerators_per_node
        return nodes * each if nodes is not None and each is not None else None


def read_system(tree: Files, path: str) -> SystemDescription:
    """Reads a system description. One that cannot be read has a `problem` that says why."""
    content = tree.read(path, limit=LIMIT)
    if not content.ok:
        return SystemDescription(path, problem=content.message)
    try:
        text = content.data.decode("utf-8-sig")
        loaded: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f"line {error.lineno}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else "text"
        return SystemDescription(path, problem=f"is not valid JSON ({where})")
    if not isinstance(loaded, dict):
        return SystemDescription(path, problem="a JSON object of system fields was expected")
    fields = {
        str(k): str(v) if not isinstance(v, bool) else str(v).lower()
        for k, v in loaded.items()
        if isinstance(v, str | int | float)
    }
    lines = {}
    for name in ("number_of_nodes", "accelerators_per_node", "accelerator_model_name"):
        match = re.search(rf'"{name}"\s*:', text)
        if match:
            lines[name] = text.count("\n", 0, match.start()) + 1
    return SystemDescription(path, fields, lines)
