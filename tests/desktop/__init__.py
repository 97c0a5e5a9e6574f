"""Tests of the window on a real display with a real pointer (marker `desktop`)."""
