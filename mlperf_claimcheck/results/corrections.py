"""Published results that were withdrawn or changed afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.table import ResultsTable
from mlperf_claimcheck.verdicts.text import clean
from mlperf_claimcheck.vocabulary import load_vocabulary

_DATA = Path(__file__).with_name("data") / "corrections.yaml"
_KINDS = ("withdrawn", "changed")
_AUTHORITIES = ("official", "reported")
_NAMES = ("result_id", "kind", "authority", "date", "what", "source")
_MOST_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Correction:
    """One withdrawal or change."""

    result_id: str
    """Public ID without a leading v; for Inference, `4.1-0070`."""
    kind: str
    """`withdrawn` or `changed`."""
    authority: str
    """`official` (MLCommons' own change log) or `reported` (by others)."""
    date: str
    what: str
    source: str
    model: str | None = None
    """Benchmark id that it is limited to; None: all of the result's."""
    scenario: str | None = None
    """Scenario that it is limited to; None: all of the result's."""
    value: float | None = None
    """The figure that stands since a change, in the published unit; None: the figure did not change, or nobody says."""

    @property
    def official(self) -> bool:
        """Whether it is MLCommons' own word."""
        return self.authority in ("official", "mlcommons")

    def concerns(self, row: ResultRow) -> bool:
        """Whether it is about this row."""
        return (
            row.result_id == self.result_id
            and self.model in (None, row.model)
            and self.scenario in (None, row.scenario)
        )


class Corrections:
    """What is known to have been withdrawn or changed."""

    def __init__(self, items: Iterable[Correction] = ()) -> None:
        self._by_id: dict[str, tuple[Correction, ...]] = {}
        for item in items:
            self._by_id[item.result_id] = (*self._by_id.get(item.result_id, ()), item)

    @classmethod
    def load(cls, extra_files: Iterable[Path | str] = ()) -> Corrections:
        """The package's own corrections and those of `extra_files` (YAML of the same form).

        Raises:
            ResultsError: A file cannot be read, or an entry is incomplete.
        """
        return cls(item for path in (_DATA, *map(Path, extra_files)) for item in _read(path))

    def for_row(self, row: ResultRow) -> tuple[Correction, ...]:
        """Corrections of a row's result. Only Inference rows have such IDs; rows without an ID have none."""
        if row.result_id is None or not row.round.startswith("inference-"):
            return ()
        return tuple(c for c in self._by_id.get(row.result_id, ()) if c.concerns(row))

    def applied(self, table: ResultsTable) -> ResultsTable:
        """The table with the figures that MLCommons itself changed since. What others only report changes none."""
        new = [c for items in self._by_id.values() for c in items if c.kind == "changed" and c.official]
        if all(c.value is None for c in new):
            return table
        return ResultsTable(
            {name: tuple(map(self._corrected, table.by_round(name))) for name in table.rounds},
            table.sources,
            table.warnings,
            table.endpoints,
        )

    def _corrected(self, row: ResultRow) -> ResultRow:
        for correction in self.for_row(row):
            if correction.kind == "changed" and correction.official and correction.value is not None:
                row = replace(row, value=correction.value)
        return row

    def without_rows(self, table_rows: Iterable[ResultRow]) -> tuple[str, ...]:
        """IDs of corrections that concern none of these rows: misspelt, or of results that are not held."""
        found = {row.result_id for row in table_rows if self.for_row(row)}
        return tuple(result_id for result_id in self._by_id if result_id not in found)

    def __len__(self) -> int:
        return sum(map(len, self._by_id.values()))


def _read(path: Path) -> list[Correction]:
    loaded = _loaded(path)
    entries = loaded.get("corrections") if isinstance(loaded, Mapping) else None
    if not isinstance(entries, list):
        raise ResultsError(f"{path}: a list `corrections:` of entries was expected")
    return [item for number, entry in enumerate(entries, 1) for item in _entry(entry, f"{path}: correction {number}")]


def _loaded(path: Path) -> Any:
    """The YAML of a file that may be a stranger's: its size is limited, and it may not refer to its own parts."""
    import yaml

    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ResultsError(f"{path}: larger than {_MOST_BYTES // 1024:,} KiB, so no list of corrections")
        text = data.decode("utf-8")
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        # A few aliases within aliases make gigabytes of text.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
            raise ResultsError(f"{path}: aliases (*name) are not read in a list of corrections")
        return yaml.load(text, Loader=loader)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise ResultsError(f"{path}: cannot be read as YAML ({' '.join(str(error).split())[:300]})") from error


def _entry(entry: object, where: str) -> list[Correction]:
    """The corrections of one entry: one for each benchmark id that its model may stand for."""
    given = entry if isinstance(entry, Mapping) else {}
    nested = [clean(str(k)) for k, v in given.items() if isinstance(v, (Mapping, list))]
    if nested:
        raise ResultsError(f"{where}: {', '.join(nested)} has to be text")
    fields = {str(k): str(v).strip() for k, v in given.items() if v is not None}
    missing = [n for n in _NAMES if not fields.get(n)]
    if missing:
        raise ResultsError(f"{where}: {', '.join(missing)} missing")
    unknown = sorted(clean(name) for name in set(fields) - {*_NAMES, "model", "scenario", "value"})
    if unknown:
        raise ResultsError(f"{where}: {', '.join(unknown)} not known")
    if fields["kind"] not in _KINDS or fields["authority"] not in _AUTHORITIES:
        raise ResultsError(f"{where}: kind must be one of {_KINDS}, authority one of {_AUTHORITIES}")
    result_id = fields["result_id"].removeprefix("v")
    if re.fullmatch(r"\d{1,3}\.\d{1,3}-\d{1,6}", result_id) is None:
        raise ResultsError(f"{where}: result_id “{clean(result_id)}” is no published ID such as 4.1-0070")
    models: Sequence[str | None] = (None,)
    scenario = None
    # A name that fits no row would silently leave a withdrawn result in place.
    if fields.get("model"):
        model = load_vocabulary().find_model(fields["model"])
        if model is None:
            raise ResultsError(f"{where}: the model “{clean(fields['model'])}” is not known")
        models = model.ids
    if fields.get("scenario"):
        scenario = load_vocabulary().find_scenario(fields["scenario"])
        if scenario is None:
            raise ResultsError(f"{where}: the scenario “{clean(fields['scenario'])}” is not known")
    value = _value(fields, models, where)
    told = {name: fields[name] for name in ("kind", "authority", "date", "what", "source")}
    return [Correction(result_id, **told, model=model_id, scenario=scenario, value=value) for model_id in models]


def _value(fields: Mapping[str, str], models: Sequence[str | None], where: str) -> float | None:
    """The new figure of a change. One ID is of many benchmarks and scenarios, so both have to be named."""
    text = fields.get("value")
    if not text:
        return None
    if fields["kind"] != "changed" or not fields.get("scenario") or models == (None,) or len(models) != 1:
        raise ResultsError(f"{where}: value is the new figure of one changed result: name its model and its scenario")
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 < value < float("inf"):
        raise ResultsError(f"{where}: value “{clean(text)}” is no figure; write 1016380, without a unit")
    return value
