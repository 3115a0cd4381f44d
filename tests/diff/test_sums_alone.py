"""perfquery -a on its own: sums over all ports of a node, which name no port."""

from __future__ import annotations

from small_fabric import compare

from ibforensic import pipeline

SUM = """# Port counters: Lid 5 port 255 (CapMask: 0x5A00)
PortSelect:......................255
CounterSelect:...................0x0000
SymbolErrorCounter:..............{errors}
PortRcvErrors:...................{errors}
PortXmitWait:....................0
"""


def gaps(comparison):
    return [(gap["message"], gap["help"]) for gap in comparison.document["coverage"]["not_judged"]]


def test_sums_alone_cannot_be_judged_and_say_what_to_ask_instead(tmp_path):
    comparison = compare(*({"0x0200000000000001.out": SUM.format(errors=count)} for count in (0, 900)))
    assert comparison.document["verdict"] == "cannot_judge"
    told = [help_ for message, help_ in gaps(comparison) if message == "not_judged.sums"]
    assert len(told) == 2
    assert all("perfquery -x -l" in help_ for help_ in told)


def test_a_sample_of_sums_on_its_own_says_so_too(tmp_path):
    (tmp_path / "0x0200000000000001.out").write_text(SUM.format(errors=900))
    comparison = pipeline.check(pipeline.load(tmp_path))
    assert "not_judged.sums" in [message for message, _ in gaps(comparison)]


def test_sums_beside_ports_are_no_gap():
    own = SUM.replace("port 255", "port 1").replace("255\n", "1\n")
    both = {"0x0200000000000001.out": (SUM + own).format(errors=0)}
    assert "not_judged.sums" not in [message for message, _ in gaps(compare(both, both))]
