"""The problems of the layout: a summary, a list, and their signs."""
