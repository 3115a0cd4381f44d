"""Code words that FEC could not repair: where retransmission works, it repairs most of them."""

from __future__ import annotations

from collections.abc import Iterator

from ibforensic.evidence import Scene
from ibforensic.inventory.base import counted
from ibforensic.model.inventory import Inventory

ORDER = 60

_NAMES = ("port_fec_uncorrectable_block_ctr", "rs_fec_uncorrectable_blocks")
_SAYS = (
    "Retransmission repairs these; many ports of a healthy fabric have some. Look at symbol errors for what "
    "was lost."
)
_MISSING = "run ibdiagnet with --extended_speeds all, or --get_phy_info"


def build(scene: Scene) -> Iterator[Inventory]:
    """List the ports by the first of the registers that was collected."""
    found = [scene.facts.physical.growth[name] for name in _NAMES]
    growth = next((one for one in found if one.told.any()), found[0])
    yield counted(scene, growth, "fec_uncorrectable", "Code words that FEC could not repair", _SAYS, _MISSING)
