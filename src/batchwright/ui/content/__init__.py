"""Widgets that show things of the domain: cards of items, resources, connections."""
