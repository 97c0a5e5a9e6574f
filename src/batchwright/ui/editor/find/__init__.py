"""Find and replace: the panel below the canvas, its list of matches, and the search behind it."""
