"""The HTTP side of the service: routes, requests, responses, errors, limits, middleware."""
