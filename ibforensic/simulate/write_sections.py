"""The other sections of ibdiagnet2.db_csv: one function a section, each gives its rows.

Values that a simulator has no use for are those of real ports of the same kind (atlas §2.4).
"""

from __future__ import annotations

from ibforensic.model.enums import Role
from ibforensic.model.ids import PortKey
from ibforensic.simulate.fabric import SimNode, cage_of
from ibforensic.simulate.spelling import (
    DEVICE_IDS,
    FEC_NOT_APPLICABLE,
    QUOTED_VERSIONS,
    SPEED_BYTE,
    WIDTH_CODES,
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

_ZERO_KEY = "0x0000000000000000"
_PREFIX = "0xfe80000000000000"


def run_info(sample: Sample) -> list[str]:
    """Return the row of RUN_INFO; the arguments of a bare run are an empty text."""
    return [f'{QUOTED_VERSIONS},"{timestamp(sample.taken_at)}",""']


def no_response(sample: Sample) -> list[str]:
    """Return the warnings about aggregation nodes, which do not answer questions about firmware."""
    summary = '"No response for MAD VSGeneralInfo- status = 4"'
    nodes = (node for node in sample.seen_nodes() if node.role is Role.AGGREGATION)
    return [f"NODE,{node.guid},0x00,0x00,NODE_NO_RESPONSE,{summary}" for node in nodes]


def nodes(sample: Sample) -> list[str]:
    """Return the rows of NODES."""
    rows = []
    for node in sample.seen_nodes():
        ports, kind, revision = (65, 2, 160) if node.is_switch else (1, 1, 0)
        pkeys = {Role.HCA: 128, Role.AGGREGATION: 256}.get(node.role, 8)
        local = sample.up_ports(node)[0].port_num
        rows.append(
            f'"{sample.names[node.guid]}",{ports},{kind},1,1,{node.system_guid},{node.guid},{node.guid},'
            f"{DEVICE_IDS[node.role]},{pkeys},{revision},713,{local}"
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
    width, speed = WIDTH_CODES[state.width], SPEED_BYTE[state.speed] << 8
    keys = f"{node.guid},{node.guid},{port.port_num},{_ZERO_KEY}"
    lid = f"{_PREFIX},{_manager(sample)},{sample.lids[node.guid]}"
    if node.role is Role.HCA:
        return (
            f"{keys},{lid},2807162952,0,0,{width},19,19,{local},3841,{speed},0,0,2,5,4,3841,8,4,0,3,0,5,0,0,0,0,3,0,0,"
            f"5,0,8,0,0,18,1,0,8,0,0,8,8,16,{link.round_trip},0x0,1074,{fec_code(link.fec, state)},0"
        )
    if node.role is Role.AGGREGATION:
        return (
            f"{keys},{lid},2218838088,0,0,2,3,3,{local},3591,2052,0,0,2,5,4,3591,2,0,0,2,0,5,0,0,0,0,2,0,0,"
            "5,0,2,0,0,18,0,0,1,0,0,8,8,19,0,N/A,1057,N/A,0"
        )
    if link.fec == FEC_NOT_APPLICABLE:
        return (
            f"{keys},{_ZERO_KEY},0,0,0,0,0,2,3,3,{local},3591,2052,0,0,2,5,4,3591,2,0,0,2,0,5,0,0,1,1,2,16,7,"
            "5,0,2,0,0,0,1,0,0,0,0,8,8,0,0,N/A,N/A,N/A,0"
        )
    return (
        f"{keys},{_ZERO_KEY},0,0,0,0,0,{width},19,19,{local},3845,{speed | 4},0,0,2,5,4,3845,8,1,0,4,0,"
        f"5,0,0,0,0,3,18,7,5,0,8,0,0,0,1,0,0,0,0,8,8,0,{link.round_trip},N/A,N/A,"
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
        if node.role is Role.HCA:
            label = sample.fabric.label(PortKey(node.guid, 1))
            rows.append(f'{node.guid},{node.guid},1,"{label}",{node.bus},0,0,N/A,N/A,N/A,N/A,0,0,1')
        for number in node.shown_ports:
            cage, half = cage_of(number)
            place = f"N/A,N/A,N/A,N/A,N/A,N/A,1,{cage},{half},N/A"
            rows.append(f'{node.guid},{node.guid},{number},"1/{cage}/{half}",{place}')
    return rows


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
        masks, options = ("0x03000000", "0x01a6000010cc33c0") if hca else ("0x00000000", "0x01800000008cf7fc")
        for port in sample.up_ports(node):
            keys = f"{node.guid},{node.guid},{port.port_num}"
            rows.append(f"{keys},0x07,0x04,0x03,{masks},0x0000,0x00,0x00,{options},{unused}")
    return rows


def nodes_info(sample: Sample) -> list[str]:
    """Return the rows of NODES_INFO: switches have firmware 31.2012.1068, HCAs 28.40.1000; uptimes in hex."""
    rows = []
    for node in sample.seen_nodes():
        uptime = f"0x{sample.uptimes[node.guid]:08x}"
        none = "0x00,0x00,0x00,0x00000000"
        if node.is_switch:
            psid, masks = ("577", "0x0d1d01f4") if node.managed else ("579", "0x0d1d01f6")
            rows.append(
                f"{node.guid},0xd2f2,0x00a0,4,{uptime},{none},0x2023,0x09,0x08,0x0551,MT_0000000{psid},0x00000000,"
                f"0x0000001f,0x000007dc,0x0000042c,0x00,0x00,0x00,{masks},0x00000286,0x00000000,0x00000000"
            )
        elif node.role is Role.HCA:
            rows.append(
                f"{node.guid},0x1021,0x0000,4,{uptime},{none},0x2024,0x04,0x02,0x0012,MT_0000001120,0x00000000,"
                "0x0000001c,0x00000028,0x000003e8,0x00,0x00,0x00,0x001d00e0,0x00000036,0x00000000,0x00000000"
            )
    return rows


def temperatures(sample: Sample) -> list[str]:
    """Return the rows of TEMP_SENSING."""
    return [f"{node.guid},{sample.temperatures[node.guid]}" for node in sample.seen_nodes()]


def master(sample: Sample) -> SimNode:
    """Return the switch on which the subnet manager runs."""
    return next(node for node in sample.fabric.switches if sample.up_ports(node))


def _manager(sample: Sample) -> int:
    """Return the LID of the subnet manager."""
    return sample.lids[master(sample).guid]
