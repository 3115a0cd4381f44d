"""What hosts say of their own ports, beside the files of a small fabric."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from small_fabric import Story

from ibforensic.model.ids import PortKey
from ibforensic.simulate.state import Sample
from ibforensic.simulate.write_ibstat import WRITER
from ibforensic.simulate.writers import Occasion


def hosts_speak(told: Story) -> None:
    """Lay ibstat of every host beside the files of both samples, as the hosts see things now."""
    for beside, sample in zip(told.beside, (told.pair.baseline, told.pair.current), strict=True):
        beside.update(ibstat(sample))


def hosts_still_say_so(told: Story) -> None:
    """The fabric lost a link, and the host calls its end of it active."""
    hosts_speak(told)
    told.unplug(told.hca())


def hosts_say_down(told: Story, *, always: bool = False) -> None:
    """The fabric shows a link, and the host calls its end of it down; perhaps it always did."""
    hosts_speak(told)
    for beside in told.beside if always else told.beside[1:]:
        beside.update({name: _down(text, told.hca()) for name, text in beside.items()})


def hosts_tell_another_rate(told: Story, *, always: bool = False, rate: str = "200") -> None:
    """The host of one HCA gives its port another rate than the fabric; perhaps it always did."""
    hosts_speak(told)
    for beside in told.beside if always else told.beside[1:]:
        beside.update({name: _at_rate(text, told.hca(), rate) for name, text in beside.items()})


def ibstat(sample: Sample) -> dict[str, str]:
    """Name → text of ibstat of every host."""
    with TemporaryDirectory() as directory:
        WRITER.write(Path(directory), sample, Occasion())
        return {file.name: file.read_text() for file in sorted(Path(directory).iterdir())}


def _at_rate(text: str, port: PortKey, rate: str) -> str:
    """Let one HCA of a host tell another rate in its ibstat."""
    head, guid, rest = text.partition(f"Node GUID: {port.node_guid}")
    first, word, behind = rest.partition("Rate: ")
    return head + guid + first + word + (rate + behind[behind.index("\n") :] if word else "")


def _down(text: str, port: PortKey) -> str:
    """Let one HCA of a host be down in its ibstat."""
    head, guid, rest = text.partition(f"Node GUID: {port.node_guid}")
    rest = rest.replace("State: Active", "State: Down", 1).replace("state: LinkUp", "state: Polling", 1)
    return head + guid + rest
