"""Groups: the claim file's own wins; peer groups go by parties, architecture groups by hardware and counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mlperf_claimcheck.vocabulary import load_vocabulary

from . import rows as r

V = load_vocabulary()


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("cloud providers", "cloud-providers"),
        ("cloud provider", "cloud-providers"),
        ("the cloud service providers", "cloud-providers"),
        ("云厂商", "cloud-providers"),
        ("云服务商", "cloud-providers"),
        ("云服务提供商", "cloud-providers"),
        ("OEMs", "server-makers"),
        ("server vendor", "server-makers"),
        ("hyperscaler", "hyperscalers"),
        ("NVIDIA-based systems", "nvidia-based"),
        ("NVIDIA platform", "nvidia-based"),
        ("systems based on the NVIDIA platform", "nvidia-based"),
        ("AMD-based", "amd-based"),
        ("CPU-only", "cpu-only"),
        ("rack-scale configurations", "rack-scale"),
        ("rack-scale", "rack-scale"),
        ("HGX submissions", "hgx-systems"),
        ("Hopper-based system", "hopper-based"),
        ("single-node", "single-node"),
        ("multi node", "multi-node"),
    ],
)
def test_group_spellings(text: str, group: str) -> None:
    found = V.find_group(text)
    assert found is not None
    assert found.id == group


def test_unknown_group() -> None:
    assert V.find_group("Scandinavian bakers") is None
    assert not V.group_known("Scandinavian bakers", {})
    assert not V.group_matches("Scandinavian bakers", r.B200, {})


@pytest.mark.parametrize(
    ("group", "submitter", "within"),
    [
        ("cloud-providers", "CoreWeave", True),
        ("cloud-providers", "ORACLE", True),
        ("cloud-providers", "Lambda_SIT", True),
        ("cloud-providers", "HPE", False),
        ("cloud-providers", "NVIDIA", False),
        ("server-makers", "Dell_MangoBoost", True),
        ("server-makers", "Quanta_Cloud_Technology", True),
        ("server-makers", "CoreWeave", False),
    ],
)
def test_peer_groups(group: str, submitter: str, within: bool) -> None:
    assert V.group_matches(group, replace(r.B200, submitter=submitter), {}) is within


@pytest.mark.parametrize("name", ["cloud providers", "Cloud Provider", "cloud service providers", "CSPs"])
def test_the_claim_files_group_wins(name: str) -> None:
    own = {name: ("hpe",)}
    assert V.group_matches("cloud-providers", replace(r.B200, submitter="HPE"), own)
    assert not V.group_matches("cloud-providers", replace(r.B200, submitter="CoreWeave"), own)


def test_a_group_of_the_claim_file_alone() -> None:
    own = {"nordic clouds": ("Nebius", "some newcomer")}
    assert V.group_known("Nordic cloud", own)
    assert V.group_matches("nordic clouds", replace(r.B200, submitter="Nebius"), own)
    assert V.group_matches("nordic clouds", replace(r.B200, submitter="Some_Newcomer"), own)
    assert not V.group_matches("nordic clouds", replace(r.B200, submitter="CoreWeave"), own)


@pytest.mark.parametrize(
    ("group", "row", "within"),
    [
        ("nvidia-based", r.B200, True),
        ("nvidia-based", r.MI355X, False),
        ("nvidia-based", r.XEON, False),
        ("nvidia-based", r.MIXED, True),
        ("amd-based", r.MI355X, True),
        ("intel-based", r.XEON, True),
        ("intel-based", r.B200, False),
        ("cpu-only", r.XEON, True),
        ("cpu-only", r.B200, False),
        ("rack-scale", r.GB300_RACK, True),
        ("rack-scale", r.VR200, True),
        ("rack-scale", r.GB200_NVL4, False),
        ("rack-scale", r.MI355X, False),
        ("hgx-systems", r.B200, True),
        ("hgx-systems", r.GB200_RACK, False),
        ("hgx-systems", r.MI355X, False),
        ("blackwell-based", r.GB300_RACK, True),
        ("blackwell-ultra-based", r.B200, False),
        ("single-node", r.B200, True),
        ("single-node", r.GB300_RACK, False),
        ("multi-node", r.GB300_RACK, True),
        ("multi-node", replace(r.B200, nodes=None), False),
        ("eight-gpu", r.B200, True),
        ("eight-gpu", r.GB300_RACK, False),
    ],
)
def test_architecture_groups(group: str, row: r.FakeRow, within: bool) -> None:
    assert V.group_matches(group, row, {}) is within


def test_peer_groups_state_reason_and_date() -> None:
    for group in V.groups.values():
        if group.kind == "peer":
            assert group.date
            assert group.members
            assert all(group.members.values())
