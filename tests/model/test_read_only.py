"""The allow-list: what clears, resets or sets cannot be built, in no spelling."""

from __future__ import annotations

import pytest

from ibforensic.model.read_only import ALLOWED, command

HARMFUL = [
    "ibdiagnet --pc",
    "ibdiagnet -pc",
    "ibdiagnet --reset_phy_info",
    "ibdiagnet --get_phy_info --reset_phy_info",
    "ibdiagnet --scr",
    "ibdiagnet --sharp_opt csc",
    "ibdiagnet --sharp_opt=csc",
    "ibdiagnet --sharp_opt dscp,csc",
    "ibdiagnet --clear_congestion_counters",
    "ibdiagnet -o --pc",
    "ibdiagnet folder --pc",
    "ibdiagnet -P all=1",
    "perfquery -r 1 1",
    "perfquery -R 1 1",
    "perfquery -xr 1 1",
    "perfquery -x -R -a 1",
    "perfquery 1 1 0x0fff",
    "perfquery --reset_after_read 1 1",
    "perfquery --Reset_only 1 1",
    "perfquery --re 1 1",
    "ibqueryerrors -k",
    "ibqueryerrors -K",
    "ibqueryerrors --clear-errors",
    "ibqueryerrors --clear-counts --details",
    "ibqueryerrors --threshold-file /etc/passwd",
    "ibclearerrors",
    "ibclearcounters",
    "ibportstate 1 1 disable",
    "ibportstate 1 1",
    "sminfo -p 15",
    "sminfo --state 0",
    "sminfo 1 2",
    "smpquery -G reset 0x1 1",
    "smpquery portinfo",
    "saquery -p",
    "saquery",
    "mlxlink -d mlx5_0 -p 1 -a DN",
    "mlxlink -d mlx5_0 --port_state DN",
    "mlxlink -d mlx5_0 -c --pc",
    "mlxlink -d mlx5_0 --test_mode EN",
    "mlxlink -d -a -p 1",
    "ethtool -s ib0 speed 1000",
    "ethtool -S ib0 -r",
    "ethtool -r ib0",
    "ethtool --reset ib0",
    "nvidia-smi -r",
    "nvidia-smi --gpu-reset",
    "nvidia-smi -m",
    "rdma statistic set link mlx5_0/1 optional-counters x",
    "rdma system set netns exclusive",
    "rdma dev",
    "grep . /etc/shadow",
    "grep --recursive . /",
    "grep . /sys/class/infiniband/../../kernel",
    "grep x /proc/uptime",
    "ibstat -R",
    "sh -c true",
    "/usr/sbin/perfquery 1 1",
    "ssh host",
]


@pytest.mark.parametrize("line", HARMFUL)
def test_what_is_not_on_the_list_cannot_be_built(line):
    with pytest.raises(ValueError, match="on the list"):
        command(*line.split())


@pytest.mark.parametrize("odd", ["", "1\n-R", "1;reboot", "$(reboot)", "1 -R", "-", "--", "１"])
def test_a_value_cannot_carry_another_command(odd):
    for line in (("perfquery", "-x", odd, "1"), ("mlxlink", "-d", odd), ("ethtool", "-S", odd)):
        with pytest.raises(ValueError, match="on the list"):
            command(*line)


@pytest.mark.parametrize(
    "line",
    [
        "perfquery -x -G 0x1a 3",
        "perfquery -l 12 1-64",
        "ibqueryerrors -C mlx5_0 -P 1 --threshold-file /dev/null --details",
        "mlxlink -d lid-12 -p 1/2/1 -m -c --show_fec",
        "ibdiagnet --get_phy_info -o /var/tmp/a folder",
        "rdma statistic",
        "lspci -vv -s 0000:18:00.0",
    ],
)
def test_what_only_reads_can_be_built(line):
    words = tuple(line.split(maxsplit=3)) if "folder" in line else tuple(line.split())
    assert command(*words) == words


def test_no_pattern_lets_a_value_begin_like_an_option():
    for tool, reads in ALLOWED.items():
        for option in reads.values:
            with pytest.raises(ValueError, match="on the list"):
                command(tool, option, "-R")
