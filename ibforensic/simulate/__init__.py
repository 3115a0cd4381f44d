"""A fabric with faults, written in the tools' own formats."""
