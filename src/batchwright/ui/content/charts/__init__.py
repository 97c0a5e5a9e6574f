"""Charts in the window: painted, and read by screen readers."""
