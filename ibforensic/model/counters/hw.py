"""Counters of the HCA's queues and congestion control: ``hw_counters/`` of the kernel, ``rdma statistic``.

Meanings: KNOWLEDGE §1.9; names: atlas §11. The queue counters are 32-bit registers that the driver shows as
64 bits: unlike fabric counters they wrap at 2**32 instead of sticking, so a value that fell may be a wrap.
The congestion counters are 64 bits wide. node_exporter's spellings are those of its source, from memory;
no file that holds them was seen. ``lifespan`` beside them is a setting (cache time in ms), not a counter.
"""

from __future__ import annotations

from ibforensic.model.counters.base import Counter
from ibforensic.model.counters.spellings import sysfs
from ibforensic.model.enums import CounterClass as C
from ibforensic.model.enums import CounterGroup, Exposure, Side

_SOURCE = "Linux mlx5 driver, counters.c (name, width); KNOWLEDGE §1.9 (meaning)"
CLEARED_WITH = "hw"


def _hw(
    name: str,
    exporter: str,
    side: Side,
    kind: C,
    says: str,
    *,
    bits: int = 32,
    unit: str = "events",
    exposure: Exposure = Exposure.TIME,
) -> Counter:
    """Build one counter; ``exporter`` is node_exporter's metric without prefix, empty for none."""
    return Counter(
        name=name,
        group=CounterGroup.HW,
        cleared_with=CLEARED_WITH,
        bits=bits,
        unit=unit,
        exposure=exposure,
        side=side,
        kind=kind,
        says=says,
        source=_SOURCE,
        aliases={**sysfs(name, *((exporter,) if exporter else ())), "rdma": (name,)},
    )


_IN, _OUT, _NODE = Side.RECEIVE, Side.TRANSMIT, Side.NODE

_TRANSPORT: tuple[Counter, ...] = (
    _hw(
        "out_of_sequence",
        "out_of_sequence_packets_received_total",
        _IN,
        C.PROPAGATED,
        "Packets missing or reordered on the way into this host; adaptive routing reorders by design.",
        unit="packets",
        exposure=Exposure.PACKETS_RCV,
    ),
    _hw(
        "packet_seq_err",
        "packet_sequence_errors_total",
        _OUT,
        C.PROPAGATED,
        "Refusals for a missing packet: something sent from this host was lost on the way.",
        exposure=Exposure.PACKETS_XMIT,
    ),
    _hw(
        "implied_nak_seq_err",
        "implied_nak_seq_errors_total",
        _OUT,
        C.PROPAGATED,
        "Answers that show a packet sent from this host was lost on the way.",
        exposure=Exposure.PACKETS_XMIT,
    ),
    _hw(
        "duplicate_request",
        "duplicate_requests_packets_total",
        _IN,
        C.PROPAGATED,
        "Requests that came twice: the peer tried again because an answer was lost.",
        unit="packets",
        exposure=Exposure.PACKETS_RCV,
    ),
    _hw(
        "local_ack_timeout_err",
        "local_ack_timeout_errors_total",
        _OUT,
        C.PROPAGATED,
        "Requests that nobody answered in time: the far host, the path, or a link that is down.",
    ),
    _hw(
        "req_transport_retries_exceeded",
        "",
        _OUT,
        C.PROPAGATED,
        "Connections that died because every retry failed.",
    ),
    _hw(
        "rnr_nak_retry_err",
        "rnr_nak_retry_packets_received_total",
        _OUT,
        C.HOST,
        "Refusals because the far host had no receive buffer posted: not the network.",
    ),
    _hw(
        "out_of_buffer",
        "out_of_buffer_drops_total",
        _NODE,
        C.HOST,
        "Packets dropped because software on this host posted no receive buffer in time.",
        unit="packets",
    ),
    _hw(
        "rx_icrc_encapsulated",
        "rx_icrc_encapsulated_errors_total",
        _IN,
        C.PROPAGATED,
        "RoCE packets whose own checksum is wrong though the frame's is right: a device on the way corrupts.",
        unit="packets",
        exposure=Exposure.PACKETS_RCV,
    ),
)

