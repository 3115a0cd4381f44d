"""The option --policy: what it changes, what it refuses, and how it is explained."""

from __future__ import annotations

import json

import pytest

from ibforensic.cli.main import main
from ibforensic.model.resources import samples_dir

SCENARIO = samples_dir() / "uplink-errors"
PAIR = (str(SCENARIO / "baseline"), str(SCENARIO / "current"))
KNOWN = """
[[ignore]]
node = "spine-01/U1"
port = 4
reason = "cable ordered"
owner = "night shift"
until = 2031-03-31
"""


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as leaving:
        main(list(args))
    return int(leaving.value.code or 0)


@pytest.fixture
def policy(tmp_path):
    path = tmp_path / "site.toml"
    path.write_text(KNOWN)
    return path


def test_a_known_fault_is_listed_but_is_no_regression(policy, tmp_path, capsys):
    html = tmp_path / "report.html"
    assert run("diff", "-q", *PAIR, "--policy", str(policy), "--html", str(html)) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("Nobody but 1 suspect that the policy ignores")
    assert (
        "Ignored spine-01/U1 port 4: 5 findings ignored until 2031-03-31 (cable ordered; night shift)" in said
    )
    page = html.read_text(encoding="utf-8")
    assert "Ignored by the policy" in page
    assert "cable ordered; night shift" in page


def test_it_comes_back_after_its_last_day(policy, capsys):
    assert run("diff", "-q", *PAIR, "--policy", str(policy), "--today", "2031-04-01") == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "spine-01/U1 port 4" in said[:100]
    assert "not ignored any more: it expired after 2031-03-31" in said


def test_a_single_snapshot_is_checked_under_a_policy_too(policy, tmp_path, capsys):
    usual, other = tmp_path / "usual.json", tmp_path / "other.json"
    assert run("check", "-q", PAIR[1], "--json", str(usual)) == 1
    run("check", "-q", PAIR[1], "--json", str(other), "--policy", str(policy))
    before, after = (json.loads(path.read_text()) for path in (usual, other))
    assert before["ignored"] == []
    (entry,) = after["ignored"]
    assert (entry["standing"], entry["as_of"]) == ("in_force", "2031-03-10")
    ends = [[suspect["end"]["node"] for suspect in one["suspects"]] for one in (before, after)]
    assert ends[0] == ["spine-01/U1", *ends[1]]
    assert "ignored until 2031-03-31" in " ".join(capsys.readouterr().out.split())
    run("check", "-q", PAIR[1], "--json", str(other), "--policy", str(policy), "--today", "2031-04-01")
    assert len(json.loads(other.read_text())["suspects"]) == len(ends[0])


def test_weights_and_hash_reach_the_document(tmp_path, capsys):
    path = tmp_path / "high.toml"
    path.write_text("[weights]\nthreshold = 1000\n")
    assert run("diff", "-q", *PAIR, "--policy", str(path), "--json", "-") == 0
    high = json.loads(capsys.readouterr().out)
    assert run("diff", "-q", *PAIR, "--json", "-") == 1
    usual = json.loads(capsys.readouterr().out)
    assert high["policy"] != usual["policy"]
    assert (high["suspects"], high["ignored"]) == ([], [])


def test_a_bad_policy_is_told_with_line_and_cure_before_anything_is_read(policy, capsys):
    policy.write_text(KNOWN + "prot = 4\n")
    assert run("diff", *PAIR, "--policy", str(policy)) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {policy}:8: there is no key 'prot'")
    assert "help: did you mean port?" in said
    assert "reading" not in said
    assert run("diff", *PAIR, "--policy", str(policy), "--today", "tomorrow") == 2
    assert run("diff", *PAIR, "--policy", str(policy.parent)) == 2
    assert run("diff", *PAIR, "--policy", str(policy.parent / "none.toml")) == 2


def test_a_policy_is_never_written_over(policy, capsys):
    assert run("diff", "-q", *PAIR, "--policy", str(policy), "--json", str(policy)) == 2
    assert policy.read_text() == KNOWN
    assert "it is an input" in capsys.readouterr().err


def test_the_policy_file_and_its_fields_can_be_explained(capsys):
    assert run("explain", "policy") == 0
    said = capsys.readouterr().out
    assert "[[ignore]]" in said
    assert "threshold = 3" in said
    assert "NDR RS(544,514), active" in said
    assert run("explain", "threshold") == 0
    assert "named a suspect" in capsys.readouterr().out
    assert run("explain", "polcy") == 2
    assert "policy" in capsys.readouterr().err
