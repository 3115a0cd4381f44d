"""Counters of single ports, as perfquery prints them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import mini_file, real_file

from ibforensic.model.enums import Quality
from ibforensic.parsers import Parsed, claimant
from ibforensic.parsers.perfquery import parse

FIXTURES = Path(__file__).parents[1] / "fixtures" / "perfquery"


def read(path: Path) -> Parsed:
    return parse(path.name, path.read_bytes())


def rows(parsed: Parsed, table: str = "counters_pma") -> list[dict]:
    return parsed.tables[table].to_pylist()


def cell(row: dict, column: str) -> tuple[int | None, Quality]:
    return row[column], Quality(row[f"{column}_q"])


def codes(parsed: Parsed) -> set[str]:
    return {note.code for note in parsed.notes}


def test_plain_block_fills_narrow_columns_and_extended_block_the_twins():
    parsed = read(FIXTURES / "plain_and_extended.txt")
    plain, extended = rows(parsed)
    assert (plain["lid"], plain["port_num"], plain["basis"], plain["line"]) == (31, 4, "cumulative", 1)
    assert cell(plain, "link_error_recovery_counter") == (2, Quality.NARROW)
    assert cell(plain, "port_xmit_data_ext") == (None, Quality.NOT_COLLECTED)
    assert cell(extended, "port_xmit_data_ext") == (5_000_000_000_000, Quality.WIDE)
    assert cell(extended, "port_unicast_rcv_pkts") == (7_900_000_000, Quality.WIDE)
    assert cell(extended, "symbol_error_counter") == (None, Quality.NOT_COLLECTED)
    assert cell(extended, "symbol_error_counter_ext") == (70_000, Quality.WIDE)
    assert extended["line"] == 23
    assert parsed.whole
    assert not codes(parsed) - {"perfquery.bad_value"}


@pytest.mark.parametrize(
    ("column", "full"),
    [
        ("symbol_error_counter", 65535),
        ("link_downed_counter", 255),
        ("local_link_integrity_errors", 15),
        ("port_xmit_data", 4294967295),
    ],
)
def test_full_narrow_register_is_saturated(column, full):
    plain = rows(read(FIXTURES / "plain_and_extended.txt"))[0]
    assert cell(plain, column) == (full, Quality.SATURATED)


def test_one_below_full_is_not_saturated():
    plain = rows(read(FIXTURES / "plain_and_extended.txt"))[0]
    assert cell(plain, "port_rcv_data") == (4294967294, Quality.NARROW)


def test_register_below_zero_is_corrupt_and_has_no_value():
    parsed = read(FIXTURES / "plain_and_extended.txt")
    assert cell(rows(parsed)[1], "port_rcv_errors_ext") == (None, Quality.CORRUPT)
    note = next(note for note in parsed.notes if note.code == "perfquery.bad_value")
    assert note.where == "plain_and_extended.txt:38"


def test_sum_over_all_ports_keeps_255_and_what_does_not_exist_is_not_zero():
    parsed = read(FIXTURES / "all_ports_and_details.txt")
    (row,) = rows(parsed)
    assert row["port_num"] == 255
    assert cell(row, "link_error_recovery_counter") == (None, Quality.UNSUPPORTED)
    assert cell(row, "link_downed_counter") == (1, Quality.NARROW)  # a remark stands behind the value
    assert cell(row, "port_xmit_wait") == (None, Quality.UNSUPPORTED)  # CapMask lacks bit 12
    assert cell(row, "qp1_dropped") == (None, Quality.NOT_COLLECTED)
    assert row["x_PortFutureCounter"] == "123"
    assert row["observed_at"] == datetime(2030, 1, 2, 3, 4, 5, 500_000, UTC)
    assert {"perfquery.tool_warned", "perfquery.unknown_field", "perfquery.kept_raw"} <= codes(parsed)


def test_detail_blocks_go_to_their_own_table():
    received, discarded = rows(read(FIXTURES / "all_ports_and_details.txt"), "counters_detail")
    assert cell(received, "port_local_physical_errors") == (65535, Quality.SATURATED)
    assert cell(received, "port_malformed_packet_errors") == (1, Quality.NARROW)
    assert cell(received, "port_inactive_discards") == (None, Quality.NOT_COLLECTED)
    assert cell(discarded, "port_sw_hoq_lifetime_limit_discards") == (8, Quality.NARROW)
    assert {row["port_num"] for row in (received, discarded)} == {2}


def test_blocks_of_other_kinds_stay_as_text():
    raw = read(FIXTURES / "all_ports_and_details.txt").raw["perfquery"].to_pylist()
    shown = tuple(raw[2][key] for key in ("block", "lid", "port", "field", "value"))
    assert shown == ("PortXmitDataSL", "32", "2", "XmtDataSL0", "11")


def test_extended_speeds_with_reed_solomon_fec():
    text = """# PortExtendedSpeedsCounters RSFEC Active counters: Lid 32 port 2
