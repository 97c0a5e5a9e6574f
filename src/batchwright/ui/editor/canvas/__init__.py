"""The canvas of the layout editor: a page as cards in rows and columns."""
