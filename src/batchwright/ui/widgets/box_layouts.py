"""Box layouts whose margins and gaps scale with the text size."""

from collections.abc import Iterable

from PySide6.QtWidgets import QBoxLayout, QLayout, QSpacerItem, QWidget
from shiboken6 import invalidate
from typing_extensions import override

from batchwright.ui.theme import theme

Margins = int | tuple[int, int, int, int]
LayoutItem = QWidget | QLayout | int | None
"""A widget, a layout, a gap in pixels, or None for a stretch."""


class ScaledBoxLayout(QBoxLayout):
    """A row or column; sizes are logical pixels at 100 % text size."""

    def __init__(
        self,
        direction: QBoxLayout.Direction,
        items: Iterable[LayoutItem] = (),
        *,
        gap: int = 8,
        margins: Margins = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(direction, parent)
        self._gap = gap
        self._margins = _four(margins)
        self._spaces: list[tuple[QSpacerItem, int]] = []
        self.add(*items)
        self._update_geometry()
        theme().on_changed(self._update_geometry)

    def add(self, *items: LayoutItem) -> None:
        """Add items at the end."""
        for item in items:
            if item is None:
                self.addStretch(1)
            elif isinstance(item, QWidget):
                self.addWidget(item)
            elif isinstance(item, QLayout):
                self.addLayout(item)
            else:
                space = QSpacerItem(theme().px(item), theme().px(item))
                self._spaces.append((space, item))
                self.addSpacerItem(space)

    def set_margins(self, margins: Margins) -> None:
        """Set the margins; they scale with the text size."""
        self._margins = _four(margins)
        self._update_geometry()

    @override
    def addLayout(self, layout: QLayout, stretch: int | None = 0) -> None:
        super().addLayout(layout, stretch)
        _remove_items(layout)

    def _update_geometry(self) -> None:
        px = theme().px
        self.setSpacing(px(self._gap))
        self.setContentsMargins(*(px(margin) for margin in self._margins))
        for space, size in self._spaces:
            space.changeSize(px(size), px(size))
        self.invalidate()


def _four(margins: Margins) -> tuple[int, int, int, int]:
    return margins if isinstance(margins, tuple) else (margins, margins, margins, margins)


def row(
    *items: LayoutItem, gap: int = 8, margins: Margins = 0, parent: QWidget | None = None
) -> ScaledBoxLayout:
    """A horizontal layout."""
    return ScaledBoxLayout(QBoxLayout.Direction.LeftToRight, items, gap=gap, margins=margins, parent=parent)


def column(
    *items: LayoutItem, gap: int = 8, margins: Margins = 0, parent: QWidget | None = None
) -> ScaledBoxLayout:
    """A vertical layout."""
    return ScaledBoxLayout(QBoxLayout.Direction.TopToBottom, items, gap=gap, margins=margins, parent=parent)


def clear(layout: QLayout) -> None:
    """Remove and delete all items of a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)
            inner.deleteLater()


def _remove_items(layout: QLayout) -> None:
    """Invalidate PySide's wrappers of the items of a layout.

    PySide keeps the wrappers after Qt has deleted the items, and would use one for a new object at the same
    address, which crashes the program.
    """
    for item in filter(None, map(layout.itemAt, range(layout.count()))):
        inner = item.layout()
        if inner is not None:
            _remove_items(inner)
        else:
            invalidate(item)
