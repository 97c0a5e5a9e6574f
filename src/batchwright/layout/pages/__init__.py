"""A page as participants see it, ready to be drawn: by the participant page, and by the window's preview.

`content` is what a page shows, `questions` what it asks, `hints` the words beside a question, `screen` the
page made of them, and `steps` the order in which pages come.
"""
