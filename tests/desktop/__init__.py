"""The window on a real display, under a real pointer (marker `desktop`)."""
