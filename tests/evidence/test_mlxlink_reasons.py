"""What mlxlink prints of the last link down reaches the rule about reasons (demands D-19 and D-20)."""

from __future__ import annotations

import pytest
from small_fabric import of, story

from ibforensic.parsers.mlxlink import parse

REPORT = """
Operational Info
----------------
State                              : Active
Physical state                     : LinkUp
Speed                              : IB-NDR
Width                              : 4x

Link Down Info
--------------
{told}
"""


def report(**fields: str) -> str:
    return REPORT.format(
        told="\n".join(f"{name.replace('_', ' '):35}: {text}" for name, text in fields.items())
    )


def flapping(end: int, **fields: str):
    """A link that went down, and what mlxlink shows at one of its ends."""
    told = story()
    told.fall(*told.uplink(), downs=3)
    port = told.uplink()[end]
    told.beside[1][f"{port.node_guid}_p{port.port_num}.txt"] = report(**fields)
    return told, port


@pytest.mark.parametrize("printed", ["2", "2 (High BER)", "High_BER"])
def test_d19_a_bad_signal_is_told_by_number_or_by_words(printed):
    told, port = flapping(0, Down_Blame="Remote phy", Local_Reason_Opcode=printed, Remote_Reason_Opcode="0")
    comparison = told.compare()
    (item,) = of(comparison, "down_reason")
    assert (item.where, item.towards) == (port, port)
    assert item.message.id == "down_reason.signal"
    assert "remote side responsible" in item.message.text
    (suspect,) = comparison.judgement.suspects
    assert suspect.end == port


def test_d19_the_end_to_end_scale_tells_of_the_other_end():
    told, port = flapping(1, E2E_Reason_Opcode="102")
    (item,) = of(told.compare(), "down_reason")
    assert item.where == port
    assert item.message.id == "down_reason.echo"


def test_d20_a_peer_that_was_reset_accuses_nobody():
    signal, _ = flapping(0, Local_Reason_Opcode="2")
    reset, _ = flapping(0, Local_Reason_Opcode="37 (Peer side down due to reset event)")
    assert signal.compare().judgement.suspects
    comparison = reset.compare()
    assert comparison.judgement.suspects == ()
    assert {item.message.id for item in of(comparison, "down_reason")} <= {"down_reason.peer_reset"}


def test_nothing_told_is_nothing_known():
    table = parse("0x0200000000000001_p1.txt", report(Down_Blame="N/A").encode()).tables.get("phy")
    if table is not None:
        assert table["down_reason_local"].null_count == table.num_rows
