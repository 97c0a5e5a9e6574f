"""What each part of the editor shows as selected."""

from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAccessible, QImage, QRegion
from PySide6.QtWidgets import QApplication, QWidget

from batchwright.ui.editor.canvas.cards import ItemCard
from batchwright.ui.editor.canvas.rows import NodeWidget, RowWidget
from batchwright.ui.editor.core.item_labels import item_label, selection_phrase
from batchwright.ui.editor.stage import EditorStage
from batchwright.ui.theme import theme
from batchwright.ui.widgets.text import Label


def check_selection(stage: EditorStage) -> None:
    """Check that canvas, form, page list, outline panel and screen readers agree with what Delete removes."""
    panels = stage.panels
    selected, pages = frozenset(stage.state.keys), frozenset(stage.selection.pages)
    targets = frozenset(stage.state.targets)
    if stage.state.page is not None:
        check_outlines(stage)
        assert spoken_selection(stage) == selected, "what a screen reader says"
    check_form(stage)
    assert listed_pages(stage) == pages, "the list of pages"
    if panels.shows_outline:
        assert panels.outline.selected_keys() == targets, "the outline panel"
    focused = panels.canvas.focused_key()
    assert focused is None or focused in selected, "the focus"


def check_outlines(stage: EditorStage) -> None:
    """Check that the selected items, columns and rows are painted with an outline, and no others."""
    selected = frozenset(stage.state.keys)
    page_canvas = stage.panels.canvas.page_canvas
    cards = [card for card in page_canvas.findChildren(ItemCard) if card.isVisible()]
    outlined = {card.node.key for card in cards if _is_outlined(_own_picture(card), card.rect())}
    assert outlined == {card.node.key for card in cards} & selected, "the outlines of items"
    # A row and its only column have one outline: boxes are compared, not keys.
    boxes = {box.key: _outline(box, page_canvas) for box in _boxes(page_canvas)}
    picture = _own_picture(page_canvas)
    outlines = {_corners(box) for box in boxes.values() if _is_outlined(picture, box)}
    assert outlines == {_corners(box) for key, box in boxes.items() if key in selected}, (
        "the outlines of columns and rows"
    )
    assert selected <= {card.node.key for card in cards} | boxes.keys(), "the nodes on the canvas"


def check_form(stage: EditorStage) -> None:
    """Check that the form is about the selected nodes: one of them, or all with the number of each type."""
    inspector, layout, schema = stage.panels.inspector, stage.state.layout, stage.state.study.schema
    paths = layout.paths(stage.state.targets)
    shown = Counter(label.text() for label in inspector.findChildren(Label) if label.isVisibleTo(inspector))
    labels = Counter(item_label(layout.at(path), schema).title for path in paths.values())
    if len(paths) == 1:
        assert inspector.form is not None, "the form of one node"
        assert {inspector.form.key} == paths.keys(), "the node of the form"
        assert shown >= labels, "the title of the form"
        return
    assert inspector.form is None, "the form of several nodes"
    if paths:
        level = next(iter(paths.values())).level
        assert shown[selection_phrase(level, len(paths))] == 1, "the number of nodes in the title"
        assert shown >= Counter(labels.keys()) + Counter(map(str, labels.values())), "the types of the nodes"


def shown_targets(stage: EditorStage) -> tuple[str, ...]:
    """The nodes that are shown as selected: those that screen readers call so, or else the listed pages."""
    return tuple(spoken_selection(stage) or listed_pages(stage))


def spoken_selection(stage: EditorStage) -> frozenset[str]:
    """The keys of the items, columns and rows of the page that a screen reader calls selected."""
    page_canvas = stage.panels.canvas.page_canvas
    boxes: list[tuple[str, QWidget]] = [
        *((card.node.key, card) for card in page_canvas.findChildren(ItemCard) if card.isVisible()),
        *((box.key, box) for box in _boxes(page_canvas)),
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


def _boxes(page_canvas: QWidget) -> Iterator[NodeWidget]:
    return (box for box in page_canvas.findChildren(NodeWidget) if box.isVisible())


def _outline(box: NodeWidget, page_canvas: QWidget) -> QRect:
    """Where the page paints the outline of a row or column."""
    if isinstance(box, RowWidget):
        inside = box.rect_in(page_canvas)
    else:
        inside = QRect(box.mapTo(page_canvas, QPoint()), box.size())
    gap = theme().px(4)
    return inside.adjusted(-gap, -gap, gap, gap)


def _own_picture(widget: QWidget) -> QImage:
    """What a widget paints itself, without the widgets in it."""
    picture = QImage(widget.size(), QImage.Format.Format_RGB32)
    picture.fill(theme().tokens.page)
    widget.render(picture, QPoint(), QRegion(), QWidget.RenderFlag.DrawWindowBackground)
    return picture


def _is_outlined(picture: QImage, box: QRect) -> bool:
    """Whether all four edges of a box have the colour of a selection."""
    across, along = box.left() + box.width() // 4, box.top() + box.height() // 4
    points = ((across, box.top()), (across, box.bottom()), (box.left(), along), (box.right(), along))
    return all(picture.pixelColor(x, y) == theme().tokens.accent_text for x, y in points)


def _corners(box: QRect) -> tuple[int, int, int, int]:
    return box.left(), box.top(), box.right(), box.bottom()
