"""SHARP: aggregation nodes, their counters, their trees."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import mini_file, real_file

from ibforensic.parsers import sharp_an_info, sharp_pm, sharp_tree

FIXTURES = Path(__file__).parents[1] / "fixtures"
ROW, ROW3 = "0x0abc000000000100", "0x0abc000000000300"
ONE, TWO = "0x0abc000000000108", "0x0abc000000000208"


def fixture(name: str) -> bytes:
    """Return one of the small files."""
    (path,) = (FIXTURES / name).iterdir()
    return path.read_bytes()


def test_each_switch_has_a_document():
    parsed = sharp_an_info.parse("f", fixture("sharp_an_info"))
    found = parsed.tables["settings"].to_pylist()
    assert [(row["entity"], row["topic"], json.loads(row["document"])["endianness"]) for row in found] == [
        (ROW, "sharp_an_info", "0"),
        (ROW3, "sharp_an_info", "1"),
    ]
    assert [(note.code, note.line) for note in parsed.notes] == [("sharp_an_info.bad_title", 14)]
    assert parsed.whole
    assert parsed.tables["runs"]["tool_version"].to_pylist() == ["2.12.0"]


def test_a_masked_file_without_a_head_says_what_is_wrong():
    data = real_file("ibdiagnet/6erm-yadro/log/ibdiagnet2.sharp_an_info").read_bytes()
    parsed = sharp_an_info.parse("f", data)
    assert parsed.tables["settings"].num_rows == 0
    assert {note.code for note in parsed.notes} == {"sharp_an_info.bad_title", "sharp_an_info.block_cut"}


def test_a_file_without_a_head_is_whole_with_its_last_line_end():
    data = mini_file("ibdiagnet2.sharp_pm").read_bytes()
    assert (sharp_pm.parse("f", data).whole, sharp_pm.parse("f", data[:-1]).whole) == (True, False)
    assert sharp_pm.parse("f", data).raw["SHARP_PM"]["ack_packet_sent"].to_pylist() == ["0x000000000000005a"]


def test_the_counters_stay_as_text_with_their_aggregation_nodes():
    parsed = sharp_pm.parse("f", fixture("sharp_pm"))
    found = parsed.tables["sharp"].to_pylist()
    assert [(row["node_guid"], row["lid"], row["line"]) for row in found] == [(ONE, 32, 8), (TWO, 33, 14)]
    assert found[0]["x_node_desc"] == "Aggregator of row 1"
    assert parsed.raw["SHARP_PM"].to_pydict() == {
        "GUID": ["0x0abc000000000108", "0xabc000000000208"],
        "packet_sent": ["0x0000000000000064", "0x0000000000000005"],
        "retry_packet_sent": ["0x0000000000000002", None],
        "new_counter": [None, "0x0000000000000001"],
    }
    assert (parsed.notes, parsed.whole) == ((), True)


def test_trees_and_their_nodes():
    parsed = sharp_tree.parse("f", fixture("sharp_tree"))
    wanted = ("tree_id", "node_guid", "lid", "radix", "parent_guid", "x_rank", "x_max_radix")
    assert [tuple(row[name] for name in wanted) for row in parsed.tables["sharp"].to_pylist()] == [
        (0, ONE, 32, 2, None, "0", "2"),
        (0, TWO, 33, 1, None, "1", "2"),
        (7, TWO, 33, 4, None, "0", "5"),
    ]
    assert parsed.tables["sharp"]["x_node_desc"].to_pylist()[0] == "Aggregator of row 1"
    assert [(note.code, note.line) for note in parsed.notes] == [("sharp_tree.bad_line", 10)]


def test_a_node_before_the_first_tree_is_left_out():
    data = fixture("sharp_tree").replace(b"TreeID:0,", b"Tree:0,")
    assert sharp_tree.parse("f", data).tables["sharp"]["tree_id"].to_pylist() == [7]
