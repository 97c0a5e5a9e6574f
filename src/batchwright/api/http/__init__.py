"""The HTTP transport: clients, retries, limits, URLs, and responses as values or errors."""
