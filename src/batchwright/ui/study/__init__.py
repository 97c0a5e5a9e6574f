"""The open study: its state, saving, autosave, and the commands and dialogs for its file."""
