"""Settings documents of db_csv: one a node, without anything that changes by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from db_csv_files import HOST, LEAF, build
from hypothesis import given
from hypothesis import strategies as st

from ibforensic.parsers.db_csv import parse
from ibforensic.parsers.db_csv.topics import by_itself

FIXTURE = Path(__file__).parents[1] / "fixtures/db_csv/families.db_csv"
PKEY = "NodeGUID,PortGUID,LocalPortNum,BlockNum,Index,PKey,Membership"


def documents(parsed, part="document"):
    """Return (node, topic) → document."""
    return {
        (row["node_guid"], row["topic"]): json.loads(row[part])
        for row in parsed.tables["settings"].to_pylist()
    }


@pytest.fixture(scope="module")
def parsed():
    return parse("families", FIXTURE.read_bytes())


@pytest.mark.parametrize(
    ("node", "topic", "document"),
    [
        (LEAF, "ar_info", {"e": "1", "is_arn_sup": "1"}),
        (LEAF, "sm_info", {"GUID": LEAF, "Priority": "12", "SmState": "master"}),
        (HOST, "cc_enhanced_info", {"CC_Capability_Mask": "0x2", "ver0Supported": "1"}),
        (HOST, "cc_hca_general_settings", {"en_react": "1", "en_notify": "1"}),
        (
            HOST,
            "cc_hca_algo_config",
            {"algo_slot=0": {"algo_en": "1", "counter_en": "1", "algo_info_text": "zero touch, v1"}},
        ),
        (LEAF, "profiles_config", {"PortProfile": "1", "port 0": {"PortProfile": "0"}}),
        (
            LEAF,
            "ber_config",
            {
                "ProfileNum=1 BERType=2": {"en_thr": "0", "time_window": "4"},
                "ProfileNum=1 BERType=3": {"en_thr": "1", "time_window": "4"},
            },
        ),
        (LEAF, "qos_config_sl", {"SL=0": {"RateLimit": "100"}, "SL=1": {"RateLimit": "200"}}),
        (
            LEAF,
            "pkey",
            {
                "PKey=0x7fff": {"Membership": "full"},
                "PKey=0x0005": {"Membership": "limited"},
                "port 0": {"PKey=0x0005": None},
            },
        ),
        (HOST, "pkey", {"PKey=0x7fff": {"Membership": "limited"}}),
        (
            LEAF,
            "extended_port_info",
            {
                "EDRFECModeSupported": "0x000d",
                "EDRFECModeEnabled": "0x000d",
                "IsSpecialPort": "0",
                "SpecialPortType": "N/A",
                "port 65": {
                    "EDRFECModeSupported": "0x0000",
                    "EDRFECModeEnabled": "0x0000",
                    "IsSpecialPort": "1",
                    "SpecialPortType": "1",
                },
            },
        ),
        (LEAF, "general_info_smp", {"CapabilityMask_0": "0x11"}),
        (LEAF, "routers_info", {"CapabilityMask": "0x3", "NextHopTableCap": "64"}),
        (
            LEAF,
            "routers_next_hop_table",
            {
                "SubnetPrefix=0xfec0000000000001": {"Pkey": "0x7fff", "Weight": "1"},
                "SubnetPrefix=0xfec0000000000002": {"Pkey": "0x7fff", "Weight": "2"},
            },
        ),
        (LEAF, "n2n_key_info", {}),
        (LEAF, "sharp_an_info_table", {"endianness": "1"}),
        (HOST, "aguid", {"Index=0": {"AGUID": HOST}, "Index=1": {"AGUID": "0x0abc00000000a001"}}),
        (
            HOST,
            "vports",
            {"VPortIndex=0": {"VPortGuid": HOST, "VCapMask": "9", "VGuidCap": "8", "VPortProfile": "0x0"}},
        ),
        (
            HOST,
            "vnodes",
            {
                "VPortIndex=0": {
                    "VNodeDesc": "calc-1 mlx5_0",
                    "VNumberOfPorts": "1",
                    "VLocalPortNum": "1",
                    "VPartitionCap": "128",
                    "VNodeGuid": HOST,
                }
            },
        ),
    ],
)
def test_the_document_of_each_section(parsed, node, topic, document):
    assert documents(parsed)[node, topic] == document


def test_what_changes_by_itself_is_kept_beside(parsed):
    beside = documents(parsed, "rest")
    assert beside[LEAF, "sm_info"] == {"Sm_Key": "0x0000000000000001", "ActCount": "4711"}
    assert beside[LEAF, "ar_info"] == {"group_top": "300"}
    assert beside[LEAF, "n2n_key_info"] == {"N2NKey": "0xdead", "KeyProtectBit": "1"}
    assert beside[HOST, "vports"]["VPortIndex=0"]["VPortLid"] == "10"
    assert beside[LEAF, "qos_config_sl"]["SL=1"] == {"ShareCount": "8"}


def test_a_node_has_one_row_a_section(parsed):
    seen = [(row["node_guid"], row["topic"]) for row in parsed.tables["settings"].to_pylist()]
    assert len(seen) == len(set(seen))


def pkeys(*ports, key="0x7fff"):
    """Return the document of a switch with members of one partition."""
    lines = [f"{LEAF},{LEAF},{port},0,0,{key},1" for port in ports]
    return documents(parse("x", build(("PKEY", (PKEY, *lines)))))[LEAF, "pkey"]


@given(st.sets(st.integers(0, 64), min_size=1))
def test_a_port_that_is_down_changes_no_document(ports):
    assert pkeys(*ports) == pkeys(7)


def test_the_order_of_rows_changes_no_document():
    lines = [f"{LEAF},{LEAF},{port},0,0,0x7fff,{port % 2}" for port in range(1, 8)]
    assert documents(parse("x", build(("PKEY", (PKEY, *lines))))) == documents(
        parse("x", build(("PKEY", (PKEY, *reversed(lines)))))
    )


def test_equal_counts_of_ports_give_one_document():
    lines = [f"{LEAF},{LEAF},{port},0,0,0x7fff,{port % 2}" for port in (1, 2)]
    found = documents(parse("x", build(("PKEY", (PKEY, *lines)))))[LEAF, "pkey"]
    assert found == {
        "PKey=0x7fff": {"Membership": "limited"},
        "port 1": {"PKey=0x7fff": {"Membership": "full"}},
    }


@given(st.lists(st.text(max_size=6), min_size=1, max_size=4))
def test_any_text_gives_a_document(texts):
    cells = [text.replace('"', "").replace("\n", "").replace("\r", "") for text in texts]
    lines = [f'{LEAF},{LEAF},{port},"{cell}","{cell}"' for port, cell in enumerate(cells, 1)]
    parsed = parse("x", build(("QOS_CONFIG_SL", ("NodeGUID,PortGUID,PortNum,SL,Rate", *lines))))
    assert all(isinstance(document, dict) for document in documents(parsed).values())


def test_the_mark_between_cells_may_stand_in_a_cell():
    lines = ("NodeGUID,A,B", f"{LEAF},1\x1f2,3")
    (found,) = documents(parse("x", build(("HBF_CONFIG", lines)))).values()
    assert found == {"A": "1", "B": "2\x1f3"}


def test_rows_that_nothing_tells_apart_list_their_values():
    lines = ("NodeGUID,Mode", f"{LEAF},b", f"{LEAF},a", f"{LEAF},b")
    assert documents(parse("x", build(("HBF_CONFIG", lines)))) == {(LEAF, "hbf_config"): {"Mode": ["a", "b"]}}


def test_the_line_is_that_of_the_first_row():
    lines = ("NodeGUID,Mode", f"{HOST},a", f"{LEAF},a", f"{HOST},b")
    table = parse("x", build(("HBF_CONFIG", lines))).tables["settings"]
    assert (table["node_guid"].to_pylist(), table["line"].to_pylist()) == ([HOST, LEAF], [6, 7])


@pytest.mark.parametrize(
    "name",
    [
        *("LID", "VPortLid", "MasterSMLID", "global_router_lid_top", "PKEYViolations", "rx_pkt_count"),
        *("N2NKey", "Sm_Key", "UpTime", "HWInfo_UpTime", "BoardTemperature", "err_cntr", "Timestamp"),
    ],
)
def test_names_of_what_changes_by_itself(name):
    assert by_itself(name)


@pytest.mark.parametrize(
    "name",
    [
        *("PKey", "Pkey", "valid", "InvalidMode", "is_hbf_supported", "LifeTimeValue"),
        *("time_window", "weight", "SolidState"),
    ],
)
def test_names_of_settings(name):
    assert not by_itself(name)
