"""UFM telemetry as CSV: counters, the physical layer, and names that UFM converted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import mini_file

from ibforensic.capture import capture
from ibforensic.model.enums import Quality
from ibforensic.parsers import Parsed, claimant, parsers
from ibforensic.parsers.ufm_csv import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "ufm_csv"
LEAF = "0x0200000000000100"


def read(path: Path) -> Parsed:
    assert claimant(path.name, path.read_bytes()).spec.name == "ufm_csv"
    return parse(path.name, path.read_bytes())


def ports(parsed: Parsed, table: str = "counters_pma") -> dict[int, dict]:
    return {row["port_num"]: row for row in parsed.tables[table].to_pylist()}


def cell(row: dict, column: str) -> tuple[int | None, Quality]:
    return row[column], Quality(row[f"{column}_q"])


def test_an_empty_cell_is_no_data_and_never_0():
    found = ports(read(FIXTURES / "primary.csv"))
    assert cell(found[1], "symbol_error_counter_ext") == (0, Quality.WIDE)
    assert cell(found[2], "symbol_error_counter_ext") == (None, Quality.NOT_COLLECTED)
    assert cell(found[2], "port_rcv_errors_ext") == (None, Quality.UNSUPPORTED)
    assert cell(found[2], "link_downed_counter_ext") == (3, Quality.WIDE)
    assert cell(found[3], "symbol_error_counter_ext") == (None, Quality.CORRUPT)
    assert cell(found[3], "link_downed_counter_ext") == (None, Quality.NOT_COLLECTED)
    assert cell(found[1], "port_rcv_data_ext") == (None, Quality.NOT_COLLECTED)
    assert found[1]["observed_at"] == datetime(2030, 1, 2, 3, 4, 5, 500_000, UTC)
    assert (found[1]["node_guid"], found[1]["line"]) == (LEAF, 2)


def test_unknown_columns_and_histograms_are_kept():
    parsed = read(FIXTURES / "primary.csv")
    assert ports(parsed)[2]["x_Future_Counter"] == "7"
    assert ports(parsed, "phy")[1]["fec_histogram"] == "[1000000, 12]"
    assert 2 not in ports(parsed, "phy")
    assert {note.code for note in parsed.notes} == {"ufm_csv.bad_value", "ufm_csv.unknown_field"}


def test_the_secondary_telemetry_tells_of_the_physical_layer():
    parsed = read(FIXTURES / "secondary.csv")
    phy = ports(parsed, "phy")
    assert phy[1]["raw_ber_log10"] == pytest.approx(-9.522879)
    assert (phy[1]["effective_ber_none"], phy[1]["symbol_ber_log10"]) == (True, None)
    assert phy[1]["since_clear_s"] == 3600.0
    assert 3 not in phy
    up, down = (ports(parsed, "ports")[port] for port in (1, 3))
    names = ("state", "phys_state", "speed_active", "width_active", "rate_gbps", "fec", "port_label", "lid")
    assert [up[name] for name in names] == [
        "active",
        "link_up",
        "NDR",
        "4x",
        400.0,
        "RS_FEC_544_514",
        "1/1/1",
        1,
    ]
    assert [down[name] for name in names] == ["down", "polling", None, None, None, None, "1/2/1", 1]
    assert cell(ports(parsed, "counters_phy")[1], "phy_raw_errors_lane0") == (3000, Quality.WIDE)
    assert ports(parsed, "modules")[1]["temperature_c"] == 58.0
    (node,) = parsed.tables["nodes"].to_pylist()
    assert (node["node_name"], node["device_id"], node["node_type"]) == ("leaf-1/U1", 54002, None)


def test_converted_names_count_octets_and_the_last_scrape():
    parsed = read(FIXTURES / "converted.csv")
    (row,) = parsed.tables["counters_pma"].to_pylist()
    assert cell(row, "port_xmit_data_ext") == (8173440 // 4, Quality.WIDE)
    assert cell(row, "symbol_error_counter_ext") == (6, Quality.WIDE)
    assert cell(row, "port_xmit_wait_ext") == (9, Quality.WIDE)
    assert "ufm_csv.older_rows" in {note.code for note in parsed.notes}


def test_more_words_than_a_packet_holds_are_octets():
    text = (FIXTURES / "primary.csv").read_bytes()
    parsed = parse("x", text.replace(b",216000000,3000000,", b",216000000,60000,"))
    assert cell(ports(parsed)[1], "port_xmit_data_ext") == (36_000_000, Quality.WIDE)
    assert "ufm_csv.octets" in {note.code for note in parsed.notes}


@pytest.mark.parametrize("cut", [8, 60, 200])
def test_a_row_that_is_cut_is_left_out(cut):
    text = (FIXTURES / "primary.csv").read_bytes().rstrip()
    parsed = parse("x", text[:-cut])
    assert not parsed.whole
    assert 3 not in ports(parsed)
    assert cell(ports(parsed)[1], "symbol_error_counter_ext") == (0, Quality.WIDE)


def test_other_tables_are_not_claimed():
    for head in (
        b"START_PM_INFO\nNodeGUID,PortGUID,PortNumber,LinkDownedCounter\n",
        b"rack #,U height,StartDevice,StartPort\n",
        b"node_guid,port_num,colour\n0x1,1,red\n",
    ):
        assert claimant("x.csv", head) is None or claimant("x.csv", head).spec.name != "ufm_csv"


def test_mini_files():
    primary, secondary = (read(mini_file(f"ufm_{name}.csv")) for name in ("primary", "secondary"))
    assert cell(ports(primary)[2], "port_xmit_discards_ext") == (158, Quality.WIDE)
    assert ports(secondary, "ports")[3]["phys_state"] == "polling"
    assert primary.whole
    assert secondary.whole


def test_the_time_of_the_scrape_is_that_of_the_collection(tmp_path):
    (tmp_path / "primary.csv").write_bytes((FIXTURES / "primary.csv").read_bytes())
    (sample,) = capture([tmp_path]).samples
    assert sample.window.began_at == datetime(2030, 1, 2, 3, 4, 5, 500_000, UTC)


def test_amber_files_are_read_by_the_same_parser():
    """``mlxlink --amber_collect`` writes the columns of UFM's secondary telemetry: one parser, one claim."""
    header = "Node_GUID,Port_Number,Raw_BER,Effective_BER,Symbol_BER,Link_Down,Module_Temperature,hist0,hist1"
    data = f"{header}\n0x02000000000000b0,1,1.2E-09,1.5E-254,1.5E-254,2,48C,100,3\n".encode()
    claims = [parser.spec.name for parser in parsers() if parser.spec.claims("amber.csv", data)]
    assert claims == ["ufm_csv"]
    (row,) = parse("amber.csv", data).tables["phy"].to_pylist()
    assert (row["node_guid"], row["port_num"]) == ("0x02000000000000b0", 1)
    assert row["raw_ber_log10"] == pytest.approx(-8.92, abs=0.01)
