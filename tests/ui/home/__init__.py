"""Tests of `ui/home`."""
