"""The schema: proposed from the file, changed by the user, and what a change does at the service."""
