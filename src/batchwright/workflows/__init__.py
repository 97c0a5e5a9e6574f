"""Use cases, one verb per module, and `messages`, which turns every exception into a message for the user."""
