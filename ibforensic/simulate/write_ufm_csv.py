"""UFM telemetry: the newest scrape of both CSV endpoints, one row for each port.

``primary.csv`` has the counters (port 9001), ``secondary.csv`` the slower values of the physical layer (port
9002). Names: atlas §10 and KNOWLEDGE §1.6; no whole file was seen. An empty cell means no data, and the last
line is empty. Data is counted in words of 4 octets, as the register of that name does.
"""

from __future__ import annotations

from pathlib import Path

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.model.link_terms import FEC_PHY_REGISTER, FEC_SMP
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.media import FEC_COPPER
from ibforensic.simulate.phy_state import LANES, Reading
from ibforensic.simulate.spelling import WIDTH_CODES, fec_code
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_counters import DEAD_ON_HCA, reported_ports
from ibforensic.simulate.write_net_dump_ext import ratio
from ibforensic.simulate.writers import Occasion, Writer, write_text

COUNTERS = {
    "PortXmitDataExtended": "port_xmit_data",
    "PortRcvDataExtended": "port_rcv_data",
    "PortXmitPktsExtended": "port_xmit_pkts",
    "PortRcvPktsExtended": "port_rcv_pkts",
    "SymbolErrorCounterExtended": "symbol_error_counter",
    "LinkErrorRecoveryCounterExtended": "link_error_recovery_counter",
    "LinkDownedCounterExtended": "link_downed_counter",
    "PortRcvErrorsExtended": "port_rcv_errors",
    "PortRcvRemotePhysicalErrorsExtended": "port_rcv_remote_physical_errors",
    "PortRcvSwitchRelayErrorsExtended": "port_rcv_switch_relay_errors",
    "PortXmitDiscardsExtended": "port_xmit_discards",
    "PortXmitWaitExtended": "port_xmit_wait",
}
"""Column of the primary telemetry → counter."""
BINS = 5
"""Columns ``hist0`` …: code words with so many repaired symbols; the last one has all that had more."""
_HIST = ",".join(f"hist{number}" for number in range(BINS))
PRIMARY = f"timestamp,source_id,node_guid,port_guid,port_num,{','.join(COUNTERS)},{_HIST}"
_RAW = ",".join(f"Raw_Errors_Lane_{lane}" for lane in range(LANES))
SECONDARY = (
    "timestamp,source_id,tag,Node_GUID,Device_ID,node_description,lid,Port_Number,port_label,"
    "Phy_Manager_State,phy_state,logical_state,Link_speed_active,Link_width_active,Active_FEC,"
    f"Total_Raw_BER,Effective_BER,Symbol_BER,{_RAW},Effective_Errors,Symbol_Errors,"
    f"Time_since_last_clear_Min,{_HIST},Link_Down_IB,Module_Temperature,PortRcvErrors"
)
_REGISTER = {name: code for code, name in reversed(FEC_PHY_REGISTER.items())}
_SPEED_BITS = {"FDR": 16, "EDR": 32, "HDR": 64, "NDR": 128, "XDR": 256}
_CELLS_WHEN_UP = 3 + 3 + LANES + 3 + BINS + 3
_ACTIVE, _POLLING = ("3", "5", "4"), ("2", "2", "1")
_BITS_A_WORD, _BITS_A_SHORT_WORD = 5440, 2720
"""Bits of a code word of RS(544,514), and of the low-latency code of copper."""
_EVENTS = (0.8815, 0.1149, 0.0024, 0.0012)
"""Share of damaged code words with one, two … symbols to repair, on healthy links (KNOWLEDGE §1.6)."""


def write(directory: Path, sample: Sample, _occasion: Occasion) -> None:
    """Write ``primary.csv`` and ``secondary.csv``.

    Args:
        directory: Where the files go.
        sample: What UFM sees; without a physical layer its cells are empty.
        _occasion: Not needed.
    """
    write_text(directory / "primary.csv", _csv(PRIMARY, primary(sample)))
    write_text(directory / "secondary.csv", _csv(SECONDARY, secondary(sample)))


