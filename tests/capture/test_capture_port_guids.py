"""HCAs that a tool names by a port's GUID become the node that another file tells."""

from __future__ import annotations

from ibforensic.capture import capture

NODE, FIRST, SECOND = "0x0002c90300002778", "0x0002c90300002779", "0x0002c9030000277a"
LEAF = "0x0200000000000100"
LINKS = f"""CA: old HCA-1:
      {FIRST}     10    1[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>       1    7[  ] "leaf" ( )
Switch: {LEAF} leaf:
           1    7[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>      10    1[  ] "old HCA-1" ( )
"""
IBSTAT = f"""CA 'mlx4_0'
	CA type: MT26428
	Number of ports: 2
	Firmware version: 2.9.1000
	Hardware version: b0
	Node GUID: {NODE}
	System image GUID: 0x0002c9030000277b
	Port 1:
		State: Active
		Physical state: LinkUp
		Rate: 40
		Base lid: 10
		LMC: 0
		SM lid: 1
		Capability mask: 0x02510868
		Port GUID: {FIRST}
		Link layer: InfiniBand
	Port 2:
		State: Down
		Physical state: Polling
		Rate: 10
		Base lid: 0
		LMC: 0
		SM lid: 0
		Capability mask: 0x02510868
		Port GUID: {SECOND}
		Link layer: InfiniBand
"""


def tables(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (sample,) = capture([tmp_path]).samples
    return sample.tables


def test_the_node_of_the_port_takes_its_place_everywhere(tmp_path):
    found = tables(tmp_path, links=LINKS, ibstat=IBSTAT)
    assert set(found["nodes"]["node_guid"].to_pylist()) == {NODE, LEAF}
    assert set(found["ports"]["node_guid"].to_pylist()) == {NODE, LEAF}
    (link,) = found["links"].to_pylist()
    assert (link["node_guid_a"], link["port_num_a"], link["node_guid_b"]) == (NODE, 1, LEAF)
    peers = {row["port_num"]: row["peer_node_guid"] for row in found["ports"].to_pylist() if row["lid"] == 1}
    assert peers == {7: NODE}


def test_without_another_file_the_port_stands_for_the_node(tmp_path):
    found = tables(tmp_path, links=LINKS)
    assert set(found["nodes"]["node_guid"].to_pylist()) == {FIRST, LEAF}


def test_errors_of_an_hca_are_listed_under_its_port(tmp_path):
    errors = f"""Errors for "old HCA-1"
   GUID {FIRST} port 1: [SymbolErrorCounter == 9]

## Summary: 2 nodes checked, 1 bad nodes found
##          3 ports checked, 1 ports have errors beyond threshold
## Thresholds:
## Suppressed:
"""
    found = tables(tmp_path, errors=errors, ibstat=IBSTAT)
    assert set(found["nodes"]["node_guid"].to_pylist()) == {NODE}
    (row,) = found["counters_pma"].to_pylist()
    assert (row["node_guid"], row["port_num"], row["symbol_error_counter"]) == (NODE, 1, 9)
