"""The canvas of the layout editor: the page as cards in rows and columns."""
