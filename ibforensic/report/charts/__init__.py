"""Charts of the report: geometry worked out here as plain numbers, drawn by ``templates/charts``.

Each is a pure function from a part of the document to places and words, with the sentence that says the
same to somebody who cannot see it.
"""
