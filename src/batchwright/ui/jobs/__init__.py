"""The Jobs stage: everything that runs or ran (design.md 5)."""
