"""Closed sets of words. The text of a member is what stands in tables, JSON and reports."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class ColumnRole(StrEnum):
    """What a column is for; decides how it is compared."""

    IDENTITY = "identity"
    """Part of the key, or what the row is about."""
    SETTING = "setting"
    """Stays until somebody changes it: compared, a difference is a change."""
    STATE = "state"
    """What the fabric is doing now: compared, a difference may be a fault."""
    COUNTER = "counter"
    """Only ever grows until it is cleared: compared through deltas."""
    LEVEL = "level"
    """A measured value that goes up and down: compared with limits and with the fleet."""
    VOLATILE = "volatile"
    """Changes without meaning (LIDs, clocks): never a finding of its own."""
    PROVENANCE = "provenance"
    """Where the row was read."""


class NodeType(StrEnum):
    """Kind of node, as the node itself says."""

    CA = "ca"
    SWITCH = "switch"
    ROUTER = "router"


class Role(StrEnum):
    """Place of a node in the fabric; derived, never stored."""

    HCA = "hca"
    LEAF = "leaf"
    SPINE = "spine"
    CORE = "core"
    AGGREGATION = "aggregation"
    GATEWAY = "gateway"
    GPU = "gpu"
    ROUTER = "router"
    SWITCH = "switch"


class PortState(StrEnum):
    """Logical state of a port (IBTA PortInfo.PortState)."""

    DOWN = "down"
    INIT = "init"
    ARMED = "armed"
    ACTIVE = "active"


class PhysState(StrEnum):
    """Physical state of a port (IBTA PortInfo.PortPhysicalState)."""

    SLEEP = "sleep"
    POLLING = "polling"
    DISABLED = "disabled"
    TRAINING = "training"
    LINK_UP = "link_up"
    RECOVERY = "link_error_recovery"
    PHY_TEST = "phy_test"


class Quality(IntEnum):
    """How far the value of a counter cell can be trusted. Stored as its number."""

    WIDE = 0
    """Read from a 64-bit register."""
    NARROW = 1
    """Read from a register of 4 to 32 bits that was not full."""
    SATURATED = 2
    """The narrow register is full: the true value is this or more."""
    CORRUPT = 3
    """Above 2**63: the register ran below zero; the value means nothing."""
    UNSUPPORTED = 4
    """The device does not count this."""
    FAILED = 5
    """The query got no answer."""
    NOT_COLLECTED = 6
    """The tool did not ask."""

    @property
    def known(self) -> bool:
        """Whether the cell holds a number that may be printed."""
        return self <= Quality.SATURATED


class Basis(StrEnum):
    """What a counter value counts from."""

    CUMULATIVE = "cumulative"
    """Since the last clear."""
    WINDOW = "window"
    """Within a window of known length."""


class DeltaClass(StrEnum):
    """How much is known about the growth of a counter between two snapshots."""

    EXACT = "exact"
    AT_LEAST = "at_least"
    UNKNOWN = "unknown"
    ABSENT = "absent"


class CounterGroup(StrEnum):
    """Table of a counter: registers that tools read, and devices clear, apart from the others."""

    PMA = "pma"
    DETAIL = "detail"
    EXTENDED_SPEEDS = "extended_speeds"
    PHY = "phy"
    PLR = "plr"
    ROUTING = "routing"
    HW = "hw"
    ETHTOOL = "ethtool"


class CounterClass(StrEnum):
    """What a growing counter speaks about."""

    PHYSICAL = "physical"
    PROPAGATED = "propagated"
    CONGESTION = "congestion"
    CONFIGURATION = "configuration"
    LIFECYCLE = "lifecycle"
    TRAFFIC = "traffic"
    HOST = "host"


class Exposure(StrEnum):
    """What a rate must be divided by to be comparable between ports."""

    BITS = "bits"
    PACKETS_RCV = "packets_rcv"
    PACKETS_XMIT = "packets_xmit"
    TIME = "time"
    NONE = "none"


class Side(StrEnum):
    """Which direction of the link, seen from the counting port, a counter speaks about."""

    RECEIVE = "receive"
    TRANSMIT = "transmit"
    BOTH = "both"
    NODE = "node"


class Component(StrEnum):
    """What is to be repaired."""

    CABLE = "cable"
    CONNECTOR = "connector"
    TRANSCEIVER = "transceiver"
    PORT = "port"
    SWITCH = "switch"
    COOLING = "cooling"
    HOST = "host"
    HCA = "hca"
    LINK = "link"
    CONFIG = "config"
    BATCH = "batch"


class Severity(StrEnum):
    """How much a suspect hurts."""

    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"


class Strength(StrEnum):
    """Weight of one piece of evidence, in words."""

    WEAK = "weak"
    MEDIUM = "medium"
    STRONG = "strong"
    DECISIVE = "decisive"


class VictimBy(StrEnum):
    """How a port suffers from a fault elsewhere."""

    EBP = "ebp"
    """It received packets already marked bad."""
    WAIT = "wait"
    """It waited for credits, or dropped what it could not send."""
    DOWN = "down"
    """Its link went down because the other end did."""


class Verdict(StrEnum):
    """Outcome of a comparison."""

    SUSPECTS = "suspects"
    NO_SUSPECT = "no_suspect"
    CANNOT_JUDGE = "cannot_judge"


class Level(StrEnum):
    """Gravity of a note."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Outcome(StrEnum):
    """What became of a source file."""

    PARSED = "parsed"
    PARTIAL = "partial"
    REPEATS = "repeats"
    """Understood, but another source holds the same; kept, not parsed again."""
    UNKNOWN = "unknown"
    """No parser claims it; kept as it is."""
    FAILED = "failed"
    """Claimed by a parser that could use nothing of it."""
