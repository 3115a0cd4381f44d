"""From a directory, archive or file of raw output to tables: which parser for which file."""
