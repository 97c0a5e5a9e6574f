"""The HTTP client of the API: transport, retries, file transfers, errors, and one module per resource."""
