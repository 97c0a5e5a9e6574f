"""The window around the stages (design.md 3): rail, header, status line, notices, command finder, menus."""
