"""The inspector: the panel with the form of the selected node, one field for every attribute of its type.

`form` is the model of the form of one node, with its problems by attribute. `text_binding` connects text
fields to the study, and `attribute_focus` finds the field of an attribute. `fields` has the widgets of single
attributes, each with a `fix_button` for its problem; `options` edits lists of options; `large_editor` edits a
text in a large window. `forms` lists the fields of a node, and `panel` has the panel itself.
"""
