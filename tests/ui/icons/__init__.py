"""Tests of `ui/icons`."""
