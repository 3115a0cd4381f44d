"""Values that were read off real files by eye, for formats whose other tests compare files with each other.

Every entry names a row by some of its cells and says what stands beside them in the file.
"""

from __future__ import annotations

import json

import pytest
from conftest import real_file

from ibforensic.parsers import claimant

NDR = "ibdiagnet/gary-ndr/ibdiagnet2"
UFM = "ibdiagnet/gary-ndr-ufm-default/ibdiagnet2"
NOTES = "mlxlink/blocks/magnate3__linux-riscv-dev/exercises2_soft_roce"
DETAILS = "diags/treydock/perfquery-rcv-error"
LEAF, SPINE = "0xb0cf0e0300e5b940", "0xb0cf0e0300d33fc0"

ROWS = {
    f"{NDR}.net_dump": (
        (
            "ports",
            {"node_guid": LEAF, "port_num": 2},
            {
                "port_label": "1/1/2",
                "state": "active",
                "width_active": "4x",
                "speed_active": "NDR",
                "fec": "RS_FEC_544_514",
                "peer_node_guid": "0x5c25730300d0c522",
            },
        ),
        ("ports", {"node_guid": LEAF, "port_num": 6}, {"port_label": "1/3/2", "fec": "MLNX_RS_271_257_PLR"}),
        ("nodes", {"node_guid": LEAF}, {"lid": 24, "node_desc": "Quantum-2 Mellanox Technologies"}),
    ),
    f"{NDR}.net_dump_ext": (
        (
            "ports",
            {"node_guid": LEAF, "port_num": 5},
            {
                "lid": 24,
                "port_label": "1/3/1",
                "state": "active",
                "rate_gbps": 400.0,
                "fec": "MLNX_RS_271_257_PLR",
            },
        ),
        ("ports", {"lid": 185, "port_num": 1}, {"fec": None, "width_active": "4x", "speed_active": "NDR"}),
        ("ports", {"node_guid": LEAF, "port_num": 24}, {"port_label": "1/12/2", "fec": "RS_FEC_544_514"}),
    ),
    f"{NDR}.lst": (
        (
            "nodes",
            {"node_guid": "0x5c257303009ab1c0"},
            {
                "node_type": "ca",
                "vendor_id": 0x2C9,
                "device_id": 0x1021,
                "num_ports": 1,
            },
        ),
        (
            "links",
            {"node_guid_a": "0x5c257303009ab1c0"},
            {"node_guid_b": "0xfc6a1c030091f9c0", "port_num_b": 12},
        ),
        (
            "links",
            {"node_guid_a": "0x5c25730300a1c5dc"},
            {"node_guid_b": "0xfc6a1c03008a4dc0", "port_num_b": 8},
        ),
    ),
    f"{NDR}.pm": (
        (
            "counters_pma",
            {"node_guid": SPINE, "port_num": 1, "basis": "cumulative"},
            {
                "port_xmit_pkts": 0x12526DB7,
                "port_rcv_pkts_ext": 0x1249761F,
                "port_xmit_data_ext": 0x45A9712343,
                "port_xmit_wait_ext": 0x23413832C,
                "link_downed_counter": 0,
            },
        ),
    ),
    f"{NDR}.nodes_info": (
        (
            "nodes",
            {"node_guid": SPINE},
            {
                "uptime_s": 0x152A11,
                "psid": "MT_0000000577",
                "device_id": 0xD2F2,
                "fw_version": "31.2012.1024",
            },
        ),
        ("nodes", {"node_guid": "0xfc6a1c030091cf00"}, {"uptime_s": 0x152A3E}),
    ),
    f"{NDR}.ibnetdiscover": (
        ("nodes", {"node_guid": SPINE}, {"num_ports": 65, "lid": 180, "node_type": "switch"}),
        ("ports", {"node_guid": SPINE, "port_num": 3}, {"port_label": "1/2/1", "peer_node_guid": LEAF}),
        ("ports", {"node_guid": SPINE, "port_num": 8}, {"peer_node_guid": "0xfc6a1c030091f600"}),
    ),
    f"{NDR}.cables": (
        (
            "modules",
            {"node_guid": LEAF, "port_num": 1},
            {
                "vendor": "FS",
                "part_number": "OSFP-SR8-800G",
                "serial": "G2430283435",
                "temperature_c": 58.0,
                "fw_version": "1.8.0",
                "tx_bias_lanes": "[7.242, 7.304, 7.326, 7.304]",
                "rx_power_lanes": None,
            },
        ),
    ),
    f"{NDR}.db_csv": (
        (
            "nodes",
            {"node_guid": SPINE, "origin": "db_csv:NODES"},
            {"num_ports": 65, "device_id": 54002, "vendor_id": 713},
        ),
        (
            "ports",
            {"node_guid": SPINE, "port_num": 1, "origin": "db_csv:PORTS"},
            {"state": "active", "width_active": "4x", "speed_active": "NDR"},
        ),
    ),
    f"{UFM}.vports": (
        (
            "VPORTS_TEXT",
            {"port_guid": "0x5c25730300d0b112"},
            {"lid": "1", "vlid": "1", "state": "INI", "index_cap": "16"},
        ),
    ),
    f"{UFM}.vports_pkey": (
        (
            "VPORTS_PKEY_TEXT",
            {"guid": "0xc470bd0300103ba2"},
            {"pkey": "0x7fff", "membership": "Full", "line": "17"},
        ),
    ),
    f"{NOTES}_mellanox_ibdump_md.12.show_gids.txt": (
        ("hosts", {"device": "mlx5_2"}, {"net_device": "ens6", "port_num": 1}),
        (
            "show_gids",
            {"device": "mlx5_3", "index": "3"},
            {"gid": "0000:0000:0000:0000:0000:ffff:c0a8:f239", "version": "v2", "net_device": "ens14f0"},
        ),
        (
            "show_gids",
            {"device": "mlx5_5"},
            {"gid": "fe80:0000:0000:0000:08c0:eb03:00ea:50de", "net_device": None},
        ),
    ),
    "diags/comment/perfquery-ofed-old-names.txt": (
        (
            "counters_pma",
            {"lid": 936, "port_num": 1},
            {
                "port_xmit_data": 905972985,
                "port_rcv_data": 2411533950,
                "port_rcv_pkts": 26264095,
                "symbol_error_counter": 0,
            },
        ),
    ),
    "diags/hyungkwang/perfquery-lid5-port13.txt": (
        (
            "counters_pma",
            {"lid": 5, "port_num": 13},
            {"port_xmit_data": 1596816, "port_rcv_pkts": 22179, "link_downed_counter": 0, "vl15_dropped": 0},
        ),
    ),
    f"{DETAILS}/0x7cfe9003009ce5b0-1.out": (
        (
            "counters_detail",
            {"node_guid": "0x7cfe9003009ce5b0", "port_num": 1},
            {"lid": 1719, "port_local_physical_errors": 0, "port_looping_errors": 0},
        ),
    ),
}


