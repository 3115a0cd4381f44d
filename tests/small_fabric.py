"""A small fabric without any noise, in which a test lets exactly one thing happen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
from editing import Sheet
from small_phy import calm_phy

from ibforensic import pipeline
from ibforensic.evidence import POLICY, Policy
from ibforensic.model.enums import Role
from ibforensic.model.ids import LinkKey, PortKey
from ibforensic.model.records import Evidence
from ibforensic.model.tables import TABLES
from ibforensic.pipeline import Comparison, Snapshot
from ibforensic.simulate.build import make_fabric
from ibforensic.simulate.healthy import Pair, healthy_pair
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_cables import cables
from ibforensic.simulate.write_db_csv import PHY_SECTIONS, SECTIONS

FILE = "ibdiagnet2.db_csv"
CABLES = "ibdiagnet2.cables"
DAMAGE = {"symbol_error_counter": 900, "port_rcv_errors": 400, "port_local_physical_errors": 400}
NOISE = (
    "symbol_error_counter",
    "port_rcv_errors",
    "port_local_physical_errors",
    "port_rcv_remote_physical_errors",
)
Edit = Callable[[Sheet], None]
Phys = dict[PortKey, dict[str, object]]
Files = Mapping[str, str]
"""Name → text of the files of one collection."""


@dataclass
class Story:
    """Two samples of a fabric, seven days apart, and what a test did to their files.

    Attributes:
        pair: The samples; tests change the current one.
        before: Edits of the baseline's db_csv.
        after: Edits of the current one's.
        swapped: GUID → GUID that stands in its place in the current file.
        cut: Line at which the current file ends, as if the disk had been full.
        beside: Further files of the baseline, and of the current one: name → text.
        said: What ports of the baseline, and of the current one, say of their PHY: port → column → value.
    """

    pair: Pair
    before: list[Edit] = field(default_factory=list)
    after: list[Edit] = field(default_factory=list)
    swapped: dict[str, str] = field(default_factory=dict)
    cut: str = ""
    beside: tuple[dict[str, str], dict[str, str]] = field(default_factory=lambda: ({}, {}))
    said: tuple[Phys, Phys] = field(default_factory=lambda: ({}, {}))

    def switch(self, role: Role, index: int = 0) -> str:
        """GUID of a leaf or a spine."""
        return [node.guid for node in self.pair.baseline.fabric.switches if node.role is role][index]

    def hca(self, host: int = 0, index: int = 0) -> PortKey:
        """The port of an HCA; hosts are counted through all leaves."""
        fabric = self.pair.baseline.fabric
        return PortKey(list(fabric.hosts.values())[host][index].guid, 1)

    def peer(self, port: PortKey) -> PortKey:
        """The port at the other end."""
        return self.pair.baseline.fabric.peer(port)

    def link(self, port: PortKey) -> LinkKey:
        """The link of a port."""
        return self.pair.baseline.fabric.link_at[port].key

    def uplink(self, leaf: int = 0, spine: int = 0) -> tuple[PortKey, PortKey]:
        """Leaf's end and spine's end of the cable between the two."""
        ports = self.pair.baseline.fabric.ports_of[self.switch(Role.LEAF, leaf)]
        end = next(port for port in ports if self.peer(port).node_guid == self.switch(Role.SPINE, spine))
        return end, self.peer(end)

    def ports(self, guid: str) -> tuple[PortKey, ...]:
        """Ports of a node that are in use."""
        return self.pair.baseline.fabric.ports_of[guid]

    def count(self, port: PortKey, **counts: int) -> None:
        """Let counters of a port grow between the samples."""
        for name, count in counts.items():
            self.pair.current.add(port, name, count)

    def damage(self, receiver: PortKey, times: int = 1) -> None:
        """Let packets arrive damaged at a port."""
        self.count(receiver, **{name: count * times for name, count in DAMAGE.items()})

    def fall(self, *ports: PortKey, downs: int = 1) -> None:
        """Count link downs."""
        for port in ports:
            self.count(port, link_downed_counter=downs)

    def reset(self, *guids: str, seconds: int = 3_600) -> None:
        """Reset nodes: uptime and counters begin anew."""
        for guid in guids:
            self.pair.current.uptimes[guid] = seconds
            for port in self.ports(guid):
                self.pair.current.counters[port] = {}

    def unplug(self, *ports: PortKey) -> None:
        """Take links down for good."""
        for port in ports:
            self.pair.current.set_link(self.link(port), up=False)

    def edit(self, change: Edit) -> None:
        """Edit both files."""
        self.before.append(change)
        self.after.append(change)

    def texts(self) -> tuple[str, str]:
        """The two db_csv as they are written."""
        found = []
        for sample, edits in ((self.pair.baseline, self.before), (self.pair.current, self.after)):
            text = plain_db_csv(sample)
            if edits:
                sheet = Sheet(text)
                for change in edits:
                    change(sheet)
                text = str(sheet)
            found.append(text)
        for old, new in self.swapped.items():
            found[1] = found[1].replace(old, new)
        return found[0], found[1].partition(f"\n{self.cut}")[0] if self.cut else found[1]

    def files(self) -> tuple[Files, Files]:
        """All files of both: with a physical layer the .cables stands beside the db_csv."""
        found = []
        sides = zip((self.pair.baseline, self.pair.current), self.texts(), self.beside, strict=True)
        for sample, text, beside in sides:
            found.append({FILE: text} | ({CABLES: cables(sample)} if sample.phy else {}) | beside)
        return found[0], found[1]

    def compare(self) -> Comparison:
        """Write both, read both, compare."""
        if not any(self.said):
            return compare(*self.files())
        pair = [_loaded(tuple(sorted(files.items()))) for files in self.files()]
        return pipeline.diff(*map(saying, pair, self.said))


def story(
    leaves: int = 2,
    spines: int = 2,
    hosts: int = 3,
    hcas: int = 2,
    *,
    uplinks: int = 1,
    seed: int = 5,
    phy: bool = False,
) -> Story:
    """Make a fabric in which nothing happened but traffic; no port has ever had a physical error.

    Args:
        leaves: Leaf switches.
        spines: Spine switches.
        hosts: Hosts at each leaf.
        hcas: HCAs of each host.
        uplinks: Cables between each leaf and each spine.
        seed: Seed of GUIDs and traffic.
        phy: Whether the runs asked about the physical layer; it is as calm as the counters.
    """
    fabric = make_fabric(leaves, spines, hosts, hcas, seed, uplinks=uplinks, unused_ports=2)
    pair = healthy_pair(fabric, seed=seed)
    for sample in (pair.baseline, pair.current):
        for counts in sample.counters.values():
            counts.update(dict.fromkeys(NOISE, 0))
    if phy:
        calm_phy(pair, seed)
    return Story(pair)


def plain_db_csv(sample: Sample) -> str:
    """Print a db_csv as older versions do: no index, no comments, no second counter sample."""
    sections = (*SECTIONS, *(PHY_SECTIONS if sample.phy else ()))
    parts = [(name, [header, *rows_of(sample)]) for name, header, rows_of in sections if name != "PM_DELTA"]
    return "".join(f"START_{name}\n{chr(10).join(rows)}\nEND_{name}\n\n\n" for name, rows in parts)


def compare(baseline: str | Files, current: str | Files, policy: Policy = POLICY) -> Comparison:
    """Compare two collections: files, or the text of a db_csv that stands alone."""
    first, second = (
        _loaded(tuple(sorted(({FILE: side} if isinstance(side, str) else side).items())))
        for side in (baseline, current)
    )
    return pipeline.diff(first, second, policy=policy)


def checked(story: Story) -> Comparison:
    """Judge the current sample of a story on its own."""
    return pipeline.check(_loaded(tuple(sorted(story.files()[1].items()))))


@lru_cache(maxsize=8)
def _loaded(files: tuple[tuple[str, str], ...]) -> Snapshot:
    """Read the files of one collection."""
    with TemporaryDirectory() as directory:
        for name, text in files:
            Path(directory, name).write_text(text)
        return pipeline.load(Path(directory))


def saying(snapshot: Snapshot, said: Phys) -> Snapshot:
    """Add what ports say of their PHY to a snapshot, as a parser of a tool that prints it would."""
    schema = TABLES["phy"].schema
    rows = [
        {"node_guid": port.node_guid, "port_num": port.port_num, "source": "said", "origin": "said", **told}
        for port, told in said.items()
    ]
    sample = snapshot.latest
    sample_tables = dict(sample.tables)
    new = pa.Table.from_pylist(rows, schema=schema)
    old = sample_tables.get("phy")
    sample_tables["phy"] = new if old is None else pa.concat_tables([old.select(schema.names), new])
    return replace(snapshot, samples=(*snapshot.samples[:-1], replace(sample, tables=sample_tables)))


def found(story: Story, rule: str) -> list[Evidence]:
    """What one rule finds in a story."""
    return of(story.compare(), rule)


def of(comparison: Comparison, rule: str) -> list[Evidence]:
    """What one rule found in a comparison."""
    return [item for item in comparison.judgement.evidence if item.rule == rule]
