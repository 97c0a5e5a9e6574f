"""The actions of the Layout stage (style.md 8)."""

from collections.abc import Callable
from typing import Protocol

from batchwright.layout.entries import Level
from batchwright.layout.model import Item
from batchwright.ui.actions import Action, Menu
from batchwright.ui.layout import deeds
from batchwright.ui.layout.kinds import KINDS
from batchwright.ui.layout.moves import Direction
from batchwright.ui.layout.view_model import LayoutViewModel
from batchwright.words import _

M = LayoutViewModel
_NO_SELECTION = _("Select something on the page first")
_NO_PAGE = _("Add a page first")


class Showing(Protocol):
    """What the stage itself can show."""

    model: LayoutViewModel

    def insert_part(self) -> None:
        """Give the keyboard to the parts."""

    def show_preview(self) -> None:
        """Show the page as participants see it."""

    def toggle_outline(self) -> None:
        """Show the outline in place of the parts, or the parts again."""

    def toggle_problems(self) -> None:
        """Open or close the list of problems."""

    @property
    def shows_outline(self) -> bool:
        """Whether the outline is shown."""


def _is_here(model: M) -> bool:
    return model.takes_keys()


def _has_page(model: M) -> bool:
    return _is_here(model) and model.page is not None


def _has_selection(model: M) -> bool:
    return _is_here(model) and bool(model.keys)


def _is_wide(model: M) -> bool:
    row = deeds.row_of(model) if _is_here(model) else None
    return row is not None and len(row.inside) > 1


def _is_narrow(model: M) -> bool:
    row = deeds.row_of(model) if _is_here(model) else None
    return row is not None and len(row.inside) == 1


def _move(direction: Direction) -> Callable[[M], None]:
    return lambda model: deeds.move(model, direction)


def _insert(kind: type[Item]) -> Callable[[M], None]:
    return lambda model: deeds.insert(model, deeds.new_item(kind))


def _thing(model: M) -> str:
    """What the selection is called in a menu."""
    words = {
        Level.ROW: (_("row"), _("{count} rows")),
        Level.COLUMN: (_("column"), _("{count} columns")),
        Level.ITEM: (_("item"), _("{count} items")),
    }
    one, many = words.get(model.level() or Level.PAGE, (_("page"), _("{count} pages")))
    return one if len(model.keys) < 2 else many.format(count=len(model.keys))


