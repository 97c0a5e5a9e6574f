"""The window with the help."""
