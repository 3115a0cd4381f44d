"""Demand D-1: the tools that look must not erase what they look for."""

from __future__ import annotations

import os
import re

import pytest
from click.testing import CliRunner

from ibforensic.cli.main import group
from ibforensic.collect.plan import FABRIC_TOOLS, HOST_TOOLS

ERASES = re.compile(r"(?<!\S)(?:--pc|--reset_phy_info|-k|-K|-R|-r|--clear\S*|--scr|--port_state)(?!\S)")


@pytest.mark.parametrize("without", [(), ("ibdiagnet",), (*FABRIC_TOOLS, *HOST_TOOLS)])
@pytest.mark.parametrize("more", [(), ("--routing", "--every-port", "--device", "mlx5_0", "--port", "1")])
def test_d1_collect_prints_no_command_that_erases_evidence(tmp_path, monkeypatch, without, more):
    for tool in {*FABRIC_TOOLS, *HOST_TOOLS} - set(without):
        (tmp_path / tool).write_text("#!/bin/sh\necho it was run >&2\nexit 1\n")
        (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    options = ["collect", "--print-commands", "--hosts", "gpu[01-02]", "-o", "x.ibf", "--repeat", "2", *more]
    done = CliRunner().invoke(group, options)
    assert done.exit_code == 0
    assert not ERASES.search(done.output)
    assert "it was run" not in done.output
    assert ("ibdiagnet --get_phy_info" in done.output) is ("ibdiagnet" not in without)
    assert "ib_write_bw" in done.output
    assert all(line.startswith("#") for line in done.output.splitlines() if "ib_write_bw" in line)
