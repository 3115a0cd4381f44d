"""What hosts see of their own HCAs."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import mini_file, real_file

from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.host_paths import host_in_name
from ibforensic.parsers.ibstat import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "ibstat"
NODE07 = FIXTURES / "node07.ibstat"


def read(path: Path) -> Parsed:
    return parse(path.name, path.read_bytes())


def rows(parsed: Parsed, table: str) -> list[dict]:
    return parsed.tables[table].to_pylist()


def codes(parsed: Parsed) -> set[str]:
    return {note.code for note in parsed.notes}


def test_one_host_gives_hosts_nodes_and_ports():
    parsed = read(NODE07)
    assert parsed.whole
    assert not parsed.notes
    assert [(row["host"], row["device"], row["port_num"]) for row in rows(parsed, "hosts")] == [
        ("node07", "mlx5_0", 1),
        ("node07", "mlx4_0", 1),
        ("node07", "mlx4_0", 2),
        ("node07", "mlx5_2", 1),
    ]
    node = rows(parsed, "nodes")[0]
    assert node["node_guid"] == "0x0200000000007000"
    assert (node["node_type"], node["node_desc"], node["fw_version"]) == ("ca", None, "28.41.1000")
    assert (node["device_id"], node["generation"], node["num_ports"], node["lid"]) == (
        4129,
        "ConnectX-7",
        1,
        71,
    )
    port = rows(parsed, "ports")[0]
    assert (port["node_guid"], port["port_num"], port["lid"]) == ("0x0200000000007000", 1, 71)
    assert (port["state"], port["phys_state"], port["rate_gbps"]) == ("active", "link_up", 400.0)
    assert port["link_layer"] == "InfiniBand"


def test_two_port_hca_with_fdr10_and_a_port_that_is_down():
    parsed = read(NODE07)
    _, up, down, _ = rows(parsed, "ports")
    assert (up["rate_gbps"], up["speed_active"], up["port_guid"]) == (40.0, "FDR10", "0x0200000000007101")
    assert (down["state"], down["phys_state"], down["rate_gbps"], down["lid"]) == (
        "down",
        "polling",
        None,
        None,
    )
    as_printed = rows(parsed, "hosts")[2]
    assert (as_printed["rate_gbps"], as_printed["lid"], as_printed["hw_version"]) == (2.5, 65535, "a0")
    assert as_printed["x_capability_mask"] == "0x02510868"
    assert rows(parsed, "nodes")[1]["lid"] is None  # two ports have two


def test_ethernet_port_is_kept_with_its_link_layer():
    parsed = read(NODE07)
    port = rows(parsed, "ports")[3]
    assert (port["link_layer"], port["lid"], port["port_guid"]) == ("Ethernet", None, None)
    assert rows(parsed, "hosts")[3]["link_layer"] == "Ethernet"


def test_many_hosts_in_one_file_with_interleaved_lines():
    parsed = read(FIXTURES / "many_hosts.txt")
    found = {row["host"]: row for row in rows(parsed, "hosts") if row["device"] == "mlx5_0"}
    assert (found["node08"]["state"], found["node08"]["rate_gbps"]) == ("init", 400.0)
    assert (found["node09"]["state"], found["node09"]["rate_gbps"], found["node09"]["lid"]) == (
        "active",
        200.0,
        91,
    )
    assert found["node09"]["fw_version"] == "28.42.1000"
    failed = next(row for row in rows(parsed, "hosts") if row["device"] == "mlx5_1")
    assert failed["host"] == "node08"
    assert "No such file" in failed["query_error"]
    assert failed["port_num"] is None


def test_failed_device_is_noted_and_the_good_blocks_are_kept():
    parsed = read(FIXTURES / "many_hosts.txt")
    assert not parsed.whole
    note = next(note for note in parsed.notes if note.code == "ibstat.device_failed")
    assert note.where == "many_hosts.txt:35"
    assert len(rows(parsed, "nodes")) == 2


def test_hosts_between_rules_of_dashes():
    rule = b"-" * 16 + b"\n"
    block = NODE07.read_bytes()
    parsed = parse("all.txt", rule + b"node11\n" + rule + block + rule + b"node12\n" + rule + block)
    assert [row["host"] for row in rows(parsed, "hosts")] == ["node11"] * 4 + ["node12"] * 4


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("node01.ibstat", "node01"),
        ("node01_ibstat.txt", "node01"),
        ("ibstat.node01", "node01"),
        ("ibstat-node01.txt", "node01"),
        ("run/gpu-a7.example.org.ibstat.out", "gpu-a7.example.org"),
        ("ibstat.txt", None),
        ("ibstat_before.txt", None),
        ("ibstat.47.0.h100", None),
        ("ibstat-2030-01-02.txt", None),
        ("node01.txt", "node01"),
    ],
)
def test_host_from_the_file_name(name, host):
    parsed = parse(name, NODE07.read_bytes())
    assert {row["host"] for row in rows(parsed, "hosts")} == {host}
    assert ("ibstat.no_host" in codes(parsed)) == (host is None)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\t", b"        "),
        lambda data: data.replace(b"\t", b""),
        lambda data: data.replace(b"\n", b"  \n"),
        lambda data: b"\xef\xbb\xbf" + data,
    ],
    ids=["CRLF", "blanks for tabs", "no indentation", "trailing blanks", "byte order mark"],
)
def test_spelling_of_blanks_does_not_matter(change):
    data = NODE07.read_bytes()
    for name, table in parse("a", data).tables.items():
        assert parse("a", change(data)).tables[name].equals(table)


def test_remark_behind_a_guid():
    data = NODE07.read_bytes().replace(b"GUID: 0x0200000000007101", b"GUID: 0x0200000000007101---->>> look")
    assert rows(parse("a", data), "ports")[1]["port_guid"] == "0x0200000000007101"


def test_masked_guid_is_kept():
    data = NODE07.read_bytes().replace(b"Node GUID: 0x0200000000007000", b"Node GUID: 0xHost7")
    assert rows(parse("a", data), "nodes")[0]["node_guid"] == "0xhost7"


def test_device_without_node_guid_is_seen_by_its_host_alone():
    data = NODE07.read_bytes().replace(b"Node GUID: 0x0200000000007200", b"Node GUID: 0x0000000000000000")
    parsed = parse("a", data)
    assert len(rows(parsed, "hosts")) == 4
    assert len(rows(parsed, "nodes")) == 2
    assert len(rows(parsed, "ports")) == 3


def test_unknown_state_is_noted_and_null():
    parsed = parse("a", NODE07.read_bytes().replace(b"State: Active ", b"State: Dreaming"))
    assert rows(parsed, "ports")[0]["state"] is None
    assert next(note.where for note in parsed.notes if note.code == "ibstat.unknown_state") == "a:8"


def test_missing_port_is_a_cut_device():
    data = NODE07.read_bytes()
    parsed = parse("a", data[: data.index(b"\tPort 2:")])
    assert "ibstat.device_cut" in codes(parsed)
    assert not parsed.whole


def test_every_truncation_keeps_true_values_only():
    data = NODE07.read_bytes()
    whole = {row["line"]: row for row in rows(parse("a", data), "hosts")}
    for cut in range(0, len(data), 5):
        parsed = parse("a", data[:cut])
        for row in rows(parsed, "hosts") if parsed.tables else []:
            if row["line"] in whole:  # a device whose ports are cut away stands under its own line
                assert {
                    name for name, value in row.items() if value not in (None, whole[row["line"]][name])
                } == set()


def test_hostile_text_gives_few_notes_and_columns():
    fields = b"".join(
        b"\t\tField %s: 1\n" % word for word in {b"%c%c" % (a, b) for a in b"abcdefgh" for b in b"abcdefgh"}
    )
    data = (
        NODE07.read_bytes()
        + fields
        + b"\xff\x00 noise\n" * 1000
        + b"\tPort 99999: x\nRate: "
        + b"9" * 5000
        + b"\n"
    )
    parsed = parse("a", data)
    assert len(parsed.notes) < 8
    assert sum(name.startswith("x_") for name in parsed.tables["hosts"].column_names) <= 50


def test_real_failed_device():
    parsed = read(real_file("diags/gpud/ibstat.39.0.a100.failed.ibpanic.exit-255.0"))
    hosts = rows(parsed, "hosts")
    assert hosts[-1]["device"] == "mlx5_8"
    assert len(hosts) == 9
    assert {row["rate_gbps"] for row in rows(parsed, "ports")} == {200.0}
    assert not parsed.whole


def test_real_ports_that_are_down():
    parsed = read(real_file("diags/gpud/ibstat.47.0.h100.some.down.0"))
    assert parsed.whole
    assert "down" in {row["state"] for row in rows(parsed, "ports")}
    assert {row["link_layer"] for row in rows(parsed, "ports")} >= {"InfiniBand"}


def test_real_copies_with_blanks_remarks_and_shell_lines():
    parsed = read(real_file("diags/notes/ibstat-b300-cx8.txt"))
    assert parsed.whole
    assert rows(parsed, "nodes")[0]["generation"] == "ConnectX-8"
    assert len({row["system_guid"] for row in rows(parsed, "nodes")}) < len(rows(parsed, "nodes"))
    folder = real_file("diags/blocks/magnate3__linux-riscv-dev")
    noted = read(folder / "exercises2_soft_roce_mellanox_k8s_rdma_sriov_md.0.ibstat.txt")
    assert [row["device"] for row in rows(noted, "hosts")] == ["mlx4_0", "mlx4_0", "mlx4_1", "mlx4_1"]
    assert rows(noted, "ports")[0]["port_guid"] == "0x248a0703005d07f1"


def test_real_excerpt_cut_within_a_port():
    parsed = read(real_file("diags/issues/ibstat-ibwarn-debug.txt"))
    first, second = rows(parsed, "ports")
    assert (first["lid"], second["lid"], second["rate_gbps"]) == (38, None, 56.0)
    assert not parsed.whole


def test_mini_files_are_claimed():
    for name in ("ibstat.txt", "ibstat_partial.txt"):
        assert claimant(name, mini_file(name).read_bytes()).spec.name == "ibstat"
    assert read(mini_file("ibstat.txt")).whole
    assert not read(mini_file("ibstat_partial.txt")).whole


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("hosts/node07.txt", "node07"),
        ("gpu-a7.example.org.txt", "gpu-a7.example.org"),
        ("ibstat2.txt", None),
        ("output3.txt", None),
        ("run1.txt", None),
        ("saved_on_node07.txt", None),
        ("mlx5_0.txt", None),
    ],
)
def test_host_by_a_name_that_holds_nothing_else(path, host):
    assert host_in_name(path, "ibstat") == host
