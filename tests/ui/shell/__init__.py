"""Tests of `ui/shell`."""
