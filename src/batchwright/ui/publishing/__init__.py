"""What stages share that send a study to a service: as a batch, or as a collection."""
