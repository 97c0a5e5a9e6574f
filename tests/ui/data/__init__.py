"""Tests of the Data stage."""
