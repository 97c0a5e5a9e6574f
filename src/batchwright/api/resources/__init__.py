"""One module of calls per resource."""
