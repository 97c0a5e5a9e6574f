"""Rows of numbers with their names."""

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from batchwright.ui.theme import TextRole, theme
from batchwright.ui.widgets.box_layouts import clear, column
from batchwright.ui.widgets.text import Label


class Figures(QWidget):
    """Numbers beside each other, each with its name above it."""

    def __init__(self, columns: int = 6, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns, self._shown = columns, tuple[tuple[str, str], ...]()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        theme().on_changed(self._update_geometry)
        self._update_geometry()

    def show_figures(self, figures: Sequence[tuple[str, str]]) -> None:
        """Show names and values."""
        if tuple(figures) == self._shown:
            return
        self._shown = tuple(figures)
        clear(self._grid)
        for place, (name, value) in enumerate(figures):
            figure = QWidget()
            column(
                Label(name, TextRole.CAPTION, "text2"),
                Label(value, TextRole.NAME, tabular=True),
                gap=1,
                parent=figure,
            )
            self._grid.addWidget(figure, *divmod(place, self._columns))
        for place in range(self._columns):
            self._grid.setColumnStretch(place, 1)

    def _update_geometry(self) -> None:
        self._grid.setHorizontalSpacing(theme().px(20))
        self._grid.setVerticalSpacing(theme().px(10))
