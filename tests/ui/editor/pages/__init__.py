"""Tests of `ui/editor/pages`."""
