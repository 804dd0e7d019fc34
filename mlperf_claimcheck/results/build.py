"""Build the bundled table: `python -m mlperf_claimcheck.results.build SOURCE_DIR [--output DIR]`.

SOURCE_DIR holds the upstream summaries (`inference_v6.0_summary_results.json`, `inference_v6.1_summary.csv` …).
Figures and names only: notes, accuracy strings and software descriptions stay out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

from mlperf_claimcheck.results.counts import with_counts
from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.table import COLUMNS

UPSTREAM = "https://raw.githubusercontent.com/mlcommons"
_NAME = re.compile(r"inference_v(\d+\.\d+)_(summary_results\.json|summary\.csv|summary\.json)")


def build(source: Path, output: Path, retrieved: str = "2026-11-30") -> int:
    """Write `results.parquet` and `manifest.json`; the number of rows."""
    import polars

    from mlperf_claimcheck.results.repository.records import read_summary_file

    rows = []
    rounds = []
    for path in sorted(source.iterdir()):
        match = _NAME.fullmatch(path.name)
        if match is None:
            continue
        summary = read_summary_file(path)
        if summary.warnings:
            raise ResultsError("; ".join(summary.warnings[:5]))
        found = [replace(with_counts(row), software="") for row in summary.rows]
        rows.extend(found)
        repository = f"inference_results_v{match[1]}"
        rounds.append({
            "round": f"inference-v{match[1]}", "repository": f"mlcommons/{repository}", "file": match[2],
            "url": f"{UPSTREAM}/{repository}/main/{match[2]}",
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "retrieved": retrieved, "rows": len(found),
        })  # fmt: skip
    if not rows:
        raise ResultsError(f"{source}: holds no inference_vX.Y_summary file")
    frame = polars.DataFrame(
        {name: [getattr(row, name) for row in rows] for name in COLUMNS}, infer_schema_length=None
    )
    output.mkdir(parents=True, exist_ok=True)
    target = output / "results.parquet"
    frame.write_parquet(target, compression="zstd", statistics=False)
    manifest = {"sha256": hashlib.sha256(target.read_bytes()).hexdigest(), "rounds": rounds}
    (output / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return len(rows)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Build the bundled results table.")
    parser.add_argument("source", type=Path)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent.parent / "data")
    arguments = parser.parse_args()
    try:
        print(f"{build(arguments.source, arguments.output)} rows")
    except ResultsError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
