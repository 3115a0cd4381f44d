"""What hosts show of their own HCAs below /sys, and nothing else (demand D-13)."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from small_fabric import of, story

from ibforensic import pipeline

DEVICES = 4
ROOT = "sys/class/infiniband"
BOOTS = ("aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002")


def values(downs: dict[int, int], boot: str = BOOTS[0], uptime: int = 900_000) -> dict[str, str]:
    """Path → value of a host with four HCAs; ``downs`` is what each has counted since boot."""
    found = {
        "proc/sys/kernel/random/boot_id": boot,
        "proc/uptime": f"{uptime}.10 1.00",
    }
    for number in range(DEVICES):
        device = f"{ROOT}/mlx5_{number}"
        port = f"{device}/ports/1"
        found |= {
            f"{device}/node_guid": f"0200:0000:0000:70{number}0",
            f"{port}/state": "4: ACTIVE",
            f"{port}/phys_state": "5: LinkUp",
            f"{port}/rate": "400 Gb/sec (4X NDR)",
            f"{port}/link_layer": "InfiniBand",
            f"{port}/counters/link_downed": str(downs.get(number, 1)),
            f"{port}/counters/symbol_error": "0",
            f"{port}/counters/port_rcv_errors": "0",
        }
    return found


def as_tree(place: Path, told: dict[str, str]) -> Path:
    for name, value in told.items():
        path = place / "node07" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{value}\n")
    return place


def as_tar(place: Path, told: dict[str, str]) -> Path:
    place.mkdir()
    with tarfile.open(place / "node07.tar", "w") as archive:
        for name, value in told.items():
            member = tarfile.TarInfo(name)
            member.size = len(value)
            archive.addfile(member, io.BytesIO(value.encode()))
    return place


def as_grep(place: Path, told: dict[str, str]) -> Path:
    place.mkdir()
    lines = [f"node07: /{name}:{value}\n" for name, value in told.items()]
    (place / "all.txt").write_text("".join(lines))
    return place


FORMS = pytest.mark.parametrize("form", [as_tree, as_tar, as_grep])


def compare(tmp_path, form, then, now):
    return pipeline.diff(
        pipeline.load(form(tmp_path / "then", then)), pipeline.load(form(tmp_path / "now", now))
    )


@FORMS
def test_d13_more_than_ten_link_downs_of_an_hca_name_it(tmp_path, form):
    document = compare(tmp_path, form, values({2: 3}), values({2: 15})).document
    (suspect,) = document["suspects"]
    assert suspect["end"]["node"] == "node07 mlx5_2"
    (item,) = suspect["evidence"]
    assert (item["kind"], item["before"], item["after"]) == ("port_flaps", 3, 15)
    assert "12 times" in item["text"]


@FORMS
def test_d13_ten_more_are_no_flap(tmp_path, form):
    document = compare(tmp_path, form, values({2: 3}), values({2: 13})).document
    assert document["suspects"] == []


def test_d13_the_growth_counts_and_not_the_value(tmp_path):
    document = compare(tmp_path, as_tree, values({2: 90}), values({2: 91})).document
    assert document["suspects"] == []


def test_d13_a_full_register_is_told_as_a_gap_and_not_as_calm(tmp_path):
    comparison = compare(tmp_path, as_tree, values({2: 255}), values({2: 255}))
    assert comparison.document["suspects"] == []
    told = [gap["text"] for gap in comparison.document["coverage"]["not_judged"]]
    assert any("link_downed_counter was full" in text for text in told)


def test_d13_boot_id_and_uptime_of_the_host_are_stored(tmp_path):
    snapshot = pipeline.load(as_tree(tmp_path / "now", values({})))
    rows = snapshot.samples[-1].tables["hosts"].to_pylist()
    assert {(row["host"], row["boot_id"], row["uptime_s"]) for row in rows} == {("node07", BOOTS[0], 900_000)}


def test_d13_a_reboot_explains_that_an_hca_counts_from_nothing(tmp_path):
    document = compare(
        tmp_path, as_tree, values({2: 40}), values({2: 2}, boot=BOOTS[1], uptime=3_600)
    ).document
    assert document["suspects"] == []


@pytest.mark.parametrize(("boots", "explained"), [(BOOTS, True), (BOOTS[:1] * 2, False)])
def test_d13_a_reboot_explains_one_link_down_at_the_switch(boots, explained):
    """The fabric tells no uptime; the host tells whether it started again."""
    told = story()
    port = told.hca()
    told.fall(told.peer(port))
    told.edit(lambda sheet: sheet.drop_columns("NODES_INFO", ["HWInfo_UpTime"]))
    for beside, boot in zip(told.beside, boots, strict=True):
        beside["host.sysfs"] = (
            f"/{ROOT}/mlx5_0/node_guid:{port.node_guid}\n"
            f"/{ROOT}/mlx5_0/ports/1/state:4: ACTIVE\n"
            f"/proc/sys/kernel/random/boot_id:{boot}\n/proc/uptime:3600.00 1.0\n"
        )
    (item,) = of(told.compare(), "link_down")
    assert (item.message.id == "link_down.explained") == explained
    assert (item.weight == 0) == explained


def test_d18_pcie_that_got_narrower_is_named(tmp_path):
    then, now = values({}), values({})
    for told, width in ((then, "16"), (now, "8")):
        device = f"{ROOT}/mlx5_1/device"
        told |= {f"{device}/current_link_speed": "32.0 GT/s PCIe", f"{device}/current_link_width": width}
    document = compare(tmp_path, as_tree, then, now).document
    (suspect,) = document["suspects"]
    assert suspect["evidence"][0]["kind"] == "host_pcie"
    assert "node07 mlx5_1" in suspect["headline"]["text"]
