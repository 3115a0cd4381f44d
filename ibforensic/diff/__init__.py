"""Facts from two snapshots. No opinions."""
