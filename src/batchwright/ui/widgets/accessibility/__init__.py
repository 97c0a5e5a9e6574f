"""What screen readers need: interfaces of custom widgets, reading order and announcements."""
