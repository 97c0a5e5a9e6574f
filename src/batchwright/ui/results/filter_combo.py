"""A combo box that filters by one value, or shows all."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QWidget

from batchwright.ui.theme import theme
from batchwright.ui.theme.foreign import sanitize_line

_WIDTH, _LEAST = 190, 84


class FilterCombo(QComboBox):
    """A first entry for all values, then each value; all are added at once, since there may be many."""

    def __init__(self, name: str, everything: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._everything, self._ids = everything, tuple[str, ...]()
        self.setAccessibleName(name)
        self.addItem(everything)
        theme().on_changed(self._update_geometry)
        self._update_geometry()

    @property
    def chosen(self) -> str:
        """The id of the selected value; empty for all."""
        place = self.currentIndex() - 1
        return self._ids[place] if 0 <= place < len(self._ids) else ""

    def set_choices(self, offers: Mapping[str, str], chosen: str) -> None:
        """Set the values, as texts by id; emits no signal, since the user has not selected anything."""
        with QSignalBlocker(self):
            if self._ids != (ids := tuple(offers)):
                self._ids = ids
                self.clear()
                self.addItems([self._everything, *map(sanitize_line, offers.values())])
            self.setCurrentIndex(ids.index(chosen) + 1 if chosen in offers else 0)

    def _update_geometry(self) -> None:
        self.setMinimumWidth(theme().px(_LEAST))
        self.setMaximumWidth(theme().px(_WIDTH))
