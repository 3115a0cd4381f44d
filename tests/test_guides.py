"""The guides do what they say: every command in them exists, and those that can be run print what is shown.

A block ``sh`` is pasted as it stands. A block ``text`` behind it shows lines of what its commands print, in
their order; others may stand between them.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import pytest
from test_docs import CLEARING, ROOT, generate

from ibforensic.cli.main import group, main
from ibforensic.model.resources import samples_dir
from ibforensic.model.tables import TABLES
from ibforensic.report.sections import sections

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
WRITTEN = [page for page in PAGES if page.name not in generate.DOCUMENTS]
LINE = re.compile(r"(?:^|\$\()(ibforensic [^#\n)]+?)(?: +#.*)?\)?\"?$", re.MULTILINE)
INLINE = re.compile(r"`(ibforensic [^`\n]+)`")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS_A_FABRIC = re.compile(r"ibforensic collect (?!--print-commands)|ibdiagnet |sleep |\.venv/")
PLACES = re.compile(r"DIR|NAME|FILE|SOURCE|TOPIC|WORD|CODE|RULE|SHELL|BASELINE|CURRENT|…")
"""Words that stand for something else."""


def blocks(page: Path) -> list[tuple[str, str]]:
    """Return the blocks of a page: language and text."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def commands(page: Path) -> Iterator[str]:
    """Yield every command of ibforensic on a page, in blocks and within the text."""
    for language, text in blocks(page):
        if language in ("", "sh"):
            yield from (found.strip() for found in LINE.findall(text))
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    yield from (found.replace("\\|", "|") for found in INLINE.findall(prose))


def check(line: str) -> None:
    """Raise where a command, an option or a value of it does not exist; files need not be there."""
    words = shlex.split(line)[1:]
    context = group.make_context("ibforensic", [], resilient_parsing=True)
    if words[0].startswith("-"):
        assert words[0] in {name for param in group.get_params(context) for name in param.opts}
        return
    command = group.get_command(context, words[0])
    assert command is not None, line
    inner = click.Context(command, parent=context, info_name=words[0])
    values, rest, _ = command.make_parser(inner).parse_args(words[1:])
    assert not rest, line
    for param in command.get_params(inner):
        given = values.get(param.name)
        if param.value_is_missing(given) or isinstance(given, bool) or isinstance(param.type, click.Path):
            continue
        if not any(
            PLACES.search(str(one)) for one in (given if isinstance(given, list | tuple) else [given])
        ):
            param.type_cast_value(inner, given)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_every_command_on_a_page_exists(page):
    for line in commands(page):
        check(line)


@pytest.mark.parametrize(
    "line",
    ["ibforensic dif a b", "ibforensic diff a b --htm", "ibforensic diff a b c", "ibforensic --wrong"],
)
def test_a_command_that_does_not_exist_is_seen(line):
    with pytest.raises((click.UsageError, AssertionError)):
        check(line)


