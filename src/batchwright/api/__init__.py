"""Asking a service: one door, named errors, a module per resource, and transfers of files."""
