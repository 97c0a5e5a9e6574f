"""What the worker does: a module for each kind of job."""
