"""The Insert and Page menus of the Layout stage: what is added, and done with pages and columns."""

from collections.abc import Callable

from batchwright.base.i18n import N_
from batchwright.layout.item_types import Item
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.editor import commands
from batchwright.ui.editor.actions.conditions import (
    NO_SELECTION,
    NO_STUDY,
    has_page_after,
    has_selection,
    is_narrow,
    is_open,
    is_wide,
)
from batchwright.ui.editor.item_labels import insertable_types, item_type_label
from batchwright.ui.editor.state import EditorState

M = EditorState


def _title(kind: type[Item]) -> Callable[[M], str]:
    return lambda _model: item_type_label(kind).title


def _insert(kind: type[Item]) -> Callable[[M], None]:
    return lambda model: commands.insert(model, commands.new_item(kind))


PAGING: tuple[Action[M], ...] = (
    *(
        Action(
            f"insert_{kind.type}",
            _title(kind),
            "",
            _insert(kind),
            Menu.INSERT,
            when=is_open,
            why_not=NO_STUDY,
            glyph=item_type_label(kind).glyph,
            group=1,
        )
        for kind in insertable_types()
    ),
    Action(
        "add_page",
        N_("Add page"),
        "Ctrl+Shift+A",
        commands.add_page,
        Menu.PAGE,
        when=is_open,
        why_not=NO_STUDY,
        glyph="file-plus",
    ),
    Action(
        "page_before",
        N_("Previous page"),
        "Ctrl+PgUp",
        lambda model: commands.go_to_page(model, -1),
        Menu.PAGE,
        when=lambda model: bool(model.page_index),
        group=1,
    ),
    Action(
        "page_after",
        N_("Next page"),
        "Ctrl+PgDown",
        lambda model: commands.go_to_page(model, 1),
        Menu.PAGE,
        when=has_page_after,
        group=1,
    ),
    Action(
        "split_row",
        N_("Split into two columns"),
        "",
        commands.split_row,
        Menu.PAGE,
        when=is_narrow,
        why_not=N_("Select an item in a row with one column first"),
        glyph="columns",
        group=2,
    ),
    Action(
        "merge_columns",
        N_("Merge columns"),
        "",
        commands.merge_columns,
        Menu.PAGE,
        when=is_wide,
        why_not=N_("Select something in a row with two columns first"),
        glyph="rows",
        group=2,
    ),
    Action(
        "split_page",
        N_("Split page before this row"),
        "",
        commands.split_page,
        Menu.PAGE,
        when=has_selection,
        why_not=NO_SELECTION,
        group=2,
    ),
    Action(
        "merge_pages",
        N_("Merge with next page"),
        "",
        commands.merge_with_next_page,
        Menu.PAGE,
        when=has_page_after,
        why_not=N_("There is no next page"),
        group=2,
    ),
)
