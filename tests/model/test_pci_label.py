"""Labels of HCAs: the address on the PCI bus, as lspci writes it."""

from __future__ import annotations

import pytest

from ibforensic.model.pci_label import pci_address, shown_label


@pytest.mark.parametrize(
    ("label", "address"),
    [("B193D0F0/0/0/1", "c1:00.0"), ("B24D10F1", "18:0a.1"), ("B0D31F7/0/0/2", "00:1f.7")],
)
def test_bus_device_and_function_are_decimal(label, address):
    assert pci_address(label) == address
    assert shown_label(label) == f"PCI {address}"


@pytest.mark.parametrize(
    "label", ["1/17/2", "12", "", "B256D0F0/0/0/1", "B1D32F0", "B1D0F8", "xB1D0F0", "B1D0F0x"]
)
def test_labels_of_any_other_shape_stay(label):
    assert pci_address(label) is None
    assert shown_label(label) == label