def parsed_file(file):
    path = real_file(file)
    data = path.read_bytes()
    parser = claimant(path.name, data)
    assert parser is not None, file
    return parser.parse(path.name, data)


@pytest.mark.parametrize(
    ("file", "table", "which", "beside"),
    [(file, *entry) for file, entries in ROWS.items() for entry in entries],
)
def test_what_stands_beside_it(file, table, which, beside):
    parsed = parsed_file(file)
    rows = (parsed.tables.get(table) or parsed.raw[table]).to_pylist()
    found = [row for row in rows if which.items() <= row.items()]
    assert found, which
    assert {name: found[0][name] for name in beside} == beside


@pytest.mark.parametrize(
    ("file", "entity", "document", "rest"),
    [
        (
            f"{NDR}.sm",
            SPINE,
            {"GUID": SPINE, "Priority": "12", "SmState": "master"},
            {"lid": "0x00b4", "Port": "0"},
        ),
        (f"{NDR}.pkey", SPINE, {"PKey=0x7fff": {"Membership": "full"}}, {"lid": "0x00b4", "dev": "54002"}),
        (
            f"{NDR}.pkey",
            "0x5c25730300a1f4dc",
            {"PKey=0x7fff": {"Membership": "full"}},
            {"lid": "0x00c4", "dev": "4129"},
        ),
        (
            "nccl/issues/topo-m-nic-sys.txt",
            "host",
            {
                "GPU0": {"GPU1": "SYS", "cpus": "24-47,72-95", "mlx5_0": "SYS"},
                "GPU1": {"GPU0": "SYS", "cpus": "24-47,72-95", "mlx5_0": "SYS"},
                "mlx5_0": {"GPU0": "SYS", "GPU1": "SYS"},
            },
            {},
        ),
    ],
)
def test_documents(file, entity, document, rest):
    rows = parsed_file(file).tables["settings"].to_pylist()
    found = {row["entity"]: row for row in rows}[entity]
    assert json.loads(found["document"]) == document
    assert rest.items() <= json.loads(found["rest"]).items()
