"""Benchmarks and telemetry beside the files of ibdiagnet disturb neither snapshot nor diff."""

from __future__ import annotations

import json

import pytest
from test_write_diags import ends_of

from ibforensic.cli.main import main

NAMES = ("mlxlink", "ufm", "perftest", "nccl-tests")


def test_diff_names_the_bad_link_with_these_files_beside(tmp_path, capsys):
    out = tmp_path / "practice"
    order = ["--topology", "fat-tree:leaf=3,spine=2,hosts=3", "--fault", "bad-link", "--severity", "high"]
    with pytest.raises(SystemExit) as leaving:
        main(["simulate", "-q", *order, "--seed", "7", "--also", ",".join(NAMES), "--out", str(out)])
    assert leaving.value.code == 0
    for side in ("baseline", "current"):
        assert all(any((out / side / name).iterdir()) for name in NAMES)
    snapshot = tmp_path / "healthy.ibf"
    with pytest.raises(SystemExit) as leaving:
        main(["snapshot", str(out / "baseline"), "--output", str(snapshot)])
    assert leaving.value.code == 0
    assert "in no known format" not in capsys.readouterr().err
    with pytest.raises(SystemExit) as leaving:
        main(["diff", "-q", str(snapshot), str(out / "current"), "--json", "-"])
    assert leaving.value.code == 1
    (suspect, *_) = json.loads(capsys.readouterr().out)["suspects"]
    (planted,) = json.loads((out / "truth.json").read_text())["suspects"]
    assert ends_of(suspect) == ends_of(planted)
