"""The review of changes before they are sent."""
