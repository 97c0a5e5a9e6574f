"""Tests of the room `tables`."""
