"""``mst status``: names below /dev/mst, and the HCAs they stand for."""

from __future__ import annotations

from pathlib import Path

from conftest import real_file

from ibforensic.capture import capture
from ibforensic.capture.parsing import read
from ibforensic.capture.records import RawFile
from ibforensic.parsers import claimant
from ibforensic.parsers.mst_status import parse

FIXTURES = Path(__file__).parents[1] / "fixtures"
VERBOSE = FIXTURES / "mst_status" / "node07_mst.txt"
PLAIN = FIXTURES / "mst_status" / "plain.txt"
IBSTAT = """CA 'mlx5_0'
\tCA type: MT4129
\tNumber of ports: 1
\tFirmware version: 28.41.1000
\tNode GUID: 0x02000000000000b0
\tSystem image GUID: 0x02000000000000b0
\tPort 1:
\t\tState: Active
\t\tPhysical state: LinkUp
\t\tRate: 400
\t\tBase lid: 6
\t\tSM lid: 1
\t\tPort GUID: 0x02000000000000b0
\t\tLink layer: InfiniBand
"""
MLXLINK = """[root@node07 ~]# mlxlink -d /dev/mst/mt4129_pciconf0 -c

Operational Info
----------------
State                              : Active
Physical state                     : LinkUp
Speed                              : IB-NDR
Width                              : 4x

Physical Counters and BER Info
------------------------------
Time Since Last Clear [Min]        : 100.0
Raw Physical BER                   : 1E-9
"""


def rows(path: Path):
    return parse(path.name, path.read_bytes()).tables["hosts"].to_pylist()


def test_verbose_and_plain():
    first, second, third = rows(VERBOSE)
    assert (first["host"], first["device"], first["net_device"]) == ("node07", "mlx5_0", "ib0")
    assert (first["pci_address"], first["numa_node"]) == ("0000:1a:00.0", 0)
    assert second["x_mst_device"] == "/dev/mst/mt4129_pciconf0.1"
    assert (third["device"], third["pci_address"]) == (None, "0000:9d:00.0")
    (only,) = rows(PLAIN)
    assert (only["host"], only["device"], only["pci_address"]) == ("node08", None, "0000:1a:00.0")


def test_it_is_claimed():
    for path in (VERBOSE, PLAIN):
        found = claimant("x.txt", path.read_bytes())
        assert found is not None
        assert found.spec.name == "mst_status"


def test_mlxlink_finds_its_hca_through_the_name(tmp_path):
    (tmp_path / "node07_ibstat.txt").write_text(IBSTAT)
    (tmp_path / "node07_mlxlink.txt").write_text(MLXLINK)
    (sample,) = capture(tmp_path).samples
    assert sample.tables["phy"]["node_guid"].to_pylist() == ["node07/mt4129_pciconf0"]
    (tmp_path / "node07_mst.txt").write_bytes(VERBOSE.read_bytes())
    (sample,) = capture(tmp_path).samples
    assert sample.tables["phy"]["node_guid"].to_pylist() == ["0x02000000000000b0"]


def test_a_real_screen_with_mlxlink_below_it():
    folder = real_file("mlxlink/blocks/fchamicapereira__sigcomm26-tutorial-bluefield")
    one = read(RawFile("screen.txt", (folder / "README_md.0.mlxlink.txt").read_bytes()))
    assert one.source.parser == "mst_status, mlxlink"
    told = [(row["device"], row["pci_address"]) for row in one.parsed.tables["hosts"].to_pylist()]
    assert told == [("mlx5_1", "0000:03:00.1"), ("mlx5_0", "0000:03:00.0")]
    assert one.parsed.tables["phy"].num_rows == 2
