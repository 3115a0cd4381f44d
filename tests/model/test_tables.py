"""The declarations of the canonical tables, and how columns are made to fit them."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

from ibforensic.model.enums import ColumnRole, CounterGroup
from ibforensic.model.table import EXTRA_PREFIX, PROVENANCE, Column, Table
from ibforensic.model.tables import TABLES

EVERY = pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)

DESIGNED = {
    "runs",
    "sources",
    "clears",
    "nodes",
    "ports",
    "links",
    "phy",
    "modules",
    "sensors",
    "hosts",
    "events",
    "settings",
    "routes",
    "sharp",
    "bench_runs",
    "bench_members",
    "bench_points",
    *(f"counters_{group}" for group in CounterGroup),
}


def test_every_designed_table_is_declared():
    assert set(TABLES) == DESIGNED


@EVERY
def test_every_column_has_a_role_and_a_sentence(table):
    for column in table.columns:
        assert isinstance(column.role, ColumnRole)
        assert re.fullmatch(r"\S.*\S", column.doc)
        assert column.doc.endswith((".", "…")), column.name
        assert not column.name.startswith(EXTRA_PREFIX)
    assert table.doc.endswith(".")


@EVERY
def test_columns_are_named_once(table):
    names = [column.name for column in table.columns]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in names)


@EVERY
def test_keys_are_identity_columns(table):
    identities = {*table.names(ColumnRole.IDENTITY), "source"}
    assert table.key
    assert set(table.key) <= identities


@EVERY
def test_schema_has_the_declared_types_and_ends_with_provenance(table):
    assert table.schema.names == [column.name for column in table.columns]
    assert table.schema.types == [column.type for column in table.columns]
    assert table.columns[-len(PROVENANCE) :] == PROVENANCE
    for column in table.columns:
        assert isinstance(column.type, pa.DataType)


@EVERY
def test_ids_are_text_and_counters_are_unsigned(table):
    for column in table.columns:
        if column.name.endswith("_guid") or column.name.startswith("node_guid"):
            assert column.type == pa.string()
        if column.role is ColumnRole.COUNTER:
            assert column.type == pa.uint64()
        if column.name.startswith("port_num"):
            assert column.type == pa.int32()


@EVERY
def test_numbers_that_are_measured_have_a_unit_or_are_plain_counts(table):
    for column in table.columns:
        if column.role is ColumnRole.COUNTER:
            assert column.unit
        if column.name.endswith("_s"):
            assert column.unit == "s"


@EVERY
def test_conform_makes_any_table_from_nothing(table):
    made = table.conform({}, rows=2, source="a/b.txt", origin="test:NOTHING")
    assert made.schema == table.schema
    assert made.num_rows == 2
    assert made["source"].to_pylist() == ["a/b.txt"] * 2
    assert made["origin"].to_pylist() == ["test:NOTHING"] * 2
    assert made["sample"].to_pylist() == [0, 0]
    filled = {"source", "origin", "sample"}
    assert all(made[name].null_count == 2 for name in made.schema.names if name not in filled)


SMALL_TABLE = Table(
    "things",
    ("name",),
    (
        Column("name", pa.string(), ColumnRole.IDENTITY, "Name of the thing."),
        Column("count", pa.uint64(), ColumnRole.COUNTER, "How many.", "things"),
    ),
    "Things.",
)


def test_conform_takes_arrays_lists_and_single_values():
    made = SMALL_TABLE.conform(
        {"name": ["a", "b"], "count": pa.array([1, 2], pa.int32())},
        rows=2,
        source="f",
        origin="o",
        line=[3, 4],
    )
    assert made.to_pylist() == [
        {"name": "a", "count": 1, "sample": 0, "source": "f", "origin": "o", "line": 3},
        {"name": "b", "count": 2, "sample": 0, "source": "f", "origin": "o", "line": 4},
    ]
    one = SMALL_TABLE.conform({"name": "same"}, rows=3, source="f", origin="o", line=7)
    assert one["name"].to_pylist() == ["same"] * 3
    assert one["line"].to_pylist() == [7] * 3
    assert one["count"].to_pylist() == [None] * 3


def test_conform_keeps_the_largest_counter():
    made = SMALL_TABLE.conform({"count": [2**64 - 1]}, rows=1, source="f", origin="o")
    assert made["count"].to_pylist() == [2**64 - 1]


def test_conform_refuses_a_column_nobody_declared():
    with pytest.raises(KeyError, match="things has no column colour"):
        SMALL_TABLE.conform({"colour": ["red"]}, rows=1, source="f", origin="o")


def test_conform_keeps_extras_as_text_at_the_end():
    made = SMALL_TABLE.conform(
        {"x_weight": pa.array([1.5, None]), "name": ["a", "b"], "x_note": "n"}, rows=2, source="f", origin="o"
    )
    assert made.schema.names == [*SMALL_TABLE.schema.names, "x_weight", "x_note"]
    assert made["x_weight"].to_pylist() == ["1.5", None]
    assert made["x_note"].to_pylist() == ["n", "n"]


def test_names_filters_by_role_in_order():
    assert SMALL_TABLE.names(ColumnRole.COUNTER, ColumnRole.IDENTITY) == ("name", "count")
    assert SMALL_TABLE.names(ColumnRole.PROVENANCE) == ("sample", "source", "origin", "line")
