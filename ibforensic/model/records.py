"""Frozen records that travel between the layers. Facts first, then opinions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from ibforensic.model.advice import Action, Command, Place
from ibforensic.model.closeup import Around, ByLane, Part, Step
from ibforensic.model.enums import (
    Component,
    DeltaClass,
    Level,
    Severity,
    Strength,
    VictimBy,
)
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.message import Message as Message
from ibforensic.model.message import Params as Params
from ibforensic.model.message import say as say


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know about an input: what is wrong with it, and what was done about it.

    Attributes:
        code: Stable code, such as ``db_csv.section_cut``; ``<parser>.<what>``.
        level: info, warning or error.
        message: One sentence.
        path: File, as the user knows it.
        line: Line in it, from 1; None where the note is about the whole file.
        help: What to do about it.
    """

    code: str
    level: Level
    message: str
    path: str = ""
    line: int | None = None
    help: str = ""

    @property
    def where(self) -> str:
        """``path:line``, or as much of it as is known."""
        return f"{self.path}:{self.line}" if self.line is not None else self.path


@dataclass(frozen=True, slots=True)
class PortRef:
    """A port as people know it.

    Attributes:
        key: Identity of the port.
        node: Readable name of its node.
        label: What is printed on the panel of a switch, or the PCI place of an HCA, where known.
        plane: Plane of an XDR port, else None.
        role: hca, leaf, spine …
        purpose: What the policy says the node is there for: compute, storage …
    """

    key: PortKey
    node: str
    label: str | None = None
    plane: int | None = None
    role: str = ""
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A fact: something that differs between the two snapshots. True whatever one thinks of it.

    Attributes:
        kind: What happened, such as ``node_renamed`` or ``port_down``.
        message: The fact as a sentence.
        node_guid: Node it is about, where there is one.
        port: Port it is about, where there is one.
        before: Value in the baseline; None where there was none.
        after: Value now; None where there is none.
        group: Changes with the same kind and group are one line in a report.
    """

    kind: str
    message: Message
    node_guid: str | None = None
    port: PortKey | None = None
    before: str | float | None = None
    after: str | float | None = None
    group: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A reading of facts by one rule: an opinion about one port, link or node.

    Attributes:
        rule: Id of the rule that found it.
        message: The reading as a sentence.
        where: Port at which it was seen; None for evidence about a whole node.
        node_guid: Node it is about, where it is not about a port.
        towards: Receiving end of the direction it speaks about; None where it speaks about both.
        group: Evidence of one group adds up to a cap: counters, link, rate, neighbours …
        weight: Support in nats for a fault of this link or node; negative where it exculpates.
        strength: The same in words.
        before: Value in the baseline.
        after: Value now.
        unit: Unit of both.
        exposure: What the growth is divided by, as a number.
        exposure_unit: Unit of the exposure: bits, packets or seconds.
        delta: How much is known of the growth.
        source: ``file:line`` of the value now.
        victim: How the port suffers, where the evidence says that it is a victim.
        available: What would corroborate it and was collected.
        counter: Counter that shows it, where one does.
        place: Where the port's value stands among ports of its class; told of suspects alone.
        lanes: The same measure by lane, where it has lanes; told of suspects alone.
        steps: Growth from sample to sample, where there are more than two; told of suspects alone.
    """

    rule: str
    message: Message
    where: PortKey | None = None
    node_guid: str | None = None
    towards: PortKey | None = None
    group: str = "counters"
    weight: float = 0.0
    strength: Strength = Strength.MEDIUM
    before: float | str | None = None
    after: float | str | None = None
    unit: str = ""
    exposure: float | None = None
    exposure_unit: str = ""
    delta: DeltaClass = DeltaClass.EXACT
    source: str = ""
    victim: VictimBy | None = None
    available: tuple[str, ...] = ()
    counter: str = ""
    place: Place | None = None
    lanes: ByLane | None = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Victim:
    """A port that suffers from a suspect.

    Attributes:
        port: The port.
        by: How it suffers.
        evidence: What shows it.
    """

    port: PortKey
    by: VictimBy
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Watch:
    """A weak sign: not enough to blame anybody.

    Attributes:
        score: Support in nats of the place it is about; 0 for a counter that blames nobody.
        evidence: What was seen.
    """

    score: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the verdict is, from 0 to 1, for each of its parts.

    Attributes:
        link: That the link or device is at fault.
        end: That the named end is the one.
        component: That the named component is the one.
    """

    link: float
    end: float
    component: float


@dataclass(frozen=True, slots=True)
class Suspect:
    """An opinion: who is to blame.

    Attributes:
        rank: From 1.
        score: Support in nats; suspects are ordered by it.
        component: What is to be repaired.
        severity: How much it hurts.
        confidence: How sure that is.
        headline: One sentence that names it.
        next_action: What to do first.
        link: The link, where the suspect is one.
        node_guid: The device, where the suspect is one.
        host: Name of the host, where the suspect is a whole host.
        end: End that is to be touched first; None where the ends cannot be told apart.
        direction: Sending and receiving port of the bad direction, where there is one.
        evidence: What speaks for it, strongest first.
        victims: Ports it explains.
        because: What singles this component out among the parts of the link; None where a rule names it.
        actions: What to do, in order; the first of them is ``next_action``.
        disproof: What observation would show that this is wrong.
        missing: Data that would have made it surer, and how to get them.
        confirm: Commands that only read, to see for oneself.
        parts: What is plugged into its ends.
        around: Its nodes, and who is next to them.
        lately: Whether it goes on, where more than two samples were taken.
    """

    rank: int
    score: float
    component: Component
    severity: Severity
    confidence: Confidence
    headline: Message
    next_action: Message
    link: LinkKey | None = None
    node_guid: str | None = None
    host: str | None = None
    end: PortKey | None = None
    direction: tuple[PortKey, PortKey] | None = None
    evidence: tuple[Evidence, ...] = ()
    victims: tuple[Victim, ...] = ()
    because: Message | None = None
    actions: tuple[Action, ...] = ()
    disproof: tuple[Message, ...] = ()
    missing: tuple[NotJudged, ...] = ()
    confirm: tuple[Command, ...] = ()
    parts: tuple[Part, ...] = ()
    around: tuple[Around, ...] = ()
    lately: Message | None = None


@dataclass(frozen=True, slots=True)
class Fitness:
    """How fit a snapshot is to be compared: said when it is made, while it can still be redone.

    Attributes:
        code: Stable code, such as ``counters_not_collected``.
        level: info, warning or error.
        message: What is wrong.
        help: What would cure it; never a command that clears anything.
        count: How many ports or nodes it is about; 0 where it is about the whole.
        examples: Up to five of them.
    """

    code: str
    level: Level
    message: str
    help: str = ""
    count: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotJudged:
    """Something that could not be judged, and why.

    Attributes:
        what: What was not judged, such as ``error counters``.
        reason: Why.
        help: How to collect it next time.
        count: How many ports or nodes it is about; 0 for all.
        examples: Up to five of them.
    """

    what: str
    reason: Message
    help: str = ""
    count: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One file of a snapshot.

    Attributes:
        path: Path as the user knows it, unique within the sample.
        sha256: Hash of the bytes.
        size: Number of bytes.
        parser: Parser that claimed it, or None.
        outcome: What became of it (see enums.Outcome).
        whole: Whether it is complete as far as its format can tell.
        own_time: Begin of the run it belongs to.
        stale: Whether that is another run than the sample's.
    """

    path: str
    sha256: str
    size: int
    parser: str | None
    outcome: str
    whole: bool = True
    own_time: datetime | None = None
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """When something was collected.

    Attributes:
        began_at: Begin, UTC; None where nobody says.
        ended_at: End, UTC.
    """

    began_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SampleInfo:
    """What the manifest says of one collection.

    Attributes:
        index: Number within the snapshot, from 0.
        window: When it was collected.
        sources: Its files.
        tables: Table name → number of rows.
        raw: Sections kept verbatim → number of rows.
        notes: Troubles met.
        tools: Tool → version.
        commands: Command lines of the runs.
    """

    index: int
    window: Window
    sources: tuple[SourceRecord, ...] = ()
    tables: Mapping[str, int] = field(default_factory=dict)
    raw: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    tools: Mapping[str, str] = field(default_factory=dict)
    commands: tuple[str, ...] = ()
