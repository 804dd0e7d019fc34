"""The results that claims are checked against: the bundled table, then the cache, then what the user names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mlperf_claimcheck.results.compact import LateRows
from mlperf_claimcheck.results.errors import ResultsError, ResultsUnavailable
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.repository.layout import location_key
from mlperf_claimcheck.results.table import ResultsTable
from mlperf_claimcheck.verdicts.model import ResultsSource

if TYPE_CHECKING:
    import polars

    from mlperf_claimcheck.results.endpoints import EndpointRepository
    from mlperf_claimcheck.results.training import TrainingRepository

BUNDLE = Path(__file__).parents[1] / "data"

_Held = dict[str, tuple[Sequence[ResultRow], ResultsSource]]


def load_results(
    *, sources: Iterable[str | Path] = (), offline: bool = True, use_cache: bool = True, as_of: str | None = None
) -> ResultsTable:
    """All rounds at hand. A later place replaces a whole round of an earlier one: bundled, cache, `sources` in order.
    Folders of Endpoints and Training results among `sources` add up where they are of one round.

    Args:
        sources: Files, folders or http(s) addresses of published results; an address that names no `.json` or `.csv`
            file is the base of a mirror.
        offline: Whether to refuse addresses among `sources`; nothing else ever asks the network.
        use_cache: Whether to look into the user's cache of fetched rounds.
        as_of: Of the bundled and cached rounds, take the version that was held at the end of this day (ISO, UTC). A
            round of which none was held is left out, with a warning. `sources` are taken as they are.

    Raises:
        ResultsUnavailable: An address could not be read, or nothing at all was held at `as_of`.
        ResultsError: Results are damaged or cannot be read.
    """
    held: _Held = dict(_bundled())
    curves: dict[str, EndpointRepository] = {}
    training: dict[str, TrainingRepository] = {}
    warnings: list[str] = []
    since = {r: source.retrieved for r, (_, source) in held.items()}
    if as_of is not None:
        held = {r: found for r, found in held.items() if since[r] <= as_of}
    if use_cache:
        from mlperf_claimcheck.results.cache import held_at, held_rounds, history

        for latest in held_rounds():
            item = latest if as_of is None else held_at(latest.round, as_of)
            if item is None:
                first = history(latest.round)[0].retrieved
                since[latest.round] = min(first, since.get(latest.round, first))
                continue
            rows: Sequence[ResultRow]
            if item.round in held and held[item.round][1].sha256 == item.sha256:
                item.content()  # Whole and unchanged? Then its rows are those of the bundled table, read already.
                rows = held[item.round][0]
            elif item.is_pack:
                pack = item.read_pack()
                rows = pack.found[item.round][0]
                warnings += pack.warnings
                if pack.endpoints is not None:
                    curves[item.round] = pack.endpoints
                if pack.training is not None:
                    training[item.round] = pack.training
            else:
                read = item.read()
                rows = read.rows
                warnings += read.warnings
            origin = ResultsSource(item.round, "cache", item.url, item.sha256, item.retrieved, len(rows))
            held[item.round] = (rows, origin)
    named = [str(source) for source in sources]
    if named:
        from mlperf_claimcheck.results.explicit import join, read_source

        reads = [read_source(source, offline=offline) for source in named]
        together = join(reads)
        for read_in in (*(read.found for read in reads), together.found):
            for round_id, (found, origin) in read_in.items():
                known = held[round_id][0] if round_id in held else ()
                held[round_id] = (_with_ids(found, known), origin)
        warnings += [warning for read in reads for warning in read.warnings]
        training.update(together.training)
        if together.endpoints is not None:
            curves.update({r: together.endpoints for r in together.found if r.startswith("endpoints-")})
    if as_of is not None:
        absent = [f"{r} (first held {since[r]})" for r in sorted(since, key=_order) if r not in held]
        if not held:
            raise ResultsUnavailable(
                f"no results were held at {as_of}: {', '.join(absent)}; give a later date, or name files with --results"
            )
        if absent:
            warnings.append(f"not held at {as_of}, so left out: {', '.join(absent)}")
    order = sorted(held, key=_order)
    bundled = len(held) == len(since) and all(isinstance(rows, LateRows) for rows, _ in held.values())
    return ResultsTable(
        {r: held[r][0] for r in order},
        (held[r][1] for r in order),
        warnings,
        curves,
        _bundled_frame if bundled else None,
        training,
    )


def _with_ids(rows: Sequence[ResultRow], known: Sequence[ResultRow]) -> Sequence[ResultRow]:
    """Rows that came without result IDs, as from logs, with those that the same round's known rows have.

    MLCommons assigns the IDs with the summary, and withdraws results by them: a withdrawn result must not come back
    because it is read from its logs. The run's folder tells which result it is.
    """
    if not rows or any(row.result_id for row in rows):
        return rows
    ids: dict[tuple[str, str], set[str]] = {}
    for row in known:
        if row.result_id:
            ids.setdefault((location_key(row.location), row.scenario), set()).add(row.result_id)
    if not ids:
        return rows
    found = []
    for row in rows:
        of = ids.get((location_key(row.location), row.scenario), ())
        found.append(replace(row, result_id=min(of)) if len(of) == 1 else row)
    return tuple(found)


def _order(round_id: str) -> tuple[str, list[int]]:
    suite, _, version = round_id.rpartition("-v")
    return suite, [int(n) if n.isdecimal() else 0 for n in version.split(".")]


def _bundled() -> _Held:
    try:
        manifest = json.loads((BUNDLE / "manifest.json").read_text(encoding="utf-8"))
        rounds = manifest["rounds"]
        for name, wanted in (("results.parquet", "parquet_sha256"), ("rows.jsonl", "rows_sha256")):
            data = (BUNDLE / name).read_bytes()
            if hashlib.sha256(data).hexdigest() != manifest[wanted]:
                raise ResultsError(f"{name} does not match its manifest")
        found: _Held = {}
        for entry, line in zip(rounds, data.rstrip(b"\n").split(b"\n"), strict=True):
            source = ResultsSource(
                entry["id"], "bundled", entry["url"], entry["sha256"], entry["retrieved"], entry["rows"]
            )
            found[entry["id"]] = LateRows(line, entry["rows"]), source
        return found
    except Exception as error:
        raise ResultsError(f"{BUNDLE}: the bundled results are damaged ({error}); install the package again") from error


def _bundled_frame() -> polars.DataFrame:
    import polars

    return polars.read_parquet(BUNDLE / "results.parquet")
