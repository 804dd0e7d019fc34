"""From one record of a published summary to a row of the table."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow

_BLANK = frozenset({"", "n/a", "na", "none", "null", "-", "unset"})
_NAMED = re.compile(r"\(\s*x\s?(\d{1,6}(?:\s?x\s?\d{1,6})*)\s*\)|\(\s*(\d{1,6})\s?x\s*\)", re.IGNORECASE)
_SEVERAL = re.compile(r"\s\+\s|\sand\s|;|,\s", re.IGNORECASE)
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
    import yaml

    path = Path(__file__).with_name("data") / "columns.yaml"
    loaded: Mapping[str, Any] = yaml.load(
        path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
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


@dataclass(slots=True)
class Normaliser:
    """Normalises the records of one file and collects what was odd about them."""

    file: str
    round_id: str | None = None
    """The round that the file is expected to hold, if known."""
    warnings: list[str] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def warn(self, message: str) -> None:
        """Records a warning once."""
        if message not in self._seen:
            self._seen.add(message)
            self.warnings.append(f"{self.file}: {message}")

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
        fields: Mapping[str, list[str]] = spec["fields"]

        def stop(message: str) -> ResultsError:
            return ResultsError(
                f"{self.file}: {where}: {message}; use an unchanged summary file as published by MLCommons, or fetch "
                "it again"
            )

        for column in record:
            if column not in _known_columns():
                self.warn(f"column {column!r} is not known and was not used")

        def text(name: str) -> str:
            for column in fields[name]:
                value = record.get(column)
                if value is not None and not isinstance(value, str | int | float):
                    raise stop(f"column {column!r} holds {type(value).__name__}, text or a number was expected")
                if value is not None and str(value).strip():
                    return str(value).strip()
            return ""

        def whole(name: str) -> int | None:
            try:
                number = float(text(name))
            except ValueError:
                return None
            return int(number) if number.is_integer() and 0 <= number < 10_000_000 else None

        def real(name: str) -> float:
            shown = text(name)
            try:
                number = float(shown)
            except ValueError:
                number = math.nan
            if not math.isfinite(number) or number < 0 or "_" in shown:
                raise stop(f"{' / '.join(fields[name])} is {shown[:40]!r}, a number was expected")
            return number

        for name in spec["required"]:
            if not any(column in record for column in fields[name]):
                raise stop(f"has no column {' / '.join(fields[name])}")
            if not text(name):
                raise stop(f"{' / '.join(fields[name])} is empty")

        version = _VERSION.fullmatch(text("version"))
        round_id = f"inference-v{version[1]}" if version else self.round_id
        if round_id is None:
            raise stop(
                "its version column does not tell the round; name the file with its round, such as inference_v6.1"
            )
        if self.round_id is not None and round_id != self.round_id:
            raise stop(f"belongs to {round_id}, {self.round_id} was expected")

        division = text("division").lower()
        if division not in spec["divisions"]:
            raise stop(f"division is {division[:40]!r}, expected one of {', '.join(spec['divisions'])}")
        availability = spec["availabilities"].get(text("availability").lower())
        if availability is None:
            self.warn(f"availability {text('availability')[:40]!r} is not known ({where})")
            availability = text("availability").lower()
        unit = spec["units"].get(text("unit").lower())
        if unit is None:
            self.warn(f"unit {text('unit')[:40]!r} is not known ({where})")
            unit = text("unit").lower()
        scenario = spec["scenarios"].get(re.sub(r"[\s_-]", "", text("scenario")).lower())
        if scenario is None:
            self.warn(f"scenario {text('scenario')[:40]!r} is not known ({where})")
            scenario = text("scenario")
        suite = _suite(text("suite"))
        model, used = self._model(record, division, where, stop)

        accelerator = text("accelerator")
        accelerator = "" if accelerator.lower() in _BLANK else accelerator
        nodes, per_node, total = whole("nodes"), whole("per_node"), whole("total")
        if not accelerator and not per_node and not total:
            per_node, total = 0, 0
        elif total is None and nodes is not None and per_node is not None:
            total = nodes * per_node
        counts = [_product(a or b) for a, b in _NAMED.findall(accelerator)]
        several = len(counts) > 1 or _SEVERAL.search(re.sub(r"\([^)]*\)", " ", accelerator)) is not None
        # A name with several kinds that counts only some of them says nothing about the total.
        decided = sum(counts) if counts and (not several or len(counts) > 1) else total
        power = real("power") if text("power").lower() not in _BLANK else None
        power_unit = None
        if power is not None:
            power_unit = spec["power_units"].get(text("power_unit").lower())
            if power_unit is None:
                self.warn(
                    f"power unit {text('power_unit')[:40]!r} is not known ({where}); the power figure is not used"
                )
                power = None
        system, platform = text("system"), text("platform")
        result_id = text("result_id")
        return ResultRow(
            round=round_id,
            result_id=(result_id[1:] if result_id[:1] in {"v", "V"} else result_id) or None,
            submitter=text("submitter"),
            division=division,
            availability=availability,
            suite=suite,
            system=system,
            platform=platform,
            accelerator=accelerator,
            accelerators=decided,
            accelerators_published=total,
            accelerators_platform=None if several or not accelerator else stated_count(platform, system, decided),
            accelerators_per_node=per_node,
            nodes=nodes,
            heterogeneous=several,
            processor=text("processor"),
            processors_per_node=whole("processors_per_node"),
            model=model,
            model_used=used,
            scenario=scenario,
            value=real("value"),
            unit=unit,
            power=power,
            power_unit=power_unit,
            data_type="" if text("data_type").lower() in _BLANK else text("data_type"),
            software="",
            # The file's flag is also set on measured rows (string comparison, lower-case folders); only edge results
            # of these scenarios can be inferred at all.
            inferred="edge" in suite
            and scenario in {"Offline", "MultiStream"}
            and text("inferred").lower() in {"1", "1.0", "true"},
            location=text("location").removeprefix("./").strip("/"),
            index=index,
        )

    def _model(self, record: Mapping[str, Any], division: str, where: str, stop: Any) -> tuple[str, str]:
        # `Model` is the mapped benchmark up to v6.0 and the submitter's directory from v6.1 on.
        new = "MlperfModel" in record
        used = str(record.get("Model" if new else "UsedModel") or "").strip()
        mapped = str(record.get("MlperfModel" if new else "Model") or "").strip()
        if not used and not mapped:
            raise stop("names no model (columns Model, UsedModel, MlperfModel)")
        # The directory is the exact benchmark in Closed; in Open it may be any model, and only the mapping counts.
        first, second = (mapped, used) if division == "open" or not new else (used, mapped)
        model = canonical_model(first) or (canonical_model(second) if division != "open" else None)
        if model is None:
            self.warn(f"benchmark {(first or second)[:60]!r} is not known ({where})")
            model = (first or second).lower()
        return model, used or mapped


def _suite(text: str) -> str:
    parts = {p.strip() for p in text.lower().split(",")}
    return "datacenter,edge" if parts == {"datacenter", "edge"} else ",".join(sorted(parts))


def _product(text: str) -> int:
    return math.prod(int(n) for n in re.findall(r"\d+", text))


def stated_count(platform: str, system: str, count: int | None) -> int | None:
    """The number of accelerators that the names state; where they differ, the one that contradicts `count`."""
    found = []
    for name in (platform, system):
        stated = {_product(n) for n in _COUNT_FIRST.findall(name)} | {_product(n) for n in _COUNT_LAST.findall(name)}
        if len(stated) == 1:
            found.append(stated.pop())
    return next((n for n in found if n != count), found[0] if found else None)
