"""A device that did not answer on its own host is named, not only called missing."""

from __future__ import annotations

from small_fabric import compare

DEVICE = """CA 'mlx5_{device}'
	CA type: MT4129
	Number of ports: 1
	Node GUID: 0x020000000001{device}000
	Port 1:
		State: Active
		Physical state: LinkUp
		Rate: 400
		Base lid: {lid}
		Port GUID: 0x020000000001{device}000
		Link layer: InfiniBand
"""
FAILED = "ibpanic: [77] main: stat of IB device 'mlx5_{device}' failed: No such device\n"
ANSWERED = {"gpu1.ibstat": "".join(DEVICE.format(device=device, lid=20 + device) for device in range(3))}


def gap(comparison) -> dict:
    gaps = comparison.document["coverage"]["not_judged"]
    return next((one for one in gaps if one["message"] == "not_judged.failed_device"), {})


def test_the_device_is_named_with_its_host():
    now = {"gpu1.ibstat": DEVICE.format(device=0, lid=20) + FAILED.format(device=1)}
    found = gap(compare(ANSWERED, now))
    assert (found["count"], found["examples"]) == (1, ["gpu1 mlx5_1"])
    assert "in the current sample it did not answer" in found["text"]
    assert "lspci" in found["help"]


def test_mlxlink_tells_it_too():
    files = {
        f"gpu1_mlx5_{device}.mlxlink.txt": f"$ mlxlink -d mlx5_{device}\n-E- Failed to open device\n"
        for device in (1, 2)
    }
    found = gap(compare(ANSWERED, {**ANSWERED, **files}))
    assert found["examples"] == ["gpu1 mlx5_1", "gpu1 mlx5_2"]


def test_where_all_answer_there_is_no_such_gap():
    later = {"gpu1.ibstat": ANSWERED["gpu1.ibstat"].replace("Rate: 400", "Rate: 200")}
    assert gap(compare(ANSWERED, later)) == {}
