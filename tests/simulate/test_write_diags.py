"""perfquery, ibnetdiscover and ibstat of a simulated fabric: our parsers read back what was simulated."""

from __future__ import annotations

import json

import pytest
from diags import incident, read_back, written
from test_topology import build

from ibforensic.cli.main import main
from ibforensic.model.counters import CATALOGUE
from ibforensic.model.enums import CounterGroup, Quality, Role
from ibforensic.model.ids import PortKey, link_key
from ibforensic.model.link_terms import rate_gbps
from ibforensic.simulate.incident import make_incident
from ibforensic.simulate.writers import writers

DEAD = {"symbol_error_counter", "link_downed_counter"}


@pytest.fixture(scope="module")
def sample():
    return incident()


@pytest.fixture(scope="module")
def folder(sample, tmp_path_factory):
    names = "perfquery,perfquery-x,perfquery-a,perfquery-details,ibnetdiscover,ibstat"
    return written(sample, tmp_path_factory.mktemp("diags"), names)


def up_ports(sample):
    """Return all ports that are up."""
    return {port for node in sample.seen_nodes() for port in sample.up_ports(node)}


def counters(group):
    """Return the counters of a group that something of this size can have counted."""
    return [counter for counter in CATALOGUE.values() if counter.group is group]


def test_the_incident_has_something_to_show(sample):
    full = {
        name
        for counts in sample.counters.values()
        for name, count in counts.items()
        if count > CATALOGUE[name].full
    }
    assert {"symbol_error_counter", "port_xmit_data"} <= full
    assert len(sample.off) == 1
    assert len(up_ports(sample)) < len(sample.fabric.link_at)


def test_perfquery_shows_the_narrow_registers(sample, folder):
    rows = read_back(folder / "perfquery", "counters_pma")
    assert {PortKey(row["node_guid"], row["port_num"]) for row in rows} == up_ports(sample)
    stuck = 0
    for row in rows:
        true = sample.counters[PortKey(row["node_guid"], row["port_num"])]
        assert row["lid"] == sample.lids[row["node_guid"]]
        for counter in counters(CounterGroup.PMA):
            if counter.bits == 64:
                continue
            count = true.get(counter.name, 0)
            assert row[counter.name] == min(count, counter.full)
            quality = Quality.SATURATED if count >= counter.full else Quality.NARROW
            assert row[f"{counter.name}_q"] == int(quality)
            stuck += quality is Quality.SATURATED
    assert stuck > len(rows)


def test_perfquery_x_shows_the_wide_registers_and_dead_twins(sample, folder):
    rows = read_back(folder / "perfquery-x", "counters_pma")
    assert {PortKey(row["node_guid"], row["port_num"]) for row in rows} == up_ports(sample)
    for row in rows:
        port = PortKey(row["node_guid"], row["port_num"])
        hca = sample.fabric.node[port.node_guid].role is Role.HCA
        for counter in counters(CounterGroup.PMA):
            column = counter.columns[-1]
            true = sample.counters[port].get(counter.name, 0)
            assert row[column] == (0 if hca and counter.name in DEAD else true), (port, column)


def test_port_255_is_the_sum(sample, folder):
    rows = {row["node_guid"]: row for row in read_back(folder / "perfquery-a", "counters_pma")}
    assert rows.keys() == {node.guid for node in sample.seen_nodes()}
    for guid, row in rows.items():
        assert row["port_num"] == 255
        ports = sample.up_ports(sample.fabric.node[guid])
        for name in ("link_downed_counter", "port_xmit_discards", "port_rcv_switch_relay_errors"):
            full = CATALOGUE[name].full
            true = [sample.counters[port].get(name, 0) for port in ports]
            assert row[name] == min(sum(min(count, full) for count in true), full)


def test_details_are_those_of_the_port(sample, folder):
    rows = read_back(folder / "perfquery-details", "counters_detail")
    told = [(row, PortKey(row["node_guid"], row["port_num"])) for row in rows]
    assert len(told) == 2 * len(up_ports(sample))
    seen = set()
    for row, port in told:
        for counter in counters(CounterGroup.DETAIL):
            if row[counter.name] is not None:
                seen.add(counter.name)
                assert row[counter.name] == min(sample.counters[port].get(counter.name, 0), counter.full)
    assert {"port_local_physical_errors", "port_inactive_discards", "port_looping_errors"} <= seen
    assert any(row["port_local_physical_errors"] for row, _ in told)


def test_old_hcas_have_no_wide_error_counters(tmp_path):
    pair, _ = make_incident(build("fat-tree:leaf=2,spine=1,hosts=3", speed="edr"), seed=2)
    written(pair.current, tmp_path, "perfquery-x")
    for row in read_back(tmp_path / "perfquery-x", "counters_pma"):
        hca = pair.current.fabric.node[row["node_guid"]].role is Role.HCA
        assert (row["link_downed_counter_ext_q"] == int(Quality.UNSUPPORTED)) is hca
        assert row["port_xmit_data_ext"] > 0


