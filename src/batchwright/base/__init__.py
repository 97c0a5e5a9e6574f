"""JSON, text, URLs, files, databases, translation, logging, resources. Imports no other package of
Batchwright.
"""
