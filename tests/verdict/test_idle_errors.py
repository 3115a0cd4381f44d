"""A fabric in which hardly anything was sent: what is said where errors grew all the same."""

from __future__ import annotations

import pytest
from small_fabric import story

from ibforensic import pipeline

ERRORS = ("SymbolErrorCounter", "LinkDownedCounter", "PortRcvErrors", "PortXmitDiscards", "PortXmitWait")
TRAFFIC = ("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts")


def _perfquery(folder, *, cap_mask2, **errors):
    """Screens of ``perfquery -x`` of five HCAs; the errors are those of the third one."""
    folder.mkdir(parents=True)
    for number in range(5):
        values = dict.fromkeys(TRAFFIC, 7_000_000_000 + number) | dict.fromkeys(ERRORS, 0)
        values |= errors if number == 2 else {}
        masks = f"(CapMask: 0x5A00 CapMask2: 0x{cap_mask2:07X})"
        head = f"# Port extended counters: Lid {70 + number} port 1 {masks}"
        lines = [head, "PortSelect:......................1", "CounterSelect:...................0x0000"]
        lines += [f"{name + ':':.<33}{value}" for name, value in values.items()]
        (folder / f"0x0abc0000000070{number:02d}.out").write_text("\n".join(lines) + "\n")
    return pipeline.snapshot([folder])


def _copies(tmp_path, cap_mask2, **errors):
    sides = (
        _perfquery(tmp_path / "2031-01-05T1000", cap_mask2=cap_mask2),
        _perfquery(tmp_path / "2031-01-06T1000", cap_mask2=cap_mask2, **errors),
    )
    return pipeline.diff(*sides).document


def test_where_nothing_was_sent_and_nothing_counted_it_is_said(tmp_path):
    headline = _copies(tmp_path, 2, PortXmitWait=1)["headline"]
    assert headline["message"] == "headline.idle"
    assert headline["text"].endswith("where nothing is sent nothing is damaged")


@pytest.mark.parametrize("cap_mask2", [0, 2])
def test_errors_of_an_idle_port_are_never_denied(tmp_path, cap_mask2):
    document = _copies(tmp_path, cap_mask2, SymbolErrorCounter=2_400)
    told = document["headline"]["text"]
    assert "nothing is damaged" not in told
    if document["verdict"] == "cannot_judge":
        assert "symbol_error_counter went from 0 to 2,400 at 0x0abc000000007002 port 1" in told
    else:
        assert document["suspects"][0]["end"]["node_guid"] == "0x0abc000000007002"


def test_few_errors_of_an_idle_fabric_are_told():
    told = story()
    for port, counts in told.pair.current.counters.items():
        counts.update(told.pair.baseline.counters[port])
    told.pair.current.counters[told.uplink()[1]]["symbol_error_counter"] += 1
    document = told.compare().document
    assert document["verdict"] == "cannot_judge"
    assert document["headline"]["message"] == "headline.idle_with_errors"
    assert document["headline"]["params"]["more"] == 0


def test_a_counter_that_was_cleared_on_an_idle_port_did_not_go_down_to_grow():
    told = story()
    for port, counts in told.pair.current.counters.items():
        counts.update(told.pair.baseline.counters[port])
    port = told.uplink()[1]
    for name in told.pair.current.counters[port]:
        told.pair.current.counters[port][name] = 0
    told.pair.baseline.counters[port]["symbol_error_counter"] = 5_000
    told.pair.current.counters[port]["symbol_error_counter"] = 7
    params = told.compare().document["headline"]["params"]
    assert (params["before"], params["after"]) == (0, 7)


def test_a_counter_that_the_device_does_not_support_is_not_called_absent(tmp_path):
    document = _copies(tmp_path, 0, SymbolErrorCounter=2_400)
    gaps = {gap["what"]: gap for gap in document["coverage"]["not_judged"] if "counter" in gap["params"]}
    gap = gaps["symbol_error_counter"]
    assert gap["message"] == "not_judged.unsupported"
    assert gap["params"]["side"] == "baseline"
    assert "one side only" not in str(list(gaps.values()))
