"""The Run stage: the study's batch is created and set up, and participants answer its tasks."""
