"""Tests of `ui/editor/canvas`."""
