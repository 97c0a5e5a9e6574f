"""Tests of `base`."""
