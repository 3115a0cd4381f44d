"""A fabric with faults, written in the tools' own formats.

``scenario.write_scenario`` writes the checked-in sample; ``incident.write_incident`` writes any other
incident. The steps: ``build`` (fabric) → ``healthy`` (two samples) → ``incident`` (faults and events) →
``write_ibdiagnet`` (files).
"""
