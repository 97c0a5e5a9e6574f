"""The Jobs stage: everything that runs or ran."""
