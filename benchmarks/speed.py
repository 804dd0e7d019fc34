"""Speed as ratios: `make bench`. Each figure stands beside a peer that was measured in the same run."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PEER = "import polars, typer, rich, pydantic"
TEXTS = [
    "16,635 tokens/s/GPU offline, GPT-OSS-120B, GB300 NVL72",
    "16,118 tokens/s/GPU server, GPT-OSS-120B, GB300 NVL72",
    "GB200 NVL72, GPT-OSS-120B: 911,566 tokens/s Offline, 901,058 tokens/s Server",
    "Llama 2 70B, GB300 NVL72: over 1.1 million tokens/s Offline",
    "Qwen3-VL-235B-A22B on one GB300 NVL72: 1,196 QPS in Server",
]


def claim_file(folder: str, count: int) -> str:
    path = Path(folder) / f"claims-{count}.yaml"
    lines = ["defaults: {round: inference-v6.1, submitter: CoreWeave}", "claims:"]
    lines += [f'  - "{TEXTS[i % len(TEXTS)].replace("16,635", str(10000 + i))}"' for i in range(count)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def best_of(command: list[str], times: int = 5) -> float:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    found = []
    for _ in range(times):
        begin = time.perf_counter()
        subprocess.run(command, capture_output=True, env=environment, check=False)
        found.append(time.perf_counter() - begin)
    return min(found)


def main() -> None:
    python = sys.executable
    tool = [python, "-m", "mlperf_claimcheck"]
    peer = best_of([python, "-c", PEER])
    rows: dict[str, float] = {"peer_seconds": peer}
    with tempfile.TemporaryDirectory() as folder:
        twenty = claim_file(folder, 20)
        best_of([*tool, "check", twenty, "--offline"], 1)
        rows["cold_check_20_claims_ratio"] = best_of([*tool, "check", twenty, "--offline"]) / peer
        rows["help_ratio"] = best_of([*tool, "--help"]) / peer
        import mlperf_claimcheck as cc
        from mlperf_claimcheck.claims.files import load_claim_files

        table = cc.load_results()
        cc.check(TEXTS, table, "inference-v6.1")
        for count in (1000, 10000):
            path = claim_file(folder, count)
            begin = time.perf_counter()
            cc.check_files(load_claim_files([path]), table)
            rows[f"claims_per_second_at_{count}"] = count / (time.perf_counter() - begin)
    rows["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for name, value in rows.items():
        print(f"{name:32} {value:10.2f}")
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
