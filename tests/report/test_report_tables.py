from __future__ import annotations

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from ibforensic.model.errors import BadUsage
from ibforensic.report.tables import write_ports

PORTS = pa.table(
    {
        "node_guid": ["0x0000000000001001", "0x0000000000001002"],
        "node": pa.array(["=1+1", 'leaf "2",\n'], pa.string()).dictionary_encode(),
        "port_num": [12, 3],
        "rank": pa.array([1, None], pa.int32()),
        "rate": [1.5e-9, 0.0],
    }
)


def test_parquet_is_as_given(tmp_path):
    write_ports(PORTS, tmp_path / "ports.parquet")
    assert pa.parquet.read_table(tmp_path / "ports.parquet").to_pylist() == PORTS.to_pylist()


def test_csv_keeps_what_is_unknown_empty_and_runs_nothing(tmp_path):
    path = tmp_path / "ports.CSV"
    write_ports(PORTS, path)
    options = pa.csv.ParseOptions(newlines_in_values=True)
    types = pa.csv.ConvertOptions(column_types={"node_guid": pa.string()})
    rows = pa.csv.read_csv(path, parse_options=options, convert_options=types).to_pylist()
    assert [row["rank"] for row in rows] == [1, None]
    assert [row["node"] for row in rows] == ["'=1+1", 'leaf "2",\n']
    assert rows[0]["node_guid"] == "0x0000000000001001"


def test_another_suffix_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(BadUsage, match=r"ports\.xlsx"):
        write_ports(PORTS, tmp_path / "ports.xlsx")
    assert list(tmp_path.iterdir()) == []