CHANGING: tuple[Action[M], ...] = (
    Action(
        "cut",
        lambda model: _("Cut {thing}").format(thing=_thing(model)),
        "Ctrl+X",
        deeds.cut,
        Menu.EDIT,
        when=_has_page,
        why_not=_NO_PAGE,
        glyph="scissors",
        group=2,
    ),
    Action(
        "copy",
        lambda model: _("Copy {thing}").format(thing=_thing(model)),
        "Ctrl+C",
        M.copy,
        Menu.EDIT,
        when=_has_page,
        why_not=_NO_PAGE,
        glyph="copy",
        group=2,
    ),
    Action(
        "paste", _("Paste"), "Ctrl+V", deeds.paste, Menu.EDIT, when=_is_here, glyph="clipboard-text", group=2
    ),
    Action(
        "duplicate",
        lambda model: _("Duplicate {thing}").format(thing=_thing(model)),
        "Ctrl+D",
        deeds.duplicate,
        Menu.EDIT,
        when=_has_page,
        why_not=_NO_PAGE,
        glyph="copy",
        group=2,
    ),
    Action(
        "remove",
        lambda model: _("Remove {thing}").format(thing=_thing(model)),
        "Del",
        deeds.remove,
        Menu.EDIT,
        when=_has_page,
        why_not=_NO_PAGE,
        glyph="trash",
        group=2,
    ),
    Action(
        "select_all",
        _("Select all items of the page"),
        "Ctrl+A",
        deeds.select_all,
        Menu.EDIT,
        when=_has_page,
        why_not=_NO_PAGE,
        group=3,
    ),
    Action(
        "select_outer",
        _("Select what is around it"),
        "",
        deeds.select_outer,
        Menu.EDIT,
        when=_has_selection,
        why_not=_NO_SELECTION,
        group=3,
    ),
    *(
        Action(
            f"move_{direction.value}",
            text,
            f"Alt+{direction.value.capitalize()}",
            _move(direction),
            Menu.EDIT,
            when=_has_page,
            why_not=_NO_PAGE,
            glyph=f"arrow-{direction.value}",
            group=4,
        )
        for direction, text in (
            (Direction.UP, _("Move up")),
            (Direction.DOWN, _("Move down")),
            (Direction.LEFT, _("Move left")),
            (Direction.RIGHT, _("Move right")),
        )
    ),
    Action(
        "next_problem",
        _("Next problem"),
        "F8",
        M.next_problem,
        Menu.EDIT,
        when=lambda model: bool(model.study.problems),
        why_not=_("There are no problems"),
        glyph="warning-octagon",
        group=5,
    ),
    Action(
        "fix_here",
        _("Fix this problem"),
        "Ctrl+.",
        deeds.fix_here,
        Menu.EDIT,
        when=_has_page,
        why_not=_NO_PAGE,
        group=5,
    ),
    *(
        Action(
            f"insert_{kind.type}",
            shown.title,
            "",
            _insert(kind),
            Menu.INSERT,
            when=lambda model: model.study.is_open,
            why_not=_("Open or make a study first"),
            glyph=shown.glyph,
            group=1,
        )
        for kind, shown in KINDS.items()
    ),
    Action(
        "add_page",
        _("Add page"),
        "Ctrl+Shift+A",
        deeds.add_page,
        Menu.PAGE,
        when=lambda model: model.study.is_open,
        why_not=_("Open or make a study first"),
        glyph="file-plus",
    ),
    Action(
        "page_before",
        _("Previous page"),
        "Ctrl+PgUp",
        lambda model: deeds.show_page(model, -1),
        Menu.PAGE,
        when=lambda model: bool(model.page_number),
        group=1,
    ),
    Action(
        "page_after",
        _("Next page"),
        "Ctrl+PgDown",
        lambda model: deeds.show_page(model, 1),
        Menu.PAGE,
        when=lambda model: model.page_number is not None and model.page_number + 1 < len(model.layout.pages),
        group=1,
    ),
    Action(
        "split_row",
        _("Split into two columns"),
        "",
        deeds.split_row,
        Menu.PAGE,
        when=_is_narrow,
        why_not=_("Select an item in a row with one column first"),
        glyph="columns",
        group=2,
    ),
    Action(
        "merge_columns",
        _("Merge columns"),
        "",
        deeds.merge_columns,
        Menu.PAGE,
        when=_is_wide,
        why_not=_("Select something in a row with two columns first"),
        glyph="rows",
        group=2,
    ),
    Action(
        "split_page",
        _("Split page before this row"),
        "",
        deeds.split_page,
        Menu.PAGE,
        when=_has_selection,
        why_not=_NO_SELECTION,
        group=2,
    ),
    Action(
        "merge_pages",
        _("Merge with next page"),
        "",
        deeds.merge_with_next_page,
        Menu.PAGE,
        when=lambda model: model.page_number is not None and model.page_number + 1 < len(model.layout.pages),
        why_not=_("There is no next page"),
        group=2,
    ),
)

SHOWING: tuple[Action[Showing], ...] = (
    Action(
        "insert_part",
        _("Choose a part"),
        "Ins",
        lambda stage: stage.insert_part(),
        Menu.INSERT,
        when=lambda stage: stage.model.study.is_open,
        glyph="plus",
    ),
    Action(
        "preview",
        _("Preview"),
        "F5",
        lambda stage: stage.show_preview(),
        Menu.PAGE,
        when=lambda stage: stage.model.page is not None,
        why_not=_NO_PAGE,
        glyph="eye",
        group=3,
    ),
    Action(
        "outline",
        _("Outline in place of the parts"),
        "Ctrl+Shift+L",
        lambda stage: stage.toggle_outline(),
        Menu.VIEW,
        glyph="tree-structure",
        group=5,
        checked=lambda stage: stage.shows_outline,
    ),
    Action(
        "problems",
        _("List of problems"),
        "Shift+F8",
        lambda stage: stage.toggle_problems(),
        Menu.VIEW,
        glyph="warning-octagon",
        group=5,
    ),
)
