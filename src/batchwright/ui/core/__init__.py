"""Code shared by all stages: operations, actions, tasks, remote state, session, settings, formatting."""
