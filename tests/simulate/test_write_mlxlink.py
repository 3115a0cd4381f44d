"""mlxlink of a simulated fabric: names and order are those of real output, values those of the state."""

from __future__ import annotations

import json
import re

import pytest
from benches import contents, folder, incident
from conftest import mini_file, real_file

from ibforensic.model.enums import Role
from ibforensic.simulate import phy_ber
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.host_view import hosts
from ibforensic.simulate.optics import received

FAULTS = (
    Fault(FaultKind.DIRTY_CONNECTOR, severity="high"),
    Fault(FaultKind.WIDTH_LOSS, tier=Role.HCA),
    Fault(FaultKind.DEAD_LINK, tier=Role.HCA),
    Fault(FaultKind.DEAD_HOST),
)


@pytest.fixture(scope="module")
def sample():
    return incident(*FAULTS).current


@pytest.fixture(scope="module")
def written(sample, tmp_path_factory):
    return folder(tmp_path_factory.mktemp("mlxlink"), sample, "mlxlink")


def sections(text):
    """Read text into title → name → value, in order."""
    found: dict[str, dict[str, str]] = {}
    lines = text.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if below and set(below) == {"-"}:
            found[line] = {}
        elif ":" in line and found:
            name, _, value = line.partition(":")
            found[list(found)[-1]][name.rstrip()] = value.strip()
    return found


def files_of(sample):
    """Return the ports that are asked, and the name of the text about each."""
    names = {
        port: f"{host.name}_{device.name}_p{port.port_num}"
        for host in hosts(sample)
        for device in host.devices
        for port in device.ports
    }
    for node in sample.seen_nodes():
        if node.is_switch:
            for port in sample.fabric.ports_of[node.guid]:
                if sample.fabric.peer_role(port) is not Role.AGGREGATION:
                    names[port] = f"lid-{sample.lids[node.guid]}_p{port.port_num}"
    return names


@pytest.fixture(scope="module")
def told(sample, written):
    return {port: sections((written / f"{name}.txt").read_text()) for port, name in files_of(sample).items()}


def test_every_port_with_a_cable_is_asked_whatever_is_wrong_with_it(sample, written):
    names = files_of(sample)
    json_names = {name for port, name in names.items() if not sample.fabric.node[port.node_guid].is_switch}
    assert set(contents(written)) == {f"{name}.txt" for name in names.values()} | {
        f"{name}.json" for name in json_names
    }
    silent = {
        port
        for hca in sample.fabric.hosts[next(iter(sample.off))]
        for port in sample.fabric.ports_of[hca.guid]
    }
    inner = {port for link in sample.fabric.links if link.fec == 255 for port in link.key}
    assert set(names) == set(sample.fabric.link_at) - silent - inner


def test_the_command_stands_above(sample, written):
    for port, name in files_of(sample).items():
        first = (written / f"{name}.txt").read_text().splitlines()[0]
        device = re.fullmatch(r"\[root@\S+ ~\]# mlxlink -d (\S+) -p (\d+) -m -c -e", first)
        assert name.endswith(f"{device[1]}_p{port.port_num}")
        assert int(device[2]) == port.port_num


def test_state_and_rate_are_those_of_the_link(sample, told):
    down, narrow = 0, 0
    for port, found in told.items():
        state, info = sample.links[sample.fabric.link_at[port].key], found["Operational Info"]
        down += not state.up
        narrow += state.width == "2x"
        expected = ("Active", f"IB-{state.speed}", state.width) if state.up else ("Polling", "N/A", "N/A")
        assert (info["State"], info["Speed"], info["Width"]) == expected
        assert (found["Troubleshooting Info"]["Status Opcode"] == "2") is not state.up
    assert down > 2
    assert narrow == 2


def _digits(errors, bits):
    digit, power = phy_ber.register(errors, bits)
    return f"{digit}E-{power}"


def test_errors_are_those_of_the_registers(sample, told):
    for port, found in told.items():
        reading, info = sample.phy.readings[port], found["Physical Counters and BER Info"]
        width = int(sample.links[sample.fabric.link_at[port].key].width[0])
        assert info["Raw Physical Errors Per Lane"] == ",".join(map(str, reading.raw[:width]))
        assert info["Raw Physical BER"] == _digits(sum(reading.raw), reading.bits)
        assert info["Effective Physical Errors"] == str(reading.effective)
        assert info["Effective Physical BER"] == _digits(reading.effective, reading.bits)
        assert info["Symbol Errors"] == str(reading.symbols)
        assert info["Symbol BER"] == _digits(reading.symbols, reading.bits)
        assert float(info["Time Since Last Clear [Min]"]) == pytest.approx(reading.seconds / 60, abs=0.051)
        assert info["Link Down Counter"] == str(sample.counters[port].get("link_downed_counter", 0))


def _numbers(text):
    return [float(number) for number in text.partition(" ")[0].split(",")]


