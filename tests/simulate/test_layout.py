"""The files have the layout of real ones."""

from __future__ import annotations

import re
from random import Random

import pytest
from conftest import real_file
from simulated import by_port, rows, section

from ibforensic.parsers import claimant, db_csv
from ibforensic.simulate.faults import SEVERITIES, Fault, FaultKind
from ibforensic.simulate.incident import write_incident

MARKER = re.compile(rb"# INDEX_TABLE offset:([ \d]{12}), line:([ \d]{12})\n\n\nSTART_RUN_INFO\n")


@pytest.fixture(scope="module")
def incident(tmp_path_factory):
    directory = tmp_path_factory.mktemp("incident")
    faults = (
        Fault(FaultKind.BAD_LINK, severity="high"),
        Fault(FaultKind.DEAD_HOST),
        Fault(FaultKind.SPEED_LOSS),
    )
    write_incident(directory, seed=11, faults=faults, unused_ports=None)
    return directory / "current"


def test_the_index_points_to_the_sections(incident):
    data = (incident / "ibdiagnet2.db_csv").read_bytes()
    offset, line = (int(number) for number in MARKER.match(data).groups())
    assert data[offset:].startswith(b"START_INDEX_TABLE\n")
    assert data[:offset].count(b"\n") == line - 1
    index = section(data.decode(), "INDEX_TABLE")[1:]
    assert [row[0] for row in index] == re.findall(r"^START_(\w+)$", data.decode(), re.MULTILINE)[:-1]
    for name, start, size, first_line, count in index:
        body = data[int(start) : int(start) + int(size)]
        assert data[: int(start)].endswith(f"START_{name}\n".encode())
        assert data[int(start) + int(size) :].startswith(f"END_{name}\n".encode())
        assert data[: int(start)].count(b"\n") == int(first_line) - 1
        assert body.count(b"\n") == int(count) + 1


def test_headers_and_cells_are_those_of_a_real_run(incident):
    ours = (incident / "ibdiagnet2.db_csv").read_text()
    real = (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.db_csv").read_text()
    for name, *_ in section(ours, "INDEX_TABLE")[1:]:
        mine, theirs = section(ours, name), section(real, name)
        assert mine[0] == theirs[0], name
        assert {len(row) for row in mine} == {len(row) for row in theirs}, name
        header = ours.partition(f"START_{name}\n")[2].partition("\n")[0]
        assert header == real.partition(f"START_{name}\n")[2].partition("\n")[0]


def test_net_dump_has_the_lines_of_a_real_run(incident):
    ours = (incident / "ibdiagnet2.net_dump").read_text().splitlines()
    real = (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.net_dump").read_text().splitlines()
    assert [re.sub(r"\d", "0", line) for line in ours[:14]] == [
        re.sub(r"\d", "0", line) for line in real[:14]
    ]
    assert ours[15] == real[15]
    down = {line[15:] for line in real if " DOWN " in line and "N/A        : 65" not in line}
    assert {
        re.sub(r": \d+ ", ": N ", line[13:]) for line in ours if " DOWN " in line and " 65 " not in line
    } == {re.sub(r": \d+ ", ": N ", line[13:]) for line in real if " DOWN " in line and " 65 " not in line}
    assert down
    assert re.sub(r"\d", "0", ours[-1]) == re.sub(r"\d", "0", real[-1])


def test_ports_that_are_down_stand_in_net_dump_and_hierarchy_only(incident):
    dump = (incident / "ibdiagnet2.net_dump").read_text()
    blocks = re.split(r'\n\n(?=")', dump)[1:]
    assert len(blocks) == 6
    counted = by_port(incident, "PM_INFO")
    shown = by_port(incident, "PORT_HIERARCHY_INFO")
    for block in blocks:
        guid = f"0x{int(re.search(r', (0x[0-9a-f]+), LID', block)[1], 16):016x}"
        states = {int(number): state for number, state in re.findall(r" : (\d+) +: (ACT|DOWN) ", block)}
        assert sorted(states) == list(range(1, 66))
        assert {number for number, state in states.items() if state == "ACT"} == {
            number for node, number in counted if node == guid
        }
        assert all((guid, number) in shown for number in range(1, 65))


def _assert_clean(directory):
    for path in sorted(directory.iterdir()):
        data = path.read_bytes()
        parser = claimant(path.name, data)
        assert parser is not None, path.name
        parsed = parser.parse(path.name, data)
        assert list(parsed.notes) == []
        assert parsed.whole


@pytest.mark.parametrize("seed", range(8))
def test_parsers_have_nothing_to_complain_about(tmp_path, seed):
    rng = Random(seed)
    faults = [Fault(kind, severity=rng.choice(SEVERITIES)) for kind in rng.sample(list(FaultKind), 4)]
    write_incident(tmp_path, seed=seed, faults=faults, leaves=3, days=rng.choice((0.01, 7, 30)))
    for name in ("baseline", "current"):
        _assert_clean(tmp_path / name)


def test_tables_have_a_row_for_each_port_and_link(incident):
    _assert_clean(incident)
    path = incident / "ibdiagnet2.db_csv"
    tables = db_csv.parse(path.name, path.read_bytes()).tables
    assert tables["counters_pma"].num_rows == len(by_port(incident, "PM_INFO")) * 2
    assert tables["links"].num_rows == len(rows(incident, "LINKS"))


def test_narrow_registers_stick_and_their_twins_go_on(incident):
    full = [row for row in rows(incident, "PM_INFO") if int(row["PortXmitDataExtended"]) > 2**32]
    assert full
    for row in full:
        assert row["PortXmitData"] == "4294967295"
    stuck = by_port(incident, "PM_DELTA")[full[0]["NodeGUID"], int(full[0]["PortNumber"])]
    assert stuck["PortXmitData"] == "0"
    assert int(stuck["PortXmitDataExtended"]) > 0


def test_hcas_have_dead_twins_and_missing_counters(incident):
    hcas = {row["NodeGUID"] for row in rows(incident, "NODES") if row["DeviceID"] == "4129"}
    for row in rows(incident, "PM_INFO"):
        is_hca = row["NodeGUID"] in hcas
        assert row["PortLoopingErrors"] == "-1"
        assert (row["PortSwHOQLifetimeLimitDiscards"] == "-1") is is_hca
        assert (row["PortVLMappingErrors"] == "-1") is is_hca
        if is_hca:
            assert row["SymbolErrorCounterExt"] == row["LinkDownedCounterExt"] == "0"
            assert row["retransmission_per_sec"] == "0xfffffffffffffffe"


def test_the_log_counts_what_is_there(incident):
    log = (incident / "ibdiagnet2.log").read_text()
    assert re.search(r"^Total Nodes +: (\d+)$", log, re.MULTILINE)[1] == str(len(rows(incident, "NODES")))
    assert re.search(r"^Total number of links +: (\d+)$", log, re.MULTILINE)[1] == str(
        len(rows(incident, "LINKS"))
    )
    assert re.search(r"^Links at 4x50 +: 1$", log, re.MULTILINE)
