"""The other sections of ibdiagnet2.db_csv: one function a section, each gives its rows.

Values that a simulator has no use for are those of real ports of the same kind (atlas §2.4).
"""

from __future__ import annotations

from ibforensic.model.devices import DEVICES
from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimNode, cage_of, split_of
from ibforensic.simulate.spelling import (
    FEC_NOT_APPLICABLE,
    QUOTED_VERSIONS,
    SPEED_WORD,
    WIDTH_CODES,
    arguments,
    fec_code,
    timestamp,
)
from ibforensic.simulate.state import Sample

RUN_INFO = "IBDIAGNET_Version,IBDIAG_Version,IBDM_Version,IBIS_Version,Date,Args"
WARNINGS = "Scope,NodeGUID,PortGUID,PortNumber,EventName,Summary"
NODES = (
    "NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID,DeviceID,"
    "PartitionCap,revision,VendorID,LocalPortNum"
)
PORTS = (
    "NodeGuid,PortGuid,PortNum,MKey,GIDPrfx,MSMLID,LID,CapMsk,M_KeyLeasePeriod,DiagCode,LinkWidthActv,"
    "LinkWidthSup,LinkWidthEn,LocalPortNum,LinkSpeedEn,LinkSpeedActv,LMC,MKeyProtBits,LinkDownDefState,"
    "PortPhyState,PortState,LinkSpeedSup,VLArbHighCap,VLHighLimit,InitType,VLCap,MSMSL,NMTU,FilterRawOutb,"
    "FilterRawInb,PartEnfOutb,PartEnfInb,OpVLs,HoQLife,VLStallCnt,MTUCap,InitTypeReply,VLArbLowCap,"
    "PKeyViolations,MKeyViolations,SubnTmo,MulticastPKeyTrapSuppressionEnabled,ClientReregister,GUIDCap,"
    "QKeyViolations,MaxCreditHint,OverrunErrs,LocalPhyError,RespTimeValue,LinkRoundTripLatency,OOOSLMask,"
    "CapMsk2,FECActv,RetransActv"
)
SWITCHES = (
    "NodeGUID,LinearFDBCap,RandomFDBCap,MCastFDBCap,LinearFDBTop,DefPort,DefMCastPriPort,DefMCastNotPriPort,"
    "LifeTimeValue,PortStateChange,OptimizedSLVLMapping,LidsPerPort,PartEnfCap,InbEnfCap,OutbEnfCap,"
    "FilterRawInbCap,FilterRawOutbCap,ENP0,MCastFDBTop"
)
HIERARCHY = "NodeGUID,PortGUID,PortNum,Label,Bus,Device,Function,Type,SlotType,SlotValue,ASIC,Cage,Port,Split"
LINKS = "NodeGuid1,PortNum1,NodeGuid2,PortNum2"
SM_INFO = "NodeGUID,PortGUID,PortNumber,GUID,Sm_Key,ActCount,SmState,Priority"
SAMPLES_CONTROL = (
    "NodeGUID,PortGUID,PortNumber,Tick,CounterWidth,CounterMask0,CounterMasks1to9,CounterMasks10to14,"
    "SampleMechanisms,SampleStatus,OptionMask,VendorMask,SampleStart,SampleInterval,Tag,"
    + ",".join(f"CounterSelect{i}" for i in range(15))
)
NODES_INFO = (
    "NodeGUID,HWInfo_DeviceID,HWInfo_DeviceHWRevision,HWInfo_technology,HWInfo_UpTime,FWInfo_SubMinor,"
    "FWInfo_Minor,FWInfo_Major,FWInfo_BuildID,FWInfo_Year,FWInfo_Day,FWInfo_Month,FWInfo_Hour,FWInfo_PSID,"
    "FWInfo_INI_File_Version,FWInfo_Extended_Major,FWInfo_Extended_Minor,FWInfo_Extended_SubMinor,"
    "SWInfo_SubMinor,SWInfo_Minor,SWInfo_Major,CapabilityMask_0,CapabilityMask_1,CapabilityMask_2,"
    "CapabilityMask_3"
)
TEMP_SENSING = "NodeGUID,CurrentTemperature"

ABILITIES = {"QDR": 0x7, "EDR": 0x301, "HDR": 0x701, "NDR": 0xF01, "XDR": 0x100_0F01}
"""Fastest speed of a device → its word of supported speeds; switches have QDR too (atlas §4)."""
PLANE_COLUMNS = ",APort,Plane,NumOfPlanes"
"""What the header of PORT_HIERARCHY_INFO has besides on a fabric with planes; the order is not known."""

_ZERO_KEY = "0x0000000000000000"
_PREFIX = "0xfe80000000000000"


