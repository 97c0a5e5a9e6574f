"""Tests of `analysis/statistics/comparisons`."""
