"""Tests of `ui/connections`."""
