"""What must not matter, and what must follow: simulated incidents changed in ways with a known answer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from conftest import real_file
from handmade import counted, guid, hca, link, port, switch, table

from ibforensic.capture import capture
from ibforensic.diff.deltas import Known
from ibforensic.diff.facts import compare
from ibforensic.model.counters import CATALOGUE, in_group
from ibforensic.model.enums import CounterGroup
from ibforensic.model.ids import PortKey
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.incident import write_incident
from ibforensic.snapshot.build import build

MIXED = (
    FaultKind.BAD_LINK,
    FaultKind.WIDTH_LOSS,
    FaultKind.DEAD_LINK,
    FaultKind.DEAD_HOST,
    FaultKind.HOST_REBOOT,
    FaultKind.RENAME_HOST,
    FaultKind.SWITCH_COUNTER_CLEAR,
)


def incident(directory, *kinds, seed=5):
    """Write an incident; return both samples and the answer."""
    truth = write_incident(directory, seed=seed, faults=[Fault(kind) for kind in kinds])
    made = [build(capture(directory / name), name, "test").latest for name in ("baseline", "current")]
    return *made, truth


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return incident(tmp_path_factory.mktemp("mixed"), *MIXED)


def grown(facts, only=None):
    """Return growth by port and counter, where there is anything to tell or to leave untold."""
    found = {}
    for name, item in facts.growth.counters.items():
        for at, key in enumerate(facts.pair.port_keys):
            if only is None or key.node_guid in only:
                found[name, key] = (int(item.delta[at]), int(item.known[at]), int(item.before.value[at]))
    return found


def facts_of(facts):
    """Return everything a comparison says, without the order of what has none."""
    return (
        sorted(map(str, facts.changes)),
        facts.topology,
        grown(facts),
        facts.coverage,
        dict(facts.who.roles),
        dict(facts.pair.restarted),
    )


def edited(sample, change):
    """Return a sample whose tables went through a function of name and table."""
    tables = {name: change(name, found) for name, found in sample.tables.items()}
    info = replace(sample.info, tables={name: found.num_rows for name, found in tables.items()})
    return replace(sample, tables=tables, info=info)


def kinds(facts):
    return {change.kind for change in facts.changes}


def test_a_sample_is_the_same_as_itself(mixed):
    for sample in mixed[:2]:
        facts = compare(sample, sample)
        assert facts.same
        assert facts.changes == ()
        assert not any(item.delta.any() for item in facts.growth.counters.values())
        assert not any(mask.any() for mask in facts.growth.cleared.sure.values())
        assert not facts.topology.missing_nodes
    assert not compare(*mixed[:2]).same


def test_a_real_fabric_is_the_same_as_itself():
    sample = build(capture(real_file("ibdiagnet/gary-ndr")), "real", "test").latest
    facts = compare(sample, sample)
    assert facts.same
    assert facts.changes == ()
    assert not any(item.delta.any() for item in facts.growth.counters.values())
    assert facts.coverage.links["both"] == facts.coverage.links["current"] > 200


def test_the_changes_are_those_that_happened(mixed):
    facts, truth = compare(*mixed[:2]), mixed[2]
    by_kind = {}
    for change in facts.changes:
        by_kind.setdefault(change.kind, set()).add(change.node_guid or change.port)
    renamed = {guid for entry in truth["renamed"] for guid in entry["node_guids"]}
    rebooted = {guid for entry in truth["rebooted"] for guid in entry["node_guids"]}
    assert by_kind.pop("node_renamed") == renamed
    hosts = {facts.who.host(guid) or guid for guid in rebooted}
    told = by_kind.pop("node_rebooted")
    assert told <= rebooted
    assert {facts.who.host(guid) or guid for guid in told} == hosts
    assert len(told) == len(hosts)  # one line a host, however many HCAs it has
    assert by_kind.pop("node_missing") == set(truth["gone"])
    assert by_kind.pop("counters_cleared") >= {entry["node_guid"] for entry in truth["cleared"]}
    wide = next(entry["link"] for entry in truth["suspects"] if entry["kind"] == "width_loss")
    ends = {PortKey(wide[end]["node_guid"], wide[end]["port"]) for end in "ab"}
    assert by_kind.pop("port_width_active") == ends
    dead = [entry for entry in truth["suspects"] if entry["kind"] in ("dead_link", "dead_host")]
    links = sum(len(entry["host"]["node_guids"]) if entry["host"] else 1 for entry in dead)
    assert len(by_kind.pop("link_lost")) == len(facts.topology.lost_links) == links
    assert by_kind.keys() <= {"port_fec"}


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_rows_does_not_matter(mixed, seed):
    random = np.random.default_rng(seed)

    def shuffle(_, found):
        return found.take(pa.array(random.permutation(found.num_rows)))

    shuffled = compare(*(edited(sample, shuffle) for sample in mixed[:2]))
    assert facts_of(shuffled) == facts_of(compare(*mixed[:2]))


def crowd(first, count, later):
    """Return the rows of a healthy pod: a leaf for each 40 hosts, all of them at one spine."""
    leaves = range(first, first + count // 40)
    spine = first - 1
    nodes = [switch(spine, f"pod-spine-{spine}")] + [switch(leaf, f"pod-leaf-{leaf}") for leaf in leaves]
    links = []
    for at, leaf in enumerate(leaves):
        links.append(link(leaf, 60, spine, at + 1))
        for slot in range(1, 41):
            number = first + 10_000 + at * 40 + slot
            nodes.append(hca(number, f"pod-{number} mlx5_0"))
            links.append(link(leaf, slot, number, 1))
    ends = [(int(row[f"node_guid_{end}"], 16), row[f"port_num_{end}"]) for row in links for end in "ab"]
    amount = 9_000 if later else 5_000
    usual = {"port_rcv_errors_ext": 1, "link_downed_counter_ext": 2, "symbol_error_counter_ext": 0}
    return {
        "nodes": nodes,
        "links": links,
        "ports": [port(*end) for end in ends],
        "counters_pma": [counted(*end, port_xmit_data_ext=amount, **usual) for end in ends],
    }


def test_a_thousand_healthy_nodes_change_nothing_for_the_others(mixed):
    crowds = [crowd(1_000, 1_000, later) for later in (False, True)]

    def joined(sample, rows):
        def join(name, found):
            return (
                pa.concat_tables([found, table(name, rows[name])], promote_options="default")
                if name in rows
                else found
            )

        return edited(sample, join)

    alone = compare(*mixed[:2])
    among = compare(*(joined(sample, rows) for sample, rows in zip(mixed[:2], crowds, strict=True)))
    ours = set(alone.who.nodes)
    assert len(among.who.nodes) == len(ours) + 1_026
    assert sorted(map(str, among.changes)) == sorted(map(str, alone.changes))
    assert among.topology == alone.topology
    assert grown(among, only=ours) == grown(alone, only=ours)
    assert {guid: among.who.roles[guid] for guid in ours} == dict(alone.who.roles)
    ends = 2 * (1_000 + 25)
    for name in ("baseline", "current", "both", "judged"):
        assert among.coverage.ports[name] == alone.coverage.ports[name] + ends
    assert among.coverage.not_judged == alone.coverage.not_judged
    assert among.coverage.compared == alone.coverage.compared
    assert among.who.roles[guid(999)] == "spine"


@pytest.mark.parametrize("kind", [FaultKind.LID_RESHUFFLE, FaultKind.TRAFFIC_GROWTH])
def test_new_lids_and_more_work_are_no_changes(tmp_path, kind):
    facts = compare(*incident(tmp_path, kind)[:2])
    assert facts.changes == ()
    data = facts.growth.counters["port_xmit_data"]
    assert (data.known == int(Known.EXACT)).sum() == facts.coverage.ports["both"]
    assert data.grew.sum() == facts.coverage.ports["both"]


def test_new_lids_change_nothing_at_all(mixed):
    def new_lids(_, found):
        if "lid" not in found.column_names:
            return found
        at = found.column_names.index("lid")
        lids = pa.array([lid and 40_000 - lid for lid in found["lid"].to_pylist()], found["lid"].type)
        return found.set_column(at, found.schema.field(at), lids)

    baseline, current, _ = mixed
    renumbered = edited(current, new_lids)
    assert renumbered.tables["ports"]["lid"] != current.tables["ports"]["lid"]
    assert facts_of(compare(baseline, renumbered)) == facts_of(compare(baseline, current))


def test_a_clear_never_makes_a_growth_larger(tmp_path):
    looked_at = [name for name in CATALOGUE if "rcv_errors" in name or "physical" in name or "data" in name]
    for seed in range(2):
        whole = compare(*incident(tmp_path / f"whole {seed}", FaultKind.BAD_LINK, seed=seed)[:2])
        faults = (FaultKind.BAD_LINK, FaultKind.HOST_REBOOT, FaultKind.FABRIC_COUNTER_CLEAR)
        cut = compare(*incident(tmp_path / f"cut {seed}", *faults, seed=seed)[:2])
        assert kinds(cut) == {"fabric_cleared", "node_rebooted"}
        assert cut.pair.port_keys == whole.pair.port_keys
        bounds = 0
        for name in looked_at:
            if name not in cut.growth.counters:
                continue
            truth, found = whole.growth.counters[name], cut.growth.counters[name]
            both = (truth.known == int(Known.EXACT)) & (found.known == int(Known.AT_LEAST))
            assert (found.delta[both] <= truth.delta[both]).all(), name
            bounds += int(both.sum())
        assert bounds > 100


def test_a_file_of_an_older_run_hides_no_loss(tmp_path):
    baseline, _, truth = incident(tmp_path, FaultKind.DEAD_HOST)
    folder = tmp_path / "current"
    old = (tmp_path / "baseline" / "ibdiagnet2.db_csv").read_bytes()
    (folder / "before.db_csv").write_bytes(old)
    current = build(capture(folder), "current", "test").latest
    assert [source.path for source in current.info.sources if source.stale] == ["before.db_csv"]
    facts = compare(baseline, current)
    assert set(facts.topology.missing_nodes) == set(truth["gone"])
    assert kinds(facts) == {"node_missing", "link_lost"}
    assert not any(mask.any() for mask in facts.growth.cleared.sure.values())


def test_samples_in_between_are_added_up(tmp_path):
    """A counter that was cleared after the middle sample still tells what it had counted before."""
    baseline, middle, _ = incident(tmp_path / "first", FaultKind.BAD_LINK)

    def cleared(name, found):
        if name != "counters_pma":
            return found
        for counter in in_group(CounterGroup.PMA):
            for column in counter.columns:
                at = found.column_names.index(column)
                half = [None if value is None else value // 2 for value in found[column].to_pylist()]
                found = found.set_column(at, found.schema.field(at), pa.array(half, pa.uint64()))
        return found

    current = edited(middle, cleared)
    direct, summed = compare(baseline, current), compare(baseline, current, (middle,))
    whole = compare(baseline, middle)
    then, now, true = (facts.growth.counters["port_rcv_errors"] for facts in (direct, summed, whole))
    worst = int(np.argmax(true.delta))
    assert now.delta[worst] == true.delta[worst] + now.after.value[worst]
    assert now.delta[worst] > then.delta[worst]
    assert now.known[worst] == int(Known.AT_LEAST)
    assert kinds(summed) == {"fabric_cleared"}
    assert compare(baseline, middle, (baseline,)).growth.counters["port_rcv_errors"].delta.tolist() == (
        true.delta.tolist()
    )
