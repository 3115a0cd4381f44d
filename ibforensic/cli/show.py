"""The command ``ibforensic show``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ibforensic.cli import completing
from ibforensic.cli.base import Talk, clean, count_text, note_line, quiet_option
from ibforensic.cli.finding import found
from ibforensic.model.words import counted

if TYPE_CHECKING:
    import pyarrow as pa

    from ibforensic.snapshot.records import Snapshot

ROWS = 20


@click.command(name="show")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.argument("table", required=False, shell_complete=completing.tables)
@click.option(
    "--where",
    metavar="TEXT",
    help="Only rows of nodes with TEXT in their name, and rows with TEXT in any cell (a GUID, a label).",
)
@click.option("--all", "every", is_flag=True, help="All rows and columns, not the first 20 rows.")
@click.option("--csv", is_flag=True, help="Print as CSV, all rows and columns.")
@quiet_option
def COMMAND(  # noqa: N802
    source: Path, table: str | None, where: str | None, every: bool, csv: bool, quiet: bool
) -> int:
    """Show what a snapshot or raw output holds.

    SOURCE is a snapshot (NAME.ibf) or raw output; TABLE is one of its tables or sections.

    \b
    Examples:
      ibforensic show healthy.ibf
      ibforensic show healthy.ibf ports --where leaf-03
      ibforensic show healthy.ibf counters_pma --csv > counters.csv
    """
    from ibforensic import pipeline

    talk = Talk(quiet)
    loaded = pipeline.load(source, progress=talk.progress)
    if table is None:
        _summary(loaded)
        return 0
    rows = _table(loaded, table)
    if where:
        rows = found(rows, where, loaded)
    if csv:
        import pyarrow.csv as pa_csv

        with click.open_file("-", "wb") as out:
            pa_csv.write_csv(rows, out)
        return 0
    _print(rows, every)
    return 0


def _summary(loaded: Snapshot) -> None:
    """Print what a snapshot holds."""
    samples = counted(len(loaded.samples), "sample")
    click.echo(f"{loaded.label}: fabric {clean(loaded.fabric.fingerprint) or '-'}, {samples}")
    for sample in loaded.samples:
        info = sample.info
        begun = (
            info.window.began_at.strftime("%Y-%m-%d %H:%M:%S UTC") if info.window.began_at else "time unknown"
        )
        click.echo(f"\nsample {info.index}, {begun}")
        click.echo("  " + ", ".join(count_text(name, count) for name, count in sample.counts.items()))
        for command in info.commands:
            click.echo(f"  command: {clean(command)}")
        click.echo("  tables: " + ", ".join(f"{name} {rows:,}" for name, rows in info.tables.items()))
        if info.raw:
            click.echo(
                "  kept as text: " + ", ".join(f"{clean(name)} {rows:,}" for name, rows in info.raw.items())
            )
        times = _times(sample.tables.get("sources"))
        for item in info.sources:
            flags = (", cut" if not item.whole else "") + (", from another run" if item.stale else "")
            known = item.parser or "no parser"
            when = times.get(item.path, "")
            click.echo(f"  {clean(item.path)}: {item.size:,} bytes, {known}, {item.outcome}{flags}{when}")
        for note in info.notes:
            click.echo(f"  {note_line(note)}")
    for finding in loaded.fitness:
        click.echo(f"  {finding.level}: {clean(finding.message)} [{finding.code}]")


def _times(sources: pa.Table | None) -> dict[str, str]:
    """When each file was collected where its content does not tell it, and what else does."""
    if sources is None or "x_time_from" not in sources.column_names:
        return {}
    rows = sources.select(["source", "x_time_from", "x_collected_at"]).to_pylist()
    words = {"name": "by its name", "file": "as it was last written"}
    found = {}
    for row in rows:
        if row["x_time_from"] in words and row["x_collected_at"]:
            when = row["x_collected_at"].replace("T", " ").replace("Z", " UTC")
            found[row["source"]] = f"; {when} {words[row['x_time_from']]}"
    return found


def _table(loaded: Snapshot, name: str) -> pa.Table:
    """A canonical table or a section kept as text, over all samples."""
    import pyarrow as pa

    from ibforensic.model.errors import BadUsage

    found = [
        store[name] for sample in loaded.samples for store in (sample.tables, sample.raw) if name in store
    ]
    if not found:
        homes = _homes(loaded, name)
        if homes:
            raise BadUsage(
                f"{clean(name)} is in the tables: {', '.join(homes)}",
                f"ibforensic show {loaded.label} {homes[0]}",
            )
        names = sorted({*loaded.latest.tables, *loaded.latest.raw})
        tables = ", ".join(clean(name) for name in names)
        raise BadUsage(f"there is no table {clean(name)} in {loaded.label}", f"tables: {tables}")
    return pa.concat_tables(found, promote_options="default")


def _homes(loaded: Snapshot, section: str) -> list[str]:
    """Tables that hold rows of a section of a db_csv, or of the files of a parser."""
    import pyarrow.compute as pc

    wanted = section.lower()
    homes = []
    for sample in loaded.samples:
        for name, table in sample.tables.items():
            origins = pc.unique(table["origin"]).to_pylist()
            if any(wanted in (origin.lower(), *origin.lower().split(":")) for origin in origins if origin):
                homes.append(name)
    return list(dict.fromkeys(homes))


def _print(rows: pa.Table, every: bool) -> None:
    """Print rows as text columns; ``-`` is a cell without a value."""
    if not rows.num_rows:
        click.echo("0 rows")
        return
    shown = rows if every else rows.slice(0, ROWS)
    names = [name for name in rows.column_names if every or shown[name].null_count < shown.num_rows]
    names = [name for name in names if every or not name.endswith("_q")]
    cells = [[_text(value) for value in shown[name].to_pylist()] for name in names]
    widths = [
        max([len(name), *(len(cell) for cell in column)]) for name, column in zip(names, cells, strict=True)
    ]
    for row in ([*names], *(list(row) for row in zip(*cells, strict=True))):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    if shown.num_rows < rows.num_rows:
        more = counted(rows.num_rows - shown.num_rows, "more row")
        click.echo(f"… {more}; --all or --csv shows them", err=True)


def _text(value: object) -> str:
    return "-" if value is None else clean(str(value))
