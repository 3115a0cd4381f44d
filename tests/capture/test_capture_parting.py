"""One file with the output of several tools: each part goes to its own parser, and none is lost."""

from __future__ import annotations

from pathlib import Path

from raw_output import ibstat, perfquery, write

from ibforensic.capture import capture
from ibforensic.capture.parsing import Read, read
from ibforensic.capture.parting import parted
from ibforensic.capture.records import RawFile
from ibforensic.parsers import claimant, parsers

FIXTURES = Path(__file__).parents[1] / "fixtures"
MLXLINK = (FIXTURES / "mlxlink" / "node07_mlx5_0_p1.txt").read_bytes()
IBSTATUS = (FIXTURES / "ibstatus" / "node07_ibstatus.txt").read_bytes()
UFM = (FIXTURES / "ufm_csv" / "primary.csv").read_bytes()


def of(data: bytes, name: str = "session.txt") -> Read:
    return read(RawFile(name, data))


def codes(one: Read) -> set[str]:
    return {note.code for note in one.parsed.notes}


def prompt(command: str, host: str = "node17") -> bytes:
    return f"[root@{host} ~]# {command}\n".encode()


def session(host: str = "node17") -> bytes:
    return b"".join(
        (
            prompt("uptime", host),
            b" 10:00:00 up 12 days,  3:04,  1 user\n",
            prompt("ibstat", host),
            ibstat(),
            prompt("perfquery 6 1", host),
            perfquery(6, 1),
            prompt("mlxlink -d mlx5_0 -c -m", host),
            MLXLINK,
            prompt("", host),
        )
    )


def test_a_session_gives_each_tool_its_own_output():
    one = of(session())
    assert one.source.parser == "ibstat, perfquery, mlxlink"
    assert one.parsed.tables["counters_pma"].num_rows == 1
    assert one.parsed.tables["phy"].num_rows == 1
    assert one.parsed.tables["hosts"]["host"].to_pylist() == ["node17"]
    assert codes(one) == {"capture.part_unknown"}
    (note,) = one.parsed.notes
    assert note.line == 1
    assert "uptime (line 1)" in note.message


def test_rows_keep_the_lines_of_the_file():
    data = session()
    one = of(data)
    (line,) = one.parsed.tables["counters_pma"]["line"].to_pylist()
    assert data.split(b"\n")[line - 1].startswith(b"# Port ")


def test_notes_keep_the_lines_of_the_file():
    data = session() + prompt("perfquery 9 1") + perfquery(9)[:-60]
    cut = next(note for note in of(data).parsed.notes if note.code == "perfquery.block_cut")
    assert cut.line is not None
    assert cut.line > session().count(b"\n")


def test_output_without_prompts_is_told_apart_by_its_first_lines():
    one = of(ibstat() + b"\n" + perfquery() + b"\n" + IBSTATUS)
    assert one.source.parser == "ibstat, perfquery, ibstatus"
    assert codes(one) <= {"ibstat.no_host"}


def test_titles_of_a_bundle_are_no_output():
    data = b"=== ibstat ===\n" + ibstat() + b"\n==== dmesg ====\nusb 1-1: new device\n"
    data += b"### perfquery -x 6 1\n" + perfquery()
    one = of(data)
    assert one.source.parser == "ibstat, perfquery"
    (note,) = (note for note in one.parsed.notes if note.code == "capture.part_unknown")
    assert "dmesg (line " in note.message


def test_prompts_alone_part_nothing_and_are_left_out():
    one = of(prompt("perfquery 6 1") + perfquery() + prompt("exit"))
    assert (one.source.parser, codes(one), one.source.whole) == ("perfquery", set(), True)


def test_a_csv_below_a_command_is_read():
    one = of(prompt("cat ufm.csv") + UFM)
    plain = of(UFM)
    assert one.source.parser == plain.source.parser == "ufm_csv"
    rows = {name: table.num_rows for name, table in plain.parsed.tables.items()}
    assert {name: table.num_rows for name, table in one.parsed.tables.items()} == rows


