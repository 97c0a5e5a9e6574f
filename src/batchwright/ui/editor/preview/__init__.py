"""The preview: a page as participants see it, filled with the data, and answerable.

`view_model` holds what is shown and answered, and `hardest` ranks the records. `contents` and `questions` are
the widgets of single blocks (`controls`, `files_control`, `option_tiles` take the answers), `sheet` the page
made of them with `faults_box` at its head, `record_steps` goes through the records, and `panel` is the whole.
`browser` shows the same page through the service.
"""
