"""Copies of /sys: however the tiny files lie, a host is one source."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from conftest import real_file
from raw_output import ibstat, write

from ibforensic.capture import capture
from ibforensic.model.enums import Quality

CLASS = "sys/class/infiniband"
PCI = "sys/devices/pci0000:15/0000:15:01.0/0000:17:00.0/infiniband"
SLOT = PCI.removesuffix("/infiniband")


def tree(place: str, guid: str = "0200:0000:0000:7000", downs: int = 3) -> dict[str, bytes]:
    """Return path → value of one device; values end without a line end, as some copies do."""
    port = f"{place}/mlx5_0/ports/1"
    return {
        f"{place}/mlx5_0/node_guid": f"{guid}\n".encode(),
        f"{port}/state": b"4: ACTIVE\n",
        f"{port}/rate": b"400 Gb/sec (4X NDR)",
        f"{port}/link_layer": b"InfiniBand\n",
        f"{port}/counters/link_downed": f"{downs}\n".encode(),
        f"{port}/counters/symbol_error": b"",
        f"{port}/hw_counters/out_of_buffer": b"5",
        f"{port}/gids/0": b"fe80:0000:0000:0000:0200:0000:0000:7001\n",
    }


def sources(captured) -> list[str]:
    return [source.path for sample in captured.samples for source in sample.sources]


def counted(captured) -> dict[str, int]:
    (sample,) = captured.samples
    return {row["x_host"]: row["link_downed_counter"] for row in sample.tables["counters_pma"].to_pylist()}


def test_a_tree_is_one_source(tmp_path):
    write(tmp_path, tree(f"node07/{CLASS}"))
    captured = capture(tmp_path)
    assert sources(captured) == ["node07/infiniband.sysfs"]
    assert counted(captured) == {"node07": 3}
    assert [note.code for note in captured.notes] == ["capture.tree"]


def test_every_host_is_a_source_of_its_own_and_other_files_stay(tmp_path):
    for host, downs in (("node07", 7), ("node08", 8)):
        write(tmp_path, tree(f"{host}/{CLASS}", f"0200:0000:0000:{downs}000", downs))
    write(tmp_path, {"node07/ibstat.txt": ibstat(), "node07/readme": b"words"})
    captured = capture(tmp_path)
    assert sources(captured) == [
        "node07/ibstat.txt",
        "node07/infiniband.sysfs",
        "node07/readme",
        "node08/infiniband.sysfs",
    ]
    assert counted(captured) == {"node07": 7, "node08": 8}


def test_tar_files_of_hosts(tmp_path):
    for host, downs in (("node07", 7), ("node08", 8)):
        with tarfile.open(tmp_path / f"{host}.tar.gz", "w:gz") as archive:
            for name, data in tree(CLASS, f"0200:0000:0000:{downs}000", downs).items():
                member = tarfile.TarInfo(name)
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    captured = capture(tmp_path)
    assert counted(captured) == {"node07": 7, "node08": 8}
    assert len(sources(captured)) == 2


@pytest.mark.parametrize("place", ["node07", "node07/infiniband", f"node07/{PCI}"])
def test_where_the_devices_may_lie(tmp_path, place):
    write(tmp_path, tree(place))
    captured = capture(tmp_path)
    assert sources(captured) == ["node07/infiniband.sysfs"]
    assert counted(captured) == {"node07": 3}


def test_what_host_and_slot_tell_goes_with_the_tree(tmp_path):
    write(tmp_path, tree(f"node07/{PCI}"))
    beside = {
        "node07/proc/uptime": b"4000.50 9.1\n",
        "node07/proc/sys/kernel/random/boot_id": b"11111111-2222-4333-8444-555555555555\n",
        f"node07/{SLOT}/current_link_width": b"8\n",
        f"node07/{SLOT}/max_link_width": b"16\n",
    }
    write(tmp_path, beside)
    captured = capture(tmp_path)
    assert sources(captured) == ["node07/infiniband.sysfs"]
    (row,) = captured.samples[0].tables["hosts"].to_pylist()
    assert (row["host"], row["uptime_s"], row["boot_id"][:8]) == ("node07", 4000, "11111111")
    assert (row["pci_address"], row["pcie_width"], row["pcie_width_max"]) == ("0000:17:00.0", 8, 16)


def test_an_empty_value_is_not_collected_and_not_zero(tmp_path):
    write(tmp_path, tree(f"node07/{CLASS}"))
    (row,) = capture(tmp_path).samples[0].tables["counters_pma"].to_pylist()
    assert (row["symbol_error_counter"], Quality(row["symbol_error_counter_q"])) == (
        None,
        Quality.NOT_COLLECTED,
    )


def test_what_is_no_value_stays_a_file(tmp_path):
    write(tmp_path, tree(f"node07/{CLASS}"))
    device = f"node07/{CLASS}/mlx5_0/device"
    write(tmp_path, {f"{device}/config": bytes(range(256)), f"{device}/vpd": b"x" * 5000})
    assert set(sources(capture(tmp_path))) == {f"{device}/config", f"{device}/vpd", "node07/infiniband.sysfs"}


@pytest.mark.parametrize("given", ["", "mlx5_0", "mlx5_0/ports", "mlx5_0/ports/1", "mlx5_0/ports/1/counters"])
def test_a_device_without_the_folders_above_it_is_read(tmp_path, given):
    write(tmp_path, {name.removeprefix(f"{CLASS}/"): data for name, data in tree(CLASS).items()})
    (row,) = capture(tmp_path / given).samples[0].tables["counters_pma"].to_pylist()
    assert (row["x_device"], row["port_num"], row["link_downed_counter"]) == ("mlx5_0", 1, 3)


def test_a_folder_called_after_host_and_device_tells_both(tmp_path):
    ports = {name: data for name, data in tree(CLASS).items() if "node_guid" not in name}
    write(tmp_path, {f"node01_{name.removeprefix(f'{CLASS}/')}": data for name, data in ports.items()})
    for given in (tmp_path, tmp_path / "node01_mlx5_0"):
        (row,) = capture(given).samples[0].tables["counters_pma"].to_pylist()
        assert (row["node_guid"], row["x_host"]) == ("node01/mlx5_0", "node01")


def test_folders_called_ports_of_other_programs_are_left_alone(tmp_path):
    write(tmp_path, {"config/ports/1/name": b"a", "config/ports/1/speed": b"b", "x.txt": ibstat()})
    assert sources(capture(tmp_path)) == ["config/ports/1/name", "config/ports/1/speed", "x.txt"]


def test_a_folder_is_read_like_the_text_of_grep(tmp_path):
    write(tmp_path / "tree", tree(f"node07/{CLASS}"))
    whole = capture(tmp_path / "tree")
    (text,) = whole.files.values()
    write(tmp_path / "text", {"infiniband.sysfs": text})
    again = capture(tmp_path / "text")
    for name in ("counters_pma", "counters_hw", "ports"):
        here, there = (
            one.samples[0].tables[name].drop_columns(["source"]).to_pylist() for one in (whole, again)
        )
        assert here == there


def test_real_tree_of_nine_devices():
    captured = capture(Path(real_file("diags/gpud/sys-class-infiniband-h100.0")))
    assert sources(captured) == ["infiniband.sysfs"]
    tables = captured.samples[0].tables
    by_device = {row["x_device"]: row for row in tables["counters_pma"].to_pylist()}
    assert len(by_device) == 8
    full = by_device["mlx5_1"]
    assert (full["link_downed_counter"], Quality(full["link_downed_counter_q"])) == (255, Quality.SATURATED)
    assert by_device["mlx5_0"]["port_xmit_data_ext"] == 230442669431839
    assert by_device["mlx5_9"]["port_xmit_wait"] == 2489603687
    bond = next(row for row in tables["hosts"].to_pylist() if row["device"] == "mlx5_bond_0")
    assert (bond["link_layer"], bond["rate_gbps"], bond["fw_version"]) == ("Ethernet", 200.0, "32.38.3056")


def unpacked(archive: Path, into: Path) -> Path:
    """Write the files of a ttar archive: ``Path:``, ``Lines:`` and so many lines."""
    lines = iter(archive.read_text("utf-8", "replace").splitlines())
    for line in lines:
        if not line.startswith("Path: "):
            continue
        path, told = into / line.removeprefix("Path: "), next(lines)
        if told.startswith("Lines: "):
            path.parent.mkdir(parents=True, exist_ok=True)
            text = [next(lines).replace("EOF", "") for _ in range(int(told.removeprefix("Lines: ")))]
            path.write_text("\n".join(text) + "\n")
    return into


@pytest.mark.parametrize(
    ("archive", "other", "received", "downs"),
    [
        ("node_exporter-sys.ttar", "i40iw0", 4631917, (None, Quality.UNSUPPORTED)),
        ("procfs-fixtures.ttar", "hfi1_0", 2221223609, (0, Quality.NARROW)),
    ],
)
def test_real_trees_of_other_drivers_among_the_rest_of_sys(tmp_path, archive, other, received, downs):
    captured = capture(unpacked(real_file(f"exporter/node_exporter/{archive}"), tmp_path))
    assert sum(source.endswith("infiniband.sysfs") for source in sources(captured)) == 1
    by_port = {
        (row["x_device"], row["port_num"]): row
        for row in captured.samples[0].tables["counters_pma"].to_pylist()
    }
    assert by_port["mlx4_0", 1]["port_rcv_data_ext"] == received
    row = by_port[other, 1]
    assert (row["link_downed_counter"], Quality(row["link_downed_counter_q"])) == downs
