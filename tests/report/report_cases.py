"""Documents for the tests of the report, built through the model. All names are invented."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from ibforensic.model.advice import Action, Command, Place
from ibforensic.model.closeup import Around, ByLane, Neighbours, Part, Step
from ibforensic.model.document import Coverage, Result, Side, document
from ibforensic.model.enums import (
    Component,
    DeltaClass,
    Level,
    Severity,
    Strength,
    Verdict,
    VictimBy,
)
from ibforensic.model.ids import PortKey, link_key
from ibforensic.model.ignoring import Ignore, Ignored, Purpose, Standing
from ibforensic.model.records import (
    Change,
    Confidence,
    Evidence,
    Fitness,
    Note,
    NotJudged,
    PortRef,
    SourceRecord,
    Suspect,
    Victim,
    Window,
    say,
)

T0 = datetime(2024, 5, 1, 8, 3, tzinfo=UTC)
T1 = T0 + timedelta(days=7, hours=3)


def guid(number: int) -> str:
    return f"0x{number:016x}"


def leaf(number: int, port: int) -> PortKey:
    return PortKey(guid(0x1000 + number), port)


def hca(number: int) -> PortKey:
    return PortKey(guid(0x9000 + number), 1)


def names(key: PortKey) -> PortRef:
    number = int(key.node_guid, 16)
    if number >= 0x9000:
        return PortRef(key, f"gpu-{number - 0x9000:03d} mlx5_0", None, None, "hca")
    return PortRef(
        key, f"leaf-{number - 0x1000:02d}", f"1/{key.port_num}/1" if key.port_num else None, None, "leaf"
    )


def named(name: str):
    """Names of a fabric in which every node has the same name, and every label too."""
    return lambda key: PortRef(key, name, name, None, "leaf", name)


def evidence(where: PortKey, towards: PortKey | None = None, **extra: Any) -> Evidence:
    values: dict[str, Any] = {
        "before": 0,
        "after": 1204,
        "unit": "errors",
        "exposure": 3.1e15,
        "exposure_unit": "bits",
        "strength": Strength.STRONG,
        "source": "now/ibdiagnet2.db_csv:8812",
        **extra,
    }
    told = values.pop("told", "Symbol errors rose from 0 to 1,204 while the link was up")
    return Evidence(
        "symbol_errors",
        say("symbol_errors", "{told}", told=told),
        where=where,
        towards=towards or where,
        **values,
    )


def place(kind: str = "HDR optical switch ports") -> Place:
    """The highest of many ports."""
    levels = {"min": 0.0, "p25": 0.0, "p50": 1.0, "p75": 2.0, "p99": 9.0, "max": 1204.0}
    words = say("place.first", "the highest of 1,204 {kind}", kind=kind)
    return Place(words, "symbol_error_counter", kind, False, 1, 1204, 99.9, 1204.0, levels)


def advice(text: str = "leaf-01 port 12") -> dict[str, Any]:
    """What goes with a suspect beside the evidence; a text that stands in all of it."""
    return {
        "actions": (
            Action(say("reseat", "Reseat the transceiver.")),
            Action(say("step.cable", "Swap the cable of {text}.", text=text), say("step.seen", "calm")),
        ),
        "disproof": (say("disproof.cable", "If the errors stay at {text}, it is the port.", text=text),),
        "missing": (
            NotJudged(
                "bit error ratios",
                say("missing.phy", "no bit error ratios of {text}", text=text),
                "run ibdiagnet with --get_phy_info",
                1,
                (text,),
            ),
        ),
        "confirm": (
            Command("perfquery -x 12 4", "", say("confirm.perfquery", "the counters of {text}", text=text)),
            Command("ibstat mlx5_0", text, say("confirm.ibstat", "what the host sees")),
        ),
    }


def closeup(near: PortKey, far: PortKey, name: str = "spine-01") -> dict[str, Any]:
    """What is plugged in at the ends, and who is next to them; a name that stands in all of it."""
    return {
        "parts": (Part(near, name, "OPT-400", f"SN-{name}", False), Part(far, None, None, "SN-2", True)),
        "around": (
            Around(
                near.node_guid,
                name,
                "leaf",
                (Neighbours("hca", 31, (), 0), Neighbours("spine", 4, (name,), 1)),
            ),
            Around(far.node_guid, name, "hca", ()),
        ),
    }


LANES = ByLane("received light", "dBm", (1.0, 0.9, None, 1.1), (-4.2, 0.8, 0.7, None))
STEPS = (
    Step("2024-05-08T10:00:00Z", 1200, 600000.0, "exact"),
    Step("2024-05-08T10:10:00Z", 4, 600.0, "at_least"),
    Step("2024-05-08T10:20:00Z", None, None, "unknown"),
)


def suspect(rank: int = 1, victims: int = 0, **extra: Any) -> Suspect:
    near, far = leaf(rank, 12), hca(rank)
    values: dict[str, Any] = {
        "score": 23.1 - rank / 10,
        "component": Component.TRANSCEIVER,
        "severity": Severity.CRITICAL if rank == 1 else Severity.MINOR,
        "confidence": Confidence(max(0.97 - rank / 50, 0.2), 0.91 if rank == 1 else 0.6, 0.7),
        "headline": say(
            "transceiver",
            "The transceiver at leaf-{n} corrupts what it receives from the HCA.",
            n=f"{rank:02d}",
        ),
        "next_action": say(
            "reseat", "Reseat the transceiver in cage {c}; if errors go on, replace it.", c="1/12"
        ),
        "link": link_key(near, far),
        "end": near,
        "direction": (far, near),
        "evidence": (
            evidence(
                near,
                told="The bit error rate after correction is 3.4e-9, a million times the limit",
                before=1.2e-15,
                after=3.4e-9,
                unit="BER",
                delta=DeltaClass.AT_LEAST,
                strength=Strength.DECISIVE,
                exposure=615600.0,
                exposure_unit="seconds",
            ),
            evidence(near, place=place(), steps=STEPS),
            evidence(
                near,
                far,
                told="The receiver gets little light",
                before=None,
                after=-9.1,
                unit="dBm",
                delta=DeltaClass.UNKNOWN,
                exposure=None,
                lanes=LANES,
            ),
        ),
        **advice(),
        **closeup(near, far),
        "victims": tuple(
            Victim(leaf(40 + i, 3), VictimBy.EBP, evidence(leaf(40 + i, 3))) for i in range(victims)
        ),
        **extra,
    }
    return Suspect(rank=rank, **values)


def changes(count: int) -> tuple[Change, ...]:
    """As many changes of four kinds, most of them clears."""
    kinds = (
        "counters_cleared",
        "counters_cleared",
        "counters_cleared",
        "node_rebooted",
        "node_renamed",
        "link_gone",
    )
    return tuple(
        Change(
            kind := kinds[i % len(kinds)],
            say(kind, "leaf-{n}: " + kind.replace("_", " "), n=f"{i:04d}"),
            guid(0x1000 + i),
            before="yes",
            after=None,
            group="leaf" if i % 2 else "hca",
        )
        for i in range(count)
    )


def side(name: str, began: datetime | None, **extra: Any) -> Side:
    values: dict[str, Any] = {
        "counts": {"nodes": 84, "switches": 20, "hcas": 64, "links": 128, "ports": 652, "ports_down": 12},
        "fabric": "5f1c" * 8,
        "tools": {"ibdiagnet": "2.13.0"},
        "commands": ("ibdiagnet --get_phy_info -o /var/tmp/ibd",),
        "sources": (
            SourceRecord(f"{name}/ibdiagnet2.db_csv", "ab" * 32, 4_200_000, "db_csv", "parsed", True, began),
            SourceRecord(f"{name}/ibdiagnet2.log", "cd" * 32, 812, None, "unknown", False, began, True),
        ),
        "tables": {"ports": 652, "links": 128},
        "raw": {"AR_INFO": 20},
        "notes": (
            Note(
                "db_csv.section_cut", Level.WARNING, "PM_INFO ends early", "ibdiagnet2.db_csv", 8812, "redo"
            ),
        ),
        "fitness": (
            Fitness(
                "phy_young", Level.WARNING, "Ports are too young for a BER", "Wait 125 min", 3, ("leaf-01",)
            ),
        ),
        **extra,
    }
    return Side(f"{name}.ibf", Window(began, began + timedelta(minutes=12) if began else None), **values)


NOT_JUDGED = NotJudged(
    "optical power",
    say("no_modules", "the baseline holds no module data"),
    "add --get_cable_info",
    640,
    ("leaf-01",),
)


def case(**extra: Any) -> dict[str, Any]:
    """A document; every part of the result may be given."""
    suspects = extra.get("suspects", ())
    values: dict[str, Any] = {
        "kind": "diff",
        "engine": "0.1.0",
        "policy": "0f" * 8,
        "verdict": Verdict.SUSPECTS if suspects else Verdict.NO_SUSPECT,
        "changed": bool(suspects),
        "headline": say("result", "The fabric did not get worse; look at the hosts."),
        "baseline": side("baseline", T0),
        "current": side("current", T1),
        "gap_s": (T1 - T0).total_seconds(),
        "suspects": suspects,
        "changes": (),
        "coverage": Coverage(
            {"baseline": 84, "current": 84, "both": 84},
            {"baseline": 652, "current": 652, "both": 652, "judged": 640},
            {"baseline": 128, "current": 128, "both": 128},
            ("topology", "error counters", "settings"),
            (NOT_JUDGED,),
        ),
        "names": names,
        **extra,
    }
    return document(Result(**values))


def with_victims() -> dict[str, Any]:
    return case(suspects=(suspect(1, victims=14), suspect(2), suspect(3)), changes=changes(40))


def nobody() -> dict[str, Any]:
    return case()


def cannot_judge() -> dict[str, Any]:
    empty = {"baseline": 84, "current": 84, "both": 0}
    return case(
        verdict=Verdict.CANNOT_JUDGE,
        headline=say("nothing_in_common", "The two snapshots have no node in common."),
        coverage=Coverage(empty, {**empty, "judged": 0}, empty, (), (NOT_JUDGED,)),
    )


def batch() -> dict[str, Any]:
    """Parts of one kind are suspected, wherever they are: there is no link, no end and no device."""
    kind = "modules ACME OPT-400 firmware 46.9.1"
    nowhere: dict[str, Any] = {"link": None, "end": None, "direction": None}
    about = Evidence(
        "shared_part",
        say("shared.batch", "5 of the 6 ports with {kind} are bad, 0 of the 90 with others", kind=kind),
        group="node",
        strength=Strength.DECISIVE,
    )
    blamed = suspect(
        1,
        component=Component.BATCH,
        headline=say("headline.batch", "a batch seems bad: 5 of the 6 ports with {kind}", kind=kind),
        next_action=say("action.batch", "Compare with the others what these ports have in common."),
        evidence=(about, evidence(leaf(1, 12)), evidence(leaf(2, 9))),
        **nowhere,
    )
    return case(suspects=(blamed, suspect(2)))


def crowd() -> dict[str, Any]:
    return case(suspects=tuple(suspect(rank) for rank in range(1, 31)), changes=changes(3000))


def no_times() -> dict[str, Any]:
    return case(
        suspects=(suspect(),), baseline=side("baseline", None), current=side("current", None), gap_s=None
    )


def check() -> dict[str, Any]:
    return case(kind="check", baseline=None, gap_s=None, suspects=(suspect(),))


def bare() -> dict[str, Any]:
    """A comparison about which there is nothing to say beyond the verdict."""
    none: dict[str, Any] = {"fitness": (), "notes": (), "raw": {}}
    return case(
        baseline=side("baseline", T0, **none),
        current=side("current", T1, **none),
        coverage=Coverage({}, {"current": 652, "judged": 652}, {}),
    )


def entry(standing: Standing = Standing.IN_FORCE, nodes: int = 1, found: int = 2, **extra: Any) -> Ignored:
    """A known fault, and as many findings at its place."""
    known = {
        "node": "leaf-01",
        "port": 12,
        "reason": "cable ordered",
        "owner": "night shift",
        "until": date(2024, 6, 1),
        **extra,
    }
    return Ignored(Ignore(**known), standing, T1.date(), nodes, (evidence(leaf(1, 12)),) * found)


def with_policy() -> dict[str, Any]:
    """A policy of which every kind of entry is there."""
    return case(
        suspects=(suspect(),),
        ignored=(
            entry(node="leaf-07", port="1/3/1", rule="link_down", found=30),
            entry(Standing.EXPIRED, until=date(2024, 5, 1)),
            entry(node="leaf-70", nodes=0, found=0),
            entry(node="leaf-08", port=None, found=0),
            Ignored(Purpose("storage", "^nfs"), Standing.IN_FORCE, T1.date(), 4, (evidence(leaf(2, 3)),)),
        ),
    )


HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "\"'><b onmouseover=alert(1)>",
    "\x1b[31mred\x1b[0m\nsecond line\r\x07",
    "\u202eesrever\u2066 \u2028",
    "n" * 10_000,
    "節点" * 5_000,
    "{{ 7*7 }}{% raw %}",
    "lone \udc80 surrogate",
    "| `x` [y](javascript:z) |",
    "]]><!-- --!>",
)


def hostile(name: str, suspects: int = 3) -> dict[str, Any]:
    """The same name at every place that text from a fabric can reach."""
    said = say("hostile", "{name} has errors", name=name)
    note = Note("x.y", Level.ERROR, name, name, 3, name)
    poisoned = side(
        "current",
        T1,
        fabric=name,
        tools={name: name},
        commands=(name,),
        sources=(SourceRecord(name, name, 1, name, name),),
        tables={name: 1},
        raw={name: 1},
        notes=(note,),
        fitness=(Fitness(name, Level.ERROR, name, name, 1, (name,)),),
        counts={name: 1},
    )
    lanes = ByLane(name, name, (1.0, None), (None, 2.0))
    steps = tuple(Step(name, 1, 1.0, name) for _ in range(3))
    bad = evidence(
        leaf(1, 12),
        lanes=lanes,
        steps=steps,
        place=place(name),
        before=name,
        after=name,
        unit=name,
        exposure_unit=name,
        source=name,
    )
    return case(
        suspects=tuple(
            suspect(
                rank,
                victims=3,
                headline=said,
                next_action=said,
                evidence=(bad,) * 5,
                **{**advice(name), **closeup(leaf(rank, 12), hca(rank), name)},
            )
            for rank in range(1, suspects + 1)
        ),
        changes=tuple(Change(name, said, guid(5), leaf(5, 1), name, name, name) for _ in range(30)),
        baseline=poisoned,
        current=poisoned,
        headline=said,
        coverage=Coverage(
            {}, {"current": 2, "judged": 1}, {}, (name,), (NotJudged(name, said, name, 1, (name,)),)
        ),
        ignored=(
            Ignored(
                Ignore(name, name, name, date(2024, 6, 1), name, name), Standing.EXPIRED, None, 1, (bad,)
            ),
            Ignored(Purpose(name), Standing.IN_FORCE, None, 1, (bad,)),
        ),
        names=named(name),
        engine=name,
        policy=name,
    )


ALL = [with_victims, nobody, cannot_judge, crowd, no_times, check, bare, batch, with_policy]
"""One report of each kind."""
