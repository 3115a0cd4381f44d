"""Two collections of one tool other than ibdiagnet: the port whose errors grew is to blame."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibforensic import pipeline

LEAF = "0x0200000000000100"
FIXTURES = Path(__file__).parents[1] / "fixtures"


def exporter(errors: int) -> str:
    metrics = {"symbol_error": errors * 10, "receive_errors": errors, "link_downed": 1}
    return "".join(
        f'infiniband_switch_port_{name}_total{{guid="{LEAF}",port="{port}"}} {value if port == 2 else 1}\n'
        for name, value in metrics.items()
        for port in range(1, 9)
    )


def telemetry(errors: int) -> str:
    head = "timestamp,node_guid,port_num,SymbolErrorCounterExtended,PortRcvErrorsExtended\n"
    stamp = 1_893_553_445_000_000 + errors * 1_000_000
    return head + "".join(
        f"{stamp},{LEAF},{port},{errors * 10 if port == 2 else 0},{errors if port == 2 else 0}\n"
        for port in range(1, 9)
    )


def perfquery(errors: int) -> str:
    block = (FIXTURES / "perfquery" / "old_names.txt").read_text()
    return "".join(
        block.replace("port 1", f"port {port}")
        .replace(
            "SymbolErrors:....................4",
            f"SymbolErrors:....................{errors if port == 2 else 4}",
        )
        .replace(
            "RcvErrors:.......................7",
            f"RcvErrors:.......................{errors if port == 2 else 7}",
        )
        for port in range(1, 9)
    )


@pytest.mark.parametrize(
    ("name", "write"),
    [("scrape.prom", exporter), ("primary.csv", telemetry), (f"{LEAF}.out", perfquery)],
    ids=["exporter", "telemetry", "perfquery"],
)
def test_the_port_whose_errors_grew_is_named(tmp_path, name, write):
    sides = []
    for side, errors in (("before", 10), ("after", 9000)):
        (tmp_path / side).mkdir()
        (tmp_path / side / name).write_text(write(errors))
        sides.append(pipeline.snapshot([tmp_path / side]))
    document = pipeline.diff(*sides).document
    assert [(one["end"]["node_guid"], one["end"]["port"]) for one in document["suspects"]] == [(LEAF, 2)]
