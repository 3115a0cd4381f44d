"""Read-only collection on a live host."""
