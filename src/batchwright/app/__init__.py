"""Builds every part once and hands it to the parts that need it.

`rehearsing` does so for commands, `window` for the screen, and `desk` for what is on it. They are several
modules because the window is to be painted before most of the program is imported.
"""
