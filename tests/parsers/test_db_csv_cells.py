"""Cells of a db_csv: what counts as a value, and why there is none."""

from __future__ import annotations

import pyarrow as pa
import pytest
from db_csv_files import HOST, PM, build, codes
from hypothesis import given, settings
from hypothesis import strategies as st

from ibforensic.model.enums import Quality
from ibforensic.parsers.db_csv import parse
from ibforensic.parsers.db_csv.cells import counters, guids, numbers, texts

CASES = [
    ("0", 16, 0, Quality.NARROW),
    ("17", 16, 17, Quality.NARROW),
    ("0x11", 16, 17, Quality.NARROW),
    ("0X1F", 16, 31, Quality.NARROW),
    ("0000000000000000000000017", 16, 17, Quality.NARROW),
    ("15", 4, 15, Quality.SATURATED),
    ("255", 8, 255, Quality.SATURATED),
    ("0xffff", 16, 65535, Quality.SATURATED),
    ("4294967295", 32, 4294967295, Quality.SATURATED),
    ("65536", 16, 65536, Quality.WIDE),
    ("4294967295", 64, 4294967295, Quality.WIDE),
    ("9223372036854775808", 64, 9223372036854775808, Quality.WIDE),
    ("9223372036854775809", 64, None, Quality.CORRUPT),
    ("18446744073709551576", 64, None, Quality.CORRUPT),
    ("18446744073709551615", 64, None, Quality.CORRUPT),
    ("18446744073709551576", 16, None, Quality.CORRUPT),
    ("0xfffffffffffffffe", 64, None, Quality.UNSUPPORTED),
    ("18446744073709551614", 32, None, Quality.UNSUPPORTED),
    ("-1", 16, None, Quality.UNSUPPORTED),
    ("N/A", 16, None, Quality.UNSUPPORTED),
    ("NA", 64, None, Quality.UNSUPPORTED),
    ("", 64, None, Quality.UNSUPPORTED),
    ("ERR", 16, None, Quality.FAILED),
    ("ERR - N/A", 64, None, Quality.FAILED),
    ("many", 16, None, Quality.FAILED),
    ("-5", 16, None, Quality.FAILED),
    ("1e3", 16, None, Quality.FAILED),
    ("18446744073709551616", 64, None, Quality.FAILED),
    ("\u0663", 16, None, Quality.FAILED),
]


def read(cells: list[str], bits: int) -> list[tuple[int | None, int]]:
    """Return value and quality of each cell, read as one column."""
    values, quality, _ = counters(pa.chunked_array([cells], pa.string()), bits)
    return list(zip(values.to_pylist(), quality.to_pylist(), strict=True))


@pytest.mark.parametrize(("text", "bits", "value", "quality"), CASES)
def test_a_cell_alone_and_among_others(text, bits, value, quality):
    assert read([text], bits) == [(value, quality)]
    assert read(["1", text, "2"], bits)[1] == (value, quality)


@pytest.mark.parametrize("bits", [4, 8, 16, 32, 64])
def test_a_column_mixes_all_forms(bits):
    texts_of = [case[0] for case in CASES]
    assert read(texts_of, bits) == [read([text], bits)[0] for text in texts_of]


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=30), bits=st.sampled_from([4, 8, 16, 32, 64]))
def test_no_text_raises_and_what_is_unknown_is_never_zero(text, bits):
    ((value, quality),) = read([text], bits)
    assert Quality(quality).known is (value is not None)
    if value is not None:
        assert int(text, 16 if text[:2] in ("0x", "0X") else 10) == value


@settings(max_examples=60, deadline=None)
@given(value=st.integers(0, 2**64 - 1), hexadecimal=st.booleans())
def test_numbers_are_read_exactly(value, hexadecimal):
    text = f"{value:#x}" if hexadecimal else str(value)
    expected = None if value == 2**64 - 2 else value
    assert numbers(pa.chunked_array([[text, "N/A"]]))[0].to_pylist() == [expected, None]


def test_guids_take_all_spellings():
    column = pa.chunked_array(
        [["0x0ABC000000000100", "abc000000000100", "0xhost1", "nobody", "0x0", "0x" + "0" * 16]]
    )
    found, masked = guids(column)
    assert found.to_pylist() == ["0x0abc000000000100"] * 2 + ["0xhost1", None, None, None]
    assert masked.to_pylist() == [False, False, True, False, False, False]


@settings(max_examples=60, deadline=None)
@given(cells=st.lists(st.text(max_size=20) | st.from_regex(r"0x[0-9a-f]{16}", fullmatch=True), max_size=5))
def test_guids_never_raise(cells):
    found, _ = guids(pa.chunked_array([cells], pa.string()))
    assert all(text is None or text == text.lower() for text in found.to_pylist())


def test_text_keeps_minus_one():
    assert texts(pa.chunked_array([["a", "N/A", "", "-1"]])).to_pylist() == ["a", None, None, "-1"]


def test_an_unreadable_cell_is_told_with_its_line_and_failed_queries_are_not():
    rows = (f"{HOST},{HOST},1,ERR,5,6", f"{HOST},{HOST},2,1,lots,6", f"{HOST},{HOST},3,1,more,6")
    parsed = parse("x", build(("PM_INFO", (*PM, *rows))))
    assert codes(parsed) == ["db_csv.bad_cell"]
    assert parsed.notes[0].line == 7
    assert "2 cells of PM_INFO.SymbolErrorCounter" in parsed.notes[0].message
    assert parsed.tables["counters_pma"]["link_downed_counter_q"].to_pylist()[0] == Quality.FAILED


def test_blanks_around_cells_and_headers_do_not_matter():
    header = f"{PM[0]}, max_retransmission_rate"
    parsed = parse("x", build(("PM_INFO", (header, f" {HOST} ,{HOST}, 1 , 3,\t4 ,5, 0x0010"))))
    (row,) = parsed.tables["counters_pma"].to_pylist()
    assert (row["link_downed_counter"], row["symbol_error_counter"]) == (3, 4)
    assert row["max_retransmission_rate"] == 16
