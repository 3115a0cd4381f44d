"""The Parquet store: write, read, verify, manifest and fitness."""
