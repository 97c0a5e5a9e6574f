"""The composition root: builds every part of the program once and passes it to the parts that need it.

`headless` does so for commands without a window, `window` for the program with windows, and `window_context`
for the parts of one window. They are separate modules because the window is painted before most of the
program is imported.
"""
