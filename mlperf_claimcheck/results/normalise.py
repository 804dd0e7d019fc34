"""From one record of a published summary to a row of the table."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mlperf_claimcheck.files import packaged_yaml
from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow

_ADVICE = "use an unchanged summary file as published by MLCommons, or fetch it again"
_BLANK = frozenset({"", "n/a", "na", "none", "null", "-", "unset"})
_NAMED = re.compile(r"\(\s*x\s?(\d{1,6}(?:\s?x\s?\d{1,6})*)\s*\)|\(\s*(\d{1,6})\s?x\s*\)", re.IGNORECASE)
_SEVERAL = re.compile(r"\s\+\s|\sand\s|;|,\s", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s_-]")
_TRUE = frozenset({"1", "1.0", "true"})
_SUITES = frozenset({"datacenter", "edge", "datacenter,edge"})
_VERSION = re.compile(r"v?(\d{1,2}\.\d{1,2})(?:\.\d+)?")

_CHIP = (
    r"(?:GB\d{2,3}|[BHLAV]\d{1,3}[SX]?|VR\d*|MI\d{3}[A-Z]?|RTX|GTX|TPU|L40S|T4|BMG|speedAI|NVIDIA|AMD|Intel|Instinct|"
    r"Gaudi|GH200)"
)
_COUNT_FIRST = re.compile(
    rf"(?<![A-Za-z0-9.])(\d{{1,4}}(?:x\d{{1,3}})?)\s?x[\s_-]?(?={_CHIP}(?![a-z]*\s?(?:EPYC|Xeon)))", re.IGNORECASE
)
"""`8xMI300X`, `72x GB300`, `2x8xH100` (16)."""
_COUNT_LAST = re.compile(
    r"(?:\d+GB(?:-CTS)?|aarch64|SXM|(?<![A-Z])(?:[BHL]\d{1,3}S?|GB10|MI\d{3}[A-Z]?))x(\d{1,4})(?=[_\s)]|$)",
    re.IGNORECASE,
)
"""`...-288GB_aarch64x72_TRT`; not `XE9712x18`, where the number counts nodes."""


@lru_cache(maxsize=1)
def columns() -> Mapping[str, Any]:
    """`data/columns.yaml`."""
    loaded: Mapping[str, Any] = packaged_yaml("mlperf_claimcheck.results", "data", "columns.yaml")
    return loaded


@lru_cache(maxsize=1)
def _spellings() -> Mapping[str, str]:
    return {spelling.lower(): name for name, others in columns()["models"].items() for spelling in (name, *others)}


@lru_cache(maxsize=1)
def _known_columns() -> frozenset[str]:
    spec = columns()
    return frozenset(c for names in spec["fields"].values() for c in names) | frozenset(spec["unused"])


def canonical_model(name: str) -> str | None:
    """The benchmark's id for a directory or mapped name, None if it is not known."""
    return _spellings().get(name.strip().lower())


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which columns of a file hold which fields."""

    columns: dict[str, tuple[str, ...]]
    unknown: tuple[str, ...]
    missing: tuple[str, ...]
    """Required fields that no column holds."""
    newer: bool
    """`Model` is the mapped benchmark up to v6.0, and the submitter's directory from v6.1 on."""


@lru_cache(maxsize=64)
def _layout(names: tuple[str, ...]) -> _Layout:
    spec = columns()
    fields: Mapping[str, list[str]] = spec["fields"]
    held = {name: tuple(c for c in found if c in names) for name, found in fields.items()}
    return _Layout(
        held,
        tuple(c for c in names if c not in _known_columns()),
        tuple(n for n in spec["required"] if not held[n]),
        "MlperfModel" in names,
    )


