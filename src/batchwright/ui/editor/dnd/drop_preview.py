"""The preview of a drop: the edit it would apply and its hint, or the reason for its rejection.

Canvas, page list and outline only determine the insertion point; the edit is always determined here.
"""

from dataclasses import dataclass

from batchwright.base.i18n import _
from batchwright.layout.edits import Edit, EditRejected, InsertionPoint
from batchwright.layout.model import Layout
from batchwright.layout.nodes import Level
from batchwright.ui.editor.dnd.payload import DragPayload
from batchwright.ui.editor.item_labels import node_name


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
    layout: Layout, payload: DragPayload, gap: InsertionPoint, *, copies: bool = False
) -> DropPreview:
    """The preview of dropping a payload at an insertion point."""
    try:
        edit = payload.edit(gap, copies=copies)
        after = edit(layout)
        if after == layout:
            return DropPreview(gap, None, _("Stays where it is"))
        return DropPreview(gap, edit, _hint(layout, payload, gap, is_new=copies or payload.is_new))
    except EditRejected as refusal:
        return DropPreview(gap, None, "", refusal.reason)


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


def _hint(layout: Layout, payload: DragPayload, gap: InsertionPoint, *, is_new: bool) -> str:
    match gap.level(layout):
        case Level.PAGE:
            return _between_pages_hint(gap.index, is_new=is_new or payload.level is not Level.PAGE)
        case Level.ROW:
            return _between_rows_hint(layout, gap, is_new=is_new or payload.level is not Level.ROW)
        case Level.COLUMN:
            return _beside_hint(layout, gap)
        case Level.ITEM:
            return _in_column_hint(layout, gap)


def _between_pages_hint(index: int, *, is_new: bool) -> str:
    if index == 0:
        return _("New page before page 1") if is_new else _("Before page 1")
    template = _("New page after page {number}") if is_new else _("After page {number}")
    return template.format(number=index)


def _between_rows_hint(layout: Layout, gap: InsertionPoint, *, is_new: bool) -> str:
    page = layout.find(gap.parent or "")
    if page is None or not page.children:
        return _("First row of this page")
    if gap.index <= 0:
        return _("New row before row 1") if is_new else _("Before row 1")
    template = _("New row after row {number}") if is_new else _("After row {number}")
    return template.format(number=min(gap.index, len(page.children)))


def _beside_hint(layout: Layout, gap: InsertionPoint) -> str:
    path = layout.paths((gap.parent or "",)).get(gap.parent or "")
    number = (path.row or 0) + 1 if path is not None else 1
    template = _("First column of row {number}") if gap.index <= 0 else _("Second column of row {number}")
    return template.format(number=number)


def _in_column_hint(layout: Layout, gap: InsertionPoint) -> str:
    column = layout.find(gap.parent or "")
    items = column.children if column is not None else ()
    if not items:
        return _("Into this column")
    if gap.index <= 0:
        return _("Before {name}").format(name=_short(node_name(items[0])))
    return _("After {name}").format(name=_short(node_name(items[min(gap.index, len(items)) - 1])))


def _short(name: str, most: int = 32) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
