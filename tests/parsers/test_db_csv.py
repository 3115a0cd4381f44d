"""The db_csv parser through its public door: tables, raw sections, run, clears."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import mini_file
from db_csv_files import HOST, LEAF, NODES, PM, RUN, build, codes, column

from ibforensic.model.enums import Quality
from ibforensic.parsers.db_csv import SPEC, parse

FIXTURES = Path(__file__).parents[1] / "fixtures/db_csv"


def test_a_whole_file_gives_no_notes():
    parsed = parse("x", build(("RUN_INFO", RUN), ("NODES", NODES)))
    assert parsed.notes == ()
    assert parsed.whole


def test_the_fixture_holds_one_of_each():
    parsed = parse("small.db_csv", (FIXTURES / "small.db_csv").read_bytes())
    assert (parsed.notes, parsed.whole) == ((), True)
    assert {name: table.num_rows for name, table in parsed.tables.items()} == {
        "runs": 1,
        "nodes": 5,
        "settings": 2,
        "ports": 6,
        "links": 1,
        "counters_pma": 4,
        "counters_detail": 4,
        "events": 1,
        "sensors": 1,
    }
    assert parsed.raw == {}


def test_the_cut_fixture_keeps_its_whole_rows():
    parsed = parse("cut.db_csv", (FIXTURES / "cut.db_csv").read_bytes())
    assert codes(parsed) == ["db_csv.file_cut", "db_csv.section_cut"]
    assert not parsed.whole
    assert column(parsed, "counters_pma", "node_guid") == [LEAF]
    assert column(parsed, "links", "port_num_b") == [1]


def test_the_run_is_read_from_run_info():
    (row,) = parse("d/x", build(("RUN_INFO", RUN), ("PM_DELTA", PM))).tables["runs"].to_pylist()
    assert row["tool"] == "ibdiagnet"
    assert row["tool_version"] == "2.12.0"
    assert row["began_at"] == datetime(2031, 5, 6, 12, 8, 9, tzinfo=UTC)
    assert row["time_zone"] == "EST -0500"
    assert json.loads(row["options"]) == {"--pm_pause_time": "30", "-o": "/tmp/out"}
    assert row["window_s"] == 30.0
    assert json.loads(row["summary"]) == {"sections": {"RUN_INFO": 1, "PM_DELTA": 0}}
    assert row["x_IBDIAG_Version"] == "IBDIAG 2.1.1"
    assert (row["source"], row["line"]) == ("d/x", 6)


@pytest.mark.parametrize(
    ("args", "sections", "window"),
    [
        ("", ("PM_INFO", "PM_DELTA"), 1.0),
        ("", ("PM_INFO",), None),
        ("--pm_pause_time 0", ("PM_INFO",), None),
        ("--pm_pause_time=12", ("PM_INFO", "PM_DELTA"), 12.0),
        ("--pm_pause_time soon", ("PM_INFO", "PM_DELTA"), None),
    ],
)
def test_length_of_the_window(args, sections, window):
    run = ("Args", f'" {args}"')
    row = f"{HOST},{HOST},1,0,0,0"
    parsed = parse("x", build(("RUN_INFO", run), *((name, (*PM, row)) for name in sections)))
    assert column(parsed, "runs", "window_s") == [window]
    assert dict(
        zip(column(parsed, "counters_pma", "basis"), column(parsed, "counters_pma", "window_s"), strict=True)
    ) == {"cumulative": None} | ({"window": window} if "PM_DELTA" in sections else {})


def test_old_files_tell_the_run_in_comments():
    head = (
        b"# Running version   : 1.5.7\n# Running: ibdiagnet -pc\n"
        b"# Running timestamp : 2015-01-02 03:04:05 UTC +0100\n\n"
    )
    parsed = parse("x", head + build(("NODES", NODES), index=False))
    (row,) = parsed.tables["runs"].to_pylist()
    assert (row["tool_version"], row["command"]) == ("1.5.7", "ibdiagnet -pc")
    assert row["began_at"] == datetime(2015, 1, 2, 2, 4, 5, tzinfo=UTC)
    assert "pma_data" in column(parsed, "clears", "group")


@pytest.mark.parametrize(
    ("args", "groups"),
    [
        ("--pc", ["pma_data", "pma_errors", "rcv_error_details", "routing", "xmit_discard_details"]),
        (
            "--pm_clear_all -r",
            ["pma_data", "pma_errors", "rcv_error_details", "routing", "xmit_discard_details"],
        ),
        ("--get_phy_info --reset_phy_info", ["phy"]),
    ],
)
def test_a_run_that_clears_says_so(args, groups):
    run = ("Date,Args", f'"2031-05-06 07:08:09 UTC +0000"," {args}"')
    parsed = parse("x", build(("RUN_INFO", run), ("PM_INFO", (*PM, f"{HOST},{HOST},1,0,0,0"))))
    clears = parsed.tables["clears"].to_pylist()
    assert sorted(row["group"] for row in clears) == groups
    assert {(row["scope"], row["who"], row["how_known"]) for row in clears} == {
        ("fabric", "this ibdiagnet run", "option")
    }
    assert {row["cleared_at"] for row in clears} == {datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)}
    assert column(parsed, "counters_pma", "basis") == ["cumulative"]


def test_a_run_that_does_not_clear_has_no_clears():
    assert "clears" not in parse("x", build(("RUN_INFO", RUN))).tables


def test_nodes_get_readable_names_and_generations():
    parsed = parse("x", build(("NODES", NODES)))
    assert column(parsed, "nodes", "node_name") == ["row-1, east/U1", "calc-1 mlx5_0"]
    assert column(parsed, "nodes", "node_type") == ["switch", "ca"]
    assert column(parsed, "nodes", "generation") == ["Quantum-2", "ConnectX-7"]
    assert column(parsed, "nodes", "x_ClassVersion") == ["1", "1"]
    assert column(parsed, "nodes", "line") == [6, 7]
    assert set(column(parsed, "nodes", "origin")) == {"db_csv:NODES"}


@pytest.mark.parametrize(
    ("cells", "version"),
    [
        ("0x1f,0x7dc,0x400,0,0,0", "31.2012.1024"),
        ("0x0,0x0,0x0,0x1c,0x28,0x2a", "28.40.0042"),
        ("0,0,0,0,0,0", None),
        ("N/A,N/A,N/A,28,40,1000", "28.40.1000"),
    ],
)
def test_firmware_comes_from_the_extended_fields_unless_they_are_zero(cells, version):
    header = (
        "NodeGUID,FWInfo_Extended_Major,FWInfo_Extended_Minor,FWInfo_Extended_SubMinor,"
        "FWInfo_Major,FWInfo_Minor,FWInfo_SubMinor"
    )
    parsed = parse("x", build(("NODES_INFO", (header, f"{HOST},{cells}"))))
    assert column(parsed, "nodes", "fw_version") == [version]


def test_settings_documents_hold_what_stays_and_keep_the_rest_apart():
    header = "NodeGUID,LinearFDBCap,LinearFDBTop,PortStateChange,MCastFDBTop"
    one = parse("x", build(("SWITCHES", (header, f"{LEAF},100,5,0,7"))))
    other = parse("x", build(("SWITCHES", (header, f"{LEAF},100,9,1,8"))))
    (row,) = one.tables["settings"].to_pylist()
    assert (row["entity"], row["topic"], row["fields"]) == (LEAF, "switch_info", 1)
    assert json.loads(row["document"]) == {"LinearFDBCap": "100"}
    assert json.loads(row["rest"]) == {"LinearFDBTop": "5", "PortStateChange": "0", "MCastFDBTop": "7"}
    assert column(one, "settings", "fingerprint") == column(other, "settings", "fingerprint")
    changed = parse("x", build(("SWITCHES", (header, f"{LEAF},101,5,0,7"))))
    assert column(one, "settings", "fingerprint") != column(changed, "settings", "fingerprint")


def test_ports_speak_in_words():
    header = (
        "NodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,"
        "PortPhyState,PortState,NMTU,FECActv,RetransActv"
    )
    parsed = parse(
        "x",
        build(
            (
                "PORTS",
                (header, f"{LEAF},{LEAF},7,0,2,2052,5,4,5,14,3", f"{HOST},{HOST},1,9,16,2048,5,2,4,255,N/A"),
            )
        ),
    )
    first, second = parsed.tables["ports"].to_pylist()
    assert (first["width_active"], first["speed_active"], first["rate_gbps"]) == ("4x", "NDR", 400.0)
    assert (first["state"], first["phys_state"], first["lid"]) == ("active", "link_up", None)
    assert (first["mtu"], first["fec"], first["retransmission"]) == (4096, "MLNX_RS_271_257_PLR", "PLR")
    assert (second["rate_gbps"], second["state"], second["lid"]) == (200.0, "init", 9)
    assert (second["fec"], second["retransmission"]) == (None, None)
    assert parsed.notes == ()


def test_an_unknown_code_is_not_guessed_at():
    parsed = parse("x", build(("FEC_MODE", ("NodeGuid,PortGuid,PortNum,FECActv", f"{LEAF},{LEAF},1,77"))))
    assert column(parsed, "ports", "fec") == [None]
    (note,) = parsed.notes
    assert (note.code, note.line) == ("db_csv.unknown_code", 6)


def test_places_of_ports():
    header = "NodeGUID,PortGUID,PortNum,Label,Bus,Device,Function,ASIC,Cage,Port,Split"
    rows = (
        f'{LEAF},{LEAF},3,"1/2/1",N/A,N/A,N/A,1,2,1,N/A',
        f'{HOST},{HOST},1,"B184D0F1/0/0/1",184,0,1,N/A,0,0,1',
    )
    parsed = parse("x", build(("PORT_HIERARCHY_INFO", (header, *rows))))
    assert column(parsed, "ports", "pci_address") == [None, "b8:00.1"]
    assert column(parsed, "ports", "port_label") == ["1/2/1", "B184D0F1/0/0/1"]
    assert column(parsed, "ports", "cage") == [2, 0]
    assert column(parsed, "ports", "asic") == [1, None]


def test_tick_and_options_of_the_counters():
    parsed = parse(
        "x",
        build(
            (
                "PM_PORT_SAMPLES_CONTROL",
                ("NodeGUID,PortGUID,PortNumber,Tick,OptionMask", f"{LEAF},{LEAF},1,0x1f,0x08"),
            )
        ),
    )
    assert column(parsed, "ports", "wait_tick") == [31]
    assert column(parsed, "ports", "option_mask") == ["0x08"]


@pytest.mark.parametrize("ends", [f"{LEAF},40,{HOST},1", f"{HOST},1,{LEAF},40"])
def test_a_link_has_one_key_whichever_end_is_printed_first(ends):
    parsed = parse("x", build(("LINKS", ("NodeGuid1,PortNum1,NodeGuid2,PortNum2", ends))))
    (row,) = parsed.tables["links"].to_pylist()
    assert (row["node_guid_a"], row["port_num_a"]) == (LEAF, 40)
    assert (row["node_guid_b"], row["port_num_b"]) == (HOST, 1)


def test_a_loop_orders_its_ends_by_number():
    parsed = parse("x", build(("LINKS", ("NodeGuid1,PortNum1,NodeGuid2,PortNum2", f"{LEAF},10,{LEAF},9"))))
    assert (column(parsed, "links", "port_num_a"), column(parsed, "links", "port_num_b")) == ([9], [10])


def test_counters_have_values_and_qualities():
    row = f"{HOST},{HOST},1,3,65535,18446744073709551576"
    parsed = parse("x", build(("PM_INFO", (*PM, row))))
    (found,) = parsed.tables["counters_pma"].to_pylist()
    assert (found["link_downed_counter"], found["link_downed_counter_q"]) == (3, Quality.NARROW)
    assert (found["symbol_error_counter"], found["symbol_error_counter_q"]) == (65535, Quality.SATURATED)
    assert (found["symbol_error_counter_ext"], found["symbol_error_counter_ext_q"]) == (None, Quality.CORRUPT)
    assert (found["port_rcv_errors"], found["port_rcv_errors_q"]) == (None, Quality.NOT_COLLECTED)
    (detail,) = parsed.tables["counters_detail"].to_pylist()
    assert detail["port_looping_errors_q"] == Quality.NOT_COLLECTED


def test_counters_by_lane_have_a_column_each():
    header = f"{PM[0]},ErrorDetectionCounterLane[1],ErrorDetectionCounterLane[11],NewThing"
    parsed = parse("x", build(("PM_INFO", (header, f"{HOST},{HOST},1,0,0,0,22,65535,5"))))
    table = "counters_extended_speeds"
    assert column(parsed, table, "error_detection_counter_lane1") == [22]
    assert column(parsed, table, "error_detection_counter_lane11") == [65535]
    assert column(parsed, table, "error_detection_counter_lane11_q") == [Quality.SATURATED]
    assert column(parsed, table, "error_detection_counter_lane0_q") == [Quality.NOT_COLLECTED]
    assert column(parsed, "counters_pma", "x_NewThing") == ["5"]
    assert "x_NewThing" not in parsed.tables["counters_detail"].column_names


def test_events_know_their_scope():
    header = "Scope,NodeGUID,PortGUID,PortNumber,EventName,Summary"
    parsed = parse(
        "x",
        build(
            ("WARNINGS_FW_CHECK", (header, f'NODE,{LEAF},0x00,0x00,NODE_WRONG_FW,"old, really"')),
            ("ERRORS_DIFFERENCE_(DURING_RUN)", (header, f'PORT,{HOST},{HOST},1,PM_COUNTER_INCREASED,"by 9"')),
        ),
    )
    warning, error = parsed.tables["events"].to_pylist()
    assert (warning["scope"], warning["node_guid"], warning["port_num"]) == ("node", LEAF, None)
    assert (warning["level"], warning["stage"], warning["text"]) == ("warning", "FW_CHECK", "old, really")
    assert (error["scope"], error["port_num"], error["level"]) == ("port", 1, "error")
    assert (error["stage"], error["event"]) == ("DIFFERENCE_(DURING_RUN)", "PM_COUNTER_INCREASED")


def test_unmapped_sections_stay_verbatim():
    parsed = parse(
        "d/x", build(("PERF_INFO", ("NodeGUID,e, line",)), ("ODD", ("A,source, B ", 'x,"a,b", 0x1')))
    )
    assert parsed.raw["PERF_INFO"].num_rows == 0
    assert parsed.raw["PERF_INFO"].column_names == ["source", "line", "NodeGUID", "e", "line__2"]
    assert parsed.raw["ODD"].to_pylist() == [
        {"source": "d/x", "line": "11", "A": "x", "source__2": "a,b", "B": "0x1"}
    ]


def test_an_empty_section_is_not_an_absent_one():
    parsed = parse("x", build(("LINKS", ("NodeGuid1,PortNum1,NodeGuid2,PortNum2",))))
    assert parsed.tables["links"].num_rows == 0
    assert "nodes" not in parsed.tables


def test_a_section_without_its_key_is_kept_raw():
    parsed = parse("x", build(("PORTS", ("PortGuid,LID", "0x1,2"))))
    assert parsed.raw["PORTS"].num_rows == 1
    assert codes(parsed) == ["db_csv.no_key_column"]


def test_the_summary_leaves_the_index_out():
    parsed = parse("x", build(("NODES", NODES), ("LINKS", ("A",))))
    assert json.loads(column(parsed, "runs", "summary")[0])["sections"].keys() == {"NODES", "LINKS"}


@pytest.mark.parametrize(
    ("name", "head", "claimed"),
    [
        ("renamed.txt", build(("NODES", NODES)), True),
        ("renamed.txt", build(("NODES", NODES), index=False).replace(b"\n", b"\r\n"), True),
        ("x.db_csv", b"NodeGuid\n0x1\nEND_NODES\n", True),
        ("x.txt", b"NodeGuid\n0x1\nEND_NODES\n", False),
        ("ibdiagnet2.db_csv", b"", False),
        ("ibdiagnet2.db_csv", b"START_NODES\nA\n\0\n", False),
        ("ibdiagnet2.db_csv", b"\x1f\x8b\x08\x00", False),
    ],
)
def test_files_are_claimed_by_content(name, head, claimed):
    assert SPEC.claims(name, head) is claimed


def test_the_planted_cases_of_the_example():
    parsed = parse("mini", mini_file("ibdiagnet2.db_csv").read_bytes())
    assert parsed.whole
    assert parsed.notes == ()
    rows = {
        (row["node_guid"], row["port_num"]): row
        for row in parsed.tables["counters_pma"].to_pylist()
        if row["basis"] == "cumulative"
    }
    busy = rows["0x0200000000000100", 33]
    assert (busy["port_xmit_wait"], busy["port_xmit_wait_q"]) == (4294967295, Quality.SATURATED)
    assert (busy["port_xmit_wait_ext"], busy["port_xmit_wait_ext_q"]) == (9463628588, Quality.WIDE)
    sick = rows["0x020000000000b000", 1]
    assert (sick["symbol_error_counter_ext"], sick["symbol_error_counter_ext_q"]) == (0, Quality.WIDE)
    assert (sick["port_rcv_errors_ext"], sick["port_rcv_errors_ext_q"]) == (None, Quality.CORRUPT)
    assert (sick["retransmission_per_sec"], sick["max_retransmission_rate"]) == (None, None)
    details = {
        (row["node_guid"], row["port_num"]): row for row in parsed.tables["counters_detail"].to_pylist()
    }
    assert details["0x020000000000b000", 1]["port_vl_mapping_errors_q"] == Quality.UNSUPPORTED
    down = [
        row
        for row in parsed.tables["ports"].to_pylist()
        if (row["node_guid"], row["port_num"]) == ("0x0200000000000100", 3)
    ]
    assert [row["origin"] for row in down] == ["db_csv:PORT_HIERARCHY_INFO"]
