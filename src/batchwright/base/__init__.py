"""JSON, text, URLs, files, databases, translation, logging. Imports no other package of Batchwright."""
