"""The log parser: the run's own counts, and its complaints."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import mini_file, real_file
from hypothesis import given, settings
from hypothesis import strategies as st

from ibforensic.parsers.ibdiagnet_log import SPEC, parse

SMALL = (Path(__file__).parents[1] / "fixtures/ibdiagnet_log/small.log").read_bytes()
LEAF, HOST = "0x0abc000000000100", "0x0abc00000000a000"


def summary(data: bytes = SMALL) -> dict:
    """Return what the log says the run counted."""
    return json.loads(parse("f", data).tables["runs"]["summary"][0].as_py())


def test_a_whole_log_gives_no_notes():
    parsed = parse("f", SMALL)
    assert (parsed.whole, parsed.notes) == (True, ())


def test_the_run_in_the_spelling_of_old_versions():
    (row,) = parse("d/f", SMALL).tables["runs"].to_pylist()
    assert (row["tool"], row["tool_version"]) == ("ibdiagnet", "2.12.0")
    assert row["command"] == "/usr/bin/ibdiagnet --pm_pause_time 30 -o /tmp/out"
    assert row["began_at"] == datetime(2031, 5, 6, 12, 8, 9, tzinfo=UTC)
    assert (row["window_s"], row["source"]) == (30.0, "d/f")


def test_the_counts_of_the_run():
    found = summary()
    assert {name: found[name] for name in ("nodes", "switches", "hcas", "aggregation_nodes", "routers")} == {
        "nodes": 3,
        "switches": 1,
        "hcas": 2,
        "aggregation_nodes": 0,
        "routers": 0,
    }
    assert (found["links"], found["links_by_rate"]) == (2, {"4x100": 1, "4x50": 1})
    assert found["adaptive_routing_switches"] == 1
    assert (found["master_sm"]["node_guid"], found["master_sm"]["priority"]) == (LEAF, 9)
    assert found["standby_sm"]["node_guid"] is None
    assert found["stages"] == {
        "Discovery": {"warnings": 4, "errors": 0, "comment": ""},
        "Port Counters": {"warnings": 0, "errors": 2, "comment": "look here"},
    }
    assert found["files"] == {"Database": "/tmp/out/ibdiagnet2.db_csv"}


def test_every_complaint_is_an_event_with_its_check():
    events = parse("f", SMALL).tables["events"].to_pylist()
    said = [(e["line"], e["level"], e["scope"], e["node_guid"], e["port_num"], e["event"]) for e in events]
    check = "Ports counters Difference Check (during run)"
    assert said == [
        (13, "warning", "cluster", None, None, "Discovery"),
        (14, "warning", "cluster", None, None, "Odd Things Check"),
        (15, "warning", "port", LEAF, 20, "Odd Things Check"),
        (16, "warning", "node", LEAF, None, "Odd Things Check"),
        (17, "warning", "node", HOST, None, "Odd Things Check"),
        (24, "error", "cluster", None, None, check),
        (25, "error", None, None, None, check),
    ]
    assert events[-1]["x_subject"] == "calc-1/mlx5_0/B24D0F0/0/0/1"
    assert {e["stage"] for e in events} == {"Discovery", "Port Counters"}


def test_a_cut_log_keeps_what_it_has():
    cut = SMALL[: SMALL.index(b"Links at 4x50")]
    parsed = parse("f", cut)
    assert not parsed.whole
    assert [note.code for note in parsed.notes] == ["ibdiagnet_log.file_cut"]
    assert summary(cut)["links_by_rate"] == {"4x100": 1}
    assert "stages" not in summary(cut)


def test_crlf_does_not_matter():
    assert summary(SMALL.replace(b"\n", b"\r\n")) == summary()


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("screen.txt", SMALL, True),
        ("ibdiagnet2.log", SMALL[:150], True),
        ("screen.txt", SMALL[:150], False),
        ("ibdiagnet2.log", b"", False),
        ("ibdiagnet2.log", SMALL + b"\0", False),
        ("syslog.log", b"Jan 1 host kernel: -E- nothing\n", False),
    ],
)
def test_files_are_claimed_by_content(name, head, claimed):
    assert SPEC.claims(name, head) is claimed


def lines_as_events(*lines: str) -> list[dict]:
    """Return the events of a stage with these lines."""
    text = "\n".join(["-" * 45, "Links Check", *lines, ""])
    return parse("f", text.encode()).tables["events"].to_pylist()


def test_a_link_is_about_its_end_that_is_named_by_guid():
    known, name = "S0abc000000000100/N0abc000000000100/P20", "calc-1/mlx5_0/B24D0F0/0/0/1"
    (event,) = lines_as_events(f"-E- Link: {name}<-->{known} - Unexpected actual link speed 25")
    assert (event["node_guid"], event["port_num"], event["x_subject"], event["x_other"]) == (
        LEAF,
        20,
        known,
        name,
    )
    (event,) = lines_as_events(f"-E- Link: {name}<-->row-1/U1/P1/1/1 - Unexpected width")
    assert (event["node_guid"], event["x_subject"], event["x_other"]) == (None, name, "row-1/U1/P1/1/1")


def test_a_port_named_in_the_words_of_the_line():
    (event,) = lines_as_events("-W- row-1/U1/N/A - In Node row-1/U1 Port 65 hierarchy info is missing")
    assert (event["node_guid"], event["port_num"], event["x_subject"]) == (None, 65, "row-1/U1/N/A")


@pytest.mark.parametrize(
    "title",
    [
        "APort Symmetry Check finished with errors",
        "PCI degradation check finished with warnings",
        "Rail Optimized Topology Validation finished with errors",
    ],
)
def test_the_lines_of_a_check_carry_its_title_up_to_the_next_information(title):
    events = lines_as_events(f"-E- {title}", "-E- a/P1 - one", "-I- go on", "-E- b/P1 - other")
    assert [event["event"] for event in events] == [title.partition(" finished")[0]] * 2 + ["Links Check"]
    assert {event["stage"] for event in events} == {"Links Check"}


def test_a_saved_screen_gives_what_the_log_gives():
    screen = SMALL[SMALL.index(b"----------") :]
    screen = b"[root@desk ~]# ibdiagnet -o /tmp/out\n" + screen.replace(
        b"-W- ", b"\x1b[33m-W-\x1b[0m "
    ).replace(b"-I- Fabric Discover", b"-I- Discovering 1\r-I- Discovering 27\r-I- Fabric Discover")
    assert SPEC.claims("typescript", screen)
    shown, log = (parse("f", data).tables["events"].to_pylist() for data in (screen, SMALL))
    assert [(e["text"], e["stage"], e["line"] + 3) for e in shown] == [
        (e["text"], e["stage"], e["line"]) for e in log
    ]


def test_a_prompt_is_no_stage():
    (event,) = (
        parse("f", b"[root@desk ~]# ibdiagnet -r\n-W- something finished with warnings\n")
        .tables["events"]
        .to_pylist()
    )
    assert event["stage"] is None


@settings(max_examples=60, deadline=None)
@given(
    at=st.integers(0, len(SMALL)), junk=st.binary(max_size=12) | st.sampled_from([b"-E- ", b"\n-I- 1 1 1"])
)
def test_no_edit_raises(at, junk):
    parsed = parse("f", SMALL[:at] + junk + SMALL[at:])
    assert parsed.tables["events"].num_rows >= 5


def test_a_real_log():
    parsed = parse("f", (real_file("ibdiagnet/gary-ndr") / "ibdiagnet2.log").read_bytes())
    found = json.loads(parsed.tables["runs"]["summary"][0].as_py())
    assert (found["nodes"], found["links"], len(found["stages"]), len(found["files"])) == (272, 271, 12, 11)
    assert found["stages"]["Discovery"] == {"warnings": 17, "errors": 0, "comment": ""}
    assert parsed.tables["runs"]["window_s"].to_pylist() == [1.0]
    events = parsed.tables["events"].to_pylist()
    assert sum(e["event"] == "FW Check" and e["scope"] == "node" for e in events) == 5
    assert (parsed.notes, parsed.whole) == ((), True)


def test_a_real_excerpt_names_one_end_of_the_link():
    parsed = parse("f", real_file("ibdiagnet/hyungkwang/ibdiagnet2-log-speed-check.txt").read_bytes())
    (_, event) = parsed.tables["events"].to_pylist()
    assert (event["node_guid"], event["port_num"]) == ("0x248a070300bcc330", 10)
    assert (event["event"], event["stage"]) == ("Links Speed Check", "Speed / Width checks")
    assert "runs" not in parsed.tables


def test_the_example():
    parsed = parse("f", mini_file("ibdiagnet2.log").read_bytes())
    assert json.loads(parsed.tables["runs"]["summary"][0].as_py())["high_ber_ports"] == 1
    assert parsed.tables["events"].num_rows == 4
