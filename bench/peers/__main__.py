"""The command ``python -m bench.peers``."""

from __future__ import annotations

from pathlib import Path

import click

from bench.evaluate.cases import FAULTS, HEALTHY
from bench.peers import page
from bench.peers.run import cases, run
from bench.peers.stories import STORIES, tell

PAGE = Path(__file__).resolve().parents[2] / "docs" / "peers.md"


@click.command(name="peers")
@click.option("--seeds", default=4, show_default=True, help="Incidents of each kind of fault.")
@click.option("--healthy", default=12, show_default=True, help="Pairs in which nothing is wrong.")
@click.option("--processes", default=2, show_default=True, help="Incidents that are tried at once.")
@click.option("--output", type=click.Path(path_type=Path), default=PAGE, help="The page that is written.")
def main(seeds: int, healthy: int, processes: int, output: Path) -> None:
    """Compare with what other tools tell of the same incidents."""
    results = run([*cases(seeds, list(map(str, FAULTS))), *cases(healthy, [HEALTHY])], processes)
    for sheet in page.sheets(results):
        click.echo(sheet.text())
    output.write_text(page.page(results, list(map(tell, STORIES))), encoding="utf-8", newline="\n")
    click.echo(f"wrote {output}")


if __name__ == "__main__":
    main()