def test_hosts_before_the_lines_of_any_tool():
    lines = (perfquery(6).splitlines(), perfquery(7).splitlines())
    mixed = [
        b"%s: %s" % (host, line)
        for pair in zip(*lines, strict=True)
        for host, line in zip((b"n1", b"n2"), pair, strict=True)
    ]
    one = of(b"\n".join(mixed) + b"\n")
    assert one.source.parser == "perfquery"
    assert one.parsed.tables["counters_pma"]["lid"].to_pylist() == [6, 7]
    assert codes(one) == set()


def test_several_tools_of_several_hosts_with_their_names_before():
    lines = []
    for host in (b"node1", b"node2"):
        lines += [host + b": " + line for line in (ibstat() + IBSTATUS).splitlines()]
    one = of(b"\n".join(lines) + b"\n")
    assert one.source.parser == "ibstat, ibstatus"
    assert set(one.parsed.tables["hosts"]["host"].to_pylist()) == {"node1", "node2"}


def test_sessions_of_two_hosts_stay_apart():
    one = of(session("node17") + session("node18"))
    assert one.parsed.tables["hosts"]["host"].to_pylist() == ["node17", "node18"]
    assert set(one.parsed.tables["phy"]["x_host"].to_pylist()) == {"node17", "node18"}


def test_colours_and_windows_line_ends_do_not_hide_a_part():
    data = session().replace(b"[root", b"\x1b[01;32m[root").replace(b"\n", b"\r\n")
    one = of(data)
    assert one.source.parser == "ibstat, perfquery, mlxlink"


def test_what_comes_after_much_else_is_found():
    dmesg = b"[   12.345678] usb 1-1: new high-speed device\n" * 3000
    one = of(dmesg + prompt("ibstat") + ibstat() + prompt("perfquery") + perfquery())
    assert one.source.parser == "ibstat, perfquery"


def test_documents_and_files_of_one_tool_stay_whole():
    data = b"# Notes\n```\n" + session() + b"```\n"
    assert of(data).source.parser != "ibstat, perfquery, mlxlink"
    for parser in parsers():
        folder = FIXTURES / parser.spec.name
        for path in folder.rglob("*") if folder.is_dir() else ():
            if path.is_file():
                data = path.read_bytes()
                found = parted(data, claimant(path.name, data))
                names = {part.parser.spec.name for part in found.parts} if found else {parser.spec.name}
                assert parser.spec.name in names, path


def test_a_snapshot_has_all_parts(tmp_path):
    (sample,) = capture(write(tmp_path, {"bundle.txt": session()})).samples
    assert {"hosts", "ports", "counters_pma", "phy"} <= set(sample.tables)
    assert sample.tables["counters_pma"]["node_guid"].null_count == 0


def test_a_host_before_each_line_of_json():
    data = (FIXTURES / "mlxlink" / "node07_mlx5_2_p1.json").read_bytes()
    named = b"".join(b"node07: " + line + b"\n" for line in data.splitlines())
    plain, one = of(data), of(named)
    assert one.source.parser == plain.source.parser == "mlxlink"
    assert one.parsed.tables["phy"].num_rows == plain.parsed.tables["phy"].num_rows


def test_a_log_of_putty_around_json():
    data = (FIXTURES / "mlxlink" / "node07_mlx5_2_p1.json").read_bytes()
    head = b"=~=~=~= PuTTY log 2031.01.05 10:00:00 =~=~=~=\r\nlogin as: admin\r\n"
    one = of(head + prompt("mlxlink -d mlx5_2 --json") + data + b"\n" + prompt("exit"))
    assert (one.source.parser, one.source.whole) == ("mlxlink", True)
    assert one.parsed.tables["phy"].num_rows == of(data).parsed.tables["phy"].num_rows
