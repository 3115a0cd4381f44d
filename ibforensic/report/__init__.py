"""Renderings of the document: terminal, JSON, HTML, Markdown, CSV, Excel."""
