"""The inspector: a form for what is selected, with every attribute of its type.

`form` is the view-model of one entry, with its problems by attribute. Options and units are plain lists in
`entries`, lines of text in `entry_lines`, with values of three kinds in `value_kinds` and `presets` to begin
with; `formatting` is what the buttons of the text editor do, and `attribute_focus` leads the keyboard to the
field of an attribute.

The rest are widgets. `rows` show one attribute each, with `mends` for what is wrong with it; `entry_list`
the options (`entry_model`, `entry_table`, `entry_cells`, `entry_drag`; `entry_details` and `entry_parts` for
one of them; `bulk_dialog` for all); `rich_text` and `large_editor` the texts; `kept` what nobody edits here.
`forms` and `containers` say which rows a type has and in which order, and `panel` is the whole.
"""
