"""``show --where NAME`` finds the rows of a node in tables that hold GUIDs only."""

from __future__ import annotations

import csv

import pytest

from ibforensic.cli.main import main
from ibforensic.model.resources import samples_dir

CURRENT = str(samples_dir() / "uplink-errors" / "current")
LEAF_02 = "0xa2e90b030044fc00"


def rows(source: str, table: str, where: str, capsys) -> list[dict[str, str]]:
    with pytest.raises(SystemExit) as leaving:
        main(["show", "-q", source, table, "--where", where, "--csv"])
    assert not leaving.value.code
    return list(csv.DictReader(capsys.readouterr().out.splitlines()))


@pytest.mark.parametrize("where", ["leaf-02", "LEAF-02/U1", "MF0;leaf-02", LEAF_02])
@pytest.mark.parametrize("table", ["ports", "counters_pma", "counters_detail", "nodes"])
def test_a_name_a_part_of_it_and_a_guid_find_the_rows_of_a_node(table, where, capsys):
    found = rows(CURRENT, table, where, capsys)
    own = [row["node_guid"] == LEAF_02 for row in found]
    assert own[0]
    assert own == sorted(own, reverse=True), "rows of the node itself come first"
    assert table == "ports" or all(own)


def test_links_are_found_from_either_end(capsys):
    found = rows(CURRENT, "links", "leaf-02", capsys)
    assert found
    assert all(LEAF_02 in (row["node_guid_a"], row["node_guid_b"]) for row in found)
    assert len({row["node_guid_a"] == LEAF_02 for row in found}) == 2


def test_rows_of_the_node_come_before_rows_that_only_tell_its_name(tmp_path, capsys):
    lines = ["vendid=0x2c9", "devid=0xd2f2", "sysimgguid=0x1a", "switchguid=0x1a(1a)"]
    second = [line.replace("1a", "1b") for line in lines]
    (tmp_path / "ibnetdiscover.txt").write_text(
        "\n".join(
            [
                *lines,
                'Switch\t2 "S-000000000000001a"\t\t# "leaf-1" enhanced port 0 lid 3 lmc 0',
                '[1]\t"S-000000000000001b"[1]\t\t# "leaf-10" lid 4 4xNDR',
                "",
                *second,
                'Switch\t2 "S-000000000000001b"\t\t# "leaf-10" enhanced port 0 lid 4 lmc 0',
                '[1]\t"S-000000000000001a"[1]\t\t# "leaf-1" lid 3 4xNDR',
                "",
            ]
        )
    )
    names = [row["node_name"] for row in rows(str(tmp_path), "nodes", "leaf-1", capsys)]
    assert (names[0], set(names)) == ("leaf-1", {"leaf-1", "leaf-10"})
    backwards = [row["node_name"] for row in rows(str(tmp_path), "nodes", "leaf-10", capsys)]
    assert set(backwards) == {"leaf-10"}


def test_a_text_of_a_cell_is_still_found(capsys):
    found = rows(CURRENT, "ports", "polling", capsys)
    assert found
    assert all("polling" in "".join(row.values()).lower() for row in found)
