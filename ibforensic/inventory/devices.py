"""What the fabric is made of: devices by model, board (PSID) and firmware, and the minorities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ibforensic.diff.view import Row as Node
from ibforensic.evidence import Scene
from ibforensic.model.devices import device_name
from ibforensic.model.enums import Role
from ibforensic.model.inventory import Grade, Inventory

ORDER = 10

MINORITY_SHARE = 0.1
"""A firmware or board that no more of a model have stands out (demand D-27)."""
_GPU = re.compile(r"\bG[BHV]\d{3}\b")
_KINDS = {Role.HCA: "HCA", Role.AGGREGATION: "aggregation node", Role.ROUTER: "router", Role.GPU: "GPU"}
_COLUMNS = ("Kind", "Model", "PSID", "Firmware")
_SAYS = "Several versions are usual; one that changed is news, which a comparison tells."
Kind = tuple[str, str, str | None, str | None]


def build(scene: Scene) -> Iterator[Inventory]:
    """Count devices by kind, model, PSID and firmware."""
    who, view = scene.facts.who, scene.facts.pair.current
    kinds = {guid: _kind(node, who.roles.get(guid)) for guid, node in view.nodes.items()}
    counts = Counter(kinds.values())
    models = Counter((kind, model) for kind, model, _, _ in kinds.values())
    examples: dict[Kind, str] = {}
    for guid in sorted(kinds):
        examples.setdefault(kinds[guid], who.name(guid))
    rare = {kind: _is_rare(kind, count, models[kind[:2]]) for kind, count in counts.items()}
    unit = ("node", "nodes")
    rows = {kind: (*kind, count, examples[kind]) for kind, count in counts.items()}
    order = sorted(counts, key=lambda kind: (-counts[kind], str(kind)))
    yield Inventory(
        "devices",
        "Devices by model, board and firmware",
        (*_COLUMNS, "Nodes", "For example"),
        tuple(rows[kind] for kind in order),
        len(kinds),
        unit,
    )
    few = [kind for kind in order if rare[kind]]
    yield Inventory(
        "minorities",
        "Devices with a board or firmware that few of their model have",
        (*_COLUMNS, "Nodes", "For example"),
        tuple(rows[kind] for kind in reversed(few)),
        sum(counts[kind] for kind in few),
        unit,
        _SAYS if few else "",
        Grade.NOTICE if few else Grade.INFO,
    )


def _kind(node: Node, role: Role | None) -> Kind:
    described = str(node["node_desc"] or node["node_name"] or "")
    kind = "GPU" if _GPU.search(described) else _KINDS.get(role, "switch") if role else "node"
    model = node["generation"] or device_name(node["device_id"])
    if not model:
        model = f"device {node['device_id']}" if node["device_id"] is not None else "not known"
    return kind, str(model), node["psid"], node["fw_version"]


def _is_rare(kind: Kind, count: int, whole: int) -> bool:
    """Whether a board or firmware is that of few devices of a model; what nobody tells is not rare."""
    return (kind[2] is not None or kind[3] is not None) and count <= MINORITY_SHARE * whole
