"""A list whose rows have different heights: as tall as its rows up to a maximum."""

from itertools import islice

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView
from typing_extensions import override

from batchwright.ui.theme import theme
from batchwright.ui.widgets.models import TableModel

_BATCH_ROWS = 30
"""Number of rows that are laid out at a time; computing their heights takes about 10 ms."""
_MEASURED_ROWS = 60
"""Number of rows of which the height of the list is computed; it has its maximum before."""


class FittedList(QListView):
    """A list view as tall as its rows up to a maximum, or less in a small dialog; it scrolls then.

    The view lays its rows out in batches, so that long lists appear at once.
    """

    def __init__(self, name: str, model: TableModel, *, max_height: int) -> None:
        """Create a list with an accessible name; the maximum height is in pixels at 100 %."""
        super().__init__()
        self._rows_model, self._max_height, self.preferred_height = model, max_height, 0
        """The height without scrolling, up to the maximum."""
        self.setModel(model)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH_ROWS)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(self.horizontalScrollBarPolicy().ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.viewport().setAutoFillBackground(False)
        model.modelReset.connect(self.update_height)
        theme().on_changed(self.update_height)

    def row_height(self, row: int, width: int) -> int:
        """The height of a row in a list of a width, in pixels."""
        raise NotImplementedError

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.update_height()

    def update_height(self) -> None:
        """Fit the height to the rows."""
        width = self.viewport().width()
        measured = islice(range(self._rows_model.row_count()), _MEASURED_ROWS)
        preferred = min(
            theme().px(self._max_height), sum(self.row_height(row, width) for row in measured) + 2
        )
        if preferred != self.preferred_height:
            self.preferred_height = preferred
            self.setFixedHeight(preferred)
        self.scheduleDelayedItemsLayout()
