"""Hypotheses, explain-away, confidence and ranking."""
