"""Dialogs: their base, overlays, those of several stages, and the system's file dialogs."""
