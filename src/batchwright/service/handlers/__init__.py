"""The handlers of the routes, one module per resource: each parses, calls the store, and responds."""
