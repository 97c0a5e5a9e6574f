"""What is offered at the pointer, or by the menu key: names of actions, None for a line between them."""

from collections.abc import Sequence

_CLIPBOARD = ("cut", "copy", "paste", "duplicate", "remove")

FOR_ENTRY: Sequence[str | None] = (
    *_CLIPBOARD,
    None,
    "select_outer",
    "split_row",
    "merge_columns",
    "split_page",
    None,
    "fix_here",
    "fix_all_here",
)
"""For an item, a column or a row."""

FOR_PAGE: Sequence[str | None] = (
    *_CLIPBOARD,
    None,
    "add_page",
    "rename_page",
    "merge_pages",
    None,
    "preview",
)
"""For a page of the list."""
