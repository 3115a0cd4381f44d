"""A simulated incident with benchmarks beside ibdiagnet: the uplink is named, and explains the loss."""

from __future__ import annotations

import json

import pytest
from bench_files import rung, says, several, write_bw

from ibforensic import pipeline
from ibforensic.cli.main import main

ORDER = (
    "--topology fat-tree:leaf=3,spine=2,hosts=4 --fault width-loss --severity high --also perftest,nccl-tests"
)
UPLINK_SEED = 7
"""An incident whose narrow cable is an uplink that a benchmark crosses."""


def run(*arguments):
    with pytest.raises(SystemExit) as leaving:
        main([str(argument) for argument in arguments])
    return leaving.value.code


@pytest.fixture(scope="module")
def incident(tmp_path_factory):
    place = tmp_path_factory.mktemp("incident") / "sim"
    with pytest.raises(SystemExit):
        main(["simulate", "-q", *ORDER.split(), "--seed", str(UPLINK_SEED), "--out", str(place)])
    truth = json.loads((place / "truth.json").read_text())
    pair = [pipeline.load(place / side) for side in ("baseline", "current")]
    return place, truth["suspect"]["link"], pipeline.diff(*pair).document


def test_the_uplink_is_named_and_explains_what_the_collective_lost(incident):
    _, link, document = incident
    ladder = document["ladder"]
    collective = rung(ladder, "collective")
    assert collective["state"] == "worse"
    assert collective["findings"][0]["suspects"] == [1]
    suspect = document["suspects"][0]["link"]
    planted = {(end["node_guid"], end["port"]) for end in link.values()}
    assert {(end["node_guid"], end["port"]) for end in suspect.values()} == planted
    assert (ladder["verdict"], ladder["lowest"]) == ("broken", "links")
    assert ladder["headline"]["message"] in ("ladder.verdict.explained", "ladder.verdict.perhaps")
    assert f"port {link['a']['port']}" in ladder["headline"]["text"]


def test_the_link_of_the_truth_is_among_those_that_slow_pairs_share(incident):
    _, link, document = incident
    found = rung(document["ladder"], "pairs")
    names = [f"port {end['port']}" for end in link.values()]
    assert says(found, "links that all slow pairs may use", *names)


def test_the_command_ladder_prints_it_alone(incident, capsys):
    place, _, document = incident
    assert run("ladder", "-q", place / "baseline", place / "current") == 1
    printed = capsys.readouterr().out
    assert printed.splitlines()[0][:40] == document["ladder"]["headline"]["text"][:40]
    assert "✗ Links are alive and at their rate: worse" in printed
    assert "Fix the lowest broken rung first" in printed
    assert run("ladder", "-q", place / "baseline", place / "baseline") == 0


def test_the_document_of_ladder_is_json(incident, capsys):
    place, _, document = incident
    assert run("ladder", "-q", place / "baseline", place / "current", "--json", "-", "--exit-zero") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["schema"], told["kind"]) == ("ibforensic.ladder/1", "ladder")
    assert told["ladder"] == json.loads(json.dumps(document["ladder"]))


def test_html_and_terminal_of_a_diff_tell_the_ladder(incident):
    _, _, document = incident
    page = pipeline.render(document, "html")
    assert 'id="ladder"' in page
    assert "From the link to the job" in page
    assert "begin here" in page
    assert "Ladder" in pipeline.render(document, "text")


def files(tmp_path, **texts):
    made = []
    for name, text in texts.items():
        path = tmp_path / f"{name}.txt"
        path.write_text(text)
        made.append(path)
    return made


def test_perf_takes_the_first_file_as_baseline(tmp_path, capsys):
    before, after = files(
        tmp_path, one=several(write_bw, (784, 785, 783)), two=several(write_bw, (500, 501, 499))
    )
    assert run("perf", "-q", before, after) == 1
    assert "784 → 500 Gb/s (-36.2 %), worse" in capsys.readouterr().out
    assert run("perf", "-q", before, before) == 0


def test_perf_takes_all_files_that_follow_its_options(tmp_path, capsys):
    values = {"a": (784,), "b": (785, 783), "c": (500,), "d": (501,), "e": (499,)}
    a, b, c, d, e = files(tmp_path, **{name: several(write_bw, each) for name, each in values.items()})
    assert run("perf", "-q", "--baseline", a, b, "--current", c, d, e) == 1
    assert "median of 3 and 3 runs" in capsys.readouterr().out


def test_perf_compares_labelled_runs_with_each_other(tmp_path, capsys):
    a, b = files(tmp_path, a=several(write_bw, (784, 785, 783)), b=several(write_bw, (500, 501, 499)))
    run("perf", "-q", "--label", f"alone={a}", "--label", f"shared={b}")
    assert "alone 784, shared 500 (-36.2 %)" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["--label", "on=nowhere.txt"], ["--baseline"]])
def test_perf_says_what_it_needs(arguments, capsys):
    assert run("perf", "-q", *arguments) == 2
    assert capsys.readouterr().err


def test_nothing_in_common_is_no_verdict(tmp_path):
    before, after = files(tmp_path, one=write_bw(784), two=write_bw(784, qps=8))
    assert run("perf", "-q", before, after) == 3
