"""Random values for tests, valid and invalid in known ways, each drawn from a given `Random`."""
