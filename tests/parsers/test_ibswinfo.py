"""An unmanaged switch by ibswinfo: who it is, and what its sensors say."""

from __future__ import annotations

from pathlib import Path

from conftest import real_file

from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.ibswinfo import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "ibswinfo"
SWITCH = "0x0200000000000200"


def read(path: Path) -> Parsed:
    assert claimant(path.name, path.read_bytes()).spec.name == "ibswinfo"
    return parse(path.name, path.read_bytes())


def sensors(parsed: Parsed, column: str = "value") -> dict[str, object]:
    return {row["sensor"]: row[column] for row in parsed.tables["sensors"].to_pylist()}


def test_the_whole_names_the_switch():
    (node,) = read(FIXTURES / "whole.out").tables["nodes"].to_pylist()
    assert (node["node_guid"], node["node_type"]) == (SWITCH, "switch")
    assert (node["psid"], node["fw_version"], node["num_ports"]) == ("MT_0000000577", "31.2012.1024", 64)
    assert node["uptime_s"] == ((16 * 24 + 1) * 60 + 31) * 60 + 45
    assert node["node_desc"] == "Quantum-2 Mellanox Technologies"


def test_readings_that_are_no_number_are_not_0():
    parsed = read(FIXTURES / "whole.out")
    assert sensors(parsed) == {
        "power/0": 72.0,
        "power/1": None,
        "temperature/asic": 45.0,
        "fan": None,
        "fan/1": 8493.0,
        "fan/2": 0.0,
        "psu/0": None,
        "psu/1": None,
    }
    assert {note.code for note in parsed.notes} == {"ibswinfo.bad_value"}


def test_states_are_in_the_words_of_ibdiagnet():
    states = sensors(read(FIXTURES / "whole.out"), "status")
    assert states["psu/0"] == "AlertState OK; DCState OK; FanState OK"
    assert states["psu/1"] == "AlertState ERROR; DCState ERROR"
    assert states["fan"] == "ERROR"
    assert sensors(read(FIXTURES / "whole.out"), "serial")["psu/1"] is None


def test_vitals_take_the_switch_from_the_file_name():
    parsed = read(FIXTURES / f"vitals_{SWITCH}.out")
    assert parsed.tables["nodes"]["uptime_s"].to_pylist() == [1387025]
    assert sensors(parsed) == {"power/0": 92.0, "temperature/asic": 73.0, "fan/1": 6355.0}
    assert set(sensors(parsed, "node_guid").values()) == {SWITCH}


def test_status_of_an_unknown_switch_is_kept_and_said():
    parsed = read(FIXTURES / "status.txt")
    assert sensors(parsed, "status") == {
        "fan": "OK",
        "psu/0": "AlertState OK; DCState OK",
        "psu/1": "AlertState ERROR; FanState ERROR",
    }
    assert "nodes" not in parsed.tables
    assert [note.code for note in parsed.notes] == ["ibswinfo.no_guid"]


def test_real_switches():
    folder = real_file("diags/treydock/ibswinfo")
    (node,) = read(folder / "test2.out").tables["nodes"].to_pylist()
    assert (node["node_guid"], node["serial"]) == ("0x08c0eb0300d9f672", "MT2152T10239")
    assert node["uptime_s"] == 96 * 86400 + 1 * 3600 + 55 * 60 + 47
    assert sensors(read(folder / "test2.out"))["power/1"] == 134.0
    assert sensors(read(folder / "test2.out"))["fan/9"] == 5906.0
    assert sensors(read(folder / "test1.out"), "status")["fan"] == "ERROR"
    missing = sensors(read(folder / "test1-missing.out"))
    assert missing["power/0" if "power/0" in missing else "psu/0"] is None
    vitals = sensors(read(real_file("diags/sckyzo/ibswinfo-vitals1.out")))
    assert (vitals["power/1"], vitals["temperature/asic"], vitals["fan/9"]) == (102.0, 73.0, 6011.0)
    assert sensors(read(real_file("diags/gsi/ibswinfo.txt")), "status")["psu/1"] == (
        "AlertState ERROR; DCState ERROR; FanState ERROR"
    )
