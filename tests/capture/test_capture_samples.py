"""Samples: which files make one, what their tables hold, when they were made."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from conftest import mini_file, real_file
from raw_output import HCA, db_csv, ibstat, net_dump, perfquery, write

from ibforensic.capture import capture
from ibforensic.model.enums import Level
from ibforensic.model.tables import TABLES
from ibforensic.parsers import Parsed, Parser, Spec


def only(captured):
    (sample,) = captured.samples
    return sample


def notes(sample, code: str) -> list[str]:
    return [note.message for note in sample.notes if note.code == code]


def source(sample, path: str):
    return next(one for one in sample.sources if one.path == path)


def test_tables_of_all_files_are_put_together(tmp_path):
    extra = perfquery(7).replace(b"PortXmitWait", b"PortNovelty:.....9\nPortXmitWait")
    sample = only(capture(write(tmp_path, {"a.txt": perfquery(), "b.txt": extra, "c.txt": ibstat()})))
    table = sample.tables["counters_pma"]
    assert table["source"].to_pylist() == ["a.txt", "b.txt"]
    assert table["x_PortNovelty"].to_pylist() == [None, "9"]
    assert table.schema.names[: len(TABLES["counters_pma"].schema)] == TABLES["counters_pma"].schema.names
    assert set(sample.tables) == {"counters_pma", "hosts", "nodes", "ports", "sources"}


def test_sources_table_lists_every_file(tmp_path):
    files = {"a.txt": perfquery(), "b.txt": b"words", "empty.out": b"", "cut.txt": perfquery(8)[:-60]}
    sample = only(capture(write(tmp_path, files)))
    table = sample.tables["sources"]
    assert table.schema.names == [*TABLES["sources"].schema.names, "x_collected_at", "x_time_from"]
    shown = [
        tuple(row[name] for name in ("source", "parser", "outcome", "whole")) for row in table.to_pylist()
    ]
    assert shown == [
        ("a.txt", "perfquery", "parsed", True),
        ("b.txt", None, "unknown", True),
        ("cut.txt", "perfquery", "partial", False),
        ("empty.out", None, "unknown", True),
    ]
    assert notes(sample, "capture.empty_file") == ["empty.out: empty, the tool wrote nothing"]
    assert notes(sample, "capture.unknown_format") == ["b.txt: in no known format; kept, not used"]


def test_same_content_is_read_once_and_noted(tmp_path):
    sample = only(
        capture(write(tmp_path, {"a.txt": perfquery(), "b.txt": perfquery(), "c.txt": b"x", "d.txt": b"x"}))
    )
    assert sample.tables["counters_pma"].num_rows == 1
    assert [one.outcome for one in sample.sources] == ["parsed", "repeats", "unknown", "unknown"]
    assert notes(sample, "capture.repeated_file") == ["b.txt = a.txt: the same content; read once"]


def test_claimed_file_that_yields_nothing_has_failed(tmp_path):
    files = {"a.txt": perfquery(), "head.txt": b"# Port counters: Lid 1 port 1\n"}
    sample = only(capture(write(tmp_path, files)))
    assert source(sample, "head.txt").outcome == "failed"
    assert notes(sample, "capture.nothing_read")
    assert notes(sample, "perfquery.block_cut")


def breaking(spec: Spec, result) -> Parser:
    def parse(path, data):
        if isinstance(result, Exception):
            raise result
        return result

    return Parser(spec, parse, "")


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (ValueError("invented defect"), "ValueError: invented defect"),
        (
            Parsed({"nodes": TABLES["links"].conform({}, rows=1, source="x", origin="x")}),
            "nodes is not as declared",
        ),
    ],
    ids=["raises", "wrong table"],
)
def test_parser_that_fails_does_not_cost_the_other_files(tmp_path, monkeypatch, result, words):
    spec = Spec("broken", "broken", "none", 1, lambda name, head: True, ())
    from ibforensic.capture import parsing

    real = parsing.claimant
    monkeypatch.setattr(
        parsing,
        "claimant",
        lambda name, data: breaking(spec, result) if name == "b.txt" else real(name, data),
    )
    sample = only(capture(write(tmp_path, {"a.txt": perfquery(), "b.txt": b"words"})))
    assert sample.tables["counters_pma"].num_rows == 1
    (note,) = [note for note in sample.notes if note.code == "capture.parser_failed"]
    assert note.level is Level.ERROR
    assert note.path == "b.txt"
    assert words in note.message
    assert (source(sample, "b.txt").outcome, source(sample, "b.txt").parser) == ("failed", "broken")


def test_raw_sections_say_which_file_they_are_from(tmp_path):
    sections = b"START_ODD_ONE\nA,B\n1,2\nEND_ODD_ONE\n"
    block = b"# PortXmitDataSL counters: Lid 3 port 1\nXmtDataSL0:......................4\n"
    sample = only(capture(write(tmp_path, {"run.db_csv": db_csv() + sections, "sl.txt": block})))
    assert sample.raw["ODD_ONE"]["source"].to_pylist() == ["run.db_csv"]
    assert sample.raw["perfquery"]["source"].to_pylist() == ["sl.txt"]


def test_window_is_the_run_of_the_db_csv_to_the_last_file_closed(tmp_path):
    files = {"ibdiagnet2.db_csv": db_csv(), "ibdiagnet2.net_dump": net_dump(), "port.txt": perfquery()}
    sample = only(capture(write(tmp_path, files)))
    assert sample.window.began_at == datetime(2031, 1, 1, 10, 0, 0, tzinfo=UTC)
    assert sample.window.ended_at == datetime(2031, 1, 1, 10, 0, 9, tzinfo=UTC)
    assert not any(one.stale for one in sample.sources)
    assert source(sample, "port.txt").own_time is None
    assert source(sample, "ibdiagnet2.net_dump").own_time == sample.window.began_at


@pytest.mark.parametrize("began", ["2031-01-01 09:59:59", "2031-01-09 10:00:00"], ids=["older", "newer"])
def test_file_of_another_run_is_stale_and_kept(tmp_path, began):
    files = {"ibdiagnet2.db_csv": db_csv(), "ibdiagnet2.net_dump": net_dump(began, "2031-01-09 10:00:05")}
    sample = only(capture(write(tmp_path, files)))
    stale = source(sample, "ibdiagnet2.net_dump")
    assert stale.stale
    assert not source(sample, "ibdiagnet2.db_csv").stale
    assert sample.window.began_at == datetime(2031, 1, 1, 10, 0, 0, tzinfo=UTC)
    assert sample.window.ended_at is None
    assert began in notes(sample, "capture.stale_file")[0]
    assert "ibdiagnet2.net_dump" in sample.tables["ports"]["source"].to_pylist()
    flags = dict(
        zip(*(sample.tables["sources"][name].to_pylist() for name in ("source", "stale")), strict=True)
    )
    assert flags == {"ibdiagnet2.db_csv": False, "ibdiagnet2.net_dump": True}


def test_window_without_a_db_csv_spans_everything(tmp_path):
    files = {"a.net_dump": net_dump(), "b.net_dump": net_dump("2031-01-03 00:00:00", "2031-01-03 00:00:04")}
    sample = only(capture(write(tmp_path, files)))
    assert sample.window.began_at == datetime(2031, 1, 1, 10, 0, 0, tzinfo=UTC)
    assert sample.window.ended_at == datetime(2031, 1, 3, 0, 0, 4, tzinfo=UTC)
    assert not any(one.stale for one in sample.sources)


def test_nobody_tells_a_time(tmp_path):
    window = only(capture(write(tmp_path, {"port.txt": perfquery()}))).window
    assert (window.began_at, window.ended_at) == (None, None)


def test_folders_with_runs_of_their_own_are_samples_in_the_order_of_time(tmp_path):
    files = {
        "a-late/ibdiagnet2.db_csv": db_csv("2031-01-02 10:00:00"),
        "a-late/ibdiagnet2.net_dump": net_dump("2031-01-02 10:00:00", "2031-01-02 10:00:07"),
        "b-early/ibdiagnet2.db_csv": db_csv("2031-01-01 10:00:00"),
        "b-early/hosts/node01.ibstat": ibstat(),
    }
    captured = capture(write(tmp_path, files))
    early, late = captured.samples
    assert [one.path for one in early.sources] == ["b-early/hosts/node01.ibstat", "b-early/ibdiagnet2.db_csv"]
    assert [one.path for one in late.sources] == ["a-late/ibdiagnet2.db_csv", "a-late/ibdiagnet2.net_dump"]
    for index, sample in enumerate(captured.samples):
        for table in sample.tables.values():
            assert set(table["sample"].to_pylist()) == {index}
    assert not captured.notes


def test_files_beside_a_run_belong_to_it_and_files_above_all_runs_are_noted(tmp_path):
    files = {
        "day1/out/ibdiagnet2.db_csv": db_csv("2031-01-01 10:00:00"),
        "day1/node01.ibstat": ibstat(),
        "day2/out/ibdiagnet2.db_csv": db_csv("2031-01-02 10:00:00"),
        "port.txt": perfquery(),
    }
    captured = capture(write(tmp_path, files))
    first, second = captured.samples
    assert "hosts" in first.tables
    assert [one.path for one in second.sources] == ["day2/out/ibdiagnet2.db_csv", "port.txt"]
    (note,) = captured.notes
    assert note.code == "capture.outside_samples"
    assert "port.txt" in note.message


def test_one_folder_with_a_run_is_one_sample_with_all_files(tmp_path):
    captured = capture(write(tmp_path, {"run/ibdiagnet2.db_csv": db_csv(), "hosts/node01.ibstat": ibstat()}))
    assert {one.path for one in only(captured).sources} == {"run/ibdiagnet2.db_csv", "hosts/node01.ibstat"}


def test_files_of_the_same_content_in_two_samples_are_read_in_each(tmp_path):
    files = {f"{day}/ibdiagnet2.db_csv": db_csv(f"2031-01-0{day} 10:00:00") for day in (1, 2)}
    files |= {f"{day}/node01.ibstat": ibstat() for day in (1, 2)}
    captured = capture(write(tmp_path, files))
    assert [sample.tables["hosts"].num_rows for sample in captured.samples] == [1, 1]


def test_same_input_gives_the_same_result(tmp_path):
    write(tmp_path, {"ibdiagnet2.db_csv": db_csv(), "n/port.txt": perfquery(), "x.txt": b"?"})
    first, second = capture(tmp_path), capture(tmp_path)
    assert first.samples[0].sources == second.samples[0].sources
    assert first.samples[0].notes == second.samples[0].notes
    assert all(
        second.samples[0].tables[name].equals(table) for name, table in first.samples[0].tables.items()
    )


def test_example_files_make_a_sample():
    sample = only(capture(mini_file("README.md").parent))
    assert sample.window.began_at == datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert not notes(sample, "capture.parser_failed")
    assert {one.parser for one in sample.sources} >= {
        "db_csv",
        "net_dump",
        "ibdiagnet_log",
        "perfquery",
        "ibstat",
    }


def test_real_runs_make_two_samples():
    folder = real_file("ibdiagnet/gary-ndr").parent
    captured = capture([folder / "gary-ndr", folder / "gary-ndr-ufm-default"])
    assert len(captured.samples) == 2
    assert all(sample.tables["ports"].num_rows > 500 for sample in captured.samples)
    assert not any(notes(sample, "capture.parser_failed") for sample in captured.samples)


def test_hca_stands_in_the_tables_of_both_tools(tmp_path):
    sample = only(capture(write(tmp_path, {"ibdiagnet2.db_csv": db_csv(), "node01.ibstat": ibstat()})))
    nodes = sample.tables["nodes"].to_pylist()
    assert [row["source"] for row in nodes if row["node_guid"] == HCA] == [
        "ibdiagnet2.db_csv",
        "node01.ibstat",
    ]


def test_a_repeating_file_is_read_for_what_only_it_tells(tmp_path):
    """ibdiagnet's own ibnetdiscover repeats the db_csv, but for the peers that do not answer."""
    plain = mini_file("ibdiagnet2.ibnetdiscover").read_bytes()
    line = b"Warning: the port is UP, but remote peer is not responding\n"
    told = plain.replace(b"[33]", line + b"[33]", 1)
    assert told != plain
    for name, data in {"plain": plain, "told": told}.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "ibdiagnet2.db_csv").write_bytes(mini_file("ibdiagnet2.db_csv").read_bytes())
        (folder / "ibdiagnet2.ibnetdiscover").write_bytes(data)
    outcomes = {}
    for name in ("plain", "told"):
        (sample,) = capture(tmp_path / name).samples
        outcomes[name] = {source.path: source.outcome for source in sample.sources}
        events = set(sample.tables["events"]["event"].to_pylist())
        assert ("REMOTE_PEER_NOT_RESPONDING" in events) == (name == "told")
    assert outcomes["plain"]["ibdiagnet2.ibnetdiscover"] == "repeats"
    assert outcomes["told"]["ibdiagnet2.ibnetdiscover"] == "parsed"
    (everything,) = capture(tmp_path / "plain", every_file=True).samples
    assert {source.outcome for source in everything.sources} == {"parsed"}
