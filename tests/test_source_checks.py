"""The checks of source text notice what they look for, and nothing else."""

from __future__ import annotations

import pytest
from source_checks import (
    defines,
    defines_command,
    fence_faults,
    impurities,
    lacks_future_annotations,
    layer_faults,
    undocumented,
    unit_faults,
)

BROKEN = {
    layer_faults: [
        ("model/a.py", "from ibforensic.diff import pair"),
        ("report/a.py", "from ibforensic.diff.pair import Pair"),
        ("parsers/a.py", "def f():\n    import ibforensic.cli.main"),
        ("simulate/a.py", "from ..parsers import base"),
        ("collect/a.py", "from ibforensic.snapshot import store"),
        ("pipeline.py", "from ibforensic.cli import main"),
    ],
    fence_faults: [
        ("parsers/a.py", "import pandas"),
        ("diff/pair.py", "def f():\n    from deepdiff import DeepDiff"),
        ("report/html.py", "import rich.console"),
        ("pipeline.py", "import click"),
        ("snapshot/a.py", "import zstandard"),
    ],
    impurities: [
        ("diff/a.py", "print(1)"),
        ("diff/a.py", "import sys\nsys.exit(1)"),
        ("diff/a.py", "raise SystemExit"),
        ("diff/a.py", "import os\nos.environ['A']"),
        ("diff/a.py", "from os import environ as e\ne['A']"),
        ("diff/a.py", "import time\ntime.time()"),
        ("diff/a.py", "from time import monotonic"),
        ("diff/a.py", "import datetime as dt\ndt.datetime.now()"),
        ("diff/a.py", "from datetime import UTC, datetime\ndatetime.now(UTC)"),
        ("simulate/a.py", "import random\nrandom.random()"),
        ("simulate/a.py", "from random import choice"),
        ("simulate/a.py", "from random import Random\nRandom()"),
        ("diff/a.py", "import numpy as np\nnp.random.default_rng()"),
    ],
    undocumented: [
        ("a.py", "x = 1"),
        ("a.py", '"""A."""\ndef f(): ...'),
        ("a.py", '"""A."""\nclass C:\n    """C."""\n    def f(self): ...'),
    ],
}


@pytest.mark.parametrize(
    ("check", "file", "source"), [(check, *case) for check, cases in BROKEN.items() for case in cases]
)
def test_the_checks_notice_what_they_look_for(check, file, source):
    assert len(check(file, source)) >= 1


FINE = {
    layer_faults: [
        ("diff/a.py", "from ibforensic.snapshot import store"),
        ("cli/a.py", "import ibforensic.pipeline"),
        ("report/html.py", "from ibforensic import __version__"),
    ],
    fence_faults: [
        ("diff/settings.py", "from deepdiff import DeepDiff"),
        ("parsers/a.py", "import pyarrow.csv, re"),
    ],
    impurities: [
        ("cli/a.py", "print(1)"),
        ("simulate/a.py", "from random import Random\nx = Random(7)\nx.random()"),
        ("diff/a.py", "from datetime import datetime\ndatetime.fromisoformat('2030-01-01')"),
        ("diff/a.py", "def f(time):\n    return time.time"),
        ("snapshot/a.py", "import os\nos.replace('a', 'b')"),
    ],
    undocumented: [("a.py", '"""A."""\ndef _f(): ...\nclass C:\n    """C."""\n    def __len__(self): ...')],
}


@pytest.mark.parametrize(
    ("check", "file", "source"), [(check, *case) for check, cases in FINE.items() for case in cases]
)
def test_the_checks_let_pass_what_is_fine(check, file, source):
    assert check(file, source) == []


def test_units_that_import_each_other_are_noticed():
    sources = {
        "parsers/base.py": "x = 1",
        "parsers/one/__init__.py": "SPEC = 1\nfrom ibforensic.parsers import base\nfrom . import rows",
        "parsers/one/rows.py": "from ibforensic.parsers.two import parse",
        "parsers/two.py": "SPEC: int = 2\nfrom ibforensic.parsers import one",
    }
    faults = unit_faults("parsers", sources, lambda text: defines(text, "SPEC"))
    assert [fault.split(":")[0] for fault in faults] == ["parsers/one/rows.py", "parsers/two.py"]


@pytest.mark.parametrize(
    ("source", "lacks"),
    [
        ("x: int = 1", True),
        ("def f() -> int: ...", True),
        ('"""Only a docstring."""', False),
        ("x = 1", False),
    ],
)
def test_missing_future_import_is_noticed(source, lacks):
    assert lacks_future_annotations(source) is lacks
    assert not lacks_future_annotations(f"from __future__ import annotations\n{source}")


def test_commands_are_recognised_and_the_exempt_ones_may_be_imported():
    sources = {
        "cli/base.py": "import click\n@click.group()\ndef root(): ...",
        "cli/main.py": "import click\n@click.group()\ndef main(): ...\nfrom ibforensic.cli import show",
        "cli/show.py": "import click\n@click.command()\ndef show(): ...\nfrom ibforensic.cli import base",
        "cli/demo.py": "import click\n@click.command\ndef demo(): ...\nfrom ibforensic.cli.show import show",
        "cli/words.py": "from ibforensic.cli.show import show",
    }
    assert [defines_command(text) for text in sources.values()] == [True, True, True, True, False]
    faults = unit_faults("cli", sources, defines_command, frozenset({"main", "base"}))
    assert faults == ["cli/demo.py:4: cli.demo must not import cli.show.show"]
