"""Tests of `analysis/statistics/planning`."""
