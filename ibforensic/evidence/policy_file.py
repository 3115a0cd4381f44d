"""From the text of a policy file to a policy. What it does not understand it refuses, with file and line."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import fields, replace
from datetime import date, datetime
from typing import Any

from ibforensic.evidence.limits import RATIOS, ROWS, SETS
from ibforensic.evidence.policy import POLICY, Policy
from ibforensic.evidence.policy_toml import Place, Source, shown
from ibforensic.model.ignoring import Ignore, Purpose

TABLES = ("weights", "bit_errors", "purpose", "ignore")
PURPOSE_KEYS = ("name", "nodes", "leaves", "leave_out")
IGNORE_KEYS = ("node", "port", "rule", "reason", "owner", "until", "up_to", "up_to_per_hour")
WEIGHTS = tuple(item.name for item in fields(Policy) if isinstance(getattr(POLICY, item.name), int | float))
"""Fields that are one number."""
WEIGHT_TABLES = ("physical_weight", "ber_fold")
"""Fields that are numbers by name."""
SHARES = frozenset(
    (
        "fleet_quantile",
        "wait_least",
        "slow_drop_share",
        "slow_share",
        "line_full",
        "common_share",
        "coverage_least",
        "clear_share",
        "healthy_ber",
        "sureness",
        "training_share",
    )
)
"""Fields that cannot be more than 1."""
NEVER_ZERO = frozenset(("threshold", "healthy_ber", "slow_drop_share"))
"""Fields that something is divided by."""
MOST = 1e9


def parse_policy(text: str, name: str, rules: Collection[str]) -> Policy:
    """Read a policy.

    Args:
        text: TOML; see ``ibforensic explain policy``.
        name: What to call it in messages.
        rules: Names of the rules there are.

    Returns:
        The policy: what the file does not mention is as it is without one.

    Raises:
        BadPolicy: The text is not TOML, or says something that is not understood.
    """
    source = Source(name, text)
    values = source.values()
    for key in values:
        _known_table(source, key)
    changes = _weights(source, values.get("weights", {}))
    changes["bit_error_limits"] = _bit_errors(source, values.get("bit_errors", {}))
    changes["purposes"] = tuple(
        _purpose(source, entry, place) for place, entry in source.entries(values, "purpose")
    )
    changes["ignored"] = tuple(
        _ignore(source, entry, place, rules) for place, entry in source.entries(values, "ignore")
    )
    return replace(POLICY, **changes)


def _known_table(source: Source, key: str) -> None:
    """Refuse an unknown table; a weight that stands outside its table is told where it belongs."""
    if key in (*WEIGHTS, *WEIGHT_TABLES):
        source.fail(f"{key} stands outside of a table", (key,), "put it below a line that says [weights]")
    source.known(key, TABLES, "table", (key,))


def _weights(source: Source, value: Any) -> dict[str, Any]:
    """Read limits and weights."""
    found: dict[str, Any] = {}
    for name, told in source.table(value, ("weights",)).items():
        place = ("weights", name)
        source.known(name, (*WEIGHTS, *WEIGHT_TABLES), "limit or weight", place)
        usual = getattr(POLICY, name)
        if not isinstance(usual, dict):
            found[name] = _number(source, told, usual, place)
            continue
        parts = source.table(told, place)
        for part in parts:
            source.known(part, usual, f"{name} of", (*place, part))
        found[name] = usual | {
            part: _number(source, parts[part], usual[part], (*place, part)) for part in parts
        }
    return found


def _number(source: Source, value: Any, usual: float, place: Place) -> float:
    """Read a number of the kind that a field has."""
    name = place[-1]
    if isinstance(value, bool) or not isinstance(value, int | float):
        source.fail(f"{name} must be a number, not {shown(value)}", place, f"without a policy it is {usual}")
    most = 1 if name in SHARES else MOST
    # Compared before it is turned into a float: whole numbers have no end.
    if not 0 <= value <= most or (value == 0 and name in NEVER_ZERO):
        least = "more than 0" if name in NEVER_ZERO else "at least 0"
        source.fail(
            f"{name} must be {least} and at most {most:g}, not {shown(value)}",
            place,
            f"without a policy it is {usual}",
        )
    if isinstance(usual, int):
        if value != math.floor(value):
            source.fail(f"{name} must be a whole number, not {value}", place)
        return int(value)
    return float(value)


def _bit_errors(source: Source, value: Any) -> dict[str, dict[str, float]]:
    """Read limits of bit error ratios: a set, and what differs from it."""
    table = source.table(value, ("bit_errors",))
    chosen = table.get("set", "field")
    if not isinstance(chosen, str):
        source.fail('set must be text, in "quotes"', ("bit_errors", "set"))
    source.known(chosen, SETS, "set of limits", ("bit_errors", "set"))
    found = {row: dict(errors) for row, errors in SETS[chosen].items()}
    for row, told in table.items():
        if row == "set":
            continue
        place = ("bit_errors", row)
        source.known(row, ROWS, "row of limits", place)
        for ratio, error in source.table(told, place).items():
            source.known(ratio, RATIOS, "ratio", (*place, ratio))
            found.setdefault(row, {})[ratio] = _ratio(source, error, (*place, ratio))
    return {row: dict(sorted(errors.items())) for row, errors in sorted(found.items())}


def _ratio(source: Source, value: Any, place: Place) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 < value < 1:
        source.fail(f"{place[-1]} must be a ratio between 0 and 1 such as 1e-14, not {shown(value)}", place)
    return float(value)


def _purpose(source: Source, entry: dict[str, Any], place: Place) -> Purpose:
    """Read what some nodes are there for."""
    _keys(source, entry, PURPOSE_KEYS, ("name",), place)
    patterns = {key: source.text_at(entry, key, place) for key in ("nodes", "leaves")}
    if not any(patterns.values()):
        source.fail("a purpose needs nodes or leaves, a regular expression found in their names", place)
    for key, pattern in patterns.items():
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            source.fail(f"{key} is no regular expression: {error}", (*place, key))
    left_out = entry.get("leave_out", False)
    if not isinstance(left_out, bool):
        source.fail("leave_out must be true or false", (*place, "leave_out"))
    return Purpose(source.text_at(entry, "name", place), patterns["nodes"], patterns["leaves"], left_out)


def _ignore(source: Source, entry: dict[str, Any], place: Place, rules: Collection[str]) -> Ignore:
    """Read a fault that is known."""
    _keys(source, entry, IGNORE_KEYS, ("node", "reason", "owner", "until"), place)
    rule = source.text_at(entry, "rule", place)
    if "rule" in entry:
        source.known(rule, rules, "rule", (*place, "rule"))
    return Ignore(
        source.text_at(entry, "node", place),
        source.text_at(entry, "reason", place),
        source.text_at(entry, "owner", place),
        _date(source, entry["until"], (*place, "until")),
        _port(source, entry.get("port"), (*place, "port")),
        rule,
        *(_most(source, entry.get(key), (*place, key)) for key in ("up_to", "up_to_per_hour")),
    )


def _most(source: Source, value: Any, place: Place) -> float | None:
    """Read how much is excused: a number, or nothing for any growth."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST:
        source.fail(
            f"{place[-1]} must be a number from 0 to {MOST:g}, not {shown(value)}",
            place,
            "it is the growth of a counter; leave it out to ignore any",
        )
    return float(value)


def _keys(
    source: Source, entry: dict[str, Any], known: Collection[str], needed: Collection[str], place: Place
) -> None:
    """Refuse keys that there are not, and entries without those they need."""
    for key in entry:
        source.known(key, known, "key", (*place, key))
    for key in needed:
        if entry.get(key, "") == "" or (key != "until" and not source.text_at(entry, key, place)):
            source.fail(f"[[{place[0]}]] needs {key}", place, f"it needs all of: {', '.join(needed)}")


def _port(source: Source, value: Any, place: Place) -> int | str | None:
    """Read a port: its number, or as text what is printed beside it."""
    number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 256
    if not (value is None or number or (isinstance(value, str) and value.strip())):
        source.fail(
            f"port must be a number from 0 to 255, or the label as text, not {shown(value)}",
            place,
            'such as port = 12, or port = "1/6/2"; leave it out for the whole node',
        )
    return value.strip() if isinstance(value, str) else value


def _date(source: Source, value: Any, place: Place) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        source.fail(f"until must be a day, not {shown(value)}", place, "such as until = 2026-03-31")
