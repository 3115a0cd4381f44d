"""Rules: facts in, evidence out. One file a rule."""
