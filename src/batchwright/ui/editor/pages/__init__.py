"""The pages panel of the layout editor: thumbnails, order, and the page header."""
