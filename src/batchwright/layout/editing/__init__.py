"""Editing a layout: edits as values, the selection, the clipboard, and the history for undo."""
