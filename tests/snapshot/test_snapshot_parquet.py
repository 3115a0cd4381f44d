"""A snapshot is read by others without us: as single files, and as one data set over its samples."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from handmade import add_section

from ibforensic import pipeline
from ibforensic.capture import capture
from ibforensic.model.tables import TABLES
from ibforensic.simulate.faults import FaultKind
from ibforensic.simulate.incident import write_incident
from ibforensic.simulate.order import Order
from ibforensic.simulate.topology_spec import parse_spec
from ibforensic.snapshot import store
from ibforensic.snapshot.build import build


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    """A snapshot of two samples; only the later one has a column that the tables do not declare."""
    directory = tmp_path_factory.mktemp("runs")
    write_incident(directory, seed=3, leaves=2, spines=1, hosts_per_leaf=2)
    file = directory / "current" / "ibdiagnet2.db_csv"
    add_section(file, "INVENTED")
    text = file.read_text()
    head, _, rest = text.partition("START_LINKS\n")
    body, _, tail = rest.partition("END_LINKS\n")
    links = "".join(f"{line},{'New' if not at else 'x'}\n" for at, line in enumerate(body.splitlines()))
    file.write_text(f"{head}START_LINKS\n{links}END_LINKS\n{tail}")
    store.write(build(capture(directory), "x", "1"), directory / "a.ibf")
    return directory / "a.ibf"


def files(snapshot, name="*"):
    found = sorted(map(str, snapshot.glob(f"sample=*/{name}.parquet")))
    assert found
    return found


def test_every_file_is_read_by_plain_pandas(snapshot):
    back = store.read(snapshot)
    for sample in back.samples:
        for name, table in sample.tables.items():
            frame = pd.read_parquet(snapshot / f"sample={sample.info.index:04d}" / f"{name}.parquet")
            assert list(frame.columns) == [column for column in table.column_names if column != "sample"]
            assert len(frame) == table.num_rows == sample.info.tables[name]
            assert set(table["sample"].to_pylist()) == {sample.info.index}
    (raw,) = snapshot.glob("sample=*/raw/INVENTED.parquet")
    assert pd.read_parquet(raw)[["x", "y"]].to_numpy().tolist() == [["1", "2"], ["1", "3"]]


def test_guids_are_text_and_large_counters_are_whole_numbers_in_pandas(snapshot):
    frame = pd.read_parquet(snapshot / "sample=0001" / "counters_pma.parquet")
    assert frame["node_guid"].str.fullmatch(r"0x[0-9a-f]{16}").all()
    table = store.read(snapshot).latest.tables["counters_pma"]
    assert frame["port_xmit_data_ext"].max() == max(table["port_xmit_data_ext"].to_pylist()) > 2**40


@pytest.mark.parametrize("name", ["nodes", "ports", "links", "counters_pma", "sources"])
def test_one_table_of_all_samples_is_one_data_set(snapshot, name):
    """Hive partitioning takes ``sample`` from the folder's name."""
    whole = ds.dataset(
        files(snapshot, name), partitioning="hive", partition_base_dir=str(snapshot)
    ).to_table()
    back = store.read(snapshot)
    rows = [sample.tables[name].num_rows for sample in back.samples]
    assert whole["sample"].to_pylist() == [0] * rows[0] + [1] * rows[1]
    assert whole.select(TABLES[name].schema.names).schema.equals(TABLES[name].schema)
    later = ds.dataset(files(snapshot, name), partitioning="hive").to_table(filter=ds.field("sample") == 1)
    assert later.num_rows == rows[1]


def test_pandas_reads_one_table_of_all_samples(snapshot):
    frame = pd.read_parquet(files(snapshot, "ports"))
    assert frame["sample"].astype(int).value_counts().to_dict() == {
        at: sample.tables["ports"].num_rows for at, sample in enumerate(store.read(snapshot).samples)
    }
    only = pd.read_parquet(
        files(snapshot, "ports"), filters=[("sample", "==", 0)], columns=["sample", "node_guid"]
    )
    assert set(only["sample"]) == {0}


