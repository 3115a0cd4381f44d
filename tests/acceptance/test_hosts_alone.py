"""Nothing but ibstat of hosts: no counters, no links, and still a port that is down or slow is named."""

from __future__ import annotations

import pytest
from conftest import real_file

from ibforensic import pipeline

DEVICE = "mlx5_4"


def edited(tmp_path, *changes):
    """Two folders with the ibstat of one host; the later one differs in one device."""
    text = real_file("diags/gpud/ibstat.47.0.h100.all.active.2").read_text()
    at = text.index(f"CA '{DEVICE}'")
    after = text.find("CA '", at + 1)
    block = text[at:after]
    for old, new in changes:
        assert old in block
        block = block.replace(old, new)
    for side, content in {"then": text, "now": text[:at] + block + text[after:]}.items():
        (tmp_path / side).mkdir()
        (tmp_path / side / "node01.ibstat").write_text(content)
    return pipeline.diff(pipeline.load(tmp_path / "then"), pipeline.load(tmp_path / "now")).document


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ([("Rate: 400", "Rate: 200")], "rate_drop", "headline.port_alone_rate"),
        ([("State: Active", "State: Down"), ("LinkUp", "Polling")], "port_down", "headline.port_alone_down"),
        ([("State: Active", "State: Initializing")], "port_down", "headline.port_alone_down"),
    ],
)
def test_a_port_that_got_worse_is_named(tmp_path, changes, kind, message):
    document = edited(tmp_path, *changes)
    (suspect,) = document["suspects"]
    assert suspect["headline"]["message"] == message
    assert suspect["end"]["node"] == f"node01 {DEVICE}"
    assert suspect["evidence"][0]["kind"] == kind
    source, line = suspect["evidence"][0]["source"].split(":")
    assert source == "node01.ibstat"
    assert int(line) > 1
    assert document["coverage"]["ports"]["judged"] == 0


def test_a_new_lid_is_no_finding(tmp_path):
    document = edited(tmp_path, ("Base lid: ", "Base lid: 1"))
    assert document["suspects"] == []
    assert document["changes"] == []
    assert document["verdict"] == "cannot_judge"


def test_ethernet_ports_are_no_part_of_the_fabric(tmp_path):
    document = edited(tmp_path, ("State: Active", "State: Down"), ("InfiniBand", "Ethernet"))
    assert document["suspects"] == []
