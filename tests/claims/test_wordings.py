"""Claims in words of their own, with verdicts that were computed apart from the program, from the published figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlperf_claimcheck.api import check, load_results
from mlperf_claimcheck.verdicts.model import Outcome, Verdict

TRUE = (
    "Azure's GB300 NVL72 rack served 589,391 tokens per second of DeepSeek-R1 in the Server scenario",
    "On DeepSeek-R1 Offline, Google ran GB200 NVL72 at 510.8K tokens/s",
    "Crusoe reached 5.75 million tokens/s with 512 MI355X GPUs on GPT-OSS-120B Offline",
    "Nebius 的 8 卡 B200 在 GPT-OSS-120B 服务器场景下达到每秒 89,856 个 token",
    "在 DeepSeek-R1 離線場景中，Oracle 的 GB300 NVL72 每顆 GPU 達到 9,258 tokens/s",
    "NVIDIA's GB300 NVL72 improved from 647,076 tokens/s in v6.0 to 679,740 tokens/s in v6.1 on DeepSeek-R1 Offline with 72 GPUs",
    "DeepSeek-R1 Offline throughput of NVIDIA's 72-GPU GB300 NVL72 rose 5.0% from v6.0 to v6.1",
    "NVIDIA 的 72 卡 GB300 NVL72 在 DeepSeek-R1 离线场景下从 v6.0 的 647,076 tokens/s 提升到 v6.1 的 679,740 tokens/s",
    "CoreWeave's GB200 NVL72 is 24% slower than its GB300 NVL72 on GPT-OSS-120B Offline",
    "CoreWeave has 24 results",
    "32 closed DeepSeek-R1 Offline results were published",
    "Oracle has 3 DeepSeek-R1 Offline results",
    "Oracle 提交了 3 项 DeepSeek-R1 离线结果",
    "Cisco submitted 53 results",
    "On GPT-OSS-120B Offline, AMD's 8x MI355X beats NVIDIA's DGX B300 with 121,818 tokens/s vs 106,637 tokens/s",
    "AMD's 8-GPU MI355X beats NVIDIA's DGX B300, 121,818 vs 106,637 tokens/s, on GPT-OSS-120B Offline",
    "CoreWeave GB300 NVL72 delivers 1.29x the GPT-OSS-120B Server throughput of CoreWeave GB200 NVL72",
    "CoreWeave 的 GB300 NVL72 在 GPT-OSS-120B 服务器场景的吞吐量是其 GB200 NVL72 的 1.29 倍",
    "Azure ran four GB200 NVL72 racks with 288 GPUs at 2,091,190 tokens/s on DeepSeek-R1 Offline",
    "NVIDIA's four GB300 NVL72 racks, 288 GPUs, hit 2.7 million tokens/s on DeepSeek-R1 Offline",
    "Every CoreWeave GPT-OSS-120B Offline result exceeds 91,000 tokens/s",
    "All of CoreWeave's GPT-OSS-120B Server results are above 90,000 tokens/s",
    "Crusoe posted the highest DeepSeek-R1 Offline throughput of the closed division",
    "Among available systems, CoreWeave ranks first per GPU on GPT-OSS-120B Offline in the closed division",
    "Crusoe 在 GPT-OSS-120B 离线场景取得封闭组最高总吞吐量",
    "Google did not submit GPT-OSS-120B",
    "Vera Rubin NVL72 results are listed as Preview",
    "The largest system in the round has 64 nodes and 512 GPUs",
    "GPT-OSS-120B Offline on CoreWeave rose from 911,566 tokens/s on GB200 NVL72 to 1,197,710 tokens/s on GB300 NVL72",
    "CoreWeave's GB300 NVL72 and Nebius's GB300 NVL72 on GPT-OSS-120B Offline each exceed 1.1 million tokens/s",
    "每个 CoreWeave GPT-OSS-120B 离线结果都超过 91,000 tokens/s",
    "Oracle has more than 2 DeepSeek-R1 Offline results",
)
"""The published rows bear these out."""

UNTRUE = (
    "Azure's GB300 NVL72 rack served 598,391 tokens per second of DeepSeek-R1 in the Server scenario",
    "On DeepSeek-R1 Interactive, Google ran GB200 NVL72 at 510.8K tokens/s",
    "Crusoe reached 5.85 million tokens/s with 512 MI355X GPUs on GPT-OSS-120B Offline",
    "在 DeepSeek-R1 離線場景中，Oracle 的 GB300 NVL72 每顆 GPU 達到 9,528 tokens/s",
    "NVIDIA's GB300 NVL72 improved from 711,784 tokens/s in v6.0 to 679,740 tokens/s in v6.1 on DeepSeek-R1 Offline with 72 GPUs",
    "NVIDIA's GB300 NVL72 increased from 679,740 tokens/s in v6.0 to 647,076 tokens/s in v6.1 on DeepSeek-R1 Offline with 72 GPUs",
    "DeepSeek-R1 Offline throughput of NVIDIA's 72-GPU GB300 NVL72 rose 10.0% from v6.0 to v6.1",
    "CoreWeave's GB200 NVL72 is 31% slower than its GB300 NVL72 on GPT-OSS-120B Offline",
    "CoreWeave's GB300 NVL72 is 24% slower than its GB200 NVL72 on GPT-OSS-120B Offline",
    "35 closed DeepSeek-R1 Offline results were published",
    "Oracle has 4 DeepSeek-R1 Offline results",
    "Cisco submitted 35 results",
    "On GPT-OSS-120B Offline, NVIDIA's DGX B300 beats AMD's 8x MI355X with 121,818 tokens/s vs 106,637 tokens/s",
    "AMD's 8-GPU MI355X beats NVIDIA's DGX B300, 128,818 vs 106,637 tokens/s, on GPT-OSS-120B Offline",
    "CoreWeave's HGX B300 outperformed AMD's 8x MI355X on GPT-OSS-120B Offline",
    "CoreWeave GB300 NVL72 delivers 1.49x the GPT-OSS-120B Server throughput of CoreWeave GB200 NVL72",
    "NVIDIA's four GB300 NVL72 racks, 288 GPUs, hit 2.9 million tokens/s on DeepSeek-R1 Offline",
    "Every CoreWeave GPT-OSS-120B Offline result exceeds 100,000 tokens/s",
    "All CoreWeave GPT-OSS-120B Offline results exceed 900,000 tokens/s",
    "CoreWeave 的所有 GPT-OSS-120B 离线结果均超过 100,000 tokens/s",
    "Each CoreWeave GPT-OSS-120B Offline result tops 112,000 tokens/s",
    "Azure posted the highest DeepSeek-R1 Offline throughput of the closed division",
    "Lambda ranks first per GPU on GPT-OSS-120B Offline in the closed division",
    "Nebius did not submit GPT-OSS-120B",
    "CoreWeave GB300 NVL72 results are listed as Preview",
    "The largest system in the round has 72 nodes and 288 GPUs",
    "NVIDIA GB300 GPT-OSS-120B Server scaling efficiency is 91.2% from 8 to 72 GPUs",
    "CoreWeave's GB300 NVL72, 1,197,710 tokens/s per GPU, is 31% faster than its GB200 NVL72 at 911,566 tokens/s per GPU, GPT-OSS-120B Offline",
)
"""Another figure, place, direction or number is published."""

NEVER_PASS = (
    "CoreWeave GB300 NVL72 did not reach 1,197,710 tokens/s on GPT-OSS-120B Offline",
    "Did CoreWeave reach 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72?",
    "CoreWeave aims for 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72",
    "CoreWeave GB300 NVL72 would have reached 1,197,710 tokens/s on GPT-OSS-120B Offline",
    "CoreWeave GB300 NVL72 reached 1,197,710 tokens/s on GPT-OSS-120B Offline and halves the bill",
    "CoreWeave GB300 NVL72 reached 1,197,710 tokens/s on GPT-OSS-120B Offline, thanks to Spectrum-X",
    "CoreWeave hardly reached 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72",
    "CoreWeave 的 GB300 NVL72 在 GPT-OSS-120B 离线场景未达到 1,197,710 tokens/s",
    "CoreWeave 的 GB300 NVL72 在 GPT-OSS-120B 离线场景能否达到 1,197,710 tokens/s",
    "CoreWeave 计划在 GPT-OSS-120B 离线场景用 GB300 NVL72 达到 1,197,710 tokens/s",
    "It is false that CoreWeave GB300 NVL72 reached 1,197,710 tokens/s on GPT-OSS-120B Offline",
    "CoreWeave denies that GB300 NVL72 reached 1,197,710 tokens/s on GPT-OSS-120B Offline",
    "Were CoreWeave to use GB300 NVL72, it reaches 1,197,710 tokens/s on GPT-OSS-120B Offline",
    "CoreWeave GB300 NVL72 reached 1,197,710 tokens/s on GPT-OSS-120B Offline, which nobody else matched",
    "Only in a lab can CoreWeave GB300 NVL72 reach 1,197,710 tokens/s on GPT-OSS-120B Offline",
    "CoreWeave GB300 NVL72 once reached 1,197,710 tokens/s on GPT-OSS-120B Offline before a recall",
    "Neither Google nor Azure submitted GPT-OSS-120B but CoreWeave did",
    "CoreWeave GB300 NVL72 reached 1,197,710 tokens/s on GPT-OSS-120B Offline at 40% lower cost",
    "Not every CoreWeave GPT-OSS-120B Offline result exceeds 91,000 tokens/s",
    "CoreWeave hopes that every GPT-OSS-120B Offline result exceeds 91,000 tokens/s",
    "Few CoreWeave GPT-OSS-120B Offline results exceed 91,000 tokens/s",
    "No CoreWeave GPT-OSS-120B Offline result exceeds 91,000 tokens/s",
    "NVIDIA's GB300 NVL72 improved from 647,076 tokens/s in v6.0 to 679,740 tokens/s in v5.1 on DeepSeek-R1 Offline with 72 GPUs",
    "Oracle's GB300 NVL72 improved from 647,076 tokens/s in v6.0 to 679,740 tokens/s in v6.1 on DeepSeek-R1 Offline with 72 GPUs",
    "NVIDIA's GB300 NVL72 fell from 647,076 tokens/s in v6.0 to 679,740 tokens/s in v6.1 on DeepSeek-R1 Offline with 72 GPUs",
    "NVIDIA's GB300 NVL72 improved from 647,076 tokens/s to 679,740 tokens/s on DeepSeek-R1 Offline with 72 GPUs",
    "NVIDIA's GB300 NVL72 improved from 647,076 tokens/s in v6.0 to 679,740 tokens/s in v6.1 on DeepSeek-R1 Server with 72 GPUs",
    "NVIDIA's GB300 NVL72 improved from 679,740 tokens/s in v6.1 to 647,076 tokens/s in v6.0 on DeepSeek-R1 Offline with 72 GPUs",
    "NVIDIA's GB300 NVL72 improved from 647,076 tokens/s in v6.0 to 679,740 samples/s in v6.1 on DeepSeek-R1 Offline with 72 GPUs",
    "NVIDIA's GB300 NVL72 could improve from 647,076 tokens/s in v6.0 to 679,740 tokens/s in v6.1 on DeepSeek-R1 Offline with 72 GPUs",
    "NVIDIA's GB300 NVL72 improved from 647,076 tokens/s per GPU in v6.0 to 679,740 tokens/s per GPU in v6.1 on DeepSeek-R1 Offline with 72 GPUs",
    "DeepSeek-R1 Offline throughput of NVIDIA's 72-GPU GB300 NVL72 rose 5.0% from v6.1 to v6.0",
    "DeepSeek-R1 Offline throughput of NVIDIA's 72-GPU GB300 NVL72 fell 5.0% from v6.0 to v6.1",
    "DeepSeek-R1 Offline throughput of NVIDIA's 72-GPU GB300 NVL72 rose 5.0% from v5.1 to v6.1",
    "AMD's 8-GPU MI355X trails NVIDIA's DGX B300, 121,818 vs 106,637 tokens/s, on GPT-OSS-120B Offline",
    "AMD's 8-GPU MI355X beats NVIDIA's GB300 NVL72, 121,818 vs 106,637 tokens/s, on GPT-OSS-120B Offline",
    "AMD's 8-GPU MI355X beats NVIDIA's DGX B300, 106,637 vs 121,818 tokens/s, on GPT-OSS-120B Offline",
    "AMD's 8-GPU MI355X beats NVIDIA's DGX B300 with 121,818 vs 106,637 tokens/s on GPT-OSS-120B Server",
    "AMD's 8-GPU MI355X beats every NVIDIA system with 121,818 vs 106,637 tokens/s on GPT-OSS-120B Offline",
    "AMD's 8-GPU MI355X beats NVIDIA's DGX B300, 121,818 vs 106,637 tokens/s, on GPT-OSS-120B Offline and DeepSeek-R1 Offline",
    "AMD's 8-GPU MI355X never beats NVIDIA's DGX B300, 121,818 vs 106,637 tokens/s, on GPT-OSS-120B Offline",
    "All but one CoreWeave GPT-OSS-120B Offline result exceed 91,000 tokens/s",
    "Almost every CoreWeave GPT-OSS-120B Offline result exceeds 100,000 tokens/s",
    "Nearly all CoreWeave GPT-OSS-120B Offline results exceed 100,000 tokens/s",
    "Every CoreWeave Offline result exceeds 91,000 tokens/s",
    "Every CoreWeave result exceeds 91,000 tokens/s",
    "Every GPT-OSS-120B Offline result exceeds 91,000 tokens/s",
    "All GPT-OSS-120B Offline results of CoreWeave and Nebius exceed 91,000 tokens/s",
    "Every CoreWeave GPT-OSS-120B Offline result reached 1,197,710 tokens/s",
    "Every CoreWeave GPT-OSS-120B Offline result exceeds 16,000 tokens/s per GPU",
    "Each of CoreWeave's GPT-OSS-120B systems delivers over 1 million tokens/s offline",
    "CoreWeave always delivers over 1 million tokens/s on GPT-OSS-120B Offline",
    "CoreWeave consistently delivers over 1 million tokens/s on GPT-OSS-120B Offline",
    "All CoreWeave GPT-OSS-120B results are up to 1,197,710 tokens/s",
    "Every single CoreWeave GPT-OSS-120B Offline result exceeds 1 million tokens/s",
    "CoreWeave GPT-OSS-120B results all exceed 1 million tokens/s",
    "CoreWeave 的 GPT-OSS-120B 离线结果都超过 1,000,000 tokens/s",
    "CoreWeave 每项 GPT-OSS-120B 离线结果都超过 1,000,000 tokens/s",
    "Oracle has 3 DeepSeek-R1 results",
    "Oracle has 3 DeepSeek-R1 Offline and Server results",
    "Oracle has 3 of 32 DeepSeek-R1 Offline results in v6.0",
    "Oracle has no 3 DeepSeek-R1 Offline results",
    "Oracle will publish 3 DeepSeek-R1 Offline results",
    "Oracle has 3 best DeepSeek-R1 Offline results",
    "Oracle has 3 unverified DeepSeek-R1 Offline results",
    "Oracle has fewer than 3 DeepSeek-R1 Offline results",
    "Oracle has 3 open DeepSeek-R1 Offline results",
    "Oracle 提交了 4 项 DeepSeek-R1 离线结果",
    "Oracle 没有提交 3 项 DeepSeek-R1 离线结果",
    "Did CoreWeave reach 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72",
    "On GPT-OSS-120B Offline, has CoreWeave reached 1,197,710 tokens/s with GB300 NVL72",
    "Should CoreWeave use GB300 NVL72, it reaches 1,197,710 tokens/s on GPT-OSS-120B Offline",
    "CoreWeave 是不是在 GPT-OSS-120B 离线场景用 GB300 NVL72 达到 1,197,710 tokens/s",
    "CoreWeave 的 GB200 NVL72 在 GPT-OSS-120B 服务器场景的吞吐量是其 GB300 NVL72 的 1.29 倍",
    "CoreWeave 的 GB300 NVL72 在 GPT-OSS-120B 离线场景的吞吐量不是其 GB200 NVL72 的 1.31 倍",
    "NVIDIA's GB200 NVL72 is 20% slower than its GB300 NVL72 on Wan 2.2 SingleStream",
    "CoreWeave's GB200 NVL72 is not 24% slower than its GB300 NVL72 on GPT-OSS-120B Offline",
    "CoreWeave's GB200 NVL72 is 24% slower and 10% cheaper than its GB300 NVL72 on GPT-OSS-120B Offline",
    "CoreWeave's GB200 NVL72 trails its GB300 NVL72 by 31% on GPT-OSS-120B Offline",
    "CoreWeave reached 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72; every other cloud failed",
    "CoreWeave says rivals reached 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72",
    "CoreWeave barely missed 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72",
    "CoreWeave reached 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72 in most runs",
    "CoreWeave reached 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72 without tuning",
    "No one doubts CoreWeave reached 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72",
    "CoreWeave reached 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72 under power cap",
    "CoreWeave reached 1,197,710 tokens/s on GPT-OSS-120B Offline with GB300 NVL72, double the industry",
)
"""Untrue, turned, asked, planned, supposed, or with a second part that no result decides."""


def judged(text: str) -> Verdict:
    (verdict,) = check(text, load_results(), round="inference-v6.1")
    return verdict


@pytest.mark.parametrize("text", TRUE)
def test_a_true_claim_passes(text: str) -> None:
    verdict = judged(text)
    assert verdict.outcome is Outcome.PASS, verdict.reason.message


@pytest.mark.parametrize("text", UNTRUE)
def test_an_untrue_claim_fails(text: str) -> None:
    verdict = judged(text)
    assert verdict.outcome is Outcome.FAIL, verdict.reason.message


@pytest.mark.parametrize("text", NEVER_PASS)
def test_what_states_no_true_result_never_passes(text: str) -> None:
    verdict = judged(text)
    assert verdict.outcome is not Outcome.PASS, verdict.reason.message


def test_one_lower_result_refutes_every_and_is_named() -> None:
    verdict = judged("Every CoreWeave GPT-OSS-120B Offline result exceeds 100,000 tokens/s")
    assert verdict.reason.code == "value-differs"
    assert "1 of 4 results are not over 100,000 tokens/s" in verdict.reason.message
    assert "91,487.4" in verdict.reason.message


def test_a_gain_on_a_preview_system_tells_what_available_systems_give() -> None:
    verdict = judged("Best per-accelerator VLM Server result improved 2.99x over v6.0")
    assert verdict.outcome is Outcome.PASS
    told = {c.code: c.message for c in verdict.caveats}
    assert "available systems only give 1.56x" in told["rests-on-preview"]
    assert "preview" in told["preview-result"].lower()


@pytest.mark.parametrize("named", ["HGX B300 leads", "CoreWeave's HGX B300 leads"])
def test_a_scope_of_organizations_names_the_higher_results_that_it_leaves_out(named: str) -> None:
    verdict = judged(f"{named} all HGX submissions from cloud providers on GPT-OSS-120B in both scenarios")
    assert verdict.outcome is Outcome.PASS
    told = " ".join(c.message for c in verdict.caveats if c.code == "self-defined-scope")
    assert "not within 'cloud providers': " in told
    assert "HPE 114,569 tokens/s" in told
    assert "HPE 113,685 tokens/s" in told


LISTED = [
    tuple(part.strip() for part in f"{line} |".split("|"))
    for line in Path(__file__).with_name("wordings.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize("case", LISTED, ids=lambda case: case[2])
def test_a_listed_claim_has_its_verdict_and_caveats(case: tuple[str, ...]) -> None:
    expected, round_number, text, caveats = case[:4]
    (verdict,) = check(text, load_results(), round=None if round_number == "-" else f"inference-v{round_number}")
    assert verdict.outcome.value in expected.split("/"), verdict.reason.message
    found = {c.code for v in (verdict, *verdict.parts) for c in v.caveats}
    assert set(caveats.split()) <= found