def test_commands_are_found_in_blocks_comments_and_text():
    assert {page.name for page in WRITTEN if any(commands(page))} >= {
        "README.md",
        "acceptance.md",
        "incident.md",
        "drill.md",
        "collecting.md",
        "reading-a-report.md",
        "writing-a-parser.md",
        "writing-a-rule.md",
    }
    assert "ibforensic completion bash" in set(commands(ROOT / "README.md"))


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_no_block_to_paste_clears_anything(page):
    assert not [text for _, text in blocks(page) if CLEARING.search(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_headings_lead_to_one(page):
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", prose):
        text = ((page.parent / target) if target else page).read_text(encoding="utf-8")
        titles = re.findall(r"^#+ (.+)$", BLOCK.sub("", text), re.MULTILINE)
        slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
        assert anchor in slugs, anchor


def test_every_page_is_in_the_list_of_documents():
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (DOCS / "README.md").read_text(encoding="utf-8")))
    assert listed == {path.name for path in DOCS.glob("*.md")} - {"README.md"}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder in which the guides can be followed: it has what they collect."""
    monkeypatch.chdir(tmp_path)
    for name, options in (
        ("runs", ["--samples", "2", "--seed", "4"]),
        ("jobs", ["--fault", "pcie-degraded", "--also", "perftest,nccl-tests", "--seed", "5"]),
    ):
        main(["simulate", "-q", *options, "--out", str(tmp_path / f"{name}.made")], standalone_mode=False)
    shutil.copytree("runs.made/baseline", "runs")
    Path("jobs.made").rename("jobs")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    return tmp_path


def incident_collected() -> None:
    """Put there what ``collect`` would have made on the night of the incident."""
    for name, side in (("acceptance", "baseline"), ("incident", "current")):
        source = samples_dir() / "uplink-errors" / side
        main(["snapshot", "-q", str(source), "-o", f"{name}.ibf"], standalone_mode=False)


def run(line: str) -> int:
    """Run a line of a block in the folder that is there."""
    words = shlex.split(line)
    if words[0] == "cp":
        shutil.copytree(words[2], words[3])
        return 0
    assert words[0] == "ibforensic", line
    words = [
        name
        for word in words[1:]
        for name in (sorted(map(str, Path().glob(word))) if word.endswith("/*") else [word])
    ]
    with pytest.raises(SystemExit) as leaving:
        main([str(samples_dir() / "uplink-errors/current") if "/var/tmp" in word else word for word in words])
    return int(leaving.value.code or 0)


@pytest.mark.parametrize(
    ("name", "before", "ends"),
    [
        ("acceptance.md", None, {0}),
        ("incident.md", incident_collected, {0, 1}),
        ("drill.md", None, {0, 1}),
        ("collecting.md", None, {0}),
        ("reading-a-report.md", None, {1}),
        ("writing-a-parser.md", None, {0}),
        ("writing-a-rule.md", None, {0, 1}),
    ],
)
def test_a_guide_can_be_followed_and_prints_what_it_shows(name, before, ends, place, capsys):
    if before:
        before()
    said = ""
    for language, text in blocks(DOCS / name):
        if language == "sh":
            capsys.readouterr()
            codes, said = [], ""
            for line in text.splitlines():
                if line == "echo $?":
                    said += f"{codes[-1]}\n"
                elif not NEEDS_A_FABRIC.search(line):
                    codes.append(run(line))
                    said += capsys.readouterr().out
            assert set(codes) <= ends, (text, codes)
        elif language == "text":
            rest = iter(said.splitlines())
            for line in text.splitlines():
                assert line in rest, f"{line!r} is not printed, or not in this place:\n{said}"


def test_the_parser_of_the_guide_reads_its_sample_and_tells_what_is_cut():
    (text,) = [text for language, text in blocks(DOCS / "writing-a-parser.md") if language == "python"]
    module = ModuleType("switchtemp")
    exec(compile(text, "switchtemp.py", "exec"), module.__dict__)
    sample = b"0x0200000000000100 asic 61.5\n0x0200000000000100 port1 N/A\n0x02000000000001"
    assert module.SPEC.claims("any name", sample)
    assert not module.SPEC.claims("x", b"sminfo: sm lid 1")
    parsed = module.parse("a.txt", sample)
    table = parsed.tables["sensors"]
    assert table.schema.names == TABLES["sensors"].schema.names
    assert table["value"].to_pylist() == [61.5, None]
    assert table["line"].to_pylist() == [1, 2]
    assert [(note.code, note.line) for note in parsed.notes] == [("switchtemp.bad_line", 3)]
    assert not parsed.whole


def test_the_guide_to_the_report_tells_of_every_section_by_its_title():
    text = (DOCS / "reading-a-report.md").read_text(encoding="utf-8")
    titles = {section.title for section in sections()} - {"Verdict"}
    assert {title for title in titles if f"| {title} |" not in text} == {"Suspects"}
    assert "## Suspects" in text


def test_what_to_collect_names_tables_that_exist():
    text = (DOCS / "collecting.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[2] for line in text.splitlines() if re.match(r"\| \d+ \|", line)]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert len(named) > 10
    assert named <= set(TABLES)
