"""Slots of hosts by lspci: joined to the fabric by host and address, else named by them."""

from __future__ import annotations

import pytest
from host_views import ibstat
from small_fabric import compare, of, story

SLOT = "18:00.0"
"""Where the small fabric has the first HCA of every host."""
FULL = ("32GT/s", "x16")
HALF = ("32GT/s", "x8")
QUARTER = ("16GT/s", "x8")


def lspci(link: tuple[str, str], slot: str = SLOT, kind: str = "Infiniband", most: tuple[str, str] = FULL):
    speed, width = link
    return (
        f"{slot} {kind} controller: ACME [Device-7]\n\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n"
        f"\t\tLnkCap:\tPort #0, Speed {most[0]}, Width {most[1]}, ASPM not supported\n"
        f"\t\tLnkSta:\tSpeed {speed}, Width {width}\n"
    )


def alone(before: str, now: str, name: str = "gpu3.lspci.txt"):
    """Nothing but lspci of one host."""
    return compare({name: before}, {name: now})


def in_fabric(link: tuple[str, str], *, host: str = "gpu-0001", slot: str = SLOT):
    """The small fabric with lspci of one host of it beside."""
    told = story()
    for beside, width in zip(told.beside, (FULL, link), strict=True):
        beside[f"{host}.lspci.txt"] = lspci(width, slot)
    return told


def test_a_slot_that_fell_is_named_by_host_and_address():
    comparison = alone(lspci(FULL), lspci(QUARTER))
    (suspect,) = comparison.judgement.suspects
    assert (suspect.component, suspect.node_guid) == ("host", "gpu3/0000:18:00.0")
    assert suspect.headline.text.startswith("the PCIe link of gpu3 (PCI 18:00.0) is narrower")
    (shown,) = comparison.document["suspects"]
    assert ("lspci -vv -s 18:00.0", "gpu3") in [(one["command"], one["on"]) for one in shown["confirm"]]


def test_the_device_is_named_where_the_host_tells_it():
    netdevs = f"0000:{SLOT} mlx5_4 (MT4129 - AC1) AC fw 28.41.1000 port 1 (ACTIVE) ==> ib4 (Up)\n"
    sides = [{"gpu3.lspci.txt": lspci(link), "gpu3.ibdev2netdev.txt": netdevs} for link in (FULL, HALF)]
    (suspect,) = compare(*sides).judgement.suspects
    assert "gpu3 mlx5_4" in suspect.headline.text


def test_two_slots_of_one_host_are_one_suspect():
    before, now = (lspci(link) + lspci(link, "c1:00.0") for link in (FULL, HALF))
    assert len(alone(before, now).judgement.suspects) == 1


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (lspci(HALF), lspci(HALF)),
        (lspci(HALF), lspci(FULL)),
        (lspci(FULL, kind="Ethernet"), lspci(HALF, kind="Ethernet")),
        (lspci(FULL), lspci(HALF, "c1:00.0", most=HALF)),
    ],
    ids=["always so", "better", "no InfiniBand", "another slot"],
)
def test_nobody_is_named_without_a_fall(before, now):
    assert not alone(before, now).judgement.suspects


def test_without_a_host_nobody_is_named():
    assert not alone(lspci(FULL), lspci(HALF), name="lspci.txt").judgement.suspects


def test_what_only_one_side_tells_is_a_weak_sign():
    judgement = alone(lspci(FULL), lspci(FULL) + lspci(HALF, "c1:00.0")).judgement
    assert not judgement.suspects
    (sign,) = judgement.watch
    assert "gpu3 (PCI c1:00.0) runs at x8" in sign.evidence.message.text


@pytest.mark.parametrize(
    ("link", "severity"), [(HALF, "major"), (QUARTER, "major"), (("32GT/s", "x12"), "minor")]
)
def test_half_of_the_bandwidth_is_no_small_matter(link, severity):
    (suspect,) = alone(lspci(FULL), lspci(link)).judgement.suspects
    assert str(suspect.severity) == severity


def test_the_fabric_knows_who_is_in_the_slot():
    told = in_fabric(QUARTER)
    (item,) = of(told.compare(), "host_pcie")
    assert item.node_guid == told.hca().node_guid


@pytest.mark.parametrize("host", ["gpu-0001.example.org", "GPU-0001"])
def test_domain_and_case_of_a_host_do_not_matter(host):
    told = in_fabric(QUARTER, host=host)
    (item,) = of(told.compare(), "host_pcie")
    assert item.node_guid == told.hca().node_guid


@pytest.mark.parametrize(("host", "slot"), [("gpu-00011", SLOT), ("gpu-0001", "99:00.0")])
def test_another_host_or_slot_is_not_taken_for_one_of_the_fabric(host, slot):
    (item,) = of(in_fabric(QUARTER, host=host, slot=slot).compare(), "host_pcie")
    assert item.node_guid == f"{host}/0000:{slot}"


def test_two_domains_of_one_bus_number_stay_open():
    told = story()
    for beside, link in zip(told.beside, (FULL, QUARTER), strict=True):
        beside["gpu-0001.lspci.txt"] = lspci(link, f"0000:{SLOT}") + lspci(FULL, f"0001:{SLOT}")
    (item,) = of(told.compare(), "host_pcie")
    assert item.node_guid == f"gpu-0001/0000:{SLOT}"


def test_a_side_without_the_fabric_tells_what_was_in_the_slot():
    told = in_fabric(QUARTER)
    _, current = told.files()
    comparison = compare({"gpu-0001.lspci.txt": lspci(FULL), **ibstat(told.pair.baseline)}, current)
    (item,) = of(comparison, "host_pcie")
    assert (item.node_guid, item.message.id) == (told.hca().node_guid, "host_pcie.fell")
