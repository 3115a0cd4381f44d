"""Every line that is written has the shape of a line in real output: words, blanks, tabs, columns, order."""

from __future__ import annotations

import re

import pytest
from conftest import mini_file, real_file
from diags import incident, written
from test_topology import build

from ibforensic.simulate.incident import make_incident

NAMES = "perfquery,perfquery-x,perfquery-details,ibnetdiscover,iblinkinfo,ibstat,ibqueryerrors,sysfs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return written(incident(), tmp_path_factory.mktemp("diags"), NAMES)


def shape(line):
    """Replace what differs between fabrics; runs of blanks before a number keep their total width."""
    line = re.sub(r'"[^"]*"', '"N"', re.sub(r'"([SH])-[0-9a-f]{16}"', r"<\1>", line))
    line = re.sub(r"^(CA: |Switch: \S+ ).*:$", r"\1N:", line)
    line = re.sub(r"( +[\d.]+ Gbps)(?= Active)", lambda found: f"<{len(found[1])}>", line)
    line = re.sub(r"0x[0-9A-Fa-f]{16}\b", "GUID", line)
    line = re.sub(
        r"0x[0-9A-Fa-f]+", lambda found: "0x" if line.startswith(IDS) else "h" * len(found[0]), line
    )
    line = re.sub(r"\([0-9a-f]{14,16}\)", "(guid)", line)
    line = re.sub(r"\b(node|port) [0-9a-f]{16}", r"\1 guid", line)
    line = re.sub(r" on [A-Z]\w\w [A-Z]\w\w  ?\d", " on day 0", line)
    line = re.sub(r"\d+x[A-Z]+\d*", "WxS", line)
    line = re.sub(r"( +\d+)(?=[ \[])", lambda found: f"<{len(found[1])}>" if "==" in line else " 0", line)
    return re.sub(r"\d+(\.\d+)*", "0", line)


IDS = ("vendid", "devid", "sysimgguid", "switchguid", "caguid")


def shapes(*paths):
    """Return the shapes of the lines of files."""
    return {shape(line) for path in paths for line in path.read_text().splitlines()}


def test_perfquery_x(folder):
    real = real_file("diags/treydock/perfquery/0x506b4b03005c2740.out").read_text().splitlines()
    for path in (folder / "perfquery-x").iterdir():
        lines = path.read_text().splitlines()
        for start in range(0, len(lines), 26):
            assert list(map(shape, lines[start : start + 26])) == list(map(shape, real[:26]))


def test_perfquery(folder):
    real = real_file("diags/hyungkwang/perfquery-lid5-port13.txt").read_text().splitlines()[:22]
    real = [line.split("  ")[0] for line in real]
    for path in (folder / "perfquery").iterdir():
        lines = path.read_text().splitlines()
        for start in range(0, len(lines), 22):
            assert list(map(shape, lines[start : start + 22])) == list(map(shape, real))


def test_perfquery_details(folder):
    real = real_file("diags/treydock/perfquery-rcv-error/0x506b4b03005c2740-1.out").read_text().splitlines()
    for path in (folder / "perfquery-details").iterdir():
        lines = path.read_text().splitlines()
        for start in range(0, len(lines), 16):
            assert list(map(shape, lines[start : start + 9])) == list(map(shape, real[:9]))
            assert lines[start + 9].startswith("# PortXmitDiscardDetails counters: Lid ")


def test_ibnetdiscover(folder):
    real = shapes(*sorted(real_file("diags/ufm_sdk").glob("selene.*.txt")))
    ours = shapes(folder / "ibnetdiscover" / "ibnetdiscover.txt")
    unmanaged = {line for line in ours if " base port 0 " in line}
    assert ours - unmanaged <= real
    assert {line.replace("base", "enhanced") for line in unmanaged} <= real


def test_iblinkinfo(folder, tmp_path):
    block = "diags/blocks/magnate3__linux-riscv-dev/exercises2_soft_roce_mellanox_bond_md.4.iblinkinfo.txt"
    real = shapes(
        real_file("diags/notes/iblinkinfo-hdr-20nodes.txt"),
        real_file("diags/issues/iblinkinfo-mixed-edr-on-hdr-switch.txt"),
        real_file(block),
    )
    ours = shapes(folder / "iblinkinfo" / "iblinkinfo.txt")
    # The real files hold no HCA on a slow link; at a switch they do.
    at_hca = {line for line in ours if "GUID" in line and "Could be" in line}
    assert ours - at_hca <= real
    assert {line.partition("==")[2] for line in at_hca} <= {line.partition("==")[2] for line in real}
    old, _ = make_incident(build("fat-tree:leaf=2,spine=1,hosts=3", "edr"), seed=1)
    written(old.current, tmp_path, "iblinkinfo")
    assert shapes(tmp_path / "iblinkinfo" / "iblinkinfo.txt") <= real


def test_ibstat(folder):
    real = set()
    for path in real_file("diags/gpud").glob("ibstat.47*"):
        real |= shapes(path)
    noted = real_file("diags/notes/ibstat-b300-cx8.txt").read_text().replace(" " * 16, "\t\t")
    real |= {shape(line.replace(" " * 8, "\t")) for line in noted.splitlines()}
    ours = {line for path in (folder / "ibstat").iterdir() for line in shapes(path)}
    named = {re.sub(r"'.*'", "'N'", line) for line in ours}
    assert named <= {re.sub(r"'.*'", "'N'", line) for line in real}


def test_ibqueryerrors(folder):
    real = real_file("diags/comment/ibqueryerrors-counters-report-port.txt").read_text().splitlines()
    port = next(line for line in real if line.startswith("   GUID "))
    pattern = re.compile(r"(   GUID 0x[0-9a-f]+ port (?:\d+|ALL):)((?: \[\w+ == \d+ \([ \w.]{5,9}\)\])+)")
    assert pattern.fullmatch(re.sub(r"\(  infPB\)", "(  infP)", port))
    example = mini_file("ibqueryerrors.txt").read_text().splitlines()
    lines = (folder / "ibqueryerrors" / "ibqueryerrors.txt").read_text().splitlines()
    assert [shape(line) for line in lines[-4:]] == [shape(line) for line in example[-4:]]
    title = re.compile(r'Errors for (?:0x[0-9a-f]+ )?".+"')
    assert all(title.fullmatch(line) or pattern.fullmatch(line) for line in lines[:-4])
    assert all(title.fullmatch(line) or pattern.fullmatch(line) for line in example[:-4])


def test_sysfs(folder):
    root = real_file("diags/gpud/sys-class-infiniband-h100.0") / "mlx5_4"
    real = {
        path.relative_to(root).as_posix(): path.read_text().rstrip("\n")
        for path in root.rglob("*")
        if path.is_file()
    }
    added = {"node_desc", "node_guid", "sys_image_guid", "ports/1/lid", "ports/1/sm_lid"}
    for path in (folder / "sysfs").iterdir():
        by_device = {}
        for line in path.read_text().splitlines():
            name, value = line.split(":", 1)
            device, _, rest = name.removeprefix("/sys/class/infiniband/").partition("/")
            by_device.setdefault(device, {})[rest] = value
        for files in by_device.values():
            assert files.keys() == real.keys() | added
            if files["ports/1/state"] == real["ports/1/state"] and "NDR" in files["ports/1/rate"]:
                assert {name: shape(files[name]) for name in real} == {
                    name: shape(value) for name, value in real.items()
                }
