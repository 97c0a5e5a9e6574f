"""Random values for tests, sound and broken in known ways, each drawn from a `Random` handed in."""
