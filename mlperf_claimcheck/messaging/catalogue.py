"""The list of messaging rules, from `data/rules.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mlperf_claimcheck.files import packaged_yaml
from mlperf_claimcheck.messaging.model import Example, Rule, RuleSeverity


def _expand(text: str, snippets: Mapping[str, str]) -> str:
    # A snippet may hold another one, one level deep.
    for _ in range(2):
        for name, snippet in snippets.items():
            text = text.replace("{{" + name + "}}", snippet.strip())
    return text


def _example(entry: Mapping[str, Any], key: str, snippets: Mapping[str, str]) -> Example | None:
    value = entry.get(key)
    if value is None:
        return None
    if isinstance(value, str):
        return Example(_expand(value, snippets))
    published = value.get("published")
    return Example(_expand(value["text"], snippets), None if published is None else str(published), value.get("author"))


@lru_cache(maxsize=1)
def messaging_rules() -> Mapping[str, Rule]:
    """All messaging rules by id, in the order of the data file."""
    found: dict[str, Rule] = {}
    data = packaged_yaml("mlperf_claimcheck.messaging", "data", "rules.yaml")
    snippets = data["snippets"]
    for family, entries in data["families"].items():
        for key, entry in entries.items():
            found[key] = Rule(
                id=key,
                severity=RuleSeverity(entry["severity"]),
                title=entry["title"],
                explanation=" ".join(entry["explanation"].split()),
                source=entry["source"],
                family=family,
                manual=bool(entry.get("manual", False)),
                good=_example(entry, "good", snippets),
                bad=_example(entry, "bad", snippets),
            )
    return found
