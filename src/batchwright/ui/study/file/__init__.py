"""The file of a study: its commands and questions, saving, autosave, recovery and versions."""
