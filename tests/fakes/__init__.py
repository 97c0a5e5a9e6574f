"""Servers that do what a real one never does: fall silent, stumble, cut connections, send nonsense."""
