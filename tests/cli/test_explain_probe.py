"""``explain --probe``: the skeleton of a collection on stdout."""

from __future__ import annotations

import pytest

from ibforensic.cli.main import main
from ibforensic.model.resources import samples_dir


def test_the_probe_of_a_sample_names_sections_and_nobody(capsys):
    with pytest.raises(SystemExit) as leaving:
        main(["explain", "--probe", str(samples_dir() / "uplink-errors" / "current")])
    assert not leaving.value.code
    said = capsys.readouterr().out
    assert "section PM_INFO: " in said
    assert "spine-01" not in said


def test_a_path_that_is_not_there_is_told(capsys, tmp_path):
    with pytest.raises(SystemExit) as leaving:
        main(["explain", "--probe", str(tmp_path / "nothing")])
    assert leaving.value.code == 2
    assert "nothing" in capsys.readouterr().err
