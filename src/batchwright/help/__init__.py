"""The help: Markdown pages in `resources/help`, which the window shows and searches."""
