"""Tests of `ui/theme`."""
