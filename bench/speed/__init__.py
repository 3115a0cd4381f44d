"""How fast it is: ``make bench`` measures every budget of the design and writes ``docs/performance.md``.

Each measurement runs in a process of its own, so that its peak memory is its own. What counts is the time of
the processor: other people may use the machine. Inputs are made by the simulator, once, below ``build/``.
"""
