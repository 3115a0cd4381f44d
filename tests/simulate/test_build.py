from __future__ import annotations

import pytest

from ibforensic.model.enums import Role
from ibforensic.model.errors import BadUsage
from ibforensic.model.ids import guid
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.fabric import cage_of


def _count(fabric, role):
    return sum(node.role is role for node in fabric.nodes)


@pytest.mark.parametrize(
    ("leaves", "spines", "hosts", "hcas"), [(2, 1, 4, 2), (6, 3, 4, 2), (16, 8, 4, 8), (32, 16, 8, 4)]
)
def test_every_size_has_all_nodes_and_links(leaves, spines, hosts, hcas):
    fabric = make_fabric(leaves, spines, hosts, hcas, seed=5)
    assert _count(fabric, Role.LEAF) == leaves
    assert _count(fabric, Role.SPINE) == spines
    assert _count(fabric, Role.HCA) == len(fabric.cables(Role.HCA)) == leaves * hosts * hcas
    assert len(fabric.cables(Role.SPINE)) == leaves * spines * 2
    assert len(fabric.node) == len(fabric.nodes)
    assert len(fabric.link_at) == 2 * len(fabric.links)


def test_some_thousand_hcas_fit():
    assert _count(make_fabric(64, 16, 6, 8, seed=1, uplinks=1), Role.HCA) == 3072


def test_guids_are_normal_and_some_are_awkward():
    guids = [node.guid for node in make_fabric(6, 3, 4, 2, seed=1).nodes]
    assert all(guid(text) == text for text in guids)
    assert any(int(text, 16) > 2**63 for text in guids)
    assert any(text.startswith("0x0") for text in guids)


def test_labels_are_those_of_the_panel():
    assert [cage_of(number) for number in (1, 2, 33, 34, 64)] == [(1, 1), (1, 2), (17, 1), (17, 2), (32, 2)]
    fabric = make_fabric(2, 1, 4, 2, seed=1)
    labels = {fabric.label(port) for port in fabric.link_at}
    assert {"1/17/1", "B24D0F0/0/0/1", "65", "1"} <= labels


@pytest.mark.parametrize(
    "topology", [(2, 1, 40, 2), (65, 1, 1, 1), (2, 1, 1, 9), (2, 1, 1, 0), (0, 1, 1, 1), (2, 0, 1, 1)]
)
def test_impossible_fabrics_are_refused(topology):
    with pytest.raises(BadUsage):
        make_fabric(*topology, seed=1)
