"""The open study: its model, saving, autosave, and the commands and dialogs for its file."""
