"""Tests of `analysis/statistics/roles`."""
