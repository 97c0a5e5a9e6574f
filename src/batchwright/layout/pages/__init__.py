"""A page as participants see it, for the participant page and for the preview in the window.

`content_blocks` is what a page shows, `questions` what it asks, `page` the page built of both, and
`navigation` the order in which a participant gets the pages.
"""
