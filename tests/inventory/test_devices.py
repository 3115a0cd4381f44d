"""Devices, LIDs, peers that are silent, planes."""

from __future__ import annotations

from handmade import guid, hca, link, port, sample, source, switch, two_level
from stock import cells, stock

from ibforensic.diff.facts import look
from ibforensic.inventory import take_stock
from ibforensic.model.inventory import Grade


def nodes(odd=1, of=20, field="fw_version", value="28.30"):
    """Many HCAs of one kind, some of which differ in one field."""
    usual = {"fw_version": "28.40", "psid": "MT_1"}
    made = [hca(number, **usual) for number in range(100, 100 + of)]
    return [row | {field: value} if at < odd else row for at, row in enumerate(made)]


def test_d27_few_nodes_with_another_firmware_stand_out():
    found = stock(nodes=nodes(), links=[], ports=[])
    assert found["devices"].count == 20
    few = found["minorities"]
    assert (few.level, few.count) == (Grade.NOTICE, 1)
    assert cells(few, "Firmware") == ["28.30"]
    assert cells(few, "For example") == ["host-100 mlx5_0"]


def test_d27_few_nodes_with_another_board_stand_out():
    few = stock(nodes=nodes(field="psid", value="MT_2"), links=[], ports=[])["minorities"]
    assert cells(few, "PSID") == ["MT_2"]


def test_two_versions_in_balance_are_no_minority():
    found = stock(nodes=nodes(odd=8), links=[], ports=[])
    assert (found["minorities"].count, found["minorities"].level) == (0, Grade.INFO)
    assert sorted(cells(found["devices"], "Nodes")) == [8, 12]


def test_a_node_that_does_not_tell_its_firmware_is_no_minority():
    silent = [row | {"fw_version": None, "psid": None} for row in nodes()[:1]]
    assert stock(nodes=silent + nodes(odd=0)[1:], links=[], ports=[])["minorities"].count == 0


def test_gpus_are_known_by_their_description():
    gpu = hca(50, "GB200 Nvidia Technologies", device_id=None)
    assert "GPU" in cells(stock(nodes=[gpu], links=[], ports=[])["devices"], "Kind")


def test_lids_that_no_port_can_have():
    lids = {11: 0, 12: 65535, 13: 49152, 14: 7}
    ports = [port(number, 1, lid=lid) for number, lid in lids.items()]
    ports += [port(1, 1, lid=0), port(1, 0, lid=0)]  # Ports of a switch have none; its management port has.
    found = stock(ports=ports)["invalid_lids"]
    assert found.level is Grade.NOTICE
    assert sorted(cells(found, "LID")) == [0, 0, 49152, 65535]
    assert "host-14 mlx5_0" not in cells(found, "Node")
    assert cells(found, "Port").count(0) == 1


def test_ports_that_are_down_need_no_lid():
    assert stock(ports=[port(11, 1, lid=0, state="down")])["invalid_lids"].note.startswith("not collected")


def test_a_silent_peer_is_listed_in_the_words_of_the_tool():
    text = "the port is UP, but remote peer is not responding"
    row = {"event": "REMOTE_PEER_NOT_RESPONDING", "node_guid": guid(1), "port_num": 2, "text": text}
    found = stock(events=[row])["silent_peers"]
    assert found.rows == (("leaf-1 port 2", text),)
    assert found.level is Grade.NOTICE


def test_nobody_is_silent_only_where_ibnetdiscover_was_read():
    assert stock()["silent_peers"].count is None
    assert stock(sources=(source("ibdiagnet2.ibnetdiscover"),))["silent_peers"].count == 0


def test_an_aggregated_port_that_lost_a_plane():
    nodes_ = [switch(1, "leaf-1", system_guid=guid(9))]
    ports = [
        port(1, number, aport=1 + (number > 4), plane=(number - 1) % 4 + 1, rate_gbps=200.0)
        for number in range(1, 9)
    ]
    ports[2]["state"] = "down"
    found = {item.id: item for item in take_stock(look(sample(nodes=nodes_, ports=ports)))}["planes"]
    assert found.rows == (("leaf-1", 1, "3 of 4 planes up", 600.0),)
    assert found.level is Grade.NOTICE


def test_links_by_rate_and_those_below_what_both_ends_could_do():
    could = {"width_enabled": "1x,2x,4x", "speed_enabled": "HDR,NDR"}
    rows = two_level()["ports"]
    ports = [row | could for row in rows]
    for row in ports:
        if row["node_guid"] == guid(11) or (row["node_guid"] == guid(1) and row["port_num"] == 1):
            row |= {"width_active": "2x"}
    found = stock(ports=ports)
    assert dict(
        zip(cells(found["link_rates"], "Rate"), cells(found["link_rates"], "Links"), strict=True)
    ) == {
        "4x NDR": 5,
        "2x NDR": 1,
    }
    assert found["links_below"].rows == (("leaf-1 port 1", "host-11 mlx5_0 port 1", "2x NDR", "4x NDR"),)


def test_links_that_were_built_so_are_counted_together():
    could = {"width_enabled": "1x,2x,4x", "speed_enabled": "HDR,NDR", "speed_active": "HDR"}
    links = [link(1, number, 100 + number, 1) for number in range(1, 9)]
    ports = [port(1, number, **could) for number in range(1, 9)]
    ports += [port(100 + number, 1, **could) for number in range(1, 9)]
    nodes_ = [switch(1)] + [hca(100 + number) for number in range(1, 9)]
    found = stock(nodes=nodes_, links=links, ports=ports)["links_below"]
    assert (found.count, found.level) == (0, Grade.INFO)
    assert found.rows == (("8 links of a kind", None, "4x HDR", "4x NDR"),)
