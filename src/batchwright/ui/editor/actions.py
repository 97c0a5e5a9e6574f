"""The actions of the Layout stage: tables from which menus, shortcuts and the command palette are generated.

`EDITING`, `insertions` and `PAGING` act on the `EditorState`; `VIEW` and `type_changes` on the stage itself.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from batchwright.base.i18n import N_, _
from batchwright.layout.item_types.registry import ITEM_TYPES, DatasetField, Item
from batchwright.layout.nodes import Level
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu, Submenu
from batchwright.ui.core.lazy_imports import LazyFunctions
from batchwright.ui.editor.fix_commands import (
    FIX_ALL_KEYS,
    FIX_EVERYTHING_KEYS,
    FIX_KEYS,
    NO_SAFE_FIX,
)

if TYPE_CHECKING:  # imported when the stage is opened
    from PySide6.QtWidgets import QWidget

    import batchwright.ui.editor.commands as commands
    import batchwright.ui.editor.item_labels as item_labels
    from batchwright.ui.editor.state import EditorState
else:
    commands = LazyFunctions("batchwright.ui.editor.commands")
    item_labels = LazyFunctions("batchwright.ui.editor.item_labels")

Glyphs = Mapping[type[Item], str]
"""Item types in the order of their actions, each with its icon; empty for none."""

NO_SELECTION = N_("Select something on the page first")
NO_PAGE = N_("Add a page first")
NO_COLUMNS = N_("Add a page first; collections have no columns")
NO_STUDY = N_("Open or create a study first")


class EditorView(Protocol):
    """The stage as its actions know it."""

    @property
    def model(self) -> "EditorState":
        """The state of the editor."""

    @property
    def shows_editor(self) -> bool:
        """Whether the editor of an open study is in view, not its preview or another stage."""

    @property
    def shows_outline(self) -> bool:
        """Whether the outline is shown."""

    def window(self) -> "QWidget":
        """The window of the stage."""

    async def save_block(self) -> None:
        """Save the selection as a block."""

    def show_find(self) -> None:
        """Show the panel of find and replace."""

    def show_palette(self) -> None:
        """Focus the palette."""

    def show_preview(self) -> None:
        """Show the page as participants see it."""

    def toggle_outline(self) -> None:
        """Show or hide the outline."""

    def toggle_problems(self) -> None:
        """Show or hide the list of problems."""

    def edit_label(self) -> None:
        """Edit the label of the selected dataset field."""

    def rename_page(self) -> None:
        """Edit the name of the page in view."""


def has_editor_focus(model: "EditorState") -> bool:
    """Whether shortcuts apply to the layout, because no text field has the focus."""
    return model.has_editor_focus()


def is_open(model: "EditorState") -> bool:
    """Whether a study is open."""
    return model.study.is_open


def has_page(model: "EditorState") -> bool:
    """Whether a page is in view."""
    return has_editor_focus(model) and model.page is not None


def has_selection(model: "EditorState") -> bool:
    """Whether anything on the page is selected."""
    return has_editor_focus(model) and bool(model.keys)


def has_page_after(model: "EditorState") -> bool:
    """Whether there is a page after the one in view."""
    return model.page_index is not None and model.page_index + 1 < len(model.layout.pages)


def can_split_row(model: "EditorState") -> bool:
    """Whether the row of the selection has one column, and may have two."""
    return _columns(model) == 1 and not model.study.is_collection


def can_move_across(model: "EditorState") -> bool:
    """Whether the selection can be moved to another column or beside another item."""
    return has_page(model) and not model.study.is_collection


def is_wide(model: "EditorState") -> bool:
    """Whether the row of the selection has several columns."""
    return _columns(model) > 1


def selection_label(model: "EditorState | None") -> str:
    """The selection in the text of a menu entry: `item`, `2 rows`; None before the stage is opened."""
    if model is None:
        return _("page")
    level, count = model.level() or Level.PAGE, len(model.targets)
    if count > 1:
        return item_labels.count_phrase(level, count)
    return {Level.ROW: _("row"), Level.COLUMN: _("column"), Level.ITEM: _("item")}.get(level, _("page"))


def _columns(model: "EditorState") -> int:
    row = commands.row_of(model) if has_editor_focus(model) else None
    return 0 if row is None else len(row.children)


def _move(direction: str) -> "Callable[[EditorState], None]":
    def move(model: "EditorState") -> None:
        from batchwright.ui.editor.keyboard_moves import Direction

        commands.move(model, Direction(direction))

    return move


EDITING: tuple["Action[EditorState]", ...] = (
    Action(
        ActionId.LAYOUT_CUT,
        lambda model: _("Cut {thing}").format(thing=selection_label(model)),
        "Ctrl+X",
        commands.cut,
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        glyph="scissors",
        group=2,
    ),
    Action(
        ActionId.LAYOUT_COPY,
        lambda model: _("Copy {thing}").format(thing=selection_label(model)),
        "Ctrl+C",
        lambda model: model.copy(),
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        glyph="copy",
        group=2,
    ),
    Action(
        ActionId.LAYOUT_PASTE,
        N_("Paste"),
        "Ctrl+V",
        commands.paste,
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_editor_focus,
        glyph="clipboard-text",
        group=2,
    ),
    Action(
        ActionId.LAYOUT_DUPLICATE,
        lambda model: _("Duplicate {thing}").format(thing=selection_label(model)),
        "Ctrl+D",
        commands.duplicate,
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        glyph="copy",
        group=2,
    ),
    Action(
        ActionId.LAYOUT_REMOVE,
        lambda model: _("Remove {thing}").format(thing=selection_label(model)),
        "Del",
        commands.remove,
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        glyph="trash",
        group=2,
    ),
    Action(
        ActionId.LAYOUT_SELECT_ALL,
        N_("Select all items of the page"),
        "Ctrl+A",
        commands.select_all,
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        group=3,
    ),
    Action(
        ActionId.LAYOUT_SELECT_OUTER,
        N_("Select parent"),
        "",
        commands.select_parent,
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_selection,
        disabled_reason=NO_SELECTION,
        group=3,
    ),
    *(
        Action(
            ActionId(f"layout.move_{direction}"),
            text,
            f"Alt+{direction.capitalize()}",
            _move(direction),
            Menu.EDIT,
            in_stage_only=True,
            enabled=can_move,
            disabled_reason=reason,
            glyph=f"arrow-{direction}",
            group=4,
        )
        for direction, text, can_move, reason in (
            ("up", N_("Move up"), has_page, NO_PAGE),
            ("down", N_("Move down"), has_page, NO_PAGE),
            ("left", N_("Move left"), can_move_across, NO_COLUMNS),
            ("right", N_("Move right"), can_move_across, NO_COLUMNS),
        )
    ),
    Action(
        ActionId.LAYOUT_NEXT_PROBLEM,
        N_("Go to next problem"),
        "F8",
        lambda model: model.go_to_next_problem(),
        Menu.EDIT,
        enabled=lambda model: bool(model.study.problems),
        disabled_reason=N_("There are no problems"),
        glyph="warning-octagon",
        group=5,
        submenu=Submenu.PROBLEMS,
    ),
    Action(
        ActionId.LAYOUT_FIX_HERE,
        N_("Fix this problem"),
        FIX_KEYS,
        commands.fix_selected,
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        group=5,
        submenu=Submenu.PROBLEMS,
    ),
    Action(
        ActionId.LAYOUT_FIX_ALL_HERE,
        N_("Fix all problems of this kind"),
        FIX_ALL_KEYS,
        commands.fix_all_like_selected,
        Menu.EDIT,
        in_stage_only=True,
        enabled=has_page,
        disabled_reason=NO_PAGE,
        group=5,
        submenu=Submenu.PROBLEMS,
    ),
    Action(
        ActionId.LAYOUT_FIX_ALL,
        N_("Fix all problems"),
        FIX_EVERYTHING_KEYS,
        lambda model: model.fix_all(),
        Menu.EDIT,
        enabled=lambda model: model.can_fix_all(),
        disabled_reason=NO_SAFE_FIX,
        group=5,
        submenu=Submenu.PROBLEMS,
    ),
)


def _change_title(item_type: type[Item]) -> Callable[[EditorView | None], str]:
    return lambda _stage: _("Change to “{type}”").format(type=_(item_type.title))


def _change_type(item_type: type[Item]) -> Callable[[EditorView], object]:
    return lambda stage: commands.change_type(stage.model, stage.window(), item_type)


def _can_change(item_type: type[Item]) -> Callable[[EditorView], bool]:
    return lambda stage: stage.shows_editor and commands.can_change(stage.model, item_type)


def target_types() -> list[type[Item]]:
    """The types that items of some other type can be changed into, in the order of the specification."""
    targets = {change.to for item_type in ITEM_TYPES.values() for change in item_type.type_changes}
    return [item_type for name, item_type in ITEM_TYPES.items() if name in targets]


def type_changes(glyphs: Glyphs) -> tuple[Action[EditorView], ...]:
    """The actions that change the type of the selected items."""
    return tuple(
        Action(
            f"change_to_{kind.type}",
            _change_title(kind),
            "",
            _change_type(kind),
            Menu.EDIT,
            in_stage_only=True,
            enabled=_can_change(kind),
            disabled_reason=N_("Select items of a similar type first"),
            glyph=glyphs.get(kind, ""),
            group=4,
            submenu=Submenu.ITEM_TYPE,
        )
        for kind in target_types()
    )


def _item_title(item_type: type[Item]) -> "Callable[[EditorState | None], str]":
    return lambda _model: _(item_type.title)


def _insert_item(item_type: type[Item]) -> "Callable[[EditorState], None]":
    return lambda model: commands.insert(model, commands.new_item(item_type))


def insertions(glyphs: Glyphs) -> tuple["Action[EditorState]", ...]:
    """The actions that insert an item, one for each type."""
    return tuple(
        Action(
            f"insert_{kind.type}",
            _item_title(kind),
            "",
            _insert_item(kind),
            Menu.INSERT,
            enabled=is_open,
            disabled_reason=NO_STUDY,
            glyph=glyph,
            group=1,
        )
        for kind, glyph in glyphs.items()
    )


PAGING: tuple["Action[EditorState]", ...] = (
    Action(
        ActionId.LAYOUT_ADD_PAGE,
        N_("Add page"),
        "Ctrl+Shift+A",
        commands.add_page,
        Menu.PAGE,
        enabled=is_open,
        disabled_reason=NO_STUDY,
        glyph="file-plus",
    ),
    Action(
        ActionId.LAYOUT_PAGE_BEFORE,
        N_("Previous page"),
        "Ctrl+PgUp",
        lambda model: commands.go_to_page(model, -1),
        Menu.PAGE,
        in_stage_only=True,
        enabled=lambda model: bool(model.page_index),
        group=1,
    ),
    Action(
        ActionId.LAYOUT_PAGE_AFTER,
        N_("Next page"),
        "Ctrl+PgDown",
        lambda model: commands.go_to_page(model, 1),
        Menu.PAGE,
        in_stage_only=True,
        enabled=has_page_after,
        group=1,
    ),
    Action(
        ActionId.LAYOUT_SPLIT_ROW,
        N_("Split into two columns"),
        "",
        commands.split_row,
        Menu.PAGE,
        in_stage_only=True,
        enabled=can_split_row,
        disabled_reason=N_("Select an item in a row with one column first; collections have no columns"),
        glyph="columns",
        group=2,
    ),
    Action(
        ActionId.LAYOUT_MERGE_COLUMNS,
        N_("Merge columns"),
        "",
        commands.merge_columns,
        Menu.PAGE,
        in_stage_only=True,
        enabled=is_wide,
        disabled_reason=N_("Select something in a row with two columns first"),
        glyph="rows",
        group=2,
    ),
    Action(
        ActionId.LAYOUT_SPLIT_PAGE,
        N_("Split page before this row"),
        "",
        commands.split_page,
        Menu.PAGE,
        in_stage_only=True,
        enabled=has_selection,
        disabled_reason=NO_SELECTION,
        group=2,
    ),
    Action(
        ActionId.LAYOUT_MERGE_PAGES,
        N_("Merge with next page"),
        "",
        commands.merge_with_next_page,
        Menu.PAGE,
        in_stage_only=True,
        enabled=has_page_after,
        disabled_reason=N_("There is no next page"),
        group=2,
    ),
)


def _save_block_text(stage: EditorView | None) -> str:
    thing = selection_label(stage.model if stage is not None else None)
    return _("Save {thing} as a block…").format(thing=thing)


VIEW: tuple[Action[EditorView], ...] = (
    Action(
        ActionId.LAYOUT_SAVE_BLOCK,
        _save_block_text,
        "",
        lambda stage: stage.save_block(),
        Menu.INSERT,
        in_stage_only=True,
        enabled=lambda stage: stage.shows_editor and stage.model.page is not None,
        disabled_reason=NO_PAGE,
        glyph="stack",
        group=2,
    ),
    Action(
        ActionId.LAYOUT_FIND_TEXT,
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
        ActionId.LAYOUT_REPLACE_TEXT,
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
        ActionId.LAYOUT_INSERT_PART,
        N_("Choose an item"),
        "Ins",
        lambda stage: stage.show_palette(),
        Menu.INSERT,
        enabled=lambda stage: stage.model.study.is_open,
        glyph="plus",
    ),
    Action(
        ActionId.LAYOUT_PREVIEW,
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
        ActionId.LAYOUT_OUTLINE,
        N_("Outline"),
        "Ctrl+Shift+L",
        lambda stage: stage.toggle_outline(),
        Menu.VIEW,
        glyph="tree-structure",
        group=5,
        checked=lambda stage: stage.shows_outline,
    ),
    Action(
        ActionId.LAYOUT_PROBLEMS,
        N_("List of problems"),
        "Shift+F8",
        lambda stage: stage.toggle_problems(),
        Menu.VIEW,
        glyph="warning-octagon",
        group=5,
    ),
    Action(
        ActionId.LAYOUT_EDIT_LABEL,
        N_("Edit label of the field"),
        "",
        lambda stage: stage.edit_label(),
        Menu.EDIT,
        in_stage_only=True,
        enabled=lambda stage: bool(stage.model.labelled_field()),
        disabled_reason=N_("Select one dataset field of the schema on a page first"),
        glyph="pencil-simple",
        group=4,
    ),
    Action(
        ActionId.LAYOUT_RENAME_PAGE,
        N_("Rename page"),
        "",
        lambda stage: stage.rename_page(),
        Menu.PAGE,
        enabled=lambda stage: stage.model.page is not None,
        disabled_reason=NO_PAGE,
        glyph="pencil-simple",
    ),
)


ACTIONS: tuple[Action[Any], ...] = (
    *EDITING,
    *insertions({kind: "" for kind in ITEM_TYPES.values() if kind is not DatasetField}),
    *PAGING,
    *VIEW,
    *type_changes({}),
)
"""All actions, as they are listed before the stage is opened: without the icons of the item types."""
