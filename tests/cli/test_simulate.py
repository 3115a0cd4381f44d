"""``ibforensic simulate``: what it writes, says and refuses; and that its cases can be solved."""

from __future__ import annotations

import json
import re

import pytest

from ibforensic.cli.main import main
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.options import CONFOUNDERS, STANDARD, name_of

SMALL = ("--topology", "fat-tree:leaf=2,spine=2,hosts=3")


def run(*args: object) -> int:
    """Run the command and return its exit status."""
    with pytest.raises(SystemExit) as leaving:
        main(["simulate", *map(str, args)])
    return int(leaving.value.code or 0)


def files(folder):
    """Path → bytes of everything in a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_it_writes_two_collections_and_the_answer(tmp_path, capsys):
    out = tmp_path / "case"
    assert run(*SMALL, "--fault", "bad-link", "--confounders", "standard", "--seed", 7, "--out", out) == 0
    said = capsys.readouterr().out
    there = set(files(out))
    assert {"baseline/ibdiagnet2.db_csv", "current/ibdiagnet2.db_csv", "README.md", "truth.json"} <= there
    truth = json.loads((out / "truth.json").read_text())
    suspect = truth["suspect"]
    assert suspect["kind"] == "bad_link"
    assert f"bad-link (medium): {suspect['link']['a']['node']}" in said
    assert "restarted" in said
    assert f"ibforensic snapshot {out}/baseline" in said
    assert f"ibforensic diff healthy.ibf {out}/current" in said
    readme = (out / "README.md").read_text()
    assert "bad-link" in readme
    assert suspect["link"]["a"]["node"] not in readme


@pytest.mark.parametrize(
    ("topology", "speed"),
    [
        ("fat-tree:leaf=3,spine=2,hosts=4,hcas=2", "ndr"),
        ("fat-tree3:pod=2,leaf=2,spine=2,core=4,hosts=3", "ndr"),
        ("rail:hosts=6,rails=4,spine=2", "ndr,hdr"),
        ("planes:leaf=2,spine=2,hosts=3", "xdr"),
    ],
)
def test_its_cases_can_be_solved(tmp_path, capsys, topology, speed):
    out = tmp_path / "case"
    run("-q", "--topology", topology, "--speed", speed, "--fault", "bad-link", "--severity", 1, "--out", out)
    suspect = json.loads((out / "truth.json").read_text())["suspect"]
    capsys.readouterr()
    with pytest.raises(SystemExit) as leaving:
        main(["diff", "-q", str(out / "baseline"), str(out / "current"), "--json", "-"])
    found = json.loads(capsys.readouterr().out)["suspects"][0]
    assert leaving.value.code == 1
    ends = [
        {(one["link"][end]["node_guid"], one["link"][end]["port"]) for end in "ab"}
        for one in (found, suspect)
    ]
    assert ends[0] == ends[1]


def test_a_lost_plane_is_a_lost_plane(tmp_path, capsys):
    out = tmp_path / "case"
    topology = "planes:leaf=2,spine=2,hosts=3"
    run("-q", "--topology", topology, "--fault", "dead-link", "--seed", 2, "--out", out)
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(["diff", "-q", str(out / "baseline"), str(out / "current"), "--json", "-"])
    document = json.loads(capsys.readouterr().out)
    assert "plane_lost" in {change["kind"] for change in document["changes"]}
    assert "800 → 600 Gb/s" in json.dumps(document, ensure_ascii=False)


def test_without_the_truth_nothing_tells(tmp_path, capsys):
    out = tmp_path / "case"
    assert run(*SMALL, "--fault", "bad-link", "--seed", 4711, "--no-truth", "--out", out) == 0
    said = capsys.readouterr().out + (out / "README.md").read_text()
    assert not (out / "truth.json").exists()
    assert "bad-link" not in said
    assert "4711" not in said


def test_the_same_options_give_the_same_bytes(tmp_path, capsys):
    for name, seed in (("one", 5), ("two", 5), ("other", 6)):
        run("-q", *SMALL, "--fault", "flapping-link", "--seed", seed, "--out", tmp_path / name)
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert files(tmp_path / "one").keys() == files(tmp_path / "other").keys()
    assert files(tmp_path / "one") != files(tmp_path / "other")


def test_routing_and_days_are_heard(tmp_path, capsys):
    for name, more in (("one", ()), ("two", ("--routing", "adaptive")), ("three", ("--days", 2))):
        run("-q", *SMALL, *more, "--out", tmp_path / name)
    readmes = {name: (tmp_path / name / "README.md").read_text() for name in ("one", "two", "three")}
    assert "static" in readmes["one"]
    assert "adaptive" in readmes["two"]
    assert "2 days apart" in readmes["three"]
    dumps = {(tmp_path / name / "current" / "ibdiagnet2.db_csv").read_bytes() for name in readmes}
    assert len(dumps) == 3


def test_the_physical_layer_can_be_left_out(tmp_path, capsys):
    run("-q", *SMALL, "--fault", "dirty-connector", "--severity", 0.6, "--out", tmp_path / "with")
    said = capsys.readouterr().out
    assert "dirty-connector (medium)" in said
    assert "to repair: connector, at " in said
    run(
        "-q", *SMALL, "--fault", "dirty-connector", "--severity", 0.6, "--no-phy", "--out", tmp_path / "plain"
    )
    there = {
        name: {path.name for path in (tmp_path / name / "current").iterdir()} for name in ("with", "plain")
    }
    assert there["with"] - there["plain"] == {
        "ibdiagnet2.cables",
        "ibdiagnet2.lst",
        "ibdiagnet2.net_dump_ext",
        "ibdiagnet2.pm",
    }
    assert b"START_PHY_DB" in (tmp_path / "with" / "current" / "ibdiagnet2.db_csv").read_bytes()
    assert b"START_PHY_DB" not in (tmp_path / "plain" / "current" / "ibdiagnet2.db_csv").read_bytes()


def test_a_hot_switch_is_told_by_name(tmp_path, capsys):
    out = tmp_path / "case"
    run("-q", *SMALL, "--fault", "cooling-zone", "--out", out)
    device = json.loads((out / "truth.json").read_text())["suspect"]["device"]
    assert f"cooling-zone (medium): {device['node']}" in capsys.readouterr().out


@pytest.mark.parametrize("severity", ["0", "0.5", "1", "low", "HIGH"])
def test_severity_is_a_word_or_a_number(tmp_path, capsys, severity):
    out = tmp_path / "case"
    assert run("-q", *SMALL, "--fault", "bad-link", "--severity", severity, "--out", out) == 0
    word = json.loads((out / "truth.json").read_text())["suspect"]["severity"]
    assert word == {"0": "low", "0.5": "medium", "1": "high"}.get(severity, severity.lower())


def test_the_list_explains_every_fault_and_confounder(capsys):
    assert run("--list") == 0
    text = capsys.readouterr().out
    faults, _, confounders = text.partition("Confounders")
    for kind in FaultKind:
        line = re.search(rf"^  {re.escape(name_of(kind))} +(\S.+)$", text, re.MULTILINE)
        assert line, kind
        assert len(line[1]) > 15
        assert name_of(kind) in (confounders if kind in CONFOUNDERS else faults)
        assert ("[standard]" in line[1]) is (kind in STANDARD)


def test_confounders_can_be_chosen(tmp_path, capsys):
    out = tmp_path / "case"
    assert run("-q", *SMALL, "--confounders", "host-reboot,rename-host", "--out", out) == 0
    truth = json.loads((out / "truth.json").read_text())
    assert truth["suspects"] == []
    assert [len(truth[name]) for name in ("rebooted", "renamed", "cleared")] == [1, 1, 0]
    assert "nothing is wrong" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--fault", "gremlins"), "unknown fault 'gremlins'"),
        (("--severity", "1.5"), "unknown severity"),
        (("--severity", "nan"), "unknown severity"),
        (("--severity", "awful"), "unknown severity"),
        (("--confounders", "bad-link"), "is a fault, no confounder"),
        (("--confounders", "standard,none"), "unknown fault 'standard'"),
        (("--topology", "fat-tree:leaf=65,spine=2,hosts=1"), "has 64"),
        (("--speed", "warp"), "unknown speed"),
        (("--topology", "planes:leaf=2", "--speed", "ndr"), "only XDR has planes"),
        (("--topology", "planes:leaf=2,spine=1,hosts=1", "--fault", "width-loss"), "one lane"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, capsys, args, says):
    assert run(*args, "--out", tmp_path / "case") == 2
    said = capsys.readouterr().err
    assert says in said
    assert "help: " in said
    assert not (tmp_path / "case").exists()


def test_a_folder_is_needed(capsys):
    assert run(*SMALL) == 2
    assert "--out DIR" in capsys.readouterr().err


def test_a_full_folder_is_left_alone(tmp_path, capsys):
    out = tmp_path / "case"
    assert run("-q", *SMALL, "--seed", 1, "--out", out) == 0
    before = files(out)
    assert run("-q", *SMALL, "--seed", 2, "--out", out) == 2
    assert "is not empty" in capsys.readouterr().err
    assert files(out) == before
    assert run("-q", *SMALL, "--seed", 2, "--no-truth", "--force", "--out", out) == 0
    assert files(out).keys() == before.keys() - {"truth.json"}
    assert files(out) != before


@pytest.mark.parametrize("name", ["evidence.txt", "baseline/notes.txt"])
def test_force_takes_nothing_away_that_is_not_its_own(tmp_path, capsys, name):
    out = tmp_path / "case"
    assert run("-q", *SMALL, "--out", out) == 0
    (out / name).write_text("mine")
    before = files(out)
    assert run("-q", *SMALL, "--seed", 2, "--force", "--out", out) == 2
    assert "did not write" in capsys.readouterr().err
    assert files(out) == before


def test_a_snapshot_is_not_written_into(tmp_path, capsys):
    out = tmp_path / "case"
    run("-q", *SMALL, "--out", out)
    with pytest.raises(SystemExit):
        main(["snapshot", "-q", str(out / "baseline"), "-o", str(tmp_path / "a.ibf")])
    assert run("-q", *SMALL, "--out", tmp_path / "a.ibf" / "case") == 2
    assert "lies in the snapshot" in capsys.readouterr().err


def test_other_formats_are_written_besides(tmp_path, capsys):
    out = tmp_path / "case"
    assert run("-q", *SMALL, "--also", "ibstat", "--out", out) == 0
    for folder in ("baseline", "current"):
        assert len(list((out / folder / "ibstat").iterdir())) == 6
        assert (out / folder / "ibdiagnet2.db_csv").exists()
    assert run("-q", *SMALL, "--force", "--out", out) == 0
    assert not (out / "baseline" / "ibstat").exists()
    assert files(out).keys() >= {"baseline/ibdiagnet2.db_csv", "current/ibdiagnet2.db_csv"}


def test_all_other_formats_are_explained_and_written(tmp_path, capsys):
    out = tmp_path / "case"
    assert run("-q", *SMALL, "--also", "all", "--out", out) == 0
    assert run("--list") == 0
    listed = capsys.readouterr().out.partition("Formats besides")[2]
    there = {path.name for path in (out / "current").iterdir() if path.is_dir()}
    assert set(re.findall(r"^  (\S+) ", listed, re.MULTILINE)) - there == {"ibqueryerrors-swapped"}
    assert "ibstat" in there
    assert run("-q", *SMALL, "--also", "all", "--seed", 2, "--force", "--out", out) == 0


def test_an_unknown_format_is_refused(tmp_path, capsys):
    assert run(*SMALL, "--also", "ibstat,smoke-signals", "--out", tmp_path / "case") == 2
    said = capsys.readouterr().err
    assert "unknown format 'smoke-signals'" in said
    assert "ibstat" in said
    assert not (tmp_path / "case").exists()


def test_force_takes_no_foreign_file_from_among_other_formats(tmp_path, capsys):
    out = tmp_path / "case"
    assert run("-q", *SMALL, "--also", "ibstat", "--out", out) == 0
    (out / "baseline" / "ibstat" / "notes.md").write_text("mine")
    before = files(out)
    assert run("-q", *SMALL, "--seed", 2, "--force", "--out", out) == 2
    assert "did not write" in capsys.readouterr().err
    assert files(out) == before


def test_other_tools_ran_once_beside_the_last_run_before_a_window(tmp_path, capsys):
    out = tmp_path / "case"
    order = ("-q", *SMALL, "--samples", 2, "--window", 60, "--also", "ibstat,sysfs", "--out", out)
    assert run(*order) == 0
    assert sorted(path.name for path in (out / "current").iterdir()) == ["1", "2", "3"]
    found = {path.relative_to(out).parent.as_posix() for path in out.rglob("ibstat")}
    assert found == {"baseline/2", "current/2"}
    there = files(out)
    assert run(*order, "--force") == 0
    assert files(out) == there
    assert run("-q", *SMALL, "--force", "--out", out) == 0
    assert [path.name for path in (out / "current").iterdir() if path.is_dir()] == []


def test_a_strange_file_in_a_numbered_folder_stops_force(tmp_path, capsys):
    out = tmp_path / "case"
    order = ("-q", *SMALL, "--samples", 2, "--out", out)
    run(*order)
    (out / "current" / "1" / "notes.txt").write_text("mine")
    assert run(*order, "--force") == 2
    assert "notes.txt" in capsys.readouterr().err
    assert (out / "current" / "1" / "notes.txt").read_text() == "mine"
