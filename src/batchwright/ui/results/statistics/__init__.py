"""The sections with statistics, their settings and their state."""
