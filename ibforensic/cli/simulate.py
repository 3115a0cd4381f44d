"""The command ``ibforensic simulate``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from ibforensic.cli import completing
from ibforensic.cli.base import Talk, clean, quiet_option, shown
from ibforensic.cli.protect import check_outputs


@click.command(name="simulate", epilog="Exit status: 0 written, 2 bad usage.")
@click.option(
    "--topology",
    default="fat-tree:leaf=4,spine=2,hosts=8",
    show_default=True,
    metavar="NAME:N=…",
    shell_complete=completing.topologies,
    help="fat-tree, fat-tree3, rail or planes, with their numbers; --list explains them.",
)
@click.option(
    "--speed",
    default=None,
    shell_complete=completing.speeds,
    help="edr, hdr, ndr or xdr; several: ndr,hdr. [default: ndr; planes: xdr]",
)
@click.option(
    "--routing",
    type=click.Choice(["static", "adaptive"]),
    default="static",
    show_default=True,
    help="Routes.",
)
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="FAULT",
    shell_complete=completing.faults,
    help="What goes wrong; may be given again.",
)
@click.option(
    "--severity",
    default="medium",
    show_default=True,
    shell_complete=completing.severities,
    help="low, medium, high or 0 to 1.",
)
@click.option(
    "--confounders",
    default="none",
    show_default=True,
    shell_complete=completing.confounders,
    help="none, standard, all, or names with commas.",
)
@click.option(
    "--missing",
    default="none",
    show_default=True,
    shell_complete=completing.gaps,
    help="What is not there: names with commas; see --list.",
)
@click.option(
    "--samples",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="Collections of each side, some minutes apart.",
)
@click.option(
    "--window",
    type=click.IntRange(0, 3600),
    default=0,
    show_default=True,
    metavar="SECONDS",
    help="One more current run, that shows what was counted in so many seconds.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, another incident.")
@click.option(
    "--days", type=click.FloatRange(0.01, 400), default=7.0, show_default=True, help="Time between."
)
@click.option("-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder to write to.")
@click.option(
    "--phy/--no-phy",
    default=True,
    show_default=True,
    help="Runs with, or without, --get_phy_info --get_cable_info.",
)
@click.option(
    "--also",
    default="none",
    show_default=True,
    shell_complete=completing.formats_to_write,
    help="Formats of other tools to write besides: all, or names with commas; --list explains them.",
)
@click.option("--truth/--no-truth", default=True, show_default=True, help="Write truth.json and tell it.")
@click.option("--force", is_flag=True, help="Replace what simulate wrote there before.")
@click.option("--list", "list_", is_flag=True, help="Explain what can be ordered, and write nothing.")
@quiet_option
def COMMAND(  # noqa: N802
    topology: str,
    speed: str | None,
    routing: str,
    faults: tuple[str, ...],
    severity: str,
    confounders: str,
    missing: str,
    samples: int,
    window: int,
    seed: int,
    days: float,
    out: Path | None,
    phy: bool,
    also: str,
    truth: bool,
    force: bool,
    list_: bool,
    quiet: bool,
) -> int:
    """Write a made-up fabric with a fault to practise on.

    The folder gets baseline/ and current/ as ibdiagnet writes them, a README.md, and truth.json with the
    answer; with --also, folders below those two hold what other tools show of the same fabric. The same
    options give the same bytes.

    \b
    Example: ibforensic simulate --topology fat-tree:leaf=8,spine=4,hosts=16 --fault bad-link \\
             --confounders standard --seed 7 --out practice
    """
    from ibforensic.model.errors import BadUsage
    from ibforensic.simulate import options
    from ibforensic.simulate.missing import parse_missing
    from ibforensic.simulate.order import Order, planted, write_order
    from ibforensic.simulate.topology_spec import parse_spec, parse_speeds
    from ibforensic.simulate.writers import parse_also

    if list_:
        click.echo(options.catalogue(), nl=False)
        return 0
    if out is None:
        raise BadUsage(
            "no folder is given to write to", "add --out DIR, or --list to see what can be ordered"
        )
    spec = parse_spec(topology)
    order = Order(
        spec=spec,
        speeds=parse_speeds(speed or ("xdr" if spec.planes else "ndr")),
        faults=tuple(options.parse_fault(fault) for fault in faults),
        confounders=options.parse_confounders(confounders),
        severity=options.parse_severity(severity),
        seed=seed,
        days=days,
        adaptive=routing == "adaptive",
        phy=phy,
        samples=samples,
        window=window,
        missing=parse_missing(missing),
        also=parse_also(also),
    )
    check_outputs([out], ())
    _make_room(out, force)
    Talk(quiet).progress(f"simulating {spec}")
    told = write_order(out, order, truth=truth)
    click.echo(f"{shown(out)}: baseline, current" + (", truth.json" if truth else ""))
    for line in planted(told) if truth else ():
        click.echo(clean(line))
    click.echo("next:")
    click.echo(f"  ibforensic snapshot {shown(out / 'baseline')} --output healthy.ibf")
    click.echo(f"  ibforensic diff healthy.ibf {shown(out / 'current')} --html report.html")
    return 0


def _make_room(out: Path, force: bool) -> None:
    """Refuse a folder with something in it; with ``force`` take away what an earlier run wrote."""
    from ibforensic.model.errors import BadUsage
    from ibforensic.simulate.order import WRITTEN

    there = sorted(entry.name for entry in out.iterdir()) if out.is_dir() else []
    strange = [name for name in there if name not in WRITTEN]
    own, foreign = _sorted_out([out / name for name in WRITTEN[:2]]) if not strange else ([], strange)
    if there and not force:
        raise BadUsage(
            f"{shown(out)} is not empty", "give another folder, or --force to replace what is there"
        )
    if foreign:
        raise BadUsage(
            f"{shown(out)} holds what simulate did not write: {shown(Path(foreign[0]))}",
            "give another folder",
        )
    for path in (*own, *(out / name for name in WRITTEN[2:])):
        path.unlink(missing_ok=True)
    inside = (path for name in WRITTEN[:2] for path in (out / name).rglob("*"))
    for folder in sorted((path for path in inside if path.is_dir()), reverse=True):
        folder.rmdir()


def _sorted_out(folders: Iterable[Path]) -> tuple[list[Path], list[str]]:
    """Return the files in the folders of collections that are ours, and the names of what is not."""
    from ibforensic.simulate.writers import written_by

    own: list[Path] = []
    foreign: list[str] = []
    found: list[Path] | None
    for path in (entry for folder in folders for entry in sorted(folder.glob("*"))):
        if path.is_dir() and path.name.isdecimal() and not path.is_symlink():
            found, strange = _sorted_out([path])
            foreign += strange
        elif path.is_dir():
            found = None if path.is_symlink() else written_by(path)
        else:
            found = [path] if path.name.startswith("ibdiagnet2.") else None
        if found is None:
            foreign.append(path.name)
        else:
            own += found
    return own, foreign
