"""Which ports took part in a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibforensic.ladder.places import places_of, ports_of, shares
from ibforensic.ladder.runs import Curve, Member, runs_of
from ibforensic.model.ids import PortKey
from ibforensic.model.tables import TABLES
from ibforensic.parsers import perftest

FIXTURE = Path(__file__).parents[1] / "fixtures" / "perftest" / "host_and_gpu.txt"
A, B = PortKey("0x00000000000000a1", 1), PortKey("0x00000000000000b1", 1)


def table(name, *rows):
    columns = {column: [row.get(column) for row in rows] for row in rows for column in row}
    return TABLES[name].conform(columns, rows=len(rows), source="x", origin="test")


def port(key, lid, rate):
    return {"node_guid": key.node_guid, "port_num": key.port_num, "lid": lid, "rate_gbps": rate}


def fabric(*rates, hosts=()):
    ports = [port(key, lid, rate) for key, lid, rate in zip((A, B), (172, 193), rates, strict=True)]
    return {"ports": table("ports", *ports), "hosts": table("hosts", *hosts)}


def member(*, host=None, device=None, lid=None):
    return Member(0, host, device, lid, None)


def test_lids_of_perftest_lead_to_ports_and_to_shares_of_the_slower_rate():
    gpu, *_ = runs_of(perftest.parse(FIXTURE.name, FIXTURE.read_bytes()).tables)
    places = places_of(fabric(800.0, 1600.0))
    assert [ports_of(each, places) for each in gpu.members] == [(A,), (B,)]
    assert shares(gpu, places)[Curve("bandwidth", "average", 65536)] == pytest.approx(780.11 / 800)


def test_no_share_where_a_side_is_not_known():
    gpu, *_ = runs_of(perftest.parse(FIXTURE.name, FIXTURE.read_bytes()).tables)
    assert shares(gpu, places_of({})) == {}
    assert shares(gpu, places_of(fabric(800.0, None))) == {}


def test_devices_lead_to_ports_by_what_hosts_say():
    host = {"host": "ml07.example.org", "device": "mlx5_4"}
    first = {**port(A, None, None), **host}
    places = places_of(fabric(800.0, 800.0, hosts=[first, {**first, "port_num": 2}]))
    assert ports_of(member(host="ml07", device="mlx5_4:1"), places) == (A,)
    assert ports_of(member(host="ML07", device="mlx5_4"), places) == (A, PortKey(A.node_guid, 2))
    assert ports_of(member(host="ml07", device="mlx5_9:1"), places) == ()
    assert ports_of(member(host="ml07"), places) == ()


def test_lid_of_two_nodes_leads_nowhere():
    ports = table("ports", port(A, 5, 400.0), port(B, 5, 400.0))
    assert ports_of(member(lid=5), places_of({"ports": ports})) == ()
