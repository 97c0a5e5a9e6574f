"""The Results stage: answers read, counted, and taken away (design.md 5)."""
