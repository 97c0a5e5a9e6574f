"""Rehearsals: a study from its files to its answers with simulated and test participants."""
