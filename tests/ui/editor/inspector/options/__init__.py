"""Tests of `ui/editor/inspector/options`."""
