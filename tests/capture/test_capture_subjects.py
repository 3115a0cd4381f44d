"""Lines of logs that name ports by host and label are joined to the ports of their own collection."""

from __future__ import annotations

import pytest
from raw_output import write

from ibforensic.capture import capture

LEAF, HCA, OLD, TWIN, TWIN2 = (f"0x02000000000000{end}" for end in ("aa", "b0", "c0", "d0", "d1"))
HCA_PORT, SYSTEM = "0x02000000000000b1", "0x02000000000000bf"


def database(began: str = "2031-01-01 10:00:00") -> bytes:
    """Return a db_csv with a switch, HCAs named in the new and the old way, and two of one name."""
    return "\n".join(
        [
            "START_RUN_INFO",
            "IBDIAGNET_Version,Date,Args",
            f'"IBDIAGNET 2.12.0","{began} UTC +0000"," -o /tmp/out"',
            "END_RUN_INFO",
            "START_NODES",
            "NodeDesc,NumPorts,NodeType,SystemImageGUID,NodeGUID,PortGUID,DeviceID",
            f'"MF0;leaf-1:MQM9700/U1",65,2,{LEAF},{LEAF},{LEAF},54002',
            f'"host-a mlx5_3",1,1,{SYSTEM},{HCA},{HCA_PORT},4129',
            f'"host-b HCA-1",2,1,{OLD},{OLD},{OLD},4129',
            f'"twin mlx5_0",1,1,{TWIN},{TWIN},{TWIN},4129',
            f'"twin mlx5_0",1,1,{TWIN2},{TWIN2},{TWIN2},4129',
            "END_NODES",
            "START_PORTS",
            "NodeGuid,PortGuid,PortNum,LID,PortState,PortPhyState,LinkWidthActv,LinkSpeedActv",
            f"{HCA},{HCA_PORT},1,6,4,5,2,2049",
            f"{OLD},{OLD},2,7,4,5,2,2049",
            "END_PORTS",
            "START_PORT_HIERARCHY_INFO",
            "NodeGUID,PortGUID,PortNum,Label",
            f'{LEAF},{LEAF},5,"1/3/1"',
            f'{LEAF},{LEAF},7,"5"',
            f'{HCA},{HCA_PORT},1,"B24D0F0/0/0/1"',
            "END_PORT_HIERARCHY_INFO",
            "",
        ]
    ).encode()


def log(*lines: str, began: str = "2031-01-01 10:00:00") -> bytes:
    """Return a log with one stage."""
    head = ['Running version: "IBDIAGNET 2.12.0"', f"Running timestamp: {began} UTC +0000"]
    body = ["-" * 45, "Links Check", "-E- Odd Check finished with errors", *lines]
    return "\n".join([*head, *body, "", "-I- Database    : /tmp/out/ibdiagnet2.db_csv", ""]).encode()


def about(tmp_path, subject: str, **more) -> tuple:
    """Return whom a line about a subject is about: scope, node and port."""
    files = {"ibdiagnet2.db_csv": database(), "ibdiagnet2.log": log(f"-E- {subject} - is odd", **more)}
    (sample,) = capture(write(tmp_path, files)).samples
    events = [row for row in sample.tables["events"].to_pylist() if row["text"].endswith("is odd")]
    return next((row["scope"], row["node_guid"], row["port_num"]) for row in events)


@pytest.mark.parametrize(
    ("subject", "found"),
    [
        ("leaf-1/U1/P1/3/1", ("port", LEAF, 5)),
        ("leaf-1/U1/1/3/1", ("port", LEAF, 5)),
        ("leaf-1/U1", ("node", LEAF, None)),
        ("leaf-1/U1/P1/99/1", ("node", LEAF, None)),
        ("host-a/mlx5_3/B24D0F0/0/0/1", ("port", HCA, 1)),
        ("host-a/mlx5_3/P1", ("port", HCA, 1)),
        ("host-b/U1/P2", ("port", OLD, 2)),
        (f"S{SYSTEM[2:]}/mlx5_3/P1", ("port", HCA, 1)),
        (f"S{LEAF[2:]}/N{LEAF[2:]}/P1/3/1", ("port", LEAF, 5)),
        (f"S{LEAF[2:]}/N{LEAF[2:]}/P20", ("port", LEAF, 20)),
        ("Link: nobody/mlx5_0/P1<-->host-b/U1/P2", ("port", OLD, 2)),
        ("Link: leaf-1/U1/P1/3/1<-->host-b/U1/P2", ("port", LEAF, 5)),
    ],
)
def test_every_form_of_name(tmp_path, subject, found):
    assert about(tmp_path, subject) == found


@pytest.mark.parametrize("subject", ["twin/mlx5_0/P1", "nobody/mlx5_0/P1", "leaf-1", "N/A"])
def test_what_is_ambiguous_or_unknown_stays_without_a_node(tmp_path, subject):
    assert about(tmp_path, subject) == (None, None, None)


def test_a_label_that_is_the_number_of_another_port_is_ambiguous(tmp_path):
    assert about(tmp_path, "leaf-1/U1/P5") == ("node", LEAF, None)


def test_a_log_of_another_run_is_left_alone(tmp_path):
    assert about(tmp_path, "host-a/mlx5_3/P1", began="2030-01-01 10:00:00") == (None, None, None)


def test_ibdiagnet_1_gives_the_guid_of_a_port(tmp_path):
    screen = f"Loading IBDIAGNET from: /x/ibdiagnet1.5.7\n-W- lid=0x0006 guid={HCA_PORT} dev=4129 Port=1\n"
    (sample,) = capture(write(tmp_path, {"ibdiagnet2.db_csv": database(), "s.txt": screen.encode()})).samples
    (event,) = sample.tables["events"].to_pylist()
    assert (event["scope"], event["node_guid"], event["port_num"]) == ("port", HCA, 1)


def test_without_nodes_nothing_is_joined_and_nothing_raises(tmp_path):
    (sample,) = capture(write(tmp_path, {"ibdiagnet2.log": log("-E- host-a/mlx5_3/P1 - is odd")})).samples
    assert sample.tables["events"]["node_guid"].to_pylist() == [None, None]