def run_info(sample: Sample) -> list[str]:
    """Return the row of RUN_INFO; the arguments of a bare run are an empty text."""
    return [f'{QUOTED_VERSIONS},"{timestamp(sample.taken_at)}","{arguments(sample)}"']


def no_response(sample: Sample) -> list[str]:
    """Return the warnings about aggregation nodes, which do not answer questions about firmware."""
    summary = '"No response for MAD VSGeneralInfo- status = 4"'
    nodes = (node for node in sample.seen_nodes() if node.role is Role.AGGREGATION)
    return [f"NODE,{node.guid},0x00,0x00,NODE_NO_RESPONSE,{summary}" for node in nodes]


def nodes(sample: Sample) -> list[str]:
    """Return the rows of NODES."""
    rows = []
    for node in sample.seen_nodes():
        kind, revision = (2, 160) if node.is_switch else (1, 0)
        ports = 1 if node.role is Role.AGGREGATION else node.inner_port or node.front_ports
        pkeys = {Role.HCA: 128, Role.AGGREGATION: 256}.get(node.role, 8)
        local = sample.up_ports(node)[0].port_num
        rows.append(
            f'"{sample.names[node.guid]}",{ports},{kind},1,1,{node.system_guid},{node.guid},{node.guid},'
            f"{node.chip.device_id},{pkeys},{revision},713,{local}"
        )
    return rows


def ports(sample: Sample) -> list[str]:
    """Return the rows of PORTS: port 0 of switches and every port that is up."""
    rows = []
    for node in sample.seen_nodes():
        local = sample.up_ports(node)[0].port_num
        if node.is_switch:
            rows.append(_port_zero(sample, node, local))
        rows += [_port(sample, node, port, local) for port in sample.up_ports(node)]
    return rows


def _port_zero(sample: Sample, node: SimNode, local: int) -> str:
    """Print the management port of a switch; without a management board it is mostly zeros."""
    keys = f"{node.guid},{node.guid},0,{_ZERO_KEY},{_PREFIX},{_manager(sample)},{sample.lids[node.guid]}"
    tail = "0,0,0,0,18,{0},0,1,0,0,{1},{1},19,0,N/A,1082,N/A,N/A"
    if node.managed:
        return (
            f"{keys},3880835146,0,0,2,3,3,{local},1,1,0,0,2,5,4,1,0,0,0,1,0,5,0,0,0,0,1,0,0,5,"
            + tail.format(1, 8)
        )
    return f"{keys},3847280712,0,0,0,0,0,{local},0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0," + tail.format(
        0, 0
    )


def _port(sample: Sample, node: SimNode, port: PortKey, local: int) -> str:
    """Print a port that is up."""
    link = sample.fabric.link_at[port]
    state = sample.links[link.key]
    width, speed = WIDTH_CODES[state.width], SPEED_WORD[state.speed]
    can = ABILITIES[node.chip.speed]
    inner = 0x607 if state.speed == "HDR" else 0xE07
    keys = f"{node.guid},{node.guid},{port.port_num},{_ZERO_KEY}"
    lid = f"{_PREFIX},{_manager(sample)},{sample.lids[node.guid]}"
    if node.role is Role.HCA:
        return (
            f"{keys},{lid},2807162952,0,0,{width},19,19,{local},{can},{speed},0,0,2,5,4,{can},8,4,0,3,0,5,0,0,0,0,3,0,0,"
            f"5,0,8,0,0,18,1,0,8,0,0,8,8,16,{link.round_trip},0x0,1074,{fec_code(link.fec, state)},0"
        )
    if node.role is Role.AGGREGATION:
        return (
            f"{keys},{lid},2218838088,0,0,2,3,3,{local},{inner},{speed | 4},0,0,2,5,4,{inner},2,"
            "0,0,2,0,5,0,0,0,0,2,0,0,5,0,2,0,0,18,0,0,1,0,0,8,8,19,0,N/A,1057,N/A,0"
        )
    if link.fec == FEC_NOT_APPLICABLE:
        return (
            f"{keys},{_ZERO_KEY},0,0,0,0,0,2,3,3,{local},{inner},{speed | 4},0,0,2,5,4,{inner},2,"
            "0,0,2,0,5,0,0,1,1,2,16,7,5,0,2,0,0,0,1,0,0,0,0,8,8,0,0,N/A,N/A,N/A,0"
        )
    return (
        f"{keys},{_ZERO_KEY},0,0,0,0,0,{width},19,19,{local},{can | 4},{speed | 4},0,0,2,5,4,{can | 4},"
        f"8,1,0,4,0,5,0,0,0,0,3,18,7,5,0,8,0,0,0,1,0,0,0,0,8,8,0,{link.round_trip},N/A,N/A,"
        f"{fec_code(link.fec, state)},0"
    )


