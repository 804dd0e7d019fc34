"""Published results that were withdrawn or changed afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow

_DATA = Path(__file__).with_name("data") / "corrections.yaml"
_KINDS = ("withdrawn", "changed")
_AUTHORITIES = ("official", "reported")


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

    def __len__(self) -> int:
        return sum(map(len, self._by_id.values()))


def _read(path: Path) -> list[Correction]:
    import yaml

    try:
        loaded: Any = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ResultsError(f"{path}: cannot be read as YAML ({error})") from error
    entries = loaded.get("corrections") if isinstance(loaded, Mapping) else None
    if not isinstance(entries, list):
        raise ResultsError(f"{path}: a list `corrections:` of entries was expected")
    items = []
    for number, entry in enumerate(entries, 1):
        fields = {k: str(v) for k, v in entry.items()} if isinstance(entry, Mapping) else {}
        names = ("result_id", "kind", "authority", "date", "what", "source")
        missing = [n for n in names if not fields.get(n)]
        if missing:
            raise ResultsError(f"{path}: correction {number}: {', '.join(missing)} missing")
        if fields["kind"] not in _KINDS or fields["authority"] not in _AUTHORITIES:
            raise ResultsError(
                f"{path}: correction {number}: kind must be one of {_KINDS}, authority one of {_AUTHORITIES}"
            )
        fields["result_id"] = fields["result_id"].removeprefix("v")
        unknown = sorted(set(fields) - {*names, "model", "scenario"})
        if unknown:
            raise ResultsError(f"{path}: correction {number}: {', '.join(unknown)} not known")
        items.append(
            Correction(
                result_id=fields["result_id"],
                kind=fields["kind"],
                authority=fields["authority"],
                date=fields["date"],
                what=fields["what"],
                source=fields["source"],
                model=fields.get("model"),
                scenario=fields.get("scenario"),
            )
        )
    return items
