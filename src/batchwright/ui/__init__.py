"""The screen: the only room that knows Qt.

`theme` says how everything looks, `icons` draws the glyphs, `kit` holds the widgets that all stages are made
of, `shell` is the window around the stages, and each stage has a folder of its own with a view-model and the
widgets that show it. `actions` turns tables of actions into menus, keys and the command finder, `tasks` owns
everything that runs, `one_program` keeps a second start from becoming a second program, and `program` puts
them together.
"""
