"""The palette: the items that can be added to a page."""
