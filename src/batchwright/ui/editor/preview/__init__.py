"""The preview: a page of the layout as participants see it, filled with records; its questions can be
answered.

`state` has the page, the record, the answers, and the order of records by difficulty. `answer_inputs` has the
base class of the controls, `media` the images and the links to recordings, `page` the widgets of a page and
its questions, and `panel` the preview panel.
"""
