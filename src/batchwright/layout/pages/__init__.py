"""A page as participants see it, for the participant page and for the preview in the window.

`content_blocks` and `questions` are the parts of a page, `page` is the view built from both, and
`navigation` the order in which a participant gets the pages.
"""
