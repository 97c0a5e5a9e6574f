"""The window around the stages: navigation rail, header, status line, command palette, menus."""
