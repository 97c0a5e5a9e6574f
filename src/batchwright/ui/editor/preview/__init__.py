"""The preview: a page of the layout as participants see it, filled with records; its questions can be
answered.

`state` has the model: page, record, answers. `stress_records` ranks the records by difficulty. `questions`
has the widget of a question, `answer_inputs` and `option_tiles` its inputs, `page` the whole page with the
`error_summary` at its top. `record_steps` navigates the records, and `panel` is the preview panel.
`browser` shows the same page in the browser through the local service.
"""
