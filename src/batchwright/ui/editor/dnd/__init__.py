"""Drag and drop in the layout editor: payloads, targets, previews, auto-scroll."""
