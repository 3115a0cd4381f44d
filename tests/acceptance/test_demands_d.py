"""Two views that disagree, data that is partial, planes, split ports and names (DEMANDS D)."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from answers import changed, end, ends, kinds, words
from host_views import hosts_say_down, hosts_speak, hosts_still_say_so, hosts_tell_another_rate
from small_fabric import NOISE, Story, checked, compare, story

from ibforensic.cli.main import main
from ibforensic.evidence import POLICY
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.ignoring import Purpose
from ibforensic.model.resources import samples_dir
from ibforensic.simulate.healthy import healthy_pair
from ibforensic.simulate.topology import build_topology
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.simulate.write_db_csv import db_csv

CURRENT = str(samples_dir() / "uplink-errors" / "current")


def exit_status(*arguments):
    with pytest.raises(SystemExit) as leaving:
        main(list(arguments))
    return leaving.value.code


def test_d22_a_port_that_its_host_calls_active_is_not_called_down():
    told = story()
    hosts_still_say_so(told)
    comparison = told.compare()
    (suspect,) = comparison.document["suspects"]
    assert ends(suspect) == {told.hca(), told.peer(told.hca())}
    assert kinds(suspect) == {"views_disagree"}
    assert "the host calls it active" in suspect["headline"]["text"]
    assert "ask the subnet manager" in suspect["next_action"]["text"]
    assert "Reseat" not in words(comparison)


def test_d22_a_port_that_the_fabric_shows_and_its_host_calls_down_accuses_no_cable():
    told = story()
    hosts_say_down(told)
    for comparison in (told.compare(), checked(told)):
        assert comparison.document["verdict"] == "no_suspect"
        (sign,) = comparison.document["watch"]
        assert (sign["message"], end(sign["where"])) == ("views_disagree.host_down", told.hca())


def test_d22_a_rate_that_host_and_fabric_tell_differently_is_told():
    told = story()
    hosts_tell_another_rate(told)
    for comparison in (told.compare(), checked(told)):
        assert comparison.document["verdict"] == "no_suspect"
        (sign,) = comparison.document["watch"]
        assert (sign["message"], end(sign["where"])) == ("views_disagree.rate", told.hca())
        assert "200 Gb/s, and the fabric 400 Gb/s (4x NDR)" in sign["text"]


def test_d22_a_rate_that_always_was_told_differently_or_is_spelt_otherwise_is_no_news():
    told = story()
    hosts_tell_another_rate(told, always=True)
    assert told.compare().document["watch"] == []
    told = story()
    hosts_tell_another_rate(told, rate="399.5")
    assert told.compare().document["watch"] == checked(told).document["watch"] == []


def test_d22_where_both_agree_a_dead_link_is_a_dead_link():
    told = story()
    told.unplug(told.hca())
    hosts_speak(told)
    (suspect,) = told.compare().document["suspects"]
    assert "views_disagree" not in kinds(suspect)
    assert "link_lost" in kinds(suspect)


def test_d23_what_a_cut_file_lacks_is_not_observed_and_cannot_be_judged(tmp_path, capsys):
    told = story()
    told.unplug(told.hca(1, 0), told.hca(1, 1))
    told.cut = "END_PORTS"
    comparison = told.compare()
    assert comparison.document["suspects"] == []
    assert {"node_not_observed"} == {kind for kind in changed(comparison) if kind.startswith("node_")}
    cut = [source for source in comparison.document["current"]["sources"] if not source["whole"]]
    assert len(cut) == 1
    for name, files in zip(("baseline", "current"), told.files(), strict=True):
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    assert exit_status("diff", "-q", str(tmp_path / "baseline"), str(tmp_path / "current")) == 3
    assert "Cannot judge" in capsys.readouterr().out


def test_d23_every_comparison_says_how_complete_it_is():
    told = story()
    silent = told.uplink()[0]
    told.after.append(lambda sheet: sheet["PM_INFO"].remove(sheet.row("PM_INFO", silent)))
    coverage = told.compare().document["coverage"]
    assert coverage["nodes"] == {"baseline": 17, "current": 17, "both": 17}
    assert coverage["ports"]["expected"] - coverage["ports"]["judged"] == 1
    assert 0 < coverage["share"] < 1


def planes(*lost, whole_asic=False):
    """A fabric of four planes, in which ports of one HCA lose their links, or an ASIC is gone."""
    fabric = build_topology(parse_spec("planes:leaf=2,spine=2,hosts=3"), ("XDR",), seed=5)
    pair = healthy_pair(fabric, seed=5)
    for sample in (pair.baseline, pair.current):
        for counts in sample.counters.values():
            counts.update(dict.fromkeys(NOISE, 0))
    told = Story(pair)
    ports = [PortKey(told.hca().node_guid, number) for number in lost]
    told.unplug(*(told.ports(told.peer(ports[0]).node_guid) if whole_asic else ports))
    return told, ports, compare(db_csv(pair.baseline), db_csv(pair.current))


def test_d24_a_lost_plane_of_four_is_a_lower_rate_and_no_missing_port():
    told, (port,), comparison = planes(3)
    (suspect,) = comparison.document["suspects"]
    (item,) = suspect["evidence"]
    assert (item["kind"], item["before"], item["after"]) == ("rate_drop", 800, 600)
    assert ends(suspect) == {port, told.peer(port)}
    assert {place["plane"] for place in suspect["link"].values()} == {3}
    assert suspect["severity"] == "major"
    assert len(changed(comparison)["plane_lost"]) == 2


def test_d24_all_planes_lost_are_a_device_that_is_gone():
    _, ports, comparison = planes(1, 2, 3, 4)
    (suspect,) = comparison.document["suspects"]
    assert suspect["device"]["node_guid"] == ports[0].node_guid
    assert kinds(suspect) == {"node_lost"}


def test_d24_a_lost_asic_takes_a_plane_from_everybody_and_is_one_suspect():
    told, (port,), comparison = planes(3, whole_asic=True)
    (suspect,) = comparison.document["suspects"]
    assert suspect["device"]["node_guid"] == told.peer(port).node_guid
    assert len(changed(comparison)["plane_lost"]) > 2


@pytest.mark.parametrize("width", ["2x", "1x"])
def test_d25_a_width_that_the_baseline_had_is_healthy(width):
    told = story()
    for sample in (told.pair.baseline, told.pair.current):
        sample.set_link(told.link(told.hca()), width=width)
    document = told.compare().document
    assert (document["verdict"], document["changes"]) == ("no_suspect", [])


def test_d26_other_numbers_of_devices_are_only_other_names():
    """After a reboot mlx5_0 and mlx5_1 of every host have changed their numbers."""
    told = story()
    bad = told.hca(2, 1)
    told.damage(bad)

    def renumber(sheet):
        other = {"mlx5_0": "mlx5_1", "mlx5_1": "mlx5_0"}
        for row in sheet["NODES"]:
            host, _, device = row["NodeDesc"].rpartition(" ")
            row["NodeDesc"] = f"{host} {other.get(device, device)}"

    told.after.append(renumber)
    comparison = told.compare()
    (suspect,) = comparison.document["suspects"]
    assert end(suspect["end"]) == bad
    assert set(changed(comparison)) == {"node_renamed"}


def test_d26_ports_of_ethernet_are_kept_and_not_ranked():
    told = story()
    hosts_speak(told)
    name = "gpu-0001.ibstat"
    ethernet = told.beside[0][name].replace("mlx5_0", "mlx5_8").replace("InfiniBand", "Ethernet")
    guid = told.hca().node_guid
    ethernet = ethernet[: ethernet.index("CA 'mlx5_1'")].replace(guid, "0x0c42a1fffe000001")
    told.beside[0][name] += ethernet
    told.beside[1][name] += ethernet.replace("State: Active", "State: Down")
    comparison = told.compare()
    assert comparison.document["verdict"] == "no_suspect"
    assert "0x0c42a1fffe000001" not in {row["node_guid"] for row in comparison.ports.to_pylist()}
    hosts = comparison.facts.pair.current.table("hosts").to_pylist()
    assert "Ethernet" in {row["link_layer"] for row in hosts}


def test_d27_new_firmware_since_the_baseline_is_told_once_for_all_nodes():
    told = story()
    guids = [told.hca(host, 0).node_guid for host in range(3)]
    for guid in guids:
        told.pair.current.firmware[guid] = (28, 99, 1)
    (group,) = told.compare().document["changes"]
    assert (group["kind"], group["count"]) == ("node_fw_version", 3)
    assert {item["node_guid"] for item in group["examples"]} == set(guids)


@pytest.mark.parametrize(
    ("arguments", "listed"),
    [
        (["show", CURRENT, "prots"], ["ports", "links", "nodes"]),
        (["simulate", "--topology", "tree", "--out", "x"], ["fat-tree", "rail", "planes"]),
        (["simulate", "--fault", "gremlin", "--out", "x"], ["bad-link", "flapping-link"]),
        (["simulate", "--missing", "gremlin", "--out", "x"], ["phy", "truncated"]),
        (["simulate", "--also", "gremlin", "--out", "x"], ["ibstat", "perfquery"]),
    ],
)
def test_d28_a_wrong_name_fails_with_the_list(arguments, listed, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert exit_status(*arguments) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in listed), said
    assert list(tmp_path.iterdir()) == []


def forget(told, *guids):
    """Leave out every line about nodes, of the current file alone: the ports that led there stay up."""

    def change(sheet):
        for name in list(sheet.sections):
            sheet.keep(name, lambda row: not set(guids) & set(row.values()))

    told.after.append(change)


@pytest.mark.parametrize("role", ["hca", "spine"])
def test_d23_a_node_that_fell_silent_behind_an_active_port_is_told_and_not_called_fine(role):
    told = story(leaves=6, spines=4, hcas=1)
    guid = told.hca().node_guid if role == "hca" else told.switch(Role.SPINE)
    forget(told, guid)
    comparison = told.compare()
    document = comparison.document
    assert (document["verdict"], document["suspects"]) == ("cannot_judge", [])
    name = comparison.facts.who.name(guid)
    assert name in document["headline"]["text"]
    (sign,) = [item for item in document["watch"] if item["message"] == "node_lost.silent"]
    assert name in sign["text"]
    assert "is still up" in sign["text"]
    assert "Nobody" not in words(comparison)


def test_d23_a_node_that_is_gone_with_its_link_is_no_silent_one():
    told = story()
    told.unplug(told.hca(1, 0), told.hca(1, 1))
    comparison = told.compare()
    assert comparison.document["verdict"] == "suspects"
    assert "node_lost.silent" not in {item["message"] for item in comparison.document["watch"]}


def test_d26_what_nodes_are_for_is_told_by_name_or_by_leaf():
    told = story()
    told.damage(told.hca())
    files = told.files()
    by_leaf, by_name = Purpose("storage", leaves="leaf-01"), Purpose("storage", nodes="^gpu-0001 ")
    for purpose in (by_leaf, by_name):
        policy = dataclasses.replace(POLICY, purposes=(purpose,))
        document = compare(*files, policy=policy).document
        found = {place["purpose"] for place in document["suspects"][0]["link"].values()}
        assert found == {"storage", None}


def test_d27_few_nodes_with_another_firmware_than_their_kind_are_told():
    told = story(hosts=12)
    odd = told.hca(3)
    told.pair.current.firmware[odd.node_guid] = (28, 30, 1)
    comparison = checked(told)
    lists = {item["id"]: item for item in comparison.document["inventory"]}
    (found,) = lists["minorities"]["rows"]
    assert "28.30.0001" in found or "28.30.1" in found


def two_faults():
    """A bad link between switches, and a bad one of a host."""
    told = story()
    told.damage(told.uplink()[1], times=9)
    told.damage(told.hca())
    return told


def scoped(told, *arguments):
    """Run ``diff`` of a story with further options; return exit code and document."""
    with TemporaryDirectory() as folder:
        for name, files in zip(("baseline", "current"), told.files(), strict=True):
            Path(folder, name).mkdir()
            for file, text in files.items():
                Path(folder, name, file).write_text(text)
        sides = [str(Path(folder, name)) for name in ("baseline", "current")]
        code = exit_status("diff", "-q", *sides, "--json", f"{folder}/out.json", *arguments)
        return code, json.loads(Path(folder, "out.json").read_text())


@pytest.mark.parametrize(
    ("arguments", "isl", "host"),
    [
        ([], True, True),
        (["--layers", "spine"], True, False),
        (["--layers", "hca"], False, True),
        (["--layers", "hca,spine"], True, True),
        (["--layers", "leaf"], True, True),
        (["--nodes", "spine-01*"], True, False),
        (["--nodes", "gpu-0001"], False, True),
        (["--nodes", "gpu-0002", "--nodes", "spine-0?/U1"], True, False),
        (["--layers", "hca", "--nodes", "gpu-0002"], False, False),
    ],
)
def test_d28_layers_and_nodes_are_scopes_of_their_own_and_what_they_leave_out_is_counted(
    arguments, isl, host
):
    told = two_faults()
    code, document = scoped(told, *arguments)
    links = [ends(suspect) for suspect in document["suspects"]]
    wanted = [*([set(told.uplink())] * isl), *([{told.hca(), told.peer(told.hca())}] * host)]
    assert sorted(map(sorted, links)) == sorted(map(sorted, wanted))
    assert [suspect["rank"] for suspect in document["suspects"]] == list(range(1, len(links) + 1))
    assert code == (1 if links else 0)
    gaps_ = [item for item in document["coverage"]["not_judged"] if item["message"] == "scope.left_out"]
    assert len(gaps_) == bool(arguments)
    if arguments:
        assert gaps_[0]["count"] == 2 - len(links)
        assert arguments[1].split(",")[0] in gaps_[0]["text"]
    if not links:
        assert "2 suspects outside" in document["headline"]["text"]


def test_d28_a_guid_names_a_node():
    told = two_faults()
    guid = told.hca().node_guid
    for word in (guid, guid.removeprefix("0x"), guid.upper().replace("X", "x")):
        _, document = scoped(told, "--nodes", word)
        assert [ends(suspect) for suspect in document["suspects"]] == [{told.hca(), told.peer(told.hca())}]


@pytest.mark.parametrize("command", ["diff", "check"])
def test_d28_scopes_are_listed_by_help_and_wrong_names_fail_with_the_list(command, capsys):
    sides = [CURRENT] * (2 if command == "diff" else 1)
    assert exit_status(command, "--help") == 0
    helped = capsys.readouterr().out
    assert all(word in helped for word in ("--layers", "--nodes", "hca,leaf,spine"))
    for arguments, listed in (
        (["--layers", "links"], ["hca", "leaf", "spine", "core"]),
        (["--nodes", "leaf-99"], ["gpu-0001", "ibforensic show"]),
    ):
        assert exit_status(command, "-q", *sides, *arguments) == 2
        said = capsys.readouterr().err
        assert all(word in said for word in listed), said


def test_d28_a_check_has_the_same_scopes():
    told = two_faults()
    files = told.files()[1]
    with TemporaryDirectory() as folder:
        for file, text in files.items():
            Path(folder, file).write_text(text)
        code = exit_status("check", "-q", folder, "--json", f"{folder}/out.json", "--nodes", "gpu-0002")
        document = json.loads(Path(folder, "out.json").read_text())
    assert (code, document["suspects"]) == (0, [])
    assert "1 suspect outside of it" in document["headline"]["text"]
    assert "1 suspect, 1 weak sign" in document["coverage"]["not_judged"][0]["text"]