PortSelect:......................2
CounterSelect:...................0x0000000000000000
SyncHeaderErrorCounter:..........65535
UnknownBlockCounter:.............3
FECCorrectableSymbolCtrLane0:....17
PortFECCorrectableBlockCtr:......4294967295
PortFECUncorrectableBlockCtr:....5
PortFECCorrectedSymbolCtr:.......6
"""
    parsed = parse("a", text.encode())
    (row,) = rows(parsed, "counters_extended_speeds")
    assert cell(row, "sync_header_error_counter") == (65535, Quality.SATURATED)
    assert cell(row, "fec_correctable_symbol_ctr_lane0") == (17, Quality.NARROW)
    assert cell(row, "port_fec_correctable_block_ctr") == (4294967295, Quality.SATURATED)
    assert cell(row, "fec_uncorrectable_block_ctr_lane0") == (None, Quality.NOT_COLLECTED)
    assert parsed.whole
    assert not parse("a", text[: text.index("PortFECCorrectedSymbolCtr")].encode()).whole


def test_wrapped_lines_are_joined():
    plain = (FIXTURES / "old_names.txt").read_text()
    wrapped = plain.replace("Lid 33 port", "Lid 33\nport").replace("...1000", "...\n1000")
    assert wrapped.count("\n") == plain.count("\n") + 2
    whole, found = parse("a", plain.encode()), parse("a", wrapped.encode())
    skip = ("line",)
    assert [{k: v for k, v in row.items() if k not in skip} for row in rows(found)] == [
        {k: v for k, v in row.items() if k not in skip} for row in rows(whole)
    ]
    assert found.notes == whole.notes
    assert found.whole


def test_a_loop_over_ports_is_one_row_each_and_the_command_names_no_port():
    block = (FIXTURES / "old_names.txt").read_text()
    loop = "".join(block.replace("port 1", f"port {port}") for port in (1, 2, 255))
    found = rows(
        parse("perfquery_-C_mlx5_0_1.txt", f"[root@node ~]# perfquery -C mlx5_0 -l 33\n{loop}".encode())
    )
    assert [(row["lid"], row["node_guid"]) for row in found] == [(33, None)] * 3
    assert len({row["port_num"] for row in found}) == 3


def test_old_field_names():
    parsed = read(FIXTURES / "old_names.txt")
    (row,) = rows(parsed)
    names = (
        "symbol_error_counter",
        "link_error_recovery_counter",
        "link_downed_counter",
        "port_rcv_errors",
        "port_xmit_discards",
        "local_link_integrity_errors",
        "port_xmit_data",
        "port_rcv_pkts",
    )
    assert [row[name] for name in names] == [4, 5, 6, 7, 8, 9, 1000, 20]
    assert cell(row, "port_xmit_wait") == (None, Quality.NOT_COLLECTED)
    assert parsed.whole
    assert not parsed.notes


def extended_block(cap_mask2: str, errors: str, fields: str = "SymbolErrorCounter PortRcvErrors") -> bytes:
    lines = [f"# Port extended counters: Lid 9 port 1 (CapMask: 0x5300 CapMask2: {cap_mask2})"]
    data = ("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts", "PortMulticastRcvPkts")
    lines += [f"{name}:".ljust(33, ".") + "0" for name in data]
    lines += [f"{name}:".ljust(33, ".") + errors for name in fields.split()]
    lines += ["PortXmitWait:....................0", "QP1Dropped:......................0", ""]
    return "\n".join(lines).encode()


def test_zero_errors_the_device_does_not_advertise_are_unsupported():
    (row,) = rows(parse("a", extended_block("0x0000000", "0")))
    for column in (
        "symbol_error_counter_ext",
        "port_rcv_errors_ext",
        "port_xmit_wait_ext",
        "qp1_dropped_ext",
    ):
        assert cell(row, column) == (None, Quality.UNSUPPORTED)
    assert cell(row, "port_xmit_data_ext") == (0, Quality.WIDE)


def test_zero_errors_the_device_advertises_are_zero():
    (row,) = rows(parse("a", extended_block("0x0000002", "0")))
    assert cell(row, "symbol_error_counter_ext") == (0, Quality.WIDE)


def test_an_error_that_counts_shows_that_the_twins_exist():
    (row,) = rows(parse("a", extended_block("0x0000000", "3")))
    assert cell(row, "symbol_error_counter_ext") == (3, Quality.WIDE)
    assert cell(row, "port_xmit_wait_ext") == (0, Quality.WIDE)


@pytest.mark.parametrize(
    ("name", "node_guid"),
    [
        ("0x0200000000000b01.out", "0x0200000000000b01"),
        ("0x0200000000000B01-1.out", "0x0200000000000b01"),
        ("folder/0200000000000b01_x.txt", "0x0200000000000b01"),
        ("2030010203040506.txt", None),
        ("0x0200000000000b01/perfquery.txt", None),
        ("0x0200000000000b01-0x0200000000000b02.txt", None),
    ],
)
def test_node_guid_from_the_file_name(name, node_guid):
    (row,) = rows(parse(name, (FIXTURES / "old_names.txt").read_bytes()))
    assert row["node_guid"] == node_guid
    assert row["lid"] == 33


def test_value_that_is_no_number_is_noted_and_null():
    data = (
        (FIXTURES / "old_names.txt")
        .read_bytes()
        .replace(b"XmtData:.........................1000", b"XmtData:.....oops")
    )
    parsed = parse("a", data)
    (row,) = rows(parsed)
    assert cell(row, "port_xmit_data") == (None, Quality.NOT_COLLECTED)
    assert [note.where for note in parsed.notes] == ["a:16"]


def test_counters_without_a_header_are_left_out():
    header, _, body = (FIXTURES / "old_names.txt").read_bytes().partition(b"\n")
    parsed = parse("a", header + b"\n" + body + body)
    assert parsed.tables["counters_pma"].num_rows == 1
    assert "perfquery.no_header" in codes(parsed)
    assert not parsed.whole


def test_failed_query_between_blocks_is_noted_and_the_blocks_are_kept():
    block = (FIXTURES / "old_names.txt").read_bytes()
    failure = b"ibpanic: [5] main: invented failure\n"
    parsed = parse("a", block + failure + block)
    assert parsed.tables["counters_pma"].num_rows == 2
    assert next(note.where for note in parsed.notes if note.code == "perfquery.tool_failed") == "a:20"
    # Nothing is lost but the block of the port that did not answer: what is not there was never read as 0.
    assert parsed.whole


def test_every_truncation_keeps_true_values_only():
    data = (FIXTURES / "plain_and_extended.txt").read_bytes()
    whole = {row["line"]: row for row in rows(parse("a", data))}
    for cut in range(0, len(data) - len("QP1Dropped:......................0\n"), 7):
        parsed = parse("a", data[:cut])
        assert not parsed.whole or b"\n# Port extended" not in data[:cut]
        for row in rows(parsed) if parsed.tables else []:
            kept = {name: value for name, value in row.items() if value is not None and name[-2:] != "_q"}
            expected = whole[row["line"]]
            # The very last value of a complete block may be cut: nothing in the text shows it.
            assert {name for name, value in kept.items() if expected[name] != value} <= {"port_xmit_wait"}


def test_hostile_text_gives_few_notes():
    data = b"# Port counters: Lid 1 port 1\n" + b"".join(b"Field%d:....x\n" % at for at in range(2000))
    parsed = parse("a", data + b"PortXmitData:....." + b"9" * 5000 + b"\n" + b"garbage \xff\n" * 2000)
    (row,) = rows(parsed)
    assert sum(name.startswith("x_") for name in row) <= 100
    assert cell(row, "port_xmit_data_ext") == (None, Quality.CORRUPT)
    assert len(parsed.notes) < 10


def test_real_extended_output_of_switch_and_hca():
    folder = real_file("diags/treydock/perfquery")
    hca, hidden = rows(read(folder / "0x7cfe9003003b4b96.out")), "symbol_error_counter_ext"
    assert cell(hca[0], "port_xmit_data_ext") == (37108676853855, Quality.WIDE)
    assert cell(hca[0], hidden) == (None, Quality.UNSUPPORTED)
    switch = rows(read(folder / "0x7cfe9003009ce5b0.out"))
    assert [(row["node_guid"], row["port_num"], row["lid"]) for row in switch] == [
        ("0x7cfe9003009ce5b0", 1, 1719),
        ("0x7cfe9003009ce5b0", 2, 1719),
    ]
    assert cell(switch[1], "port_xmit_wait_ext") == (36510964, Quality.WIDE)
    assert cell(switch[0], hidden) == (0, Quality.WIDE)


def test_real_wrapped_header_and_cut_end():
    parsed = read(real_file("diags/issues/perfquery-x-wrapped.txt"))
    (row,) = rows(parsed)
    assert cell(row, "port_rcv_data_ext") == (2341975277576, Quality.WIDE)
    assert cell(row, "port_rcv_errors_ext") == (
        None,
        Quality.UNSUPPORTED,
    )  # CapMask2 stands in the wrapped line
    assert cell(row, "vl15_dropped_ext") == (None, Quality.NOT_COLLECTED)
    assert not parsed.whole


def test_real_old_extended_output_under_the_plain_title():
    parsed = read(real_file("diags/comment/perfquery-many-nci.txt"))
    (row,) = rows(parsed)
    assert cell(row, "port_rcv_data_ext") == (550793773496, Quality.WIDE)
    assert row["port_rcv_data"] is None
    assert row["observed_at"].year == 2010
    assert parsed.whole


def test_real_documents_with_prompts_and_arrows():
    parsed = read(real_file("diags/hyungkwang/perfquery-symbol-errors.txt"))
    (row,) = rows(parsed)
    assert cell(row, "symbol_error_counter") == (38, Quality.NARROW)
    assert not parsed.whole


def test_real_extended_speeds():
    parsed = read(real_file("diags/hyungkwang/perfquery-T-extended-speeds.txt"))
    (row,) = rows(parsed, "counters_extended_speeds")
    assert (row["lid"], row["port_num"]) == (5, 13)
    assert cell(row, "fec_uncorrectable_block_ctr_lane11") == (0, Quality.NARROW)
    assert cell(row, "error_detection_counter_lane3") == (0, Quality.NARROW)
    assert cell(row, "port_fec_uncorrectable_block_ctr") == (None, Quality.NOT_COLLECTED)
    assert parsed.whole
    assert not parsed.raw


def test_mini_files_are_whole_and_claimed():
    for name in ("perfquery.txt", "perfquery_x.txt", "perfquery_E.txt"):
        path = mini_file(name)
        assert claimant(name, path.read_bytes()).spec.name == "perfquery"
        assert read(path).whole


def test_a_device_without_wide_error_counters_ends_its_block_with_the_data():
    lines = ["# Port extended counters: Lid 7 port 1 (CapMask: 0x1300 CapMask2: 0x0000000)"]
    lines += ["PortSelect:......................1", "PortXmitData:....................72"]
    last = "PortMulticastRcvPkts:............0"
    for ends, whole in (([last], True), ([], False), ([last, "CounterSelect2:..................0"], False)):
        parsed = parse("x", "".join(f"{line}\n" for line in [*lines, *ends]).encode())
        assert parsed.whole is whole
    with_errors = lines[0].replace("0x0000000)", "0x0000002)")
    assert not parse("x", "\n".join([with_errors, *lines[1:], last, ""]).encode()).whole
