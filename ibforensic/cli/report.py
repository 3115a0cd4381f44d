"""The command ``ibforensic report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibforensic.cli.base import Talk, quiet_option, shown
from ibforensic.cli.outputs import Outputs, output_options, show

if TYPE_CHECKING:
    from ibforensic.model.document import Json

_INPUT = click.Path(exists=True, path_type=Path, allow_dash=True)
_LARGEST = 512 << 20
"""Octets of a document; that of a fabric of 200,000 ports has a small part of them."""
_EXIT = "\b\nExit status: 0 rendered, 2 bad usage or unreadable input, 70 internal error, 130 interrupted."


@click.command(name="report", epilog=_EXIT)
@click.argument("file", type=_INPUT)
@output_options(ports=False)
@click.option("--all", "every", is_flag=True, help="Print everything, not the first 25 lines.")
@quiet_option
def COMMAND(file: Path, outputs: Outputs, every: bool, quiet: bool) -> int:  # noqa: N802
    """Render a saved document again, also in another form.

    FILE is what --json of diff or check wrote, by this version or an earlier one, or a report that --html
    wrote: it carries the document. - is standard input. Nothing is judged anew.

    CSV is comma-separated UTF-8 with quotes around text; an empty cell is not known. In front of text that a
    spreadsheet would run as a formula there is a '.

    \b
    Examples:
      ibforensic report incident.json --html report.html
      ibforensic report report.html --markdown -
    """
    outputs.refuse([] if str(file) == "-" else [file])
    document = _read(file)
    if document.get("left_out"):
        Talk(quiet).say(f"the report carried no more; left out: {'; '.join(document['left_out'])}")
    outputs.write(document)
    if not outputs.printed:
        show(document, outputs.html, every, outputs.language)
    return 0


def _read(file: Path) -> Json:
    """Read the document.

    Raises:
        UnreadableInput: It is none.
    """
    from ibforensic.model.errors import UnreadableInput
    from ibforensic.report.saved import read_document

    if file.is_dir():
        raise UnreadableInput(
            f"{shown(file)} is a folder, not a document",
            "snapshots and raw output are judged by: ibforensic diff, ibforensic check",
        )
    name = "standard input" if str(file) == "-" else shown(file)
    with click.open_file(str(file), "rb") as stream:
        data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise UnreadableInput(f"{name}: this is larger than any document", "give what --json or --html wrote")
    return read_document(data, name)
