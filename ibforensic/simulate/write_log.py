"""ibdiagnet2.log: what the run says on the screen, stage by stage.

Layout: atlas §7. Like the real log of a healthy fabric it warns about aggregation nodes and nothing else;
asked about the physical layer, it says how many ports have a high symbol error ratio.
"""

from __future__ import annotations

from collections import Counter

from ibforensic.model.enums import Role
from ibforensic.simulate.spelling import (
    LABELS,
    PAUSE,
    QUOTED_VERSIONS,
    asks_phy,
    command,
    lane_speed,
    timestamp,
)
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_phy import symbol_ber_errors
from ibforensic.simulate.write_sections import master

_RULE = "-" * 45
_SHOWN = 5
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


def log(sample: Sample) -> str:
    """Print ibdiagnet2.log.

    Args:
        sample: What the run sees.

    Returns:
        The text.
    """
    silent = [node for node in sample.seen_nodes() if node.role is Role.AGGREGATION]
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
    stages = {
        "Discovery": _discovery(sample, [f"S{n.system_guid[2:]}/N{n.guid[2:]}" for n in silent]),
        "Lids Check": ["-I- Lids Check finished successfully"],
        "Links Check": ["-I- Links Check finished successfully"],
        "Subnet Manager": ["-I- SM Info retrieving finished successfully"],
        "Port Counters": [
            "-I- Ports counters retrieving finished successfully",
            "",
            f"-I- Going to sleep for {_pause(sample)} seconds until next counters sample",
            "",
            "-I- Ports counters retrieving (second time) finished successfully",
        ],
        "Nodes Information": ["-I- FW Check finished successfully"],
        "Speed / Width checks": [
            "-I- Links Speed Check finished successfully",
            "",
            "-I- Links Width Check finished successfully",
        ],
        "Temperature Sensing": ["-I- Temperature Sensing finished successfully"],
    }
    for title, body in stages.items():
        lines += [_RULE, title, *body, ""]
    lines += [_RULE, "Fabric Summary", "", *_fabric(sample), "", _RULE, "Summary"]
    lines.append("-I- Stage                               Warnings   Errors     Comment   ")
    for title in stages:
        lines.append(f"-I- {title:<36}{len(silent) if title == 'Discovery' else 0:<11}{0:<10}")
    lines += ["", f"-I- You can find detailed errors/warnings in: {_FOLDER}.log", "", ""]
    lines += [
        f"-I- {what:<36}: {_FOLDER}.{ending}"
        for what, ending in (("Database", "db_csv"), ("Network dump", "net_dump"))
    ]
    return "\n".join(lines) + "\n\n\n"


def _pause(sample: Sample) -> str:
    """Return how many seconds the run waits between its two counter samples."""
    options = sample.options
    return options[options.index(PAUSE) + 1] if PAUSE in options else "1"


def _discovery(sample: Sample, silent: list[str]) -> list[str]:
    """Print the stage Discovery."""
    nodes = sample.seen_nodes()
    switches = sum(node.is_switch for node in nodes)
    ports = sum(node.inner_port or node.front_ports for node in nodes if node.is_switch)
    others = len(nodes) - switches
    lines = [
        "-I- Start Fabric Discover",
        "-I- Fabric Discover finished successfully",
        "",
        f"-I- No scope files. Total switches/ports [{switches}/{ports}], CAs/ports [{others}/{others}]",
    ]
    if silent:
        lines.append("-W- VS Capability GMP finished with warnings")
        lines += [f"-W- {name} - No response for MAD VSGeneralInfo, status = 4" for name in silent[:_SHOWN]]
    if len(silent) > _SHOWN:
        lines.append("-I- All other warnings can be found in ibdiagnet2.db_csv")
    return lines


def _fabric(sample: Sample) -> list[str]:
    """Print the stage Fabric Summary."""
    roles = Counter(node.role for node in sample.seen_nodes())
    speeds = Counter(
        f"{state.width}{lane_speed(state)}"
        for state in (sample.links[link.key] for link in sample.up_links())
    )
    counts = {
        "Total Nodes": roles.total(),
        "IB Switches": roles[Role.LEAF] + roles[Role.SPINE] + roles[Role.CORE],
        "IB Channel Adapters": roles[Role.HCA],
        "IB Aggregation Nodes": roles[Role.AGGREGATION],
        "IB Routers": 0,
    }
    boss = master(sample)
    return [
        *(f"{name:<24}: {count}" for name, count in counts.items()),
        "",
        "Adaptive Routing is enabled on 0 switches.",
        "Hashed Based Forwarding is enabled on 0 switches.",
        "",
        f"{'Total number of links':<24}: {speeds.total()}",
        *(f"{'Links at ' + speed:<24}: {count}" for speed, count in sorted(speeds.items())),
        "",
        f"Master SM: Port=0 LID={sample.lids[boss.guid]} GUID={boss.guid} "
        f"devid={boss.chip.device_id} Priority:12 Node_Type=SW Node_Description={sample.names[boss.guid]}",
        "Standby SM : No Standby SM",
        *_high_ber(sample),
    ]


def _high_ber(sample: Sample) -> list[str]:
    """Print how many ports have more symbol errors than the tool allows."""
    ports = len(symbol_ber_errors(sample)) if asks_phy(sample) else 0
    return ["", f"High BER reported by {ports} ports"] if ports else []
