"""When the actions of the Layout stage can be done, and what to do first when they cannot."""

from batchwright.base.i18n import N_, _
from batchwright.layout.nodes import Level
from batchwright.ui.editor import commands
from batchwright.ui.editor.item_labels import count_phrase
from batchwright.ui.editor.state import EditorState

NO_SELECTION = N_("Select something on the page first")
NO_PAGE = N_("Add a page first")
NO_STUDY = N_("Open or make a study first")


def has_editor_focus(model: EditorState) -> bool:
    """Whether keys are meant for the layout."""
    return model.has_editor_focus()


def is_open(model: EditorState) -> bool:
    """Whether there is a study."""
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


def is_narrow(model: EditorState) -> bool:
    """Whether the row of what is selected has one column."""
    return _columns(model) == 1


def is_wide(model: EditorState) -> bool:
    """Whether the row of what is selected has several columns."""
    return _columns(model) > 1


def selection_label(model: EditorState) -> str:
    """What the selection is called in a menu."""
    level, count = model.level() or Level.PAGE, len(model.targets)
    if count > 1:
        return count_phrase(level, count)
    return {Level.ROW: _("row"), Level.COLUMN: _("column"), Level.ITEM: _("item")}.get(level, _("page"))


def _columns(model: EditorState) -> int:
    row = commands.row_of(model) if has_editor_focus(model) else None
    return 0 if row is None else len(row.inside)
