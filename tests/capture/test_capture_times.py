"""When a file was collected: its content tells it, else its name, else the file system; and which it was."""

from __future__ import annotations

import io
import os
import tarfile
from datetime import UTC, datetime

import pytest
from raw_output import db_csv, ibstat, perfquery, write

from ibforensic import pipeline
from ibforensic.capture import capture
from ibforensic.capture.name_times import time_in_path, words_beside


@pytest.mark.parametrize(
    ("path", "when"),
    [
        ("2031-01-05/perfquery.txt", datetime(2031, 1, 5, tzinfo=UTC)),
        ("ibstat_20310105T1000.txt", datetime(2031, 1, 5, 10, tzinfo=UTC)),
        ("run-2031-01-05_10-20-30/x", datetime(2031, 1, 5, 10, 20, 30, tzinfo=UTC)),
        ("a/2031-01-05T10:20:30Z.log", datetime(2031, 1, 5, 10, 20, 30, tzinfo=UTC)),
        ("2031-01-05/ibstat-20310106.txt", datetime(2031, 1, 6, tzinfo=UTC)),
        ("20311305/x", None),
        ("0x2031010510002030.out", None),
        ("node2031/x", None),
    ],
)
def test_time_in_a_path(path, when):
    assert time_in_path(path) == when


def test_words_beside_a_time():
    assert words_beside("2031-01-05T1000") == ""
    assert words_beside("before_2031-01-05") == "before_"
    assert words_beside("node17-2031-01-05") is None
    assert words_beside("baseline") is None


def told(sample) -> dict[str, tuple[str, str]]:
    rows = sample.tables["sources"].to_pylist()
    return {row["source"]: (row["x_time_from"], row["x_collected_at"]) for row in rows}


def test_content_name_and_file_in_this_order(tmp_path):
    folder = write(
        tmp_path,
        {"ibdiagnet2.db_csv": db_csv(), "ibstat-20310105T1000.txt": ibstat(), "perfquery.txt": perfquery()},
    )
    os.utime(folder / "perfquery.txt", (1_925_000_000, 1_925_000_000))
    (sample,) = capture(folder).samples
    assert told(sample) == {
        "ibdiagnet2.db_csv": ("content", "2031-01-01T10:00:00Z"),
        "ibstat-20310105T1000.txt": ("name", "2031-01-05T10:00:00Z"),
        "perfquery.txt": ("file", "2031-01-01T02:13:20Z"),
    }
    assert sample.window.began_at == datetime(2031, 1, 1, 10, tzinfo=UTC)


def test_names_date_a_collection_that_tells_no_time_and_it_is_said(tmp_path):
    (sample,) = capture(write(tmp_path, {"perfquery-2031-01-05.txt": perfquery()})).samples
    assert sample.window.began_at == datetime(2031, 1, 5, tzinfo=UTC)
    assert [note.code for note in sample.notes if "time" in note.code] == ["capture.time_of_names"]


def test_no_rate_rests_on_the_time_of_a_copy(tmp_path):
    (sample,) = capture(write(tmp_path, {"perfquery.txt": perfquery()})).samples
    assert sample.window.began_at is None
    assert told(sample)["perfquery.txt"][0] == "file"


def test_a_folder_a_time_is_a_sample_each(tmp_path):
    days = ("2031-01-05", "2031-01-06")
    files = {f"{day}/a.txt": perfquery(6, 1, errors) for errors, day in enumerate(days, 1)}
    files["2031-01-06/ibstat.txt"] = ibstat()
    captured = capture(write(tmp_path, files))
    assert [sample.window.began_at.day for sample in captured.samples] == [5, 6]
    assert [len(sample.sources) for sample in captured.samples] == [1, 2]


def test_folders_of_hosts_with_dates_are_one_sample(tmp_path):
    files = {f"node0{host}-2031-01-0{host}/ibstat.txt": ibstat(f"0x02000000000000b{host}") for host in (4, 5)}
    assert len(capture(write(tmp_path, files)).samples) == 1


def test_folders_of_tools_with_dates_are_one_sample(tmp_path):
    files = {"ibstat-2031-01-05/a.txt": ibstat(), "perfquery-2031-01-06/b.txt": perfquery()}
    assert len(capture(write(tmp_path, files)).samples) == 1


def test_archives_keep_the_times_of_their_files(tmp_path):
    with tarfile.open(tmp_path / "c.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("ibstat.txt")
        member.size, member.mtime = len(ibstat()), 1_925_000_000
        archive.addfile(member, io.BytesIO(ibstat()))
    (sample,) = capture(tmp_path).samples
    assert told(sample) == {"c.tar.gz/ibstat.txt": ("file", "2031-01-01T02:13:20Z")}


def test_reading_originals_again_keeps_the_times(tmp_path):
    folder = write(tmp_path / "raw", {"perfquery.txt": perfquery(), "ibstat.txt": ibstat()})
    os.utime(folder / "perfquery.txt", (1_925_000_000, 1_925_000_000))
    made = pipeline.snapshot([folder], tmp_path / "one.ibf")
    again = pipeline.snapshot([tmp_path / "one.ibf"])
    wanted = ["source", "x_collected_at", "x_time_from"]
    both = [one.latest.tables["sources"].select(wanted).to_pylist() for one in (made, again)]
    assert both[0] == both[1]
