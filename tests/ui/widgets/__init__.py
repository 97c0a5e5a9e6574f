"""Tests of `ui/widgets`."""
