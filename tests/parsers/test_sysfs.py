"""What the kernel of a host shows of its HCAs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import mini_file

from ibforensic.model.enums import Quality
from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.sysfs import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "sysfs"
NODE07 = FIXTURES / "node07.sysfs"
MANY = FIXTURES / "many_hosts.txt"


def read(path: Path) -> Parsed:
    return parse(path.name, path.read_bytes())


def rows(parsed: Parsed, table: str) -> list[dict]:
    return parsed.tables[table].to_pylist()


def cell(row: dict, column: str) -> tuple[int | None, Quality]:
    return row[column], Quality(row[f"{column}_q"])


def codes(parsed: Parsed) -> set[str]:
    return {note.code for note in parsed.notes}


def test_a_port_is_read_with_its_device_its_slot_and_its_host():
    parsed = read(NODE07)
    first = rows(parsed, "hosts")[0]
    assert (first["host"], first["device"], first["port_num"]) == ("node07", "mlx5_0", 1)
    assert (first["node_guid"], first["port_guid"]) == ("0x0200000000007000", "0x0200000000007001")
    assert (first["state"], first["phys_state"], first["rate_gbps"], first["lid"]) == (
        "active",
        "link_up",
        400.0,
        71,
    )
    assert (first["pci_address"], first["numa_node"], first["net_device"]) == ("0000:18:00.0", 1, "ib0")
    assert (first["pcie_speed"], first["pcie_width"]) == ("16.0 GT/s", 8)
    assert (first["pcie_speed_max"], first["pcie_width_max"]) == ("32.0 GT/s", 16)
    assert (first["uptime_s"], first["boot_id"][:4]) == (86400, "1b2f")
    node = rows(parsed, "nodes")[0]
    assert (node["node_desc"], node["device_id"], node["psid"], node["lid"]) == (
        "node07 mlx5_0",
        4129,
        "EX_0000000071",
        71,
    )


def test_a_port_that_is_down_has_no_rate_and_no_lid_in_the_fabric():
    down = rows(read(NODE07), "ports")[1]
    assert (down["state"], down["phys_state"]) == ("down", "polling")
    assert (down["rate_gbps"], down["width_active"], down["lid"]) == (None, None, None)
    as_printed = rows(read(NODE07), "hosts")[1]
    assert (as_printed["rate_gbps"], as_printed["lid"]) == (10.0, 65535)


def test_width_and_speed_stand_in_the_rate():
    up = rows(read(NODE07), "ports")[0]
    assert (up["width_active"], up["speed_active"], up["pci_address"]) == ("4x", "NDR", "18:00.0")
    assert {(row["width_active"], row["speed_active"]) for row in rows(read(MANY), "ports")} == {
        ("2x", "HDR")
    }


@pytest.mark.parametrize(
    ("port", "column", "expected"),
    [
        (0, "link_downed_counter", (3, Quality.NARROW)),
        (0, "excessive_buffer_overrun_errors", (15, Quality.SATURATED)),
        (0, "port_rcv_errors", (65535, Quality.SATURATED)),
        (0, "port_rcv_data_ext", (230442669431839, Quality.WIDE)),
        (0, "port_xmit_wait", (2489603687, Quality.NARROW)),
        (1, "link_downed_counter", (255, Quality.SATURATED)),
        (1, "port_rcv_errors", (None, Quality.UNSUPPORTED)),
        (1, "port_xmit_discards", (None, Quality.NOT_COLLECTED)),
        (1, "port_xmit_constraint_errors", (None, Quality.NOT_COLLECTED)),
    ],
)
def test_value_and_quality_of_a_counter(port, column, expected):
    assert cell(rows(read(NODE07), "counters_pma")[port], column) == expected


def test_a_full_32_bit_register_under_the_name_of_a_wide_one_is_saturated():
    row = rows(read(NODE07), "counters_pma")[0]
    assert cell(row, "port_xmit_data") == (4294967295, Quality.SATURATED)
    assert cell(row, "port_xmit_data_ext") == (None, Quality.NOT_COLLECTED)


def test_a_value_too_large_for_its_register_was_read_from_the_wide_one():
    row = rows(read(NODE07), "counters_pma")[0]
    assert cell(row, "symbol_error_counter") == (None, Quality.NOT_COLLECTED)
    assert cell(row, "symbol_error_counter_ext") == (70000, Quality.WIDE)


def test_beside_counters_ext_the_plain_names_are_narrow():
    for row in rows(read(MANY), "counters_pma"):
        assert cell(row, "port_xmit_data") == (4294967295, Quality.SATURATED)
        assert cell(row, "port_xmit_data_ext") == (5_000_000_000, Quality.WIDE)


def test_queue_counters_wrap_and_are_never_saturated():
    row = rows(read(NODE07), "counters_hw")[0]
    assert cell(row, "out_of_sequence") == (4294967295, Quality.NARROW)
    assert cell(row, "np_cnp_sent") == (5_000_000_000, Quality.WIDE)
    assert (row["host"], row["device"], row["x_new_counter"]) == ("node07", "mlx5_0", "3")
    assert "sysfs.unknown_field" in codes(read(NODE07))


def test_ethernet_counters_stay_apart_as_text():
    parsed = read(NODE07)
    assert {row["x_device"] for row in rows(parsed, "counters_pma")} == {"mlx5_0", "mlx5_1"}
    kept = parsed.raw["sysfs_ethernet"].to_pylist()
    assert {row["device"] for row in kept} == {"mlx5_2"}
    assert next(row["value"] for row in kept if row["counter"] == "counters/link_downed") == "1"


def test_many_hosts_with_interleaved_lines():
    found = {row["x_host"]: row["link_downed_counter"] for row in rows(read(MANY), "counters_pma")}
    assert found == {"node08": 8, "node09": 9}


@pytest.mark.parametrize(
    ("name", "change", "host"),
    [
        ("a.txt", lambda text: text.replace("/sys/class", "node11/sys/class"), "node11"),
        ("a.txt", lambda text: text.replace("/sys/class", "all/node11.tar.gz/sys/class"), "node11"),
        ("a.txt", lambda text: text.replace("/sys/class/infiniband/", "./"), "node07"),
        ("node11.sysfs", lambda text: text.replace("/sys/class/infiniband/", ""), "node11"),
        ("node11_sysfs.txt", lambda text: text, "node11"),
        ("a.txt", lambda text: text.replace("/sys/class", "run2/sys/class"), "node07"),
        ("a.txt", lambda text: re.sub("node07 ", "", text), None),
    ],
)
def test_where_the_host_may_stand(name, change, host):
    text = change(NODE07.read_text())
    assert {row["host"] for row in rows(parse(name, text.encode()), "hosts")} == {host}


def test_pci_paths_tell_the_slot():
    slot = "/sys/devices/pci0000:15/0000:15:01.0/0000:17:00.0"
    text = MANY.read_text().replace("/sys/class/infiniband", f"{slot}/infiniband")
    text += f"node08: {slot}/current_link_width:4\nnode08: {slot}/max_link_width:16\n"
    by_host = {row["host"]: row for row in rows(parse("a", text.encode()), "hosts")}
    assert by_host["node08"]["pci_address"] == "0000:17:00.0"
    assert (by_host["node08"]["pcie_width"], by_host["node08"]["pcie_width_max"]) == (4, 16)
    assert by_host["node09"]["pcie_width"] is None


def test_titles_of_head_and_tail():
    lines = [line.partition(":") for line in NODE07.read_text().splitlines() if "/ports/" in line]
    text = "".join(f"==> {path} <==\n{value}\n\n" for path, _, value in lines if " " not in path)
    assert claimant("a", text.encode()).spec.name == "sysfs"
    assert rows(parse("a", text.encode()), "counters_pma")[0]["link_downed_counter"] == 3


def test_last_value_without_an_end_is_left_out():
    text = NODE07.read_bytes()
    cut = text[: text.index(b"link_downed:255") + len(b"link_downed:25")]
    parsed = parse("a", cut)
    assert rows(parsed, "counters_pma")[1]["link_downed_counter"] is None
    assert not parsed.whole
    assert "sysfs.value_cut" in codes(parsed)


def test_complaints_of_grep_are_noted_with_their_line():
    note = next(note for note in read(NODE07).notes if note.code == "sysfs.tool_failed")
    assert note.where == "node07.sysfs:99"


def test_a_device_without_node_guid_is_known_to_its_host_alone():
    text = re.sub(r".*node_guid.*\n", "", NODE07.read_text())
    parsed = parse("a", text.encode())
    assert "nodes" not in parsed.tables
    assert {row["node_guid"] for row in rows(parsed, "counters_pma")} == {None}
    assert "sysfs.no_node_guid" in codes(parsed)


def test_the_example_is_read():
    first = rows(read(mini_file("sysfs.txt")), "counters_pma")
    assert cell(first[0], "port_xmit_data_ext") == (230442669431839, Quality.WIDE)
    assert cell(first[1], "port_xmit_data_ext") == (None, Quality.UNSUPPORTED)
