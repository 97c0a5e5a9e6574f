"""Tests of `ui/study`."""
