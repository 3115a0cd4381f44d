"""Stories of the physical layer: bit errors, light, heat, and parts that were changed."""

from __future__ import annotations

import small_phy as phy
from rule_case import Case
from small_fabric import Story

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey


def _noisy(told: Story) -> None:
    phy.noisy(told.pair, told.uplink()[0], 1e-6)


def _always_noisy(told: Story) -> None:
    port = told.uplink()[0]
    for sample in (told.pair.baseline, told.pair.current):
        phy.read_since(sample, port, phy.layer(sample).readings[port].seconds, ratio=1e-6)


def _noisier_everywhere(told: Story) -> None:
    for port in phy.layer(told.pair.current).readings:
        phy.noisy(told.pair, port, 1e-7)


def _few_bursts(told: Story) -> None:
    """Errors after FEC, as healthy links have some; retransmission repairs them."""
    phy.noisy(told.pair, told.uplink()[0], phy.USUAL, effective=900)


def _up_for_an_hour(told: Story) -> None:
    told.fall(*told.uplink())
    for port in told.uplink():
        phy.read_since(told.pair.current, port, 3_600)


def _dimmer(told: Story) -> None:
    phy.dim(told.pair.current, told.uplink()[0], 3.0, lanes=(1, 2))


def _dimmer_everywhere(told: Story) -> None:
    for port in phy.optical(told.pair.current):
        phy.dim(told.pair.current, port, 2.0)


def _dimmer_after_a_change(told: Story) -> None:
    _dimmer(told)
    renew(told, told.uplink()[1])


def _rounded(told: Story) -> None:
    """Modules that tell whole dBm: a tenth of a decibel turns one into the next."""
    for sample, sent in ((told.pair.baseline, 1.55), (told.pair.current, 1.45)):
        phy.layer(sample).whole_dbm = True
        for optics in phy.layer(sample).optics.values():
            optics.loss = [phy.LOSS - 1] * phy.LANES
        phy.layer(sample).optics[told.uplink()[1]].sent = [sent + 1] * phy.LANES


def _hot_module(told: Story) -> None:
    heat(told, told.uplink()[0], 15)


def _warmer_room(told: Story) -> None:
    for sample_phy in (phy.layer(told.pair.current),):
        for port in sample_phy.heat:
            heat(told, port, 9)
        sample_phy.boards = {guid: [phy.BOARD + 9] * 3 for guid in sample_phy.boards}


def _always_hot(told: Story) -> None:
    for sample in (told.pair.baseline, told.pair.current):
        for port in told.ports(told.switch(Role.LEAF)):
            if port in phy.layer(sample).heat:
                phy.layer(sample).heat[port] = 78


def _followed(told: Story) -> None:
    """A module that received badly was carried to another switch, and its errors went along."""
    was, now = carry(told)
    told.pair.baseline.counters[was].update(symbol_error_counter=90_000)
    told.pair.current.counters[was].update(symbol_error_counter=90_000)
    told.count(now, symbol_error_counter=30_000)


def _fine_before_and_now(told: Story) -> None:
    carry(told)


def _bad_one_replaced(told: Story) -> None:
    port = told.uplink()[0]
    for sample in (told.pair.baseline, told.pair.current):
        sample.counters[port].update(symbol_error_counter=90_000)
    renew(told, port)


def _new_one_is_bad(told: Story) -> None:
    port = told.uplink()[0]
    renew(told, port)
    told.count(port, symbol_error_counter=30_000)


def carry(told: Story) -> tuple[PortKey, PortKey]:
    """Exchange the modules of two leaves; return where the first one was, and where it is now."""
    was, now = told.uplink(0, 0)[0], told.uplink(1, 1)[0]
    first, second = phy.module(told.pair.baseline, was), phy.module(told.pair.baseline, now)
    phy.plug(told.pair.current, was, second)
    phy.plug(told.pair.current, now, first)
    return was, now


def renew(told: Story, port: PortKey, serial: str = "NEW0001") -> None:
    """Plug a new module of the same kind into a port."""
    old = phy.module(told.pair.current, port)
    phy.plug(told.pair.current, port, phy.replace(old, serial=serial))


def heat(told: Story, port: PortKey, degrees: float) -> None:
    """Let the module in a port get warmer."""
    phy.layer(told.pair.current).heat[port] += degrees


PHY_CASES: dict[str, Case] = {
    "bit_errors": Case(
        _noisy,
        {
            "as noisy as always": _always_noisy,
            "noisier everywhere": _noisier_everywhere,
            "a few bursts": _few_bursts,
            "a link that came up an hour ago": _up_for_an_hour,
        },
        phy=True,
    ),
    "light": Case(
        _dimmer,
        {
            "dimmer everywhere": _dimmer_everywhere,
            "another module sends": _dimmer_after_a_change,
            "readings in whole decibels": _rounded,
        },
        phy=True,
    ),
    "heat": Case(
        _hot_module, {"a warmer room": _warmer_room, "a box that always was hot": _always_hot}, phy=True
    ),
    "module_swap": Case(
        _followed,
        {
            "carried without errors": _fine_before_and_now,
            "a bad module replaced": _bad_one_replaced,
            "a new module that is bad": _new_one_is_bad,
        },
        phy=True,
    ),
}
"""Rule → its stories."""
