"""Tests of best–worst scaling."""
