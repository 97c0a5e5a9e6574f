"""The inspector: a form for what is selected, with every attribute of its type.

`form` is the model of one node, with its problems by attribute; `text_binding` connects text fields to it,
and `attribute_focus` finds the field of an attribute. `fields` are the widgets of single attributes, with
a `fix_button` for its problem; `options` edits lists of options; `rich_text` and `large_editor` edit texts.
`forms` and `page_forms` list the fields of a node, and `panel` is the whole.
"""
