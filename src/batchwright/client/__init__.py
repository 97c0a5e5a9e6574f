"""What all use cases share: the context of a connection, job monitoring, resilience, checkpoints."""
