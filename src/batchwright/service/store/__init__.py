"""The database of the service: all SQL of the service is in this package, one module per table."""
