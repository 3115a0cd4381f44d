"""Benchmarks compared rung by rung: like for like, over several runs, and against what the links can do."""
