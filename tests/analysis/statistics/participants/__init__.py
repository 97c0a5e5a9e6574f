"""Tests of `analysis/statistics/participants`."""
