"""Ports of RoCE hosts are no part of the fabric: that is said, and their changes are told."""

from __future__ import annotations

import pytest
from small_fabric import compare

from ibforensic import pipeline
from ibforensic.report.answer import answer

HEAD = (
    "CA 'mlx5_{device}'\n\tCA type: MT4129\n\tNumber of ports: 1\n"
    "\tNode GUID: 0x02000000000{host}{device}000\n"
)
PORT = (
    "\tPort 1:\n\t\tState: {state}\n\t\tPhysical state: {phys}\n\t\tRate: {rate}\n\t\tBase lid: 0\n"
    "\t\tPort GUID: 0x02000000000{host}{device}000\n\t\tLink layer: {layer}\n"
)
UP = {"state": "Active", "phys": "LinkUp", "rate": 400, "layer": "Ethernet"}
DOWN = {"state": "Down", "phys": "Disabled", "rate": 10, "layer": "Ethernet"}


def hosts(*, first=UP, layer: str = "Ethernet") -> dict[str, str]:
    """ibstat of two hosts with two ports each; the first port of the first host is as told."""
    files = {}
    for host in (1, 2):
        ports = (first if (host, device) == (1, 0) else {**UP, "layer": layer} for device in (0, 1))
        files[f"roce{host}.ibstat"] = "".join(
            (HEAD + PORT).format(host=host, device=device, **port) for device, port in enumerate(ports)
        )
    return files


def gaps(comparison) -> dict[str, dict]:
    return {gap["message"]: gap for gap in comparison.document["coverage"]["not_judged"]}


def told(comparison) -> list[str]:
    changes = comparison.document["changes"]
    return [one["text"] for group in changes for one in group["examples"] if group["kind"] == "ethernet_port"]


def test_ethernet_alone_is_named_as_the_reason_and_nothing_else_is_asked_for():
    found = compare(hosts(), hosts(first=DOWN))
    assert found.document["verdict"] == "cannot_judge"
    assert list(gaps(found)) == ["not_judged.ethernet"]
    gap = gaps(found)["not_judged.ethernet"]
    assert gap["count"] == 4
    assert "RoCE" in gap["text"]
    assert "roce1 mlx5_0 port 1" in gap["examples"]
    assert " ".join(answer(found.document)) == "Cannot judge: all ports speak Ethernet (RoCE), not InfiniBand"


def test_other_hosts_are_no_other_fabric_where_all_is_ethernet():
    others = {f"other{name}": text.replace("0x020", "0x021") for name, text in hosts().items()}
    assert compare(hosts(), others).document["headline"]["message"] == "headline.ethernet"


def test_a_single_ethernet_port_is_not_called_all_ports():
    one = {"roce1.ibstat": (HEAD + PORT).format(host=1, device=0, **UP)}
    later = {"roce1.ibstat": (HEAD + PORT).format(host=1, device=0, **DOWN)}
    assert "the only port speaks Ethernet" in compare(one, later).document["headline"]["text"]


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (DOWN, ["state active → down"]),
        ({**UP, "rate": 100}, ["rate 400 Gb/s → 100 Gb/s"]),
        (UP, []),
    ],
)
def test_what_an_ethernet_port_does_otherwise_is_told_as_a_change(now, words):
    said = told(compare(hosts(), hosts(first=now)))
    assert len(said) == len(words)
    assert all(word in line and "roce1" in line for word, line in zip(words, said, strict=True))


def test_a_host_on_its_own_says_so_too(tmp_path):
    for name, text in hosts().items():
        (tmp_path / name).write_text(text)
    assert "not_judged.ethernet" in gaps(pipeline.check(pipeline.load(tmp_path)))


def test_ports_of_infiniband_hosts_are_no_gap_of_this_kind():
    infiniband = {**UP, "layer": "InfiniBand"}
    both = hosts(first=infiniband, layer="InfiniBand")
    assert "not_judged.ethernet" not in gaps(compare(both, both))


def test_beside_infiniband_only_the_ethernet_ports_are_counted():
    both = hosts(first={**UP, "layer": "InfiniBand"})
    found = gaps(compare(both, both))
    assert found["not_judged.ethernet"]["count"] == 3
    assert len(found) > 1
