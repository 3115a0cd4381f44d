"""Counters that name their node by LID alone get its GUID from other files."""

from __future__ import annotations

from raw_output import HCA, HCA_PORT, LEAF, db_csv, ibstat, net_dump, perfquery, write

from ibforensic.capture import capture


def counters(sample) -> list[tuple]:
    names = ("lid", "node_guid", "port_num")
    rows = sample.tables["counters_pma"].to_pylist()
    return [tuple(row[name] for name in names) for row in rows if row["origin"] == "perfquery"]


def unresolved(sample):
    return [note for note in sample.notes if note.code == "capture.lid_unresolved"]


def read(folder, files):
    (sample,) = capture(write(folder, files)).samples
    return sample


def test_lid_of_a_switch_and_of_an_hca(tmp_path):
    files = {"ibdiagnet2.db_csv": db_csv(), "p.txt": perfquery(5, 17) + perfquery(6, 1) + perfquery(5, 255)}
    sample = read(tmp_path, files)
    assert counters(sample) == [(5, LEAF, 17), (6, HCA, 1), (5, LEAF, 255)]
    assert not unresolved(sample)


def test_lid_of_an_hca_from_ibstat(tmp_path):
    sample = read(tmp_path, {"node01.ibstat": ibstat(), "p.txt": perfquery(6, 1)})
    assert counters(sample) == [(6, HCA, 1)]


def test_unknown_lids_are_noted_once_and_the_rows_stay(tmp_path):
    sample = read(
        tmp_path, {"ibdiagnet2.db_csv": db_csv(), "p.txt": perfquery(77) + perfquery(78) + perfquery(5)}
    )
    assert counters(sample) == [(77, None, 3), (78, None, 3), (5, LEAF, 3)]
    (note,) = unresolved(sample)
    assert "2 LIDs (77, 78)" in note.message
    assert "ibnetdiscover" in note.help
    assert "ibdiagnet" in note.help


def test_lid_of_two_nodes_is_given_to_neither(tmp_path):
    files = {"n1.ibstat": ibstat(), "n2.ibstat": ibstat("0x02000000000000c0", 6), "p.txt": perfquery(6, 1)}
    sample = read(tmp_path, files)
    assert counters(sample) == [(6, None, 1)]
    assert "1 of them belongs to more than one node" in unresolved(sample)[0].message


def test_no_other_file_at_all(tmp_path):
    sample = read(tmp_path, {"p.txt": perfquery(6, 1)})
    assert counters(sample) == [(6, None, 1)]
    assert unresolved(sample)


def test_lids_of_another_run_are_not_used(tmp_path):
    old = net_dump("2030-12-01 00:00:00", "2030-12-01 00:00:05", lid=44)
    sample = read(
        tmp_path, {"ibdiagnet2.db_csv": db_csv(), "ibdiagnet2.net_dump": old, "p.txt": perfquery(44)}
    )
    assert counters(sample) == [(44, None, 3)]
    fresh = net_dump(lid=44)
    sample = read(tmp_path, {"ibdiagnet2.net_dump": fresh})
    assert counters(sample) == [(44, LEAF, 3)]


def test_guid_in_the_file_name_wins_over_the_lid(tmp_path):
    name = "0x02000000000000d0.out"
    sample = read(tmp_path, {"ibdiagnet2.db_csv": db_csv(), name: perfquery(5)})
    assert counters(sample) == [(5, "0x02000000000000d0", 3)]
    assert not unresolved(sample)


def test_port_guid_in_the_file_name_becomes_the_node_of_that_port(tmp_path):
    sample = read(tmp_path, {"ibdiagnet2.db_csv": db_csv(), f"{HCA_PORT}.out": perfquery(99, 1)})
    assert counters(sample) == [(99, HCA, 1)]
    (row,) = [row for row in sample.tables["counters_pma"].to_pylist() if row["origin"] == "perfquery"]
    assert row["port_guid"] == HCA_PORT


def test_real_numbers_of_rows_survive(tmp_path):
    files = {"ibdiagnet2.db_csv": db_csv(), "p.txt": b"".join(perfquery(5, port) for port in range(1, 41))}
    sample = read(tmp_path, files)
    assert [port for _, _, port in counters(sample)] == list(range(1, 41))
    assert set(sample.tables["counters_pma"]["symbol_error_counter"].to_pylist()) == {1}
