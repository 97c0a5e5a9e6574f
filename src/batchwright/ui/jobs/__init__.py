"""The Jobs stage: all running and finished jobs."""
