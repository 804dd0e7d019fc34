"""A row with the attributes that the vocabulary looks at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FakeRow:
    accelerator: str = ""
    system: str = ""
    platform: str = ""
    processor: str = ""
    accelerators: int | None = 8
    nodes: int | None = 1
    submitter: str = "NVIDIA"


GB300_RACK = FakeRow(
    "NVIDIA GB300", "CoreWeave GB300 NVL72 (72x GB300-288GB_aarch64)", "GB300-NVL72_x72_TRT", "NVIDIA Grace", 72, 18
)
GB300_TRAY = FakeRow("NVIDIA GB300", "DLB2-CB3", "DLB2-CB3_GB300-288GB_aarch64x4_TRT", "NVIDIA Grace CPU", 4, 1)
GB200_RACK = FakeRow(
    "NVIDIA GB200", "NVIDIA GB200 NVL72 (72x GB200-186GB_aarch64)", "GB200-NVL72_x72", "NVIDIA Grace CPU", 72, 18
)
GB200_NVL4 = FakeRow(
    "NVIDIA GB200", "NVIDIA GB200 NVL4 (4x GB200-192GB_aarch64)", "GB200-NVL4_x4", "NVIDIA Grace CPU", 4, 1
)
B200 = FakeRow(
    "NVIDIA B200-SXM-180GB",
    "NVIDIA DGX B200 (8x B200\u2011SXM\u2011180GB, TensorRT)",
    "B200-SXM-180GBx8_TRT",
    "Intel(R) Xeon(R) Platinum 8570",
)
B300 = FakeRow(
    "Nvidia B300-SXM-270GB", "Dell XE9780 (8x B300-SXM-270GB)", "XE9780-B300-SXM-270GBx8_TRT", "Intel(R) Xeon(R) 6747P"
)
H100 = FakeRow(
    "NVIDIA H100-SXM-80GB", "NVIDIA DGX H100", "DGX-H100_H100-SXM-80GBx8_TRT", "Intel(R) Xeon(R) Platinum 8480C"
)
H100_PCIE = FakeRow(
    "NVIDIA H100-PCIe-80GB", "R760xa", "R760xa_H100_PCIe_80GBx4_TRT", "Intel(R) Xeon(R) Platinum 8480+", 4
)
H200_NVL = FakeRow("NVIDIA H200-NVL-141GB", "UCS C845A M8", "C845A_H200_NVLx8_TRT", "AMD EPYC 9575F")
GH200 = FakeRow(
    "NVIDIA GH200 Grace Hopper Superchip 144GB", "NVIDIA GH200 NVL2 Platform", "GH200x1", "NVIDIA Grace CPU", 1
)
VR = FakeRow(
    "NVIDIA Vera Rubin", "NVIDIA Vera Rubin NVL72 (72x VR-288GB_aarch64)", "VR-NVL72_x72_TRT", "NVIDIA Vera CPU", 72, 18
)
VR200 = FakeRow(
    "NVIDIA VR200", "Nebius VR200 NVL72 (36x VR200-288GB_aarch64)", "VR200-NVL72_aarch64x36", "NVIDIA Vera CPU", 36, 9
)
MI300X = FakeRow("AMD Instinct MI300X 192GB HBM3", "AS-8125GS", "8xMI300X_2xEPYC_9575F", "AMD EPYC 9575F")
MI350X = FakeRow("AMD Instinct MI350X 288GB HBM3e", "UCS", "Cisco_UCS_8xMI350x", "AMD EPYC 9575F")
MI350P = FakeRow("AMD Instinct MI350P", "XE7745_8xMI350P_2xEPYC_9455", "XE7745", "AMD EPYC 9455")
MI355X = FakeRow(
    "AMD Instinct MI355X 288GB HBM3e (x87)",
    "AMD MI355X Custom Cluster",
    "87xMI355X_22xEPYC_9575F",
    "AMD EPYC 9575F",
    87,
    11,
    "AMD",
)
L40S = FakeRow("NVIDIA L40S", "XE7740", "XE7740_L40S_PCIe_48GBx8_TRT", "Intel Xeon 6787P")
L4 = FakeRow("NVIDIA L4-PCIe-24GB", "R470", "R470-L4-PCIE-24GBx2_TRT", "Intel(R) Xeon(R) 6787P", 2)
XEON = FakeRow("", "1-node-2S-GNR_86C", "1-node-2S-GNR_86C", "INTEL(R) XEON(R) 6787P", 0, 1, "Intel")
XEON_NA = FakeRow("N/A", "1-node-2S-EMR", "1-node-2S-EMR-PyTorch", "INTEL(R) XEON(R) PLATINUM 8592+", None, 1, "Intel")
I9_NAMED_4090 = FakeRow(
    "", "GATE Overflow Intel SPR i9", "GATEOverflow_RTX4090x1-reference-cpu", "13th Gen Intel(R) Core(TM) i9-13900K", 0
)
MIXED = FakeRow(
    "NVIDIA H200-SXM-141GB + AMD Instinct MI350X 288GB HBM3e",
    "Cisco UCS H200 x8 + MI350X x8",
    "Cisco_UCS_H200x8_MI350Xx8",
    "AMD EPYC",
    16,
    2,
    "Cisco",
)
