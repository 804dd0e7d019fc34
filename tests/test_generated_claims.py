"""Claims generated from published rows in varied notation, with a truth that is computed here and not by the checks."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import mlperf_claimcheck as cc
from mlperf_claimcheck.claims.model import ClaimInput
from mlperf_claimcheck.results.load import load_results
from mlperf_claimcheck.verdicts.model import Outcome

MODELS = {
    "gpt-oss-120b": ["GPT-OSS-120B", "gpt-oss 120B", "GPT‑OSS‑120B"],
    "deepseek-r1": ["DeepSeek-R1", "DeepSeek R1"],
    "llama2-70b-99.9": ["Llama 2 70B 99.9%", "llama2-70b-99.9"],
    "llama3.1-8b": ["Llama 3.1 8B", "Llama-3.1-8B"],
    "whisper": ["Whisper"],
    "stable-diffusion-xl": ["Stable Diffusion XL", "SDXL"],
}
UNITS = {
    "tokens/s": ["tokens/s", "tokens/sec", "tok/s", "tokens per second"],
    "samples/s": ["samples/s", "samples per second"],
    "queries/s": ["queries/s", "QPS"],
}
SUBMITTERS = ["CoreWeave", "NVIDIA", "Nebius", "Cisco", "HPE", "Supermicro", "Lenovo", "Oracle", "Google"]


def _rows():
    return [
        r
        for r in load_results(use_cache=False).rows
        if r.division == "closed"
        and r.model in MODELS
        and r.unit in UNITS
        and r.submitter in SUBMITTERS
        and r.accelerators
        and not r.heterogeneous
        and "datacenter" in r.suite
    ]


def _printed(value: float, rng: random.Random) -> str:
    if value >= 1_000_000 and rng.random() < 0.3:
        return f"{value / 1e6:.2f} million"
    if value >= 10_000 and rng.random() < 0.3:
        return f"{value / 1e3:.1f}k"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"


def _worth(text: str) -> tuple[float, float]:
    """Value and half of the printed precision, read back independently."""
    factor = 1e6 if "million" in text else 1e3 if text.endswith("k") else 1.0
    digits = text.replace(",", "").replace(" million", "").rstrip("k")
    decimals = len(digits.partition(".")[2])
    return float(digits) * factor, factor * 10**-decimals / 2


def _make(seed: int, count: int) -> list[tuple[ClaimInput, bool]]:
    rng = random.Random(seed)
    rows = _rows()
    claims = []
    while len(claims) < count:
        row = rng.choice(rows)
        each = rng.random() < 0.5
        value = row.value / row.accelerators if each else row.value
        kind = rng.choice(["true", "true", "moved", "bound", "wrong-bound", "scenario"])
        scenario = row.scenario
        relation = ""
        if kind == "moved":
            value *= rng.choice([0.9, 1.1, 1.25])
        elif kind == "bound":
            relation, value = "over ", value * 0.95
        elif kind == "wrong-bound":
            relation, value = "over ", value * 1.05
        elif kind == "scenario":
            scenario = rng.choice([s for s in ("Offline", "Server", "Interactive") if s != row.scenario])
        number = _printed(value, rng)
        unit = rng.choice(UNITS[row.unit]) + (rng.choice(["/GPU", " per GPU", " per accelerator"]) if each else "")
        parts = [
            rng.choice(MODELS[row.model]), scenario.lower() if rng.random() < 0.5 else scenario,
            f"{relation}{number} {unit}", f"{row.accelerators} GPUs",
        ]  # fmt: skip
        rng.shuffle(parts)
        text = f"{row.submitter}: " + ", ".join(parts)
        claimed, half = _worth(number)
        candidates = [
            r for r in load_rows(row.round)
            if r.model == row.model and r.scenario == scenario and row.submitter in r.submitter.split("_")
            and row.accelerators in (r.accelerators, r.accelerators_published) and not r.heterogeneous
            and r.division == "closed"
        ]  # fmt: skip
        figures = [r.value / r.accelerators if each else r.value for r in candidates]
        if relation:
            truth = any(f > claimed for f in figures)
            near = any(abs(f / claimed - 1) < 1e-4 for f in figures)
        else:
            truth = any(abs(f - claimed) <= half for f in figures)
            # Within the source's own precision, or truncated: the rules decide, this simple truth cannot.
            near = any(half < abs(f - claimed) <= 2 * half + 1e-5 * f for f in figures) or any(
                abs(abs(f - claimed) - half) < 1e-9 * f for f in figures
            )
        if near:
            continue
        claims.append((ClaimInput(f"{kind}-{len(claims)}", text, fields={"round": row.round}), truth))
    return claims


_CACHE: dict = {}


def load_rows(round_id: str):
    if not _CACHE:
        _CACHE["table"] = load_results(use_cache=False)
    return _CACHE["table"].by_round(round_id)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_generated_claims_get_the_right_verdict_and_none_passes_wrongly(seed):
    claims = _make(seed, 200)
    verdicts = cc.check([c for c, _ in claims], load_results(use_cache=False))
    wrong = []
    counts: Counter[str] = Counter()
    for (claim, truth), verdict in zip(claims, verdicts, strict=True):
        right = (verdict.outcome is Outcome.PASS) == truth and (truth or verdict.outcome is Outcome.FAIL)
        counts["right" if right else "wrong"] += 1
        if verdict.outcome is Outcome.PASS and not truth:
            pytest.fail(f"wrong pass: {claim.text} ({claim.fields}): {verdict.reason.message}")
        if not right:
            wrong.append(
                (claim.text, claim.fields["round"], truth, verdict.outcome.value, verdict.reason.message[:200])
            )
    assert counts["right"] >= 0.99 * len(claims), wrong[:10]
