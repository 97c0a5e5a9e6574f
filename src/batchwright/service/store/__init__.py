"""What the service keeps: the only place of the service where SQL is written."""
