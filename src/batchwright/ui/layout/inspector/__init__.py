"""The inspector: a form for what is selected, with every attribute of its type (design.md 4).

`form` is the view-model of one entry, `spots` say which attribute a problem is about, `entries` and
`entry_model` hold options and units, `formatting` is what the buttons of the text editor do. The rest are
widgets: `rows` show one attribute each, `entry_list` the options (with `entry_table`, `entry_cells` and
`entry_details`), `rich_text` the text editor; `forms` and `containers` say which rows a type has and in which
order, and `panel` is the whole.
"""

from batchwright.ui.layout.inspector.panel import Inspector

__all__ = ["Inspector"]
