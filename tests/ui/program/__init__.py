"""Tests of `ui/program`."""
