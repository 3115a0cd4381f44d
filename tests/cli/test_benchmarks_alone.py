"""A folder with results of benchmarks and nothing else can be kept and shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from ibforensic.cli.main import main

FIXTURES = Path(__file__).parents[1] / "fixtures"


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as leaving:
        main([str(argument) for argument in arguments])
    return leaving.value.code


@pytest.mark.parametrize("name", ["perftest", "nccl", "bench_table"])
def test_snapshot_and_show(name, tmp_path, capsys):
    snapshot = tmp_path / "benches.ibf"
    assert run("snapshot", FIXTURES / name, "--output", snapshot) == 0
    said = capsys.readouterr()
    assert " benchmark runs; " in said.out
    assert "[benchmarks_alone]" in said.err
    assert "error:" not in said.err
    assert run("show", "-q", snapshot, "bench_points", "--csv") == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.startswith('"run","metric","size","qualifier","repeat","value","unit","better"')
    assert rows
