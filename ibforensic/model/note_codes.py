"""What the codes of notes and findings mean, and what to do about them.

The code of a note is ``<parser>.<kind>``, ``capture.<kind>`` or ``snapshot.<kind>``; a kind means the same
whoever notes it. The code of a finding about fitness is a kind alone. Every kind that the source uses stands
here: a test compares.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["FINDINGS", "KINDS", "meaning_of"]

KINDS: Mapping[str, str] = {
    # finding and unpacking files
    "hidden": "The name begins with a dot; it is left out. Rename it if it belongs to the collection.",
    "link": "A link that leads to a folder or out of the input is not followed. Copy the file there.",
    "special": "It is a device, a pipe or a socket, and is never opened.",
    "unreadable": "The system does not let it be read. Change its rights, or give a copy.",
    "too_large": "It is larger than one file may be. Give its parts, or fewer sections.",
    "too_many": "Files beyond the allowed number are left out. Give a smaller directory.",
    "damaged": "An archive or packed file is damaged or cut; what is whole is used. Pack or copy it again.",
    "outside": "A path in an archive leads out of it; such a member is left out. Pack the archive again.",
    "encrypted": "A member of an archive is encrypted and left out. Unpack it and give the directory.",
    "bomb": "An archive unpacks to more than is allowed. Unpack it and give the directory.",
    "ratio": "An archive unpacks to so many times its size that the rest is left out. Look at it first.",
    "nested": "An archive lies too deep in other archives. Unpack the outer one and give the directory.",
    "snapshot": "A snapshot of ibforensic lies in the input and is left out. Give it by itself.",
    "same_name": "Two members of an archive have one name; both are kept, under different names.",
    "empty_file": "The tool wrote nothing, which says nothing about the counters of its port. Run it again.",
    "unknown_format": "No parser knows the format. The file is kept in the snapshot, but not used.",
    "part_unknown": "A file holds output of several tools; some of it is in no known format, kept, not used.",
    "not_understood": "The name is that of a known file, but its content is not. Copy the file again.",
    "tree": "The tiny files of a copy of /sys are read as one text, as grep -r prints them. Nothing to do.",
    "repeated_file": "Two files have the same content, which is read once.",
    "parser_failed": "A parser failed: a fault of ibforensic. Report it; the other files are used.",
    "nothing_read": "It looks like a known format, but nothing in it can be used. Run the tool again.",
    "utf16": "The text is UTF-16, as PowerShell writes it. It was read as UTF-8; the original is kept.",
    "nul_bytes": "NUL bytes stand in a text, often after a crash. What is beside them may be wrong.",
    "line_ends": "Line ends were changed on the way (CRLF or CR). Nothing is lost.",
    "not_utf8": "Bytes that are not UTF-8 are shown as \\xNN. Nodes are joined by GUID, never by name.",
    "long": "A file is very long; it is kept, and a part of it is shown.",
    "kept": "A file is kept as text and is not compared.",
    "kept_raw": "Output that is known but has no table is kept as text.",
    # collections and times
    "outside_samples": "A file lies outside the folders of the runs; it was given to the last of them.",
    "stale_file": "A file is of another run than the db_csv. Use a new output directory for each run.",
    "lid_unresolved": "Counters name a LID of no known node. Add ibnetdiscover output of that time.",
    "device_unresolved": "Readings name a device or LID of no known node. Add ibstat of the same hosts.",
    "time_unknown": "A date cannot be read or has no time zone, so that the time of the run is not known.",
    "time_of_names": "No file tells when it was collected; the dates in the names are taken, as UTC.",
    "far_future": "A time lies far in the future: a clock was wrong, or the date was edited.",
    # what is broken in a file
    "file_cut": "The file ends too early; what is there is used. Copy it again, or collect again.",
    "section_cut": "A section has no END_ line; its whole rows are used. Copy the file again.",
    "header_cut": "A section ends within its header; nothing of it is used. Copy the file again.",
    "block_cut": "A block ends too early; what is there is used.",
    "device_cut": "The block of a device ends too early; what is there is used.",
    "line_cut": "A line ends too early and is left out.",
    "json_cut": "A JSON document ends or breaks in its midst; it is left out, the others are used.",
    "row_cut": "A row ends too early and is left out.",
    "value_cut": "A value at the end of the file may be cut and is left out.",
    "end_without_start": "An END_ line has no START_ line and no header; what stands before it is not used.",
    "start_rebuilt": "A section has no START_ line; its rows are used. Some versions print it so.",
    "section_twice": "A section stands in the file more than once; all rows are used.",
    "no_sections": "No section can be used. Copy the file again, or collect again.",
    "no_index": "The head promises an INDEX_TABLE that is not there: the end of the file may be missing.",
    "index_differs": "The INDEX_TABLE says something else than what is there: edited, or damaged.",
    "bad_row": "A row does not fit its header and is left out.",
    "bad_rows": "More rows that do not fit their header are left out.",
    "bad_line": "A line does not have the shape of its format and is left out.",
    "bad_block": "A block does not have the shape of its format and is left out.",
    "bad_title": "A title line does not say what its block is about; the block is left out.",
    "bad_cell": "A cell holds no usable number and counts as not known.",
    "bad_value": "A value is no number and counts as not known.",
    "bad_ber": "A bit error ratio cannot be read and counts as not known.",
    "bad_count": "A count cannot be read and counts as not known.",
    "wrong_count": "A count that the file gives differs from what it lists.",
    "stray_rule": "A ruled line stands where no block begins; it is passed over.",
    "skipped": "Lines that belong to no block were passed over.",
    "no_header": "The line that says which port it is about is missing; its counters are left out.",
    "no_key": "A row has no node GUID of 16 digits, or no port number up to 254; it is left out.",
    "no_key_column": "A section lacks the column that says what its rows are about; it is kept as text.",
    "conflicting_row": "Two rows about one thing differ; the first counts. See which of them is right.",
    "repeated_port": "A port stands in the file more than once.",
    "repeated_node": "A node stands in the file more than once.",
    "two_answers": "A file tells two things about one end of a link.",
    "no_summary": "The summary is missing or cut: what is not listed is not known to be 0. Copy it again.",
    "no_thresholds": "The line of thresholds is missing: what is not listed is not known to be 0.",
    "bad_counter": "A line is cut or holds a counter that cannot be read; what is whole is used.",
    "bad_link": "A link cannot be read, or is not of the port above it; it is left out.",
    "lone_detail": "A detail stands behind no counter it could detail; it is left out.",
    "no_guid": "Neither text nor file name tells the switch: put its node GUID into the file name.",
    "older_rows": "A file has several rows about one port; the last one is used.",
    "masked_guids": "GUIDs were masked by hand. The file can be compared with files masked the same way.",
    # what is not known
    "unknown_code": "A number stands for something this version does not know; the cell counts as not known.",
    "unknown_word": "A word is not known; the cell counts as not known.",
    "unknown_speed": "A speed is not known; it counts as not known.",
    "unknown_state": "A state is not known; it counts as not known.",
    "unknown_field": "A field is not known; it is kept beside the others.",
    "unknown_metric": "A metric is not known and not used.",
    "unknown_layout": "The columns of a section do not hold what is known of them; it is kept as text.",
    "too_many_fields": "A block has more fields than any known tool prints; the rest is left out.",
    "old_extended": "An old tool prints extended counters that share their names with others.",
    "multi_plane": "The fabric has ports of several planes; this file about them is kept as text.",
    "neighbours_alone": "The file lists links, but not the nodes themselves.",
    # what the tools said
    "tool_failed": "The tool itself reported an error. Run it again where it failed.",
    "tool_warned": "The tool itself gave a warning.",
    "step_failed": "A command of ibforensic collect failed or took too long. Run it by hand to see why.",
    "unreachable": "A host did not answer ibforensic collect. See whether ssh gets there without asking.",
    "tool_missing": "A tool is not installed on some hosts. Nothing to do where it is of no use there.",
    "no_end": "A collection was interrupted; what it had by then is used. Collect again.",
    "other_form": "The log of a collection is of another version; what is known of it is used.",
    "remark": "Something that ibforensic collect remarked while it collected.",
    "device_failed": "The tool could not read a device.",
    "no_node_guid": "Nothing tells the GUID of a device: only its host knows which port it is. Add ibstat.",
    "also_holds": "A file holds output of several tools; the first is read. Put each into its own file.",
    "no_device": "Neither a command nor the file name tells which port it is. Name the file after both.",
    "no_host": "The output does not say which host it is from. Name the file after the host.",
    "collector_failed": "A collector of the exporter failed: its ports are missing. See the exporter's log.",
    "query_failures": "Queries of ibqueryerrors failed, nobody tells whose: what it does not list is not 0.",
    "silent_nodes": "Nodes did not answer ibqueryerrors, by LID: only they are left out. Look at them.",
    "values_hidden": "Thresholds or --suppress hide counters; where not listed they are unknown.",
    "swapped_details": "Details stand under each other's names, as in some versions: read by their place.",
    "octets": "Data counters count octets here, not words of 4 octets: they were divided by 4.",
    # benchmarks
    "no_result": "A benchmark was started, and no result follows. Run it again and save all of its output.",
    "test_failed": "A benchmark says that it failed.",
    "warned": "NCCL itself warned. Read the warnings in the file; they name the peer.",
    "rate_differs": "Bandwidth and message rate of a row contradict each other: edited, or two tests mixed.",
    "average_differs": "The printed average is not that of the rows: rows are missing, or were edited.",
    "wrong_results": "A collective gave wrong results. Look at memory, NVLink and NIC before speed.",
    "ranks_missing": "Not all ranks of a job are told. Save the output of all ranks.",
    "unknown_column": "A column of results is not known; it is left out.",
    "two_tools": "A file holds output of two tools; that of the second is not read. Save each alone.",
    "better_unknown": "A table does not say whether higher or lower is better. Add a column better.",
    # snapshots
    "missing": "A file of the snapshot is missing. Restore a copy, or take the snapshot again.",
    "changed": "A file of the snapshot was changed after it was made. Restore a copy.",
    "stranger": "A file lies in the snapshot that does not belong to it.",
    "original_changed": "An original does not unpack to the bytes it is named after. Restore a copy.",
}
"""Kind of a note → what it means and what to do."""

FINDINGS: Mapping[str, str] = {
    "no_time": "No file says when it was collected: no rate can be worked out. Keep the db_csv or log.",
    "partial_files": "Some files are cut: what they lack is not observed. Copy the whole output again.",
    "counters_not_collected": "No port counters were read: nothing can be said about errors. Run ibdiagnet "
    "without --skip pm, or add the output of perfquery -x.",
    "ports_without_counters": "Some connected ports have no counters. See whether their nodes answered.",
    "cleared_at_start": "The run cleared counters before it read them: they cover its window only. Collect "
    "without the options that clear.",
    "idle": "Next to nothing was sent while the fabric was read; errors show best under load.",
    "saturated": "Narrow error counters are full and stick at all ones: growth cannot be seen in them. "
    "Such ports are judged by their other counters; --get_phy_info adds 64-bit ones.",
    "nodes_without_answer": "Some nodes did not answer every question; aggregation nodes never do.",
    "count_differs_*": "The log counts something else than the tables hold: a file is cut, edited, or of "
    "another run.",
    "no_modules": "Nothing was read from the cables and transceivers: their power and age are not known. Run "
    "ibdiagnet with --get_cable_info.",
    "third_party_modules": "Modules of other vendors: their limits may mean something else.",
    "benchmarks_alone": "Results of benchmarks and nothing of the fabric: no port can be judged. Add the "
    "output of ibdiagnet of the same time.",
    "links_sick": "Some links had errors already when the snapshot was made: repair them first.",
    "links_slow": "Some links were slower or narrower than they could be when the snapshot was made.",
    "ports_young": "Some ports came up too recently for their bit error ratios to mean much.",
    "no_phy": "No bit error ratios were read: transmitter, cable and receiver can hardly be told apart. "
    "Run ibdiagnet with --get_phy_info --get_cable_info.",
}
"""Code of a finding about fitness → what it means and what to do; ``*`` stands for what was counted."""


def meaning_of(code: str) -> str:
    """Return what a code means and what to do about it, or an empty text.

    Args:
        code: Code of a note or finding, such as ``db_csv.file_cut``, ``file_cut`` or ``no_phy``.
    """
    kind = code.rpartition(".")[2]
    wide = next(
        (text for name, text in FINDINGS.items() if name.endswith("*") and kind.startswith(name[:-1])), ""
    )
    return KINDS.get(kind) or FINDINGS.get(kind) or wide
