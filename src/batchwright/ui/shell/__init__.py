"""The window around the stages: rail, header, status line, notices, command finder, menus."""
