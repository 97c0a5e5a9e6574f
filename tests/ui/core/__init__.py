"""Tests of `ui/core`."""
