"""The outline of the layout editor: the layout as a tree."""