def primary(sample: Sample) -> list[str]:
    """Return the rows of the primary telemetry: one for each port that is up."""
    when = _microseconds(sample)
    rows = []
    for port in reported_ports(sample):
        guid, hca = port.node_guid, sample.fabric.node[port.node_guid].role is Role.HCA
        counts = sample.counters[port]
        cells = [
            "0" if hca and _twin(name) in DEAD_ON_HCA else str(counts.get(key, 0))
            for name, key in COUNTERS.items()
        ]
        rows.append(",".join((when, guid, guid, guid, str(port.port_num), *cells, *_histogram(sample, port))))
    return rows


def secondary(sample: Sample) -> list[str]:
    """Return the rows of the secondary telemetry: also of switch ports that are down, with empty cells."""
    rows = []
    for node in sample.seen_nodes():
        up = sample.up_ports(node)
        numbers = sorted({*node.shown_ports, *(port.port_num for port in up)})
        ports = [PortKey(node.guid, number) for number in numbers] if node.is_switch else up
        rows += [",".join((*_place(sample, node, port), *_values(sample, port))) for port in ports]
    return rows


def _csv(header: str, rows: list[str]) -> str:
    """Print a table; the last line is empty."""
    return "\n".join([header, *rows, "", ""])


def _microseconds(sample: Sample) -> str:
    """Print the time of the scrape, in microseconds since 1970."""
    return str(int(sample.taken_at.timestamp()) * 1_000_000)


def _twin(column: str) -> str:
    """Return what ibdiagnet calls the register of a column."""
    return column.replace("Extended", "Ext")


def _place(sample: Sample, node: SimNode, port: PortKey) -> tuple[str, ...]:
    """Return the cells that say which port it is."""
    label, lid = sample.fabric.label(port), str(sample.lids[node.guid])
    name = sample.names[node.guid]
    return (
        _microseconds(sample),
        node.guid,
        "",
        node.guid,
        str(node.chip.device_id),
        name,
        lid,
        str(port.port_num),
        label,
    )


def _values(sample: Sample, port: PortKey) -> list[str]:
    """Return the cells that say how the port does; most are empty while it is down."""
    if not sample.is_up(port):
        return [*_POLLING, *[""] * _CELLS_WHEN_UP]
    link, counts = sample.fabric.link_at[port], sample.counters[port]
    state = sample.links[link.key]
    code = fec_code(link.fec, state)
    heat = sample.phy.heat.get(port) if sample.phy else None
    return [
        *_ACTIVE,
        str(_SPEED_BITS[state.speed]),
        str(WIDTH_CODES[state.width]),
        str(_REGISTER.get(FEC_SMP.get(code, ""), "")),
        *_phy_cells(_reading(sample, port)),
        *_histogram(sample, port),
        str(counts.get("link_downed_counter", 0)),
        "" if heat is None else f"{round(heat)}C",
        str(counts.get("port_rcv_errors", 0)),
    ]


def _phy_cells(reading: Reading | None) -> list[str]:
    """Return ratios, errors and the time they took."""
    if reading is None:
        return [""] * (3 + LANES + 3)
    counts = (sum(reading.raw), reading.effective, reading.symbols)
    return [
        *(ratio(count, reading.bits) for count in counts),
        *map(str, reading.raw),
        str(reading.effective),
        str(reading.symbols),
        str(round(reading.seconds / 60)),
    ]


def _reading(sample: Sample, port: PortKey) -> Reading | None:
    """Return the registers of a port, where it has any."""
    return sample.phy.readings.get(port) if sample.phy else None


def _histogram(sample: Sample, port: PortKey) -> list[str]:
    """Return how many code words had no, one, two … symbols to repair."""
    reading = _reading(sample, port)
    if reading is None:
        return [""] * BINS
    damaged = reading.corrected / sum(share * size for size, share in enumerate(_EVENTS, 1))
    hit = [round(damaged * share) for share in _EVENTS]
    short = sample.fabric.link_at[port].fec == FEC_COPPER
    words = reading.bits // (_BITS_A_SHORT_WORD if short else _BITS_A_WORD)
    return [str(max(0, words - sum(hit))), *map(str, hit)]


WRITER = Writer(
    "ufm", "UFM telemetry as CSV: primary counters, secondary values of the PHY", ("*.csv",), write
)