_RECOVERY: tuple[Counter, ...] = (
    _hw(
        "roce_adp_retrans",
        "roce_adp_retransmits_total",
        _OUT,
        C.PROPAGATED,
        "Adaptive retransmissions: loss is being handled.",
    ),
    _hw(
        "roce_adp_retrans_to",
        "roce_adp_retransmits_timeout_total",
        _OUT,
        C.PROPAGATED,
        "Adaptive retransmissions that ran into their timeout.",
    ),
    _hw(
        "roce_slow_restart",
        "roce_slow_restart_used_total",
        _OUT,
        C.PROPAGATED,
        "Times sending began again slowly after a loss.",
    ),
    _hw(
        "roce_slow_restart_cnps",
        "roce_slow_restart_cnps_total",
        _OUT,
        C.CONGESTION,
        "Congestion notifications made while sending began again slowly.",
    ),
    _hw(
        "roce_slow_restart_trans",
        "roce_slow_restart_total",
        _OUT,
        C.PROPAGATED,
        "Times a connection changed into the slow restart.",
    ),
)

_CONGESTION: tuple[Counter, ...] = (
    _hw(
        "np_ecn_marked_roce_packets",
        "np_ecn_marked_roce_packets_received_total",
        _IN,
        C.CONGESTION,
        "Packets that arrived marked: the paths into this host are congested.",
        bits=64,
        unit="packets",
        exposure=Exposure.PACKETS_RCV,
    ),
    _hw(
        "np_cnp_sent",
        "np_cnp_packets_sent_total",
        _IN,
        C.CONGESTION,
        "Requests to slow down that this host sent: the paths into it are congested.",
        bits=64,
        unit="packets",
    ),
    _hw(
        "rp_cnp_handled",
        "rp_cnp_packets_handled_total",
        _OUT,
        C.CONGESTION,
        "Requests to slow down that this host obeyed.",
        bits=64,
        unit="packets",
    ),
    _hw(
        "rp_cnp_ignored",
        "rp_cnp_ignored_packets_received_total",
        _OUT,
        C.CONGESTION,
        "Requests to slow down that this host did not obey.",
        bits=64,
        unit="packets",
    ),
    _hw(
        "cc_rx_ce_pkts",
        "",
        _IN,
        C.CONGESTION,
        "Packets that arrived marked as having met congestion.",
        bits=64,
        unit="packets",
        exposure=Exposure.PACKETS_RCV,
    ),
    _hw(
        "cc_rx_cnp_pkts",
        "",
        _OUT,
        C.CONGESTION,
        "Requests to slow down that arrived.",
        bits=64,
        unit="packets",
    ),
    _hw(
        "cc_tx_cnp_pkts",
        "",
        _IN,
        C.CONGESTION,
        "Requests to slow down that were sent.",
        bits=64,
        unit="packets",
    ),
)

_SOFTWARE: tuple[Counter, ...] = (
    _hw("req_cqe_error", "req_cqes_errors_total", _NODE, C.HOST, "Requests that completed with an error."),
    _hw(
        "req_cqe_flush_error",
        "req_cqes_flush_errors_total",
        _NODE,
        C.HOST,
        "Requests flushed because their queue pair had failed or was closed.",
    ),
    _hw(
        "req_remote_access_errors",
        "req_remote_access_errors_total",
        _NODE,
        C.HOST,
        "Requests that the far host refused for lack of rights.",
    ),
    _hw(
        "req_remote_invalid_request",
        "req_remote_invalid_request_errors_total",
        _NODE,
        C.HOST,
        "Requests that the far host refused as invalid.",
    ),
    _hw("resp_cqe_error", "resp_cqes_errors_total", _NODE, C.HOST, "Answers that completed with an error."),
    _hw(
        "resp_cqe_flush_error",
        "resp_cqes_flush_errors_total",
        _NODE,
        C.HOST,
        "Answers flushed because their queue pair had failed or was closed.",
    ),
    _hw(
        "resp_local_length_error",
        "resp_local_length_errors_total",
        _NODE,
        C.HOST,
        "Messages that did not fit the buffer posted for them.",
    ),
    _hw(
        "resp_remote_access_errors",
        "resp_remote_access_errors_total",
        _NODE,
        C.HOST,
        "Requests of far hosts that this host refused for lack of rights.",
    ),
    _hw("rx_read_requests", "rx_read_requests_total", _IN, C.TRAFFIC, "RDMA read requests received."),
    _hw("rx_write_requests", "rx_write_requests_total", _IN, C.TRAFFIC, "RDMA write requests received."),
    _hw("rx_atomic_requests", "rx_atomic_requests_total", _IN, C.TRAFFIC, "Atomic requests received."),
    _hw(
        "rx_dct_connect",
        "rx_dct_connect_requests_total",
        _IN,
        C.TRAFFIC,
        "Connections of dynamically connected transport received.",
    ),
)

COUNTERS: tuple[Counter, ...] = _TRANSPORT + _RECOVERY + _CONGESTION + _SOFTWARE
