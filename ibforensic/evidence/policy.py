"""Limits and weights of the rules, in one place. Their hash stands in every document.

Weights are in nats and set by hand (KNOWLEDGE §5.2); their signs are what matters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from ibforensic.model.ignoring import Ignore, Purpose


@dataclass(frozen=True)
class Policy:
    """Limits and weights.

    Attributes:
        physical_weight: Support of one e-fold of growth beyond the reference, by counter.
        fleet_quantile: Growth that this share of comparable ports stays below is ordinary.
        false_discovery: Share of the links named for their counters that may be there by chance.
        by_chance_cap: Most that the counters of a link can give that may have grown so by chance.
        history_factor: Growth up to so many times a port's own earlier pace is chronic, not news.
        healthy_ber: Symbol errors a bit that a healthy link may show (KNOWLEDGE §1.10, the normal column).
        pace_fold: Support of each e-fold of the pace of symbol errors above or below that.
        pace_cap: Most that the pace can give or take.
        reset_errors: Errors that the reset of a node may leave at its links.
        training_errors: Errors that one further link-up may leave behind.
        training_share: Part of the support of errors that counts on a link that came up minutes ago.
        support_least: Support below which nothing is said.
        link_down_base: Support of a single unexplained link down.
        link_down_fold: Further support of each e-fold of link downs.
        link_down_pace: Further support of each e-fold of link downs a day.
        link_down_cap: Most that link downs can give.
        downs_granted_days: Days in which one link down, or one restart of a box, is maintenance and no fault.
        downs_a_day: Link downs a day from which on a link does great harm (KNOWLEDGE §1.10, per 24 h).
        downs_many: Link downs beyond the usual from which on it does, however long they took.
        reboot_downs: Link downs at one port that a reboot, or a command, explains.
        reason_signal: Support of a port that says its link went down for a bad signal.
        reason_echoed: Further support where the other end only saw it go down.
        reason_part: Support of a port that says it was its module, its power or its own logic.
        restarts_least: Times a box must have gone down with its links for it to be a fault of the box.
        restarts_base: Support of that; one restart is maintenance.
        restarts_fold: Further support of each e-fold.
        rate_drop: Support of a width or speed below the baseline.
        fec_weaker: Support of a FEC that corrects less than before.
        fec_other: Support of another FEC than before.
        link_lost: Support of a link that is gone while both nodes are there.
        views_disagree: Support of a port of which the host tells another state or rate than the fabric.
        hca_lost: Support of an HCA that is gone while its host is there.
        host_lost: Support of a host that is gone as a whole.
        switch_lost: Support of a switch that is gone.
        host_downs: Link downs at a port without a known link from which on more are no reboots (demand D-13).
        miscabled: Support of two cables whose ends were exchanged.
        miscabled_harmless: The same where all nodes have the neighbours they had.
        marks: Further support where ports downstream receive packets marked bad.
        source_fold: Support of each e-fold of marked packets that nobody upstream explains.
        source_least: Marked packets below which no device is blamed for making them.
        malformed_fold: Support of each e-fold of malformed packets for the device that makes them.
        wait_least: Share of time a port waits below which nothing is said.
        wait_factor: Times the usual waiting from which on a port counts as held back.
        counters_cap: Most that the counters of one direction can give.
        swap: Support of errors that followed a part or stayed with a port.
        swap_errors: Errors from which on a port counts as bad for that.
        shared_cap: Most that a part shared by several bad links can get for their number.
        counters_cap_alone: The same where the PHY was read at the receiver and shows nothing.
        ber_fold: Support of each decade by which a bit error ratio rose, by kind of ratio.
        ber_rise: Decades that a ratio must have risen beyond those of its kind to be news.
        ber_decades: Decades that count at most.
        ber_harmless: Decades below the normal level at which raw errors harm nobody, however they rose.
        ber_unknown: Part of the support of a passed limit that counts where the baseline knows no ratio: a
            fabric has links that are noisy for good.
        ber_unknown_rise: Decades taken where the baseline knows no ratio.
        ber_outlying: Robust z from which on a ratio without a baseline is news.
        ber_warning: Further support above a warning limit.
        ber_error: Further support above an error limit.
        phy_cap: Most that the bit errors of one direction can give.
        early_cap: Most that early signs can give where nothing else shows: raw errors within the normal
            level, and errors after FEC that neither raw errors nor counters go with. Bursts leave both on
            healthy links.
        raw_cap_alone: Most that errors before FEC can give where neither errors that FEC and retransmission
            left nor counters go with them.
        light_least: Decibels less light that are news.
        light_fold: Support of each decibel.
        light_cap: Most that light can give in one direction.
        light_cap_alone: The same where no errors go with it.
        bias_factor: Laser current as a multiple of before from which on a laser ages.
        box_warmer: Degrees beyond the fleet's shift from which on a box got hot.
        box_base: Support of that.
        box_fold: Support of each further degree.
        box_cap: Most that heat of a box can give.
        module_warmer: Degrees beyond its neighbours' shift from which on a module got hot.
        module_base: Support of that.
        module_fold: Support of each further degree.
        module_cap: Most that heat of a module can give.
        threshold: Support from which on somebody is named a suspect.
        drops_least: Packets dropped at the head of a queue from which on a receiver is called slow.
        slow_base: Support of a slow receiver.
        slow_longer: Further support of each e-fold of waiting beyond the usual, where packets were dropped.
        slow_drop_share: Share of the time from which on waiting with drops counts.
        slow_fold: Further support of each e-fold of such packets.
        slow_share: Share of the time a port to a host must wait to call it slow without drops.
        slow_waits: Support of that.
        slow_wait_fold: Further support of each e-fold of waiting beyond ports of the kind.
        stall_share: Share of the time that a port to a host must wait for standing still to count.
        stall_least: Part of the time with something to send for which it must stand still.
        stall_factor: Times that part must be of what it was before, and of what is ordinary.
        stall: Support of that.
        stall_fold: Further support of each e-fold of standing still to sending.
        stall_longer: Further support of each e-fold of time waited.
        line_full: Share of the line from which on it is full: then waiting is no fault of the receiver.
        pcie: Support of a PCIe link narrower or slower than before, or than it can be.
        pcie_told: Support of a tool's new warning about it.
        unusual_least: Growth of a counter that blames nobody from which on it may be worth a line.
        unusual_factor: Times the ordinary from which on it is.
        watch_least: Support from which on a place is listed as a weak sign.
        common_share: Share of the ports that must have grown alike for a common cause.
        lane_darker: Decibels below the other lanes of a port from which on a lane counts as dark.
        sureness: Factor of every confidence: below 1 where there is no baseline.
        coverage_least: Share of judged ports below which "no suspect" may not be said.
        clear_share: Share of the ports above which cleared counters are called a clear of the whole fabric.
        bit_error_limits: Other error limits of bit error ratios: row of the table → kind of ratio → limit.
        purposes: What nodes are there for.
        ignored: Faults that are known and accuse nobody for a while.
    """

    physical_weight: dict[str, float] = field(
        default_factory=lambda: {
            "symbol_error_counter": 1.0,
            "port_local_physical_errors": 1.0,
            "port_rcv_errors": 0.7,
            "link_error_recovery_counter": 1.0,
            "local_link_integrity_errors": 1.0,
            "excessive_buffer_overrun_errors": 0.5,
            "port_buffer_overrun_errors": 0.5,
        }
    )
    fleet_quantile: float = 0.99
    false_discovery: float = 0.01
    by_chance_cap: float = 2.5
    history_factor: float = 3.0
    healthy_ber: float = 1e-15
    pace_fold: float = 0.5
    pace_cap: float = 2.5
    reset_errors: float = 50.0
    training_errors: float = 10.0
    training_share: float = 0.25
    support_least: float = 0.1
    link_down_base: float = 1.2
    link_down_fold: float = 1.2
    link_down_pace: float = 0.5
    link_down_cap: float = 6.0
    downs_granted_days: float = 30.0
    downs_a_day: float = 5.0
    downs_many: int = 10
    reboot_downs: int = 3
    reason_signal: float = 1.5
    reason_echoed: float = 0.5
    reason_part: float = 1.0
    restarts_least: float = 2.0
    restarts_base: float = 1.7
    restarts_fold: float = 1.3
    rate_drop: float = 6.0
    fec_weaker: float = 2.5
    fec_other: float = 1.5
    link_lost: float = 6.0
    views_disagree: float = 1.2
    hca_lost: float = 5.5
    host_lost: float = 4.0
    switch_lost: float = 7.0
    host_downs: int = 10
    miscabled: float = 5.0
    miscabled_harmless: float = 3.2
    marks: float = 2.5
    source_fold: float = 0.8
    source_least: float = 50.0
    malformed_fold: float = 1.2
    wait_least: float = 0.02
    wait_factor: float = 3.0
    counters_cap: float = 40.0
    counters_cap_alone: float = 8.0
    ber_fold: dict[str, float] = field(default_factory=lambda: {"raw": 2.0, "effective": 1.0, "symbol": 1.5})
    ber_rise: float = 0.7
    ber_decades: float = 3.0
    ber_harmless: float = 1.5
    ber_unknown: float = 0.3
    ber_unknown_rise: float = 1.0
    ber_outlying: float = 5.0
    ber_warning: float = 1.0
    ber_error: float = 3.0
    phy_cap: float = 12.0
    early_cap: float = 2.5
    raw_cap_alone: float = 12.0
    light_least: float = 1.0
    light_fold: float = 1.5
    light_cap: float = 6.0
    light_cap_alone: float = 2.5
    bias_factor: float = 1.08
    box_warmer: float = 4.0
    box_base: float = 2.5
    box_fold: float = 0.5
    box_cap: float = 8.0
    module_warmer: float = 8.0
    module_base: float = 1.5
    module_fold: float = 0.15
    module_cap: float = 4.0
    swap: float = 4.0
    swap_errors: float = 50.0
    shared_cap: float = 12.0
    threshold: float = 3.0
    drops_least: float = 3.0
    slow_base: float = 1.5
    slow_longer: float = 0.3
    slow_drop_share: float = 5e-4
    slow_fold: float = 0.5
    slow_share: float = 0.05
    slow_waits: float = 1.5
    slow_wait_fold: float = 0.8
    stall_share: float = 1e-3
    stall_least: float = 0.25
    stall_factor: float = 2.0
    stall: float = 2.0
    stall_fold: float = 1.0
    stall_longer: float = 0.5
    line_full: float = 0.85
    pcie: float = 5.0
    pcie_told: float = 3.5
    unusual_least: float = 1000.0
    unusual_factor: float = 100.0
    watch_least: float = 1.0
    common_share: float = 0.25
    lane_darker: float = 3.0
    sureness: float = 1.0
    coverage_least: float = 0.9
    clear_share: float = 0.5
    bit_error_limits: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    purposes: tuple[Purpose, ...] = ()
    ignored: tuple[Ignore, ...] = ()

    @property
    def for_levels(self) -> Policy:
        """The same for a sample on its own, whose levels may be months old.

        Errors that FEC or retransmission repaired are early signs, and on a large fabric many links show
        them for good. Errors that the PHY does not show are old, for it counts anew at each link-up. Packets
        marked bad may be from a fault that was repaired long ago; links and boxes that went down now and
        then did so for reasons that nobody remembers.
        """
        return replace(
            self,
            raw_cap_alone=min(self.raw_cap_alone, self.early_cap),
            counters_cap_alone=min(self.counters_cap_alone, self.early_cap),
            source_fold=self.source_fold / 3,
            link_down_base=0.0,
            restarts_base=0.0,
            restarts_fold=0.0,
            sureness=self.sureness * 0.7,
        )

    @property
    def digest(self) -> str:
        """Hash of all of it."""
        return hashlib.sha256(repr(sorted(asdict(self).items())).encode()).hexdigest()[:12]


POLICY = Policy()
