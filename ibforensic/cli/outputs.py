"""What a result is written to: the options, what is refused before the work begins, and the writing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from ibforensic.cli.base import colour_wanted, shown, terminal_width
from ibforensic.cli.protect import check_outputs
from ibforensic.language import LANGUAGES

if TYPE_CHECKING:
    import pyarrow as pa

    from ibforensic.model.document import Json

_FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=True)
_FOLDER = click.Path(path_type=Path, file_okay=False)
_SUSPECTS, _CHANGES, _PORTS = "suspects.csv", "changes.csv", "ports.csv"


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files that were asked for; ``-`` is standard output.

    Attributes:
        html: Report.
        markdown: Text of a ticket.
        json: Document.
        xlsx: Workbook.
        csv: Folder of tables.
        ports: Table of ports.
        language: Language of the report, the ticket and what is printed.
    """

    html: Path | None = None
    markdown: Path | None = None
    json: Path | None = None
    xlsx: Path | None = None
    csv: Path | None = None
    ports: Path | None = None
    language: str = "en"

    def refuse(self, inputs: Sequence[Path]) -> None:
        """Stop before the work where a name is of no use, or a file would overwrite what is read.

        Raises:
            BadUsage: A suffix is not known, two outputs are one, or one is an input or lies in a snapshot.
        """
        from ibforensic.model.errors import BadUsage

        files = list(self._files())
        if sum(str(file) == "-" for file in files) > 1:
            raise BadUsage("two outputs would be standard output", "write one of them into a file")
        check_outputs(files, inputs)
        if self.ports is not None:
            from ibforensic.report.tables import check_ports_name

            check_ports_name(self.ports)
        if self.xlsx is not None and self.xlsx.suffix.lower() != ".xlsx":
            raise BadUsage(f"{shown(self.xlsx)}: this would be no workbook", "end the name in .xlsx")

    def _files(self) -> Iterator[Path]:
        """Yield every file that is going to be written."""
        for file in (self.html, self.markdown, self.json, self.xlsx, self.ports):
            if file is not None:
                yield file
        if self.csv is not None:
            yield from (self.csv / name for name in (_SUSPECTS, _CHANGES, _PORTS))

    @property
    def printed(self) -> bool:
        """Whether standard output is taken."""
        return any(str(file) == "-" for file in self._files())

    def write(self, document: Json, ports: pa.Table | None = None) -> None:
        """Write them.

        Args:
            document: The result.
            ports: Every port, where they are at hand.
        """
        from datetime import UTC, datetime

        from ibforensic.report.forms import render

        if self.html is not None:
            now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
            _write(self.html, render(document, "html", generated_at=now, language=self.language))
        if self.markdown is not None:
            _write(self.markdown, render(document, "markdown", language=self.language))
        if self.json is not None:
            _write(self.json, render(document, "json"))
        if self.xlsx is not None:
            from ibforensic.report.tables import ports_sheet
            from ibforensic.report.workbook import render_workbook

            sheet = ports_sheet(ports) if ports is not None else None
            _write_bytes(self.xlsx, render_workbook(document, sheet))
        if self.csv is not None:
            _write_tables(self.csv, document, ports)
        if self.ports is not None and ports is not None:
            _write_ports(self.ports, ports)


def output_options(*, ports: bool) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add the options that name outputs; the command gets them as one ``outputs``.

    Args:
        ports: Whether the command knows every port: a document does not.
    """
    tables = "suspects, changes and ports" if ports else "suspects and changes"
    options = [
        click.option("--html", type=_FILE, help="Write the report to be attached to the ticket."),
        click.option(
            "--markdown", type=_FILE, help="Write the text of a ticket as Markdown; - is standard output."
        ),
        click.option("--json", "json_", type=_FILE, help="Write the document as JSON; - is standard output."),
        click.option("--xlsx", type=_FILE, help="Write an Excel workbook: FILE.xlsx, a sheet a section."),
        click.option("--csv", type=_FOLDER, help=f"Write tables of {tables} into a folder, as CSV."),
    ]
    if ports:
        help_ = "Write every port's rank and rates: FILE.csv or FILE.parquet."
        options.append(click.option("--ports", type=_FILE, help=help_))
    options.append(
        click.option(
            "--lang",
            "language",
            type=click.Choice(sorted(LANGUAGES)),
            default="en",
            show_default=True,
            help="Language of the report, the ticket and the summary; JSON and tables stay as they are.",
        )
    )

    def add(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def asked(json_: Path | None, **values: Any) -> int:
            named = {field.name: values.pop(field.name, None) for field in fields(Outputs)}
            return command(outputs=Outputs(**{**named, "json": json_}), **values)

        for option in reversed(options):
            asked = option(asked)
        return asked

    return add


def show(document: Json, html: Path | None, every: bool, language: str = "en") -> None:
    """Print the result."""
    from ibforensic.report.terminal import render_terminal

    click.echo(
        render_terminal(
            document,
            width=terminal_width(),
            colour=colour_wanted(),
            report_path=shown(html) if html else None,
            every=every,
            language=language,
        ),
        nl=False,
    )


def make_folder(folder: Path, option: str) -> None:
    """Make a folder, and those it lies in.

    Raises:
        BadUsage: It cannot be made.
    """
    from ibforensic.model.errors import BadUsage

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadUsage(
            f"cannot make the folder {shown(folder)}: {error.strerror}", f"give another folder with {option}"
        ) from error


def _write_tables(folder: Path, document: Json, ports: pa.Table | None) -> None:
    from ibforensic.report import sheets
    from ibforensic.report.csv import render_csv

    make_folder(folder, "--csv")
    _write(folder / _SUSPECTS, render_csv(sheets.suspects(document)))
    _write(folder / _CHANGES, render_csv(sheets.changes(document)))
    if ports is not None:
        _write_ports(folder / _PORTS, ports)


def _write_ports(path: Path, ports: pa.Table) -> None:
    from ibforensic.report.tables import write_ports

    # By a plain name first: Arrow takes no paths that are not UTF-8.
    with TemporaryDirectory(prefix="ibforensic.") as folder:
        plain = Path(folder) / shown(Path(path.name))
        write_ports(ports, plain)
        _write_bytes(path, plain.read_bytes())


def answer_ladder(document: dict[str, Any], json_: Path | None, every: bool) -> int:
    """Write and print a document with a ladder, and return the exit code."""
    from ibforensic import pipeline
    from ibforensic.report.ladder import render_ladder

    if json_ is not None:
        _write(json_, pipeline.render(document, "json"))
    if json_ is None or str(json_) != "-":
        click.echo(render_ladder(document, width=terminal_width(), every=every), nl=False)
    ladder = document["ladder"]
    if ladder["lowest"] is not None:
        return 1
    return 3 if ladder["verdict"] == "nothing" else 0


def _write(path: Path, text: str) -> None:
    if str(path) == "-":
        click.echo(text, nl=False)
    else:
        _write_bytes(path, text.encode("utf-8"))


def _write_bytes(path: Path, data: bytes) -> None:
    from ibforensic.model.errors import BadUsage
    from ibforensic.snapshot.durable import write_whole

    try:
        write_whole(path, data)
    except OSError as error:
        raise BadUsage(f"cannot write {shown(path)}: {error.strerror}", "give another path") from error
