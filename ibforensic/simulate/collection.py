"""A collection that was written: its files, taken apart so that something can be left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ibforensic.simulate.port_titles import RULE
from ibforensic.simulate.write_db_csv import Section, assemble, disassemble

MAIN = "ibdiagnet2.db_csv"


@dataclass(slots=True)
class Collection:
    """The files of one run of ibdiagnet.

    Attributes:
        side: baseline or current.
        folder: Where they are.
        sections: Sections of the db_csv.
        files: The other files, by name.
    """

    side: str
    folder: Path
    sections: list[Section] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def rows(self, name: str) -> Iterator[dict[str, str]]:
        """Yield the rows of a section whose cells hold no commas, as column → cell."""
        for section in self.sections:
            if section.name == name:
                columns = section.header.split(",")
                for row in section.rows:
                    yield dict(zip(columns, row.split(","), strict=True))

    def keep_sections(self, wanted: Callable[[str], bool]) -> None:
        """Keep the sections whose name is wanted."""
        self.sections = [section for section in self.sections if wanted(section.name)]

    def keep_rows(self, wanted: Callable[[str, str], bool]) -> None:
        """Keep the rows that are wanted; asked with the name of the section, and the row."""
        self.sections = [
            Section(name, header, [row for row in rows if wanted(name, row)])
            for name, header, rows in self.sections
        ]

    def keep_columns(self, name: str, wanted: Callable[[str], bool]) -> None:
        """Keep the columns of a section that are wanted; none of its cells may hold a comma."""
        for place, section in enumerate(self.sections):
            if section.name == name:
                columns = section.header.split(",")
                kept = [at for at, column in enumerate(columns) if wanted(column.strip())]
                self.sections[place] = Section(
                    name, _cells(section.header, kept), [_cells(row, kept) for row in section.rows]
                )

    def change_cells(self, name: str, change: Callable[[str, str], str]) -> None:
        """Print the cells of a section another way; asked with column and cell."""
        for place, section in enumerate(self.sections):
            if section.name == name:
                columns = [column.strip() for column in section.header.split(",")]
                rows = [
                    ",".join(change(*pair) for pair in zip(columns, row.split(","), strict=True))
                    for row in section.rows
                ]
                self.sections[place] = Section(name, section.header, rows)

    def change_rows(self, name: str, change: Callable[[str], str]) -> None:
        """Change the rows of a section."""
        self.sections = [
            Section(name, section.header, [change(row) for row in section.rows])
            if section.name == name
            else section
            for section in self.sections
        ]

    def change_lines(self, change: Callable[[str], str | None]) -> None:
        """Change the lines of all other files; None leaves a line out."""
        for name, text in self.files.items():
            lines = (change(line) for line in text.split("\n"))
            self.files[name] = "\n".join(line for line in lines if line is not None)

    def drop_blocks(self, unwanted: Callable[[str], bool]) -> None:
        """Leave out blocks of .pm and .cables; asked with the title of the block."""
        for name, text in self.files.items():
            head, *blocks = text.split(f"{RULE}\nPort=")
            kept = [block for block in blocks if not unwanted(f"Port={block.partition(chr(10))[0]}")]
            if len(kept) < len(blocks):
                self.files[name] = f"{RULE}\nPort=".join((head, *kept))

    def drop_files(self, *endings: str) -> None:
        """Leave out the files with these endings."""
        gone = {f"ibdiagnet2.{ending}" for ending in endings}
        self.files = {name: text for name, text in self.files.items() if name not in gone}

    def write(self) -> None:
        """Write what is there, and remove what is not.

        Raises:
            OSError: A file cannot be written or removed.
        """
        for path in self.folder.glob("ibdiagnet2.*"):
            if path.name not in self.files:
                path.unlink()
        texts = {**({MAIN: assemble(self.sections)} if self.sections else {}), **self.files}
        for name, text in texts.items():
            (self.folder / name).write_bytes(text.encode())


def collections(directory: Path) -> list[Collection]:
    """Read the collections that were written into a directory.

    Args:
        directory: With ``baseline`` and ``current`` in it, each of one collection or of folders of them.

    Returns:
        One for each, those of the baseline first, the earlier ones first.

    Raises:
        OSError: A file cannot be read.
    """
    found = []
    for side in ("baseline", "current"):
        for main in sorted((directory / side).rglob(MAIN)):
            files = {
                path.name: path.read_bytes().decode()
                for path in sorted(main.parent.glob("ibdiagnet2.*"))
                if path.name != MAIN
            }
            found.append(Collection(side, main.parent, disassemble(main.read_bytes().decode()), files))
    return found


def _cells(row: str, places: list[int]) -> str:
    """Return some cells of a row."""
    cells = row.split(",")
    return ",".join(cells[place] for place in places)
