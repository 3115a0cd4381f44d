"""Sections about how devices react to a bad link: profiles of ports and the thresholds of each profile.

PROFILES_CONFIG, CREDIT_WATCHDOG_CONFIG, BER_CONFIG, PORT_RECOVERY_POLICY_CONFIG. Source: atlas §2.4 and §6;
the columns of PORT_RECOVERY_POLICY_CONFIG are not known one by one, so their names decide. The counters that
go with them (CREDIT_WATCHDOG_TIMEOUT_COUNTERS, FAST_RECOVERY_COUNTERS, PORT_POLICY_RECOVERY_COUNTERS) have
columns nobody documents and stay as text.
"""

from __future__ import annotations

from collections.abc import Mapping

from ibforensic.parsers.db_csv.sheet import Mapper
from ibforensic.parsers.db_csv.topics import Topic, mappers

__all__ = ["SECTIONS"]

_PROFILE = "ProfileNum"

SECTIONS: Mapping[str, Mapper] = mappers(
    {
        "PROFILES_CONFIG": Topic(rest=frozenset()),
        "CREDIT_WATCHDOG_CONFIG": Topic(parts=(_PROFILE,), rest=frozenset()),
        "BER_CONFIG": Topic(parts=(_PROFILE, "BERType"), rest=frozenset()),
        "PORT_RECOVERY_POLICY_CONFIG": Topic(parts=(_PROFILE,)),
    }
)
"""Section → mapper."""
