"""Vocabulary of the project: ids, enums, tables, counters, records and the document."""
