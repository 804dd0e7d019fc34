"""Builds the bundled table from published summary files: `python -m mlperf_claimcheck.results.build SOURCE_DIR`."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

from mlperf_claimcheck.results.errors import ResultsError
from mlperf_claimcheck.results.model import ResultRow
from mlperf_claimcheck.results.readers import read_file

BUNDLE = Path(__file__).parents[1] / "data"
RETRIEVED = "2026-11-30"
_FILE = re.compile(r"inference_v(\d{1,2}\.\d{1,2})_(summary(?:_results)?\.(?:json|csv))")


def build(source: Path, output: Path = BUNDLE, *, retrieved: str = RETRIEVED) -> list[str]:
    """Writes `results.parquet`, `rows.jsonl` (the same rows) and `manifest.json` from the summary files in `source`.

    Gives the readers' warnings.

    Raises:
        ResultsError: There are no summary files, or one cannot be read.
    """
    from mlperf_claimcheck.results.compact import encode
    from mlperf_claimcheck.results.frame import to_frame

    rows: list[ResultRow] = []
    lines: list[str] = []
    rounds: list[dict[str, str | int]] = []
    warnings: list[str] = []
    found = {m: p for p in source.iterdir() if (m := _FILE.fullmatch(p.name))} if source.is_dir() else {}
    for match, path in sorted(found.items(), key=lambda item: tuple(map(int, item[0][1].split(".")))):
        version, name = match[1], match[2]
        read = read_file(path, round_id=f"inference-v{version}")
        rows += read.rows
        lines.append(encode(read.rows) + "\n")
        warnings += read.warnings
        repository = f"mlcommons/inference_results_v{version}"
        rounds.append(
            {
                "id": f"inference-v{version}",
                "repository": repository,
                "url": f"https://raw.githubusercontent.com/{repository}/main/{name}",
                "file": name,
                "sha256": read.sha256,
                "retrieved": retrieved,
                "rows": len(read.rows),
            }
        )
    if not rounds:
        raise ResultsError(f"{source}: holds no summary files such as inference_v6.1_summary.csv")
    output.mkdir(parents=True, exist_ok=True)
    parquet = output / "results.parquet"
    to_frame(rows).write_parquet(parquet, compression="zstd", compression_level=9)
    compact = output / "rows.jsonl"
    compact.write_bytes("".join(lines).encode())
    manifest = {
        "parquet_sha256": hashlib.sha256(parquet.read_bytes()).hexdigest(),
        "rows_sha256": hashlib.sha256(compact.read_bytes()).hexdigest(),
        "rounds": rounds,
    }
    (output / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return warnings


def main() -> int:
    """Entry point of the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="folder of files such as inference_v6.1_summary.csv")
    parser.add_argument("--output", type=Path, default=BUNDLE, help="folder to write to")
    arguments = parser.parse_args()
    try:
        warnings = build(arguments.source, arguments.output)
    except (ResultsError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 4
    sys.stderr.writelines(f"warning: {w}\n" for w in warnings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
