"""What this computer keeps: folders, database, register, jobs, and secrets in the key ring."""
