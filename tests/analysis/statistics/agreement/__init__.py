"""Tests of `analysis/statistics/agreement`."""
