"""Tests of `ui/editor/dnd`."""
