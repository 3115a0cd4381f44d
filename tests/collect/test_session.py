"""A whole collection: which tool asks the fabric, what is kept, and what a snapshot makes of it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from faked import IBSTAT, Faked

from ibforensic import pipeline
from ibforensic.cli.main import group
from ibforensic.collect.machine import clearing_defaults
from ibforensic.collect.session import Order, collect

DB_CSV = Path(__file__).parents[1] / "fixtures" / "db_csv"
SMINFO = "sminfo: sm lid 1 sm guid 0x200000000000100, activity count 6 priority 14 state 3 SMINFO_MASTER\n"


@pytest.fixture
def faked(tmp_path, monkeypatch) -> Faked:
    return Faked(tmp_path / "bin", monkeypatch)


def one_run(tmp_path, **order) -> dict:
    collect(Order(here=False, **order), tmp_path / "raw", lambda _: None)
    return json.loads((tmp_path / "raw" / "collect.json").read_text())


def ibdiagnet(faked: Faked, tmp_path: Path, only: str = "*") -> None:
    """Add an ibdiagnet that writes a small db_csv, if its command line is of a form."""
    (tmp_path / "ibdiagnet2.db_csv").write_bytes((DB_CSV / "small.db_csv").read_bytes())
    faked.tool(
        "ibdiagnet",
        f'echo "$*" >> {tmp_path}/asked\n'
        'if [ "$1" = --help ]; then echo "  --get_phy_info  --pc : clears"; exit 0; fi\n'
        f'case "$*" in {only}) ;; *) echo "unknown option" >&2; exit 1;; esac\n'
        'while [ $# -gt 0 ]; do if [ "$1" = -o ]; then out=$2; fi; shift; done\n'
        f'mkdir -p "$out"; cp {tmp_path}/ibdiagnet2.db_csv "$out"; echo on the screen; exit 4',
    )


def test_ibdiagnet_asks_for_what_it_knows_and_nobody_else_asks(faked, tmp_path):
    ibdiagnet(faked, tmp_path)
    faked.prints("sminfo", SMINFO)
    log = one_run(tmp_path)
    assert [step["tool"] for step in log["steps"]] == ["ibdiagnet", "ibdiagnet"]
    asked = (tmp_path / "asked").read_text().splitlines()
    assert asked[1] == f"--get_phy_info -o {tmp_path.resolve()}/raw/ibdiagnet"
    assert (log["steps"][1]["printed"], log["steps"][1]["status"]) == ("on the screen\n", 4)
    assert log["steps"][1]["outcome"] == "done"
    made = pipeline.snapshot([tmp_path / "raw"])
    assert not [source.path for source in made.latest.info.sources if source.stale]


def test_ibdiagnet_is_asked_plainly_where_options_fail(faked, tmp_path):
    ibdiagnet(faked, tmp_path, "-o*")
    log = one_run(tmp_path)
    assert (tmp_path / "asked").read_text().count("\n") == 3
    assert log["remarks"] == []


def test_infiniband_diags_ask_where_ibdiagnet_writes_nothing(faked, tmp_path):
    ibdiagnet(faked, tmp_path, "never")
    faked.prints("sminfo", SMINFO)
    faked.tool("iblinkinfo", "exit 255")
    log = one_run(tmp_path)
    assert [step["tool"] for step in log["steps"]] == ["ibdiagnet"] * 3 + ["iblinkinfo", "sminfo"]
    assert "wrote no ibdiagnet2.db_csv" in log["remarks"][0]["text"]
    made = pipeline.snapshot([tmp_path / "raw"])
    codes = [note.code for note in made.latest.info.notes]
    assert {"collect_log.remark", "collect_log.step_failed", "collect_log.tool_missing"} <= set(codes)
    began, log_began = made.latest.info.window.began_at, log["began_at"]
    assert began.isoformat()[:19] == log_began[:19]


def test_ibdiagnet_with_defaults_that_clear_is_not_run(faked, tmp_path, monkeypatch):
    conf = tmp_path / "ibdiag.conf"
    conf.write_text("# --pc is commented out\n--get_phy_info\n")
    assert clearing_defaults(conf) == ""
    conf.write_text("--get_phy_info\n  --pc\n")
    assert clearing_defaults(conf) == "--pc"
    monkeypatch.setattr("ibforensic.collect.machine.clearing_defaults", lambda: "--pc")
    ibdiagnet(faked, tmp_path)
    log = one_run(tmp_path)
    assert not (tmp_path / "asked").exists()
    assert "clear counters (--pc)" in log["remarks"][0]["text"]


def test_several_collections_are_samples_of_one_snapshot(faked, tmp_path):
    faked.prints("sminfo", SMINFO)
    told: list[str] = []
    order = Order(here=False, repeat=3, interval_s=0.4)
    made = collect(order, tmp_path / "raw", told.append)
    assert [path.name for path in sorted((tmp_path / "raw").iterdir())] == ["1", "2", "3"]
    assert len(pipeline.snapshot([tmp_path / "raw"]).samples) == 3
    gap = (made[1].began_at - made[0].began_at).total_seconds()
    assert gap >= 0.35
    assert any("collection 2 of 3" in line for line in told)


def test_a_host_without_tools_says_what_to_do(faked, tmp_path):
    done = CliRunner().invoke(group, ["collect", "-o", str(tmp_path / "a.ibf")], standalone_mode=False)
    assert "neither ibdiagnet nor infiniband-diags" in done.exception.message
    assert not (tmp_path / "a.ibf").exists()


def test_this_host_is_asked_for_its_own_side(faked, tmp_path):
    faked.prints("ibstat", IBSTAT)
    done = CliRunner().invoke(group, ["collect", "-q", "--no-fabric", "-o", str(tmp_path / "a.ibf")])
    assert done.exit_code == 0, done.output
    assert "1 HCA" in done.output
    again = CliRunner().invoke(
        group, ["collect", "--no-fabric", "-o", str(tmp_path / "a.ibf")], standalone_mode=False
    )
    assert "is not empty" in again.exception.message


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "no output is given"),
        (["-o", "a.ibf", "--no-fabric", "--no-here"], "nothing is to be collected"),
        (["-o", "a.ibf", "--device", "-R"], "no name of a device"),
        (["-o", "a.ibf", "--hosts", "a;b"], "no name of a host"),
        (["-o", "a.ibf", "--interval", "soon"], "is no time such as"),
        (["-o", "a.ibf", "--timeout", "0"], "is no time such as"),
    ],
)
def test_bad_orders_are_refused_before_anything_runs(faked, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    faked.tool("sminfo", f"echo > {tmp_path}/ran")
    done = CliRunner().invoke(group, ["collect", *words], standalone_mode=False)
    assert says in str(getattr(done.exception, "message", done.output))
    assert not (tmp_path / "ran").exists()


def test_an_interrupted_collection_keeps_what_it_has_and_ends_its_tools(faked, tmp_path):
    for tool in ("iblinkinfo", "ibnetdiscover", "ibqueryerrors"):
        faked.prints(tool, "Switch: 0x0000000000000100 leaf:\n")
    faked.tool("sminfo", f"echo $$ > {tmp_path}/pid; exec sleep 60")
    words = [sys.executable, "-m", "ibforensic", "collect", "--no-here", "-o", "a.ibf"]
    process = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 20
    while not (tmp_path / "pid").exists() and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "what was collected so far is in a.collected" in told
    log = json.loads((tmp_path / "a.collected" / "collect.json").read_text())
    assert log["ended_at"] is None
    tools = [step["tool"] for step in log["steps"]]
    assert tools == ["ibnetdiscover", "iblinkinfo", "ibqueryerrors", "ibqueryerrors"]
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()
    assert not (tmp_path / "a.ibf").exists()


@pytest.mark.parametrize("quiet", [False, True])
def test_a_collection_without_node_port_and_counter_cannot_be_judged(faked, tmp_path, quiet):
    faked.tool("iblinkinfo", "echo 'ibwarn: no such device' >&2; exit 255")
    faked.prints("sminfo", SMINFO)
    target = tmp_path / "a.ibf"
    asked = ["collect", "-o", str(target), *(["-q"] if quiet else [])]
    done = CliRunner().invoke(group, asked, standalone_mode=False)
    assert done.return_value == 3
    assert "no node, no port and no counter was collected; the snapshot is kept" in done.output
    assert pipeline.load(target).samples


@pytest.mark.parametrize("tool", ["ibstat", "ibdiagnet"])
def test_a_host_or_the_fabric_alone_is_enough(faked, tmp_path, tool):
    if tool == "ibdiagnet":
        ibdiagnet(faked, tmp_path)
    else:
        faked.prints("ibstat", IBSTAT)
        faked.tool("iblinkinfo", "exit 255")
    done = CliRunner().invoke(group, ["collect", "-o", str(tmp_path / "a.ibf")], standalone_mode=False)
    assert done.return_value == 0
    assert "cannot judge" not in done.output
