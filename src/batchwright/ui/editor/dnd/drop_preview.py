"""The preview of a drop: the edit it would apply and its hint, or the reason for its rejection.

Canvas, page list and outline only determine the insertion point; the edit is always determined here.
"""

from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.layout.editing.edits import Edit
from batchwright.layout.editing.selection import EditRejected
from batchwright.layout.editing.tree_edits import InsertionPoint
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level
from batchwright.ui.editor.core.item_labels import node_name
from batchwright.ui.editor.dnd.payload import DragPayload


@dataclass(frozen=True)
class DropPreview:
    """The result of dropping at an insertion point.

    `edit` is None if the drop is rejected, with the reason in `rejection`, or if it would change nothing.
    """

    insertion_point: InsertionPoint
    edit: Edit | None
    hint: str
    """The text on the drop indicator."""
    rejection: str = ""


def preview_drop(
    layout: Layout, payload: DragPayload, insertion_point: InsertionPoint, *, copies: bool = False
) -> DropPreview:
    """The preview of dropping a payload at an insertion point."""
    try:
        edit = payload.edit(insertion_point, copies=copies)
        after = edit(layout)
        if after == layout:
            return DropPreview(insertion_point, None, _("Stays where it is"))
        return DropPreview(
            insertion_point, edit, _hint(layout, payload, insertion_point, is_new=copies or payload.is_new)
        )
    except EditRejected as error:
        return DropPreview(insertion_point, None, "", error.reason)


def drop_hint(payload: DragPayload, preview: DropPreview, *, copies: bool = False) -> str:
    """The status bar text during a drag: what dropping does, and what the keys do."""
    if preview.rejection:
        return preview.rejection
    if preview.edit is None:
        return _("{what} · Esc cancels").format(what=preview.hint)
    if payload.is_new:
        template = _("Release to add {name}: {what} · Esc cancels")
    elif copies:
        template = _("Release to copy {name}: {what} · Esc cancels")
    else:
        template = _("Release to move {name}: {what} · Ctrl copies · Esc cancels")
    return template.format(name=_short(payload.name), what=preview.hint)


def _hint(layout: Layout, payload: DragPayload, insertion_point: InsertionPoint, *, is_new: bool) -> str:
    match insertion_point.level(layout):
        case Level.PAGE:
            return _between_pages_hint(
                insertion_point.index, is_new=is_new or payload.level is not Level.PAGE
            )
        case Level.ROW:
            return _between_rows_hint(
                layout, insertion_point, is_new=is_new or payload.level is not Level.ROW
            )
        case Level.COLUMN:
            return _between_columns_hint(layout, insertion_point)
        case Level.ITEM:
            return _between_items_hint(layout, insertion_point)


def _between_pages_hint(index: int, *, is_new: bool) -> str:
    if index == 0:
        return _("New page before page 1") if is_new else _("Before page 1")
    template = _("New page after page {number}") if is_new else _("After page {number}")
    return template.format(number=index)


def _between_rows_hint(layout: Layout, insertion_point: InsertionPoint, *, is_new: bool) -> str:
    page = layout.find(insertion_point.parent or "")
    if page is None or not page.children:
        return _("First row of this page")
    if insertion_point.index <= 0:
        return _("New row before row 1") if is_new else _("Before row 1")
    template = _("New row after row {number}") if is_new else _("After row {number}")
    return template.format(number=min(insertion_point.index, len(page.children)))


def _between_columns_hint(layout: Layout, insertion_point: InsertionPoint) -> str:
    path = layout.paths((insertion_point.parent or "",)).get(insertion_point.parent or "")
    number = (path.row or 0) + 1 if path is not None else 1
    template = (
        _("First column of row {number}")
        if insertion_point.index <= 0
        else _("Second column of row {number}")
    )
    return template.format(number=number)


def _between_items_hint(layout: Layout, insertion_point: InsertionPoint) -> str:
    column = layout.find(insertion_point.parent or "")
    items = column.children if column is not None else ()
    if not items:
        return _("Into this column")
    if insertion_point.index <= 0:
        return _("Before {name}").format(name=_short(node_name(items[0])))
    return _("After {name}").format(name=_short(node_name(items[min(insertion_point.index, len(items)) - 1])))


def _short(name: str, max_characters: int = 32) -> str:
    return name if len(name) <= max_characters else name[: max_characters - 1] + "…"
