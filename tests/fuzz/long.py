"""The long run: `python -m fuzz.long ENTRY… --cases 200000 --seed 1`, from the folder `tests`.

Every batch of a thousand has a seed of its own (the first one's plus its number), so that a finding can be had again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from .entries import ENTRIES, Entry
from .watch import peak, watched

BATCH = 1000


def run(entry: Entry, cases: int, first: int, seconds: float, *, by_hypothesis: bool) -> dict[str, object]:
    """Tries an entry point; what came of it, with each kind of fault once."""
    faults: dict[str, dict[str, object]] = {}
    counts = {"cases": 0, "faulty": 0}
    slowest = 0.0
    batch_seed = first
    start, cpu = time.monotonic(), time.process_time()

    def case(value: object) -> None:
        nonlocal slowest
        counts["cases"] += 1
        try:
            slowest = max(slowest, watched(entry.run, value))
        except Exception as error:
            counts["faulty"] += 1
            frames = [f for f in traceback.extract_tb(error.__traceback__) if "mlperf_claimcheck" in f.filename]
            where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "-"
            kind = f"{type(error).__name__} at {where}: {str(error)[:80]}"
            if where != "-" and not isinstance(error, AssertionError):
                kind = f"{type(error).__name__} at {where}"
            shown = repr(value)
            known = faults.get(kind)
            if known is None or len(shown) < len(str(known["input"])):
                faults[kind] = {"seed": batch_seed, "error": str(error)[:300], "input": shown}

    watched(entry.run, entry.inputs.chance(random.Random(first)))
    while counts["cases"] < cases and time.monotonic() - start < seconds:
        size = min(BATCH, cases - counts["cases"])
        if by_hypothesis:
            seed(batch_seed)(
                settings(
                    max_examples=size,
                    deadline=None,
                    database=None,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )(given(entry.inputs.strategy())(case))
            )()
        else:
            chance = random.Random(batch_seed)
            for _ in range(size):
                case(entry.inputs.chance(chance))
        batch_seed += 1
    return {
        "entry": entry.name,
        **counts,
        "seeds": [first, batch_seed - 1],
        "seconds": round(time.monotonic() - start, 1),
        "cpu_seconds": round(time.process_time() - cpu, 1),
        "slowest_ms": round(slowest * 1000, 1),
        "peak_mb": round(peak(), 1),
        "faults": faults,
    }


def main() -> int:
    """Runs the entry points that are named, all without a name; a line of JSON for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("entry", nargs="*", help=f"of {', '.join(ENTRIES)}")
    parser.add_argument("--cases", type=int, default=200_000, help="inputs an entry point")
    parser.add_argument("--seed", type=int, default=None, help="seed of the first batch; by chance without it")
    parser.add_argument("--seconds", type=float, default=86_400.0, help="most time an entry point")
    parser.add_argument("--hypothesis", action="store_true", help="inputs from hypothesis, slower")
    options = parser.parse_args()
    unknown = [n for n in options.entry if n not in ENTRIES]
    if unknown:
        parser.error(f"no entry point {', '.join(unknown)}; known: {', '.join(ENTRIES)}")
    first = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    bad = False
    for name in options.entry or ENTRIES:
        done = run(ENTRIES[name], options.cases, first, options.seconds, by_hypothesis=options.hypothesis)
        bad = bad or bool(done["faults"])
        print(json.dumps(done, ensure_ascii=True), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
