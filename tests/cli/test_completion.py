"""What the shell offers: the script it is given, the values, and a real bash that asks for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from ibforensic.cli.main import group, main
from ibforensic.evidence import rules
from ibforensic.model.resources import samples_dir
from ibforensic.parsers import parsers

ROOT = Path(__file__).resolve().parents[2]


def offered(*words: str) -> list[str]:
    """Return what is offered for the last of the words."""
    asked = ShellComplete(group, {}, "ibforensic", "_IBFORENSIC_COMPLETE")
    return [item.value for item in asked.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (("comp",), ["completion"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("diff", "--mark"), ["--markdown"]),
        (("diff", "a", "b", "--lang", "k"), ["ko"]),
        (("diff", "--layers", "leaf,s"), ["leaf,spine", "leaf,switch"]),
        (("demo", "slow"), ["slow-host"]),
        (("simulate", "--fault", "bad-"), ["bad-link", "bad-module"]),
        (("simulate", "--confounders", "st"), ["standard"]),
        (("simulate", "--confounders", "season,hot"), ["season,hot-job"]),
        (("simulate", "--missing", "phy,p"), ["phy,ports", "phy,pm-only"]),
        (("simulate", "--also", "mlx"), ["mlxlink"]),
        (("simulate", "--speed", "ndr,h"), ["ndr,hdr"]),
        (("simulate", "--severity", "H"), ["high"]),
        (("simulate", "--topology", "fat"), ["fat-tree", "fat-tree3"]),
        (("explain", "link_down_"), ["link_down_events", "link_down_events_phy"]),
        (("explain", "node_gu"), ["node_GUID"]),
    ],
)
def test_a_value_is_offered_by_how_it_begins(words, values):
    assert offered(*words) == values


def test_every_rule_and_format_is_offered():
    topics = offered("explain", "")
    assert {item.rule.id for item in rules()} | {parser.spec.name for parser in parsers()} <= set(topics)


@pytest.mark.parametrize("topic", offered("explain", "")[::60])
def test_what_is_offered_can_be_explained(topic, capsys):
    assert main(["explain", topic], standalone_mode=False) == 0
    assert capsys.readouterr().out


def test_tables_of_the_snapshot_are_offered_and_raw_output_is_not_read(tmp_path):
    name = str(tmp_path / "x.ibf")
    main(["snapshot", "-q", str(samples_dir() / "slow-host" / "current"), "-o", name], standalone_mode=False)
    assert offered("show", name, "counters_p") == ["counters_pma"]
    assert offered("show", str(samples_dir() / "slow-host" / "current"), "") == []
    assert offered("show", str(tmp_path / "nothing"), "") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_calls_the_installed_command(shell, capsys):
    assert main(["completion", shell], standalone_mode=False) == 0
    script = capsys.readouterr().out
    assert f"_IBFORENSIC_COMPLETE={shell}_complete" in script


def test_another_shell_is_refused_with_those_that_are_known(capsys):
    with pytest.raises(SystemExit) as leaving:
        main(["completion", "tcsh"])
    assert leaving.value.code == 2
    assert "fish" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_a_real_bash_completes_with_it(tmp_path):
    command = tmp_path / "ibforensic"
    command.write_text(f"#!{sys.executable}\nfrom ibforensic.cli.main import main\nmain()\n")
    command.chmod(0o755)
    asking = """
        eval "$(ibforensic completion bash)"
        COMP_WORDS=(ibforensic simulate --fault dirty) COMP_CWORD=3
        _ibforensic_completion ibforensic
        echo "${COMPREPLY[@]}"; complete -p ibforensic
    """
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", asking],
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "dirty-connector",
        "complete -o nosort -F _ibforensic_completion ibforensic",
    ]
