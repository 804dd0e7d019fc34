"""Every spelling that is met in claims resolves; near misses resolve to nothing, and the right name is suggested."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.vocabulary import load_vocabulary

V = load_vocabulary()

LLAMA2 = ("llama2-70b-99", "llama2-70b-99.9")


@pytest.mark.parametrize(
    ("spellings", "ids"),
    [
        (
            [
                "DeepSeek-R1",
                "DeepSeek R1",
                "Deepseek R1",
                "DeepSeekR1",
                "DeepSeek\u2010R1",
                "DeepSeek\u2011R1",
                "DeepSeek\u2012R1",
                "DeepSeek-R1-671B",
                "DeepSeek-R1 (671B)",
            ],
            ("deepseek-r1",),
        ),
        (
            [
                "GPT-OSS-120B",
                "GPT-OSS 120B",
                "gpt-oss-120b",
                "gpt-oss",
                "OpenAI's GPT-OSS-120B",
                "openai/gpt-oss-120b",
                "OpenAI’s gpt-oss-120b",
            ],
            ("gpt-oss-120b",),
        ),
        (
            [
                "Llama 2 70B",
                "Llama2 70B",
                "Llama2-70B",
                "LLaMA2-70B",
                "Llama-2-70B",
                "Meta's Llama 2 70B",
                "Llama-2-70b-chat-hf",
            ],
            LLAMA2,
        ),
        (["llama2-70b-99", "Llama 2 70B 99%"], ("llama2-70b-99",)),
        (["llama2-70b-99.9", "Llama 2 70B 99.9%", "Llama2-70B (99.9%)"], ("llama2-70b-99.9",)),
        (["Llama 3.1 405B", "Llama-3.1-405B", "Llama 405B", "llama3_1-405b", "llama3.1-405b"], ("llama3.1-405b",)),
        (
            [
                "Llama 3.1 8B",
                "Llama3.1-8B",
                "meta-llama/Llama-3.1-8B",
                "llama3_1-8b",
                "meta-llama/Llama-3.1-8B-Instruct",
            ],
            ("llama3.1-8b",),
        ),
        (["llama3.1-8b-edge", "Llama 3.1 8B Edge"], ("llama3.1-8b-edge",)),
        (
            [
                "Qwen3-VL",
                "Qwen3-VL-235B",
                "Qwen3-VL-235B-A22B",
                "VLM",
                "vision-language model",
                "qwen3-vl-235b-a22b",
                "Alibaba's Qwen3-VL",
                "视觉语言模型",
            ],
            ("qwen3-vl-235b-a22b",),
        ),
        (
            ["Wan 2.2", "WAN-2.2-T2V-A14B", "text-to-video", "text_to_video", "文生视频", "wan-2.2-t2v-a14b"],
            ("wan-2.2-t2v-a14b",),
        ),
        (["DLRMv3", "DLRM-v3", "dlrm-v3"], ("dlrm-v3",)),
        (["DLRM-DCNv2", "DLRMv2", "DLRM-v2", "DLRM v2"], ("dlrm-v2-99", "dlrm-v2-99.9")),
        (["Stable Diffusion XL", "SDXL", "stable-diffusion-xl"], ("stable-diffusion-xl",)),
        (["Whisper", "Whisper Large V3", "Whisper (Large V3)", "whisper"], ("whisper",)),
        (["R-GAT", "RGAT", "rgat"], ("rgat",)),
        (["Mixtral 8x7B", "Mixtral-8x7B", "mixtral-8x7b"], ("mixtral-8x7b",)),
        (["ResNet-50", "ResNet50", "resnet"], ("resnet",)),
        (["Qwen3.6-27B", "agentic edge", "edge-agentic"], ("qwen3.6-27b",)),
        (["3D U-Net", "3D-UNet"], ("3d-unet-99", "3d-unet-99.9")),
        (["BERT-large", "BERT"], ("bert-99", "bert-99.9")),
        (["RetinaNet"], ("retinanet",)),
        (["GPT-J 6B", "GPT-J", "GPTJ"], ("gptj-99", "gptj-99.9")),
        (["YOLO11", "YOLO11l", "YOLOv11"], ("yolo-95", "yolo-99")),
        (["PointPainting"], ("pointpainting",)),
        (["E2E RAG", "end-to-end RAG"], ("e2e-rag-qna", "e2e-rag-db")),
        (["end to end question-answering"], ("e2e-rag-qna",)),
        (["end to end vector-database"], ("e2e-rag-db",)),
        (["GPT-OSS-20B", "FLUX.1", "Llama 2 70B LoRA", "DeepSeek-V3", "Llama 3.1 70B"], ()),
    ],
)
def test_model_spellings(spellings: list[str], ids: tuple[str, ...]) -> None:
    for spelling in spellings:
        model = V.find_model(spelling)
        assert model is not None, spelling
        assert model.ids == ids, spelling


@pytest.mark.parametrize(
    ("misprint", "meant"),
    [
        ("Llama 270B", "Llama 2 70B"),
        ("Llama 3.1 403B", "Llama 3.1 405B"),
        ("Llama 3.1 40B", "Llama 3.1 405B"),
        ("DeepSick-R1", "DeepSeek-R1"),
        ("GPT-OOS-120B", "GPT-OSS-120B"),
    ],
)
def test_a_misprint_is_never_guessed_but_suggested(misprint: str, meant: str) -> None:
    assert V.find_model(misprint) is None
    assert meant in V.suggest("model", misprint)


@pytest.mark.parametrize("text", ["Llama", "Qwen3", "DeepSeek", "Llama 2", "GPT", "", "Qwen", "GPT-OSS-12B", "70B"])
def test_a_name_that_fits_several_models_is_none_of_them(text: str) -> None:
    assert V.find_model(text) is None


def test_near_models_stay_apart() -> None:
    assert V.find_model("Qwen3-VL") is not V.find_model("Qwen3.6-27B")
    assert V.find_model("Llama 2 70B") is not V.find_model("Llama 3.1 70B")
    assert V.find_model("GPT-OSS-20B") is not V.find_model("GPT-OSS-120B")
    assert V.find_model("Llama 2 70B LoRA") is not V.find_model("Llama 2 70B")


def test_a_models_name_hides_no_scenario() -> None:
    # "Llama 2 70B Interactive" is a model and a scenario; the ids of v5.0 are found by their own spellings only.
    assert V.find_model("Llama 2 70B Interactive") is None
    assert V.find_model("llama2-70b-interactive") is None
    found = V.find_model("llama2-70b-interactive-99.9")
    assert found is not None
    assert found.ids == ("llama2-70b-interactive-99", "llama2-70b-interactive-99.9")


def test_models_of_other_suites_say_so() -> None:
    assert V.models["gpt-oss-20b"].suites == ("training",)
    assert V.models["llama3.1-8b"].suites == ("inference", "training", "endpoints")


@pytest.mark.parametrize(
    ("model", "rounds"),
    [
        ("gpt-oss-120b", {"6.0", "6.1"}),
        ("llama2-70b-99", {"4.0", "4.1", "5.0", "5.1", "6.0"}),
        ("deepseek-r1", {"5.1", "6.0", "6.1"}),
        ("llama3.1-405b", {"5.0", "5.1", "6.0"}),
        ("qwen3.6-27b", {"6.1"}),
    ],
)
def test_availability_by_round(model: str, rounds: set[str]) -> None:
    assert set(V.models[model].rounds) == rounds
    assert V.models[model].available(f"inference-v{max(rounds)}")
    assert not V.models[model].available("inference-v9.9")


def test_availability_by_suite() -> None:
    assert V.models["llama3.1-8b"].available("6.1", "edge")
    assert not V.models["deepseek-r1"].available("6.1", "edge")
    assert V.models["resnet"].available("4.1", "datacenter")
    assert not V.models["resnet"].available("5.1", "datacenter")


HARDWARE = [
    ("gb300-nvl72", ["GB300 NVL72", "GB300-NVL72", "GB300NVL72", "NVIDIA GB300 NVL72", "英伟达 GB300 NVL72"]),
    ("gb300", ["GB300", "NVIDIA GB300", "GB300s"]),
    ("blackwell-ultra", ["Blackwell Ultra", "NVIDIA Blackwell Ultra", "Blackwell Ultra GPUs"]),
    ("b300", ["B300", "B300-SXM-270GB", "B300s"]),
    ("hgx-b300", ["HGX B300", "NVIDIA HGX B300"]),
    ("dgx-b300", ["DGX B300"]),
    ("gb200-nvl72", ["GB200 NVL72", "GB200-NVL72"]),
    ("b200", ["B200", "B200 SXM", "B200s", "NVIDIA B200s"]),
    ("hgx-b200", ["HGX B200"]),
    ("dgx-b200", ["DGX B200"]),
    ("h200-nvl", ["H200-NVL", "H200 NVL"]),
    ("h200", ["H200"]),
    ("h100-sxm", ["H100 SXM5", "H100 SXM"]),
    ("hopper", ["Hopper", "Hopper GPUs"]),
    ("blackwell", ["Blackwell"]),
    ("vera-rubin-nvl72", ["Vera Rubin NVL72", "VR200 NVL72", "VR NVL72"]),
    ("vr200", ["VR", "VR200", "Vera Rubin"]),
    ("rubin", ["Rubin"]),
    ("mi355x", ["MI355X", "AMD Instinct MI355X", "AMD MI355X", "Instinct MI355X", "MI355Xs"]),
    ("mi325x", ["MI325X"]),
    ("mi300x", ["MI300X"]),
    ("mi350x", ["MI350X"]),
    ("mi350p", ["MI350P"]),
    ("instinct", ["Instinct", "AMD Instinct", "Instinct GPUs"]),
    ("arc-pro-b60", ["Arc Pro B60", "Intel Arc Pro B60", "Intel® Arc™ Pro B60"]),
    ("arc-pro-b70", ["Arc Pro B70"]),
    ("xeon-6", ["Xeon 6", "Intel Xeon 6", "Granite Rapids", "Intel® Xeon® 6", "至强 6"]),
    ("tpu-v5e", ["TPU v5e"]),
    ("tpu-v6e", ["TPU v6e", "TPU v6", "Trillium"]),
    ("jetson-thor", ["Jetson Thor", "Jetson AGX Thor"]),
    ("jetson-orin", ["Jetson AGX Orin"]),
    ("rtx-pro-6000", ["RTX PRO 6000", "RTX PRO 6000 Blackwell Server Edition"]),
    ("rtx-4090", ["RTX 4090", "GeForce RTX 4090"]),
    ("l40s", ["L40S", "L40s"]),
    ("l4", ["L4"]),
    ("dgx-spark", ["DGX Spark"]),
    ("gb10", ["GB10"]),
    ("speedai240", ["speedAI240", "UntetherAI speedAI240"]),
    ("nvl72", ["NVL72"]),
    ("hgx", ["HGX"]),
    ("dgx", ["DGX"]),
    ("a100", ["A100", "A100 SXM"]),
]


@pytest.mark.parametrize(("hardware_id", "spellings"), HARDWARE)
def test_hardware_spellings(hardware_id: str, spellings: list[str]) -> None:
    for spelling in spellings:
        found = V.find_hardware(spelling)
        assert found is not None, spelling
        assert found.id == hardware_id, spelling


@pytest.mark.parametrize("text", ["GB400", "B20", "MI35X", "H10", "GB30 NVL72", "GPU", "200"])
def test_unknown_hardware(text: str) -> None:
    assert V.find_hardware(text) is None


SUBMITTERS = [
    ("lambda", ["Lambda", "Lambda Labs"]),
    ("asus", ["ASUS", "Asustek", "ASUSTeK", "华硕"]),
    ("gigacomputing", ["Giga Computing", "GIGABYTE", "GigaComputing", "技嘉"]),
    ("quanta", ["QCT", "Quanta_Cloud_Technology", "Quanta Cloud Technology", "Quanta"]),
    ("oracle", ["OCI", "Oracle", "ORACLE", "甲骨文"]),
    ("netweb", ["Netweb", "Netweb_technologies"]),
    ("redhat", ["Red Hat", "RedHat", "红帽"]),
    ("hpe", ["Hewlett Packard Enterprise", "HPE"]),
    ("azure", ["Microsoft Azure", "Azure", "Microsoft", "微软"]),
    ("nvidia", ["NVIDIA", "Nvidia", "英伟达"]),
    ("dell", ["Dell", "Dell Technologies", "戴尔"]),
    ("lenovo", ["Lenovo", "联想"]),
    ("inspur", ["浪潮"]),
    ("supermicro", ["Supermicro", "超微"]),
    ("cisco", ["思科"]),
    ("google", ["谷歌", "Google Cloud"]),
    ("fujitsu", ["富士通"]),
    ("intel", ["英特尔"]),
    ("the-stage", ["The_Stage", "TheStage AI"]),
    ("sustainable-metal-cloud", ["Sustainable_Metal_Cloud", "Sustainable Metal Cloud"]),
    ("juniper", ["Juniper", "JuniperNetworks"]),
    ("gateoverflow", ["GATEOverflow", "GATE Overflow"]),
    ("coreweave", ["CoreWeave", "coreweave"]),
]


@pytest.mark.parametrize(("submitter", "spellings"), SUBMITTERS)
def test_submitter_spellings(submitter: str, spellings: list[str]) -> None:
    for spelling in spellings:
        found = V.find_submitter(spelling)
        assert found is not None, spelling
        assert found.id == submitter, spelling


@pytest.mark.parametrize(
    ("unit", "spellings"),
    [
        (
            "tokens/s",
            [
                "tokens/s",
                "tokens/sec",
                "tok/s",
                "tok/sec",
                "TPS",
                "tokens per second",
                "output tokens a second",
                "completed tokens per second",
                "每秒 token",
                "tokens-per-second",
                "tokens/second",
            ],
        ),
        ("samples/s", ["samples/s", "samples/sec", "Samples/Second", "samples per second", "样本/秒"]),
        ("queries/s", ["queries/s", "queries/sec", "QPS", "queries per second", "查询/秒"]),
        ("tasks/s", ["Tasks/s"]),
        ("s", ["s", "secs", "seconds", "秒"]),
        ("ms", ["ms", "milliseconds", "毫秒"]),
        ("min", ["minutes", "min", "分"]),
        ("tokens/s/user", ["TPS/user", "tokens/s/user"]),
        ("W", ["W", "watts"]),
    ],
)
def test_unit_spellings(unit: str, spellings: list[str]) -> None:
    for spelling in spellings:
        found = V.find_unit(spelling)
        assert found is not None, spelling
        assert found.id == unit, spelling


@pytest.mark.parametrize(
    ("divisor", "spellings"),
    [
        ("accelerator", ["GPU", "GPUs", "accelerator", "chip", "card", "TPU", "卡", "块 GPU"]),
        ("node", ["node", "server", "tray", "节点"]),
        ("system", ["system", "rack", "系统"]),
        ("watt", ["watt"]),
        ("user", ["user"]),
    ],
)
def test_divisors(divisor: str, spellings: list[str]) -> None:
    for spelling in spellings:
        assert V.find_divisor(spelling) == divisor, spelling


@pytest.mark.parametrize(
    ("scenario", "spellings"),
    [
        ("Offline", ["Offline", "offline mode", "离线", "離線"]),
        ("Server", ["Server", "server scenario", "服务器"]),
        ("Interactive", ["Interactive", "交互"]),
        ("SingleStream", ["Single Stream", "SingleStream", "single-stream", "singlestream"]),
        ("MultiStream", ["MultiStream", "multi-stream", "multistream"]),
    ],
)
def test_scenarios(scenario: str, spellings: list[str]) -> None:
    for spelling in spellings:
        assert V.find_scenario(spelling) == scenario, spelling


@pytest.mark.parametrize(
    ("text", "suite"), [("MLPerf Inference", "inference"), ("MLPerf® Training", "training"), ("Endpoints", "endpoints")]
)
def test_suites(text: str, suite: str) -> None:
    found = V.find_suite(text)
    assert found is not None
    assert found.id == suite


def test_what_implies_a_suite() -> None:
    assert V.implied_suites(unit="min") == ("training",)
    assert V.implied_suites(model="llama3.1-8b", unit="min") == ("training",)
    assert V.implied_suites(model="llama3.1-8b", scenario="Server") == ("inference",)
    assert V.implied_suites() == ()


def test_phrases_hold_every_kind_and_a_name_of_two_kinds_twice() -> None:
    phrases = list(V.phrases())
    assert {k for k, _, _ in phrases} == {"model", "hardware", "submitter", "group", "unit", "divisor", "suite"}
    assert {k for k, _, s in phrases if s.lower() == "tpu"} == {"hardware", "divisor"}
    assert all(s.strip() for _, _, s in phrases)


def test_suggestions_over_all_kinds() -> None:
    assert "CoreWeave" in V.suggest(None, "CoreWaeve")
    assert V.suggest(None, "zzzzqqqq") == ()
    assert V.suggest(None, "") == ()
    assert len(V.suggest(None, "GB", limit=2)) <= 2
    assert "tokens/s" in V.suggest("unit", "tokns/s")
