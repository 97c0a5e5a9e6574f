"""Connections to services: adding, signing in, switching, removing."""
