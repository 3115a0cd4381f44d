"""What other tools would have told of the same incidents: ``python -m bench.peers``, ``make peers``.

Nobody else names a culprit, so each is credited with whatever can be read from what it prints: whether the
culprit is listed at all, and at which place when somebody sorts by hand.
"""
