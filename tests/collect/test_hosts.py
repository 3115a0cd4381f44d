"""Other hosts: how they are named, asked, and what becomes of their answers."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime

import pytest
from faked import IBSTAT, Faked

from ibforensic.capture import capture
from ibforensic.collect.hostlist import hosts_of
from ibforensic.collect.records import Device, Step
from ibforensic.collect.script import answers, look_script, machine_of, steps_script
from ibforensic.collect.session import Order, collect
from ibforensic.collect.ssh import ssh_command
from ibforensic.model.errors import BadUsage


@pytest.mark.parametrize(
    ("text", "hosts"),
    [
        ("a,b c", ("a", "b", "c")),
        ("gpu[08-10],login1", ("gpu08", "gpu09", "gpu10", "login1")),
        ("r[1-2]n[1,3]", ("r1n1", "r1n3", "r2n1", "r2n3")),
        ("root@gpu1,gpu1,root@gpu1", ("root@gpu1", "gpu1")),
        ("10.0.0.1", ("10.0.0.1",)),
    ],
)
def test_hosts_are_named_by_lists_and_ranges(text, hosts):
    assert hosts_of(text) == hosts


@pytest.mark.parametrize(
    "text",
    [
        "",
        " , ",
        "-oProxyCommand=reboot",
        "a;reboot",
        "gpu[3-1]",
        "gpu[1-99999999]",
        "gpu[1-",
        "a$b",
        "/no/file",
    ],
)
def test_what_is_no_host_is_refused(text):
    with pytest.raises(BadUsage):
        hosts_of(text)


def test_hosts_are_read_from_a_file(tmp_path):
    file = tmp_path / "hosts"
    file.write_text("# rack 1\ngpu[1-2]  # two\n\nlogin1\n")
    assert hosts_of(str(file)) == ("gpu1", "gpu2", "login1")


def test_ssh_never_asks_and_takes_no_host_for_an_option():
    words = ssh_command("gpu1")
    assert "BatchMode=yes" in words
    assert words[words.index("--") + 1 :] == ("gpu1", "sh -s")


def shell(text: str) -> tuple[bytes, bytes]:
    done = subprocess.run(["sh", "-s"], input=text.encode(), capture_output=True, timeout=20, check=False)
    return done.stdout, done.stderr


def test_what_a_host_has_is_found_by_its_shell(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (tmp_path / "ibstat").write_text("#!/bin/sh\n")
    (tmp_path / "ibstat").chmod(0o755)
    for name in ("mlx5_0/ports/2", "mlx5_0/ports/1", "mlx5_0/device/net/ib0", "mlx5_1/ports/1"):
        (tmp_path / "sys" / name).mkdir(parents=True)
    script = look_script(("ibstat", "no-such-tool"), "mark").replace(
        "/sys/class/infiniband", f"{tmp_path}/sys"
    )
    stdout, _ = shell(script)
    found = machine_of(f"Welcome\n{stdout.decode()}", "mark")
    assert found.tools == {"ibstat"}
    assert found.devices == (Device("mlx5_0", (1, 2), ("ib0",)), Device("mlx5_1", (1,), ()))
    assert machine_of(stdout.decode().replace("mark end", ""), "mark") is None


def test_answers_are_taken_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    texts = {
        "sminfo": "printf 'no end'; echo bad >&2; exit 4",
        "ibstat": "exit 0",
        "ibstatus": "cat; echo two; echo",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    script = steps_script([Step(name, (name,), 10) for name in texts], "mark")
    stdout, stderr = shell(script)
    found = answers(b"Welcome\n" + stdout, b"warning\n" + stderr, "mark")
    assert [found[at].stdout for at in range(3)] == [b"no end", b"", b"two\n\n"]
    assert [found[at].status for at in range(3)] == [4, 0, 0]
    assert [found[at].stderr for at in range(3)] == ["bad\n", "", ""]
    cut = answers(stdout[: stdout.index(b"two") + 2], b"", "mark")
    assert (cut[2].stdout, cut[2].status, cut[2].ended_s) == (b"tw", None, None)


def test_hosts_are_asked_side_by_side_and_one_that_is_down_costs_nothing(tmp_path, monkeypatch):
    faked = Faked(tmp_path / "bin", monkeypatch)
    faked.prints("ibstat", IBSTAT)
    faked.ssh()
    told: list[str] = []
    order = Order(fabric=False, here=False, hosts=("root@login", "down-1", "gpu7"), at_once=2)
    (made,) = collect(order, tmp_path / "raw", told.append)
    files = sorted(
        path.relative_to(tmp_path / "raw").as_posix() for path in (tmp_path / "raw").rglob("*.txt")
    )
    assert files == ["hosts/gpu7/gpu7.ibstat.txt", "hosts/login/login.ibstat.txt"]
    assert (tmp_path / "raw" / files[0]).read_text() == IBSTAT
    log = json.loads((tmp_path / "raw" / "collect.json").read_text())
    assert {step["host"]: step["outcome"] for step in log["steps"]} == {
        "root@login": "done",
        "down-1": "unreachable",
        "gpu7": "done",
    }
    assert log["missing"]["mlxlink"] == ["gpu7", "login"]
    assert len([line for line in told if line.startswith("hosts: ")]) == 3
    (sample,) = capture(tmp_path / "raw").samples
    assert set(sample.tables["hosts"]["host"].to_pylist()) == {"login", "gpu7"}
    assert any(note.code == "collect_log.unreachable" for note in sample.notes)
    assert sample.window.began_at <= datetime.now(UTC)
    assert made.ended_at is not None
