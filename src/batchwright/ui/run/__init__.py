"""The Run stage: the study's batch is created, set up and answered."""
