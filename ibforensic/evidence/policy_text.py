"""What can stand in a policy file, as text for people: every field, and an example with comments."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ibforensic.evidence.limits import RATIOS, ROWS, SETS
from ibforensic.evidence.policy import POLICY, Policy
from ibforensic.evidence.policy_file import WEIGHT_TABLES, WEIGHTS

EXAMPLE = """\
# A policy for ibforensic diff or check --policy FILE. Everything in it may be left out.

# Limits and weights: any field of the list, by its name.
[weights]
threshold = 4.0                 # blame nobody on less; the default is 3.0

[weights.physical_weight]
port_rcv_errors = 0.5           # of the fields that hold several numbers: one of them

# Error limits of bit error ratios. Warning and normal follow: half and a tenth of them.
[bit_errors]
set = "bring-up"                # NVIDIA's bring-up procedure instead of its field table

[bit_errors."NDR RS(544,514), active"]
raw = 2e-5                      # or effective, symbol

# What nodes are there for: it stands beside their ports in reports. The first that fits counts.
[[purpose]]
name = "storage"
nodes = "^(nfs|oss)-[0-9]+ "    # a regular expression found in the name of the node
leave_out = true                # accuse nobody of what happens at their links

[[purpose]]
name = "compute"
leaves = "^leaf-0[1-4]"         # all HCAs at leaves of such a name

# Faults that somebody knows of: what was found there is listed, but accuses nobody, up to and with
# the last day. Then it accuses again. An entry covers the link: both of its ends, and both directions.
[[ignore]]
node = "leaf-03"                # name or GUID of a node, or of a host or switch with all that is in it
port = 12                       # or the label as text: "1/6/2"; without it all links of the node
rule = "link_down"              # without it the findings of all rules
reason = "cable ordered"
owner = "night shift"
until = 2026-03-31              # last day, UTC
up_to = 500                     # accuse again when a counter grew by more between the snapshots
up_to_per_hour = 20             # or by more an hour; without both any growth is ignored
"""
"""A policy file in which every kind of entry stands once."""

ABOUT = """\
A policy file changes limits and weights, says what nodes are there for, and which faults are known.
It is TOML. What it does not mention stays as it is without one; a name that there is not is refused.
Its hash stands in every document as `policy`: two results of one policy can be compared.

Whether an entry has expired is decided by the day on which the current sample was taken, so that the
same files give the same result on any day; `--today` names another one. Where nobody tells the day,
entries do not count. All entries stand in the document under `ignored`, with what was found there.
Victims of an ignored fault are not blamed on others."""
"""What a policy file is, in a few sentences."""

_ATTRIBUTE = re.compile(r"^    (\w+): (.*)$")


@dataclass(frozen=True, slots=True)
class Field:
    """A limit or weight.

    Attributes:
        name: Its name, as in a policy file.
        meaning: What it means.
        default: What it is without a policy.
    """

    name: str
    meaning: str
    default: str


def weight_fields() -> list[Field]:
    """Return all limits and weights in their order."""
    meanings = dict(_meanings())
    return [Field(name, meaning, _default(name)) for name, meaning in meanings.items() if _is_weight(name)]


def _is_weight(name: str) -> bool:
    return name in WEIGHTS or name in WEIGHT_TABLES


def _default(name: str) -> str:
    value = getattr(POLICY, name)
    if isinstance(value, dict):
        return ", ".join(f"{part} = {number:g}" for part, number in value.items())
    return f"{value:g}"


def _meanings() -> Iterator[tuple[str, str]]:
    """Read the meanings of fields from the docstring of the policy."""
    name, words = "", [""]
    for line in inspect.cleandoc(Policy.__doc__ or "").splitlines():
        begin = _ATTRIBUTE.match(line)
        if begin:
            if name:
                yield name, " ".join(words)
            name, words = begin[1], [begin[2]]
        elif name:
            words.append(line.strip())
    yield name, " ".join(words)


def rows_text() -> Iterator[tuple[str, str, str]]:
    """Yield the rows of bit error limits: name, error limits of the field table, those of other sets."""
    for name, row in ROWS.items():
        usual = ", ".join(f"{ratio} {getattr(row, ratio).error:g}" for ratio in RATIOS)
        others = [
            f"{chosen}: " + ", ".join(f"{ratio} {error:g}" for ratio, error in rows[name].items())
            for chosen, rows in SETS.items()
            if name in rows
        ]
        yield name, usual, "; ".join(others)


def explain_policy() -> str:
    """Return all of it as plain text."""
    lines = ["policy file (TOML), for --policy", "", *(f"  {line}".rstrip() for line in ABOUT.splitlines())]
    lines += ["", "limits and weights, below [weights]:"]
    for item in weight_fields():
        lines += [f"  {item.name} = {item.default}" if "=" not in item.default else f"  [{item.name}]"]
        lines += [f"      {item.meaning}"]
        lines += [f"      {item.default}"] if "=" in item.default else []
    lines += ["", f"rows of bit error limits, below [bit_errors]; sets: {', '.join(SETS)}:"]
    for name, usual, others in rows_text():
        lines += [f"  {name}", f"      {usual}" + (f" ({others})" if others else "")]
    lines += ["", "example:", "", *(f"  {line}".rstrip() for line in EXAMPLE.splitlines())]
    return "\n".join(lines)


def explain_field(name: str) -> str:
    """Return what a limit or weight means; empty for a name that none has."""
    found = next((item for item in weight_fields() if item.name == name), None)
    if found is None:
        return ""
    return f"policy {found.name} (default: {found.default})\n\n  {found.meaning}"
