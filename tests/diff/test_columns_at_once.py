"""Columns that are read at once, without an object for each row: the same as row by row, odd rows too."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest

from ibforensic.diff.distinct import codes_of
from ibforensic.diff.lanes import MOST, lanes_of
from ibforensic.diff.merge import numbers_of, turns_of
from ibforensic.diff.modules import clean_serial, clean_serials

TIDY = ["[-0.4, null, 0.1, 2]", "[]", "[1e-3]", None, "[0.25, 0.5, 1, 2, 3, 4, 5, -6.125]"]


def read(texts):
    return lanes_of(pa.chunked_array([texts], pa.string()))


def test_lanes_are_numbers_and_what_is_not_known_is_none():
    found = read(["[-0.4, null, 0.1, 2]", None])
    assert found.shape == (2, MOST)
    assert found[0, 0] == -0.4
    assert math.isnan(found[0, 1])
    assert found[0, 3] == 2
    assert np.isnan(found[1]).all()


@pytest.mark.parametrize("odd", ['["x", 1]', "{}", "[1,2]", "[1, 2, 3, 4, 5, 6, 7, 8, 9]", "7", "[NaN]"])
def test_an_odd_row_changes_no_other(odd):
    without, with_odd = read([*TIDY, None]), read([*TIDY, odd])
    np.testing.assert_array_equal(with_odd[:-1], without[:-1])


def test_rows_of_many_columns_are_numbered_however_many_texts_there_are():
    many = pa.chunked_array([[f"{n}" for n in range(70_000)]])
    codes, texts = codes_of(many, many, many, many, many)
    assert len(set(codes.tolist())) == len(texts) == 70_000
    assert texts[codes[69_999]] == ("69999",) * 5


def test_equal_rows_have_one_number_and_null_is_a_text_of_its_own():
    codes, texts = codes_of(
        pa.chunked_array([["a", None, "a", "a"]]), pa.chunked_array([["x", "x", "y", "x"]])
    )
    assert codes[0] == codes[3]
    assert len(set(codes.tolist())) == 3
    assert [texts[code] for code in codes.tolist()] == [("a", "x"), (None, "x"), ("a", "y"), ("a", "x")]


def test_serials_of_a_column_are_cleaned_as_single_ones_are():
    serials = ["MT1-2", " MT1 ", "MT-12", "", "MT1-2-3", "-1"]
    assert clean_serials(pa.array([*serials, None])).to_pylist() == [*map(clean_serial, serials), None]


def test_ports_have_one_number_each():
    guids, ports = pa.array(["b", "a", "b", "a", "b"]), pa.array([1, 1, 2, 1, 1], pa.uint16())
    turns = turns_of(numbers_of(guids, ports))
    assert [turn.to_pylist() for turn in turns] == [[0, 1, 2], [4, 3, None]]
    assert turns_of(numbers_of(guids[:0], ports[:0]))[0].to_pylist() == []
