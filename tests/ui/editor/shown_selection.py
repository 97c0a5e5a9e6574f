"""What each part of the editor shows as selected."""

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.canvas.rows import NodeWidget
from batchwright.ui.editor.stage import EditorStage


def check_selection(stage: EditorStage) -> None:
    """Check that canvas, form, page list, outline panel and screen readers agree with what Delete removes."""
    panels = stage.panels
    selected, pages = frozenset(stage.model.keys), frozenset(stage.selection.pages)
    targets = frozenset(stage.model.targets)
    if stage.model.page is not None:
        assert spoken_selection(stage) == selected, "what a screen reader says"
    form = panels.inspector.form
    assert ({form.key} if form else set()) == (targets if len(targets) == 1 else set()), "the form"
    assert listed_pages(stage) == pages, "the list of pages"
    if panels.shows_outline:
        assert panels.outline.selected_keys() == targets, "the outline panel"
    focused = panels.canvas.focused_key()
    assert focused is None or focused in selected, "the focus"


def spoken_selection(stage: EditorStage) -> frozenset[str]:
    """The keys of the items, columns and rows of the page that a screen reader calls selected."""
    page_canvas = stage.panels.canvas.page_canvas
    boxes: list[tuple[str, QWidget]] = [
        *((card.node.key, card) for card in page_canvas.findChildren(ItemCard) if card.isVisible()),
        *((box.key, box) for box in page_canvas.findChildren(NodeWidget) if box.isVisible()),
    ]
    return frozenset(key for key, widget in boxes if _is_selected(widget))


def listed_pages(stage: EditorStage) -> frozenset[str]:
    """The keys of the pages that are selected in the list of pages."""
    pages = stage.panels.pages
    rows = (pages.pages_model.row_at(index.row()) for index in pages.selectedIndexes())
    return frozenset(row.page.key for row in rows if row is not None)


def focused_name() -> str:
    """What a screen reader calls the focused widget."""
    widget = QApplication.focusWidget()
    return "" if widget is None else QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def _is_selected(widget: QWidget) -> bool:
    return bool(QAccessible.queryAccessibleInterface(widget).state().selected)
