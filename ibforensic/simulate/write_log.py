"""ibdiagnet2.log: what the run says on the screen, stage by stage.

Layout: atlas §7. Like the real log of a healthy fabric it warns about aggregation nodes and nothing else;
asked about the physical layer, it says which HCAs run below their best PCIe, and how many ports have a high
symbol error ratio.
"""

from __future__ import annotations

from collections import Counter

from ibforensic.model.enums import Role
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.spelling import (
    LABELS,
    QUOTED_VERSIONS,
    asks_phy,
    command,
    lane_speed,
    pause,
    timestamp,
)
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_pci import degradations, pci_check
from ibforensic.simulate.write_phy import over_limit
from ibforensic.simulate.write_sections import master

_RULE = "-" * 45
PRIORITY = 12
"""Of the subnet manager."""
SHOWN = 5
"""The log shows so many warnings of a check; the rest stands in the db_csv."""
_PLUGINS = (
    "----------",
    "Load Plugins from:",
    "/usr/share/ibdiagnet2.1.1/plugins/",
    '(You can specify more paths to be looked in with "IBDIAGNET_PLUGINS_PATH" env variable)',
    "",
    "Plugin Name                                   Result     Comment",
    "libibdiagnet_phy_diag_plugin-2.1.1            Succeeded  Plugin loaded",
)
_FOLDER = "/var/tmp/ibdiagnet2/ibdiagnet2"
WRITTEN = {"Database": f"{_FOLDER}.db_csv", "Network dump": f"{_FOLDER}.net_dump"}
"""Files that the log lists at its end."""
DISCOVERY = "Discovery"
PHY_STAGE = "Phy Diagnostic (Plugin)"
_STAGES: dict[str, tuple[str, ...]] = {
    "Lids Check": ("-I- Lids Check finished successfully",),
    "Links Check": ("-I- Links Check finished successfully",),
    "Subnet Manager": ("-I- SM Info retrieving finished successfully",),
    "Port Counters": (
        "-I- Ports counters retrieving finished successfully",
        "",
        "-I- Going to sleep for {pause} seconds until next counters sample",
        "",
        "-I- Ports counters retrieving (second time) finished successfully",
    ),
    "Nodes Information": ("-I- FW Check finished successfully",),
    "Speed / Width checks": (
        "-I- Links Speed Check finished successfully",
        "",
        "-I- Links Width Check finished successfully",
    ),
    "Temperature Sensing": ("-I- Temperature Sensing finished successfully",),
}
"""Stages behind the first, which find nothing to say about a fabric."""


def log(sample: Sample) -> str:
    """Print ibdiagnet2.log.

    Args:
        sample: What the run sees.

    Returns:
        The text.
    """
    lines = [
        f"Running version:   {QUOTED_VERSIONS}",
        f"Running command:   {command(sample)}",
        f"Running timestamp: {timestamp(sample.taken_at)}",
        "",
        *LABELS,
        "",
        "",
        *(_PLUGINS if asks_phy(sample) else ("-I- Plugins load will be skipped",)),
        "",
    ]
    said, warned = stages(sample), warnings(sample)
    for title, body in said.items():
        lines += [_RULE, title, *body, ""]
    lines += [_RULE, "Fabric Summary", "", *_fabric(sample), "", _RULE, "Summary"]
    lines.append("-I- Stage                               Warnings   Errors     Comment   ")
    for title in said:
        lines.append(f"-I- {title:<36}{warned.get(title, 0):<11}{0:<10}")
    lines += ["", f"-I- You can find detailed errors/warnings in: {_FOLDER}.log", "", ""]
    lines += [f"-I- {what:<36}: {path}" for what, path in WRITTEN.items()]
    return "\n".join(lines) + "\n\n\n"


def stages(sample: Sample) -> dict[str, list[str]]:
    """Return the stages of a run, in order, and what each says.

    Args:
        sample: What the run sees.
    """
    plugin = {PHY_STAGE: pci_check(sample, SHOWN)} if asks_phy(sample) else {}
    wait = pause(sample)
    same = {title: [line.format(pause=wait) for line in body] for title, body in _STAGES.items()}
    return {DISCOVERY: _discovery(sample), **same, **plugin}


def warnings(sample: Sample) -> dict[str, int]:
    """Return how often a stage warns; stages that are not named do not warn."""
    return {DISCOVERY: len(silent(sample)), PHY_STAGE: len(degradations(sample))}


def silent(sample: Sample) -> list[SimNode]:
    """Return the nodes that do not answer when asked what they are capable of."""
    return [node for node in sample.seen_nodes() if node.role is Role.AGGREGATION]


def _discovery(sample: Sample) -> list[str]:
    """Print the stage Discovery."""
    nodes, mute = sample.seen_nodes(), silent(sample)
    switches = sum(node.is_switch for node in nodes)
    ports = sum(node.inner_port or node.front_ports for node in nodes if node.is_switch)
    others = len(nodes) - switches
    lines = [
        "-I- Start Fabric Discover",
        "-I- Fabric Discover finished successfully",
        "",
        f"-I- No scope files. Total switches/ports [{switches}/{ports}], CAs/ports [{others}/{others}]",
    ]
    if mute:
        lines.append("-W- VS Capability GMP finished with warnings")
        lines += [
            f"-W- S{node.system_guid[2:]}/N{node.guid[2:]} - No response for MAD VSGeneralInfo, status = 4"
            for node in mute[:SHOWN]
        ]
    if len(mute) > SHOWN:
        lines.append("-I- All other warnings can be found in ibdiagnet2.db_csv")
    return lines


def _fabric(sample: Sample) -> list[str]:
    """Print the stage Fabric Summary."""
    speeds = links_by_speed(sample)
    high = high_ber(sample)
    return [
        *(f"{name:<24}: {count}" for name, count in kinds(sample).items()),
        "",
        "Adaptive Routing is enabled on 0 switches.",
        "Hashed Based Forwarding is enabled on 0 switches.",
        "",
        f"{'Total number of links':<24}: {speeds.total()}",
        *(f"{'Links at ' + speed:<24}: {count}" for speed, count in sorted(speeds.items())),
        "",
        f"Master SM: {master_text(sample)}",
        "Standby SM : No Standby SM",
        *(("", f"High BER reported by {high} ports") if high else ()),
    ]


def kinds(sample: Sample) -> dict[str, int]:
    """Return how many nodes of each kind the log counts."""
    roles = Counter(node.role for node in sample.seen_nodes())
    return {
        "Total Nodes": roles.total(),
        "IB Switches": roles[Role.LEAF] + roles[Role.SPINE] + roles[Role.CORE],
        "IB Channel Adapters": roles[Role.HCA],
        "IB Aggregation Nodes": roles[Role.AGGREGATION],
        "IB Routers": 0,
    }


def links_by_speed(sample: Sample) -> Counter[str]:
    """Return how many links run at each width and speed, as the log spells them: ``4x100``."""
    states = (sample.links[link.key] for link in sample.up_links())
    return Counter(f"{state.width}{lane_speed(state)}" for state in states)


def master_text(sample: Sample) -> str:
    """Return what the log says of the subnet manager."""
    boss = master(sample)
    return (
        f"Port=0 LID={sample.lids[boss.guid]} GUID={boss.guid} devid={boss.chip.device_id} "
        f"Priority:{PRIORITY} Node_Type=SW Node_Description={sample.names[boss.guid]}"
    )


def high_ber(sample: Sample) -> int:
    """Return how many ports have more symbol errors than the tool allows, where it was asked to look."""
    return len(over_limit(sample)) if asks_phy(sample) else 0
