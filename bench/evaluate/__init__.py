"""How often the verdict is right, over many made-up incidents, beside rankers that everybody could write.

``make evaluate`` runs it. A case is an order for the simulator; its answer sheet is compared with what the
tool says by the rules in ``matching``. ``metrics`` makes figures of the outcomes, ``tables`` prints them.
"""