def test_ibnetdiscover_shows_nodes_and_links(sample, folder):
    nodes = {row["node_guid"]: row for row in read_back(folder / "ibnetdiscover", "nodes")}
    assert nodes.keys() == {node.guid for node in sample.seen_nodes()}
    for guid, row in nodes.items():
        node = sample.fabric.node[guid]
        assert row["node_desc"] == sample.names[guid]
        assert row["system_guid"] == node.system_guid
        assert row["device_id"] == node.chip.device_id
        assert row["lid"] == (sample.lids[guid] if node.is_switch else None)
    links = {
        link_key(
            PortKey(row["node_guid_a"], row["port_num_a"]), PortKey(row["node_guid_b"], row["port_num_b"])
        ): row
        for row in read_back(folder / "ibnetdiscover", "links")
    }
    assert links.keys() == {link.key for link in sample.up_links()}
    for key, row in links.items():
        state = sample.links[key]
        assert (row["width_active"], row["speed_active"]) == (state.width, state.speed)
    assert {row["speed_active"] for row in links.values()} == {"NDR", "HDR"}
    ports = read_back(folder / "ibnetdiscover", "ports")
    assert {PortKey(row["node_guid"], row["port_num"]) for row in ports} == up_ports(sample)
    for row in ports:
        hca = not sample.fabric.node[row["node_guid"]].is_switch
        assert row["lid"] == (sample.lids[row["node_guid"]] if hca else None)


def test_ibstat_shows_every_host_that_is_on(sample, folder):
    rows = {row["node_guid"]: row for row in read_back(folder / "ibstat", "hosts")}
    fabric = sample.fabric
    assert rows.keys() == {
        hca.guid for host, hcas in fabric.hosts.items() if host not in sample.off for hca in hcas
    }
    for guid, row in rows.items():
        port = PortKey(guid, 1)
        assert f"{row['host']} {row['device']}" == sample.names[guid]
        up = sample.is_up(port)
        assert (row["state"], row["phys_state"]) == (("active", "link_up") if up else ("down", "polling"))
        state = sample.links[fabric.link_at[port].key]
        assert row["rate_gbps"] == (rate_gbps(state.width, state.speed) if up else 10)
        assert row["lid"] == (sample.lids[guid] if up else 65535)
    assert any(row["host"].startswith("train-") for row in rows.values())


def test_devices_are_named_as_their_host_does(tmp_path):
    kinds = set()
    for seed in range(8):
        fabric = build("rail:hosts=2,rails=3,spine=1", seed=seed)
        pair, _ = make_incident(fabric, seed=seed)
        for row in read_back(written(pair.current, tmp_path / str(seed), "ibstat") / "ibstat", "hosts"):
            host, _, name = fabric.node[row["node_guid"]].name.partition(" ")
            number = name.partition("HCA-")[2]
            assert (row["host"], row["device"]) == (host, f"mlx5_{int(number) - 1}" if number else name)
            kinds.add(name[:3])
    assert kinds == {"HCA", "mlx", "ibp"}


def suspect_of(capsys, baseline, current):
    """Compare two folders and return the ends of the link that is blamed first."""
    with pytest.raises(SystemExit) as leaving:
        main(["diff", "-q", str(baseline), str(current), "--json", "-"])
    assert leaving.value.code == 1
    return ends_of(json.loads(capsys.readouterr().out)["suspects"][0])


def ends_of(suspect):
    """Return node GUID and port of both ends."""
    return {(suspect["link"][end]["node_guid"], suspect["link"][end]["port"]) for end in "ab"}


@pytest.mark.parametrize("names", ["perfquery,ibnetdiscover", "perfquery-x,ibnetdiscover", "all"])
def test_the_bad_link_is_found_without_ibdiagnet(tmp_path, capsys, names):
    out = tmp_path / "case"
    order = ("--topology", "fat-tree:leaf=3,spine=2,hosts=4", "--fault", "bad-link", "--severity", "high")
    with pytest.raises(SystemExit):
        main(["simulate", "-q", *order, "--seed", "3", "--also", names, "--out", str(out)])
    for path in out.glob("*/ibdiagnet2.*"):
        path.unlink()
    capsys.readouterr()
    truth = json.loads((out / "truth.json").read_text())
    assert suspect_of(capsys, out / "baseline", out / "current") == ends_of(truth["suspect"])


def test_what_is_written_besides_is_part_of_the_one_sample(tmp_path, capsys):
    out = tmp_path / "case"
    order = ("--topology", "fat-tree:leaf=2,spine=1,hosts=3", "--fault", "bad-link", "--severity", "high")
    with pytest.raises(SystemExit):
        main(["simulate", "-q", *order, "--also", "all", "--out", str(out)])
    capsys.readouterr()
    truth = json.loads((out / "truth.json").read_text())
    assert suspect_of(capsys, out / "baseline", out / "current") == ends_of(truth["suspect"])
    with pytest.raises(SystemExit):
        main(["snapshot", "-q", str(out / "current"), "-o", str(tmp_path / "a.ibf")])
    manifest = json.loads((tmp_path / "a.ibf" / "manifest.json").read_text())
    assert len(manifest["samples"]) == 1


def test_writers_have_names_of_their_own_and_say_what_they_write():
    found = writers()
    assert len({writer.name for writer in found}) == len(found)
    for writer in found:
        assert writer.files
        assert len(writer.title) > 15
