"""Ports that nobody can tell the node of are judged under a name to go by."""

from __future__ import annotations

import pytest

from ibforensic import pipeline

REPORT = """
Operational Info
----------------
State                              : Active
Physical state                     : LinkUp
Speed                              : IB-NDR
Width                              : 4x
FEC                                : Standard_RS-FEC - (544,514)

Physical Counters and BER Info
------------------------------
Time Since Last Clear [Min]        : 1000.0
Raw Physical BER                   : {raw}
Effective Physical BER             : {effective}
Symbol BER                         : {symbol}
"""
CALM = REPORT.format(raw="3E-10", effective="15E-255", symbol="15E-255")
BAD = REPORT.format(raw="2E-4", effective="1E-8", symbol="2E-11")


def collection(folder, command, texts):
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(f"{command}\n{text}" if command else text)
    return pipeline.load(folder)


@pytest.mark.parametrize(
    ("command", "name", "called"),
    [
        ("[root@mgmt ~]# mlxlink -d lid-12 -p 5 -m -c", "out.txt", "lid:12"),
        ("[root@node-a ~]# mlxlink -d mlx5_0 -c", "out.txt", "out.txt/mlx5_0"),
        ("", "report-of-the-bad-one.txt", "report-of-the-bad-one.txt"),
    ],
)
def test_a_port_known_by_lid_device_or_file_alone_is_judged(tmp_path, command, name, called):
    then = collection(tmp_path / "then", command, {name: CALM})
    now = collection(tmp_path / "now", command, {name: BAD})
    (suspect,) = pipeline.diff(then, now).document["suspects"]
    assert suspect["end"]["node_guid"] == called
    (alone,) = pipeline.check(now).document["suspects"]
    assert alone["end"]["node_guid"] == called
    assert not pipeline.check(then).document["suspects"]


def test_several_reports_that_tell_nothing_of_themselves_are_not_mixed_up(tmp_path):
    found = collection(tmp_path / "now", "", {"out.txt": CALM + BAD})
    assert set(found.latest.tables["phy"]["node_guid"].to_pylist()) == {None}
    assert pipeline.check(found).document["verdict"] == "cannot_judge"
