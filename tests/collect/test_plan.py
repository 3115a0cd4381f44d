"""What is planned: harmless whatever a host has, and complete where it has everything."""

from __future__ import annotations

import re

import pytest
from plans import every_step

from ibforensic.collect.plan import (
    FABRIC_TOOLS,
    HOST_TOOLS,
    Options,
    diags_steps,
    host_steps,
    ibdiagnet_steps,
)
from ibforensic.collect.ports import port_steps, ports_found
from ibforensic.collect.records import Device, Machine
from ibforensic.collect.script import steps_script
from ibforensic.model.read_only import command

HARMFUL = re.compile(
    r"(?:^| )(?:--pc|-pc|--scr|csc|-k|-K|-R|-r|-a|--(?:re)?set\S*|--clear\S*|--port_state|--test_mode)(?: |$)"
    r"|reset|clear|disable|enable"
)
ONE = Machine(frozenset((*FABRIC_TOOLS, *HOST_TOOLS)), (Device("mlx5_0", (1,), ("ib0",)),))


def test_no_plan_of_any_machine_clears_resets_or_sets_anything():
    lines = {step.words for step in every_step()}
    assert len(lines) > 60
    for words in lines:
        given = [word for word in words if word != "/tmp/a b/-r"]
        assert not HARMFUL.search(" ".join(given)), words
        assert command(*words) == words


def test_what_is_sent_to_a_host_holds_nothing_but_the_plan():
    script = steps_script(host_steps(ONE), "mark")
    words = re.findall(r"^limited \d+ (.*) </dev/null$", script, re.MULTILINE)
    assert len(words) == len(host_steps(ONE))
    assert not HARMFUL.search("\n".join(words))


def test_ibdiagnet_is_asked_for_every_table_it_knows():
    first, plain = ibdiagnet_steps(Options(), "out")
    assert {"--get_phy_info", "--get_cable_info", "--extended_speeds", "--sc"} <= set(first.words)
    assert first.words[-2:] == ("-o", "out")
    assert plain.words == ("ibdiagnet", "-o", "out")
    old, _ = ibdiagnet_steps(Options(), "out", "usage: [--get_phy_info] [--pc] [--sharp_opt x]")
    assert old.words == ("ibdiagnet", "--get_phy_info", "--sharp_opt", "dsc", "-o", "out")
    routed, _ = ibdiagnet_steps(Options("mlx5_2", 1, routing=True), "out")
    assert {"--routing", "-i", "mlx5_2", "-p", "1"} <= set(routed.words)


def test_infiniband_diags_ask_everything_and_hide_nothing():
    lines = [" ".join(step.words) for step in diags_steps(ONE, Options("mlx5_1", 2))]
    assert lines == [
        "ibnetdiscover -C mlx5_1 -P 2",
        "iblinkinfo -C mlx5_1 -P 2 -l",
        "ibqueryerrors -C mlx5_1 -P 2 --threshold-file /dev/null --details",
        "ibqueryerrors -C mlx5_1 -P 2 --threshold-file /dev/null --counters",
        "sminfo -C mlx5_1 -P 2",
        "saquery -C mlx5_1 -P 2 SMIR",
    ]


def test_a_host_is_asked_by_every_tool_for_every_device():
    lines = [" ".join(step.words) for step in host_steps(ONE)]
    assert {line.split()[0] for line in lines} == set(HOST_TOOLS)
    assert "mlxlink -d mlx5_0 -p 1 -m -c -e --show_fec" in lines
    assert "ethtool -S ib0" in lines
    assert "/sys/class/infiniband/mlx5_0/ " in lines[0]


def test_names_of_devices_that_linux_does_not_give_are_left_out():
    odd = Machine(
        frozenset(HOST_TOOLS), (Device("-d", (1,), ()), Device("a b"), Device("mlx5_0", (1,), ("-r",)))
    )
    text = " ".join(" ".join(step.words) for step in host_steps(odd))
    assert "a b" not in text
    assert "ethtool" not in text


def test_perfquery_asks_switches_by_range_and_hcas_by_port(tmp_path):
    netfile = tmp_path / "ibnetdiscover.txt"
    netfile.write_text(
        "vendid=0x2c9\ndevid=0xd2f2\nsysimgguid=0x100\nswitchguid=0x100(100)\n"
        'Switch\t65 "S-0000000000000100"\t\t# "leaf" enhanced port 0 lid 7 lmc 0\n'
        '[1]\t"H-000000000000a000"[2](a002) \t\t# "host-a mlx5_0" lid 12 4xNDR\n\n'
        "vendid=0x2c9\ndevid=0x1021\nsysimgguid=0xa000\ncaguid=0xa000\n"
        'Ca\t2 "H-000000000000a000"\t\t# "host-a mlx5_0"\n'
        '[2](a002) \t"S-0000000000000100"[1]\t\t# lid 12 lmc 0 "leaf" lid 7 4xNDR\n'
    )
    found = ports_found(netfile)
    assert found == [(7, 1, 65), (12, 2, 2)]
    lines = [" ".join(step.words) for step in port_steps(found, Options())]
    assert lines == [
        "perfquery -l 7 1-65",
        "perfquery -x -l 7 1-65",
        "perfquery 12 2",
        "perfquery -x 12 2",
    ]


@pytest.mark.parametrize("text", ["", "no topology", "\0\0"])
def test_no_topology_gives_no_ports(tmp_path, text):
    (tmp_path / "x").write_text(text)
    assert ports_found(tmp_path / "x") == []
