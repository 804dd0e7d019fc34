"""Words that are easily dropped although they say something: none of them may carry a claim to a pass."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.api import check, load_results
from mlperf_claimcheck.verdicts.model import Outcome, Verdict

NO_SUCH_BENCHMARK = (
    "GPT-OSS-20B",
    "GPT OSS 20B",
    "Llama 3.3 70B",
    "Llama 3 70B",
    "DeepSeek-V3",
    "Kimi K2",
    "GPT-3",
    "FLUX.1",
    # Names that no list has.
    "Zephyrion-9B",
    "DeepSeek-R7",
    "Qwenta 4",
    "GPT-OSS-240B",
    "Llama 2 170B",
    "Orbit2-XL",
    "Mixtral 8x44B",
    "Whisper-Nano",
    "Solara K9",
    "VL-Max 3",
)
CLAIM = "AMD, 8x MI355X, {} Offline: 121,818 tokens/s"
RIGHT = "AMD, 8x MI355X, GPT-OSS-120B Offline{}: 121,818 tokens/s"

UNTOLD = (
    " with TensorRT-LLM",
    " under SGLang",
    " on CUDA 13.1",
    " with ROCm 6.4",
    " managed by Kubernetes",
    " with Slurm",
    " over InfiniBand",
    " with liquid cooling",
    " on air-cooled servers",
    " with speculative decoding",
    " with disaggregated serving",
    "(液冷)",
    " for speech recognition",
    " for image generation",
    " by its partners",
    " on each device",
    " with Zorblatt 3",
)
"""What the published columns do not tell of this result."""

TRUE = (
    RIGHT.format(" with ROCm"),
    RIGHT.format(" with ROCm 7.2.2 and PyTorch"),
    RIGHT.format(", a mixture-of-experts model"),
    "NVIDIA, 72x GB300, GPT-OSS-120B Offline with TensorRT-LLM and NVIDIA Dynamo: 1,124,500 tokens/s",
    "NVIDIA's 72 GB300 GPUs, connected by NVLink in a GB300 NVL72, reached 1,124,500 tokens/s on GPT-OSS-120B Offline",
    "NVIDIA's full GB300 NVL72 rack reached 1,124,500 tokens/s on GPT-OSS-120B Offline",
    "NVIDIA: four GB300 NVL72 racks reach 676,283 tokens/s each on DeepSeek-R1 Offline",
    "NVIDIA, four GB300 NVL72 racks, DeepSeek-R1 Offline: 676,283 tokens/s per rack",
    "Crusoe, NVIDIA and Azure are the top three by total DeepSeek-R1 Offline throughput, in that order",
    "GPT-OSS-120B on CoreWeave's GB300 NVL72: 16,635 tokens/s/GPU offline and 16,118 tokens/s/GPU server",
    "ScitiX has the highest B200 result on DeepSeek-R1 Offline in any division",
    "Crusoe leads GPT-OSS-120B in Offline and Server",
)

UNTRUE = (
    "Oracle's full GB300 NVL72 rack: 77,031.7 tokens/s on DeepSeek-R1 Offline",
    "An entire GB300 NVL72 rack of Oracle's reached 77,031.7 tokens/s on DeepSeek-R1 Offline",
    "Oracle 整柜 GB300 NVL72 的 DeepSeek-R1 离线吞吐量为 77,031.7 tokens/s",
    "Oracle's fully populated GB300 NVL72 did 77,031.7 tokens/s on DeepSeek-R1 Offline",
    "NVIDIA: four GB300 NVL72 racks reach 2,705,130 tokens/s each on DeepSeek-R1 Offline",
    "NVIDIA: each of four GB300 NVL72 racks reaches 2,705,130 tokens/s on DeepSeek-R1 Offline",
    "NVIDIA, four GB300 NVL72 racks, DeepSeek-R1 Offline: 2,705,130 tokens/s per rack",
    "NVIDIA 的 4 个 GB300 NVL72 机柜在 DeepSeek-R1 离线场景每机柜 2,705,130 tokens/s",
    "Crusoe: 5,749,440 tokens/s per rack on GPT-OSS-120B Offline",
    "AMD: 121,818 tokens/s per second on GPT-OSS-120B Offline, 8x MI355X",
    "AMD: 121,818 tokens/s for every instance on GPT-OSS-120B Offline, 8x MI355X",
    "AMD's MI355X rack reached 121,818 tokens/s on GPT-OSS-120B Offline",
    "AMD: 121,818 tokens/s on 8 TPUs, GPT-OSS-120B Offline",
    "AMD: exactly 122 thousand tokens/s on GPT-OSS-120B Offline, 8x MI355X",
    "Crusoe, Azure and NVIDIA are the top three by total DeepSeek-R1 Offline throughput, in that order",
    "Crusoe leads DeepSeek-R1 in all three scenarios",
    "Crusoe leads DeepSeek-R1 in every scenario",
    "Crusoe leads GPT-OSS-120B across all scenarios",
    "Oracle has the highest per-GPU result on Llama 2 70B Offline in any division",
    "CoreWeave has the best B200 result on DeepSeek-R1 Offline across all divisions",
    "Cisco: best Llama 3.1 8B Server throughput across all models",
    "VibeHPC's Whisper result is the highest of all benchmarks",
    "Cisco has the largest Llama 3.1 8B Server throughput of any workload",
    "GPT-OSS-120B on CoreWeave's GB300 NVL72: 16,635 tokens/s/GPU offline and 16,635 tokens/s/GPU server",
    "The first liquid-cooled MI350P results in MLPerf Inference",
    "Only NVIDIA used SGLang on DeepSeek-R1",
    "AMD's pair of MI355X reached 121,818 tokens/s on GPT-OSS-120B Offline",
    "AMD, 8x MI355X, GPT-OSS-120B-chat Offline: 121,818 tokens/s",
    "AMD, 8x MI355X, GPT-OSS-120B Offline out of the box: 121,818 tokens/s",
    "AMD's eight MI355X GPUs each do 121,818 tokens/s on GPT-OSS-120B Offline",
    "AMD, 8x MI355X, GPT-OSS-120B Offline: 121,818 tokens/s on all platforms",
    "AMD 8 卡 MI355X 在 GPT-OSS-120B 离线场景提升至 121,818 tokens/s",
    "AMD 8 卡 MI355X 在 GPT-OSS-120B 离线场景达到每秒每秒 121,818 个 token",
    "NVIDIA 四个 GB300 NVL72 机柜在 DeepSeek-R1 离线场景各达到 2,705,130 tokens/s",
    "CoreWeave's GB300 NVL72 is exactly 1.31x its GB200 NVL72 on GPT-OSS-120B Offline",
    "CoreWeave has the highest of 12 results on GPT-OSS-120B Offline with GB300 NVL72",
    "CoreWeave has the highest GPT-OSS-120B Offline result of 5 submitters with GB300 NVL72",
    "CoreWeave has the highest GPT-OSS-120B Offline GB300 NVL72 result in every round",
    "CoreWeave submitted all benchmarks with GB300 NVL72",
    "Vera Rubin NVL72 results are listed as Preview in every round",
)


def verdict(text: str) -> Verdict:
    (found,) = check(text, load_results(), round="inference-v6.1")
    return found


@pytest.mark.parametrize("name", NO_SUCH_BENCHMARK)
def test_another_model_than_the_benchmarks_is_never_dropped(name: str) -> None:
    assert verdict(CLAIM.format(name)).outcome is Outcome.UNVERIFIABLE


@pytest.mark.parametrize("more", UNTOLD)
def test_what_the_columns_do_not_tell_decides_nothing(more: str) -> None:
    assert verdict(RIGHT.format(more)).outcome is Outcome.UNVERIFIABLE


@pytest.mark.parametrize("text", TRUE)
def test_small_words_that_hold_pass(text: str) -> None:
    assert verdict(text).outcome is Outcome.PASS


@pytest.mark.parametrize("text", UNTRUE)
def test_small_words_that_do_not_hold_never_pass(text: str) -> None:
    assert verdict(text).outcome is not Outcome.PASS
