"""What is stored on this computer: projects, connections, jobs, ids, checkpoints, tokens in the key ring."""
