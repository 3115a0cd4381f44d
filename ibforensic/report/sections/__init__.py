"""Sections of the HTML report, one file each."""
