"""The commands of `batchwright-cli`, one per module: `run(options)` calls a workflow and prints results."""
