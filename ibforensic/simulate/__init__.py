"""A fabric with faults, written in the tools' own formats.

``scenarios.write_samples`` writes the checked-in samples; ``incident.write_incident`` writes incidents of
plain fat trees for tests; ``order.write_order`` writes what ``ibforensic simulate`` orders. The steps:
``build`` or ``topology`` (fabric) → ``healthy`` (two samples) → ``incident`` (faults and events) →
``write_ibdiagnet`` (files), and ``writers`` (what other tools show of the same).
"""
