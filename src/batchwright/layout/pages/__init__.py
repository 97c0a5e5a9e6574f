"""A page as participants see it, for the participant page and for the preview in the window.

`page` is the view, built from the questions and content blocks of its items; `navigation` is the order in
which a participant gets the pages.
"""
