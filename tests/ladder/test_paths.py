"""What NCCL used now and before."""

from __future__ import annotations

import pytest

from ibforensic.ladder.paths import PathKind, changes, troubles

GOOD = {
    "networks": ["IB"],
    "nics": ["mlx5_0:1/IB", "mlx5_1:1/IB"],
    "net_connections": 8,
    "gdr_connections": 8,
    "channels": {"coll": 4},
    "graph": "aa",
    "socket_fallback": False,
    "sharp_connected": False,
}


def kinds(found):
    return [item.kind for item in found]


def test_a_good_path_that_stays_has_no_change():
    assert troubles(GOOD) == []
    assert changes(GOOD, GOOD) == []
    assert changes({}, GOOD) == changes(GOOD, {}) == []


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"socket_fallback": True}, PathKind.SOCKETS),
        ({"gdr_connections": 0}, PathKind.NO_GPUDIRECT),
        ({"sharp_requested": True}, PathKind.SHARP_UNUSED),
        ({"nics": ["mlx5_0:1/IB"]}, PathKind.DEVICES),
        ({"channels": {"coll": 2}}, PathKind.CHANNELS),
        ({"graph": "bb"}, PathKind.RINGS),
        ({"warnings": ["x"]}, PathKind.WARNED),
    ],
)
def test_each_change_is_named(change, kind):
    assert kinds(changes(GOOD, {**GOOD, **change})) == [kind]


def test_what_was_so_before_is_no_change_but_a_trouble():
    sockets = {**GOOD, "socket_fallback": True, "networks": ["Socket"]}
    assert changes(sockets, sockets) == []
    assert kinds(troubles(sockets)) == [PathKind.SOCKETS]


def test_worst_comes_first():
    after = {**GOOD, "socket_fallback": True, "networks": ["Socket"], "graph": "bb"}
    assert kinds(changes(GOOD, after)) == [PathKind.SOCKETS, PathKind.NETWORK, PathKind.RINGS]