def switches(sample: Sample) -> list[str]:
    """Return the rows of SWITCHES."""
    top = len(sample.lids)
    return [
        f"{n.guid},49152,0,{10240 if n.managed else 8192},{top},0,255,255,19,0,3,0,32,1,1,1,1,"
        f"{int(n.managed)},49183"
        for n in sample.seen_nodes()
        if n.is_switch
    ]


def hierarchy(sample: Sample) -> list[str]:
    """Return the rows of PORT_HIERARCHY_INFO: front ports of switches, also those that are down, and HCAs."""
    rows = []
    for node in sample.seen_nodes():
        numbers = range(1, node.front_ports + 1) if node.role is Role.HCA else node.shown_ports
        for number in numbers:
            port = PortKey(node.guid, number)
            label, place = sample.fabric.label(port), _place(node, number)
            plane = sample.fabric.plane(port)
            tail = ",{},{},{}".format(*plane) if plane else ""
            rows.append(f'{node.guid},{node.guid},{number},"{label}",{place}{tail}')
    return rows


def _place(node: SimNode, number: int) -> str:
    """Print where a port is: the PCI address of an HCA, or ASIC, cage, port and split of a switch."""
    if node.role is Role.HCA:
        return f"{node.bus},0,0,N/A,N/A,N/A,N/A,0,0,{number}"
    whole, part = split_of(number) if node.split else (number, "N/A")
    if not node.chip.caged:
        return f"N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,{whole},{part}"
    cage, half = cage_of(whole)
    return f"N/A,N/A,N/A,N/A,N/A,N/A,{node.asic},{cage},{half},{part}"


def links(sample: Sample) -> list[str]:
    """Return the rows of LINKS: each link that is up, once."""
    return [
        f"{a.node_guid},{a.port_num},{b.node_guid},{b.port_num}"
        for a, b in (link.key for link in sample.up_links())
    ]


def sm_info(sample: Sample) -> list[str]:
    """Return the row of SM_INFO: the first switch is the subnet manager."""
    guid = master(sample).guid
    return [f"{guid},{guid},0,{guid},0x0000000000000001,4202301,3,12"]


def samples_control(sample: Sample) -> list[str]:
    """Return the rows of PM_PORT_SAMPLES_CONTROL."""
    unused = ",".join(("0x0000000000000000", "0x00000000", "0x00000000", *("0x0000",) * 16))
    rows = []
    for node in sample.seen_nodes():
        hca = node.role is Role.HCA
        ticks = DEVICES[node.chip.device_id].wait_tick_bytes or 8
        masks, options = ("0x03000000", "0x01a6000010cc33c0") if hca else ("0x00000000", "0x01800000008cf7fc")
        for port in sample.up_ports(node):
            keys = f"{node.guid},{node.guid},{port.port_num}"
            rows.append(f"{keys},0x{ticks - 1:02x},0x04,0x03,{masks},0x0000,0x00,0x00,{options},{unused}")
    return rows


def nodes_info(sample: Sample) -> list[str]:
    """Return the rows of NODES_INFO; uptimes and firmware versions are hex."""
    rows = []
    for node in sample.seen_nodes():
        uptime = f"0x{sample.uptimes[node.guid]:08x}"
        none = "0x00,0x00,0x00,0x00000000"
        device, version = f"0x{node.chip.device_id:04x}", _words(sample.firmware_of(node))
        if node.is_switch:
            psid = node.chip.psid if node.managed else node.chip.unmanaged_psid
            masks = "0x0d1d01f4" if node.managed else "0x0d1d01f6"
            rows.append(
                f"{node.guid},{device},0x00a0,4,{uptime},{none},0x2023,0x09,0x08,0x0551,{psid},0x00000000,"
                f"{version},0x00,0x00,0x00,{masks},0x00000286,0x00000000,0x00000000"
            )
        elif node.role is Role.HCA:
            rows.append(
                f"{node.guid},{device},0x0000,4,{uptime},{none},0x2024,0x04,0x02,0x0012,{node.chip.psid},0x00000000,"
                f"{version},0x00,0x00,0x00,0x001d00e0,0x00000036,0x00000000,0x00000000"
            )
    return rows


def _words(firmware: tuple[int, int, int]) -> str:
    """Print a firmware version: three words of 32 bits."""
    return ",".join(f"0x{number:08x}" for number in firmware)


def temperatures(sample: Sample) -> list[str]:
    """Return the rows of TEMP_SENSING."""
    return [f"{node.guid},{sample.temperatures[node.guid]}" for node in sample.seen_nodes()]


def master(sample: Sample) -> SimNode:
    """Return the switch on which the subnet manager runs."""
    return next(node for node in sample.fabric.switches if sample.up_ports(node))


def _manager(sample: Sample) -> int:
    """Return the LID of the subnet manager."""
    return sample.lids[master(sample).guid]
