"""A joint entry belongs to each of its parties; a plain name with underscores is one organization."""

from __future__ import annotations

import pytest

from mlperf_claimcheck.vocabulary import load_vocabulary

V = load_vocabulary()

V60 = """
AMD ASUSTeK Cisco CoreWeave Dell Dell_MangoBoost GATEOverflow GigaComputing Google HPE Intel Inventec Krai Lambda_SIT
Lenovo MangoBoost MiTAC NVIDIA Nebius Netweb_technologies ORACLE Quanta_Cloud_Technology RedHat Supermicro
Supermicro_RedHat
"""
V61 = """
AMD ASUSTeK Atlas_Inference Azure Cisco CoreWeave Crusoe Dell Dell_AMD Dell_MangoBoost Fujitsu GigaComputing Google HPE
Intel Inventec Krai Lambda MangoBoost MiTAC NVIDIA Naeem-Khoshnevis Nebius Oracle Orrick-Industries-LLC
Quanta_Cloud_Technology RedHat_Intel RedHat_Supermicro ScitiX Supermicro TTA VibeHPC Wiwynn
"""


@pytest.mark.parametrize(("published", "names", "organizations"), [(V60.split(), 25, 24), (V61.split(), 33, 30)])
def test_counts_of_organizations(published: list[str], names: int, organizations: int) -> None:
    assert len(published) == names
    assert len({p for name in published for p in V.parties(name)}) == organizations


@pytest.mark.parametrize(
    ("published", "parties"),
    [
        ("Dell_MangoBoost", ("dell", "mangoboost")),
        ("Supermicro_RedHat", ("supermicro", "redhat")),
        ("RedHat_Supermicro", ("redhat", "supermicro")),
        ("RedHat_Intel", ("redhat", "intel")),
        ("AMD_MangoBoost", ("amd", "mangoboost")),
        ("Broadcom_Supermicro", ("broadcom", "supermicro")),
        ("Intel_VMware", ("intel", "broadcom")),
        ("Lambda_SIT", ("lambda", "stevens")),
        ("Cisco_NVIDIA", ("cisco", "nvidia")),
        ("Dell + MangoBoost", ("dell", "mangoboost")),
    ],
)
def test_joint_entries(published: str, parties: tuple[str, ...]) -> None:
    assert V.parties(published) == parties
    assert V.is_joint(published)
    assert tuple(s.id for s in V.find_submitters(published)) == parties
    assert V.find_submitter(published) is None


@pytest.mark.parametrize(
    "published",
    [
        "Quanta_Cloud_Technology",
        "The_Stage",
        "Sustainable_Metal_Cloud",
        "Netweb_technologies",
        "Atlas_Inference",
        "University-of-Florida",
        "Lambda",
        "Orrick Industries LLC",
        "ORACLE",
    ],
)
def test_plain_names_are_one_organization(published: str) -> None:
    assert not V.is_joint(published)
    assert V.parties(published)[0] in V.submitters


def test_two_spellings_of_one_organization_are_one() -> None:
    assert V.parties("ORACLE") == V.parties("Oracle") == ("oracle",)


def test_an_unknown_name_is_one_organization_with_an_id_of_its_own() -> None:
    assert V.parties("Brand_New_Cloud") == ("brand-new-cloud",)
    assert V.submitter_display("brand-new-cloud") == "Brand New Cloud"
    # One known piece does not make it joint.
    assert V.parties("Dell_Newcomer") == ("dell-newcomer",)
    assert V.find_submitters("Nobody Known") == ()


def test_display() -> None:
    assert V.submitter_display("quanta") == "Quanta Cloud Technology"
    assert V.submitter_display("never-seen") == "never-seen"
