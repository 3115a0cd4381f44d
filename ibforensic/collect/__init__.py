"""Read-only collection on this host and, over ssh, on others: what to run, running it, and what is kept.

::

    records    what a machine has, what is run, what came of it
    plan       from a machine to steps; every command is on the allow-list of model/read_only
    ports      perfquery of every port, from what ibnetdiscover found
    machine    what this host has
    hostlist   names of other hosts
    run        one command on this host, with a time limit
    script     the commands of one host as a text for its shell, and the answers taken apart
    ssh        the host side of many hosts at once
    log        collect.json: what ran when, and how it ended
    session    one collection, or several some minutes apart
    shown      the plan as a text
"""
