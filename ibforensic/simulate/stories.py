"""The stories of the scenarios: what happened, and what a good report says about it."""

from __future__ import annotations

from ibforensic.model.enums import VictimBy
from ibforensic.simulate.truth import Json


def uplink_errors_story(truth: Json) -> str:
    """Tell the story of ``uplink-errors`` in Markdown.

    Args:
        truth: The answer sheet.

    Returns:
        The text, without a line about its origin.
    """
    sender, receiver = truth["suspect"]["direction"]["from"], truth["suspect"]["direction"]["to"]
    marked = sum(victim["by"] == VictimBy.EBP for victim in truth["victims"])
    waiting = sum(victim["by"] == VictimBy.WAIT for victim in truth["victims"])
    rebooted, renamed, cleared = (truth[name][0] for name in ("rebooted", "renamed", "cleared"))
    return f"""# uplink-errors

A made-up NDR fabric, collected twice, seven days apart: 6 leaves, 3 spines, 24 hosts with 2 HCAs each.
In between the training jobs became slow.

## What happened

- One cable between a leaf and a spine went bad in one direction: from {_port(sender)}
  to {_port(receiver)}. The receiver counts the damaged packets.
- Many of them were already on their way out when the damage was noticed. They carry a bad-packet mark
  and are counted again, as remote errors, at {marked} ports further down, also at host ports on other leaves.
  Those ports are fine.
- Behind the sender, {waiting} ports had to wait much longer than before. They are fine too.

## What else happened, and is harmless

- Host `{rebooted["host"]}` was restarted: its leaf ports saw the links go down once, its HCAs count anew.
- Host `{renamed["host"]}` is now called `{renamed["now"]}`. Its node GUIDs are the same.
- Somebody cleared the counters of {_name(cleared)}. Its uptime goes on, its counters are lower than before.
- Like every fabric that works for a living, this one is not clean: old link downs and discards at most ports
  that face hosts, HCAs that have had symbol errors for weeks, packets that could not be relayed everywhere.

## What the tool should say

- Suspect number 1 is that cable, with the direction above, seen at {_port(receiver)}.
  Counters alone cannot tell whether the sending module, the cable or the receiving port is broken.
- The ports further down and those that wait are its victims, not suspects.
- Nothing is held against the restarted host, the renamed host or the switch whose counters were cleared; for
  that switch growth since the baseline is known only as "at least".

`truth.json` holds the same for programs.
"""


def _port(port: Json) -> str:
    """Name a port: node and label."""
    return f"{_name(port)} port {port['label']}"


def _name(node: Json) -> str:
    """Name a switch without what its system puts around the name."""
    return f"`{node['node'].removeprefix('MF0;').partition(':')[0]}`"