def test_modules_measure_what_they_measure(sample, told):
    lit = 0
    for port, found in told.items():
        info, cable = found["Module Info"], sample.phy.cables[sample.fabric.link_at[port].key]
        module, optics = cable.at(port), sample.phy.optics.get(port)
        assert (info["Vendor Part Number"], info["Vendor Serial Number"]) == (module.part, module.serial)
        assert info["Digital Diagnostic Monitoring"] == ("Yes" if cable.medium.powered else "No")
        assert (info["Temperature [C]"] == "N/A") is not cable.medium.powered
        if cable.medium.optical_power:
            lit += 1
            peer = sample.fabric.peer(port)
            assert _numbers(info["Rx Power Current [dBm]"]) == received(sample.phy, port, peer)
            assert _numbers(info["Tx Power Current [dBm]"]) == optics.sent
            assert _numbers(info["Bias Current [mA]"]) == optics.bias
        else:
            assert info["Rx Power Current [dBm]"] == "N/A"
    assert lit > 10


def test_the_eye_is_small_where_bits_arrive_wrong(sample, told):
    (hurt,) = [port for port, reception in sample.phy.receptions.items() if reception.episodes]
    lanes = sample.phy.receptions[hurt].episodes[0].lanes
    grades = [int(text) for text in told[hurt]["EYE Opening Info"]["Last FOM"].split(",")]
    bad, well = (
        [grade for grade, lane in zip(grades, lanes, strict=True) if (lane > -20) is hit]
        for hit in (True, False)
    )
    assert bad
    assert max(bad) < min(well)
    usual = [
        int(grade)
        for port, found in told.items()
        if sample.is_up(port) and port != hurt
        for grade in found["EYE Opening Info"]["Last FOM"].split(",")
    ]
    assert min(grades) < min(usual)


def test_json_says_the_same_as_text(sample, told, written):
    compared = 0
    for port, name in files_of(sample).items():
        if sample.fabric.node[port.node_guid].role is Role.HCA:
            whole = json.loads((written / f"{name}.json").read_text())
            assert whole["status"] == {"code": 0, "message": "success"}
            assert {
                title: {key: _flat(value) for key, value in section.items()}
                for title, section in whole["result"]["output"].items()
            } == told[port]
            compared += 1
    assert compared > 10


def _flat(value):
    words = ",".join(value["values"]) if isinstance(value, dict) else value
    return f"{value['mask']} ({words})" if isinstance(value, dict) and "mask" in value else words


def test_without_a_physical_layer_it_is_not_asked_for_one(tmp_path):
    for data in contents(folder(tmp_path, incident(phy=False).current, "mlxlink")).values():
        assert b"BER" not in data.replace(b"amBER", b"")
        assert b"-m -c -e" not in data


def test_the_same_sample_gives_the_same_bytes(sample, written, tmp_path):
    again = folder(tmp_path, incident(*FAULTS).current, "mlxlink")
    assert contents(again) == contents(written)


@pytest.mark.parametrize(("speed", "eyes"), [("hdr", "Physical Grade"), ("ndr", "Mid Grades")])
def test_eyes_are_those_of_the_generation(speed, eyes, tmp_path):
    written = folder(tmp_path, incident(speed=speed).current, "mlxlink")
    found = sections(next(written.glob("lid-*.txt")).read_text())
    assert eyes in found["EYE Opening Info"]


def test_text_has_the_layout_of_real_text(told, written):
    block = "mlxlink/blocks/fchamicapereira__sigcomm26-tutorial-bluefield/README_md.0.mlxlink.txt"
    text = real_file(block).read_text()
    real = sections(
        text[text.index("Operational Info") : text.index("ubuntu@", text.index("Operational Info"))]
    )
    ours = next(iter(told.values()))
    assert list(ours)[:6] == list(real)[:6]
    assert list(ours["Operational Info"]) == list(real["Operational Info"])
    assert list(ours["Module Info"]) == list(real["Module Info"])
    for title in ("Tool Information", "Troubleshooting Info"):
        assert list(ours[title]) == list(real[title])
    line = next(written.glob("*.txt")).read_text().splitlines()[4]
    assert line in text.splitlines()


def test_counters_are_named_as_in_real_infiniband_output(told):
    text = real_file("mlxlink/hyungkwang/mlxlink-quantum-fdr-dac.txt").read_text()
    mini = sections(mini_file("mlxlink.txt").read_text())
    ours = next(iter(told.values()))["Physical Counters and BER Info"]
    assert list(ours) == list(mini["Physical Counters and BER Info"])
    assert set(ours) == set(sections(text)["Physical Counters and BER Info"])
    for value in (ours["Raw Physical BER"], "15E-255"):
        assert re.fullmatch(r"\d+E-\d+", value)


def test_json_has_the_shape_of_real_json(sample, written):
    real = json.loads(real_file("mlxlink/yuuki-mlxlink_exporter/mft-4.34.1-400g-eye.json").read_text())
    ours = json.loads(next(written.glob("*.json")).read_text())
    theirs, mine = real["result"]["output"], ours["result"]["output"]
    assert set(mine) <= set(theirs)
    assert set(mine["EYE Opening Info"]) == set(theirs["EYE Opening Info"])
    assert set(mine["Operational Info"]) == set(theirs["Operational Info"])
    new_names = {"Attenuation (5g,7g,12g)[dB]", "Cable Rx Emphasis"}
    assert set(mine["Module Info"]) - set(theirs["Module Info"]) <= new_names
    for title in ("Physical Counters and BER Info", "EYE Opening Info"):
        for name in set(mine[title]) & set(theirs[title]):
            assert type(mine[title][name]) is type(theirs[title][name]), name
