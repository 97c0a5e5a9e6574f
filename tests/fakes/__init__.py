"""Servers that behave as the real one never does: they stall, fail, cut connections or send invalid data."""
