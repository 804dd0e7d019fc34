"""Figures of published rows: hand-built assertions against the bundled table."""

from __future__ import annotations

import pytest
from asserting import bundled_context, chosen, codes, told, value

from mlperf_claimcheck.checks.dispatch import check
from mlperf_claimcheck.claims.assertion import Per, ValueAssertion
from mlperf_claimcheck.metrics.number import Relation

GPU, WATT = Per.ACCELERATOR, Per.WATT
OVER, ABOUT, UP_TO = Relation.OVER, Relation.ABOUT, Relation.UP_TO
CW = {"submitters": "CoreWeave", "division": "closed", "availability": "available", "suite": "datacenter"}
GB3, GB2 = {**CW, "hardware": "GB300 NVL72"}, {**CW, "hardware": "GB200 NVL72"}
NV, AMD = {"submitters": "NVIDIA"}, {"submitters": "AMD"}
M355 = {**AMD, "hardware": "MI355X"}
MATCH, DIFFERS = ("pass", "value-matches"), ("fail", "value-differs")

CASES = {
    "oss-offline-gpu": (value(chosen("6.1", "oss", "Offline", **GB3), "16,635", per=GPU), MATCH, {"derived-metric"}),
    "oss-server-gpu": (value(chosen("6.1", "oss", "Server", **GB3), "16,118", per=GPU), MATCH, {"derived-metric"}),
    "oss-total": (
        value(chosen("6.1", "oss", "Server", **GB3, accelerators=72, whole_rack=True), "1.16M", relation=OVER),
        MATCH,
        {"whole-rack-assumed"},
    ),
    "oss-gb200": (value(chosen("6.1", "oss", "Server", **GB2), "901,058"), MATCH, set()),
    "vlm-server": (value(chosen("6.1", "vlm", "Server", **GB3), "1,196", "queries/s"), MATCH, set()),
    "vlm-offline": (value(chosen("6.1", "vlm", "Offline", **GB3), "1,135", "samples/s"), MATCH, set()),
    "llama-server": (value(chosen("6.1", "llama", "Server", **GB3), "944,902"), MATCH, set()),
    "llama-offline": (value(chosen("6.1", "llama", "Offline", **GB3), "1,136,100"), MATCH, set()),
    "wrong-owner": (
        value(chosen("6.1", "oss", "Offline", **{**GB3, "submitters": "Nebius"}), "16,635", per=GPU),
        ("fail", "belongs-to-other"),
        {"derived-metric"},
    ),
    "wrong-value": (value(chosen("6.1", "oss", "Offline", **GB3), "16,653", per=GPU), DIFFERS, set()),
    "wrong-scenario": (value(chosen("6.1", "oss", "Server", **GB3), "16,635", per=GPU), DIFFERS, set()),
    "wrong-hardware": (value(chosen("6.1", "oss", "Offline", **GB2), "16,635", per=GPU), DIFFERS, set()),
    "no-such": (
        value(chosen("6.1", "Whisper", "Offline", **CW), "52,222", "samples/s"),
        ("fail", "belongs-to-other"),
        set(),
    ),
    "no-such-anywhere": (
        value(chosen("6.1", "Whisper", "Offline", **CW), "52,999", "samples/s"),
        ("fail", "no-such-result"),
        set(),
    ),
    "c1": (value(chosen("4.1", "llama", "Offline", **NV, hardware="DGX H100"), "24,525"), MATCH, set()),
    "c1-gpu": (value(chosen("4.1", "llama", "Offline", **NV, hardware="DGX H100"), "3,066", per=GPU), MATCH, set()),
    "c2": (
        value(chosen("4.1", "llama", None, hardware="A100 SXM", accelerators=8), "32.1", "samples/s"),
        ("unverifiable", "name-not-in-round"),
        set(),
    ),
    "c3": (
        value(chosen("6.1", "r1", "Interactive", **NV, hardware="Vera Rubin NVL72"), "652,750"),
        MATCH,
        {"preview-result"},
    ),
    "c6": (
        value(chosen("6.1", "oss", "Server", hardware="B200", accelerators=8, nodes=1), "89,856.3"),
        MATCH,
        {"submitter-not-named"},
    ),
    "c7": (value(chosen("7.0", "Llama 3.1 8B"), "11.59", "min"), ("unverifiable", "round-not-held"), set()),
    "c9": (
        value(
            chosen("6.1", "r1", "Offline", submitters="Nebius", hardware="Vera Rubin NVL72", accelerators=36), "558,803"
        ),
        MATCH,
        {"partial-system"},
    ),
    "b1": (value(chosen("5.1", "r1", "Server", **NV, hardware="GB300 NVL72"), "2,907", per=GPU), MATCH, set()),
    "b2": (value(chosen("5.1", "r1", "Offline", **NV, hardware="GB300 NVL72"), "5,842", per=GPU), MATCH, set()),
    "b2-half": (value(chosen("5.1", "r1", "Offline", **NV, hardware="GB300 NVL72"), "5,843", per=GPU), DIFFERS, set()),
    "b5": (
        value(chosen("5.1", "r1", "Offline", **NV, hardware="GB300", accelerators=72), "420k", relation=ABOUT),
        MATCH,
        set(),
    ),
    "b6": (
        value(
            chosen("5.1", "Whisper", None, **NV, hardware="B200", accelerators=8),
            "45k",
            "samples/s",
            relation=ABOUT,
            up_to=True,
        ),
        MATCH,
        {"scenario-not-named", "unit-label-conflict"},
    ),
    "b7": (
        value(
            chosen("5.1", "Stable Diffusion XL", "Offline", submitters="Lambda", hardware="B200", accelerators=8),
            "33",
            "queries/s",
        ),
        ("fail", "wrong-unit"),
        set(),
    ),
    "b8": (
        value(chosen("5.1", "Llama 3.1 8B", "Server", submitters="Red Hat", hardware="H100", accelerators=1), "5103"),
        MATCH,
        {"truncated"},
    ),
    "b9": (
        value(chosen("5.1", "llama", "Offline", **AMD, hardware="MI325X"), "34,520.4", "samples/s"),
        ("fail", "wrong-unit"),
        set(),
    ),
    "b11": (
        value(
            chosen("5.1", "llama", "Offline", submitters="Lenovo", hardware="B200", accelerators=8), "9.89", per=WATT
        ),
        MATCH,
        {"derived-metric", "power-measured"},
    ),
    "b12": (
        value(chosen("5.1", "llama", "Offline", **NV, hardware="B200", accelerators=8), "12.7", per=WATT),
        ("unverifiable", "power-not-measured"),
        set(),
    ),
    "a1": (value(chosen("6.0", "r1", "Offline", **NV), "2,494,310"), MATCH, set()),
    "a2": (value(chosen("6.0", "oss", "Offline", **NV), "1,046,150"), ("fail", "belongs-to-other"), set()),
    "a3": (value(chosen("6.0", "DLRMv3", "Server", **NV), "99,997", "queries/s"), MATCH, set()),
    "a4": (value(chosen("6.0", "WAN 2.2", "Offline", **NV, hardware="B300"), "0.059", "samples/s"), MATCH, set()),
    "a5": (
        value(chosen("6.0", "Llama 3.1 405B", "Server", hardware="GB300 NVL72"), "259", per=GPU),
        MATCH,
        {"submitter-not-named"},
    ),
    "a6": (
        value(chosen("6.0", "r1", "Server", hardware="GB300 NVL72"), "8,064", per=GPU),
        MATCH,
        {"partial-system", "submitter-not-named"},
    ),
    "a7": (
        value(chosen("6.0", "r1", "Server", hardware="GB300 NVL72", accelerators=72), "8,064", per=GPU),
        DIFFERS,
        set(),
    ),
    "a10": (
        value(chosen("6.0", "llama", "Offline", **M355, accelerators=87, nodes=11), "1,042,110"),
        MATCH,
        {"accelerator-count-conflict"},
    ),
    "a11": (
        value(chosen("6.0", "llama", "Server", **M355, accelerators=87), "1,016,375"),
        MATCH,
        {"finer-than-source"},
    ),
    "a12": (
        value(chosen("6.0", "llama", "Interactive", **AMD, accelerators=87), "1M", relation=OVER),
        DIFFERS,
        set(),
    ),
    "a13": (value(chosen("6.0", "oss", "Server", **M355, accelerators=94), "900,054"), MATCH, set()),
    "a14": (
        value(chosen("6.0", "llama", "Interactive", **M355, nodes=1, result_ids="6.0-0002"), "73,608"),
        MATCH,
        set(),
    ),
    "a15": (value(chosen("6.0", "llama", "Offline", **AMD, result_ids="6.0-0002"), "1,042,110"), DIFFERS, set()),
    "a16": (
        value(chosen("6.0", "oss", "Server", submitters="Lambda", hardware="GB300", accelerators=4), "53.4k"),
        MATCH,
        {"truncated"},
    ),
    "a17": (
        value(chosen("6.0", "Llama 3.1 8B", "Server", submitters="Lambda", hardware="B200", accelerators=8), "130.0k"),
        MATCH,
        set(),
    ),
    "a20": (value(chosen("6.0", "oss", "Server", **AMD), "1M", relation=OVER), DIFFERS, set()),
    "a21": (value(chosen("6.0", "llama", None, **M355, nodes=11), "1.04M"), MATCH, {"scenario-not-named"}),
    "inferred": (value(chosen(None, "oss", "Offline", **GB3), "1,197,710"), MATCH, {"round-inferred"}),
    "uninferred": (
        value(chosen(None, "oss", "Offline", **GB3), "1,197,720"),
        ("unverifiable", "round-not-stated"),
        set(),
    ),
    "per-user": (
        value(chosen("6.1", "oss", "Server", **GB3), "100", "tokens/s/user"),
        ("unverifiable", "quantity-not-published"),
        set(),
    ),
    "latency": (
        value(chosen("6.1", "oss", "Server", **GB3), "450", "ms"),
        ("unverifiable", "quantity-not-published"),
        set(),
    ),
    "no-id-in-6.1": (
        value(chosen("6.1", "oss", "Server", **GB3, result_ids="6.1-0001"), "1,160,490"),
        ("unverifiable", "name-not-in-round"),
        set(),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_claims_about_the_bundled_rounds(name: str) -> None:
    assertion, expected, caveats = CASES[name]
    assert isinstance(assertion, ValueAssertion)
    verdict = check(assertion, bundled_context())
    assert told(verdict) == expected, verdict.reason.message
    assert caveats <= codes(verdict), (verdict.reason, codes(verdict))


def test_the_arithmetic_is_written_out() -> None:
    verdict = check(CASES["oss-offline-gpu"][0], bundled_context())
    assert verdict.computed is not None
    assert verdict.computed.formula == "1,197,710 tokens/s ÷ 72 accelerators"
    assert verdict.computed.unit == "tokens/s/accelerator"
    assert verdict.claimed is not None
    assert verdict.claimed.precision == 1


def test_a_wrong_owner_is_told_whose_it_is() -> None:
    assert "Nebius" in check(CASES["a2"][0], bundled_context()).reason.message
    assert "CoreWeave" in check(CASES["wrong-owner"][0], bundled_context()).reason.message


def test_a_figure_that_stands_elsewhere_is_pointed_at() -> None:
    assert "6.0-0001" in check(CASES["a15"][0], bundled_context()).reason.message
    assert "Offline" in check(CASES["wrong-scenario"][0], bundled_context()).reason.message
