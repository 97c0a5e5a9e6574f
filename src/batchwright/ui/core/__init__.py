"""What all stages share: the application, the windows, operations, actions, settings, formatting."""
