"""Verifying that reports and exports have exactly the answers of the service."""
