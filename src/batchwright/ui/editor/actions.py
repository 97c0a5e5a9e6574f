"""The actions of the Layout stage: tables from which menus, shortcuts and the command palette are generated.

`EDITING`, `insertions` and `PAGING` act on the `EditorState`; `VIEW` and `type_changes` on the stage itself.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from batchwright.base.i18n import N_, _
from batchwright.layout.item_types.registry import ITEM_TYPES, DatasetField, Item
from batchwright.layout.nodes import Level
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Condition, Menu, MenuSection, Submenu, condition
from batchwright.ui.core.lazy_imports import LazyFunctions
from batchwright.ui.editor.core.fix_commands import (
    FIX_ALL_KEYS,
    FIX_EVERYTHING_KEYS,
    FIX_KEYS,
    NO_SAFE_FIX,
)

if TYPE_CHECKING:  # imported when the stage is opened
    from PySide6.QtWidgets import QWidget

    import batchwright.ui.editor.core.commands as commands
    import batchwright.ui.editor.core.item_labels as item_labels
    from batchwright.ui.editor.core.state import EditorState
else:
    commands = LazyFunctions("batchwright.ui.editor.core.commands")
    item_labels = LazyFunctions("batchwright.ui.editor.core.item_labels")

_CLIPBOARD = MenuSection(Menu.EDIT, 2)
_SELECTION = MenuSection(Menu.EDIT, 3)
_PROBLEMS = MenuSection(Menu.EDIT, 5, Submenu.PROBLEMS)
_PAGE = MenuSection(Menu.PAGE)
_NEIGHBOURS = MenuSection(Menu.PAGE, 1)
_STRUCTURE = MenuSection(Menu.PAGE, 2)
_BLOCKS = MenuSection(Menu.INSERT, 2)
_FIND = MenuSection(Menu.EDIT, 6, Submenu.FIND)
_PALETTE = MenuSection(Menu.INSERT)
_PREVIEW = MenuSection(Menu.PAGE, 3)
_PANELS = MenuSection(Menu.VIEW, 5)
_NODES = MenuSection(Menu.EDIT, 4)
_TYPES = MenuSection(Menu.EDIT, 4, Submenu.ITEM_TYPE)
_ITEMS = MenuSection(Menu.INSERT, 1)

Glyphs = Mapping[type[Item], str]
"""Item types in the order of their actions, each with its icon; empty for none."""

NO_SELECTION = N_("Select something on the page first")
NO_PAGE = N_("Add a page first")
NO_COLUMNS = N_("Add a page first; collections have no columns")
NO_STUDY = N_("Open or create a study first")


class EditorView(Protocol):
    """The stage as its actions know it."""

    @property
    def state(self) -> "EditorState":
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

    def show_languages(self) -> None:
        """Show the texts in the languages of the study."""

    def toggle_outline(self) -> None:
        """Show or hide the outline."""

    def toggle_problems(self) -> None:
        """Show or hide the list of problems."""

    def edit_label(self) -> None:
        """Edit the label of the selected dataset field."""

    def rename_page(self) -> None:
        """Edit the name of the page in view."""


@condition(in_stage_only=True)
def has_editor_focus(state: "EditorState") -> bool:
    """Whether shortcuts apply to the layout, because no text field has the focus."""
    return state.has_editor_focus()


@condition(NO_STUDY)
def is_open(state: "EditorState") -> bool:
    """Whether a study is open."""
    return state.study.is_open


@condition(NO_PAGE, in_stage_only=True)
def has_page(state: "EditorState") -> bool:
    """Whether a page is in view."""
    return has_editor_focus(state) and state.page is not None


@condition(NO_SELECTION, in_stage_only=True)
def has_selection(state: "EditorState") -> bool:
    """Whether anything on the page is selected."""
    return has_editor_focus(state) and bool(state.keys)


@condition(N_("There is no next page"), in_stage_only=True)
def has_page_after(state: "EditorState") -> bool:
    """Whether there is a page after the one in view."""
    return state.page_index is not None and state.page_index + 1 < len(state.layout.pages)


@condition(
    N_("Select an item in a row with one column first; collections have no columns"), in_stage_only=True
)
def can_split_row(state: "EditorState") -> bool:
    """Whether the row of the selection has one column, and may have two."""
    return _columns(state) == 1 and not state.study.is_collection


@condition(NO_COLUMNS, in_stage_only=True)
def can_move_across(state: "EditorState") -> bool:
    """Whether the selection can be moved to another column or beside another item."""
    return has_page(state) and not state.study.is_collection


@condition(N_("Select something in a row with two columns first"), in_stage_only=True)
def is_wide(state: "EditorState") -> bool:
    """Whether the row of the selection has several columns."""
    return _columns(state) > 1


def selection_label(state: "EditorState | None") -> str:
    """The selection in the text of a menu entry: `item`, `2 rows`; None before the stage is opened."""
    if state is None:
        return _("page")
    level, count = state.level() or Level.PAGE, len(state.targets)
    if count > 1:
        return item_labels.count_phrase(level, count)
    return {Level.ROW: _("row"), Level.COLUMN: _("column"), Level.ITEM: _("item")}.get(level, _("page"))


def _columns(state: "EditorState") -> int:
    row = commands.row_of(state) if has_editor_focus(state) else None
    return 0 if row is None else len(row.children)


def _move(direction: str) -> "Callable[[EditorState], None]":
    def move(state: "EditorState") -> None:
        from batchwright.ui.editor.core.keyboard_moves import Direction

        commands.move(state, Direction(direction))

    return move


EDITING: tuple["Action[EditorState]", ...] = (
    Action(
        ActionId.LAYOUT_CUT,
        lambda state: _("Cut {thing}").format(thing=selection_label(state)),
        commands.cut,
        _CLIPBOARD,
        "scissors",
        has_page,
        "Ctrl+X",
    ),
    Action(
        ActionId.LAYOUT_COPY,
        lambda state: _("Copy {thing}").format(thing=selection_label(state)),
        lambda state: state.copy(),
        _CLIPBOARD,
        "copy",
        has_page,
        "Ctrl+C",
    ),
    Action(
        ActionId.LAYOUT_PASTE,
        N_("Paste"),
        commands.paste,
        _CLIPBOARD,
        "clipboard-text",
        has_editor_focus,
        "Ctrl+V",
    ),
    Action(
        ActionId.LAYOUT_DUPLICATE,
        lambda state: _("Duplicate {thing}").format(thing=selection_label(state)),
        commands.duplicate,
        _CLIPBOARD,
        "copy",
        has_page,
        "Ctrl+D",
    ),
    Action(
        ActionId.LAYOUT_REMOVE,
        lambda state: _("Remove {thing}").format(thing=selection_label(state)),
        commands.remove,
        _CLIPBOARD,
        "trash",
        has_page,
        "Del",
    ),
    Action(
        ActionId.LAYOUT_SELECT_ALL,
        N_("Select all items of the page"),
        commands.select_all,
        _SELECTION,
        condition=has_page,
        shortcut="Ctrl+A",
    ),
    Action(
        ActionId.LAYOUT_SELECT_OUTER,
        N_("Select parent"),
        commands.select_parent,
        _SELECTION,
        condition=has_selection,
    ),
    *(
        Action(
            id,
            text,
            _move(direction),
            _NODES,
            f"arrow-{direction}",
            can_move,
            f"Alt+{direction.capitalize()}",
        )
        for id, direction, text, can_move in (
            (ActionId.LAYOUT_MOVE_UP, "up", N_("Move up"), has_page),
            (ActionId.LAYOUT_MOVE_DOWN, "down", N_("Move down"), has_page),
            (ActionId.LAYOUT_MOVE_LEFT, "left", N_("Move left"), can_move_across),
            (ActionId.LAYOUT_MOVE_RIGHT, "right", N_("Move right"), can_move_across),
        )
    ),
    Action(
        ActionId.LAYOUT_NEXT_PROBLEM,
        N_("Go to next problem"),
        lambda state: state.go_to_next_problem(),
        _PROBLEMS,
        "warning-octagon",
        Condition(lambda state: bool(state.study.problems), N_("There are no problems")),
        "F8",
    ),
    Action(
        ActionId.LAYOUT_FIX_HERE,
        N_("Fix this problem"),
        commands.fix_selected,
        _PROBLEMS,
        condition=has_page,
        shortcut=FIX_KEYS,
    ),
    Action(
        ActionId.LAYOUT_FIX_ALL_HERE,
        N_("Fix all problems of this kind"),
        commands.fix_all_like_selected,
        _PROBLEMS,
        condition=has_page,
        shortcut=FIX_ALL_KEYS,
    ),
    Action(
        ActionId.LAYOUT_FIX_ALL,
        N_("Fix all problems"),
        lambda state: state.fix_all(),
        _PROBLEMS,
        condition=Condition(lambda state: state.can_fix_all(), NO_SAFE_FIX),
        shortcut=FIX_EVERYTHING_KEYS,
    ),
)


def _change_title(item_type: type[Item]) -> Callable[[EditorView | None], str]:
    return lambda _stage: _("Change to “{type}”").format(type=_(item_type.title))


def _change_type(item_type: type[Item]) -> Callable[[EditorView], object]:
    return lambda stage: commands.change_type(stage.state, stage.window(), item_type)


def _can_change(item_type: type[Item]) -> Condition[EditorView]:
    def can_change(stage: EditorView) -> bool:
        return stage.shows_editor and commands.can_change(stage.state, item_type)

    return Condition(can_change, N_("Select items of a similar type first"), in_stage_only=True)


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
            _change_type(kind),
            _TYPES,
            glyphs.get(kind, ""),
            _can_change(kind),
        )
        for kind in target_types()
    )


def _item_title(item_type: type[Item]) -> "Callable[[EditorState | None], str]":
    return lambda _state: _(item_type.title)


def _insert_item(item_type: type[Item]) -> "Callable[[EditorState], None]":
    return lambda state: commands.insert(state, commands.new_item(item_type))


def insertions(glyphs: Glyphs) -> tuple["Action[EditorState]", ...]:
    """The actions that insert an item, one for each type."""
    return tuple(
        Action(f"insert_{kind.type}", _item_title(kind), _insert_item(kind), _ITEMS, glyph, is_open)
        for kind, glyph in glyphs.items()
    )


PAGING: tuple["Action[EditorState]", ...] = (
    Action(
        ActionId.LAYOUT_ADD_PAGE,
        N_("Add page"),
        commands.add_page,
        _PAGE,
        "file-plus",
        is_open,
        "Ctrl+Shift+A",
    ),
    Action(
        ActionId.LAYOUT_PAGE_BEFORE,
        N_("Previous page"),
        lambda state: commands.go_to_page(state, -1),
        _NEIGHBOURS,
        condition=Condition(lambda state: bool(state.page_index), in_stage_only=True),
        shortcut="Ctrl+PgUp",
    ),
    Action(
        ActionId.LAYOUT_PAGE_AFTER,
        N_("Next page"),
        lambda state: commands.go_to_page(state, 1),
        _NEIGHBOURS,
        condition=Condition(has_page_after, in_stage_only=True),
        shortcut="Ctrl+PgDown",
    ),
    Action(
        ActionId.LAYOUT_SPLIT_ROW,
        N_("Split into two columns"),
        commands.split_row,
        _STRUCTURE,
        "columns",
        can_split_row,
    ),
    Action(
        ActionId.LAYOUT_MERGE_COLUMNS,
        N_("Merge columns"),
        commands.merge_columns,
        _STRUCTURE,
        "rows",
        is_wide,
    ),
    Action(
        ActionId.LAYOUT_SPLIT_PAGE,
        N_("Split page before this row"),
        commands.split_page,
        _STRUCTURE,
        condition=has_selection,
    ),
    Action(
        ActionId.LAYOUT_MERGE_PAGES,
        N_("Merge with next page"),
        commands.merge_with_next_page,
        _STRUCTURE,
        condition=has_page_after,
    ),
)


def _save_block_text(stage: EditorView | None) -> str:
    thing = selection_label(stage.state if stage is not None else None)
    return _("Save {thing} as a block…").format(thing=thing)


@condition(NO_STUDY)
def _shows_study(stage: EditorView) -> bool:
    return stage.state.study.is_open


@condition(NO_PAGE)
def _shows_page(stage: EditorView) -> bool:
    return stage.state.page is not None


@condition(NO_PAGE, in_stage_only=True)
def _can_save_block(stage: EditorView) -> bool:
    return stage.shows_editor and stage.state.page is not None


VIEW: tuple[Action[EditorView], ...] = (
    Action(
        ActionId.LAYOUT_SAVE_BLOCK,
        _save_block_text,
        lambda stage: stage.save_block(),
        _BLOCKS,
        "stack",
        _can_save_block,
    ),
    Action(
        ActionId.LAYOUT_FIND_TEXT,
        N_("Find…"),
        lambda stage: stage.show_find(),
        _FIND,
        "magnifying-glass",
        _shows_study,
        "Ctrl+F",
    ),
    Action(
        ActionId.LAYOUT_REPLACE_TEXT,
        N_("Find and replace…"),
        lambda stage: stage.show_find(),
        _FIND,
        condition=_shows_study,
        shortcut="Ctrl+H",
    ),
    Action(
        ActionId.LAYOUT_INSERT_PART,
        N_("Choose an item"),
        lambda stage: stage.show_palette(),
        _PALETTE,
        "plus",
        Condition(lambda stage: stage.state.study.is_open),
        "Ins",
    ),
    Action(
        ActionId.LAYOUT_PREVIEW,
        N_("Preview"),
        lambda stage: stage.show_preview(),
        _PREVIEW,
        "eye",
        _shows_page,
        "F5",
    ),
    Action(
        ActionId.LAYOUT_LANGUAGES,
        N_("Languages…"),
        lambda stage: stage.show_languages(),
        _PREVIEW,
        "translate",
        _shows_study,
    ),
    Action(
        ActionId.LAYOUT_OUTLINE,
        N_("Outline"),
        lambda stage: stage.toggle_outline(),
        _PANELS,
        "tree-structure",
        checked=lambda stage: stage.shows_outline,
        shortcut="Ctrl+Shift+L",
    ),
    Action(
        ActionId.LAYOUT_PROBLEMS,
        N_("List of problems"),
        lambda stage: stage.toggle_problems(),
        _PANELS,
        "warning-octagon",
        shortcut="Shift+F8",
    ),
    Action(
        ActionId.LAYOUT_EDIT_LABEL,
        N_("Edit label of the field"),
        lambda stage: stage.edit_label(),
        _NODES,
        "pencil-simple",
        Condition(
            lambda stage: bool(stage.state.labelled_field()),
            N_("Select one dataset field of the schema on a page first"),
            in_stage_only=True,
        ),
    ),
    Action(
        ActionId.LAYOUT_RENAME_PAGE,
        N_("Rename page"),
        lambda stage: stage.rename_page(),
        _PAGE,
        "pencil-simple",
        _shows_page,
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
