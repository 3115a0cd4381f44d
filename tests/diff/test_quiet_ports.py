"""A list of ports with errors names no port without: such a port counted 0, or nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibforensic import pipeline
from ibforensic.capture import capture
from ibforensic.model.enums import Quality

LEAF = "0x0200000000000100"
NOISE = f"""Errors for {LEAF} "leaf-1"
   GUID {LEAF} port 9: [PortXmitWait == 7 (7.000)] [LinkDownedCounter == 2 (2.000)]
"""
FAULT = f"   GUID {LEAF} port 2: [SymbolErrorCounter == 90000 (87.891K)] [PortRcvErrors == 8000 (7.812K)]\n"
END = """
## Summary: 6 nodes checked, 1 bad nodes found
##          10 ports checked, 1 ports have errors beyond threshold
##
"""
LINKS = """Switch: 0x0200000000000100 leaf-1:
           1    2[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>      12    1[  ] "host-b mlx5_0" ( )
           1    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )
           1    9[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>      13    1[  ] "host-c mlx5_0" ( )
"""


def compare(tmp_path: Path, before: str, after: str):
    sides = []
    for name, text in (("before", before), ("after", after)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "errors.txt").write_text(text)
        sides.append(pipeline.snapshot([folder]))
    return pipeline.diff(*sides).document


def blamed(document) -> list[tuple[str, int]]:
    return [(one["end"]["node_guid"], one["end"]["port"]) for one in document["suspects"]]


def test_a_port_that_only_the_later_list_names_is_to_blame(tmp_path):
    document = compare(tmp_path, NOISE + END, NOISE + FAULT + END.replace("1 ports have", "2 ports have"))
    assert blamed(document) == [(LEAF, 2)]
    assert "grew by 90,000" in str(document)


def test_a_first_list_without_any_port_counts_too(tmp_path):
    nobody = END.replace("1 bad nodes", "0 bad nodes").replace("1 ports have", "0 ports have")
    assert blamed(compare(tmp_path, nobody, NOISE + FAULT + END)) == [(LEAF, 2)]


def test_an_edited_list_that_names_more_than_its_totals_is_used(tmp_path):
    assert blamed(compare(tmp_path, NOISE + END, NOISE + FAULT + END)) == [(LEAF, 2)]


@pytest.mark.parametrize(
    "before",
    [
        NOISE,
        NOISE + END.replace("10 ports", "9 ports"),
        NOISE + END + "## 1 PMA query failures\n",
        NOISE + END.replace("\n##\n", "\n## Thresholds: [SymbolErrorCounter == 10] [PortRcvErrors == 10]\n"),
        NOISE.replace("00000100", "00000900") + END,
    ],
    ids=["cut", "fewer ports", "failures", "thresholds", "another fabric"],
)
def test_nothing_is_made_up_where_the_first_list_may_hide_the_port(tmp_path, before):
    assert "grew by 90,000" not in str(compare(tmp_path, before, NOISE + FAULT + END))


def zeros(tmp_path: Path, errors: str, links: str = LINKS) -> dict[int, tuple]:
    (tmp_path / "errors.txt").write_text(errors)
    (tmp_path / "links.txt").write_text(links)
    (sample,) = capture([tmp_path]).samples
    table = sample.tables["counters_pma"].to_pylist()
    names = ("symbol_error_counter_ext", "port_xmit_wait_ext")
    return {
        row["port_num"]: tuple(row[name] for name in names)
        for row in table
        if row["origin"] == "ibqueryerrors:not listed" and row["symbol_error_counter_ext_q"] == Quality.WIDE
    }


def test_ports_that_other_files_call_up_get_zeros(tmp_path):
    assert zeros(tmp_path, NOISE + END) == {2: (0, None)}


def test_data_counters_beside_the_errors_change_nothing(tmp_path):
    data = NOISE.replace("Errors for", "Data Counters for").replace("LinkDownedCounter", "PortXmitData") + END
    (tmp_path / "data.txt").write_text(data)
    assert zeros(tmp_path, "") == {}
    assert zeros(tmp_path, NOISE + END) == {2: (0, None)}


@pytest.mark.parametrize("end", ["", END.replace("10 ports", "1 ports"), END.replace("6 nodes", "0 nodes")])
def test_no_zeros_where_not_all_known_ports_were_checked(tmp_path, end):
    assert zeros(tmp_path, NOISE + end) == {}


SILENT = "ibwarn: [7] mad_rpc: _do_madrpc failed; dport (Lid {lid})\n"
HOST = """CA: host-{name} mlx5_0:
      0x020000000000{name}000 {lid} 1[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==> 1 {num}[  ] "" ( )
"""
HOST_D = HOST.format(name="d", lid=14, num=4)
HOST_B = HOST.format(name="b", lid=12, num=2)


@pytest.mark.parametrize(
    ("lid", "expected"),
    [(14, {2: (0, None)}), (1, {1: (0, None)}), (99, {1: (0, None), 2: (0, None)})],
    ids=["the host is silent", "the leaf is silent", "a node that no other file knows"],
)
def test_a_silent_node_gets_no_zeros_and_the_others_do(tmp_path, lid, expected):
    assert zeros(tmp_path, SILENT.format(lid=lid) + NOISE + END, LINKS + HOST_D) == expected


def test_a_port_whose_own_lid_nobody_tells_may_be_the_silent_one(tmp_path):
    bare = HOST_D.replace(" 14 1[", "    1[")
    assert zeros(tmp_path, NOISE + END, LINKS + HOST_D) == {1: (0, None), 2: (0, None)}
    assert 1 not in zeros(tmp_path, SILENT.format(lid=99) + NOISE + END, LINKS + bare)


def test_a_warning_about_one_node_leaves_the_others_judged(tmp_path):
    sides = []
    for name, fault in (("before", ""), ("after", FAULT)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "errors.txt").write_text(SILENT.format(lid=14) + NOISE + fault + END)
        (folder / "links.txt").write_text(LINKS + HOST_D + HOST_B)
        sides.append(pipeline.snapshot([folder]))
    document = pipeline.diff(*sides).document
    assert blamed(document) == [(LEAF, 2)]
    assert not any("is cut" in gap["text"] for gap in document["coverage"]["not_judged"])


def test_nodes_known_by_the_lists_alone_may_be_the_silent_one(tmp_path):
    before = SILENT.format(lid=14) + NOISE + END
    assert "grew by 90,000" not in str(compare(tmp_path, before, NOISE + FAULT + END))
