"""The review of changes before they are sent, and of changes that others have made."""
