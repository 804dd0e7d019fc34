"""A published row is recognised by its names: as what it is, as its families, and as nothing else."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.vocabulary import load_vocabulary

from . import rows as r

V = load_vocabulary()


@pytest.mark.parametrize(
    ("row", "yes", "no"),
    [
        (
            r.GB300_RACK,
            "gb300 gb300-nvl72 nvl72 blackwell-ultra blackwell grace-blackwell",
            "b300 gb200 gb200-nvl72 hgx hopper cpu grace",
        ),
        (r.GB300_TRAY, "gb300 blackwell-ultra", "gb300-nvl72 nvl72"),
        (r.GB200_RACK, "gb200 gb200-nvl72 blackwell nvl72", "b200 gb300 blackwell-ultra hgx-b200"),
        (r.GB200_NVL4, "gb200 gb200-nvl4 nvl4", "gb200-nvl72 nvl72"),
        (r.B200, "b200 hgx-b200 dgx-b200 hgx dgx blackwell", "gb200 b300 blackwell-ultra xeon cpu"),
        (r.B300, "b300 hgx-b300 blackwell-ultra blackwell hgx", "gb300 b200 xeon-6"),
        (r.H100, "h100 h100-sxm dgx-h100 hgx-h100 hopper", "h200 gh200 h100-nvl h100-pcie"),
        (r.H100_PCIE, "h100 h100-pcie hopper", "h100-sxm hgx dgx hgx-h100"),
        (r.H200_NVL, "h200 h200-nvl hopper", "h200-sxm hgx h100 nvl72"),
        (r.GH200, "gh200 hopper", "h100 h200 gb200"),
        (r.VR, "vr200 vera-rubin-nvl72 rubin nvl72", "blackwell gb300 gb300-nvl72"),
        (r.VR200, "vr200 vera-rubin-nvl72 rubin nvl72", "blackwell"),
        (r.MI300X, "mi300x cdna3 instinct", "mi325x mi350x mi355x cdna4"),
        (r.MI350X, "mi350x cdna4 instinct", "mi355x mi350p mi300x"),
        (r.MI350P, "mi350p cdna4 instinct", "mi350x mi355x"),
        (r.MI355X, "mi355x cdna4 instinct", "mi350x mi350p mi325x"),
        (r.L40S, "l40s ada", "l4 l40"),
        (r.L4, "l4 ada", "l40s l40"),
        (r.XEON, "cpu xeon xeon-6 xeon-6787p", "xeon-5 xeon-6980p"),
        (r.XEON_NA, "cpu xeon xeon-5", "xeon-6"),
        (r.I9_NAMED_4090, "cpu intel-core", "rtx-4090 ada xeon"),
        (r.MIXED, "h200 mi350x hopper instinct", "mi355x h100"),
    ],
)
def test_rows(row: r.FakeRow, yes: str, no: str) -> None:
    found = V.classify(row)
    assert set(yes.split()) <= found
    assert not set(no.split()) & found
    assert all(V.hardware_matches(h, row) for h in yes.split())
    assert not any(V.hardware_matches(h, row) for h in no.split())


@pytest.mark.parametrize(
    ("product", "accelerators"),
    [
        ("gb300-nvl72", 72),
        ("gb200-nvl72", 72),
        ("vera-rubin-nvl72", 72),
        ("nvl72", 72),
        ("hgx-b200", 8),
        ("dgx-h100", 8),
        ("gb200-nvl4", 4),
        ("gb300", None),
        ("b200", None),
        ("mi355x", None),
    ],
)
def test_accelerators_of_one_product(product: str, accelerators: int | None) -> None:
    assert V.hardware[product].rack_size == accelerators


def test_vendors_of_a_row() -> None:
    assert V.vendors_of(r.B200) == {"nvidia"}
    assert V.vendors_of(r.MIXED) == {"nvidia", "amd"}
    assert V.vendors_of(r.XEON) == {"intel"}


def test_the_narrowest_of_nested_names() -> None:
    assert V.narrowest(["blackwell-ultra", "gb300-nvl72"]) == ("gb300-nvl72",)
    assert V.narrowest(["gb300", "b300"]) == ("gb300", "b300")
    assert V.hardware_within("gb300-nvl72", "blackwell")
    assert not V.hardware_within("blackwell", "gb300")


def test_hostile_names_do_no_harm() -> None:
    row = r.FakeRow("\x1b[31m<b>NVIDIA B200</b>\u202e" * 50, "=1+1", "", "")
    assert "b200" in V.classify(row)
    assert V.classify(r.FakeRow("unheard of chip")) == frozenset()