class Normaliser:
    """Normalises the records of one file and collects what was odd about them."""

    def __init__(self, file: str, round_id: str | None = None, *, advice: str = _ADVICE) -> None:
        self.file = file
        self._advice = advice
        """What to do about a row that is none."""
        self.round_id = round_id
        """The round that the file is expected to hold, if known."""
        self._odd: dict[tuple[str, str], list[str]] = {}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was odd: each value once, with the first row that has it and how many have it."""
        found = []
        for (what, consequence), places in self._odd.items():
            rows = f" ({places[0]}{f' and {len(places) - 1} more' if len(places) > 1 else ''})" if places[0] else ""
            found.append(f"{self.file}: {what}{rows}{consequence}")
        return tuple(found)

    def _warn(self, what: str, where: str, consequence: str = "") -> None:
        self._odd.setdefault((what, consequence), []).append(where)

    def row(self, record: Mapping[str, Any], index: int, where: str) -> ResultRow:
        """One row of the table.

        Args:
            record: The row's columns as published.
            index: 0-based position in the file.
            where: How to name the row to a reader (`row 3, line 4`).

        Raises:
            ResultsError: A required column or value is missing, or is no number where one is needed.
        """
        spec = columns()
        layout = _layout(tuple(record))
        for column in layout.unknown:
            if (key := (f"column {column[:60]!r} is not known and was not used", "")) not in self._odd:
                self._odd[key] = [""]
        if layout.missing:
            raise self._stop(where, f"has no column {self._named(layout.missing[0])}")
        text: dict[str, str] = {}
        for name, held in layout.columns.items():
            shown = ""
            for column in held:
                value = record[column]
                if isinstance(value, str):
                    shown = value.strip()
                elif isinstance(value, int | float):
                    shown = str(value)
                elif value is not None:
                    raise self._stop(
                        where, f"column {column!r} holds {type(value).__name__}, text or a number was expected"
                    )
                if shown:
                    break
            text[name] = shown
        for name in spec["required"]:
            if not text[name]:
                raise self._stop(where, f"{self._named(name)} is empty")

        version = _VERSION.fullmatch(text["version"])
        round_id = f"inference-v{version[1]}" if version else self.round_id
        if round_id is None:
            raise self._stop(
                where,
                "its version column does not tell the round; name the file with its round, such as inference_v6.1",
            )
        if self.round_id is not None and round_id != self.round_id:
            raise self._stop(where, f"belongs to {round_id}, {self.round_id} was expected")

        division = text["division"].lower()
        if division not in spec["divisions"]:
            raise self._stop(where, f"division is {division[:40]!r}, expected one of {', '.join(spec['divisions'])}")
        availability = spec["availabilities"].get(text["availability"].lower())
        if availability is None:
            self._warn(f"availability {text['availability'][:40]!r} is not known", where)
            availability = text["availability"].lower()
        unit = spec["units"].get(text["unit"].lower())
        if unit is None:
            self._warn(f"unit {text['unit'][:40]!r} is not known", where)
            unit = text["unit"].lower()
        scenario = spec["scenarios"].get(_SEPARATORS.sub("", text["scenario"]).lower())
        if scenario is None:
            self._warn(f"scenario {text['scenario'][:40]!r} is not known", where)
            scenario = text["scenario"]
        suite = _suite(text["suite"])
        if suite not in _SUITES:
            self._warn(f"suite {text['suite'][:40]!r} is not known", where)
        model, used = self._model(record, layout, division, where)
        accelerator = _given(text["accelerator"])
        count = _counts(accelerator, *(self._whole(n, text[n], where) for n in ("nodes", "per_node", "total")))
        power, power_unit = self._power(text, where)
        system, platform = text["system"], text["platform"]
        result_id = text["result_id"]
        return ResultRow(
            round=round_id,
            result_id=(result_id[1:] if result_id[:1] in {"v", "V"} else result_id) or None,
            submitter=text["submitter"],
            division=division,
            availability=availability,
            suite=suite,
            system=system,
            platform=platform,
            accelerator=accelerator,
            accelerators=count.used,
            accelerators_published=count.total,
            accelerators_platform=(
                stated_count(platform, system, count.used) if accelerator and not count.several else None
            ),
            accelerators_per_node=count.per_node,
            nodes=count.nodes,
            heterogeneous=count.several,
            processor=text["processor"],
            processors_per_node=self._whole("processors_per_node", text["processors_per_node"], where),
            model=model,
            model_used=used,
            scenario=scenario,
            value=self._real("value", text["value"], where),
            unit=unit,
            power=power,
            power_unit=power_unit,
            data_type=_given(text["data_type"]),
            software=_names(text["software"]),
            # The file's flag is also set on measured rows (string comparison, lower-case folders); only edge results
            # of these scenarios can be inferred at all.
            inferred="edge" in suite and scenario in {"Offline", "MultiStream"} and text["inferred"].lower() in _TRUE,
            location=text["location"].removeprefix("./").strip("/"),
            index=index,
        )

    def _stop(self, where: str, message: str) -> ResultsError:
        return ResultsError(f"{self.file}: {where}: {message}; {self._advice}")

    def _named(self, name: str) -> str:
        return " / ".join(columns()["fields"][name])

    def _whole(self, name: str, shown: str, where: str) -> int | None:
        if shown.lower() in _BLANK:
            return None
        try:
            number = float(shown)
        except ValueError:
            number = math.nan
        if not number.is_integer() or not 0 <= number < 10_000_000 or "_" in shown:
            self._warn(f"{self._named(name)} {shown[:40]!r} is no count", where, "; it was taken as unknown")
            return None
        return int(number)

    def _real(self, name: str, shown: str, where: str) -> float:
        try:
            number = float(shown)
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or number < 0 or "_" in shown:
            raise self._stop(where, f"{self._named(name)} is {shown[:40]!r}, a number was expected")
        return number

    def _power(self, text: Mapping[str, str], where: str) -> tuple[float | None, str | None]:
        if text["power"].lower() in _BLANK:
            return None, None
        power = self._real("power", text["power"], where)
        unit = columns()["power_units"].get(text["power_unit"].lower())
        if unit is None:
            self._warn(f"power unit {text['power_unit'][:40]!r} is not known", where, "; the power figure is not used")
            return None, None
        return power, unit

    def _model(self, record: Mapping[str, Any], layout: _Layout, division: str, where: str) -> tuple[str, str]:
        used = str(record.get("Model" if layout.newer else "UsedModel") or "").strip()
        mapped = str(record.get("MlperfModel" if layout.newer else "Model") or "").strip()
        if not used and not mapped:
            raise self._stop(where, "names no model (columns Model, UsedModel, MlperfModel)")
        # The directory is the exact benchmark in Closed; in Open it may be any model, and only the mapping counts.
        first, second = (mapped, used) if division == "open" or not layout.newer else (used, mapped)
        model = canonical_model(first) or (canonical_model(second) if division != "open" else None)
        if model is None:
            self._warn(f"benchmark {(first or second)[:60]!r} is not known", where)
            model = (first or second).lower()
        return model, used or mapped


@dataclass(frozen=True, slots=True)
class _Counts:
    nodes: int | None
    per_node: int | None
    total: int | None
    used: int | None
    several: bool


@lru_cache(maxsize=1024)
def _counts(accelerator: str, nodes: int | None, per_node: int | None, total: int | None) -> _Counts:
    if not accelerator and not per_node and not total:
        per_node, total = 0, 0
    elif total is None and nodes is not None and per_node is not None:
        total = nodes * per_node
    counts = [_product(a or b) for a, b in _NAMED.findall(accelerator)]
    several = len(counts) > 1 or _SEVERAL.search(re.sub(r"\([^)]*\)", " ", accelerator)) is not None
    # A name with several kinds that counts only some of them says nothing about the total.
    used = sum(counts) if counts and (not several or len(counts) > 1) else total
    return _Counts(nodes, per_node, total, used, several)


def _given(text: str) -> str:
    return "" if text.lower() in _BLANK else text


@lru_cache(maxsize=1024)
def _names(text: str) -> str:
    """Names and versions of software, without the remarks in parentheses that some submitters add."""
    text = " ".join(re.sub(r"\([^)]*\)", " ", text).split()).replace(" ,", ",").replace(" ;", ";")
    return "" if text.lower() in {*_BLANK, "todo"} else text.removeprefix("ToDo: ")[:200]


@lru_cache(maxsize=64)
def _suite(text: str) -> str:
    parts = {p.strip() for p in text.lower().split(",")}
    return "datacenter,edge" if parts == {"datacenter", "edge"} else ",".join(sorted(parts))


def _product(text: str) -> int:
    return math.prod(int(n) for n in re.findall(r"\d+", text))


@lru_cache(maxsize=4096)
def stated_count(platform: str, system: str, count: int | None) -> int | None:
    """The number of accelerators that the names state; where they differ, the one that contradicts `count`."""
    found = []
    for name in (platform, system):
        stated = {_product(n) for n in _COUNT_FIRST.findall(name)} | {_product(n) for n in _COUNT_LAST.findall(name)}
        if len(stated) == 1:
            found.append(stated.pop())
    return next((n for n in found if n != count), found[0] if found else None)
