"""ibforensic: compare InfiniBand fabric snapshots and name the port that is to blame."""

__version__ = "0.1.0"
