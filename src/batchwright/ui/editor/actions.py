"""The actions of the Layout stage: tables from which menus, shortcuts and the command palette are generated.

`EDITING` and `PAGING` act on the `EditorState`; `VIEW` on the stage itself.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from batchwright.base.i18n import N_, _
from batchwright.layout.item_types.registry import Item
from batchwright.layout.nodes import Level
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.editor import commands
from batchwright.ui.editor.commands import can_change, change_type, target_types
from batchwright.ui.editor.item_labels import count_phrase, insertable_types, item_type_label
from batchwright.ui.editor.item_types.registry import ITEM_EDITORS
from batchwright.ui.editor.keyboard_moves import Direction
from batchwright.ui.editor.problems_list import FIX_ALL_KEYS, FIX_EVERYTHING_KEYS, FIX_KEYS, NO_SAFE_FIX
from batchwright.ui.editor.state import EditorState

if TYPE_CHECKING:
    from batchwright.ui.editor.stage import EditorStage

M = EditorState

NO_SELECTION = N_("Select something on the page first")
NO_PAGE = N_("Add a page first")
NO_COLUMNS = N_("Add a page first; collections have no columns")
NO_STUDY = N_("Open or create a study first")


def has_editor_focus(model: EditorState) -> bool:
    """Whether shortcuts apply to the layout, because no text field has the focus."""
    return model.has_editor_focus()


def is_open(model: EditorState) -> bool:
    """Whether a study is open."""
    return model.study.is_open


def has_page(model: EditorState) -> bool:
    """Whether a page is in view."""
    return has_editor_focus(model) and model.page is not None


def has_selection(model: EditorState) -> bool:
    """Whether anything on the page is selected."""
    return has_editor_focus(model) and bool(model.keys)


def has_page_after(model: EditorState) -> bool:
    """Whether there is a page after the one in view."""
    return model.page_index is not None and model.page_index + 1 < len(model.layout.pages)


def can_split_row(model: EditorState) -> bool:
    """Whether the row of the selection has one column, and may have two."""
    return _columns(model) == 1 and not model.study.is_collection


def can_move_across(model: EditorState) -> bool:
    """Whether the selection can be moved to another column or beside another item."""
    return has_page(model) and not model.study.is_collection


def is_wide(model: EditorState) -> bool:
    """Whether the row of the selection has several columns."""
    return _columns(model) > 1


def selection_label(model: EditorState) -> str:
    """The selection in the text of a menu entry: `item`, `2 rows`."""
    level, count = model.level() or Level.PAGE, len(model.targets)
    if count > 1:
        return count_phrase(level, count)
    return {Level.ROW: _("row"), Level.COLUMN: _("column"), Level.ITEM: _("item")}.get(level, _("page"))


def _columns(model: EditorState) -> int:
    row = commands.row_of(model) if has_editor_focus(model) else None
    return 0 if row is None else len(row.children)


def _move(direction: Direction) -> Callable[[M], None]:
    return lambda model: commands.move(model, direction)


EDITING: tuple[Action[M], ...] = (
    Action(
        "cut",
        lambda model: _("Cut {thing}").format(thing=selection_label(model)),
        "Ctrl+X",
        commands.cut,
        Menu.EDIT,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        glyph="scissors",
        group=2,
    ),
    Action(
        "copy",
        lambda model: _("Copy {thing}").format(thing=selection_label(model)),
        "Ctrl+C",
        M.copy,
        Menu.EDIT,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        glyph="copy",
        group=2,
    ),
    Action(
        "paste",
        N_("Paste"),
        "Ctrl+V",
        commands.paste,
        Menu.EDIT,
        enabled=has_editor_focus,
        glyph="clipboard-text",
        group=2,
    ),
    Action(
        "duplicate",
        lambda model: _("Duplicate {thing}").format(thing=selection_label(model)),
        "Ctrl+D",
        commands.duplicate,
        Menu.EDIT,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        glyph="copy",
        group=2,
    ),
    Action(
        "remove",
        lambda model: _("Remove {thing}").format(thing=selection_label(model)),
        "Del",
        commands.remove,
        Menu.EDIT,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        glyph="trash",
        group=2,
    ),
    Action(
        "select_all",
        N_("Select all items of the page"),
        "Ctrl+A",
        commands.select_all,
        Menu.EDIT,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        group=3,
    ),
    Action(
        "select_outer",
        N_("Select parent"),
        "",
        commands.select_parent,
        Menu.EDIT,
        enabled=has_selection,
        disabled_reason=NO_SELECTION,
        group=3,
    ),
    *(
        Action(
            f"move_{direction.value}",
            text,
            f"Alt+{direction.value.capitalize()}",
            _move(direction),
            Menu.EDIT,
            enabled=can_move_across if direction.is_horizontal else has_page,
            disabled_reason=NO_COLUMNS if direction.is_horizontal else NO_PAGE,
            glyph=f"arrow-{direction.value}",
            group=4,
        )
        for direction, text in (
            (Direction.UP, N_("Move up")),
            (Direction.DOWN, N_("Move down")),
            (Direction.LEFT, N_("Move left")),
            (Direction.RIGHT, N_("Move right")),
        )
    ),
    Action(
        "next_problem",
        N_("Go to next problem"),
        "F8",
        M.go_to_next_problem,
        Menu.EDIT,
        enabled=lambda model: bool(model.study.problems),
        disabled_reason=N_("There are no problems"),
        glyph="warning-octagon",
        group=5,
        submenu=Submenu.PROBLEMS,
    ),
    Action(
        "fix_here",
        N_("Fix this problem"),
        FIX_KEYS,
        commands.fix_selected,
        Menu.EDIT,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        group=5,
        submenu=Submenu.PROBLEMS,
    ),
    Action(
        "fix_all_here",
        N_("Fix all problems of this kind"),
        FIX_ALL_KEYS,
        commands.fix_all_like_selected,
        Menu.EDIT,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        group=5,
        submenu=Submenu.PROBLEMS,
    ),
    Action(
        "fix_all",
        N_("Fix all problems"),
        FIX_EVERYTHING_KEYS,
        M.fix_all,
        Menu.EDIT,
        enabled=M.can_fix_all,
        disabled_reason=NO_SAFE_FIX,
        group=5,
        submenu=Submenu.PROBLEMS,
    ),
)


def _change_title(item_type: type[Item]) -> "Callable[[EditorStage], str]":
    return lambda _stage: _("Change to “{type}”").format(type=item_type_label(item_type).title)


def _change_type(item_type: type[Item]) -> "Callable[[EditorStage], object]":
    return lambda stage: change_type(stage.model, stage.window(), item_type)


def _can_change(item_type: type[Item]) -> "Callable[[EditorStage], bool]":
    return lambda stage: stage.shows_editor and can_change(stage.model, item_type)


TYPE_CHANGES: tuple["Action[EditorStage]", ...] = tuple(
    Action(
        f"change_to_{kind.type}",
        _change_title(kind),
        "",
        _change_type(kind),
        Menu.EDIT,
        enabled=_can_change(kind),
        disabled_reason=N_("Select items of a similar type first"),
        glyph=ITEM_EDITORS[kind].glyph,
        group=4,
        submenu=Submenu.ITEM_TYPE,
    )
    for kind in target_types()
)


def _item_title(item_type: type[Item]) -> Callable[[M], str]:
    return lambda _model: item_type_label(item_type).title


def _insert_item(item_type: type[Item]) -> Callable[[M], None]:
    return lambda model: commands.insert(model, commands.new_item(item_type))


PAGING: tuple[Action[M], ...] = (
    *(
        Action(
            f"insert_{kind.type}",
            _item_title(kind),
            "",
            _insert_item(kind),
            Menu.INSERT,
            enabled=is_open,
            disabled_reason=NO_STUDY,
            glyph=ITEM_EDITORS[kind].glyph,
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
        enabled=is_open,
        disabled_reason=NO_STUDY,
        glyph="file-plus",
    ),
    Action(
        "page_before",
        N_("Previous page"),
        "Ctrl+PgUp",
        lambda model: commands.go_to_page(model, -1),
        Menu.PAGE,
        enabled=lambda model: bool(model.page_index),
        group=1,
    ),
    Action(
        "page_after",
        N_("Next page"),
        "Ctrl+PgDown",
        lambda model: commands.go_to_page(model, 1),
        Menu.PAGE,
        enabled=has_page_after,
        group=1,
    ),
    Action(
        "split_row",
        N_("Split into two columns"),
        "",
        commands.split_row,
        Menu.PAGE,
        enabled=can_split_row,
        disabled_reason=N_("Select an item in a row with one column first; collections have no columns"),
        glyph="columns",
        group=2,
    ),
    Action(
        "merge_columns",
        N_("Merge columns"),
        "",
        commands.merge_columns,
        Menu.PAGE,
        enabled=is_wide,
        disabled_reason=N_("Select something in a row with two columns first"),
        glyph="rows",
        group=2,
    ),
    Action(
        "split_page",
        N_("Split page before this row"),
        "",
        commands.split_page,
        Menu.PAGE,
        enabled=has_selection,
        disabled_reason=NO_SELECTION,
        group=2,
    ),
    Action(
        "merge_pages",
        N_("Merge with next page"),
        "",
        commands.merge_with_next_page,
        Menu.PAGE,
        enabled=has_page_after,
        disabled_reason=N_("There is no next page"),
        group=2,
    ),
)


VIEW: tuple["Action[EditorStage]", ...] = (
    Action(
        "save_block",
        lambda stage: _("Save {thing} as a block…").format(thing=selection_label(stage.model)),
        "",
        lambda stage: stage.save_block(),
        Menu.INSERT,
        enabled=lambda stage: stage.shows_editor and stage.model.page is not None,
        disabled_reason=NO_PAGE,
        glyph="stack",
        group=2,
    ),
    Action(
        "find_text",
        N_("Find…"),
        "Ctrl+F",
        lambda stage: stage.show_find(),
        Menu.EDIT,
        submenu=Submenu.FIND,
        enabled=lambda stage: stage.model.study.is_open,
        disabled_reason=NO_STUDY,
        glyph="magnifying-glass",
        group=6,
    ),
    Action(
        "replace_text",
        N_("Find and replace…"),
        "Ctrl+H",
        lambda stage: stage.show_find(),
        Menu.EDIT,
        submenu=Submenu.FIND,
        enabled=lambda stage: stage.model.study.is_open,
        disabled_reason=NO_STUDY,
        group=6,
    ),
    Action(
        "insert_part",
        N_("Choose an item"),
        "Ins",
        lambda stage: stage.show_palette(),
        Menu.INSERT,
        enabled=lambda stage: stage.model.study.is_open,
        glyph="plus",
    ),
    Action(
        "preview",
        N_("Preview"),
        "F5",
        lambda stage: stage.show_preview(),
        Menu.PAGE,
        enabled=lambda stage: stage.model.page is not None,
        disabled_reason=NO_PAGE,
        glyph="eye",
        group=3,
    ),
    Action(
        "outline",
        N_("Outline"),
        "Ctrl+Shift+L",
        lambda stage: stage.toggle_outline(),
        Menu.VIEW,
        glyph="tree-structure",
        group=5,
        checked=lambda stage: stage.shows_outline,
    ),
    Action(
        "problems",
        N_("List of problems"),
        "Shift+F8",
        lambda stage: stage.toggle_problems(),
        Menu.VIEW,
        glyph="warning-octagon",
        group=5,
    ),
    Action(
        "edit_label",
        N_("Edit label of the field"),
        "",
        lambda stage: stage.edit_label(),
        Menu.EDIT,
        enabled=lambda stage: bool(stage.model.labelled_field()),
        disabled_reason=N_("Select one dataset field of the schema on a page first"),
        glyph="pencil-simple",
        group=4,
    ),
    Action(
        "rename_page",
        N_("Rename page"),
        "",
        lambda stage: stage.rename_page(),
        Menu.PAGE,
        enabled=lambda stage: stage.model.page is not None,
        disabled_reason=NO_PAGE,
        glyph="pencil-simple",
    ),
)
