"""What ibdiagnet says of the PCIe of HCAs: a check of its plugin for the physical layer.

The title of the check, and with it the name of the section, are real (FIELD §2, atlas §2.5). No line of it
was seen: the name of the event and the words of the summary are made up in the shape of other checks.
"""

from __future__ import annotations

from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimNode
from ibforensic.simulate.port_titles import port_name
from ibforensic.simulate.spelling import asks_phy
from ibforensic.simulate.state import Sample

TITLE = "PCI degradation check"


def degradations(sample: Sample) -> list[tuple[SimNode, str]]:
    """Return the HCAs that discovery reaches and that run below their best PCIe, and what to say of them."""
    found = []
    for node in sample.seen_nodes() if sample.pcie else ():
        pcie = sample.pcie.get(node.guid)
        if pcie is not None and pcie.degraded:
            found.append(
                (
                    node,
                    f"PCI link degradation: active x{pcie.width} at {pcie.speed:g} GT/s - "
                    f"possible x{pcie.best_width} at {pcie.best_speed:g} GT/s",
                )
            )
    return found


def pci_warnings(sample: Sample) -> list[str]:
    """Return the rows of WARNINGS_PCI_DEGRADATION_CHECK."""
    return [
        f'NODE,{node.guid},0x00,0x00,PCI_LINK_DEGRADATION,"{text}"' for node, text in degradations(sample)
    ]


def pci_check(sample: Sample, most: int) -> list[str]:
    """Return the lines of the log about the check; none where the run does not ask.

    Args:
        sample: What the run sees.
        most: How many warnings the log shows.
    """
    if not asks_phy(sample):
        return []
    found = degradations(sample)
    lines = [f"-{'W' if found else 'I'}- {TITLE} finished {'with warnings' if found else 'successfully'}"]
    for node, text in found[:most]:
        lines.append(f"-W- {port_name(sample, shown_port(sample, node))} - {text}")
    return lines


def shown_port(sample: Sample, node: SimNode) -> PortKey:
    """Return the port by which the log names an HCA: its first one that is up."""
    return sample.up_ports(node)[0]
