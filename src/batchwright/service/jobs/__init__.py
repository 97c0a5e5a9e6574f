"""The jobs of the worker: a module for each kind."""
