"""What the Layout stage can show: parts, preview, outline and problems."""

from typing import Protocol

from batchwright.base.i18n import N_
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.editor.actions.conditions import NO_PAGE
from batchwright.ui.editor.state import EditorState


class ViewToggles(Protocol):
    """What the stage itself can show."""

    model: EditorState

    def show_palette(self) -> None:
        """Give the keyboard to the parts."""

    def show_preview(self) -> None:
        """Show the page as participants see it."""

    def toggle_outline(self) -> None:
        """Show the outline in place of the parts, or the parts again."""

    def toggle_problems(self) -> None:
        """Open or close the list of problems."""

    def rename_page(self) -> None:
        """Let the name of the page in view be written in the list."""

    @property
    def shows_outline(self) -> bool:
        """Whether the outline is shown."""


SHOWING: tuple[Action[ViewToggles], ...] = (
    Action(
        "insert_part",
        N_("Choose a part"),
        "Ins",
        lambda stage: stage.show_palette(),
        Menu.INSERT,
        when=lambda stage: stage.model.study.is_open,
        glyph="plus",
    ),
    Action(
        "preview",
        N_("Preview"),
        "F5",
        lambda stage: stage.show_preview(),
        Menu.PAGE,
        when=lambda stage: stage.model.page is not None,
        why_not=NO_PAGE,
        glyph="eye",
        group=3,
    ),
    Action(
        "outline",
        N_("Outline in place of the parts"),
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
        "rename_page",
        N_("Rename page"),
        "",
        lambda stage: stage.rename_page(),
        Menu.PAGE,
        when=lambda stage: stage.model.page is not None,
        why_not=NO_PAGE,
        glyph="pencil-simple",
    ),
)
