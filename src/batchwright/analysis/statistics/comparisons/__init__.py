"""Comparisons of systems: their sides, rates, strengths and differences."""