def test_the_folder_of_a_table_per_sample_is_a_hive_data_set(snapshot, tmp_path):
    """Somebody copies one table of many snapshots into a tree of its own."""
    for file in snapshot.glob("sample=*/nodes.parquet"):
        (tmp_path / file.parent.name).mkdir()
        (tmp_path / file.parent.name / "nodes.parquet").write_bytes(file.read_bytes())
    table = ds.dataset(str(tmp_path), partitioning="hive").to_table()
    assert set(table["sample"].to_pylist()) == {0, 1}
    assert set(pd.read_parquet(tmp_path)["sample"].astype(int)) == {0, 1}


def test_a_path_and_a_handle_give_the_same_table(snapshot):
    file = files(snapshot, "links")[1]
    with Path(file).open("rb") as handle:
        table = pq.read_table(handle)
    assert pq.read_table(file).select(table.column_names).equals(table)


def test_columns_of_one_sample_alone_do_not_stand_in_the_way(snapshot):
    schemas = [pq.read_schema(file) for file in files(snapshot, "links")]
    extra = [set(schema.names) - set(TABLES["links"].schema.names) for schema in schemas]
    assert all("sample" not in schema.names for schema in schemas)
    assert (extra[0], len(extra[1])) == (set(), 1)
    (name,) = extra[1]
    schema = pa.unify_schemas(schemas)
    table = ds.dataset(files(snapshot, "links"), schema=schema).to_table()
    rows = [pq.read_metadata(file).num_rows for file in files(snapshot, "links")]
    assert table[name].to_pylist() == [None] * rows[0] + ["x"] * rows[1]


def test_the_manifest_alone_tells_what_is_in_the_snapshot(snapshot):
    manifest = json.loads((snapshot / "manifest.json").read_text())
    assert manifest["format"] == "ibforensic.snapshot/1"
    assert [sample["counts"]["hcas"] for sample in manifest["samples"]] == [8, 8]
    assert manifest["fabric"]["switch_count"] == len(manifest["switches"]) == 3
    assert manifest["quality_codes"]["2"] == "saturated"
    for sample in manifest["samples"]:
        for name, rows in sample["tables"].items():
            file = snapshot / f"sample={sample['index']:04d}" / f"{name}.parquet"
            assert pq.read_metadata(file).num_rows == rows
    on_disk = {path.relative_to(snapshot).as_posix() for path in snapshot.rglob("*") if path.is_file()}
    assert set(manifest["files"]) == on_disk - {"manifest.json"}


def test_texts_read_as_dictionaries_are_the_same_texts(snapshot):
    for sample in store.read(snapshot).samples:
        for name, table in store.read(snapshot).samples[sample.info.index].tables.items():
            wanted = [column for column in table.column_names if column != "sample"]
            coded = sample.columns(name, wanted, coded=True)
            assert coded.to_pylist() == table.select(wanted).to_pylist()
            texts = [field for field in coded.schema if pa.types.is_dictionary(field.type)]
            assert {field.name for field in texts} >= {"source", "origin"} or not texts


def test_files_of_many_row_groups_are_compared_like_those_of_one(tmp_path, monkeypatch):
    spec = parse_spec("fat-tree:leaf=4,spine=2,hosts=4")
    pair = pipeline.simulated(Order(spec, faults=(FaultKind.DIRTY_CONNECTOR,), seed=4))[:2]
    write_whole = pq.write_table

    def write_in_pieces(*args, **options):
        write_whole(*args, **options, row_group_size=7)

    monkeypatch.setattr(pq, "write_table", write_in_pieces)
    for side, snapshot in zip(("a.ibf", "b.ibf"), pair, strict=True):
        store.write(snapshot, tmp_path / side)
    assert pq.ParquetFile(files(tmp_path / "a.ibf", "ports")[0]).num_row_groups > 5
    told, expected = (
        pipeline.diff(*sides).document
        for sides in ([pipeline.load(tmp_path / side) for side in ("a.ibf", "b.ibf")], pair)
    )
    assert told["suspects"] == expected["suspects"]
    assert told["suspects"]
    assert told["coverage"] == expected["coverage"]
