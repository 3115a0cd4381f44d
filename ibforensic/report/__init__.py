"""Renderings of the document: terminal, JSON, HTML, tables."""
