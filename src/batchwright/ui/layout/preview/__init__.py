"""The preview: a page as participants see it, filled with the data, and answerable (design.md 4).

`view_model` holds what is shown and answered, `contents` and `questions` are the widgets of single blocks,
`sheet` the page made of them, and `panel` the whole. `browser` shows the same page through the service.
"""

from batchwright.ui.layout.preview.panel import Preview

__all__ = ["Preview"]
