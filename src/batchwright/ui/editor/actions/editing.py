"""The Edit menu of the Layout stage: clipboard, selecting, moving, and going to problems."""

from collections.abc import Callable

from batchwright.base.i18n import N_, _
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.editor import commands
from batchwright.ui.editor.actions.conditions import (
    NO_PAGE,
    NO_SELECTION,
    has_editor_focus,
    has_page,
    has_selection,
    selection_label,
)
from batchwright.ui.editor.keyboard_moves import Direction
from batchwright.ui.editor.problems_list import FIX_ALL_KEYS, FIX_EVERYTHING_KEYS, FIX_KEYS
from batchwright.ui.editor.state import EditorState

M = EditorState


def _move(direction: Direction) -> Callable[[M], None]:
    return lambda model: commands.move(model, direction)


EDITING: tuple[Action[M], ...] = (
    Action(
        "cut",
        lambda model: _("Cut {thing}").format(thing=selection_label(model)),
        "Ctrl+X",
        commands.cut,
        Menu.EDIT,
        when=has_page,
        why_not=NO_PAGE,
        glyph="scissors",
        group=2,
    ),
    Action(
        "copy",
        lambda model: _("Copy {thing}").format(thing=selection_label(model)),
        "Ctrl+C",
        M.copy,
        Menu.EDIT,
        when=has_page,
        why_not=NO_PAGE,
        glyph="copy",
        group=2,
    ),
    Action(
        "paste",
        N_("Paste"),
        "Ctrl+V",
        commands.paste,
        Menu.EDIT,
        when=has_editor_focus,
        glyph="clipboard-text",
        group=2,
    ),
    Action(
        "duplicate",
        lambda model: _("Duplicate {thing}").format(thing=selection_label(model)),
        "Ctrl+D",
        commands.duplicate,
        Menu.EDIT,
        when=has_page,
        why_not=NO_PAGE,
        glyph="copy",
        group=2,
    ),
    Action(
        "remove",
        lambda model: _("Remove {thing}").format(thing=selection_label(model)),
        "Del",
        commands.remove,
        Menu.EDIT,
        when=has_page,
        why_not=NO_PAGE,
        glyph="trash",
        group=2,
    ),
    Action(
        "select_all",
        N_("Select all items of the page"),
        "Ctrl+A",
        commands.select_all,
        Menu.EDIT,
        when=has_page,
        why_not=NO_PAGE,
        group=3,
    ),
    Action(
        "select_outer",
        N_("Select what is around it"),
        "",
        commands.select_parent,
        Menu.EDIT,
        when=has_selection,
        why_not=NO_SELECTION,
        group=3,
    ),
    *(
        Action(
            f"move_{direction.value}",
            text,
            f"Alt+{direction.value.capitalize()}",
            _move(direction),
            Menu.EDIT,
            when=has_page,
            why_not=NO_PAGE,
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
        when=lambda model: bool(model.study.problems),
        why_not=N_("There are no problems"),
        glyph="warning-octagon",
        group=5,
    ),
    Action(
        "fix_here",
        N_("Fix this problem"),
        FIX_KEYS,
        commands.fix_selected,
        Menu.EDIT,
        when=has_page,
        why_not=NO_PAGE,
        group=5,
    ),
    Action(
        "fix_all_here",
        N_("Fix all problems of this kind"),
        FIX_ALL_KEYS,
        commands.fix_all_like_selected,
        Menu.EDIT,
        when=has_page,
        why_not=NO_PAGE,
        group=5,
    ),
    Action(
        "fix_all",
        N_("Fix all problems"),
        FIX_EVERYTHING_KEYS,
        M.fix_all,
        Menu.EDIT,
        when=M.can_fix_all,
        why_not=N_("No problem has a fix of its own"),
        group=5,
    ),
)
