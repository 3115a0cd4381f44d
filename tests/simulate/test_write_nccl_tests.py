"""nccl-tests of a simulated fabric: laid out as real output; the worst path of a job limits it."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import fmean

import pytest
from benches import SEED, TREE, bus, contents, folder, incident, table
from conftest import real_file

from ibforensic.model.enums import Role
from ibforensic.simulate.faults import Fault, FaultKind
from ibforensic.simulate.nccl_run import SHARE, SHARP_GAIN, nccl_jobs
from ibforensic.simulate.pcie import Pcie
from ibforensic.simulate.write_nccl_tests import RUNS

NARROW = Fault(FaultKind.WIDTH_LOSS, tier=Role.HCA)


@pytest.fixture(scope="module")
def pair():
    return incident(NARROW)


@pytest.fixture(scope="module")
def both(pair, tmp_path_factory):
    directory = tmp_path_factory.mktemp("nccl")
    return (
        folder(directory / "baseline", pair.baseline, "nccl-tests"),
        folder(directory / "current", pair.current, "nccl-tests", pair.baseline),
    )


def jobs(sample):
    """Return the jobs by the beginning of the names of their files."""
    return {f"all_reduce_job{job.number:02d}": job for job in nccl_jobs(sample, SEED)}


def narrow_host(pair):
    """Return the name of the host behind the narrow link."""
    (key,) = [key for key, state in pair.current.links.items() if state.width == "2x"]
    (guid,) = {end.node_guid for end in key} & {
        hca.guid for hcas in pair.current.fabric.hosts.values() for hca in hcas
    }
    return pair.current.names[guid].split()[0]


def test_every_job_runs_several_times(pair, both):
    assert len(jobs(pair.baseline)) >= 2
    expected = {f"{name}_run{run}.log" for name in jobs(pair.baseline) for run in range(1, RUNS + 1)}
    assert set(contents(both[0])) == set(contents(both[1])) == expected


def test_who_takes_part_has_nothing_to_do_with_what_is_wrong():
    def members(*faults):
        sample = incident(*faults).current
        return [
            (job.number, [host.number for host in job.hosts], job.sharp) for job in nccl_jobs(sample, SEED)
        ]

    healthy = members()
    assert members(NARROW) == members(Fault(FaultKind.BAD_LINK)) == healthy
    assert members(Fault(FaultKind.DEAD_LINK, tier=Role.HCA)) == healthy


def test_bandwidths_agree_with_sizes_times_and_ranks(pair, both):
    for name, job in jobs(pair.baseline).items():
        share = 2 * (job.ranks - 1) / job.ranks
        for size, *sides in table(both[0] / f"{name}_run1.log"):
            for time, algorithm, bandwidth in (sides[:3], sides[3:]):
                assert algorithm == pytest.approx(size / time / 1e3, rel=0.005, abs=0.006)
                assert bandwidth == pytest.approx(algorithm * share, abs=0.016)


def test_the_average_is_that_of_the_table(both):
    for path in both[0].iterdir():
        told = float(re.search(r"# Avg bus bandwidth    : (\S+) $", path.read_text(), re.MULTILINE)[1])
        found = fmean(row[at] for row in table(path) for at in (3, 6))
        assert told == pytest.approx(found, abs=0.006)


def test_large_messages_get_what_the_links_give(pair, both):
    for name, best in bus(both[0]).items():
        job = jobs(pair.baseline)[name]
        line = 400 / 8 * len(job.rails)
        usual = line * SHARE * (SHARP_GAIN if job.sharp else 1)
        assert usual * 0.95 < best < usual
        assert table(both[0] / f"{name}_run1.log")[-1][2] < line


def test_time_grows_with_size_and_bandwidth_too(both):
    rows = table(next(both[0].iterdir()))
    assert [row[0] for row in rows] == [8 << step for step in range(31)]
    big = [row for row in rows if row[0] > 1 << 16]
    assert all(one[1] < other[1] and one[3] < other[3] * 1.005 for one, other in pairwise(big))
    assert rows[0][1] == pytest.approx(rows[10][1], rel=0.2)


def test_a_narrow_link_halves_its_job_and_no_other(pair, both):
    before, after, guilty = bus(both[0]), bus(both[1]), narrow_host(pair)
    hit = {name for name, job in jobs(pair.current).items() if guilty in [host.name for host in job.hosts]}
    assert len(hit) == 1
    for name in before:
        assert after[name] / before[name] == pytest.approx(0.5 if name in hit else 1, abs=0.02)


def test_a_bad_link_slows_down_its_job(tmp_path):
    found = incident(
        Fault(FaultKind.BAD_LINK, tier=Role.HCA, severity="high"), text="fat-tree:leaf=2,spine=1,hosts=2"
    )
    before = bus(folder(tmp_path / "a", found.baseline, "nccl-tests"))
    after = bus(folder(tmp_path / "b", found.current, "nccl-tests"))
    assert any(after[name] < 0.9 * before[name] for name in before)


def test_healthy_jobs_stay_as_they_were(tmp_path):
    found = incident(Fault(FaultKind.TRAFFIC_GROWTH), Fault(FaultKind.HOST_REBOOT))
    before = bus(folder(tmp_path / "a", found.baseline, "nccl-tests"))
    after = bus(folder(tmp_path / "b", found.current, "nccl-tests"))
    assert before.keys() == after.keys()
    for name in before:
        assert after[name] / before[name] == pytest.approx(1, abs=0.01)


def test_runs_differ_a_little(pair, both):
    for name in jobs(pair.baseline):
        best = [table(both[0] / f"{name}_run{run}.log")[-1][3] for run in range(1, RUNS + 1)]
        assert 0 < (max(best) - min(best)) / max(best) < 0.02


def test_a_slow_slot_limits_the_job_too():
    sample = incident().current
    (job, *_) = nccl_jobs(sample, SEED)
    sample.pcie[job.hosts[0].devices[1].node.guid] = Pcie(8.0, 16, 32.0)
    (limited, *_) = nccl_jobs(sample, SEED)
    assert limited.bus == pytest.approx(job.bus * 116 / 394.8, rel=0.02)


def test_a_dead_link_takes_its_rail_out_of_the_job(tmp_path):
    found = incident(Fault(FaultKind.DEAD_LINK, tier=Role.HCA))
    written = folder(tmp_path, found.current, "nccl-tests")
    short = [job for job in nccl_jobs(found.current, SEED) if len(job.rails) == 1]
    assert len(short) == 1
    text = (written / f"all_reduce_job{short[0].number:02d}_run1.log").read_text()
    devices = re.findall(r"NET/IB : Using (.*) \[RO\]", text)
    assert sorted(line.count("[") for line in devices) == [1, *[2] * (len(short[0].hosts) - 1)]
    assert "1 coll channels" in text


def test_a_dead_host_is_left_out():
    found = incident(Fault(FaultKind.DEAD_HOST))
    hosts = sum(len(job.hosts) for job in nccl_jobs(found.baseline, SEED))
    assert sum(len(job.hosts) for job in nccl_jobs(found.current, SEED)) == hosts - 1


def test_the_log_names_hosts_ranks_and_the_way(pair, both):
    for name, job in jobs(pair.baseline).items():
        text = (both[0] / f"{name}_run1.log").read_text()
        ranks = re.findall(r"#  Rank +(\d+) Group  0 Pid +(\d+) on +(\S+) device +(\d+) ", text)
        assert [int(rank) for rank, *_ in ranks] == list(range(job.ranks))
        assert [host for _, _, host, _ in ranks] == [h.name for h in job.hosts for _ in range(job.gpus)]
        assert ("COLLNET/SHARP" in text) is ("/IB/SHARP" in text) is job.sharp
        assert ("Using network IBext_v8" in text) is job.sharp
        speakers = {
            (line.split(":")[0], line.split(":")[1]) for line in text.splitlines() if "NCCL INFO" in line
        }
        assert speakers <= {(host, process) for _, process, host, _ in ranks}
        sends = re.findall(r"Channel (\d+)/0 : (\d+)\[\d+\] -> (\d+)\[\d+\] \[send\]", text)
        receives = re.findall(r"Channel (\d+)/0 : (\d+)\[\d+\] -> (\d+)\[\d+\] \[receive\]", text)
        assert sorted(sends) == sorted(receives)
        assert len(sends) == len(job.hosts) * len(job.rails)


def test_both_ways_of_adding_up_occur():
    text = "fat-tree:leaf=4,spine=2,hosts=8"
    found = {
        job.sharp for seed in range(4) for job in nccl_jobs(incident(text=text, phy=False).baseline, seed)
    }
    assert found == {True, False}
    assert {job.sharp for job in nccl_jobs(incident(text=text, speed="edr", phy=False).baseline, 1)} == {
        False
    }


def test_the_same_sample_gives_the_same_bytes(pair, both, tmp_path):
    assert contents(folder(tmp_path, pair.baseline, "nccl-tests")) == contents(both[0])


@pytest.mark.parametrize(("text", "speed"), [(TREE, "hdr"), ("planes:leaf=2,spine=2,hosts=3", "xdr")])
def test_other_generations(text, speed, tmp_path):
    written = folder(tmp_path, incident(text=text, speed=speed).current, "nccl-tests")
    best = max(bus(written).values())
    assert best > (40 if speed == "hdr" else 85)


SHAPES = (
    (r"^\S+:\d+:\d+ \[\d+\]", "H"),
    (r"0x[0-9a-f]+", "0x"),
    (r"on +\S+ device", "on N device"),
    (r"\] (Tesla|NVIDIA) .*", "] GPU"),
    (r"(\[\d+\]\w+:\d/IB(/SHARP)? )+", "DEVICES "),
    (r"(ib|eno)\d+(np0)?:", "I:"),
    (r"busId \w+", "busId 0"),
    (r"\[0000:\w\w:00\]", "[0]"),
    (r"Trees .*", "Trees"),
    (r"Channel \d+/\d+ : +[\d ]+$", "Channel 0 :"),
    (r"-?\d+(\.\d+)?", "0"),
    (r"/0\(0\)/", "/0/"),
)


def shape(line):
    """Return a line with its numbers and names made alike; of the table runs of blanks count."""
    for pattern, word in SHAPES:
        line = re.sub(pattern, word, line)
    return line.rstrip() if line.startswith("#") else re.sub(r" +", " ", line.rstrip())


def test_lines_have_the_shape_of_real_ones(both):
    paths = (
        "nccl/issues/nccl-tests-319-h100x16.txt",
        "nccl/issues/nccl-tests-293-a100pcie-hdr-debug-info.txt",
        "nccl/issues/nccl-sharp-collnet-a100.excerpt.log",
        "nccl/odissei/2nodes-all_reduce.log",
    )
    real = {shape(line) for path in paths for line in real_file(path).read_text().splitlines()}
    strange = set()
    for path in both[0].iterdir():
        command, *lines = path.read_text().splitlines()
        assert " mpirun -np " in command
        strange |= {shape(line) for line in lines if shape(line) not in real}
    # Only the receiving half of CollNet was seen in real logs.
    assert {line for line in strange if "[send] via COLLNET" not in line} == set()


def test_the_table_has_the_columns_of_real_ones(both):
    real = real_file("nccl/issues/nccl-tests-319-h100x16.txt").read_text().splitlines()
    ours = next(both[0].iterdir()).read_text().splitlines()
    titles = [line for line in real if line.startswith(("#     ", "#       size", "#        (B)"))]
    assert len(titles) == 3
    assert [line for line in ours if line in titles] == titles
    ends = [
        [
            found.end()
            for found in re.finditer(r"\S+", next(line for line in lines if line.startswith("  8589934592")))
        ]
        for lines in (real, ours)
    ]
    assert ends[0] == ends[1]
